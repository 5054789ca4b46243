"""What players may write about time: the phrases, and reading what stands behind their first words."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

from turnserver.mail.synonyms import synonyms


@dataclass(frozen=True, slots=True)
class Pause:
    """Propose a pause of so many days, or of as many as is usual: `pause 14 days`."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """End the pause."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """Offer to play a game on that was lost on time."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """Ask whoever has the turn for the move."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """Ask about the sender's vacations, declare one, or end one.

    From the `first` day to the `last` one, or for so many `days` from now on; `off` ends the one of that `number`, or else the current one.
    """

    first: date | None = None
    last: date | None = None
    days: int | None = None
    off: bool = False
    number: int | None = None

    @property
    def asks(self) -> bool:
        """Whether it changes nothing."""
        return self == Vacation()


TimeDeed: TypeAlias = Pause | Resume | Nudge | Reopen
"""What changes the clocks of the game that the mail is about."""

FIXED: Final[Mapping[str, TimeDeed | Vacation]] = MappingProxyType(
    {
        **dict.fromkeys(("pause", "a pause", "propose a pause", "pause the game"), Pause()),
        **dict.fromkeys(("resume", "resume the game", "end the pause", "end pause", "pause off"), Resume()),
        **dict.fromkeys(("nudge", "nudge them", "send a reminder"), Nudge()),
        **dict.fromkeys(("reopen", "reopen the game", "play on"), Reopen()),
        **dict.fromkeys(("vacation", "vacations", "my vacation", "my vacations", "show vacation"), Vacation()),
        **dict.fromkeys(("vacation off", "end vacation", "end my vacation", "end the vacation"), Vacation(off=True)),
    }
)
"""Lines that are phrases as they stand."""

_FILLERS: Final = ("for", "of")
_ONE: Final = ("a", "an", "one")
_LONGEST_NUMBER: Final = 4
_ISO: Final = re.compile("(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})")
_DOTTED: Final = re.compile(r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})")
_UNITS: Final = {"day": 1, "days": 1, "week": 7, "weeks": 7}


def written(phrase: TimeDeed | Vacation) -> str:
    """The phrase as its writer may have put it."""
    match phrase:
        case Vacation(first=date() as first, last=date() as last):
            return f"vacation {first.isoformat()} to {last.isoformat()}"
        case Vacation(days=int() as days):
            return f"vacation {days} days"
        case Vacation(off=True):
            return f"vacation off {phrase.number or ''}".rstrip()
        case Pause(days=int() as days):
            return f"pause {days} days"
        case Vacation() | Pause() | Resume() | Nudge() | Reopen():
            return type(phrase).__name__.lower()
        case _:
            assert_never(phrase)


def span_in_days(text: str) -> int | None:
    """How many days `10 days`, `10`, `for 2 weeks` or `a week` are, in any language; None if it is no such span."""
    words = [_english(word) for word in text.casefold().split()]
    match words[1:] if words[:1] and words[0] in _FILLERS else words:
        case [number]:
            unit = "days"
        case [number, unit]:
            pass
        case _:
            return None
    count = 1 if number in _ONE else int(number) if _is_number(number) else None
    return None if count is None or unit not in _UNITS else count * _UNITS[unit]


def _vacation(argument: str, _games: frozenset[str]) -> Vacation | None:
    """`2027-07-01 to 2027-07-14`, `10 days`, `off`, `off 2`."""
    words = argument.casefold().split()
    if words[:1] and (words[0] == "off" or words[0] in synonyms().argument("vacation", "off")):
        rest = words[1:]
        return Vacation(off=True, number=int(rest[0]) if rest else None) if all(map(_is_number, rest)) and len(rest) < 2 else None
    days = span_in_days(argument)
    if days is not None:
        return Vacation(days=days)
    joint = synonyms().argument("vacation", "to") | synonyms().argument("vacation", "until") | {"-"}
    begins = synonyms().argument("vacation", "from")
    dates = [_day(word.strip(",")) for word in words if word not in joint | begins]
    match dates:
        case [date() as first, date() as last] if first <= last:
            return Vacation(first, last)
    return None


def _day(word: str) -> date | None:
    """`2027-07-01` or `1.7.2027`; None for a day that there is not."""
    found = _ISO.fullmatch(word) or _DOTTED.fullmatch(word)
    if found is None:
        return None
    with suppress(ValueError):
        return date(int(found["year"]), int(found["month"]), int(found["day"]))
    return None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _LONGEST_NUMBER


def _end(argument: str, _games: frozenset[str]) -> Vacation | None:
    """`end vacation 2`."""
    words = argument.casefold().split()
    match words:
        case ["vacation", number] if _is_number(number):
            return Vacation(off=True, number=int(number))
    return None


def _english(word: str) -> str:
    """What a word about a span of time means, in whatever language it is; `tage` behind an English command is welcome too."""
    return next((meaning for meaning in (*_FILLERS, *_ONE, *_UNITS) if word in synonyms().argument("pause", meaning)), word)


def _pause(argument: str, _games: frozenset[str]) -> Pause | None:
    days = span_in_days(argument)
    return None if days is None else Pause(days)


WITH_ARGUMENT: Final[Mapping[str, Callable[[str, frozenset[str]], TimeDeed | Vacation | None]]] = MappingProxyType(
    {"pause": _pause, "vacation": _vacation, "end": _end}
)
"""What reads the words behind a first word."""
