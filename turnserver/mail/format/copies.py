"""Tell copies of one mail from different mails."""

from collections.abc import Iterator
from hashlib import sha256

from turnserver.mail.format.mime import Part, parse
from turnserver.mail.format.tokens import find
from turnserver.mail.transport.imap import recipients


def as_arrived(raw: bytes, recipient: str) -> str:
    """Return the identity of a mail that came to this recipient.

    Copies under one reply token are one mail, whatever address stands beside it.
    """
    return identity(raw, find([recipient]) or find(recipients(raw)) or recipient)


def identity(raw: bytes, recipient: str) -> str:
    """Return a digest in hexadecimal: equal for redelivered copies of one mail to one recipient, different for different mails.

    It covers Message-ID, From, Date, the body and the recipient; Message-IDs alone are not enough, since some senders repeat them. Changes
    by relays (Received, Return-Path, Delivered-To, X-*, signatures, line ends, folding) do not count. In a mail without a Message-ID, the
    Received lines stand in for it, so that the same words sent twice stay two mails.
    """
    digest = sha256()
    for field in _fields(parse(raw), recipient):
        digest.update(len(field).to_bytes(8))
        digest.update(field)
    return digest.hexdigest()


def _fields(mail: Part, recipient: str) -> Iterator[bytes]:
    yield recipient.strip().lower().encode("utf-8", "surrogateescape")
    named = "message-id" if mail.headers.every("message-id") else "received"
    for name in (named, "from", "date"):
        for value in mail.headers.every(name):
            yield f"{name}:{' '.join(value.split())}".encode("utf-8", "surrogateescape")
    yield mail.body.translate(None, delete=b" \t\r\n\v\f")
