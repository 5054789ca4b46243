"""Time that a player could not use: from when they were to be told of their turn until the next mail server took a mail that says so.

A deadline promises a player an amount of time, and the player has no time while they cannot know that it is their turn. So before a
flag falls, the clock gets back what passed until the player was told, or what has passed so far if they were not. The cause may be our
own mail server, a refused or returned mail, or an address that no mail reaches. Once told, the player always has the full time. While a
player is unreachable nothing counts as telling them, and neither does a mail from before they came back.

A mail that the player answers was read (`deliverability.note_answer`). It told the player when the next server took it, whatever is
reported about it: players know the bounce addresses of their own mails and could write the reports themselves. A deadline that was moved
stays moved, for it was announced.

So reports buy little. A player who has shown that they read of their turn gets only the time until the answered mail was taken. A player
who bounces everything and shows nothing can keep a game waiting, like everybody whom mail really does not reach; from here the two look
the same. So what is given back is bounded, for a turn, a game and a year of all games together, and all of it counts in a player's
reliability. When a bound is reached, the clock runs as any other, and the others at the table and the admin are told until when. If it
runs out, the winner of a game of two may claim the win by doing nothing, or offer to play on.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from turnserver.config import Settings
from turnserver.errors import Unplayable
from turnserver.ids import GameId, PlayerId, Recorded, Version
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.admin import held_report
from turnserver.play.clock.clock import frozen, waiting_since
from turnserver.play.clock.live_time import LiveTime, Off
from turnserver.play.commands import FreezeClock
from turnserver.play.events import FreezeKind, GameEvent, PlanActed, PlanDropped, PlanEnd
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.service.games.folds import GameAt
from turnserver.service.games.ledger import Ledger
from turnserver.service.request import Request
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction
from turnserver.store.mail import delivery_reports
from turnserver.store.people import accounts as people

NEGLIGIBLE: Final = timedelta(minutes=15)
"""A delay that gives nothing back. A mail that has to be tried a second time is about so late, and turns have days."""

_NOTHING: Final = timedelta(0)
_YEAR: Final = timedelta(days=365)


class Owed(NamedTuple):
    """The time in which a player could not know that they have the pending turn, which began with version `since`.

    If the player is not `told`, the time ends now. `spent` says that it ends earlier, since no more of it is given back.
    """

    began: datetime
    ended: datetime
    player: PlayerId
    since: Version
    told: bool
    spent: bool

    @property
    def late(self) -> timedelta:
        """The time from when the player was to be told until they were, or until now."""
        return self.ended - self.began


class Undelivered:
    """Gives back time that passed before a player could know."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        """Follow the policy of the `settings`."""
        self._ledger = ledger
        self._waits = settings.play.undelivered == "wait"
        self._a_turn = timedelta(days=settings.play.max_undelivered_days)
        self._a_game = timedelta(days=settings.play.max_undelivered_days_a_game)
        self._a_year = timedelta(days=settings.play.max_undelivered_days_a_year)
        self._admin = settings.site.admin

    def give_back(self, tx: Transaction, game: GameId, at: GameAt, now: datetime, until: datetime | None = None) -> bool:
        """Give back the time until now, or `until` then, that is owed to a clock that has run out. Nothing may follow in the transaction.

        Return False if none is owed.

        Two processes that find the same clock give back once: the request is named after the deadline that is moved.
        """
        state = at.state
        owed = self._owed(tx, game, state, until or now)
        if owed is None or state.deadline is None or state.to_move is None:
            return False
        freeze = FreezeClock(FreezeKind.UNDELIVERED, state.to_move, owed.began, owed.ended)
        decision = self._ledger.decide(game, at, [freeze], now)
        if owed.spent:
            once = Request("service", f"job:undelivered:{game}:{owed.since}", now)  # once a turn
            others = notices.waited_enough(decision.after, owed.player, owed.late.days)
            self._ledger.post.queue(tx, [*others, *self._report(tx, game, owed)], once, game, decision.after)
        request = Request("service", f"job:undelivered:{state.deadline.isoformat()}", now)
        self._ledger.write(tx, decision, request)
        return True

    def _report(self, tx: Transaction, game: GameId, owed: Owed) -> Sequence[Notice]:
        if not self._admin:
            return ()
        person = people.player(tx, owed.player)
        why = delivery_reports.deliverability(tx, person.id).why
        return (held_report(self._admin, person, why, game, owed.late.days, told=owed.told),)

    def _owed(self, conn: Transaction, game: GameId, state: GameState, now: datetime) -> Owed | None:
        player = state.mover
        if not self._waits or state.to_move is None or player is None:
            return None
        history = self._ledger.games.history(conn, game)
        since = waiting_since(history)
        known = delivery_reports.deliverability(conn, player)
        told = delivery_reports.told(conn, game, player, since.version, known.cleared_at) if since else None
        if since is None or told is None:
            return None
        # While the player is unreachable, a mail that the next server took tells them nothing. One that they answered was read.
        heard = told.read_at, told.taken_at if known.since is None else None
        first = min((at for at in heard if at is not None), default=None)
        until = now if first is None else first
        began = state.clock.since if state.clock is not None and _waited_for_a_plan(history, since.version, state.to_move) else told.due_at
        ends = min(until, began + self._room(conn, game, state, player, began, now))
        lost = ends - began - frozen(state, state.to_move, began, ends)
        return Owed(began, ends, player, since.version, first is not None, ends < until) if lost > NEGLIGIBLE else None

    def _room(self, conn: Transaction, game: GameId, state: GameState, player: PlayerId, began: datetime, now: datetime) -> timedelta:  # noqa: PLR0917  # one turn
        """Return how much at most may be given back to the turn of a player that was to be told at `began`."""
        before = [freeze for freeze in _waited(state, player) if freeze.begins < began]
        resting = outages.quarantined_numbers(conn)
        theirs = (row for row in views.list_games(conn, player=player) if row.id != game and row.id not in resting)
        others = (row.id for row in theirs if row.ended_at is None or row.ended_at > now - _YEAR)  # nothing is given back after the end
        elsewhere = (freeze for other in others for freeze in self._waited_in(conn, other, player))
        lately = [freeze for freeze in (*before, *elsewhere) if freeze.ends is not None and freeze.ends > now - _YEAR]
        return max(_NOTHING, min(self._a_turn, self._a_game - _together(before), self._a_year - _together(lately)))

    def _waited_in(self, conn: Transaction, game: GameId, player: PlayerId) -> Sequence[Off]:
        try:
            return tuple(_waited(self._ledger.games.load(conn, game).state, player))
        # A game in quarantine holds up no other.
        except Unplayable:
            return ()


def _waited(state: GameState, player: PlayerId) -> Iterator[Off]:
    for freeze in state.freezes:
        if freeze.kind is FreezeKind.UNDELIVERED and freeze.player == player and freeze.ends is not None:
            yield Off(freeze.kind, freeze.begins, freeze.ends)


def _together(times: Sequence[Off]) -> timedelta:
    if not times:
        return _NOTHING
    first, last = min(each.begins for each in times), max(each.ends or each.begins for each in times)
    return last - first - LiveTime(freezes=tuple(times)).between(first, last)


def _waited_for_a_plan(history: Sequence[Recorded[GameEvent]], since: Version, seat: Seat) -> bool:
    # The plan held the mail of this turn back and then did not answer the turn.
    ended = (row.event for row in history[since:] if isinstance(row.event, PlanDropped | PlanActed))
    return any(event.seat == seat and (isinstance(event, PlanActed) or event.reason is not PlanEnd.FORGOTTEN) for event in ended)
