"""The text that a person sees first on opening a mail, chosen from all its parts.

Where a mail holds several versions of its text, the plain one counts, and HTML only if that is empty. Attachments of any kind do not count,
nor does a mail that was forwarded whole, nor a second part beside the one that a signature covers.
"""

from collections.abc import Iterator
from typing import NamedTuple

from turnserver.mail.format.mime import MAX_DEPTH, MAX_MAIL, Part, Room, parse
from turnserver.mail.inbound.html_text import html_text
from turnserver.mail.inbound.reply import MAX_TEXT, unflow
from turnserver.text import say

_INTEGER, _OCTETS, _OID, _SEQUENCE, _SET = 0x02, 0x04, 0x06, 0x30, 0x31
_EXPLICIT, _CONSTRUCTED_OCTETS = 0xA0, 0x24
_DATA = bytes.fromhex("2a864886f70d010701")
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_LONGEST_LENGTH = 4
"""The most bytes in the length of an element. A longer number would mean more bytes than any mail has."""


class _Element(NamedTuple):
    """The place where the content of an element begins and ends. `end` is None if BER data gives no length."""

    tag: int
    begin: int
    end: int | None


def signed_content(data: bytes) -> bytes | None:
    """Return the signed content. Return None if there is none, since the data are encrypted, damaged or something else."""
    try:
        return _octets(data, _content_at(data))
    except (ValueError, IndexError):
        return None


def _content_at(data: bytes) -> int:
    """Return the place where the signed octets begin, by way of ContentInfo, SignedData and EncapsulatedContentInfo.

    Raise ValueError or IndexError if the data are something else.
    """
    at = _enter(data, 0, _SEQUENCE)
    at = _pass(data, at, _OID, _SIGNED_DATA)
    at = _enter(data, at, _EXPLICIT)
    at = _enter(data, at, _SEQUENCE)
    # version and digestAlgorithms of SignedData (RFC 5652, 5.1)
    at = _pass(data, at, _INTEGER)
    at = _pass(data, at, _SET)
    at = _enter(data, at, _SEQUENCE)
    at = _pass(data, at, _OID, _DATA)
    return _enter(data, at, _EXPLICIT)


def _octets(data: bytes, at: int) -> bytes:
    """Return an octet string, whole or joined from its pieces. Raise ValueError or IndexError if there is none."""
    whole = _element(data, at)
    if whole.tag == _OCTETS:
        return data[whole.begin : whole.end]
    if whole.tag != _CONSTRUCTED_OCTETS:
        raise ValueError
    pieces = []
    at = whole.begin
    # BER: an indefinite length (X.690, 8.1.3.6) ends where no further piece comes
    while at < (len(data) if whole.end is None else whole.end) and data[at] == _OCTETS:
        piece = _element(data, at)
        pieces.append(data[piece.begin : piece.end])
        at = _end(piece)
    return b"".join(pieces)


def _enter(data: bytes, at: int, tag: int) -> int:
    element = _element(data, at)
    if element.tag != tag:
        raise ValueError
    return element.begin


def _pass(data: bytes, at: int, tag: int, content: bytes | None = None) -> int:
    element = _element(data, at)
    if element.tag != tag or (content is not None and data[element.begin : element.end] != content):
        raise ValueError
    return _end(element)


def _end(element: _Element) -> int:
    if element.end is None:
        raise ValueError
    return element.end


def _element(data: bytes, at: int) -> _Element:
    tag, length, begin = data[at], data[at + 1], at + 2
    # BER may leave the length open, and many programs do while they sign
    if length == 0x80:
        return _Element(tag, begin, None)
    if length > 0x80:
        size = length - 0x80
        if size > _LONGEST_LENGTH:
            raise ValueError
        length, begin = int.from_bytes(data[begin : begin + size]), begin + size
    if begin + length > len(data):
        raise ValueError
    return _Element(tag, begin, begin + length)


_PLAIN = ("text/plain", "text/markdown")
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_ARMOUR = "-----BEGIN PGP MESSAGE-----"


