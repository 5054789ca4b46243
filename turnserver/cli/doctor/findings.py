"""One finding of `turnserver doctor`."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from turnserver.config import variable
from turnserver.mail.outbound.language import one_line
from turnserver.text import capitalised

State: TypeAlias = Literal["ok", "note", "wrong"]

LONGEST_REASON = 300


class Check(msgspec.Struct, frozen=True):
    """One finding about one subject."""

    about: Annotated[
        str,
        Meta(
            description="configuration, database, keys, checkpoints, history, games, clocks, inbox, outbox, players, "
            "outgoing, incoming or files; with --mail also addresses, mails, server, DNS or time; with --upgrade "
            "catalogue, database, events, rules, games and upgrade, which is the verdict"
        ),
    ]
    state: Annotated[State, Meta(description="ok, note or wrong")]
    says: Annotated[str, Meta(description="the finding as a sentence")]
    record: Annotated[str, Meta(description="a DNS record to publish, as a line of a zone file; empty if the finding is about none")] = ""


def check(about: str, state: State, says: str, record: str = "") -> Check:
    """Return a check whose words begin with a capital letter and end with a full stop."""
    says = one_line(says, LONGEST_REASON)
    if "." not in says.partition(" ")[0]:  # a setting or a file is written as it is
        says = capitalised(says)
    return Check(about, state, says if says.endswith((".", "?", "!", "…")) else f"{says}.", record)


def not_tried(about: str, where: str, section: str) -> Check:
    """Return a check of a server that we cannot log in to, since `section` has no password here."""
    why = f"the password is not given here. A service gets it from {section}.password or {variable(section, 'password')}"
    return check(about, "note", f"{where}: not logged in, since {why}")
