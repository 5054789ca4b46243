"""How a mail is handed over, whichever way it came."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from turnserver.mail.format.automatic import same_box
from turnserver.mail.format.mime import Headers, addresses, parse

Deliver: TypeAlias = Callable[[Sequence[str], str | None, bytes], None]
"""Takes recipients, envelope sender and the raw mail, and returns once it is stored for all of them; raises if it is for none.

The sender is empty for the null sender and None if nobody knows.
"""


def recipients(raw: bytes) -> tuple[str, ...]:
    """The addresses that a mail went to as far as its headers tell, the most certain first; the envelope knows better."""
    return named_in(parse(raw).headers)


def named_in(headers: Headers) -> tuple[str, ...]:
    """See `recipients`."""
    values = [value for name in ("delivered-to", "x-original-to", "to", "cc") for value in headers.every(name)]
    return tuple(dict.fromkeys(addresses(values)))


class Envelope(NamedTuple):
    """Recipient and sender of a mail that came without an envelope, see `Deliver`."""

    recipient: str
    sender: str | None


def envelope(raw: bytes, own_address: str) -> Envelope:
    """What the headers tell of the envelope: the most certain recipient that is ours, else our plain address; and the return path."""
    headers = parse(raw).headers
    recipient = next((address for address in named_in(headers) if same_box(address, own_address)), own_address)
    path = headers.first("return-path")
    return Envelope(recipient, next(iter(addresses([path])), "" if path.strip() == "<>" else None))
