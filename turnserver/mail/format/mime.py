"""From the bytes of a mail to the text that a person sees first: never raises, linear in the size of the mail.

The standard library's parser takes seconds on deeply nested parts and raises on some headers and charsets, so the structure is split
here, with hard limits, and only single values are handed to the standard library.
"""

import binascii
import codecs
import quopri
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value, getaddresses
from functools import lru_cache
from itertools import accumulate, islice

from turnserver.mail.format.addresses import is_address, spelled

MARKER = "== Write above this line: nothing below it is read. =="
"""Stands at the top of every mail that we send. Whatever an answer carries below it is a quotation of ours."""


@dataclass(slots=True)
class Room:
    """What may still be read of a mail; whoever reads takes from it.

    `is_exceeded` says that something was left out which may hold words of the sender. What was read before is then the beginning of the
    text, without gaps, and nothing may be read after it.
    """

    parts: int = 99
    structure: int = 6_000_000
    """Bytes that are searched for the parts in them, those of nested parts again and again."""

    source: int = 200_000
    """Characters of HTML."""

    tags: int = 4_000
    elements: int = 800
    """Those beyond the quotations. The conversion takes some tens of microseconds an element."""

    words: int = 65_536
    """Characters of text in HTML, which cost a fraction of a microsecond each."""

    is_exceeded: bool = False


MAX_MAIL = 2_000_000
MAX_HEAD = 100_000
MAX_VALUE = 4_000
MAX_CONTENT_TYPE = 1_000
MAX_ADDRESSES = 8_000
MAX_DEPTH = 8
MAX_PARTS = 100

_HEADER_NAME = re.compile(rb"[!-9;-~]{1,100}")
_DELIMITER_REST = re.compile(rb"(--)?[ \t]*+(?=\n|\Z)")
_ONE_SIMPLE = re.compile(r"([\w .-]*<)?(\w+(?:[.+-]\w+)*@\w+(?:[.-]\w+)*)(?(1)>)", re.ASCII)
_ENCODED_BINARY = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"})
_WIDER = {"ascii": "utf-8", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}


@dataclass(frozen=True, slots=True)
class Headers:
    """The header fields by lower-case name: values unfolded and cut to a sane length, bytes beyond ASCII as surrogates."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def every(self, name: str) -> Sequence[str]:
        """All values of a field, top to bottom."""
        return self.fields.get(name, ())

    def first(self, name: str) -> str:
        """The topmost value of a field, or an empty string."""
        return next(iter(self.every(name)), "")

    def text(self, name: str) -> str:
        """The topmost value, decoded for people."""
        return decode_words(self.first(name))


@dataclass(frozen=True, slots=True)
class Part:
    """A mail, or one part of it: its headers, its media type in lower case and its body as transferred, with line ends as LF."""

    headers: Headers
    body: bytes
    media_type: str = "text/plain"
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_attachment(self) -> bool:
        """Whether the sender put it beside the text instead of into it."""
        return self.headers.first("content-disposition").strip().lower().startswith("attachment")

    @property
    def is_named(self) -> bool:
        """Whether the part has the name of a file, as attachments have that are shown in the text."""
        return "name" in self.parameters or "filename" in self.headers.first("content-disposition").lower()

    def parts(self) -> Iterator["Part"]:
        """The direct children of a multipart, at most MAX_PARTS; none for anything else."""
        boundary = self.parameters.get("boundary", "").encode("utf-8", "surrogateescape")
        if not (self.media_type.startswith("multipart/") and boundary):
            return
        data, begun = b"\n" + self.body, -1
        for start, end, is_last in islice(_delimiters(data, b"\n--" + boundary), MAX_PARTS):
            if begun >= 0:
                yield parse_part(data[begun:start])
            if is_last:
                return
            begun = end + 1
        if 0 <= begun < len(data):
            yield parse_part(data[begun:])

    def text(self) -> str:
        """The body as text: transfer encoding and charset undone, unknown ones read as well as possible."""
        return decode_text(self.content(), self.parameters.get("charset", ""))

    def content(self) -> bytes:
        """The body with its transfer encoding undone."""
        return _transferred(self.body, self.headers.first("content-transfer-encoding"))


def _delimiters(data: bytes, opening: bytes) -> Iterator[tuple[int, int, bool]]:
    """Where each line that parts a multipart begins and ends, its line feed before it included, and whether it is the last one."""
    start = data.find(opening)
    while start >= 0:
        rest = _DELIMITER_REST.match(data, start + len(opening))
        if rest:
            yield start, rest.end(), bool(rest[1])
        start = data.find(opening, rest.end() if rest else start + 1)


def parse(raw: bytes) -> Part:
    """A mail's headers and body. Anything is a mail: what is no header is not looked at."""
    mail = raw[:MAX_MAIL].replace(b"\r\n", b"\n")
    if mail.startswith(b"From "):
        mail = mail.partition(b"\n")[2]
    return parse_part(mail)


