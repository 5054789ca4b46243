"""Turn the bytes of a mail into the text that a person sees first. Never raises; linear in the size of the mail.

The standard library's parser takes seconds on deeply nested parts and raises on some headers and charsets. So this module splits the
structure, with hard limits, and hands only single values to the standard library.
"""

import binascii
import codecs
import quopri
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value, getaddresses
from functools import lru_cache, partial
from inspect import signature
from itertools import accumulate, islice
from typing import Final

from turnserver.addresses import is_address, spelled

MARKER = "== Write above this line: nothing below it is read. =="
"""The line at the top of every mail that we send. In an answer, everything below it is a quotation of ours."""


@dataclass(slots=True)
class Room:
    """The budget for reading one mail. Every reader takes from it.

    If `is_exceeded`, something was left out that may hold words of the sender. The text read before is then the beginning of the text,
    without gaps, and nothing may be read after it.
    """

    parts: int = 99
    structure: int = 6_000_000
    """Bytes that are searched for parts. The bytes of nested parts count each time."""

    source: int = 200_000
    """Characters of HTML."""

    tags: int = 4_000
    elements: int = 800
    """Elements beyond the quotations. The conversion takes some tens of microseconds for each."""

    words: int = 65_536
    """Characters of text in HTML. Each costs a fraction of a microsecond."""

    is_exceeded: bool = False


MAX_MAIL = 2_000_000
MAX_HEAD = 100_000
MAX_VALUE = 4_000
MAX_CONTENT_TYPE = 1_000
MAX_ADDRESSES = 8_000
MAX_DEPTH = 8
MAX_PARTS = 100

_SMALL = 32_768
"""The greatest number of bytes of a mail that is remembered for whoever parses it next."""

