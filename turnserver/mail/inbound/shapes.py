"""What the parts of a mail's head look like in any language: addresses, dates, and lines such as `Subject: Take 17`.

Mail programs name them in more languages than anybody can list, so their shape decides. Every pattern is linear in the length of a line.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final
from unicodedata import category

from turnserver.mail.inbound.synonyms import synonyms

LOOK: Final = 400
"""Of a line, how many characters are looked at."""

_MARKUP: Final = "*_ \t\xa0"
_COLONS: Final = (":", "\uff1a")
_ADDRESS: Final = re.compile(r"\S@\[?[\w-]{1,63}(?:[.:]\w|\])")
_YEAR: Final = re.compile(r"(?<![\d.])\d{4}(?!\d)")
_TIME: Final = re.compile(r"(?<!\d)\d{1,2}(?:[:.h\u6642\u65f6]|\uc2dc ?)\d\d(?!\d)")
_NUMERIC_DATE: Final = re.compile(r"(?<!\d)(?:\d{4}[-/.] ?\d{1,2}[-/.] ?\d{1,2}|\d{1,2}[-/.] ?\d{1,2}[-/.] ?\d{2}(?:\d\d)?)(?!\d)")
_FIELD: Final = re.compile(r"([^\W\d_][^\d:\uff1a<>@|;]{0,30}?)[*_ \xa0]*[:\uff1a](?!//)")
_NAMES: Final = re.compile(r"[^\W\d_] ?[:\uff1a](?!//)")
_MOST_WORDS: Final = 4
_FIELDS: Final = 3
_BLOCK: Final = 6
_FURTHEST: Final = 12
_SURELY: Final = 4


class _Seen(dict[int, int | None]):
    """For `str.translate`: characters without those that only format. It remembers those that it is asked for, up to a limit."""

    def __missing__(self, code: int) -> int | None:
        seen = None if category(chr(code)) == "Cf" else code
        if len(self) < _REMEMBERED:
            self[code] = seen
        return seen


_REMEMBERED: Final = 4_096
_SEEN: Final = _Seen()


def bare(line: str) -> str:
    """The beginning of a line without decoration and without what cannot be seen, such as marks for the direction of writing."""
    seen = line[:LOOK]
    return (seen if seen.isascii() else seen.translate(_SEEN)).strip(_MARKUP)


def ends_with_colon(line: str) -> bool:
    """Whether a line, as `bare` leaves it, ends with a colon."""
    return line.endswith(_COLONS)


def has_address(text: str) -> bool:
    """Whether a mail address stands in the text."""
    return _ADDRESS.search(text) is not None


def has_date(text: str) -> bool:
    """Whether a whole day stands in the text: in digits, or a year together with a time of day."""
    return _NUMERIC_DATE.search(text) is not None or has_moment(text)


def has_moment(text: str) -> bool:
    """Whether a year or a day in digits stands in the text, and a time of day."""
    without = _NUMERIC_DATE.sub(" 2000 ", text)
    return _YEAR.search(without) is not None and _TIME.search(without) is not None


def field_name(line: str) -> str | None:
    """The name in `Subject: Take 17`, in any language; None if the line, as `bare` leaves it, is none or begins like a command."""
    found = _FIELD.match(line) if ":" in line or "\uff1a" in line else None
    if found is None or len(found[1].split()) > _MOST_WORDS:
        return None
    name = found[1].casefold()
    return name if is_no_command(name) else None


def is_no_command(line: str) -> bool:
    """Whether a line begins with no word that begins commands, in any language."""
    return line.casefold().partition(" ")[0].rstrip(":\uff1a*_") not in _commands()


def opens_block(lines: Sequence[str], index: int) -> bool:
    """Whether some lines that begin here have the shape of a mail's head: names with a colon, and in their values an address and a date.

    The first line is one of the names. Four of them and a date with a time will do: programs leave addresses out where they know a name.
    """
    block = [line for line in map(bare, lines[index : index + _FURTHEST]) if line][:_BLOCK]
    named = [at for at, line in enumerate(block) if field_name(line) is not None]
    if len(named) < _FIELDS:
        return False
    text = "\n".join(block[: named[-1] + 1])
    return (has_address(text) and has_date(text)) or (len(named) >= _SURELY and has_moment(text))


def is_line_of_fields(lines: Sequence[str]) -> bool:
    """Whether the first of some lines, which begins with a name, is such a block by itself, or a part of one that was wrapped.

    `From: ... Date: ... To: ...`
    """
    first = bare(lines[0])
    if len(_NAMES.findall(first)) < _FIELDS - 1:
        return False
    text = " ".join(map(bare, lines))
    return len(_NAMES.findall(text)) >= _FIELDS and has_date(text) and (has_address(text) or has_moment(text))


@cache
def _commands() -> frozenset[str]:
    """The first words of commands in all languages, which people write a colon behind."""
    words = (word for book in synonyms().books for pair in (*book.words.items(), *book.marked.items()) for word in pair)
    return frozenset({"say", "set", "key", *words})
