"""Read the parts of a mail that count before its sender is known: reply keys, and requests of people without an account.

The lines of known players are read by `turnserver.mail.inbound.one_line`, which knows none of these: to a player "join us" is conversation.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from turnserver.mail.format.tokens import like_token
from turnserver.mail.inbound.synonyms import synonyms

MAX_LINES: Final = 150
MAX_LINE: Final = 300

_MARKS: Final = "*_~'\"`.!,;: \u2018\u2019\u201c\u201d"
_WORD: Final = re.compile(r"[*_]{0,2}(key|join|confirm)\b[*_]{0,2}:?(.*)", re.IGNORECASE)


class Keyed(NamedTuple):
    """The reply keys that lines name, in their order and not verified, and the other lines."""

    keys: tuple[str, ...]
    lines: tuple[str, ...]


def keyed(lines: Sequence[str]) -> Keyed:
    """Separate lines such as `key 8-h-5-0-1-...` from the others. A line without a well-formed key is one of the others."""
    found = {at: key for at, (word, key) in _worded(lines) if word == "key" and like_token(key)}
    return Keyed(tuple(dict.fromkeys(found.values())), tuple(line for at, line in enumerate(lines) if at not in found))


def names_wanted(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the names in lines such as `join Ada`, each once."""
    return tuple(dict.fromkeys(name for _, (word, name) in _worded(lines) if word == "join" and name))


def confirms(lines: Sequence[str]) -> bool:
    """Return whether a line is the word `confirm` and nothing else."""
    return any(word == "confirm" and not rest for _, (word, rest) in _worded(lines))


def spoken(lines: Sequence[str]) -> str | None:
    """Return the key of the language of the first such line that is not English. None if there is no such line."""
    found = (synonyms().read(_bare(lines[at])).book for at, _ in _worded(lines))
    return next((book.language.key for book in found if book is not None), None)


def _worded(lines: Iterable[str]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the place of each line that begins with a word known here, with that word and the text behind it."""
    for at, line in enumerate(islice(lines, MAX_LINES)):
        found = _WORD.fullmatch(synonyms().read(_bare(line)).text)
        if found:
            yield at, (found[1].lower(), found[2].strip(_MARKS + "<>"))


def _bare(line: str) -> str:
    return " ".join(line[:MAX_LINE].split()).strip(_MARKS)
