"""How a mail is handed over, whichever way it came."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from turnserver.mail.automatic import same_box
from turnserver.mail.mime import addresses, parse

Deliver: TypeAlias = Callable[[str, str | None, bytes], None]
"""Takes recipient, envelope sender and the raw mail, and returns once the mail is stored for good; raises if it is not.

The sender is empty for the null sender and None if nobody knows.
"""


class Envelope(NamedTuple):
    """Recipient and sender of a mail that came without an envelope, see `Deliver`."""

    recipient: str
    sender: str | None


def envelope(raw: bytes, own_address: str) -> Envelope:
    """What the headers tell of the envelope: the most certain recipient that is ours, else our plain address; and the return path."""
    headers = parse(raw).headers
    named = addresses(value for name in ("delivered-to", "x-original-to", "to", "cc") for value in headers.every(name))
    recipient = next((address for address in named if same_box(address, own_address)), own_address)
    path = headers.first("return-path")
    return Envelope(recipient, next(iter(addresses([path])), "" if path.strip() == "<>" else None))
