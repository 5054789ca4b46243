"""The places where mail waits until this program fetches it: what lies there unread may be a move, so it holds up deadlines."""

from typing import NamedTuple

from turnserver.config import Settings
from turnserver.store.mail import mailboxes
from turnserver.store.mail.mailboxes import MAILDIR


class Folder(NamedTuple):
    """A place with mail: the row that says how far it was read, the row of its reader, and its name for people."""

    account: str
    folder: str
    reader: str
    name: str


def folders(settings: Settings) -> list[Folder]:
    """Return the folders of IMAP accounts and the maildir, if there is one."""
    found = [
        Folder(mailboxes.account_of(name, account.username, account.host), folder, name, f"folder {folder} of imap.{name}")
        for name, account in settings.imap.items()
        for folder in account.folders
    ]
    if maildir := settings.incoming.maildir:
        # a path is no name of a section, so no IMAP account has the same reader
        found.append(Folder(MAILDIR, maildir, maildir, f"maildir {maildir}"))
    return found
