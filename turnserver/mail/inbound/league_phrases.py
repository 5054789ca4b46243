"""What players may write about leagues.

Words such as `ready` and `leave` begin many sentences. So a line is a command only if a league stands behind its word: by number
(`league-3`, `league 3`, `3`), or by the whole name of one that there is. In an answer to a mail about a league, the word alone is enough.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

from turnserver.mail.inbound.synonyms import alike, synonyms


@dataclass(frozen=True, slots=True)
class Join:
    """Enter the season of a league: `join league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave it, before its start or later: `leave league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Say that one is there: `ready league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Table:
    """Send how a league stands: `table league-3`, `league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Leagues:
    """List the leagues."""


LeagueDeed: TypeAlias = Join | Leave | Ready
LeagueQuestion: TypeAlias = Table | Leagues
Naming: TypeAlias = LeagueDeed | Table

WORDS: Final[Mapping[str, type[Naming]]] = MappingProxyType(
    {"join": Join, "enter": Join, "leave": Leave, "ready": Ready, "table": Table, "standings": Table, "league": Table}
)
"""The first words; those of our own mails are the names of what they mean."""

FIXED: Final = MappingProxyType(dict.fromkeys(("leagues", "list leagues", "show leagues", "all leagues"), Leagues()))
_FILLERS: Final = frozenset({"the", "for", "from", "of", "in", "into"})
_EDGES: Final = "*_~'\"<>: "
_MISSPELLED: Final = re.compile(r"([^\W\d_]{3,10})[- #]?([0-9]{1,9})")
_LIKENESS: Final = 0.8
_LONGEST: Final = 60


def read(text: str, leagues: Collection[str], answered: str) -> Naming | None:
    """The phrase that a whole line is.

    `leagues` are the names of those that there are, in lower case; `answered` is the one whose mail is answered, empty if it is none's.
    """
    alone = numbered(text)
    if alone is not None:
        return Table(alone)
    word, rest = _parted(text)
    kind = WORDS.get(word)
    if kind is None:
        return None
    if not rest:
        return kind(answered) if answered else None
    league = named(rest, leagues) or (f"league-{rest}" if rest.isascii() and rest.isdigit() and len(rest) < _DIGITS else None)
    return None if league is None else kind(league)


def nearly(text: str, leagues: Collection[str]) -> tuple[str, Naming] | None:
    """What a line may have been meant as that is no phrase: what to write, and what that is."""
    word, rest = _parted(text)
    meant = word if word in WORDS else alike(word, WORDS)
    if meant is None or len(text) > _LONGEST:
        return None
    league = named(rest, leagues) or _nearly_named(rest, leagues)
    if league is None:
        return None
    return f"{WORDS[meant].__name__.casefold()} {league}", WORDS[meant](league)


def named(text: str, leagues: Collection[str]) -> str | None:
    """The league that some words name, by its number or by its whole name."""
    bare = " ".join(text.split()).strip(_EDGES)
    number = numbered(bare)
    return number if number is not None else bare if bare.casefold() in leagues else None


def numbered(text: str) -> str | None:
    """`league-3` for a text that is that, or nearly: `League 3`, `liga-3`."""
    found = _number().fullmatch(text.strip(_EDGES))
    return f"league-{int(found[1])}" if found else None


def begins_like_one(text: str) -> str | None:
    """The word of ours that a line begins with; None if it begins with none."""
    word, _ = _parted(text)
    return WORDS[word].__name__.casefold() if word in WORDS else None


def written(phrase: Naming) -> str:
    """The phrase as its writer may have put it."""
    return f"{type(phrase).__name__.casefold()} {phrase.league}"


_DIGITS: Final = 10


@cache
def _number() -> re.Pattern[str]:
    words = sorted(synonyms().first_words("league")[0], key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})[- ]?#?([0-9]{{1,9}})", re.IGNORECASE)


def _parted(text: str) -> tuple[str, str]:
    """The first word in lower case, and what stands behind it, less words that mean nothing there."""
    first, _, rest = text.partition(" ")
    words = rest.strip(_EDGES).split()
    while len(words) > 1 and words[0].casefold() in _FILLERS:
        del words[0]
    return first.casefold().strip(_EDGES), " ".join(words)


def _nearly_named(text: str, leagues: Collection[str]) -> str | None:
    """The league that some words nearly name."""
    found = _MISSPELLED.fullmatch(text)
    if found and alike(found[1].casefold(), synonyms().first_words("league")[0]):
        return f"league-{int(found[2])}"
    return next(iter(get_close_matches(text.casefold(), leagues, 1, _LIKENESS)), None) if len(text) <= _LONGEST else None
