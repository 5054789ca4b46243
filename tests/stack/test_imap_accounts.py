"""Reading mailboxes of a real IMAP server: what is taken, what is left alone, and what is made of a server that says no."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.jobs.sink import free_port
from tests.stack.mailsystem import BARE, PLUS, MailSystem
from tests.stack.reader import ACCOUNT, DONE, INBOX, PLAIN, Reader
from turnserver.mail.transport.imap import BATCH, Fetched
from turnserver.service.mailroom.mailboxes import GRACE, LEFT_ALONE, LOGIN_WAIT
from turnserver.store.log.database import Database

HOUR = timedelta(hours=1)
READ = frozenset({rb"\Seen"})
GONE = READ | {rb"\Deleted"}
NOTHING = Fetched(0, 0)


@pytest.fixture
def trusted(mail_system: MailSystem, monkeypatch: pytest.MonkeyPatch) -> MailSystem:
    """The mail system, whose authority we trust."""
    monkeypatch.setenv("SSL_CERT_FILE", str(mail_system.authority))
    return mail_system


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    """One engine is enough here: `tests/store` has both."""
    database = Database.connect(sqlite_url)
    yield database
    database.close()


class Way(NamedTuple):
    """A kind of account, and where a mail is once it is stored."""

    settings: dict[str, Any]
    inbox: dict[str, frozenset[bytes]]
    done: dict[str, frozenset[bytes]]


WAYS = {
    "TLS, marked": Way({"security": "tls"}, {"new": READ}, {}),
    "TLS, moved": Way({"security": "tls", "move_to": DONE}, {}, {"new": READ}),
    "STARTTLS, moved": Way({"security": "starttls", "move_to": DONE}, {}, {"new": READ}),
    "without TLS and IDLE": Way({**PLAIN, "idle": False, "move_to": DONE}, {}, {"new": READ}),
    "without MOVE": Way({**PLAIN, "host": PLUS, "move_to": DONE}, {}, {"new": READ}),
    "without MOVE and UIDPLUS": Way({**PLAIN, "host": BARE, "move_to": DONE}, {"new": GONE}, {"new": READ}),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_mail_is_stored_once_then_marked_and_moved(trusted: MailSystem, database: Database, way: Way) -> None:
    reader = Reader(trusted, database, **way.settings)
    assert reader.fetch() == NOTHING
    reader.put("new")
    assert reader.fetch() == Fetched(1, 0)
    assert reader.fetch() == NOTHING
    assert reader.subjects() == ["new"]
    assert (reader.lying(), reader.lying(DONE)) == (way.inbox, way.done)


class Refusal(NamedTuple):
    """A mistake, and the sentence that says so."""

    settings: dict[str, Any]
    says: str


REFUSALS = {
    "another name": Refusal({"host": PLUS}, "cannot be trusted: IP address mismatch"),
    "another name after STARTTLS": Refusal({"host": PLUS, "security": "starttls"}, "cannot be trusted: IP address mismatch|STARTTLS"),
    "TLS where there is none": Refusal({"port": "imap"}, "cannot be reached: .*wrong version number"),
    "nobody there": Refusal({"port": "closed"}, "cannot be reached: Connection refused"),
    "wrong password": Refusal({"password": "geheim"}, r"does not let u[0-9a-f]+ in: \[AUTHENTICATIONFAILED\] Authentication failed"),
    "password of no server": Refusal({"password": "gehäm"}, "cannot be used like this"),
    "no such folder": Refusal({"folders": ("Müll & Spam", "INBOX")}, "has no folder Müll & Spam"),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_what_is_wrong_is_a_sentence(trusted: MailSystem, database: Database, refusal: Refusal, caplog: pytest.LogCaptureFixture) -> None:
    ports = {"imap": trusted.ports["imap"], "closed": free_port()}
    settings = {**refusal.settings, **({"port": ports[refusal.settings["port"]]} if "port" in refusal.settings else {})}
    reader = Reader(trusted, database, **settings)
    assert reader.fetch() == NOTHING
    (said,) = (record.getMessage() for record in caplog.records if record.levelname == "ERROR")
    assert re.search(refusal.says, said), said
    assert said.startswith(f"imap.{ACCOUNT}: the IMAP server ")
    assert "gehäm" not in said
    assert reader.trouble().failures == 1


def test_a_folder_that_is_missing_keeps_no_other_from_being_read(
    mail_system: MailSystem, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """It is named each hour, and read when it is there."""
    missing = "Müll & Spam"
    reader = Reader(mail_system, database, **PLAIN, folders=(INBOX, missing))
    reader.fetch()
    reader.put("new")
    assert reader.fetch() == Fetched(1, 0)
    assert reader.trouble().failures == 0
    reader.later += HOUR
    reader.fetch()
    first, again = (record.getMessage() for record in caplog.records)
    assert f"has no folder {missing};" in first
    assert again == first
    reader.put("spam", folder=missing)
    assert reader.fetch() == Fetched(1, 0)


def test_a_first_folder_that_is_missing_keeps_no_other_from_being_read(mail_system: MailSystem, database: Database) -> None:
    reader = Reader(mail_system, database, **PLAIN, folders=("Nowhere", INBOX))
    reader.fetch()
    reader.put("new")
    reader.later += HOUR
    assert reader.fetch() == Fetched(1, 0)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_an_authority_that_nobody_knows_is_not_trusted(
    mail_system: MailSystem, database: Database, security: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(mail_system.another_authority))
    reader = Reader(mail_system, database, security=security)
    assert reader.fetch() == NOTHING
    assert re.search(r"cannot be trusted: .*certificate", caplog.text)


@pytest.mark.long
def test_who_refuses_our_login_is_left_alone_for_longer_each_time(mail_system: MailSystem, database: Database) -> None:
    reader = Reader(mail_system, database, **PLAIN, password="geheim")  # noqa: S106  # a wrong one
    waits = []
    for failures in range(1, 8):
        reader.fetch()
        reader.fetch()  # too early, so it is not even tried
        trouble = reader.trouble()
        assert trouble.failures == failures
        assert trouble.retry_at is not None
        waits.append(trouble.retry_at - reader.service.clock())
        reader.later += waits[-1]
    assert [round(wait / LOGIN_WAIT) for wait in waits] == [1, 2, 4, 8, 16, 30, 30]
    reader.configure(**PLAIN)
    reader.put("new")
    assert reader.fetch() == Fetched(1, 0)
    assert reader.trouble() == (0, None)


def test_what_lay_there_before_is_left_alone(mail_system: MailSystem, database: Database) -> None:
    """It is left alone whether or not somebody has read it. What comes later counts, even if its owner has read it, or sorts it in late."""
    reader = Reader(mail_system, database, **PLAIN)
    reader.put("old", "older", ago=HOUR)
    assert reader.fetch() == NOTHING
    reader.put("read by its owner", flags=(rb"\Seen",))
    reader.put("was spam", ago=2 * HOUR)
    assert reader.fetch() == Fetched(2, 0)
    assert reader.lying() == {"old": frozenset(), "older": frozenset(), "read by its owner": READ, "was spam": READ}
    assert sorted(reader.subjects()) == ["read by its owner", "was spam"]


def test_watching_begins_with_the_first_try(mail_system: MailSystem, database: Database) -> None:
    """A server that is down when we are set up costs nobody a mail."""
    reader = Reader(mail_system, database, **PLAIN, port=free_port())
    reader.put("old", ago=HOUR)
    assert reader.fetch() == NOTHING
    reader.put("new")
    reader.configure(**PLAIN)
    reader.later = HOUR
    assert reader.fetch() == Fetched(1, 0)
    assert reader.subjects() == ["new"]


def test_a_mail_arrives_when_the_server_gets_it(mail_system: MailSystem, database: Database) -> None:
    """However late it is fetched, and never in the future."""
    reader = Reader(mail_system, database, **PLAIN)
    reader.fetch()
    reader.put("late", ago=HOUR)
    reader.put("early", ago=-HOUR)
    reader.fetch()
    late, early = (mail.received_at - reader.service.clock() for mail in reader.arrived())
    assert abs(late + HOUR) < timedelta(minutes=1)
    assert -timedelta(minutes=1) < early < timedelta(0)


def test_of_a_large_mail_the_beginning_is_fetched(mail_system: MailSystem, database: Database) -> None:
    reader = Reader(mail_system, database, max_bytes=10_000, **PLAIN, move_to=DONE)
    reader.fetch()
    with reader.box() as box:
        box.append(INBOX, reader.mail("large", "x" * 70 + "\n" + "help\n" * 20_000).as_bytes())
    reader.put("small")
    assert reader.fetch() == Fetched(2, 0)
    assert [(mail.raw[:5], len(mail.raw) == 10_000) for mail in reader.arrived()] == [(b"From:", True), (b"From:", False)]
    assert set(reader.lying(DONE)) == {"large", "small"}


def test_several_folders_and_more_mails_than_fit_in_a_batch(mail_system: MailSystem, database: Database) -> None:
    reader = Reader(mail_system, database, **PLAIN, folders=("INBOX", "Spam"), move_to=DONE)
    reader.put(folder="Spam")
    reader.fetch()
    many = [f"mail {number}" for number in range(BATCH + 10)]
    with reader.box() as box:
        box.multiappend(INBOX, [reader.mail(subject).as_bytes() for subject in many])
    reader.put("not spam", folder="Spam")
    assert reader.fetch() == Fetched(len(many) + 1, 0)
    assert reader.subjects() == [*many, "not spam"]
    assert (reader.lying(), reader.lying("Spam")) == ({}, {})
    assert len(reader.lying(DONE)) == len(many) + 1


@pytest.mark.parametrize("move_to", ["", DONE])
def test_a_new_uidvalidity_costs_nothing_and_repeats_nothing(mail_system: MailSystem, database: Database, move_to: str) -> None:
    """Older mail is still left alone, what was stored is known again as a copy, what came in between is stored."""
    reader = Reader(mail_system, database, **PLAIN, move_to=move_to)
    reader.put("old", ago=HOUR)
    reader.fetch()
    reader.put("first")
    reader.fetch()
    reader.put("second")
    mail_system.doveadm("mailbox", "update", "-u", reader.user, "--uid-validity", "4294967295", INBOX)
    assert reader.fetch().stored == (1 if move_to else 2)
    assert reader.fetch() == NOTHING
    assert reader.subjects() == ["first", "second"]
    reader.put("third")
    assert reader.fetch() == Fetched(1, 0)
    assert set(reader.lying()) == ({"old"} if move_to else {"old", "first", "second", "third"})


def test_what_lay_in_another_account_before_it_took_the_place_is_left_alone(mail_system: MailSystem, database: Database) -> None:
    """Though its folder has the same UIDVALIDITY. What came to either meanwhile is read, whichever of them that was."""
    reader = Reader(mail_system, database, **PLAIN)
    reader.put("ours", ago=HOUR)
    reader.fetch()
    ours, reader.user = reader.user, f"{reader.user}other"
    reader.put("old", "older", "oldest", ago=HOUR)
    for user in (ours, reader.user):
        mail_system.doveadm("mailbox", "update", "-u", user, "--uid-validity", "4294967295", INBOX)
    reader.configure(**PLAIN)
    assert reader.fetch() == NOTHING
    reader.put("new")
    assert reader.fetch() == Fetched(1, 0)
    reader.user = ours
    reader.put("in between")
    reader.configure(**PLAIN)
    reader.fetch()
    assert reader.subjects() == ["new", "in between"]


@pytest.mark.parametrize("move_to", ["", DONE])
def test_a_mail_store_from_a_backup_costs_nothing_and_repeats_nothing(mail_system: MailSystem, database: Database, move_to: str) -> None:
    """It gives numbers again that it had given to mails which are lost. What was stored, and comes back with it, is known again."""
    reader = Reader(mail_system, database, **PLAIN, move_to=move_to)
    reader.put("old", ago=HOUR)
    reader.fetch()
    reader.put("kept")
    home, backup = mail_system.maildir(reader.user), mail_system.directory / f"{reader.user}.backup"
    _copy(home, backup)
    reader.put("lost", "lost too")
    reader.fetch()
    shutil.rmtree(home)
    _copy(backup, home)
    reader.put("new")
    reader.fetch()
    assert reader.fetch() == NOTHING
    reader.put("newer")
    assert reader.fetch() == Fetched(1, 0)
    assert reader.subjects() == ["kept", "lost", "lost too", "new", "newer"]
    assert set(reader.lying()) == {"old"} | (set() if move_to else {"kept", "new", "newer"})


@pytest.mark.parametrize("move_to", ["", DONE])
def test_a_mail_that_the_server_cannot_give_holds_up_no_other(mail_system: MailSystem, database: Database, move_to: str) -> None:
    """And those are not fetched again, though they lie behind it."""
    reader = Reader(mail_system, database, **PLAIN, move_to=move_to)
    reader.fetch()
    reader.put("broken", "sound")
    home = reader.system.maildir(reader.user)
    (broken,) = (path for path in home.glob("new/*") if b"Subject: broken" in path.read_bytes())
    broken.chmod(0)
    assert reader.fetch() == Fetched(1, 1)
    assert reader.subjects() == ["sound"]
    assert reader.fetch() == Fetched(0, 1)
    next(home.glob(f"cur/{broken.name}*")).chmod(0o600)
    reader.later += LEFT_ALONE
    assert reader.fetch() == Fetched(1, 0)
    assert set(reader.lying(move_to or INBOX)) == {"broken", "sound"}


def _copy(directory: Path, to: Path) -> None:
    """With owners and times, as a backup does."""
    subprocess.run(["/bin/cp", "-a", str(directory), str(to)], check=True)


def test_one_process_reads_an_account(mail_system: MailSystem, database: Database) -> None:
    """Another one takes over when the first has been silent for too long."""
    reader = Reader(mail_system, database, **PLAIN)
    reader.fetch()
    first, second = reader.postman, reader.another_process()
    assert first._hold()
    reader.put("new")
    assert second.once() == NOTHING
    assert reader.subjects() == []
    reader.later += GRACE + timedelta(minutes=1)
    assert second.once() == Fetched(1, 0)
    assert first.once() == NOTHING
    assert reader.subjects() == ["new"]
