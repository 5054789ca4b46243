"""Time that nobody could use: from when a player was to be told of his turn until the next mail server took a mail that says so.

A deadline is a promise about the time that a player has, and he has none while he cannot know that it is his turn. So before a flag
falls, the clock gets back what passed until he was told, or what has passed so far if he was not: because our mail server is down, because
the mail was refused or came back, or because mail does not reach him at all. From the moment he is told he always has his full time.
While he is unreachable nothing counts as telling him, and what was sent before he came back has not told him either.

What he answers was read (`note_answer`), and told him when the next server took it, whatever is reported about it: he knows the bounce
addresses of his own mails and could write the reports himself. A deadline that was moved stays moved, for it was announced.

So reports buy little. Who has shown that he read of his turn gets nothing more for it than the time until the mail that he answered was
taken. Who bounces everything and shows nothing can keep a game waiting, like everybody whom mail really does not reach: those at the table
and the admin hear of it as soon as he counts as unreachable. Once a turn has got `play.max_undelivered_days` back, also if its player was
told now and then, the admin is asked to decide. Nothing ends by itself, since from here the one cannot be told from the other.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from turnserver.config import Settings
from turnserver.envelope import GameId, PlayerId, Recorded, Version
from turnserver.errors import NotFound
from turnserver.mail import notices
from turnserver.mail.tokens import Token
from turnserver.play.clock import frozen
from turnserver.play.commands import FreezeClock
from turnserver.play.events import FreezeKind, GameEvent, PlanDropped, PlanEnd
from turnserver.play.state import GameState
from turnserver.play.waiting import waiting_since
from turnserver.rules import Seat
from turnserver.service.folds import GameAt
from turnserver.service.ledger import Ledger, Request
from turnserver.store import outcomes, people, reach
from turnserver.store.database import Transaction

NEGLIGIBLE: Final = timedelta(minutes=15)
"""A delay that gives nothing back. A mail that has to be tried a second time is about so late, and turns have days."""


class Owed(NamedTuple):
    """The time in which a player could not know that he has the pending turn, which began with version `since`.

    If he is not `told`, it ends now.
    """

    began: datetime
    ended: datetime
    player: PlayerId
    since: Version
    told: bool

    @property
    def late(self) -> timedelta:
        """How late he was told, or how late it is by now."""
        return self.ended - self.began


def note_answer(tx: Transaction, ledger: Ledger, token: Token, references: Sequence[str], arrived_at: datetime) -> None:
    """Keep what a player has read of, as a mail of his shows that carries `token`: the mail of ours that it answers, if it names one.

    `references` are the Message-IDs that it names, the direct one first. Only that counts: the others it has from a mail that names them,
    and they may have come back. If it names none about the pending turn that the token is for, it answers the newest one about that.
    """
    named = outcomes.answered(tx, token.player, references[0], arrived_at) if references else None
    if not token.game:
        return
    with suppress(NotFound):
        state = ledger.load(tx, token.game).state
        mover = state.player_at(state.to_move) if state.to_move is not None else None
        if (mover, state.turn, state.edition) != (token.player, token.turn, token.edition) or named == (token.game, state.version):
            return
        since = waiting_since(ledger.history(tx, token.game))
        if since is not None and not (named and named.game == token.game and named.version and named.version >= since.version):
            outcomes.newest_answered(tx, token.game, token.player, since.version, arrived_at)


class Undelivered:
    """Gives back time that passed before a player could know."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        """By the policy of the `settings`."""
        self._ledger = ledger
        self._waits = settings.play.undelivered == "wait"
        self._most = timedelta(days=settings.play.max_undelivered_days)
        self._admin = settings.site.admin

    def give_back(self, tx: Transaction, game: GameId, at: GameAt, now: datetime) -> bool:
        """Give back what is owed to a clock that has run out, as the last thing of a transaction. False if nothing is owed.

        Two processes that find the same clock give back once: it is known by the deadline that is moved.
        """
        state = at.state
        owed = self._owed(tx, game, state, now)
        if owed is None or state.deadline is None or state.to_move is None:
            return False
        if owed.late >= self._most and self._admin:
            person = people.player(tx, owed.player)
            held = notices.admin_report(
                self._admin,
                "held",
                player=person.id,
                name=person.name,
                address=person.address,
                why=reach.of(tx, person.id).why,
                games=[game],
                waits=True,
                days=owed.late.days,
                told=owed.told,
            )
            self._ledger.post(tx, [held], Request("service", f"job:undelivered:{game}:{owed.since}", now))  # once a turn
        freeze = FreezeClock(FreezeKind.UNDELIVERED, state.to_move, owed.began, owed.ended)
        request = Request("service", f"job:undelivered:{state.deadline.isoformat()}", now)
        self._ledger.write(tx, self._ledger.plan(game, at, [freeze], now), request)
        return True

    def _owed(self, conn: Transaction, game: GameId, state: GameState, now: datetime) -> Owed | None:
        if not self._waits or state.to_move is None:
            return None
        history = self._ledger.history(conn, game)
        since = waiting_since(history)
        player = state.player_at(state.to_move)
        known = reach.of(conn, player)
        told = outcomes.told(conn, game, player, since.version, known.cleared_at) if since else None
        if since is None or told is None:
            return None
        heard = told.read_at, told.taken_at if known.since is None else None
        first = min((at for at in heard if at is not None), default=None)
        until = now if first is None else first
        began = state.clock.since if state.clock is not None and _waited_for_a_plan(history, since.version, state.to_move) else told.due_at
        lost = until - began - frozen(state, state.to_move, began, until)
        return Owed(began, until, player, since.version, first is not None) if lost > NEGLIGIBLE else None


def _waited_for_a_plan(history: Sequence[Recorded[GameEvent]], since: Version, seat: Seat) -> bool:
    """Whether the turn that began with a version was one for a plan of the seat to answer, which held its mail back, and it has not."""
    dropped = (row.event for row in history[since:] if isinstance(row.event, PlanDropped))
    return any(event.seat == seat and event.reason is not PlanEnd.FORGOTTEN for event in dropped)