_FIELD = re.compile(r"^([!-9;-~]{1,100})[ \t\r\v\f]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)
_DELIMITER_REST = re.compile(rb"(--)?[ \t]*+(?=\n|\Z)")
_MULTIPART = re.compile(r'(multipart/[a-z]+); ?boundary=("?)([\w=.+-]+)\2', re.ASCII | re.IGNORECASE)
_ONE_SIMPLE = re.compile(r"([\w .-]*<)?(\w+(?:[.+-]\w+)*@\w+(?:[.-]\w+)*)(?(1)>)", re.ASCII)
# codecs of Python that are no charsets of mail, or can smuggle characters past what looks at the bytes
_ENCODED_BINARY = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"})
# charsets that programs name when they mean a larger one: the letters that both have are the same
_WIDER = {"ascii": "utf-8", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}


@dataclass(frozen=True, slots=True)
class Headers:
    """The header fields by lower-case name. Values are unfolded and cut to a sane length; bytes beyond ASCII are surrogates."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def every(self, name: str) -> Sequence[str]:
        """Return all values of a field, top to bottom."""
        return self.fields.get(name, ())

    def first(self, name: str) -> str:
        """Return the topmost value of a field, or an empty string."""
        values = self.fields.get(name)
        return values[0] if values else ""

    def text(self, name: str) -> str:
        """Return the topmost value, decoded for people."""
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
        """True if the sender put the part beside the text instead of into it."""
        return self.headers.first("content-disposition").strip().lower().startswith("attachment")

    @property
    def is_named(self) -> bool:
        """True if the part has a file name. Attachments that are shown within the text have one too."""
        return "name" in self.parameters or "filename" in self.headers.first("content-disposition").lower()

    def parts(self) -> Iterator["Part"]:
        """Yield the direct children of a multipart, at most MAX_PARTS; none for any other part."""
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
        """Return the body as text, without transfer encoding and charset. Unknown ones are read as well as possible."""
        return decode_text(self.content(), self.parameters.get("charset", ""))

    def content(self) -> bytes:
        """Return the body without its transfer encoding."""
        return _transferred(self.body, self.headers.first("content-transfer-encoding"))


def _delimiters(data: bytes, opening: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield the beginning and the end of each line that separates the parts of a multipart, and whether it is the last one."""
    start = data.find(opening)
    while start >= 0:
        rest = _DELIMITER_REST.match(data, start + len(opening))
        if rest:
            # the line feed before the line belongs to it (RFC 2046, 5.1.1)
            yield start, rest.end(), bool(rest[1])
        start = data.find(opening, rest.end() if rest else start + 1)


def parse(raw: bytes) -> Part:
    """Return the headers and body of a mail. Any bytes are a mail: lines that are no headers are ignored."""
    return _parsed_before(raw) if len(raw) <= _SMALL else _parsed(raw)


def _parsed(raw: bytes) -> Part:
    mail = raw[:MAX_MAIL].replace(b"\r\n", b"\n")
    # an mbox file puts this line before the headers
    if mail.startswith(b"From "):
        mail = mail.partition(b"\n")[2]
    return parse_part(mail)


# a mail is taken apart when it comes, to know whether it is another copy, and soon after by whoever reads it
_parsed_before = lru_cache(maxsize=64)(_parsed)


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
    """Return bytes as text. A missing, unknown or unsuitable charset is read as UTF-8, and if this fails, as Windows-1252."""
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
    """Return a header value with its encoded words (RFC 2047) decoded. If they cannot be decoded, they stay as they are written."""
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
    """Return the mail addresses in address header values, in order and without names. Texts that are no address are left out.

    So are values that come after MAX_ADDRESSES characters. Bytes beyond ASCII are UTF-8 (RFC 6532); other bytes belong to no address.
    """
    ends = accumulate(map(len, (listed := [in_utf_8(value) for value in values])))
    try:
        found = _addresses([value for value, end in zip(listed, ends, strict=True) if end <= MAX_ADDRESSES])
    except (RecursionError, ValueError, IndexError, TypeError):
        return ()
    return tuple(spelled(address) for address in found if is_address(address))


def in_utf_8(value: str) -> str:
    """Return a header value with the bytes beyond ASCII read as UTF-8 (RFC 6532). Return the value as it is if they are not UTF-8."""
    if value.isascii():
        return value
    try:
        return value.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return value


# newer Pythons give nothing for a list in which anything is odd; here each address counts for itself, as it did in older ones: whoever
# needs a single one looks at how many there are
get_addresses: Final = partial(getaddresses, strict=False) if "strict" in signature(getaddresses).parameters else getaddresses
"""`email.utils.getaddresses`, which reads each address for itself."""


def _addresses(values: list[str]) -> list[str]:
    # the standard library reads everything, but that takes longer than all other reading of a mail together
    simple = [match[2] for match in map(_ONE_SIMPLE.fullmatch, values) if match]
    if len(simple) == len(values):
        return simple
    return [address.strip() for _, address in get_addresses(values)]


def _fields(head: bytes) -> Iterator[tuple[str, str]]:
    for name, folded in _FIELD.findall(head.decode("ascii", "surrogateescape")):
        first, *more = folded.split("\n") if "\n" in folded else [folded]
        value = " ".join((first, *(line.strip(string.whitespace) for line in more))) if more else first
        yield name.lower(), value[:MAX_VALUE].replace("\r", " ").replace("\0", "").strip()


# nearly all mails and parts say one of a few things
@lru_cache(maxsize=256)
def _content_type(value: str) -> tuple[str, Mapping[str, str]]:
    # each mail has a boundary of its own, for which the standard library takes ten times as long
    if simple := _MULTIPART.fullmatch(value):
        return simple[1].lower(), {"boundary": simple[3]}
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
            # base64 ends at its padding; some programs write a footer below it
            letters = body.split(b"=", 1)[0] if b"=" in body else body
            clean = letters.translate(None, delete=_NOT_BASE64)
            # one letter over is no byte; the rest can be read
            usable = clean[: len(clean) - (len(clean) % 4 == 1)]
            return binascii.a2b_base64(usable + b"=" * (-len(usable) % 4))
        case "quoted-printable":
            return quopri.decodestring(body)
        case _:
            return body


_NOT_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
