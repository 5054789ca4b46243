"""Tolerant reading of steps: the characters and spellings that every notation accepts.

People write on keyboards of other alphabets and in full width, and telephones put characters in that nobody typed. A character that looks
like one of the notation is read as that one. Where that is not certain, it is not read, and `foreign_letter` names it.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from turnserver.text import say

_AROUND: Final = " .,;:!\"'()[]*_`\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2026\u3001\u3002"
_DASH: Final = re.compile("->|=>|>")

_DASHES: Final = "\u02d7\u2043\u2212\u2500\u2796\u30fc"
"""Dashes that Unicode does not count among the dashes."""

_ARROWS: Final = "\u2192\u21d2\u2794\u2799\u279b\u279c\u279d\u279e\u27a1\u27f6"
_TIMES: Final = "\u00d7\u2715\u2716\u2a2f\u2573\u274c"
_UNSEEN: Final = "\u034f\u115f\u1160\u3164\uffa0"
"""Characters that show nothing, besides those that only format (Cf) and the variation selectors."""

_PLAIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys((*_DASHES, *_ARROWS), "-"),
        **dict.fromkeys(_TIMES, "x"),
        **dict.fromkeys((*_UNSEEN, *map(chr, range(0xFE00, 0xFE10))), ""),
        "\u2795": "+",
        "\u2800": " ",
        "\u0131": "i",
        "\u0251": "a",
        "\u0261": "g",
    }
)
"""The meaning of some characters, wherever they stand."""

_TWINS: Final = (
    ("АВЕЅІЈКМНОРСТХҮаеѕіјорсухһԁԛԝ", "ABESIJKMHOPCTXYaesijopcyxhdqw"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορ", "ABEZHIKMNOPTYXaivop"),
)
_LETTERS: Final = {ord(letter): twin for pair in _TWINS for letter, twin in zip(*pair, strict=True)}
"""Cyrillic and Greek letters that look like a Latin one (from the confusables of Unicode TR 39)."""

_LOOKS: Final = {ord(chr(letter).casefold()): twin.casefold() for letter, twin in _LETTERS.items()}
"""The same without case, for comparing: a letter that looks like a Latin one in either case counts as that one."""

_NEVER_SEEN: Final = frozenset((*_UNSEEN, "\u17b4", "\u17b5", "\u2800", *map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10)))))
_ALPHABETS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK"})

_LONGEST: Final = 100
"""The most characters that a step may have. A longer text is somebody's letter and not worth the work."""

_WORD: Final = re.compile(r"\w+")
_NOTATION: Final = re.compile(r"[0-9A-Za-z]")
_SQUARE: Final = re.compile(r"(?<![^\W\d_])[\u0370-\u03ff\u0400-\u04ff](?=[0-9])")


def plain(text: str) -> str:
    """Return the text in small letters with single blanks, dashes and arrows as hyphens, without quotes and punctuation around it.

    A character that looks like one of the notation becomes that one, and invisible characters are left out. A letter of another alphabet is
    read only in a word with a digit or a Latin letter in it; elsewhere it belongs to somebody's language.
    """
    return _DASH.sub("-", " ".join(_as_it_looks(text).lower().split()).strip(_AROUND))


def foreign_letter(text: str) -> str:
    """Return a sentence that names the first Cyrillic or Greek letter that `plain` leaves in the text. Empty if it leaves none."""
    for letter in _as_it_looks(text):
        match _alphabet(letter):
            case "CYRILLIC":
                return say('The letter "{letter}" in that is Cyrillic. Write a Latin one.', letter=letter)
            case "GREEK":
                return say('The letter "{letter}" in that is Greek. Write a Latin one.', letter=letter)
    return ""


def shows_nothing(character: str) -> bool:
    """Return whether nobody sees a character that is no blank."""
    return character in _NEVER_SEEN or unicodedata.category(character) == "Cf" or "\U000e0100" <= character <= "\U000e01ef"


def mixes_alphabets(text: str) -> bool:
    """Return whether a word of the text has letters of two alphabets that look alike: Latin, Cyrillic and Greek."""
    if text.isascii():
        return False
    words = _WORD.findall(unicodedata.normalize("NFKC", text))
    return any(len(_ALPHABETS.intersection(map(_alphabet, word))) > 1 for word in words)


def skeleton(text: str) -> str:
    """Return the form in which texts are compared by what they look like, whatever their case.

    It is in no width and no alphabet of its own, and has nothing that nobody sees. Texts that differ by case alone have one.
    """
    if text.isascii():
        return text.casefold()
    seen = "".join(character for character in unicodedata.normalize("NFKC", text) if not shows_nothing(character))
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold()).translate(_LOOKS)


# kept, since each game that a line may be a step of asks for it
@lru_cache(maxsize=64)
def with_latin_squares(text: str) -> str | None:
    """Return the text with an `a` for every Cyrillic or Greek letter that stands like the letter of a square; None if there is none.

    So a caller can tell whether the text was meant as a step. Which letter was meant nobody knows.
    """
    if text.isascii() or len(text) > _LONGEST:
        return None
    looks = _as_it_looks(text)
    latin, found = _SQUARE.subn("a", looks)
    return latin if found else None


@lru_cache(maxsize=64)
def _as_it_looks(text: str) -> str:
    if text.isascii() or len(text) > _LONGEST:
        return text
    return _WORD.sub(_with_twins, "".join(map(_character, text)))


def _with_twins(word: re.Match[str]) -> str:
    """Return a word with Latin letters for their twins, if all its letters are Latin then and some of it was notation before."""
    written = word[0]
    if written.isascii() or not _NOTATION.search(written):
        return written
    latin = written.translate(_LETTERS)
    return latin if latin.isascii() else written


# kept, since a mail repeats its characters
@lru_cache(maxsize=4_096)
def _character(character: str) -> str:
    """Return the meaning of a character: a plain digit, Latin letter or dash, the character itself, or nothing."""
    if character.isascii():
        return character
    if character in _PLAIN:
        return _PLAIN[character]
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    if category == "Pd":
        return "-"
    if category == "Nd":
        return str(unicodedata.decimal(character))
    # full width letters and the like; a character that becomes several would shift what stands behind it
    same = unicodedata.normalize("NFKC", character)
    return same if len(same) == 1 and same.isascii() and (same.isalnum() or same in " +:,.-") else character


def _alphabet(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]
