"""A service whose mailbox is on the mail system, and what a test asks of it."""

import uuid
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import make_msgid
from typing import Any

from imapclient import IMAPClient

from tests.jobs.sink import LOOPBACK
from tests.stack.mailsystem import MAILBOX, PASSWORD, MailSystem
from turnserver.config import ImapAccount, Incoming, Settings, Site
from turnserver.mail.transport.imap import Fetched
from turnserver.service import keys
from turnserver.service.mailroom.mailboxes import Postman, postmen
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox, mailboxes
from turnserver.store.mail.inbox import InboxItem
from turnserver.store.mail.mailboxes import Trouble

ACCOUNT = "club"
INBOX, DONE = "INBOX", "Done"
PLAIN: dict[str, Any] = {"host": LOOPBACK, "security": "none"}
"""Most tests have something else to look at than TLS."""


def account(system: MailSystem, user: str, **settings: Any) -> ImapAccount:
    """A user's mailbox as the settings have it; `settings` override."""
    wanted = {"host": "localhost", "security": "tls", "username": user, "password": PASSWORD, **settings}
    wanted.setdefault("port", system.ports["imaps" if wanted["security"] == "tls" else "imap"])
    return ImapAccount(**wanted)


class Reader:
    """A user of the mail system whose mail goes into a database of their own, on a clock that is right until a test turns it."""

    def __init__(self, system: MailSystem, database: Database, *, max_bytes: int = 1_000_000, **settings: Any) -> None:
        """`settings` are those of the account."""
        self.system = system
        self.user = f"u{uuid.uuid4().hex[:10]}"
        self.address = f"{self.user}@{MAILBOX}"
        self.later = timedelta(0)
        self._database = database
        self._max_bytes = max_bytes
        with database.write() as tx:
            keys.ensure(tx, lambda count: b"k" * count)
        self.configure(**settings)

    def configure(self, **settings: Any) -> None:
        """Start anew with another configuration."""
        self.settings = Settings(
            site=Site(address=self.address),
            incoming=Incoming(max_bytes=self._max_bytes),
            imap={ACCOUNT: account(self.system, self.user, **settings)},
        )
        self.service = Service(self._database, self.settings, clock=lambda: datetime.now(UTC) + self.later)
        self.postman = self.another_process()

    def another_process(self) -> Postman:
        """A postman who knows only what is in the store."""
        (postman,) = postmen(self.service)
        return postman

    def fetch(self) -> Fetched:
        """Return what the postman gets at one look."""
        return self.postman.once()

    def mail(self, subject: str, text: str = "help") -> EmailMessage:
        """A mail to this user."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = "ada@example.org", self.address, subject, make_msgid()
        mail.set_content(f"{text}\n")
        return mail

    def put(self, *subjects: str, folder: str = INBOX, ago: timedelta | None = None, flags: tuple[bytes, ...] = ()) -> None:
        """Mails arrive in a folder; some time `ago`, or now."""
        with self.box() as box:
            if not box.folder_exists(folder):
                box.create_folder(folder)
            for subject in subjects:
                box.append(folder, self.mail(subject).as_bytes(), flags, datetime.now(UTC) - ago if ago else None)

    def box(self) -> "Any":
        """The mailbox as the user's mail program sees it."""
        return self.system.mailbox(self.user)

    def lying(self, folder: str = INBOX) -> dict[str, frozenset[bytes]]:
        """Return what lies in a folder: subjects and their flags, less the one that tells whether somebody else has looked."""
        with self.box() as box:
            if not box.folder_exists(folder):
                return {}
            box.select_folder(folder, readonly=True)
            return _listed(box)

    def files(self, folder: str = INBOX) -> int:
        """Return the number of mails in a folder, without asking the server."""
        home = self.system.maildir(self.user) / ("" if folder == INBOX else f".{folder}")
        return sum(path.parent.name in {"new", "cur"} for path in home.glob("*/*"))

    def arrived(self) -> list[InboxItem]:
        """Return what was stored, in the order of storing."""
        with self._database.read() as conn:
            return [inbox.get(conn, mail.id) for mail in reversed(inbox.list_inbox(conn, limit=1_000))]

    def subjects(self) -> list[str]:
        """The subjects of what was stored, less copies."""
        return [_subject(mail.raw) for mail in self.arrived() if mail.copy_of is None]

    def trouble(self) -> Trouble:
        """Return what the store remembers of failures."""
        with self._database.read() as conn:
            return mailboxes.trouble(conn, ACCOUNT)


def _listed(box: IMAPClient) -> dict[str, frozenset[bytes]]:
    found = box.fetch(box.search(), ["FLAGS", "BODY.PEEK[HEADER]"])
    return {_subject(parts[b"BODY[HEADER]"]): frozenset(parts[b"FLAGS"]) - {rb"\Recent"} for parts in found.values()}


def _subject(raw: bytes) -> str:
    return next(line for line in raw.decode().splitlines() if line.startswith("Subject: ")).removeprefix("Subject: ")
