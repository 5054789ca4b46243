"""The readers of a running process: they hear of new mail, come back when the connection breaks, take over from others, and stop."""

from collections.abc import Iterator
from threading import Condition, Thread
from time import monotonic
from typing import Any, Self

import pytest

from tests.jobs.sink import PATIENCE_SECONDS
from tests.stack.mailsystem import BARE, MailSystem
from tests.stack.reader import PLAIN, Reader
from tests.stack.wire import Wire
from turnserver.mail.transport.imap import Bell, Fetched
from turnserver.service.mailroom.mailboxes import Postman
from turnserver.store.log.database import Database

SOON = 2.0
"""Seconds within which a server that knows IDLE tells of new mail."""

HARDLY_EVER, OFTEN = 1_000.0, 0.2


class Watching:
    """A postman at work from `with` to its end, who counts what came."""

    def __init__(self, postman: Postman) -> None:
        self.looks = self.stored = 0
        self._came = Condition()
        self._bell = Bell()
        self._thread = Thread(target=postman.run, args=(self._bell, self._note), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._bell.close()

    def stop(self) -> None:
        """End it before its time."""
        self._bell.ring()
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive()

    def wait(self, *, stored: int = 0, looks: int = 1) -> float:
        """Wait until so much has come in so many looks; how many seconds that took."""
        began = monotonic()
        with self._came:
            assert self._came.wait_for(lambda: self.stored >= stored and self.looks >= looks, PATIENCE_SECONDS)
        return monotonic() - began

    def _note(self, fetched: Fetched) -> None:
        with self._came:
            self.looks += 1
            self.stored += fetched.stored
            self._came.notify_all()


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    database = Database.connect(sqlite_url)
    yield database
    database.close()


def test_a_server_with_idle_tells_of_new_mail_at_once(mail_system: MailSystem, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Again and again over one connection; and the process stops at once though it would wait for long."""
    monkeypatch.setenv("SSL_CERT_FILE", str(mail_system.authority))
    reader = Reader(mail_system, database, poll_seconds=HARDLY_EVER)
    with Watching(reader.postman) as watching:
        watching.wait()
        for number in range(1, 4):
            reader.put(f"mail {number}")
            assert watching.wait(stored=number) < SOON
        began = monotonic()
    assert monotonic() - began < SOON


@pytest.mark.parametrize("settings", [{"idle": False}, {"host": BARE}], ids=["not wanted", "not offered"])
def test_without_idle_the_folders_are_looked_into_often(mail_system: MailSystem, database: Database, settings: dict[str, Any]) -> None:
    reader = Reader(mail_system, database, **{**PLAIN, **settings}, poll_seconds=OFTEN, folders=("INBOX", "Spam"))
    reader.put(folder="Spam")
    with Watching(reader.postman) as watching:
        watching.wait()
        reader.put("new")
        reader.put("spam", folder="Spam")
        watching.wait(stored=2)


def test_idle_is_renewed_and_all_folders_are_looked_into(mail_system: MailSystem, database: Database) -> None:
    """The server tells of the first folder only."""
    reader = Reader(mail_system, database, **PLAIN, poll_seconds=OFTEN, folders=("INBOX", "Spam"))
    reader.put(folder="Spam")
    with Watching(reader.postman) as watching:
        watching.wait()
        reader.put("spam", folder="Spam")
        watching.wait(stored=1, looks=5)


@pytest.mark.long
def test_a_connection_that_breaks_is_made_again(mail_system: MailSystem, database: Database) -> None:
    """Nobody is told of the mail that comes in between, so it is looked for."""
    with Wire(mail_system.ports["imap"]) as wire:
        reader = Reader(mail_system, database, **PLAIN, port=wire.port, poll_seconds=SOON)
        with Watching(reader.postman) as watching:
            watching.wait()
            wire.cut()
            reader.put("new")
            watching.wait(stored=1)
        assert wire.connections == 2


def test_of_two_processes_one_reads_and_the_other_takes_over(mail_system: MailSystem, database: Database) -> None:
    """The first one lets go as it stops, so that nobody has to wait until it would have been missed."""
    reader = Reader(mail_system, database, **PLAIN, poll_seconds=OFTEN)
    with Watching(reader.another_process()) as second:
        second.wait()
        with Watching(reader.postman) as first:
            reader.put("one")
            second.wait(stored=1)
            assert first.looks == 0
            second.stop()
            reader.put("two")
            first.wait(stored=1)
    assert reader.subjects() == ["one", "two"]
