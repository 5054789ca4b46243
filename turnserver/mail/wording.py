"""Words for people: names made safe, instants in their own zone, spans of time, text within 72 columns."""

import textwrap
import unicodedata
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

COLUMNS: Final = 72
LONGEST_NAME: Final = 60
LONGEST_SPEECH: Final = 4000
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """Text from a person on one line: control, direction and line characters become spaces, runs of spaces one, and the rest is cut."""
    visible = "".join(" " if unicodedata.category(char) in _HIDDEN else char for char in text)
    line = " ".join(visible.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def lines_of(text: str) -> str:
    """Text from a person with its line breaks kept, each line made safe as in `one_line`, and blank lines dropped."""
    lines = (one_line(line, LONGEST_SPEECH) for line in text[:LONGEST_SPEECH].splitlines())
    return "\n".join(line for line in lines if line)


def wrap(text: str, first: str = "", rest: str = "") -> str:
    """Fill paragraphs to 72 columns, `first` before the first line of each and `rest` before its others. Line breaks in `text` are kept."""
    filled = (
        textwrap.fill(line, COLUMNS, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) for line in text.splitlines()
    )
    return "\n".join(filled)


def zone_of(name: str) -> tzinfo:
    """The time zone of that name, or UTC for one that this system does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def date_and_time(at: datetime, zone: str) -> str:
    """`Tuesday 24 November 2026, 08:00 (Europe/Berlin)`; the minute is the one that has begun."""
    local = at.astimezone(zone_of(zone))
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({local.tzinfo})"


def short_time(at: datetime, zone: str) -> str:
    """`Tue 24 Nov, 08:00`."""
    local = at.astimezone(zone_of(zone))
    return f"{local:%a} {local.day} {local:%b, %H:%M}"


def record_time(at: datetime, zone: str) -> str:
    """`2026-11-24 08:00`."""
    return f"{at.astimezone(zone_of(zone)):%Y-%m-%d %H:%M}"


def span(length: timedelta) -> str:
    """A span in its two largest units, rounded down: `2 days 23 hours`, `5 hours 10 minutes`, `less than a minute`."""
    minutes = int(length.total_seconds()) // 60
    days, hours = divmod(minutes // 60, 24)
    if days:
        return _counted((days, "day"), (hours, "hour"))
    return _counted((hours, "hour"), (minutes % 60, "minute")) or "less than a minute"


def until(deadline: datetime, now: datetime) -> str:
    """`in 2 days 23 hours`, or that the time is up."""
    return f"in {span(deadline - now)}" if deadline > now else "the time is up"


def counted(number: int, noun: str) -> str:
    """`1 turn`, `2 turns`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _counted(*parts: tuple[int, str]) -> str:
    return " ".join(counted(number, noun) for number, noun in parts if number)
