"""What players may write about who sits at the table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from turnserver.mail.inbound.synonyms import synonyms

MOST_WORDS: Final = 4
"""A name of more words is a sentence that begins with one of ours."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Propose to ask somebody, named in any way, to take a seat over: `substitute Carl`; without a name, want nobody any more."""

    name: str | None = None


def written(phrase: Substitute) -> str:
    """The phrase as its writer may have put it."""
    return f"substitute {phrase.name or 'off'}"


def _substitute(argument: str, _games: frozenset[str]) -> Substitute | None:
    """`Carl`, `off`."""
    if argument.casefold() in synonyms().argument("substitute", "off"):
        return Substitute()
    return Substitute(argument) if len(argument.split()) <= MOST_WORDS else None


WITH_ARGUMENT: Final[Mapping[str, Callable[[str, frozenset[str]], Substitute | None]]] = MappingProxyType({"substitute": _substitute})
"""What reads the words behind a first word."""
