"""Write a mail to the byte: fields folded and encoded (RFC 5322, 2047), bodies encoded and joined (RFC 2045, 2046). Lines end in CRLF.

The standard library writes any mail, and takes longer for that than everything else takes that is done for one. Ours have few fields and
four kinds of parts. What goes into a field stands on one line already.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

COLUMNS: Final = 78
"""The recommended length of a line of a header (RFC 5322, 2.1.1)."""

LONGEST_LINE: Final = 998
"""The greatest length of any line (RFC 5322, 2.1.1)."""

_CRLF: Final = "\r\n"
_BASE64: Final = 76
"""The length of a line of base64 (RFC 2045, 6.8)."""
_ENCODED: Final = 56
"""The length of an encoded word without its frame, so that a line with the longest name of a field has room for one."""
_QUOTED: Final = COLUMNS - len('Reply-To: ""')
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_AS_THEY_ARE: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
_Q: Final = tuple("_" if byte == ord(" ") else chr(byte) if byte in _AS_THEY_ARE else f"={byte:02X}" for byte in range(256))


class Part(NamedTuple):
    """A part of a mail: its fields, each ending in CRLF, and its encoded body."""

    fields: str
    body: bytes


def unstructured(name: str, words: str, *, utf8: bool = False) -> str:
    """Return a field of free words, such as the subject. Those beyond ASCII are encoded, unless a mail may have them as they are."""
    if (words.isascii() or utf8) and "=?" not in words:
        # the first word stays beside the name: a blank in front of it would belong to the text
        first, *others = words.split(" ")
        return _folded(f"{name}: {first}", others)
    return f"{name}: {(_CRLF + ' ').join(_encoded_words(words))}{_CRLF}"


def listed(name: str, words: Iterable[str]) -> str:
    """Return a field of words that stay as they are, as many on a line as have room. The first one may stand below the name."""
    return _folded(f"{name}:", words)


def _folded(begin: str, words: Iterable[str]) -> str:
    lines = [begin]
    for word in words:
        if len(lines[-1]) + 1 + len(word) <= COLUMNS:
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return _CRLF.join(lines) + _CRLF


def identifiers(name: str, ids: Sequence[str]) -> str:
    """Return a field of Message-IDs, one on each line."""
    return f"{name}: {(_CRLF + ' ').join(ids)}{_CRLF}"


def mailbox(name: str, words: str, address: str, *, utf8: bool = False) -> str:
    """Return a field with the mailbox of somebody who is called `words`, which may be empty."""
    if not words:
        return listed(name, [address])
    quoted = words.replace("\\", r"\\").replace('"', r"\"")
    if "=?" in words or not (words.isascii() or utf8) or len(quoted) > _QUOTED:
        called = _encoded_words(words)
    else:
        called = [words if _ATOMS.fullmatch(words) else f'"{quoted}"']
    *above, last = called
    own = f"<{address}>"
    room = COLUMNS - (0 if above else len(name) + 1)
    rows = [*above, f"{last} {own}"] if len(last) + len(own) + 2 <= room else [*above, last, own]
    return f"{name}: {(_CRLF + ' ').join(rows)}{_CRLF}"


def text(words: str, subtype: str = "plain", *, plainly: bool = False) -> Part:
    """Return a part of text. It is quoted-printable, unless it is to be written `plainly` and all of it is short lines of ASCII."""
    if plainly and words.isascii() and all(len(line) <= LONGEST_LINE for line in words.split("\n")):
        encoding, body = "7bit", words.encode()
    else:
        encoding, body = "quoted-printable", binascii.b2a_qp(words.encode())
    fields = f'Content-Type: text/{subtype}; charset="utf-8"{_CRLF}Content-Transfer-Encoding: {encoding}{_CRLF}'
    return Part(fields, body.replace(b"\n", b"\r\n"))


def picture(content: bytes, name: str, cid: str) -> Part:
    """Return a PNG that stands within a page, which names it by `cid`."""
    return _binary(f'image/png{_CRLF}Content-ID: <{cid}>{_CRLF}Content-Disposition: inline; filename="{name}"', content)


def calendar(content: bytes, name: str, method: str) -> Part:
    """Return a calendar to be taken over (RFC 6047, 2.4: the type of the part names the method, as the calendar does)."""
    kind = f'text/calendar; method={method}; charset="utf-8"{_CRLF}Content-Disposition: attachment; filename="{name}"'
    return _binary(kind, content)


def multipart(subtype: str, parts: Sequence[Part], boundary: str) -> Part:
    """Return several parts as one; the first of related parts, which is a page, leads to the others."""
    root = '; type="text/html"' if subtype == "related" else ""
    between = f"--{boundary}{_CRLF}".encode()
    body = b"".join(between + part.fields.encode() + b"\r\n" + part.body + b"\r\n" for part in parts)
    return Part(f'Content-Type: multipart/{subtype};{_CRLF} boundary="{boundary}"{root}{_CRLF}', body + f"--{boundary}--{_CRLF}".encode())


def whole(fields: Iterable[str], content: Part) -> bytes:
    """Return the mail."""
    return f"{''.join(fields)}MIME-Version: 1.0{_CRLF}{content.fields}{_CRLF}".encode() + content.body


def _binary(kind: str, content: bytes) -> Part:
    fields = f"Content-Type: {kind}{_CRLF}Content-Transfer-Encoding: base64{_CRLF}"
    letters = binascii.b2a_base64(content, newline=False)
    lines = [letters[begin : begin + _BASE64] for begin in range(0, len(letters), _BASE64)]
    return Part(fields, b"\r\n".join([*lines, b""]))


def _encoded_words(words: str) -> list[str]:
    """Return words as encoded words of UTF-8 (RFC 2047), by the shorter of the two encodings. No letter is cut."""
    octets = words.encode()
    by_letter = sum(len(_Q[byte]) for byte in octets) <= 4 * len(octets) / 3
    encode, kind = (_quoted, "q") if by_letter else (_base64, "b")
    return [f"=?utf-8?{kind}?{encode(chunk)}?=" for chunk in _chunks(words, encode)]


def _chunks(words: str, encode: Callable[[str], str]) -> Iterable[str]:
    chunk = ""
    for letter in words:
        if len(encode(chunk + letter)) > _ENCODED:
            yield chunk
            chunk = ""
        chunk += letter
    yield chunk


def _quoted(words: str) -> str:
    return "".join(_Q[byte] for byte in words.encode())


def _base64(words: str) -> str:
    return base64.b64encode(words.encode()).decode()
