"""Upkeep: everything that happens because time passes."""

import logging
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Final

from turnserver.config import Settings
from turnserver.errors import ClockAhead, ClocksDiffer, ClockWrong
from turnserver.mail.outbound.notices.admin import clock_report, status_report
from turnserver.outside import Clock, Running
from turnserver.play.clock.live_time import zone_of
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues import ratings
from turnserver.service.leagues.deadlines import LeagueWatch
from turnserver.service.leagues.repository import Leagues
from turnserver.service.request import Request
from turnserver.service.upkeep.checkpoints import Checkpoints
from turnserver.service.upkeep.deadlines import SETTLE, SweepCounts, Watch
from turnserver.service.upkeep.folders import folders
from turnserver.service.upkeep.losses import Losses
from turnserver.service.upkeep.plausible_clock import ClockGuard
from turnserver.service.upkeep.quarantine import Quarantine
from turnserver.service.upkeep.retention import OldMail
from turnserver.service.upkeep.standing import standing
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction
from turnserver.store.mail import mailboxes
from turnserver.store.people import confirmations, sessions

logger = logging.getLogger(__name__)

MORNING: Final = time(7)
"""The time at which the admin's report of the week is written, on Mondays in the zone of the site."""


class Upkeep:
    """Sweeps games, leagues and everything that has to follow them. Threads may share it."""

    def __init__(self, ledger: Ledger, leagues: Leagues, settings: Settings, clock: Clock, running: Running | None) -> None:
        """Sweep while there are no doubts about the `clock`. With `running`, ask the machine's count and the database's server too."""
        looks = [account.poll_seconds for account in settings.imap.values()]
        looks += [settings.jobs.read_seconds] if settings.incoming.maildir else []
        look_every = timedelta(seconds=max(looks, default=0))
        places = [(each.account, each.folder) for each in folders(settings)]
        self.guard = ClockGuard(clock, running, partial(_tell_of_clock, ledger, settings.site.admin))
        self.quarantine = Quarantine(ledger, settings, clock)
        self.watch = Watch(ledger, settings, self.quarantine, SETTLE, places, look_every)
        self.checkpoints = Checkpoints(ledger.db, settings, clock)
        self._ledger = ledger
        self._clock = clock
        self._losses = Losses(ledger, settings)
        self._leagues = leagues
        self._league_watch = LeagueWatch(leagues)
        self._settings = settings
        self._old_mail = OldMail(ledger, settings.retention)

    def sweep(self) -> SweepCounts:
        """Remind and time out players, let leagues go on, let ratings and checkpoints follow, and forget what has expired or is old.

        Do nothing while the clock of the machine cannot be right.
        """
        now = self._clock()
        with self._ledger.db.read() as conn:
            signs = outages.signs(conn, now)
            expired = confirmations.any_expired(conn, now)
            over = sessions.any_expired(conn, now)
        if not self.guard.is_right(signs):
            return SweepCounts()
        if expired:
            self._ledger.attempt(lambda tx: confirmations.erase_expired(tx, now))
        if over:
            self._ledger.attempt(lambda tx: sessions.erase_expired(tx, now))
        swept, heard = self.watch.sweep(now), self.watch.heard(now)
        told = self._losses.round(now)
        # Leagues wait for the same mail as the clocks.
        done = self._league_watch.sweep(heard, now) if heard is not None else 0
        ratings.follow(self._ledger)
        self.checkpoints.follow()
        self._old_mail.round(now)
        if signs.beat is not None and signs.beat < _last_monday(now, self._settings.site.zone) and self._settings.site.admin:
            done += self._report(now)
        return swept._replace(acted=swept.acted + done + told)

    def _report(self, now: datetime) -> int:
        """Tell the admin what waits for them, if anything does. Return the number of mails."""
        tasks = standing(self._ledger, self._leagues, self._settings, self.guard, now).tasks
        if not tasks:
            return 0
        # Named by the day, so that it comes once whichever process is first.
        request = Request("service", f"job:status:{now.date()}", now)
        self._ledger.attempt(lambda tx: self._ledger.post.queue(tx, [status_report(self._settings.site.admin, tasks)], request))
        return 1

    def require_clock(self) -> datetime:
        """Return the instant by the clock of the machine. Raise ClockWrong if that cannot be right."""
        now = self._clock()
        with self._ledger.db.read() as conn:
            self.guard.require(outages.signs(conn, now))
        return now

    def confirm_clock(self) -> datetime:
        """Take the clock of the machine for right, whatever was noted before, and return its instant.

        Raises ClocksDiffer if the database's server tells another time.
        """
        now = self._clock()

        def confirm(tx: Transaction) -> None:
            self.guard.require_agreement(outages.signs(tx, now))
            outages.confirm(tx, now)
            mailboxes.set_back(tx, now)

        self._ledger.attempt(confirm)
        return now


def _tell_of_clock(ledger: Ledger, admin: str, error: ClockWrong | None, now: datetime) -> None:
    if error is None:
        logger.warning("the clock of this machine is right again: %s", now)
        # The next beat may be long in coming, while a mailbox is closed.
        ledger.attempt(outages.trust)
        return
    logger.critical("%s", error)
    # whatever else is wrong with a clock, every process sees by itself
    if isinstance(error, ClockAhead):
        ledger.attempt(lambda tx: outages.doubt(tx, now))
    if admin:
        # Named by the day, so that it comes once a day.
        request = Request("service", f"job:clock:{now.date()}", now)
        report = clock_report(admin, str(error), confirmable=not isinstance(error, ClocksDiffer))
        ledger.attempt(lambda tx: ledger.post.queue(tx, [report], request))


def _last_monday(now: datetime, zone: str) -> datetime:
    """Return the last instant until `now` at which it was Monday morning in a zone, when the admin's report of the week is due."""
    here = now.astimezone(zone_of(zone))
    monday = datetime.combine(here.date() - timedelta(days=here.weekday()), MORNING, here.tzinfo)
    return (monday if monday <= here else monday - timedelta(days=7)).astimezone(UTC)
