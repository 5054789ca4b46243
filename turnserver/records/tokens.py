"""The tokens of a record, each with its place."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from turnserver.errors import BadRecord


class Kind(Enum):
    """The kind of a token."""

    STRING = auto()
    COMMENT = auto()
    ROLL = auto()
    SIGN = auto()
    NUMBER = auto()
    RESULT = auto()
    LABEL = auto()
    WORD = auto()
    END = auto()


class Place(NamedTuple):
    """A place in a file. Both numbers count from 1."""

    line: int
    column: int


class Token(NamedTuple):
    """A token. `text` is without its marks and escapes."""

    kind: Kind
    text: str
    place: Place


UNKNOWN: Final = "?"
"""The mark of an unknown value in a heading."""

_HALF = "1/2"
_SHARE = rf"(?:1|0|{_HALF})"
_DELIMITED = r"\s\[\](){}<>;\""
# the order matters: a result such as 1-0 is tried before words, and a label, which ends in a colon, before the word that it begins with
_TOKEN = re.compile(
    rf"""
      (?P<blank> \s+ )
    | "(?P<string> (?:[^"\\\n]|\\[^\n])* )"
    | \{{(?P<comment> (?:[^}}\\]|\\.)* )\}}
    | <(?P<roll> [^<>\[\](){{}};"]* )>
    | (?P<sign> [\[\]();] )
    | (?P<number> [0-9]+ )\.+
    | (?P<result> \*|(?i:void)|{_SHARE}(?:-{_SHARE})+ ) (?=[{_DELIMITED}]|$)
    | (?P<label> [^\W\d][\w-]* ):
    | (?P<word> [^{_DELIMITED}]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{1,6});|(.))", re.DOTALL)
_UNFINISHED = {'"': "this quotation mark has no partner on its line", "{": "this comment does not end", "<": "this roll does not end"}
_LAST_CHARACTER = 0x10FFFF


def tokens(text: str, line: int = 1) -> Iterator[Token]:
    """Yield the tokens of a text from a line on, the last one of kind END.

    Raise BadRecord where no token begins, possibly after some tokens.
    """
    # reading goes on behind a game that is wrong, so it may begin anywhere
    begins = at = sum(len(each) for each in text.splitlines(keepends=True)[: line - 1]) if line > 1 else 0
    while at < len(text):
        place = Place(line, at - begins + 1)
        found = _TOKEN.match(text, at)
        if found is None:
            raise BadRecord(place, _UNFINISHED.get(text[at], f"{text[at]!r} has no meaning here"))
        kind, inner = str(found.lastgroup), found[str(found.lastgroup)]
        if kind != "blank":
            yield Token(Kind[kind.upper()], _inner(kind, inner, place), place)
        if feeds := found[0].count("\n"):
            line, begins = line + feeds, at + found[0].rindex("\n") + 1
        at = found.end()
    yield Token(Kind.END, "", Place(line, at - begins + 1))


def quoted(text: str) -> str:
    """Return the text between the quotation marks of a string that means `text`."""
    if not text:
        return UNKNOWN
    # a name that is a question mark is not an unknown name
    return "\\?" if text == UNKNOWN else _escaped(text, '"\\')


def commented(text: str) -> str:
    """Return the text between the braces of a comment that says `text`."""
    return _escaped(text, "}\\")


def _escaped(text: str, special: str) -> str:
    return "".join(f"\\{each}" if each in special else each if each.isprintable() else f"\\u{ord(each):x};" for each in text)


def _inner(kind: str, text: str, place: Place) -> str:
    match kind:
        case "string":
            return "" if text == UNKNOWN else _unescaped(text, place)
        case "comment":
            return " ".join(_unescaped(text, place).split())
        case "roll":
            return " ".join(text.split())
        case "result":
            return text.lower()
    return text


def _unescaped(text: str, place: Place) -> str:
    def meant(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[2]
        if (code := int(found[1], 16)) > _LAST_CHARACTER or 0xD800 <= code <= 0xDFFF:  # halves of a pair in UTF-16
            raise BadRecord(place, f"there is no character {found[0]}")
        return chr(code)

    return _ESCAPED.sub(meant, text)
