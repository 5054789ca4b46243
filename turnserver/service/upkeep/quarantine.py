"""Quarantine of games that the installed program cannot play again from their logs, until a program comes that can.

A game in quarantine is served to nobody: its mail is kept, its clock enforces nothing, and the admin hears of it once. Since a program
does not change while it runs, each process tries a game once. The process that can follow the game lets it go on. The time since the first
process that could not began is given back, as that of an outage is. Then the mail that was kept is handled as it came.
"""

import logging
from contextlib import suppress
from datetime import datetime
from functools import partial

from turnserver.config import Settings
from turnserver.errors import NotAllowed, StoreError, Unplayable
from turnserver.ids import GameId, game_stream
from turnserver.mail.outbound.notices.admin import rest_report
from turnserver.outside import Clock
from turnserver.play.commands import FreezeClock
from turnserver.play.events import FreezeKind
from turnserver.play.state import Status
from turnserver.service.games.absences import with_vacations
from turnserver.service.games.folds import undecided
from turnserver.service.games.ledger import Ledger
from turnserver.service.request import Request
from turnserver.store.incidents import outages
from turnserver.store.incidents.outages import QuarantinedGame
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox

logger = logging.getLogger(__name__)

_AT_ONCE = 1_000
"""The number of games that one round tries to wake."""


class Quarantine:
    """The games in quarantine that a process knows of. Threads may share it."""

    def __init__(self, ledger: Ledger, settings: Settings, clock: Clock) -> None:
        """Note when the process began."""
        self._ledger = ledger
        self._admin = settings.site.admin
        self._clock = clock
        self._began = clock()
        self._stuck: set[GameId] = set()

    def note(self, tx: Transaction, error: Unplayable, since: datetime | None = None) -> bool:
        """Quarantine a game that this program cannot follow, and tell the admin. Return whether it was not in quarantine before.

        The game's time stops when the process began or the game last moved, whichever is later; or at `since` if that is earlier.
        """
        game, now = GameId(error.game), self._clock()
        moved = log.last_at(tx, game_stream(game))
        began = min(now, self._began if moved is None else max(self._began, moved))
        # A program does not change while it runs, so this process does not try the game again.
        self._stuck.add(game)
        if not outages.rest(tx, QuarantinedGame(game, min(began, since or began), error.why)):
            return False
        logger.error("%s", error)
        if self._admin:
            report = rest_report(self._admin, game, error.why, began)
            self._ledger.post.queue(tx, [report], Request("service", f"job:rest:{game}:{now.isoformat()}", now))
        return True

    def noted(self, error: Unplayable, since: datetime | None = None) -> bool:
        """Call `note` in a transaction of its own."""
        return self._ledger.attempt(lambda tx: self.note(tx, error, since))

    def wake(self) -> int:
        """Let every game go on that this program can follow, and return their number. A game that fails is tried by the next process."""
        with self._ledger.db.read() as conn:
            waiting = [rest for rest in outages.quarantined_games(conn) if rest.game not in self._stuck]
        return sum(self._tried(rest) for rest in waiting[:_AT_ONCE])

    def _tried(self, rest: QuarantinedGame) -> bool:
        try:
            self._ledger.attempt(partial(self._wake, rest))
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever is wrong with one game, the others are to go on
            self._stuck.add(rest.game)
            logger.log(logging.INFO if isinstance(error, Unplayable) else logging.ERROR, "game %s goes on resting: %s", rest.game, error)
            return False
        return True

    def _wake(self, rest: QuarantinedGame, tx: Transaction) -> None:
        game, now = rest.game, self._clock()
        at = self._ledger.games.load(tx, game)
        if not outages.wake(tx, game):
            return  # another process was first
        inbox.wake(tx, game)
        if at.state.status is not Status.RUNNING:
            return
        decision = undecided(game, at)
        if rest.since < now:
            with suppress(NotAllowed):  # its turn began only now, or its clock stood still
                decision = self._ledger.decide(game, at, [FreezeClock(FreezeKind.OUTAGE, None, rest.since, now)], now)
        # A vacation that was declared meanwhile holds here too.
        decision = with_vacations(tx, decision, decision.after.staying, now)
        if decision.events:
            self._ledger.write(tx, decision, Request("service", f"job:woken:{at.state.version}", now))
