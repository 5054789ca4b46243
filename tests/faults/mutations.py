"""The accidents of one mail on its way: for each mail the deliveries that it may lead to, as data."""

from collections.abc import Iterator
from itertools import cycle
from typing import NamedTuple

from turnserver.mail.inbound.read import SINGLE_FIELDS

STEP = 100
"""A mail is cut after every so many bytes, headers and text."""

NEAR = 2_500
"""From there on, where nothing but quotation is left, only as often as the whole follows."""

WHOLE_AFTER = 1_000
"""After every so many bytes the whole mail follows the part of it, as from a server that was cut off and tries again."""

OTHER = {
    "from": "Bob <bob@example.org>",
    "to": "somebody.else@example.org",
    "subject": "unsubscribe",
    "message-id": "<another@example.org>",
    "date": "Thu, 1 Jan 1970 00:00:00 +0000",
    "in-reply-to": "<nothing@example.org>",
    "references": "<nothing@example.org>",
    "mime-version": "2.0",
    "content-type": 'text/plain; charset="us-ascii"',
    "content-transfer-encoding": "8bit",
    "content-disposition": "attachment",
}
"""Another value for each field that a mail has once."""


DAMAGED = ("refused: line_ends",)


class Delivery(NamedTuple):
    """A mail that is handed in; with the reply address as its envelope's recipient, or with our plain address."""

    raw: bytes
    source: str = "lmtp"
    plain: bool = False


class Case(NamedTuple):
    """Deliveries in order. `carried_out`: whether one of them must be, or None if that depends. `ends`: what each comes to, if known.

    `has_head` is False if the headers show nobody who may be answered.
    """

    name: str
    deliveries: tuple[Delivery, ...]
    carried_out: bool | None = None
    ends: tuple[str | None, ...] = ()
    has_head: bool = True


def every(raw: bytes) -> Iterator[Case]:
    """All that is tried on a mail whose lines end in LF."""
    yield from again(raw)
    yield from cut(raw)
    yield from doubled(raw)
    yield from line_ends(raw)
    marked = Delivery(b"Auto-Submitted: auto-replied\n" + raw)
    yield Case("by a machine", (marked,), False, ("ignored: Auto-Submitted: auto-replied",), has_head=False)


def again(raw: bytes) -> Iterator[Case]:
    """The same mail twice: as it was, and on another way, which has stamped it and put its headers into another order."""
    head, _, body = raw.partition(b"\n\n")
    fields = head.replace(b"\n ", b"\0 ").replace(b"\n\t", b"\0\t").split(b"\n")
    stamped = [b"Received: from elsewhere by example.net; Mon, 23 Nov 2026 00:00:00 +0000", b"X-Original-To: turns@club.example"]
    turned = b"\n".join(stamped + fields[::-1]).replace(b"\0", b"\n") + b"\n\n" + body
    ends = (None, "duplicate")
    yield Case("twice", (Delivery(raw), Delivery(raw)), True, ends)
    yield Case("by two ways", (Delivery(raw), Delivery(turned, "imap", plain=True)), True, ends)
    yield Case("by two ways, the other first", (Delivery(turned, "imap", plain=True), Delivery(raw, "pipe")), True, ends)


def cut(raw: bytes) -> Iterator[Case]:
    """The first so many bytes, alone and with the whole mail after them."""
    for end in (*range(STEP, min(NEAR, len(raw)), STEP), *range(NEAR, len(raw), WHOLE_AFTER)):
        part = Delivery(raw[:end])
        whole = end % (WHOLE_AFTER // 2) == 0
        yield Case(f"cut at {end}", (part, Delivery(raw)) if whole else (part,), True if whole else None)


def doubled(raw: bytes) -> Iterator[Case]:
    """One more of each field that may stand in a mail once, above the others."""
    head = b"\n" + raw.partition(b"\n\n")[0].lower()
    for name in SINGLE_FIELDS:
        if f"\n{name}:".encode() in head:
            mail = f"{name.title()}: {OTHER[name]}\n".encode() + raw
            yield Case(f"another {name}", (Delivery(mail),), False, ("refused: repeated_header",))


def line_ends(raw: bytes) -> Iterator[Case]:
    """Line ends as no standard has them."""
    head, _, body = raw.partition(b"\n\n")
    crlf, cr = raw.replace(b"\n", b"\r\n"), raw.replace(b"\n", b"\r")
    yield Case("LF", (Delivery(raw),), True)
    yield Case("CRLF, then LF", (Delivery(crlf), Delivery(raw)), True, (None, "duplicate"))
    yield Case("CR", (Delivery(cr),), False, has_head=False)
    yield Case("CR in the text", (Delivery(head.replace(b"\n", b"\r\n") + b"\r\n\r\n" + body.replace(b"\n", b"\r")),), False, DAMAGED)
    yield Case("CR CR LF", (Delivery(raw.replace(b"\n", b"\r\r\n")),), False, DAMAGED)
    for first in range(3):
        yield Case(f"mixed {first}", (Delivery(mixed(raw, first)),), False, has_head=False)
        yield Case(f"mixed {first} in the text", (Delivery(head + b"\n\n" + mixed(body, first)),), False, DAMAGED)


def mixed(text: bytes, first: int) -> bytes:
    """Line ends of every kind by turns."""
    ends = (b"\n", b"\r\n", b"\r")
    lines = text.split(b"\n")
    return b"".join(line + end for line, end in zip(lines, cycle((*ends[first:], *ends[:first])), strict=False))
