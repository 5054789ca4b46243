"""Live time: the time that passes on a clock outside of weekends, holidays, nights and everything else that makes it stand still.

Every instant is an aware datetime in UTC. Wall-clock times are those of a zone on the day in question. A time that a change to summer time
skips is read with the offset before the gap, and a time that occurs twice is the first of the two (RFC 5545, 3.3.5).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_NOTHING = timedelta(0)
_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_LOOKED_AT = timedelta(days=20 * 366)
"""The farthest that a calendar is looked ahead. It covers 366 days of live time, the longest span.

With weekends and nights of 16 hours a week keeps 40 hours, so that span takes a bit over four years. Holidays take little more.
"""


class Off(NamedTuple):
    """A time during which a clock stands still. `ends` itself is outside; None means that no end is known.

    `why` is a key, not a sentence.
    """

    why: str
    begins: datetime
    ends: datetime | None


@dataclass(frozen=True, slots=True)
class Calendar:
    """The regular off-time of a seat, in its zone. A zone that this system does not know counts as UTC.

    A weekend lasts from Saturday's midnight to Monday's, a holiday from midnight to midnight. A `night` lasts from its first time of the
    day until the next occurrence of its second; there is no night if both are equal.
    """

    zone: str = "UTC"
    weekends: bool = False
    night: tuple[time, time] | None = None
    holidays: frozenset[date] = frozenset()

    @property
    def empty(self) -> bool:
        """True if the calendar has no off-time."""
        return not (self.weekends or self.night or self.holidays)

    def off(self, start: datetime, end: datetime) -> Iterator[Off]:
        """Yield every off-time that touches the time between two instants. The items are whole, in no order, and may overlap."""
        for off in (*self.days_off(start, end), *self._nights(start, end)):
            if off.ends is not None and off.begins < off.ends:
                yield off

    def days_off(self, start: datetime, end: datetime) -> Iterator[Off]:
        """Yield the weekends and holidays of `off`. A holiday on a Saturday that is off anyway is left out."""
        for day in self._days(start, end):
            if self.weekends and day.weekday() == 5:
                yield Off("weekend", self._midnight(day), self._midnight(day + 2 * _DAY))
            elif day in self.holidays:
                yield Off("holiday", self._midnight(day), self._midnight(day + _DAY))

    def _nights(self, start: datetime, end: datetime) -> Iterator[Off]:
        if self.night is None:
            return
        begins, ends = self.night
        for day in self._days(start, end):
            morning = day + _DAY if ends < begins else day
            yield Off("night", _instant(day, begins, self.zone), _instant(morning, ends, self.zone))

    def _days(self, start: datetime, end: datetime) -> Iterator[date]:
        """Yield the days on which off-time between the instants may begin."""
        zone = zone_of(self.zone)
        # a weekend that ends in the night to Monday began two days before
        day, last = start.astimezone(zone).date() - 2 * _DAY, end.astimezone(zone).date()
        while day <= last:
            yield day
            day += _DAY

    def _midnight(self, day: date) -> datetime:
        return midnight(day, self.zone)


@dataclass(frozen=True, slots=True)
class LiveTime:
    """All time outside of a calendar's off-time and of freezes, which may overlap and come in any order."""

    calendar: Calendar = Calendar()
    freezes: tuple[Off, ...] = ()

    def advance(self, start: datetime, span: timedelta) -> datetime | None:
        """Return the earliest instant at which `span` of live time has passed since `start`. None if a freeze without an end comes first.

        That is `start` for a span of nothing or less. Spans of up to 366 days are promised to fit. Raises ValueError for a calendar that
        leaves next to no time: it is looked at for 20 years beside the freezes.
        """
        if span <= _NOTHING:
            return start
        if not self.freezes:
            return start + span if self.calendar.empty else _reach(self, start, span)
        # a freeze without an end only matters if the time is not over before it begins
        passing = tuple(freeze for freeze in self.freezes if freeze.ends is not None)
        reached = _reach(LiveTime(self.calendar, passing), start, span)
        return None if any(freeze.ends is None and freeze.begins < reached for freeze in self.freezes) else reached

    def between(self, start: datetime, end: datetime) -> timedelta:
        """Return the live time from one instant to another; zero if the second is not later."""
        if end <= start:
            return _NOTHING
        if self.calendar.empty and not self.freezes:
            return end - start
        return end - start - sum((_length(off) for off in self.off(start, end)), _NOTHING)

    def off(self, start: datetime, end: datetime) -> list[Off]:
        """Return the times between two instants when the clock stands still.

        They are disjoint, in order, have an end, and are cut to that time.

        An overlap belongs to the off-time that began first. If two began together, it belongs to the freeze, not to the calendar.
        """
        regular = () if self.calendar.empty else self.calendar.off(start, end)
        standing, at = list[Off](), start
        for why, begins, ends in sorted([*self.freezes, *regular], key=lambda off: off.begins):
            # `at` is how far the time is covered, so an overlap belongs to whichever came first
            since, until = max(begins, at), end if ends is None else min(ends, end)
            if since < until:
                standing.append(Off(why, since, until))
                at = until
        return standing

    def days(self, start: datetime, count: int) -> datetime:
        """Return the instant (UTC) that is `count` civil days later at the same time of the day, also across a change of the clocks.

        Off-time of the calendar lengthens the span by its length on the wall; freezes are not looked at. From a Friday, 18:00, a day lasts
        until Monday, 18:00, if weekends are off. If nights are off too, a day is 24 hours on the wall without them. Raises ValueError as
        `advance` does.
        """
        if count <= 0:
            return start
        zone = zone_of(self.calendar.zone)
        if self.calendar.empty:
            # as Python adds days to an instant with a zone
            return (start.astimezone(zone) + count * _DAY).astimezone(UTC)
        # the days are counted on a wall whose clocks never change, and only the result is brought back into the zone
        wall = start.astimezone(zone).replace(tzinfo=UTC)
        later = _reach(LiveTime(replace(self.calendar, zone="UTC")), wall, count * _DAY)
        return _instant(later.date(), later.time(), self.calendar.zone)

    def next_hour(self, start: datetime, wall: time, zone: str, at_least: timedelta) -> datetime:
        """Return the first time that a clock in `zone` shows `wall`, outside of days off, when `at_least` has passed outside of days off.

        Only the calendar is looked at. Its nights do not move the hour and do not lengthen `at_least`, but a third of `at_least` is always
        live. Raises ValueError as `advance` does.
        """
        # Players live all over the world, so any hour is night for somebody. 24 hours are a day and a night, or a turn every evening would
        # become one every other evening. The longest nights leave a third of a day.
        by_day = LiveTime(replace(self.calendar, night=None))
        earliest = max(_reach(by_day, start, at_least), _reach(LiveTime(self.calendar), start, at_least / 3))
        # the zones of the hour and of the calendar may show different days; a day too early costs one look
        day = earliest.astimezone(zone_of(zone)).date() - _DAY
        for _ in range(_LOOKED_AT.days):
            at = _instant(day, wall, zone)
            # for a clock that stands still, the end of a day off is the same instant as its beginning, so the hour is still covered
            covered = any(off.ends is not None and off.begins < at <= off.ends for off in self.calendar.days_off(at, at))
            if at >= earliest and not covered:
                return at
            day += _DAY
        raise ValueError(f"this calendar leaves no hour to play at: {self.calendar}")


