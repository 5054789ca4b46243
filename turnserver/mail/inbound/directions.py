"""Lines by which somebody directs a league: `league-3 result 4 win-loss because Bob is away`, in any language.

The league stands first, by its number, so that no sentence and no command of a player is taken for one of these.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.league.scoring.written import result_at_end
from turnserver.mail.inbound.phrases import Direct, numbered_league
from turnserver.mail.inbound.synonyms import Wordbook, alike, any_of, synonyms
from turnserver.mail.inbound.time_phrases import read_give
from turnserver.text import say

WRITING: Final = "mail"
"""The act that writes to players: its words are the lines below it."""

_EDGES: Final = "*_~'\" :"
_AND: Final = re.compile(r" ?(?:,|&|\band\b|\bund\b) ?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_BY: Final = frozenset({"all", "by", "alle", "noch", "um"})
"""Words that may stand before the time by which deadlines are moved."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")


def _result(words: str) -> tuple[str, ...] | None:
    parts = words.split()
    size = result_at_end([_in_english_marks(part) for part in parts])
    named = names(" ".join(parts[: len(parts) - size]))
    return (*named, " ".join(map(_in_english_marks, parts[len(parts) - size :]))) if size and named else None


def _extended(words: str) -> tuple[str, ...] | None:
    parts = words.split()
    # A time has two words to four, as in `them a week more`; what stands before it is a meeting.
    for size in (4, 3, 2):
        given = read_give(" ".join(parts[-size:]), frozenset())
        if given is not None:
            meeting = parts[:-size]
            while meeting and meeting[-1].casefold() in _BY:
                meeting.pop()
            return (*names(" ".join(meeting)), str(given.hours))
    return None


def _order(words: str) -> tuple[str, ...] | None:
    division, _, rest = words.partition(" ")
    players = names(rest)
    return (division, *players) if len(players) > 1 else None


def _one(words: str) -> tuple[str, ...] | None:
    return (words,) if words else None


def _two(words: str) -> tuple[str, ...] | None:
    players = names(words)
    return players if len(players) == 2 else None


def _readers(words: str) -> tuple[str, ...] | None:
    """Read to whom something is written: all, `division 1.2` or `round 2`. The words that are written follow when the mail is read."""
    kind, _, name = words.partition(" ")
    kind, name = synonyms().in_english("direct", kind.casefold()), name.strip(_EDGES)
    if kind == "round":
        return ("", name) if _NUMBER.fullmatch(name) else None
    return ("", "") if not words else (name, "") if kind == "division" and name and " " not in name else None


def _nothing(words: str) -> tuple[str, ...] | None:
    return None if words else ()


class Act(NamedTuple):
    """Something that may be written behind a league: what reads the words behind it, or returns None, and its form, for its writer."""

    read: Callable[[str], tuple[str, ...] | None]
    form: Callable[[str], str]


ACTS: Final[Mapping[str, Act]] = MappingProxyType(
    {
        "result": Act(_result, lambda league: say("{league} result <meeting> <result>", league=league)),
        "extend": Act(_extended, lambda league: say("{league} extend <meeting> <time>", league=league)),
        "playoff": Act(_order, lambda league: say("{league} playoff <division> <players>", league=league)),
        "approve": Act(_nothing, lambda league: say("{league} approve", league=league)),
        "remind": Act(_nothing, lambda league: say("{league} remind", league=league)),
        WRITING: Act(_readers, lambda league: say("{league} mail <lines below>", league=league)),
        "enter": Act(_one, lambda league: say("{league} enter <player>", league=league)),
        "withdraw": Act(_one, lambda league: say("{league} withdraw <player>", league=league)),
        "return": Act(_one, lambda league: say("{league} return <player>", league=league)),
        "remove": Act(_one, lambda league: say("{league} remove <player>", league=league)),
        "substitute": Act(_two, lambda league: say("{league} substitute <player>, <player>", league=league)),
        "open": Act(_nothing, lambda league: say("{league} open", league=league)),
        "start": Act(_nothing, lambda league: say("{league} start", league=league)),
        "pause": Act(_nothing, lambda league: say("{league} pause", league=league)),
        "resume": Act(_nothing, lambda league: say("{league} resume", league=league)),
    }
)
"""The acts by their first words."""


def usage(league: str, act: str) -> str:
    """Return the form of an act, for its writer."""
    return ACTS[act].form(league)


def read_directing(argument: str, _games: frozenset[str]) -> Direct | None:
    """Read a direction behind the word `direct`, which may be left out."""
    return read_direction(argument)


def read_direction(text: str) -> Direct | None:
    """Return the direction that a whole line is, or None."""
    parted = _parted(text)
    if parted is None or parted[1] not in ACTS:
        return None
    league, act, rest = parted
    words, *why = _because().split(rest, maxsplit=1)
    found = ACTS[act].read(words.strip(_EDGES + ","))
    return None if found is None else Direct(league, act, found, why[0].strip() if why else "", text)


def nearly_direction(text: str) -> tuple[str, Direct | None] | None:
    """Return the direction that a line may have been meant as: as text, and as a phrase if all but its first word is as it should be."""
    parted = _parted(text)
    if parted is None:
        return None
    league, act, rest = parted
    meant = act if act in ACTS else alike(act, ACTS) or synonyms().argument_like("direct", act)
    # Some words of a language mean what stands behind an act.
    if meant is None or meant not in ACTS:
        return None
    # A line alone does not say what is written below it, so a yes to it would not do.
    if meant == WRITING:
        return usage(league, meant), None
    book = _book(text, act)
    begin = f"{book.in_words('league')}{league.removeprefix('league')} {book.argument('direct', meant)}" if book else f"{league} {meant}"
    line = f"{begin} {rest}".rstrip()
    found = read_direction(line)
    return (usage(league, meant), None) if found is None else (line, found)


def names(words: str) -> tuple[str, ...]:
    """Return the names in `Ada, Bob and Carl Miller`."""
    return tuple(name.strip(_EDGES) for name in _AND.split(words) if name.strip(_EDGES))


def _parted(text: str) -> tuple[str, str, str] | None:
    """Return the league, the first word behind it in English, and all words behind that, as written. None without a league."""
    words = text.split()
    # `League 3` has two words, `league-3` has one.
    for size in (1, 2):
        league = numbered_league(" ".join(words[:size])) if len(words) > size else None
        if league is not None:
            act = synonyms().in_english("direct", words[size].strip(_EDGES).casefold())
            return league, act, " ".join(words[size + 1 :])
    return None


def _book(text: str, act: str) -> Wordbook | None:
    """Return the wordbook of a line with a misspelled act: that of its word for a league, or else of the act. None for English."""
    league = synonyms().read(_LETTERS.findall(text)[0]).book
    return league or (None if alike(act, ACTS) else next((one for one in synonyms().books if one.argument_like("direct", act)), None))


def _in_english_marks(word: str) -> str:
    return "-".join(synonyms().in_english("direct", part) for part in word.casefold().split("-"))


@cache
def _because() -> re.Pattern[str]:
    words = any_of(synonyms().argument("direct", "because"))
    # a word with a colon ends with it: without one, it may be part of a name
    return re.compile(rf"(?:^|[\s,]+)(?:{words})(?:\b|(?<=:))[:\s]*", re.IGNORECASE)
