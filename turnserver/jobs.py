"""The heartbeat of `turnserver serve`: its ticks and their intervals.

APScheduler keeps the intervals, in memory: there is nothing to persist, because each tick finds its work in the database. A tick that
has just made work for another one nudges it. So an answer leaves within a moment, and the intervals are only a safety net.
"""

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Condition, Event, Lock, Thread
from time import monotonic
from typing import Any, NamedTuple

from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from turnserver.config import Settings
from turnserver.errors import ConfigError, DatabaseReplaced, StoreError, TurnserverError
from turnserver.mail.transport.imap import Bell, Fetched
from turnserver.mail.transport.lmtp import Listener
from turnserver.mail.transport.maildir import Collected, collect
from turnserver.service.mailroom.mailboxes import postmen
from turnserver.service.service import Service
from turnserver.service.upkeep.deadlines import INSTANT
from turnserver.trouble import Trouble
from turnserver.web.app import public_server
from turnserver.web.counts import Counts
from turnserver.web.server import WebServer

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_TABLES_SECONDS = 2
_SLACK = timedelta(seconds=1)
"""The distance beyond its interval at which a job may lie ahead. More means that the clock was set back."""


class Tick:
    """A job that never runs twice at once. Called while it runs, it runs once more afterwards."""

    def __init__(self, name: str, work: Callable[[], bool], replaced: Callable[[DatabaseReplaced], None]) -> None:
        """Set the job up. `work` does one batch and returns whether more may be done at once.

        `replaced` is called if `work` met another database.
        """
        self.name = name
        self._work = work
        self._replaced = replaced
        self._trouble = Trouble(logger, name, monotonic)
        self._changed = Condition()
        self._running = False
        self._again = False
        self._closed = False

    def __call__(self) -> None:
        """Run until nothing is left to do. An error is logged and left to the next call."""
        with self._changed:
            self._again = True
            if self._running or self._closed:
                return
            self._running = True
        while self._wanted():
            if self._batch():
                self.ask()

    def ask(self) -> bool:
        """Note that there is work. Return True if nobody is about to look for it, so that the tick has to be called."""
        with self._changed:
            looking = self._running or self._again
            self._again = True
            return not looking

    def close(self) -> None:
        """Never run again. Return when the batch under way is done."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._running)

    def _batch(self) -> bool:
        try:
            more = self._work()
        except DatabaseReplaced as error:
            self._replaced(error)
        except TurnserverError as error:
            self._trouble.failed(error)
        # The thread of this tick would end with the error, and nobody would notice: whatever went wrong, the next tick must come.
        except Exception as error:  # noqa: BLE001
            self._trouble.failed(f"nobody foresaw this: {type(error).__name__}: {error}", trace=True)
        else:
            self._trouble.works()
            return more
        return False

    def _wanted(self) -> bool:
        with self._changed:
            # in one step: a call that comes now either sees that the tick runs or begins a run of its own
            self._running, self._again = self._again and not self._closed, False
            if not self._running:
                self._changed.notify_all()
            return self._running


class Server:
    """The ticks, the LMTP listener and the readers of mailboxes of one process. Several processes may serve one PostgreSQL database."""

    def __init__(self, service: Service, given_up: Callable[[], None] = lambda: None, alive: Callable[[], None] = lambda: None) -> None:
        """Serve `service` by its settings; nothing runs before `start`.

        Raise ConfigError if the pages cannot be bound, or mail cannot be fetched without a password.

        Both functions are called in threads of the server's own. `given_up` is called when it cannot go on: then `failure` says why, and
        `stop` has to be called. `alive` is called after each sweep, whatever its result, so silence means that something hangs.
        """
        self.service = service
        self.failure: DatabaseReplaced | None = None
        self._failing = Lock()
        self._given_up = given_up
        self._alive = alive
        self.address: tuple[str, int] | None = None
        settings = service.settings
        self._postmen = postmen(service)
        self._incoming = settings.incoming
        self._listener = Listener(
            self._deliver,
            host=settings.incoming.lmtp_host,
            port=settings.incoming.lmtp_port,
            max_bytes=settings.incoming.max_bytes,
        )
        self._scheduler: Any = BackgroundScheduler(
            # beats that were missed come as one, a job never runs beside itself, and none is too late to run
            timezone=UTC,
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )
        self._read = Tick("read inbox", self._read_inbox, self._give_up)
        self._send = Tick("send outbox", self._send_outbox, self._give_up)
        self._sweep = Tick("sweep deadlines", self._sweep_deadlines, self._give_up)
        self._collect = Tick("collect maildir", self._collect_maildir, self._give_up)
        self._maildir = _trouble_with(settings)
        self.counts = Counts()
        self.pages: WebServer | None = public_server(service, self.counts, self.nudge) if settings.web.url and settings.web.serve else None
        self._bell: Bell | None = None
        self._readers: list[Thread] = []
        self._metronome: Thread | None = None
        self._stopping = Event()

    @property
    def port(self) -> int:
        """The port that the LMTP listener got."""
        assert self.address is not None, "not started"  # noqa: S101  # there is no port before
        return self.address[1]

    def start(self) -> tuple[str, int]:
        """Begin to listen and to tick. Return the host and port where mail is taken.

        Raise ConfigError if the LMTP address cannot be bound, or if mail cannot be signed as the settings say.
        """
        self.service.make_ready()
        host, port, jobs = self._incoming.lmtp_host, self._incoming.lmtp_port, self.service.settings.jobs
        try:
            self.address = self._listener.start()
        except OSError as error:
            # errors of name resolution have negative numbers, and a text of their own
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
            raise ConfigError(f"Mail cannot be taken at incoming.lmtp_host {host}, incoming.lmtp_port {port}: {reason}") from error
        ticks = [(self._read, jobs.read_seconds), (self._send, jobs.send_seconds), (self._sweep, jobs.sweep_seconds)]
        if self._incoming.maildir:
            ticks.append((self._collect, jobs.read_seconds))
        self.service.upkeep.watch.listening()
        self._scheduler.start()
        for tick, seconds in ticks:
            self._scheduler.add_job(tick, "interval", seconds=seconds, name=tick.name)
            self._nudge(tick)
        self._scheduler.add_job(self._look_at_tables, "interval", seconds=_TABLES_SECONDS, name="look at the tables")
        self._metronome = Thread(target=self._keep_time, name="metronome", daemon=True)
        self._metronome.start()
        self._start_readers()
        if self.pages:
            self.pages.start()
        return self.address

    def stop(self) -> None:
        """Take no more mail, let the batches under way finish, and close the database."""
        # first of all, since a mail may be in hand for as long as its server is silent
        self.service.mail.dispatcher.stop()
        # what arrives from now on stays with the other server, which tries again
        self._listener.stop()
        if self.pages:
            self.pages.stop()
        self._stop_readers()
        # before the scheduler: its shutdown waits for its jobs with a lock in hand that a nudge from one of them needs
        for tick in (self._collect, self._read, self._sweep, self._send):
            tick.close()
        self._stopping.set()
        if self._metronome:
            self._metronome.join()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)
        self.service.db.close()

    def nudge(self) -> None:
        """Send due mail now instead of at the next tick."""
        self._nudge(self._send)

    def _keep_time(self) -> None:
        """Keep every job in time although somebody sets the clock of the machine back."""
        # the scheduler plans by the clock of the machine and would wait until it has come so far again; this wait follows one that only
        # runs on
        while not self._stopping.wait(_LOOK_SECONDS):
            now = datetime.now(UTC)
            for job in self._scheduler.get_jobs():
                pause = job.trigger.interval if isinstance(job.trigger, IntervalTrigger) else timedelta(0)
                if job.next_run_time is not None and job.next_run_time > now + pause + _SLACK:
                    logger.warning("%s: the clock of the machine was set back", job.name)
                    # it may have run meanwhile
                    with suppress(JobLookupError):
                        job.modify(next_run_time=now)

    def _look_at_tables(self) -> None:
        """Find out whether another program has changed the tables. Then whatever writes fails, and says why."""
        with suppress(StoreError):
            self.service.db.require_revision()

    def _nudge(self, tick: Tick) -> None:
        if tick.ask():
            self._scheduler.add_job(tick, name=f"{tick.name} (nudged)")

    def _deliver(self, recipients: Sequence[str], sender: str | None, raw: bytes) -> None:
        try:
            self.service.mail.receive_for(recipients, raw, sender, "lmtp")
        except DatabaseReplaced as error:
            self._give_up(error)
            raise
        self._nudge(self._read)

    def _give_up(self, error: DatabaseReplaced) -> None:
        with self._failing:
            # several threads may find out at once, and one of them is enough to say so
            first, self.failure = self.failure is None, self.failure or error
        if first:
            logger.critical("%s", error)
            self._given_up()

    def _read_inbox(self) -> bool:
        done = self.service.mail.read_inbox()
        if done.handled:
            self._nudge(self._send)
        return _told(self._read, done, done.handled)

    def _send_outbox(self) -> bool:
        done = self.service.mail.send_outbox()
        return _told(self._send, done, done.sent)

    def _sweep_deadlines(self) -> bool:
        try:
            done = self.service.upkeep.sweep()
        finally:
            self._alive()
        if done.acted:
            self._nudge(self._send)
        return _told(self._sweep, done, done.acted)

    def _start_readers(self) -> None:
        self._bell = bell = Bell()
        for postman in self._postmen:
            told = partial(self._fetched, postman.name)
            self._readers.append(Thread(target=postman.run, args=(bell, told), name=f"imap.{postman.name}", daemon=True))
            self._readers[-1].start()

    def _stop_readers(self) -> None:
        if self._bell is not None:
            self._bell.ring()
            for reader in self._readers:
                reader.join()
            self._bell.close()
            self._bell = None

    def _fetched(self, account: str, done: Fetched) -> None:
        if done.stored:
            self._nudge(self._read)
            logger.info("fetch imap.%s: %d stored", account, done.stored)

    def _collect_maildir(self) -> bool:
        done = collect_maildir(self.service, self._maildir)
        if done.delivered:
            self._nudge(self._read)
            logger.info("%s: %d delivered", self._collect.name, done.delivered)
        # one call reads the whole maildir
        return False


def fetch_mail(service: Service) -> Collected:
    """Fetch mail from the IMAP accounts of the settings that no other process reads. Does nothing without accounts. Trouble is logged.

    Raise ClockWrong if the clock of the machine cannot be right.
    """
    fetched = [postman.once() for postman in postmen(service)]
    return Collected(sum(each.stored for each in fetched), sum(each.refused for each in fetched))


def collect_maildir(service: Service, trouble: Trouble | None = None) -> Collected:
    """Fetch mail from the maildir of the settings. Does nothing if they name none. `trouble` hears of each file that stays there.

    Raise ConfigError if it is no maildir, MailboxClosed if it cannot be read, and ClockWrong if the clock of the machine cannot be right.
    """
    settings = service.settings
    if not settings.incoming.maildir:
        return Collected(0, 0)

    begun, read_to = service.mail.begin_collecting(), None

    def keep(recipient: str, sender: str | None, raw: bytes, arrived_at: datetime) -> None:
        service.mail.receive(raw, recipient, sender, "maildir", arrived_at)

    most = settings.incoming.max_bytes
    try:
        done = collect(Path(settings.incoming.maildir), keep, settings.site.address, most, trouble or _trouble_with(settings))
        if done.waits_since is None:
            read_to = begun
        # one that is dated ahead came at any time since the last look
        elif done.waits_since <= begun:
            read_to = done.waits_since - INSTANT
    finally:
        service.mail.collected(begun, read_to)
    return done


def _trouble_with(settings: Settings) -> Trouble:
    return Trouble(logger, f"maildir {settings.incoming.maildir}", monotonic)


def _told(tick: Tick, done: NamedTuple, gone: int) -> bool:
    """Log what a batch did, if anything. Return whether there may be more work: `gone` pieces of it are gone."""
    if any(done):
        logger.info("%s: %s", tick.name, ", ".join(f"{count} {what}" for what, count in done._asdict().items() if count))
    return gone > 0
