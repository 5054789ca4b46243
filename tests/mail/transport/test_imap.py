"""Folders that are large, and servers that will not give everything: what is read of them, and how often they are asked."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from socket import socket
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from imapclient.exceptions import IMAPClientError

from turnserver.config import ImapAccount
from turnserver.errors import MailboxClosed
from turnserver.mail.transport.imap import BATCH, Bell, Fetched, Known, Message, Session

BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = BEGAN + timedelta(days=9)
LONGEST_LINE = 65_536
"""The length of a command that Dovecot takes by default."""

ENOUGH = 100
"""More looks than any of these folders needs."""


class Server:
    """Has messages with the UIDs from 1 on in its one folder, all of which came after BEGAN, and will not give those that it refuses."""

    def __init__(self, count: int, refused: Collection[int] = ()) -> None:
        self.lying = list(range(1, count + 1))
        self.refused = refused
        self.next_uid = 1_000_000
        self.text = b"Subject: one\r\n\r\n"
        self.dates_told = 0
        self.marked: list[int] = []
        self._imap = SimpleNamespace(response=lambda code: (code, [None]))

    def login(self, *_: str) -> None:
        """Let anybody in."""

    def logout(self) -> None:
        """Nothing to do."""

    def shutdown(self) -> None:
        """Nothing to do."""

    def has_capability(self, name: str) -> bool:
        return name == "MOVE"

    def select_folder(self, _folder: str) -> dict[bytes, int]:
        return {b"UIDVALIDITY": 7} | ({b"UIDNEXT": self.next_uid} if self.next_uid else {})

    def folder_status(self, _folder: str, _what: Sequence[bytes]) -> dict[bytes, int]:
        """Be behind, as a server may be about the folder that is open."""
        return {b"UIDNEXT": 5}

    def search(self, criteria: Sequence[Any]) -> list[int]:
        first, _, last = criteria[1].partition(":")
        return [uid for uid in self.lying if int(first) <= uid and (last == "*" or uid <= int(last))]

    def fetch(self, uids: Sequence[int], items: Sequence[str]) -> dict[int, dict[bytes, object]]:
        self._understand(uids)
        if not set(self.refused).isdisjoint(uids) and len(items) > 1:
            raise IMAPClientError("NO [SERVERBUG] Internal error")
        self.dates_told += len(uids) if len(items) == 1 else 0
        return {uid: {b"BODY[]<0>": self.text, b"INTERNALDATE": LATER} for uid in uids}

    def add_flags(self, uids: Sequence[int], *_: object, **_named: object) -> None:
        self._understand(uids)
        self.marked += uids

    def move(self, uids: Sequence[int], _to: str) -> None:
        self._understand(uids)
        self.lying = [uid for uid in self.lying if uid not in uids]

    @staticmethod
    def _understand(uids: Iterable[int]) -> None:
        if len(",".join(map(str, uids))) > LONGEST_LINE:
            raise IMAPClientError("BAD Too long argument")


class Memory:
    """Remembers a folder as the store does."""

    folder = "INBOX"

    def __init__(self, uidvalidity: int = 7) -> None:
        self.known = Known(BEGAN, uidvalidity, 1, 1, frozenset())
        self.kept: list[int] = []
        self.sizes: set[int] = set()
        self.read_at: datetime | None = None

    def recall(self) -> Known:
        return self.known

    def renumber(self, uidvalidity: int, sure_uid: int) -> None:
        self.known = Known(BEGAN, uidvalidity, 1, sure_uid, frozenset())

    def keep(self, _uidvalidity: int, uid: int, raw: bytes, _arrived_at: datetime | None) -> None:
        self.kept.append(uid)
        self.sizes.add(len(raw))
        self.known = self.known._replace(in_hand={*self.known.in_hand, uid})

    def advance(self, _uidvalidity: int, next_uid: int, read_at: datetime | None) -> None:
        self.known = self.known._replace(next_uid=next_uid, in_hand={uid for uid in self.known.in_hand if uid >= next_uid})
        self.read_at = read_at or self.read_at


def read_to_the_end(monkeypatch: pytest.MonkeyPatch, server: Server, memory: Memory, move_to: str = "") -> Fetched:
    """Look as long as there is more, as the postman does."""
    monkeypatch.setattr(Session, "_dialled", lambda _: server)
    with Session(ImapAccount("imap.example.org", "turns", "open", move_to=move_to)) as session:
        for _ in range(ENOUGH):
            fetched = session.collect(memory, 1_000, LATER)
            if not fetched.more and not fetched.stored:
                return fetched
    raise AssertionError("there is no end")


@pytest.mark.parametrize("refused", [range(1, 2), range(1, 2 * BATCH), range(3, 3 * BATCH, 2)], ids=["one", "many", "every other"])
@pytest.mark.parametrize("move_to", ["", "Done"], ids=["left", "moved"])
def test_what_is_refused_holds_up_no_other(monkeypatch: pytest.MonkeyPatch, refused: range, move_to: str) -> None:
    """However many are refused and wherever they lie, all others are stored, each once, and the folder has been read to its end."""
    server, memory = Server(4 * BATCH, refused), Memory()
    fetched = read_to_the_end(monkeypatch, server, memory, move_to)
    assert fetched == Fetched(0, len(refused))
    assert memory.kept == [uid for uid in range(1, 4 * BATCH + 1) if uid not in refused]
    assert memory.read_at == LATER
    assert memory.known.next_uid == refused.start
    assert sorted(server.marked) == memory.kept  # each once, so that whoever marks one as unread finds it so


class Choosy(Memory):
    """Trips over some messages, which nobody foresaw."""

    def __init__(self, tripped_over: Collection[int]) -> None:
        super().__init__()
        self.tripped_over = tripped_over

    def keep(self, uidvalidity: int, uid: int, raw: bytes, arrived_at: datetime | None) -> None:
        if uid in self.tripped_over:
            raise ValueError(uid)
        super().keep(uidvalidity, uid, raw, arrived_at)


@pytest.mark.parametrize("tripped_over", [range(1, 2), range(3, 3 * BATCH, 2)], ids=["one", "every other"])
def test_what_cannot_be_stored_is_neither_marked_nor_moved(monkeypatch: pytest.MonkeyPatch, tripped_over: range) -> None:
    """It lies there for the next look, and all others are stored, each once."""
    server, memory = Server(4 * BATCH), Choosy(tripped_over)
    assert read_to_the_end(monkeypatch, server, memory, "Done") == Fetched(0, len(tripped_over))
    assert memory.kept == sorted(server.marked) == [uid for uid in range(1, 4 * BATCH + 1) if uid not in tripped_over]
    assert server.lying == list(tripped_over)
    assert memory.known.next_uid == tripped_over.start


def test_a_folder_is_read_to_its_end_when_nothing_more_lies_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after a batch: what still lies there may be older than a deadline that falls meanwhile."""
    server, memory = Server(2 * BATCH), Memory()
    monkeypatch.setattr(Session, "_dialled", lambda _: server)
    with Session(ImapAccount("imap.example.org", "turns", "open")) as session:
        assert session.collect(memory, 1_000, LATER) == Fetched(BATCH, 0, more=True)
        assert memory.read_at is None
        assert session.collect(memory, 1_000, LATER) == Fetched(BATCH, 0)
    assert memory.read_at == LATER


