"""What players may write about time: the phrases, and reading what stands behind their first words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from turnserver.mail.synonyms import synonyms


@dataclass(frozen=True, slots=True)
class Pause:
    """Propose a pause of so many days, or of as many as is usual: `pause 14 days`."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """End the pause."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """Ask whoever has the turn for the move."""


TimeDeed: TypeAlias = Pause | Resume | Nudge
"""What changes the clocks of the game that the mail is about."""

FIXED: Final[Mapping[str, TimeDeed]] = MappingProxyType(
    {
        **dict.fromkeys(("pause", "a pause", "propose a pause", "pause the game"), Pause()),
        **dict.fromkeys(("resume", "resume the game", "end the pause", "end pause", "pause off"), Resume()),
        **dict.fromkeys(("nudge", "nudge them", "send a reminder"), Nudge()),
    }
)
"""Lines that are phrases as they stand."""

_FILLERS: Final = ("for", "of")
_ONE: Final = ("a", "an", "one")
_LONGEST_NUMBER: Final = 4
_UNITS: Final = {"day": 1, "days": 1, "week": 7, "weeks": 7}


def written(phrase: TimeDeed) -> str:
    """The phrase as its writer may have put it."""
    match phrase:
        case Pause(days=int() as days):
            return f"pause {days} days"
        case _:
            return type(phrase).__name__.lower()


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
    count = 1 if number in _ONE else int(number) if number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER else None
    return None if count is None or unit not in _UNITS else count * _UNITS[unit]


def _english(word: str) -> str:
    """What a word about a span of time means, in whatever language it is; `tage` behind an English command is welcome too."""
    return next((meaning for meaning in (*_FILLERS, *_ONE, *_UNITS) if word in synonyms().argument("pause", meaning)), word)


def _pause(argument: str, _games: frozenset[str]) -> Pause | None:
    days = span_in_days(argument)
    return None if days is None else Pause(days)


WITH_ARGUMENT: Final[Mapping[str, Callable[[str, frozenset[str]], TimeDeed | None]]] = MappingProxyType({"pause": _pause})
"""What reads the words behind a first word."""
