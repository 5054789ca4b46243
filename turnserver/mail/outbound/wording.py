"""Words for people: names made safe, instants in their own zone, spans of time, text within 72 columns."""

import textwrap
import unicodedata
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_datetime

from turnserver.mail.outbound.language import ENGLISH
from turnserver.play.events import TurnClock
from turnserver.text import Sentence, Tongue, Words, joined, say, with_texts

COLUMNS: Final = 72
LONGEST_NAME: Final = 60
LONGEST_SPEECH: Final = 4000
_HOUR: Final = "HH"
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Instant(Words):
    """A moment of local time, written by a pattern of Unicode TR 35 that every language has one of its own for.

    In the hour that comes twice a year the offset from UTC stands behind it: `Sun 31 Oct, 02:30 +01:00`.
    """

    __slots__ = ("at", "pattern")

    at: datetime
    pattern: Sentence

    def __new__(cls, at: datetime, pattern: Sentence) -> Self:
        """In English until it is told in another language."""
        made = super().__new__(cls, _formatted(at, pattern, ENGLISH))
        made.at, made.pattern = at, pattern
        return made

    def retold(self, tongue: Tongue) -> str:
        """See `Words.retold`."""
        return _formatted(self.at, self.pattern.retold(tongue), tongue.key)


def _formatted(at: datetime, pattern: str, language: str) -> str:
    exact = f"{pattern} xxx" if _HOUR in pattern and _comes_twice(at) else pattern
    return format_datetime(at, exact, tzinfo=at.tzinfo, locale=Locale.parse(language, sep="-"))


def _comes_twice(at: datetime) -> bool:
    """Whether clocks are set back over this time, so that only its offset from UTC tells it from the one before or after it."""
    return at.replace(fold=1 - at.fold).utcoffset() != at.utcoffset()


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """Text from a person on one line: control, direction and line characters become spaces, runs of spaces one, and the rest is cut.

    In a sentence of ours that holds for whatever stands in it, each by itself.
    """
    if isinstance(text, Words):
        return with_texts(text, lambda part: one_line(part, longest))
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
    return _in_zone(Instant(at.astimezone(zone_of(zone)), say("EEEE d MMMM y, HH:mm")))


def short_time(at: datetime, zone: str) -> str:
    """`Tue 24 Nov, 08:00`."""
    return Instant(at.astimezone(zone_of(zone)), say("EEE d MMM, HH:mm"))


def deadline_time(at: datetime, zone: str) -> str:
    """`Tue 24 Nov, 08:00 (Europe/Berlin)`, for the line of a mail that names a deadline first."""
    return _in_zone(Instant(at.astimezone(zone_of(zone)), say("EEE d MMM, HH:mm")))


def _in_zone(time: Instant) -> str:
    return say("{time} ({zone})", time=time, zone=str(time.at.tzinfo))


def beginning(at: datetime, zone: str) -> str:
    """When something long begins: `Thu 1 Jul 2027` for the beginning of a day, else with the time."""
    return _day(at, zone) if _is_midnight(at, zone) else _minute(at, zone)


def ending(at: datetime, zone: str) -> str:
    """Until when something long lasts: `the end of Wed 14 Jul 2027` where that is midnight, else with the time."""
    return say("the end of {day}", day=_day(at - timedelta(hours=1), zone)) if _is_midnight(at, zone) else _minute(at, zone)


def _is_midnight(at: datetime, zone: str) -> bool:
    local = at.astimezone(zone_of(zone))
    return local.time() == time() and not local.fold  # a midnight that comes again, as in Havana, begins no day


def _day(at: datetime, zone: str) -> str:
    return Instant(at.astimezone(zone_of(zone)), say("EEE d MMM y"))


def _minute(at: datetime, zone: str) -> str:
    return Instant(at.astimezone(zone_of(zone)), say("EEE d MMM y, HH:mm"))


def record_time(at: datetime, zone: str) -> str:
    """`2026-11-24 08:00`, or `2027-10-31 02:30+01:00` in the hour that comes twice."""
    local = at.astimezone(zone_of(zone))
    return local.isoformat(" ", "minutes") if _comes_twice(local) else f"{local:%Y-%m-%d %H:%M}"


def span(length: timedelta) -> str:
    """A span in its two largest units, rounded down: `2 days 23 hours`, `5 hours 10 minutes`, `less than a minute`."""
    minutes = int(length.total_seconds()) // 60
    days, hours = divmod(minutes // 60, 24)
    parts = (in_days(days), in_hours(hours)) if days else (in_hours(hours), in_minutes(minutes % 60))
    return joined(" ", [part for part in parts if part]) or say("less than a minute")


def time_left(length: timedelta) -> str:
    """As `span`, but to the nearest hour, or minute within a day: a mail that leaves seconds after it was written says `3 days` too."""
    minutes = timedelta(minutes=round(length / timedelta(minutes=1)))
    return span(minutes if minutes < timedelta(days=1) else timedelta(hours=round(minutes / timedelta(hours=1))))


def until(deadline: datetime, now: datetime) -> str:
    """`in 2 days 23 hours`, or that the time is up."""
    return say("in {span}", span=time_left(deadline - now)) if deadline > now else say("the time is up")


def when_due(clock: TurnClock, deadline: str, now: datetime | None = None) -> str:
    """By when a turn must have arrived, to stand behind a comma: the `deadline` in the reader's words, and how long that is from `now`."""
    if clock.time is None:
        return say("without a limit of time")
    if clock.deadline is None:
        return say("for which the clock stands still")
    if now is None:
        return say("until {deadline}", deadline=deadline)
    return say("until {deadline}, {left}", deadline=deadline, left=until(clock.deadline, now))


def in_days(number: int) -> str:
    """`1 day`, `2 days`, nothing for none."""
    return say("{n} day", "{n} days", n=number) if number else ""


def in_hours(number: int) -> str:
    """`1 hour`, `2 hours`, nothing for none."""
    return say("{n} hour", "{n} hours", n=number) if number else ""


def in_minutes(number: int) -> str:
    """`1 minute`, `2 minutes`, nothing for none."""
    return say("{n} minute", "{n} minutes", n=number) if number else ""


def counted(number: int, noun: str) -> str:
    """`1 turn`, `2 turns`, in English only: for people who administer."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
