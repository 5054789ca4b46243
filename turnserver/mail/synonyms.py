"""Commands in other languages: a line becomes the English one that means the same, before anything else reads it."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.mail.language import Language, languages

_EDGES: Final = "*_~'\" "
_LIKENESS: Final = 0.8


class Synonyms(NamedTuple):
    """What other languages have: for whole `lines`, for their first `words`, and for `arguments`, the words behind those in English.

    All in lower case.
    """

    lines: Mapping[str, str]
    words: Mapping[str, str]
    arguments: Mapping[str, Mapping[str, str]]
    assent: frozenset[str]

    @classmethod
    def of(cls, some: Iterable[Language]) -> "Synonyms":
        """Those of some languages together; where they differ, the first has it."""
        lines: dict[str, str] = {}
        words: dict[str, str] = {}
        arguments: dict[str, dict[str, str]] = {}
        assent: set[str] = set()
        for one in reversed(tuple(some)):
            lines.update(_turned(one.lines))
            words.update(_turned(one.words))
            for command, meanings in one.arguments.items():
                arguments.setdefault(command, {}).update(_turned(meanings))
            assent.update(word.casefold() for word in one.assent)
        return cls(MappingProxyType(lines), MappingProxyType(words), MappingProxyType(arguments), frozenset(assent))

    def in_english(self, text: str) -> str:
        """A line without decoration as its writer would have put it in English; any other line as it is."""
        whole = self.lines.get(text.casefold())
        if whole is not None:
            return whole
        first, space, rest = text.partition(" ")
        bare = first.casefold().rstrip(_EDGES + ":")
        command = self.words.get(bare)
        if command is None:
            return text
        meanings = self.arguments.get(command, {})
        told = " ".join(_meaning(word, meanings) for word in rest.split(" ")) if meanings else rest
        return f"{command}{':' if ':' in first else ''}{space}{told}"

    def alike(self, word: str) -> str | None:
        """The first word of a command that `word`, in lower case, is a misspelling of."""
        close = get_close_matches(word, self.words, 1, _LIKENESS)
        return close[0] if close else None


@cache
def synonyms() -> Synonyms:
    """Those of all languages that there are."""
    return Synonyms.of(languages().values())


def _turned(meanings: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {word.casefold(): english for english, words in meanings.items() for word in words}


def _meaning(word: str, meanings: Mapping[str, str]) -> str:
    """One word of an argument, or its name in `tage=5`."""
    name, equals, value = word.partition("=")
    return f"{meanings.get(name.casefold(), name)}{equals}{meanings.get(value.casefold(), value)}"