class Problem(NamedTuple):
    """The reason why a person's mail cannot be used: a stable code, and a sentence for its sender."""

    code: str
    message: str


ENCRYPTED = Problem(
    "encrypted", say("Your mail is encrypted, and I can't read it. Please send your commands unencrypted; a signature does no harm.")
)
SEALED = Problem("sealed", say("Your mail is wrapped in a signature that I can't open. Please send your commands as plain text."))


class Body(NamedTuple):
    """The text of a mail, and the problem that keeps it from being read, if any."""

    text: str = ""
    problem: Problem | None = None


def body(part: Part, room: Room, depth: int = 0) -> Body:
    """Return the text of a mail, or of a part of it that lies `depth` parts deep, as far as there is room."""
    if part.media_type in _SEALED:
        return _opened(part, room, depth)
    if part.media_type in ("multipart/encrypted", "application/pgp-encrypted"):
        return Body(problem=ENCRYPTED)
    # a part with a file name is a file, however it is shown; the mail itself is never one
    if part.is_attachment or (depth and part.is_named):
        return Body()
    match part.media_type:
        case "text/html":
            return Body(html_text(part.text(), room))
        case media_type if media_type in _PLAIN:
            return _plain(part, room)
        case "multipart/alternative":
            return _alternative(part, room, depth + 1)
        case "multipart/signed":
            # the part that the signature covers; what a relay put beside it is nobody's
            return _first(part, room, depth + 1)
        # mails that were forwarded, not written
        case "multipart/digest":
            return Body()
        case media_type if media_type.startswith("multipart/"):
            return _joined(part, room, depth + 1)
        case _:
            return Body()


def _children(part: Part, room: Room, depth: int) -> Iterator[Part]:
    """Yield the direct children of a multipart, which lie `depth` parts deep, while there is room."""
    room.structure -= len(part.body)
    fits = depth <= MAX_DEPTH and room.structure >= 0
    for child in part.parts() if fits else ():
        room.parts -= 1
        if room.parts < 0:
            break
        yield child
    room.is_exceeded = room.is_exceeded or not fits or room.parts < 0


def _first(part: Part, room: Room, depth: int) -> Body:
    return next((body(child, room, depth) for child in _children(part, room, depth)), Body())


def _joined(part: Part, room: Room, depth: int) -> Body:
    bodies = []
    for child in _children(part, room, depth):
        bodies.append(body(child, room, depth))
        if room.is_exceeded:
            break
    return Body("\n".join(one.text for one in bodies if one.text), next((one.problem for one in bodies if one.problem), None))


def _alternative(part: Part, room: Room, depth: int) -> Body:
    """Return the first version with words in it. HTML, which is slower to read and vaguer, counts only if there is no other."""
    # a sort keeps the order among the others
    children = sorted(_children(part, room, depth), key=lambda child: child.media_type == "text/html")
    bodies = (body(child, room, depth) for child in children)
    return next((one for one in bodies if one.text.strip() or one.problem or room.is_exceeded), Body())


def _plain(part: Part, room: Room) -> Body:
    text = part.text()
    if _ARMOUR in text[:10_000]:
        return Body(problem=ENCRYPTED)
    if part.parameters.get("format", "").lower() == "flowed":
        room.is_exceeded = room.is_exceeded or bool(text[MAX_TEXT:].strip())
        return Body(unflow(text[:MAX_TEXT], delsp=part.parameters.get("delsp", "").lower() == "yes"))
    return Body(text)


def _opened(part: Part, room: Room, depth: int) -> Body:
    """Return the text inside an opaque signature. The mail in it may be signed once more."""
    if part.parameters.get("smime-type", "").lower() in ("enveloped-data", "authenveloped-data"):
        return Body(problem=ENCRYPTED)
    content = signed_content(part.content()[:MAX_MAIL])
    if content is None:
        return Body(problem=SEALED if part.parameters.get("smime-type") else ENCRYPTED)
    if depth >= MAX_DEPTH:
        room.is_exceeded = True
        return Body()
    return body(parse(content), room, depth + 1)
