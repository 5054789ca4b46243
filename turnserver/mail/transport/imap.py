"""Fetch mail from a mailbox over IMAP (RFC 3501), as one of several readers of it. Mail is stored before anything in the mailbox changes.

A message is fetched with `BODY.PEEK[]`, which changes nothing, then stored, and only then marked as read and moved. Our own memory of
the folder tells which messages count, never their flags: a person who looks into the mailbox with a mail program sets flags too.
"""

import logging
import re
import select
import socket
import ssl
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from imapclient import DELETED, SEEN, IMAPClient, SocketTimeout
from imapclient.exceptions import CapabilityError, IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

from turnserver.config import ImapAccount
from turnserver.errors import FolderClosed, LoginRefused, MailboxClosed, TurnserverError

BATCH = 50
"""The number of messages that are fetched before they are marked and moved."""

_BYTES = re.compile(r"""\bb(['"])(.*?)\1""")

MOST_NAMED = 1_000
"""The number of messages that one command names. Servers refuse lines that are too long, Dovecot those above 64 KiB."""

MOST_AT_ONCE = 100_000_000
"""The largest literal that a server may announce, in octets: memory is reserved for all of them before the first one comes."""

T = TypeVar("T")

_DAY = timedelta(days=1)
_BODY = b"BODY[]<0>"
# the server of the mailbox sets this time of arrival, and only somebody with the password could make it write another one; the `Date`
# header is the sender's word and counts for nothing
_DATE = b"INTERNALDATE"

_log = logging.getLogger(__name__)
# it warns of each answer that has a letter beyond ASCII, and drops the letter; our sentences have the names from the settings
logging.getLogger("imapclient.util").setLevel(logging.ERROR)


class Known(NamedTuple):
    """The memory of a folder; see `turnserver.store.mail.mailboxes.Mailbox`. `in_hand` are UIDs of messages that are stored."""

    began_at: datetime
    uidvalidity: int | None
    next_uid: int
    sure_uid: int
    in_hand: Collection[int]


class Memory(Protocol):
    """The lasting memory of one folder: when a method returns, its arguments are stored."""

    folder: str

    def recall(self) -> Known:
        """Return the memory of the folder. Reading of an unknown folder begins now."""

    def renumber(self, uidvalidity: int, sure_uid: int) -> None:
        """Note that the folder's UIDs mean other messages than before. None was given yet from `sure_uid` on: those all count."""

    def keep(self, uidvalidity: int, uid: int, raw: bytes, arrived_at: datetime | None) -> None:
        """Store a message, unless it has been stored. `arrived_at` is None if the server does not know it."""

    def advance(self, uidvalidity: int, next_uid: int, read_at: datetime | None) -> None:
        """Note that everything below `next_uid` is done. With a `read_at`, everything that had arrived by then is stored."""


class Message(NamedTuple):
    """The address of a message within an account."""

    folder: str
    uidvalidity: int
    uid: int


class Fetched(NamedTuple):
    """The number of messages that were stored, the number of those that could not be had, and whether more can be fetched at once."""

    stored: int
    refused: int
    more: bool = False


class Examined(NamedTuple):
    """The capabilities of an account's server, and the folders to be read that do not exist."""

    capabilities: frozenset[str]
    missing: tuple[str, ...]


class Bell:
    """A bell that rings once. Everybody who waits for it, or comes later, notices."""

    def __init__(self) -> None:
        self._waiting, self._ringing = socket.socketpair()

    def ring(self) -> None:
        """End every wait, now and from now on."""
        self._ringing.send(b".")

    def wait(self, seconds: float, *others: socket.socket) -> bool:
        """Wait until the bell rings, one of `others` has something to read, or the time is over. Return whether the bell has rung."""
        poll = select.poll()
        for each in (self._waiting, *others):
            poll.register(each, select.POLLIN)
        return any(number == self._waiting.fileno() for number, _ in poll.poll(seconds * 1000))

    def close(self) -> None:
        """Close the sockets. Nobody may wait any more."""
        self._waiting.close()
        self._ringing.close()


