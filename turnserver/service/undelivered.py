"""Time that nobody could use: from when a player was to be told of his turn until the next mail server took a mail that says so.

A deadline is a promise about the time that a player has, and he has none while he cannot know that it is his turn. So before a flag
falls, the clock gets back what passed until he was told, or what has passed so far if he was not: because our mail server is down, because
the mail was refused or came back, or because mail does not reach him at all. From the moment he is told he always has his full time.
While he is unreachable nothing counts as telling him, and what was sent before he came back has not told him either.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from turnserver.config import Settings
from turnserver.envelope import GameId, PlayerId, Version
from turnserver.mail import notices
from turnserver.play.commands import CreditClock
from turnserver.play.state import GameState
from turnserver.play.timing import MAX_CREDIT
from turnserver.play.waiting import given_back, waiting_since
from turnserver.service.ledger import GameAt, Ledger, Request
from turnserver.store import outages, outcomes, people, reach
from turnserver.store.database import Transaction

REASON: Final = "mail could not be delivered"
"""What the credit says; the sum of such credits is what a turn has had already."""

NEGLIGIBLE: Final = timedelta(minutes=15)
"""A delay that gives nothing back. A mail that has to be tried a second time is about so late, and turns have days."""


class Owed(NamedTuple):
    """Time to give back to the pending turn of a player, which began with version `since`; `waited` is how long he is untold, if he is."""

    time: timedelta
    player: PlayerId
    since: Version
    waited: timedelta | None


class Undelivered:
    """Gives back time that passed before a player could know."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        """By the policy of the `settings`."""
        self._ledger = ledger
        self._waits = settings.play.undelivered == "wait"
        self._most = timedelta(days=settings.play.max_undelivered_days)
        self._admin = settings.site.admin

    def give_back(self, tx: Transaction, game: GameId, at: GameAt, now: datetime) -> bool:
        """Credit what is owed to a clock that has run out, as the last thing of a transaction. False if nothing is owed.

        Two processes that find the same clock make one credit: it is known by the deadline that it moves.
        """
        state = at.state
        owed = self._owed(tx, game, state, now)
        if owed is None or state.deadline is None:
            return False
        if owed.waited is not None and owed.waited >= self._most and self._admin:
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
                days=owed.waited.days,
            )
            self._ledger.post(tx, [held], Request("service", f"job:undelivered:{game}:{owed.since}", now))  # once a turn
        credit = CreditClock(int(min(owed.time, MAX_CREDIT).total_seconds()), REASON)
        request = Request("service", f"job:undelivered:{state.deadline.isoformat()}", now)
        self._ledger.write(tx, self._ledger.plan(game, at, [credit], now), request)
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
        taken = told.taken_at if known.since is None else None
        until = now if taken is None else taken
        slept = outages.overlap(conn, told.due_at, until)
        time = until - told.due_at - slept - given_back(history, since.version, REASON)
        return Owed(time, player, since.version, until - told.due_at if taken is None else None) if time > NEGLIGIBLE else None
