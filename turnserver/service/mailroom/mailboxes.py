"""Read accounts over IMAP into the inbox: one process an account. A server in trouble is left alone for a while.

The store knows what was read how far, so any process can go on where another one stopped, at any step. A lease keeps two processes from
reading one account at the same time. If the lease ever fails to, each message is still stored once, because its place is unique.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from turnserver.config import ImapAccount, variable
from turnserver.errors import ConfigError, FolderClosed, LoginRefused, MailboxClosed, TurnserverError
from turnserver.mail.transport.imap import Bell, Fetched, Known, Message, Session
from turnserver.outside import Clock
from turnserver.service.service import Service
from turnserver.service.upkeep import processes
from turnserver.store.log.database import Database
from turnserver.store.mail import mailboxes
from turnserver.store.mail.mailboxes import Place, Trouble

logger = logging.getLogger(__name__)

Keep = Callable[[Place, bytes, datetime | None], bool]
"""A function that stores the mail at a place unless it was stored before, and returns whether it did."""

GRACE = timedelta(minutes=2)
"""The time beyond the interval between two looks that a reader may be silent before another process takes over."""

RECONNECT_SECONDS = 10.0
"""The longest wait before a server that worked until the connection broke is tried again."""

LONGEST_WAIT = timedelta(minutes=5)
"""The longest time for which a server that does not work is left alone."""

SAID_AGAIN = timedelta(hours=1)
"""The time after which the log says once more that a folder cannot be opened: no deadline is enforced meanwhile."""

LOGIN_WAIT, LONGEST_LOGIN_WAIT = timedelta(minutes=1), timedelta(minutes=30)
"""The first and the longest wait after a server refused our login: it may lock a mailbox after too many tries."""


DEATHS = 3
"""The number of times that fetching a message may break the connection before the message is left alone for a while."""

LEFT_ALONE, LONGEST_LEFT_ALONE = timedelta(minutes=5), timedelta(hours=6)
"""The first and the longest time for which such a message is left alone."""


PATIENCE = timedelta(hours=1)
"""The time for which a message that cannot be fetched holds up deadlines: perhaps it is the network's fault, and the mail a move."""


class Suspicion(NamedTuple):
    """A message that broke connections while it was fetched: how often, since when, and until when it is not tried again."""

    deaths: int
    since: datetime
    until: datetime


