"""The doctor's findings about the mailboxes that mail is fetched from."""

from collections.abc import Iterator

from turnserver.cli.doctor.findings import Check, check, not_tried
from turnserver.config import ImapAccount, Settings
from turnserver.errors import MailError
from turnserver.mail.transport.imap import Session


def examine(settings: Settings) -> Iterator[Check]:
    """Log in to every account and look at what its server can do; nothing is changed."""
    return (_mailbox(name, account) for name, account in settings.imap.items())


def _mailbox(name: str, account: ImapAccount) -> Check:
    if not account.password:
        return not_tried("incoming", f"imap.{name}", f"imap.{name}")
    try:
        with Session(account) as session:
            found = session.examine()
    except MailError as error:
        return check("incoming", "wrong", f"imap.{name}: {error}")
    if found.missing:
        return check("incoming", "wrong", f"imap.{name}: there is no folder {' and no '.join(found.missing)}; no deadline is enforced")
    how = "as it comes" if account.idle and "IDLE" in found.capabilities else f"every {account.poll_seconds:g} seconds"
    says = f"imap.{name}: mail is fetched from {account.host} port {account.port}, {how}"
    if account.move_to and not found.capabilities & {"MOVE", "UIDPLUS"}:
        return check("incoming", "note", f"{says}; its server cannot move a mail to {account.move_to}, only copy it and mark it as deleted")
    return check("incoming", "ok", says)