class Session:
    """A connection to an account, logged in, from `with` to its end. TLS is verified against the system's authorities.

    Every method raises MailboxClosed, with a sentence, if the server cannot be reached or does not work with us, and LoginRefused if it
    refuses our login. `fetching` is then the message that was being fetched when the connection broke, if there was one.
    """

    fetching: Message | None = None

    def __init__(self, account: ImapAccount) -> None:
        """Remember the account. Entering the context connects."""
        self._account = account
        self._client: Any = None  # IMAPClient ships no types
        self._complained: set[tuple[str, int]] = set()
        self._refused: set[Message] = set()
        self._put_away_before: dict[str, set[Message]] = {}
        self._counts: dict[tuple[str, int], dict[int, bool]] = {}
        self._looked_at_once = False

    def __enter__(self) -> Self:
        """Connect and log in."""
        with self._sorted_failures():
            self._client = self._dialled()
        try:
            with self._sorted_failures():
                self._log_in()
        except BaseException:
            self._hang_up()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            with suppress(IMAPClientError, OSError):
                self._client.logout()
        self._hang_up()

    def collect(
        self,
        memory: Memory,
        max_bytes: int,
        read_at: datetime | None,
        doubtful: Collection[Message] = (),
        hopeless: Collection[Message] = (),
    ) -> Fetched:
        """Store the new messages of a folder that count, oldest first, then mark and move them; at most a batch.

        Of a message of more than `max_bytes` only the beginning is fetched. A message that the server refuses is logged and left for the
        next time. Some servers break the connection instead, so the `doubtful` come after all others and the `hopeless` are left alone. An
        error of `memory` ends the whole, and everything stored until then stays stored. `read_at` is an instant before the call, to be
        remembered if the folder is read to its end; None if it is not to be remembered. Raises FolderClosed if only the folder is closed.
        """
        with self._sorted_failures():
            folder = memory.folder
            # before the server says where it is, so that nobody can have read further meanwhile
            known = memory.recall()
            selected = self._selected(folder)
            validity = self._validity(folder, selected)
            if self._is_renumbered(folder, known, validity, selected.get(b"UIDNEXT")):
                memory.renumber(validity, self._next_uid(folder, selected))
                known = memory.recall()
            waiting = [Message(folder, validity, uid) for uid in self._waiting(known, (folder, validity))]
            away = self._put_away_before.get(folder, set()) & set(waiting)
            held = [message for message in waiting if message.uid in known.in_hand and message not in away]
            late = {*doubtful, *self._refused}
            sound = [message for message in waiting if message.uid not in known.in_hand and message not in late and message not in hopeless]
            more = len(sound) > BATCH
            # neither what is held nor what was refused may take up the places in a batch again and again
            last = [message for message in waiting if message in late and message not in hopeless and message.uid not in known.in_hand]
            groups = [sound[:BATCH]] if more else [sound, *_batches(held, BATCH), last]
            stored, refused = 0, len(set(waiting) & set(hopeless))
            left = {message.uid for message in waiting if message not in away}
            for messages in groups:
                done = [message.uid for message in messages if message.uid in known.in_hand or self._fetch(memory, message, max_bytes)]
                self._refused |= {message for message in messages if message.uid not in done}
                stored += len(set(done) - set(known.in_hand))
                refused += len(messages) - len(done)
                # only now, since all of them are stored
                put_away = set(done) - set(self._put_away(folder, done))
                left -= put_away
                away |= {message for message in messages if message.uid in put_away}
            self._put_away_before[folder] = away
            beyond = max(known.next_uid, known.sure_uid, *(message.uid + 1 for message in waiting[-1:]))
            memory.advance(validity, min(left, default=beyond), None if more else read_at)
            return Fetched(stored, refused, more)

    def wait(self, folder: str, seconds: float, bell: Bell) -> bool:
        """Wait for mail in the folder that was read last (IDLE, RFC 2177), or for the time to end. Return whether `bell` has rung.

        Without IDLE, only the bell and the time count. `seconds` below 29 minutes keep the server from taking us for dead.
        """
        with self._sorted_failures():
            if not self._account.idle or not self._client.has_capability("IDLE"):
                return bell.wait(seconds)
            # IDLE tells of the selected folder alone
            if len(self._account.folders) > 1:
                self._client.select_folder(folder)
                self._forget_told()
            self._client.idle()
            # never twice in a row: a server that tells with every search would be asked without end
            self._looked_at_once = self._has_told() and not self._looked_at_once
            rang = bell.wait(0 if self._looked_at_once else seconds, self._client.socket())
            self._client.idle_done()
            return rang

    def examine(self) -> Examined:
        """Return the capabilities and the missing folders, and change nothing."""
        with self._sorted_failures():
            missing = tuple(folder for folder in self._account.folders if not self._client.folder_exists(folder))
            return Examined(frozenset(each.decode() for each in self._client.capabilities()), missing)

    def _dialled(self) -> Any:  # noqa: ANN401  # IMAPClient ships no types
        account = self._account
        timeout = SocketTimeout(account.timeout_seconds, account.timeout_seconds)
        context = ssl.create_default_context() if account.security == "tls" else None
        client = IMAPClient(account.host, account.port, ssl=context is not None, ssl_context=context, timeout=timeout)
        connection = client._imap  # noqa: SLF001  # nothing public asks how much is to come
        connection.read = partial(_measured, connection.read)
        return client

    def _log_in(self) -> None:
        account = self._account
        # instants with their zone, not this machine's idea of them
        self._client.normalise_times = False
        if account.security == "starttls":
            self._client.starttls(ssl.create_default_context())
        self._client.login(account.username, account.password)

    def _forget_told(self) -> bool:
        """Forget that the server has told of mail. Return whether it had."""
        told: list[object] = self._client._imap.response("EXISTS")[1]  # noqa: SLF001  # nothing public keeps it
        return told != [None]

    def _has_told(self) -> bool:
        """Return whether the server has told of mail since the folder was searched. It tells once, so nothing would end a wait."""
        if self._forget_told():
            return True
        # It may have told in the packet in which it went ahead. Then that lies in our buffer, and no more is on the way.
        connection, sock = self._client._imap, self._client.socket()  # noqa: SLF001  # see above
        sock.settimeout(0)
        try:
            return bool((getattr(connection, "_file", None) or connection.file).peek(1))  # it has the other name from Python 3.14 on
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        finally:
            sock.settimeout(self._account.timeout_seconds)

    def _hang_up(self) -> None:
        with suppress(IMAPClientError, OSError):
            self._client.shutdown()

    def _selected(self, folder: str) -> dict[bytes, Any]:
        try:
            return dict(self._client.select_folder(folder))
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            why = f"does not open the folder {folder}: {error}" if self._client.folder_exists(folder) else f"has no folder {folder}"
            raise FolderClosed(f"{self._where()} {why}") from error

    @staticmethod
    def _validity(folder: str, selected: dict[bytes, Any]) -> int:
        if b"UIDVALIDITY" not in selected:
            raise MailboxClosed(f"the IMAP server has no lasting numbers for the messages in {folder}, so it cannot be used")
        return int(selected[b"UIDVALIDITY"])

    def _next_uid(self, folder: str, selected: dict[bytes, Any]) -> int:
        # SELECT may leave it out (RFC 3501, section 6.3.1); STATUS does not
        number = selected.get(b"UIDNEXT") or self._client.folder_status(folder, [b"UIDNEXT"])[b"UIDNEXT"]
        return int(number)

    def _is_renumbered(self, folder: str, known: Known, validity: int, next_uid: int | None) -> bool:
        """Return whether our numbers mean other messages than the server's, or none. It is logged if they ever meant the same.

        `next_uid` is what SELECT said, None if it said nothing. STATUS may be behind for a selected folder (RFC 3501, section 6.3.10).
        """
        # a mail store from a backup gives UIDs again that it had given before, though no server may (RFC 3501, section 2.3.1.1)
        goes_back = next_uid is not None and next_uid < max(known.next_uid, known.sure_uid, *(uid + 1 for uid in known.in_hand))
        if known.uidvalidity == validity and not goes_back:
            return False
        if known.uidvalidity == validity:
            _log.warning("%s: %s gives UIDs from %d on again, so it is read anew", self._account.host, folder, next_uid)
        elif known.uidvalidity is not None:
            _log.info("%s: %s has the UIDVALIDITY %d, not %d", self._account.host, folder, validity, known.uidvalidity)
        for remembered in (self._refused, self._put_away_before, self._counts, self._complained):
            remembered.clear()
        return True

    def _waiting(self, known: Known, where: tuple[str, int]) -> list[int]:
        """Return the UIDs that count and are not done, in order. `where` is the folder and its UIDVALIDITY."""
        first = max(known.next_uid, known.sure_uid)
        self._forget_told()
        # a range with * always has the last message in it, however low its number is (RFC 3501, section 6.4.8)
        found = [uid for uid in self._client.search(["UID", f"{first}:*"]) if uid >= first]
        if known.next_uid < known.sure_uid:
            # a day earlier: SINCE knows days only, in a zone of the server's (RFC 3501, section 6.4.4); `_since` looks closely
            lower = ["UID", f"{known.next_uid}:{known.sure_uid - 1}", "SINCE", (known.began_at - _DAY).date()]
            found += self._since(known, self._client.search(lower), self._counts.setdefault(where, {}))
        return sorted(found)

    def _since(self, known: Known, uids: Sequence[int], counts: dict[int, bool]) -> Iterator[int]:
        """Yield the UIDs of messages that came after reading began, to the second, as exactly as INTERNALDATE is.

        Ask for each once a session.
        """
        began = known.began_at.replace(microsecond=0)
        for some in _batches([uid for uid in uids if uid not in counts], MOST_NAMED):
            dates = self._client.fetch(some, [_DATE.decode()])
            counts.update({uid: _DATE in parts and parts[_DATE] >= began for uid, parts in dates.items()})
        return (uid for uid in uids if counts.get(uid))

    def _fetch(self, memory: Memory, message: Message, max_bytes: int) -> bool:
        """Store one message. Return False if it cannot be had. A message that is gone needs no storing."""
        uid = message.uid
        self.fetching = message
        try:
            answer = self._client.fetch([uid], [f"BODY.PEEK[]<0.{max_bytes}>", _DATE.decode()])
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            self.fetching = None
            self._complain(memory.folder, [uid], f"the server does not give it: {error}")
            return False
        self.fetching = None
        if uid not in answer:
            return True
        raw, arrived_at = answer[uid].get(_BODY), answer[uid].get(_DATE)
        if raw is None:
            self._complain(memory.folder, [uid], "the server gives no text of it")
            return False
        try:
            memory.keep(message.uidvalidity, uid, raw[:max_bytes], arrived_at.astimezone(UTC) if arrived_at else None)
        except TurnserverError:
            raise
        except Exception:  # noqa: BLE001  # one mail that trips us must not hold up the others
            _log.exception("%s: message %d of %s stays where it is: it could not be stored", self._account.host, uid, memory.folder)
            return False
        return True

    def _put_away(self, folder: str, uids: Sequence[int]) -> Sequence[int]:
        """Mark messages as read and move them. Return those that have to be tried again."""
        if not uids:
            return ()
        try:
            self._client.add_flags(uids, SEEN, silent=True)
            if self._account.move_to:
                self._move(uids, self._account.move_to)
        except (IMAPClientAbortError, IMAPClientReadOnlyError):
            raise
        except IMAPClientError as error:
            self._complain(folder, uids, f"stored, but not marked and moved: {error}")
            return uids
        return ()

    def _move(self, uids: Sequence[int], to: str) -> None:
        try:
            self._moved(uids, to)
        except IMAPClientError as error:
            # the server says that the folder is missing (RFC 3501, section 7.1)
            if "[TRYCREATE]" not in str(error).upper():
                raise
            self._client.create_folder(to)
            self._moved(uids, to)

    def _moved(self, uids: Sequence[int], to: str) -> None:
        """Move messages by MOVE (RFC 6851), or by its parts. Without UIDPLUS (RFC 4315), deleted messages stay marked as deleted."""
        if self._client.has_capability("MOVE"):
            self._client.move(uids, to)
            return
        self._client.copy(uids, to)
        self._client.add_flags(uids, DELETED, silent=True)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge(uids)

    def _complain(self, folder: str, uids: Iterable[int], what: str) -> None:
        """Log trouble with messages, each once in a session."""
        new = {(folder, uid) for uid in uids} - self._complained
        self._complained |= new
        for _, uid in sorted(new):
            _log.warning("%s: message %d of %s: %s", self._account.host, uid, folder, what)

    def _where(self) -> str:
        return f"the IMAP server {self._account.host} port {self._account.port}"

    @contextmanager
    def _sorted_failures(self) -> Iterator[None]:
        """Turn errors of IMAPClient into one of our two errors, with a sentence."""
        where = self._where()
        try:
            yield
        except LoginError as error:
            # it may also be busy with itself (RFC 5530) or die, which is no fault of the password's
            blameless = isinstance(error.__context__, IMAPClientAbortError) or "[UNAVAILABLE]" in str(error).upper()
            if blameless:
                raise MailboxClosed(f"{where} does not work with us: {_answer(error)}") from error
            raise LoginRefused(f"{where} does not let {self._account.username} in: {_answer(error)}") from error
        except CapabilityError as error:
            raise MailboxClosed(f"{where} cannot do what is needed: {error}") from error
        except IMAPClientError as error:
            raise MailboxClosed(f"{where} does not work with us: {_answer(error)}") from error
        except ssl.SSLCertVerificationError as error:
            raise MailboxClosed(f"{where} cannot be trusted: {error.verify_message}") from error
        except OSError as error:
            raise MailboxClosed(f"{where} cannot be reached: {error.strerror or error}") from error
        except UnicodeError as error:
            # a login that is not ASCII
            raise MailboxClosed(f"{where} cannot be used like this: {error}") from error


def _answer(error: IMAPClientError) -> str:
    # IMAPClient puts an answer of the server as Python writes bytes
    return _BYTES.sub(r"\2", str(error))


def _measured(read: Callable[[int], bytes], size: int) -> bytes:
    if size > MOST_AT_ONCE:
        raise IMAPClientAbortError(f"it announces {size} octets at once")
    return read(size)


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[at : at + size] for at in range(0, len(items), size))
