"""The envelope of a mail as its headers tell it, and the identity by which copies of one mail are told from different mails."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from turnserver.addresses import same_box
from turnserver.mail.format.mime import Headers, Part, addresses, parse
from turnserver.mail.format.tokens import find

Deliver: TypeAlias = Callable[[Sequence[str], str | None, bytes], None]
"""A function that takes recipients, envelope sender and the raw mail. It returns once the mail is stored for all recipients.

If it raises, the mail is stored for none. The sender is empty for the null sender and None if nobody knows it.
"""


def recipients(raw: bytes) -> tuple[str, ...]:
    """Return the addresses that a mail went to as far as its headers tell, the most certain first. The envelope knows better."""
    return named_in(parse(raw).headers)


def named_in(headers: Headers) -> tuple[str, ...]:
    """Return the recipients that headers name; see `recipients`."""
    values = [value for name in ("delivered-to", "x-original-to", "to", "cc") for value in headers.every(name)]
    return tuple(dict.fromkeys(addresses(values)))


class Envelope(NamedTuple):
    """Recipient and sender of a mail that came without an envelope; see `Deliver`."""

    recipient: str
    sender: str | None


def envelope(raw: bytes, own_address: str) -> Envelope:
    """Return the envelope by the headers: the return path, and the most certain recipient that is ours, else our plain address."""
    headers = parse(raw).headers
    recipient = next((address for address in named_in(headers) if same_box(address, own_address)), own_address)
    path = headers.first("return-path")
    return Envelope(recipient, next(iter(addresses([path])), "" if path.strip() == "<>" else None))


def as_arrived(raw: bytes, recipient: str) -> str:
    """Return the identity of a mail that came to this recipient.

    Copies under one reply token are one mail; the address beside it does not matter.
    """
    return identity(raw, _handled_under(raw, recipient))


def heading(raw: bytes, recipient: str) -> tuple[bytes, ...]:
    """Return all that the identity of a mail that came to this recipient covers, except the body.

    A relay may have written the body in another encoding, or a notice below it. Then only this, and what the mail says, is equal.
    """
    return tuple(_heading(parse(raw), _handled_under(raw, recipient)))


def _handled_under(raw: bytes, recipient: str) -> str:
    return find([recipient]) or find(recipients(raw)) or recipient


def identity(raw: bytes, recipient: str) -> str:
    """Return a digest in hexadecimal: equal for redelivered copies of one mail to one recipient, different for different mails.

    It covers Message-ID, From, Date, the body and the recipient. Changes by relays (Received, Return-Path, Delivered-To, X-*, signatures,
    line ends, folding) do not count, except Received in a mail without a Message-ID.
    """
    digest = sha256()
    for field in _fields(parse(raw), recipient):
        # the length first, or two fields could share their letters in another way
        digest.update(len(field).to_bytes(8))
        digest.update(field)
    return digest.hexdigest()


def _fields(mail: Part, recipient: str) -> Iterator[bytes]:
    yield from _heading(mail, recipient)
    yield mail.body.translate(None, delete=b" \t\r\n\v\f")


def _heading(mail: Part, recipient: str) -> Iterator[bytes]:
    yield recipient.strip().lower().encode("utf-8", "surrogateescape")
    # without a Message-ID, the way that the mail took has to stand in for it: the same words sent twice are two mails
    named = "message-id" if mail.headers.every("message-id") else "received"
    # a Message-ID alone is not enough, since some senders repeat them
    for name in (named, "from", "date"):
        for value in mail.headers.every(name):
            yield f"{name}:{' '.join(value.split())}".encode("utf-8", "surrogateescape")
