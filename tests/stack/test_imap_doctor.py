"""`doctor` on mailboxes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.stack.mailsystem import BARE, PLUS, MailSystem
from tests.stack.reader import DONE, PLAIN, Reader
from turnserver.cli.doctor import mailboxes as mailboxcheck
from turnserver.store.log.database import Database


class Case(NamedTuple):
    """An account, and what is found out about it."""

    settings: dict[str, Any]
    state: str
    says: str


CASES = {
    "TLS": Case({}, "ok", "imap.club: mail is fetched from localhost port {imaps}, as it comes."),
    "STARTTLS": Case({"security": "starttls"}, "ok", "imap.club: mail is fetched from localhost port {imap}, as it comes."),
    "moves": Case({**PLAIN, "move_to": DONE}, "ok", "as it comes."),
    "not to be told": Case({**PLAIN, "idle": False, "poll_seconds": 30}, "ok", "every 30 seconds."),
    "cannot tell": Case({**PLAIN, "host": PLUS, "move_to": DONE}, "ok", "every 60 seconds."),
    "cannot move": Case({**PLAIN, "host": BARE, "move_to": DONE}, "note", "only copy it and mark it as deleted."),
    "wrong password": Case({**PLAIN, "password": "geheim"}, "wrong", "Authentication failed."),
    "no such folder": Case(
        {**PLAIN, "folders": ("INBOX", "Müll & Spam")}, "wrong", "imap.club: there is no folder Müll & Spam; no deadline"
    ),
}


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    database = Database.connect(sqlite_url)
    yield database
    database.close()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_account_is_looked_at(mail_system: MailSystem, database: Database, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a trace in the mailbox."""
    monkeypatch.setenv("SSL_CERT_FILE", str(mail_system.authority))
    reader = Reader(mail_system, database, **case.settings)
    (found,) = mailboxcheck.examine(reader.settings)
    assert (found.about, found.state) == ("incoming", case.state), found.says
    assert case.says.format_map(mail_system.ports) in found.says
    with reader.box() as box:
        assert not box.folder_exists(DONE)