def parse_part(data: bytes) -> Part:
    """Split one part, whose line ends are LF, at its first empty line."""
    head, _, body = (b"\n" + data).partition(b"\n\n")
    fields: dict[str, list[str]] = {}
    for name, value in _fields(head[:MAX_HEAD]):
        fields.setdefault(name, []).append(value)
    headers = Headers(fields)
    media_type, parameters = _content_type(headers.first("content-type"))
    return Part(headers, body, media_type, parameters)


def decode_text(data: bytes, charset: str) -> str:
    """Bytes as text. A missing, unknown or unsuitable charset is read as UTF-8, and if that is not it, as Windows-1252."""
    try:
        name = codecs.lookup(charset.strip()).name if charset else "utf-8"
        name = _WIDER.get(name, name)
        if name not in _ENCODED_BINARY and name != "utf-8":
            return data.decode(name, "replace")
    except (LookupError, ValueError, UnicodeError):
        pass
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decode_words(value: str) -> str:
    """A header value with its encoded words (RFC 2047) decoded; what cannot be decoded stays as it is written."""
    if "=?" not in value:
        return decode_text(value.encode("utf-8", "surrogateescape"), "")
    try:
        chunks = decode_header(value)
    except (MessageError, ValueError, LookupError):
        return decode_text(value.encode("utf-8", "surrogateescape"), "")
    return "".join(
        decode_text(chunk, charset or "") if isinstance(chunk, bytes) else decode_text(chunk.encode("utf-8", "surrogateescape"), "")
        for chunk, charset in chunks
    )


def addresses(values: Iterable[str]) -> tuple[str, ...]:
    """The mail addresses in address header values, in order and without names; what is no address, or comes too late, is left out.

    Bytes beyond ASCII are UTF-8 (RFC 6532); those that are not belong to no address.
    """
    ends = accumulate(map(len, (listed := [in_utf_8(value) for value in values])))
    try:
        found = _addresses([value for value, end in zip(listed, ends, strict=True) if end <= MAX_ADDRESSES])
    except (RecursionError, ValueError, IndexError, TypeError):
        return ()
    return tuple(spelled(address) for address in found if is_address(address))


def in_utf_8(value: str) -> str:
    """A header value with the bytes beyond ASCII read as UTF-8 (RFC 6532); as it is where they are not."""
    if value.isascii():
        return value
    try:
        return value.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return value


def _addresses(values: list[str]) -> list[str]:
    """What is listed. The standard library reads everything, but takes longer for it than all else about a mail does together."""
    simple = [match[2] for match in map(_ONE_SIMPLE.fullmatch, values) if match]
    if len(simple) == len(values):
        return simple
    return [address.strip() for _, address in getaddresses(values)]


def _fields(head: bytes) -> Iterator[tuple[str, str]]:
    name, value = "", b""
    for line in (*head.split(b"\n"), b""):
        if line[:1] in (b" ", b"\t"):
            value += b" " + line.strip() if len(value) < MAX_VALUE else b""
            continue
        if name:
            yield name, value[:MAX_VALUE].replace(b"\r", b" ").replace(b"\0", b"").decode("ascii", "surrogateescape").strip()
        key, colon, value = line.partition(b":")
        key = key.rstrip()
        name = key.decode("ascii").lower() if colon and _HEADER_NAME.fullmatch(key) else ""


@lru_cache(maxsize=256)  # nearly all mails and parts say one of a few things
def _content_type(value: str) -> tuple[str, Mapping[str, str]]:
    message = Message()
    message["Content-Type"] = value[:MAX_CONTENT_TYPE] or "text/plain"
    try:
        parameters = message.get_params([])
        return message.get_content_type(), {name.lower(): collapse_rfc2231_value(text).strip() for name, text in parameters[1:]}
    except (ValueError, LookupError, TypeError):
        return "text/plain", {}


def _transferred(body: bytes, encoding: str) -> bytes:
    match encoding.strip().lower():
        case "base64":
            letters = body.split(b"=", 1)[0] if b"=" in body else body
            clean = letters.translate(None, delete=_NOT_BASE64)
            usable = clean[: len(clean) - (len(clean) % 4 == 1)]
            return binascii.a2b_base64(usable + b"=" * (-len(usable) % 4))
        case "quoted-printable":
            return quopri.decodestring(body)
        case _:
            return body


_NOT_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