def test_a_server_that_does_not_say_which_number_is_next_gives_none_again(monkeypatch: pytest.MonkeyPatch) -> None:
    server, memory = Server(4), Memory()
    server.next_uid = 0
    memory.known = Known(BEGAN, 7, 9, 1, ())
    read_to_the_end(monkeypatch, server, memory)
    assert (memory.kept, memory.known) == ([], Known(BEGAN, 7, 9, 1, set()))


@pytest.mark.parametrize("known", [(9, 1, ()), (1, 9, ()), (1, 1, (2, 8))], ids=["done", "lay there", "in hand"])
def test_a_server_that_gives_numbers_again_is_read_anew(monkeypatch: pytest.MonkeyPatch, known: tuple[int, int, tuple[int, ...]]) -> None:
    """Whatever it is that we have seen of them."""
    server, memory = Server(4), Memory()
    server.next_uid = 5
    memory.known = Known(BEGAN, 7, *known)
    read_to_the_end(monkeypatch, server, memory)
    assert memory.kept == [1, 2, 3, 4]
    assert memory.known == Known(BEGAN, 7, 5, 5, set())


class Western(Server):
    """Has messages that came in the minute after BEGAN, and the clock of a place where that was the day before (RFC 3501, 6.4.4)."""

    def search(self, criteria: Sequence[Any]) -> list[int]:
        days = [criteria[at + 1] for at, word in enumerate(criteria) if word == "SINCE"]
        return super().search(criteria) if all(day <= BEGAN.date() - timedelta(days=1) for day in days) else []