class Postman:
    """Brings the mail of one account. Each process has its own."""

    def __init__(self, db: Database, name: str, account: ImapAccount, *, keep: Keep, max_bytes: int, clock: Clock) -> None:
        """Fetch for the account `name` of the settings. `keep` gets every mail that counts, or the first `max_bytes` of it.

        A `clock` that cannot be right raises ClockWrong: how far a folder was read, and who reads it how long, must not lie ahead.
        """
        self.name = name
        self._mailbox = mailboxes.account_of(name, account.username, account.host)
        self._db = db
        self._account = account
        self._keep = keep
        self._max_bytes = max_bytes
        self._clock = clock
        self._owner = processes.new_name()
        self._others_read = False
        # when it was last said of each folder that it cannot be opened
        self._closed: dict[str, datetime] = {}
        self._suspicions: dict[Message, Suspicion] = {}
        self._stored = 0
        self._fruitless = 0

    def once(self) -> Fetched:
        """Fetch all new mail, unless another process does or the server is to be left alone for now. Trouble is logged.

        Raises ClockWrong.
        """
        with self._db.read() as conn:
            retry_at = mailboxes.trouble(conn, self.name).retry_at
        if retry_at is not None and self._clock() < retry_at:
            logger.warning("imap.%s is not tried again before %s", self.name, retry_at.isoformat(timespec="seconds"))
            return Fetched(0, 0)
        if not self._hold():
            return Fetched(0, 0)
        refused = 0
        try:
            refused = self._look_once()
        except MailboxClosed as error:
            self._put_off(error)
        finally:
            self._let_go()
        return self._brought(refused)

    def run(self, bell: Bell, came: Callable[[Fetched], None]) -> None:
        """Fetch until `bell` rings, and call `came` with each result.

        New mail is fetched at once if the server tells of it, else at each look into the folders.
        """
        pause = 0.0
        while not bell.wait(pause):
            try:
                pause = self._stay(bell, came)
            except TurnserverError as error:
                logger.error("imap.%s: %s", self.name, error)  # noqa: TRY400  # it says what is wrong; where does not matter
                pause = self._account.poll_seconds
            except Exception:  # whatever went wrong, mail has to be fetched again
                logger.exception("imap.%s: nobody foresaw this", self.name)
                pause = self._account.poll_seconds
        with suppress(TurnserverError):  # the lease runs out by itself
            self._let_go()

    def _stay(self, bell: Bell, came: Callable[[Fetched], None]) -> float:
        """Read over one connection until it breaks, another process reads or the bell rings. Return the seconds to stay away then."""
        if not self._hold():
            if not self._others_read:
                logger.info("imap.%s is read by another process", self.name)
            self._others_read = True
            return self._account.poll_seconds
        self._others_read = worked = False
        session = Session(self._account)
        try:
            with session:
                while self._hold():
                    came(self._brought(self._look(session)))
                    worked = True
                    if session.wait(self._account.folders[0], self._account.poll_seconds, bell):
                        break
        except MailboxClosed as error:
            came(self._brought())
            if self._suspect(session.fetching):
                return 0.0
            if not worked:
                return self._put_off(error)
            logger.warning("imap.%s: %s", self.name, error)
            return min(self._account.poll_seconds, RECONNECT_SECONDS)
        return 0.0

    def _look_once(self) -> int:
        while True:
            session = Session(self._account)
            try:
                with session:
                    return self._look(session)
            except MailboxClosed:
                # If a message was being fetched, it may have broken the connection; a new one reads on and tries it last.
                if not self._suspect(session.fetching):
                    raise

    def _suspect(self, message: Message | None) -> bool:
        """Note that the connection broke while a message, if any, was fetched. Return whether to connect again at once.

        That makes sense as long as other messages come through. The message or the network may be to blame. So the message is tried last
        the next time, and is left alone after some times: it must hold up neither the others nor the clocks for ever.
        """
        if message is None:
            return False
        self._fruitless += 1
        now = self._clock()
        before = self._suspicions.get(message, Suspicion(0, now, now))
        deaths = before.deaths + 1
        alone = min(LEFT_ALONE * (1 << min(deaths - DEATHS, 10)), LONGEST_LEFT_ALONE) if deaths >= DEATHS else timedelta(0)
        self._suspicions[message] = Suspicion(deaths, before.since, now + alone)
        if alone:
            where = f"message {message.uid} of {message.folder}"
            logger.error("imap.%s: %s broke the connection %d times and is left alone for now", self.name, where, deaths)
        return self._fruitless < DEATHS

    def _look(self, session: Session) -> int:
        """Read every folder to its end, and return the number of messages that could not be fetched.

        A folder that cannot be opened keeps no other from being read. Raises FolderClosed if it is the first one.
        """
        refused, first = 0, None
        for folder in self._account.folders:
            try:
                refused += self._read_to_end(session, folder)
            except FolderClosed as error:
                if folder == self._account.folders[0]:
                    first = error
                elif folder not in self._closed or self._clock() >= self._closed[folder] + SAID_AGAIN:
                    self._closed[folder] = self._clock()
                    said = f"{error}; the other folders are read, but no deadline is enforced before this one is"
                    logger.error("imap.%s: %s", self.name, said)  # noqa: TRY400  # it says what is wrong
            else:
                if folder in self._closed:
                    del self._closed[folder]
                    logger.info("imap.%s: the folder %s can be read", self.name, folder)
        if first is not None:
            raise first
        with self._db.read() as conn:
            failing = mailboxes.trouble(conn, self.name).failures
        if failing:
            logger.info("imap.%s can be read again", self.name)
            with self._db.write() as tx:
                mailboxes.note_trouble(tx, self.name, Trouble())
        return refused

    def _read_to_end(self, session: Session, folder: str) -> int:
        fetched = Fetched(0, 0, more=True)
        while fetched.more or fetched.stored:  # what came while we were fetching has been announced already, so look again
            fetched = self._collect(session, folder)
            self._hold()
        return fetched.refused

    def _collect(self, session: Session, folder: str) -> Fetched:
        """Fetch a batch, in the light of what is known of messages that broke the connection."""
        now = self._clock()
        hopeless = {message for message, why in self._suspicions.items() if message.folder == folder and why.until > now}
        waiting_for = any(now - self._suspicions[message].since < PATIENCE for message in hopeless)
        memory = _Remembered(self._db, self._mailbox, folder, self._take, self._clock)
        fetched = session.collect(memory, self._max_bytes, None if waiting_for else now, self._suspicions, hopeless)
        self._suspicions = {each: why for each, why in self._suspicions.items() if each.folder != folder or each in hopeless}
        return fetched

    def _take(self, place: Place, raw: bytes, arrived_at: datetime | None) -> bool:
        stored = self._keep(place, raw, arrived_at)
        self._stored += stored
        self._fruitless = 0
        return stored

    def _brought(self, refused: int = 0) -> Fetched:
        stored, self._stored = self._stored, 0
        return Fetched(stored, refused)

    def _put_off(self, error: MailboxClosed) -> float:
        """Leave the server alone for a while, twice as long after each failure. Return the length of the while in seconds."""
        with self._db.read() as conn:
            failures = mailboxes.trouble(conn, self.name).failures
        first, longest = timedelta(seconds=self._account.poll_seconds), LONGEST_WAIT
        if isinstance(error, LoginRefused):
            first, longest = max(first, LOGIN_WAIT), LONGEST_LOGIN_WAIT
        # The exponent is limited, since the longest wait is reached long before.
        wait = min(first * (1 << min(failures, 10)), max(first, longest))
        logger.error("imap.%s: %s; tried again in %d seconds", self.name, error, round(wait.total_seconds()))
        retry_at = self._clock() + wait
        with self._db.write() as tx:
            mailboxes.note_trouble(tx, self.name, Trouble(failures + 1, retry_at))
        return wait.total_seconds()

    def _hold(self) -> bool:
        now = self._clock()
        # Renewed after each batch, so it runs out only for a reader that is silent longer than from one look to the next.
        with self._db.write() as tx:
            for folder in self._account.folders:  # from the first try on, whatever comes counts
                mailboxes.watch_for(tx, self.name, self._mailbox, folder, now)
            return mailboxes.hold(tx, self.name, self._owner, now, now + timedelta(seconds=self._account.poll_seconds) + GRACE)

    def _let_go(self) -> None:
        with self._db.write() as tx:
            mailboxes.let_go(tx, self.name, self._owner)


