"""What asked for an event: which mail, which command line, which job; as far as it is still kept."""

from typing import NamedTuple

from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox
from turnserver.store.mail.inbox import InboxSummary

MAIL = "mail"

_KINDS = {
    MAIL: "a mail",
    "cli": "a command",
    "job": "a job",
    "web": "the page to unsubscribe",
}


class Because(NamedTuple):
    """What asked for an event.

    `kind` is what the cause begins with, such as `mail`; `key` names the mail, the invocation or the job; `told` is that in words. `mail`
    is the row of the mail; None for one that is not kept any more, and for what was no mail.
    """

    kind: str
    key: str
    told: str
    mail: InboxSummary | None = None


def because(conn: Transaction, cause: str) -> Because:
    """What a cause stands for."""
    kind, _, key = cause.partition(":")
    what = _KINDS.get(kind, kind)
    if kind != MAIL:
        name = key.partition(":")[0] if kind == "job" else key[:8]
        return Because(kind, key, f"{what}, {name}" if name else what)
    identity = key.partition(":")[0]
    mail = inbox.by_identity(conn, identity)
    told = _mail_told(mail) if mail else f"a mail that is not kept, {identity[:8]}"
    return Because(kind, identity, told, mail)


def _mail_told(mail: InboxSummary) -> str:
    """`mail 12 from ada@example.org`; of one that was erased, the number."""
    return f"mail {mail.id} from {mail.sender}" if mail.sender else f"mail {mail.id}"