def test_the_day_may_be_another_one_where_the_server_is(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(uidvalidity=6)
    read_to_the_end(monkeypatch, Western(3), memory)
    assert memory.kept == [1, 2, 3]


def test_a_large_folder_that_was_renumbered_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server understands every command, and tells of each message once when it came."""
    count = 15_000
    server, memory = Server(count), Memory(uidvalidity=6)
    monkeypatch.setattr(Session, "_dialled", lambda _: server)
    with Session(ImapAccount("imap.example.org", "turns", "open")) as session:
        fetched = [session.collect(memory, 1_000, LATER) for _ in range(3)]
    assert fetched == [Fetched(BATCH, 0, more=True)] * 3
    assert memory.kept == list(range(1, 3 * BATCH + 1))
    assert server.dates_told == count


def test_a_server_that_gives_more_than_it_was_asked_for_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    server, memory = Server(1), Memory()
    server.text *= 1_000
    read_to_the_end(monkeypatch, server, memory)
    assert memory.sizes == {1_000}


class Boaster(StreamRequestHandler):
    """A server that speaks as in RFC 3501, and announces more than anybody has room for."""

    def handle(self) -> None:
        self.wfile.write(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
        for line in self.rfile:
            tag, *command = line.upper().split()
            word = command[1] if command[0] == b"UID" else command[0]
            if word == b"FETCH":
                self.wfile.write(b"* 1 FETCH (UID 1 BODY[]<0> {5000000000}\r\n")
                continue
            said = {
                b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
                b"SELECT": b"* OK [UIDVALIDITY 7] so\r\n* OK [UIDNEXT 2] so\r\n",
                b"SEARCH": b"* SEARCH 1\r\n",
            }
            self.wfile.write(said.get(word, b"") + tag + b" OK done\r\n")


def test_nothing_is_made_room_for_that_is_too_large() -> None:
    """The message is known then, so that it can be left to the end the next time."""
    with ThreadingTCPServer(("127.0.0.1", 0), Boaster) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        account = ImapAccount("127.0.0.1", "turns", "open", port=server.server_address[1], security="none")
        session = Session(account)
        with pytest.raises(MailboxClosed, match="announces 5000000000 octets"), session:
            session.collect(Memory(), 1_000, LATER)
        assert session.fetching == Message("INBOX", 7, 1)
        server.shutdown()


class Teller(StreamRequestHandler):
    """A server that tells of new mail at a moment at which nobody waits for it."""

    tells_with: bytes

    def handle(self) -> None:
        self.wfile.write(b"* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n")
        for line in self.rfile:
            tag, *command = line.upper().split()
            word = command[1] if command[0] == b"UID" else command[0]
            said = {
                b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE\r\n",
                b"SELECT": b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] so\r\n* OK [UIDNEXT 1] so\r\n",
                b"SEARCH": b"* SEARCH\r\n",
                b"IDLE": b"+ idling\r\n",
            }
            self.wfile.write(said.get(word, b"") + (b"* 1 EXISTS\r\n" if word == self.tells_with else b""))
            if word == b"IDLE":
                self.rfile.readline()
            self.wfile.write(tag + b" OK done\r\n")


class Stopwatch(Bell):
    """A bell that remembers for how long somebody would have waited for it, and lets nobody wait."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[float] = []

    def wait(self, seconds: float, *others: socket) -> bool:
        self.asked.append(seconds)
        return super().wait(0, *others)


@pytest.mark.parametrize("moment", [b"SEARCH", b"IDLE"], ids=["as it ends the search", "as it begins to idle"])
def test_what_a_server_tells_too_early_is_looked_at_at_once(monkeypatch: pytest.MonkeyPatch, moment: bytes) -> None:
    """But not without end: this one tells each time."""
    monkeypatch.setattr(Teller, "tells_with", moment, raising=False)
    with ThreadingTCPServer(("127.0.0.1", 0), Teller) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        bell = Stopwatch()
        with Session(ImapAccount("127.0.0.1", "turns", "open", port=server.server_address[1], security="none")) as session:
            for _ in range(3):
                session.collect(Memory(), 1_000, LATER)
                session.wait("INBOX", 3_600, bell)
        assert bell.asked == [0, 3_600, 0]
        bell.close()
        server.shutdown()
