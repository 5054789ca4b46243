"""Spans of time as people write them and as they are told: `3d`, `36h`, `1d12h`, 1 day 12 hours."""

import re
from datetime import timedelta
from typing import Final

from turnserver.errors import BadOption
from turnserver.rules.options import shown
from turnserver.text import joined, say

SHORTEST: Final = timedelta(hours=1)
LONGEST: Final = timedelta(days=366)

SPAN: Final = "(?:[0-9]+ ?[a-z]+ ?)+"
"""What may be a span, as a regular expression for text without runs of spaces; it takes a space behind the span too."""

_NUMBER = "([0-9]{1,7}) ?"
_UNITS = re.compile(
    f"(?:{_NUMBER}(?:w|wks?|weeks?) ?)?(?:{_NUMBER}(?:d|days?) ?)?(?:{_NUMBER}(?:h|hrs?|hours?) ?)?(?:{_NUMBER}(?:m|mins?|minutes?))?",
    re.IGNORECASE,
)


def days_and_rest(text: str) -> tuple[int, timedelta]:
    """A span as it is written: weeks and days as a number of days, hours and minutes as an exact rest. Raises BadOption."""
    found = _UNITS.fullmatch(text.strip())
    if found is None:
        raise BadOption(say("{text} is no span of time. Write it like 3d, 36h, 1d12h or 2 weeks.", text=shown(text)))
    weeks, days, hours, minutes = (int(number or 0) for number in found.groups())
    whole, rest = weeks * 7 + days, timedelta(hours=hours, minutes=minutes)
    if not SHORTEST <= timedelta(days=whole) + rest <= LONGEST:
        raise BadOption(say("{text} will not do: a span of time is 1 hour to {days} days long.", text=shown(text), days=LONGEST.days))
    return whole, rest


def exact_span(text: str) -> timedelta:
    """A span as it is written, with days of 24 hours. Raises BadOption."""
    days, rest = days_and_rest(text)
    return timedelta(days=days) + rest


def span_text(span: timedelta) -> str:
    """An exact span of whole minutes as one writes it: `36h`, `2d`, `3d12h`, `1h30m`; below 48 hours without days."""
    days = span.days if span >= timedelta(hours=48) else 0
    return (f"{days}d" if days else "") + hours_text(span - timedelta(days=days))


def hours_text(span: timedelta) -> str:
    """A span of whole minutes as one writes it, without days; empty for nothing."""
    hours, minutes = divmod(span // timedelta(minutes=1), 60)
    return (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "")


def span_told(span: timedelta) -> str:
    """An exact span of whole minutes in words: `36 hours`, `2 days`, `3 days 12 hours`; below 48 hours without days."""
    days = span.days if span >= timedelta(hours=48) else 0
    return days_told(days, span - timedelta(days=days))


def days_told(days: int, rest: timedelta) -> str:
    """Days and an exact rest of whole minutes in words, such as `1 day 12 hours`."""
    hours, minutes = divmod(rest // timedelta(minutes=1), 60)
    parts = [
        say("{n} day", "{n} days", n=days) if days else "",
        say("{n} hour", "{n} hours", n=hours) if hours else "",
        say("{n} minute", "{n} minutes", n=minutes) if minutes else "",
    ]
    return joined(" ", [part for part in parts if part])
