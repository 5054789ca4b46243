"""What players may write about time: the phrases, and reading what stands behind their first words."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Pause:
    """Propose a pause of so many days, or of as many as is usual: `pause 14 days`."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """End the pause."""


TimeDeed: TypeAlias = Pause | Resume
"""What changes the clocks of the game that the mail is about."""

FIXED: Final[Mapping[str, TimeDeed]] = MappingProxyType(
    {
        **dict.fromkeys(("pause", "a pause", "propose a pause", "pause the game"), Pause()),
        **dict.fromkeys(("resume", "resume the game", "end the pause", "end pause", "pause off"), Resume()),
    }
)
"""Lines that are phrases as they stand."""

_SPAN: Final = re.compile(r"(?:for |of )?(?P<number>\d{1,4}|an?|one)(?: (?P<unit>days?|weeks?))?", re.IGNORECASE)


def written(phrase: TimeDeed) -> str:
    """The phrase as its writer may have put it."""
    match phrase:
        case Pause(days=int() as days):
            return f"pause {days} days"
        case _:
            return type(phrase).__name__.lower()


def span_in_days(text: str) -> int | None:
    """How many days `10 days`, `10`, `for 2 weeks` or `a week` are; None if it is no such span."""
    found = _SPAN.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    number = int(found["number"]) if found["number"].isdigit() else 1
    return number * (7 if (found["unit"] or "").casefold().startswith("week") else 1)


def _pause(argument: str, _games: frozenset[str]) -> Pause | None:
    days = span_in_days(argument)
    return None if days is None else Pause(days)


WITH_ARGUMENT: Final[Mapping[str, Callable[[str, frozenset[str]], TimeDeed | None]]] = MappingProxyType({"pause": _pause})
"""What reads the words behind a first word."""