def midnight(day: date, zone: str) -> datetime:
    """Return the instant (UTC) at which a day begins in a zone."""
    return _instant(day, time(), zone)


def on_the_wall(at: datetime, zone: str) -> datetime:
    """Return an instant as the clocks of a zone show it."""
    return at.astimezone(zone_of(zone))


def _reach(live: LiveTime, start: datetime, span: timedelta) -> datetime:
    """Do as `advance` does, for a calendar and freezes that all have an end. Raises ValueError as `advance` does."""
    at, left = start, max(span, _NOTHING)
    if live.calendar.empty and not live.freezes:
        return start + left
    last = start + _LOOKED_AT + sum((_length(freeze) for freeze in live.freezes), _NOTHING)
    while at < last:
        end = at + max(left, _WEEK)
        # the last one takes nothing, and lets the time between the last off-time and the end of the look count
        for off in [*live.off(at, end), Off("", end, end)]:
            if off.begins - at >= left:
                return at + left
            left -= off.begins - at
            at = off.begins + _length(off)
    raise ValueError(f"this calendar leaves no time to play in: {live.calendar}")


def _length(off: Off) -> timedelta:
    # only `off` meets freezes without an end, and it cuts them
    return (off.ends or off.begins) - off.begins


def _instant(day: date, wall: time, zone: str) -> datetime:
    return datetime.combine(day, wall, zone_of(zone)).astimezone(UTC)


def is_place(zone: str) -> bool:
    """Return whether a name of the time zone database may be chosen. Others count leap seconds, or differ between machines."""
    return zone.partition("/")[0] not in {"right", "posix", "posixrules", "Factory", "localtime"}


def zone_of(name: str) -> tzinfo:
    """Return the time zone of that name, or UTC for a name that this system does not know."""
    try:
        # the zone may come from an old log: a game goes on although the database of this machine has lost a name
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