def postmen(service: Service) -> list[Postman]:
    """Return a postman for each IMAP account in the settings of the service. Raises ConfigError if the password of one is not given."""
    for name, account in service.settings.imap.items():
        if not account.password:
            raise ConfigError(
                f"The password of imap.{name} is not given: {variable(f'imap.{name}', 'password')} in the environment sets it."
            )
    most = service.settings.incoming.max_bytes
    return [
        Postman(service.db, name, account, keep=service.mail.receive_from, max_bytes=most, clock=service.upkeep.require_clock)
        for name, account in service.settings.imap.items()
    ]


class _Remembered:
    """The stored memory of one folder."""

    def __init__(self, db: Database, account: str, folder: str, keep: Keep, clock: Clock) -> None:
        self.folder = folder
        self._db = db
        self._account = account
        self._keep = keep
        self._clock = clock

    def recall(self) -> Known:
        with self._db.read() as conn:
            box = mailboxes.get(conn, self._account, self.folder)
            in_hand = mailboxes.in_hand(conn, self._account, self.folder, box.uidvalidity or 0)
        return Known(box.began_at, box.uidvalidity, box.next_uid, box.sure_uid, in_hand)

    def renumber(self, uidvalidity: int, sure_uid: int) -> None:
        with self._db.write() as tx:
            mailboxes.renumber(tx, self._account, self.folder, uidvalidity, sure_uid)

    def keep(self, uidvalidity: int, uid: int, raw: bytes, arrived_at: datetime | None) -> None:
        self._keep(Place(self._account, self.folder, uidvalidity, uid), raw, arrived_at)

    def advance(self, uidvalidity: int, next_uid: int, read_at: datetime | None) -> None:
        now = self._clock()
        with self._db.write() as tx:
            mailboxes.advance(tx, self._account, self.folder, uidvalidity, next_uid)
            if read_at is not None:
                mailboxes.read_to_end(tx, self._account, self.folder, uidvalidity, read_at, now=now)
