"""Find every mention of a person, in texts and in mails in any encoding.

A person who is to be forgotten is searched for by names and addresses. The search covers everything in a mail: headers with their encoded
words, parts with their transfer encodings and charsets, mails within mails, and the bytes as they came.
"""

import quopri
import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote

from turnserver.mail.format.mime import Part, decode_text, decode_words, parse

MAX_DEPTH: Final = 6
"""The depth to which mails within mails are searched."""

_NEVER: Final = "(?!)"
_GAP: Final = r"[\s>|*]+"
_WIDE: Final = ("utf-16-le", "utf-16-be")


class Mentions:
    """A search for the names and addresses of one person."""

    __slots__ = ("_pattern", "_wide")

    def __init__(self, words: Iterable[str]) -> None:
        """Search for these names and addresses. Without any, nothing is a mention."""
        # the longest first, or the beginning of a name would be found in place of the whole
        wanted = sorted({" ".join(_plain(word).split()) for word in words} - {""}, key=lambda word: (-len(word), word))
        self._pattern = re.compile("|".join(map(_pattern, wanted)) or _NEVER, re.IGNORECASE)
        spelled = {each for word in wanted for each in (word, word.lower(), word.upper(), word.title())}
        self._wide = tuple(sorted({each.encode(charset) for each in spelled for charset in _WIDE}))

    def in_text(self, text: str) -> bool:
        """Return whether a text mentions the person."""
        return any(self._pattern.search(form) for form in _forms(text))

    def in_mail(self, raw: bytes) -> bool:
        """Return whether a mail mentions the person anywhere."""
        if any(wide in raw for wide in self._wide) or self.in_text(decode_text(raw, "")):
            return True
        # the whole mail as quoted-printable too: a returned mail may lie in a part that does not say how it is encoded
        return self.in_text(decode_text(quopri.decodestring(raw), "")) or any(map(self.in_text, _texts(parse(raw), MAX_DEPTH)))

    def without(self, text: str, instead: str) -> str:
        """Return the text with `instead` in place of each mention. If a mention cannot be cut out, return only `instead`."""
        changed = self._pattern.sub(lambda _: instead, unicodedata.normalize("NFC", text))
        return instead if self.in_text(changed.replace(instead, "")) else changed if changed != text else text


def _pattern(word: str) -> str:
    local, at, domain = word.rpartition("@")
    # an address counts anywhere, also in the forms that mail systems give it on the way (`ada=example.org`, `ada%40example.org`)
    if at:
        return rf"(?<![\w.]){re.escape(local)}[@=]{re.escape(domain)}(?![\w-]|\.\w)"
    # a name counts as a word, with or without the s of a genitive, and also if it goes on in the next line, quoted or not
    spread = _GAP.join(map(re.escape, word.split()))
    return rf"(?<![^\W_]){spread}s?(?![^\W_])"


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _forms(text: str) -> Iterator[str]:
    """Yield a text as it stands, and in the forms in which readers may see it."""
    plain = _plain(text)
    yield plain
    if "&" in plain:
        yield _plain(unescape(plain))
    if "%" in plain:
        yield _plain(unquote(plain))
    if "=?" in plain:
        yield _plain(decode_words(plain))


def _texts(part: Part, depth: int) -> Iterator[str]:
    """Yield all texts of a part, from its headers and its content."""
    for values in part.headers.fields.values():
        yield from map(decode_words, values)
    yield from map(decode_words, part.parameters.values())
    children = tuple(part.parts())
    if not children:
        yield part.text()
    if not depth:
        return
    for child in children:
        yield from _texts(child, depth - 1)
    if part.media_type.startswith("message/"):
        yield from _texts(parse(part.content()), depth - 1)
