"""Every mail is stored, and none twice, whatever happens between a mailbox and the store, and whenever."""

from collections.abc import Iterator

import pytest

from tests.processes import start
from tests.stack.mailsystem import MailSystem
from tests.stack.reader import DONE, PLAIN, Reader
from tests.stack.wire import Wire
from turnserver.mail.transport.imap import Fetched
from turnserver.service.mailroom.mailboxes import LONGEST_LEFT_ALONE
from turnserver.store.log.database import Database

STEPS = 25
"""At least so many are taken on the way; a test that killed at fewer would have missed something."""

BITE = 97
"""The bytes more that the server may say from one connection to the next; prime, so that cuts fall anywhere."""

ENOUGH = 20_000
"""More than the server says in a whole session."""

STATES = [(stored, lying, done) for stored, lying, done in [(0, 1, 0), (1, 1, 0), (1, 0, 1)]]
"""The number of times that a mail is stored, lies in the inbox and in the other folder: before, between, and after."""


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    database = Database.connect(sqlite_url)
    yield database
    database.close()


@pytest.mark.long
def test_a_mail_is_stored_once_wherever_its_reader_is_killed(mail_system: MailSystem, database: Database, sqlite_url: str) -> None:
    """After it was fetched, before and after it was stored, before it was marked, before it was moved, and at every other step."""
    reader = Reader(mail_system, database, **PLAIN, move_to=DONE)
    reader.fetch()
    reader.put("new")
    seen: list[tuple[int, int, int]] = []
    end = "killed"
    with start("fetch", sqlite_url, str(mail_system.ports["imap"]), reader.user, module="tests.stack.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            end = process.hear()
            seen.append((len(reader.arrived()), reader.files(), reader.files(DONE)))
    assert end == "done"
    assert len(seen) > STEPS
    assert list(dict.fromkeys(seen)) == STATES
    assert reader.lying(DONE) == {"new": frozenset({rb"\Seen"})}


def test_a_server_that_dies_in_the_middle_of_a_word(mail_system: MailSystem, database: Database) -> None:
    """Of a mail that came in half nothing is stored; what was stored is not fetched again."""
    subjects = ["first", "second", "third"]
    with Wire(mail_system.ports["imap"]) as wire:
        reader = Reader(mail_system, database, **PLAIN, port=wire.port, move_to=DONE)
        reader.fetch()
        for subject in subjects:
            reader.put(subject)
        wire.length = 0
        while len(reader.subjects()) < len(subjects):
            wire.length += BITE
            reader.later += LONGEST_LEFT_ALONE
            reader.fetch()
            assert wire.length < ENOUGH
    raw = [mail.raw for mail in reader.arrived()]
    assert sorted(reader.subjects()) == subjects
    assert len(raw) == len(subjects)
    assert all(mail.endswith(b"help\r\n") for mail in raw)
    assert reader.fetch() == Fetched(0, 0)
