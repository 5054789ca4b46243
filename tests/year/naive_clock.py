"""A clock of a game by the dumbest means: whenever a clock stands still is an interval in a list, which is gone through in order.

It shares nothing with the service's clock, not even how a time control is read; it knows the rules and the standard library's time zones.
It is told what happened and when, and says what a turn's deadline is and what every seat holds.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from heapq import merge
from typing import NamedTuple
from zoneinfo import ZoneInfo

FIRST, LAST = date(2026, 11, 1), date(2031, 1, 1)
"""The days that the lists are made for."""

NOTHING, DAY, WEEK = timedelta(0), timedelta(days=1), timedelta(days=7)
NEVER = datetime.max.replace(tzinfo=UTC)


class Agreed(NamedTuple):
    """A time control, taken apart: `kind` says which of the spans and numbers mean anything."""

    kind: str
    days: int = 0
    span: timedelta = NOTHING
    increment: timedelta = NOTHING
    cap: timedelta = NOTHING
    periods: int = 0
    hour: time = time(0)
    zone: str = "UTC"
    weekends: bool = False
    night: tuple[time, time] | None = None


class Interval(NamedTuple):
    begins: datetime
    ends: datetime


class Holds(NamedTuple):
    """The reserves of a seat beside its turn: a bank, and whole periods."""

    bank: timedelta = NOTHING
    periods: int = 0


class Stop(NamedTuple):
    """Somebody's clock (everybody's, if `seat` is None) stands still, perhaps with no end in sight."""

    seat: int | None
    begins: datetime
    ends: datetime | None


def agreed(text: str) -> Agreed:
    """Return what a time control in its canonical form says."""
    main, *options = text.split(", ")
    least = options.pop(0) if main.startswith("next") else ""
    night = next((tuple(map(time.fromisoformat, option.split()[1].split("-"))) for option in options if option.startswith("nights")), None)
    told = _main(main, least)
    return told._replace(weekends="no weekends" in options, night=(night[0], night[1]) if night else None)


def _main(main: str, least: str) -> Agreed:
    if main == "no limit":
        return Agreed("never")
    if found := re.fullmatch(r"next (\S+) (\S+)", main):
        return Agreed("hour", span=_exact(least.removeprefix("at least ")), hour=time.fromisoformat(found[1]), zone=found[2])
    if found := re.fullmatch(r"(\S+)\+(\S+) cap (\S+)", main):
        return Agreed("increment", span=_exact(found[1]), increment=_exact(found[2]), cap=_exact(found[3]))
    if found := re.fullmatch(r"(\S+) in all", main):
        return Agreed("total", span=_exact(found[1]))
    if found := re.fullmatch(r"(\S+) then (\d+)x(\S+)", main):
        return Agreed("periods", span=_exact(found[1]), periods=int(found[2]), increment=_exact(found[3]))
    days, hours, minutes = _numbers(main)
    return Agreed("each", days=days, span=timedelta(hours=hours, minutes=minutes))


def _numbers(text: str) -> tuple[int, int, int]:
    found = re.fullmatch(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?", text)
    assert found, text
    return int(found[1] or 0), int(found[2] or 0), int(found[3] or 0)


def _exact(text: str) -> timedelta:
    days, hours, minutes = _numbers(text)
    return timedelta(days=days, hours=hours, minutes=minutes)


def instant(day: date, hour: time, zone: str) -> datetime:
    """Return when a clock on the wall shows that. A time that is skipped has the offset of before, one that comes twice is the first."""
    return datetime.combine(day, hour, ZoneInfo(zone)).astimezone(UTC)


def dates(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days):
        yield first + number * DAY


@cache
def idle_days(zone: str, weekends: bool, holidays: Sequence[date]) -> list[Interval]:
    """Every whole day on which a clock stands still there."""
    idle = [day for day in dates(FIRST, LAST) if (weekends and day.isoweekday() > 5) or day in holidays]
    return [Interval(instant(day, time(0), zone), instant(day + DAY, time(0), zone)) for day in idle]


@cache
def nights(zone: str, night: tuple[time, time]) -> list[Interval]:
    """Every night in which a clock stands still there."""
    over_midnight = DAY if night[1] < night[0] else NOTHING
    made = [Interval(instant(day, night[0], zone), instant(day + over_midnight, night[1], zone)) for day in dates(FIRST, LAST)]
    return sorted(interval for interval in made if interval.begins < interval.ends)


@cache
def standing(zone: str, weekends: bool, holidays: Sequence[date], night: tuple[time, time] | None) -> list[Interval]:
    """Every off-time there, merged where they touch, in order."""
    merged: list[Interval] = []
    for interval in merge(idle_days(zone, weekends, holidays), nights(zone, night) if night else []):
        if merged and interval.begins <= merged[-1].ends:
            merged[-1] = Interval(merged[-1].begins, max(merged[-1].ends, interval.ends))
        else:
            merged.append(interval)
    return merged


def within(interval: Interval, at: datetime) -> bool:
    return interval.begins <= at < interval.ends


def ends(since: datetime, span: timedelta, off: Iterable[Interval]) -> datetime | None:
    """The first instant at which that much has passed outside of the intervals, which come in the order in which they begin."""
    at, left = since, span
    for interval in off:
        if left <= NOTHING or interval.begins - at >= left:
            break
        left -= max(interval.begins - at, NOTHING)
        at = max(at, interval.ends)
    return None if at == NEVER else at + max(left, NOTHING)


def passed(since: datetime, until: datetime, off: Iterable[Interval]) -> timedelta:
    """Return the time between two instants outside of the intervals."""
    total, at = NOTHING, since
    for interval in off:
        if interval.begins >= until:
            break
        total += max(interval.begins - at, NOTHING)
        at = max(at, interval.ends)
    return total + max(until - at, NOTHING)


class Turn(NamedTuple):
    """The pending turn: since when somebody has it, and what it may take, `lent` hours of grace among it."""

    seat: int
    since: datetime
    time: timedelta | None
    lent: timedelta = NOTHING


class NaiveClock:
    """The clock of one game; seats are 1, 2, ..."""

    def __init__(self, text: str, holidays: Sequence[date], zones: Sequence[str], reading: int = 2) -> None:
        self.agreed = agreed(text)
        self.reading = reading
        self.by_night = None if reading > 1 and self.agreed.kind == "hour" else self.agreed.night
        self.holidays = tuple(holidays)
        self.zones = list(zones)
        kept = self.agreed.kind in {"increment", "total", "periods"}
        self.holds = {seat: Holds(self.agreed.span if kept else NOTHING, self.agreed.periods) for seat in range(1, len(zones) + 1)}
        self.turn: Turn | None = None
        self.stops: dict[int, Stop] = {}

    # what happens

    def begin(self, seat: int, at: datetime) -> None:
        """A seat has the turn from then on."""
        self.turn = Turn(seat, at, self._time(seat, at))

    def resume(self, seat: int, at: datetime, span: timedelta | None) -> None:
        """A seat has the turn from then on, and so much time for it, whatever it holds."""
        self.turn = Turn(seat, at, span)

    def settle(self, seat: int, zone: str) -> None:
        """Somebody who lives there sits at a seat from now on."""
        self.zones[seat - 1] = zone

    def credit(self, span: timedelta) -> None:
        """The pending turn may take so much more."""
        assert self.turn is not None
        if self.turn.time is not None:
            self.turn = self.turn._replace(time=self.turn.time + span)

    def grace(self, span: timedelta) -> None:
        """The pending turn may take so much more, of which nothing can be saved, except where one bank is all that there is."""
        self.credit(span)
        if self.turn is not None and self.agreed.kind != "total":
            self.turn = self.turn._replace(lent=span)

    def lent(self, at: datetime) -> timedelta:
        """Return what is left of the grace of the pending turn then."""
        turn = self.turn
        if turn is None or turn.time is None:
            return NOTHING
        return min(turn.lent, max(turn.time - passed(turn.since, at, self._off(turn.seat, turn.since)), NOTHING))

    def lend(self, span: timedelta) -> None:
        """So much of the time of the pending turn is grace."""
        if self.turn is not None:
            self.turn = self.turn._replace(lent=span)

    def hand_over(self, arrived: datetime) -> timedelta | None:
        """The turn has arrived, and nobody has one. Gives what was left of its time."""
        left, turn = self.left(arrived), self.turn
        self.turn = None
        if left is not None and turn is not None:
            self.holds[turn.seat] = self._kept(self.holds[turn.seat], left)
        return left

    def missed(self, seat: int) -> None:
        """The turn of a seat was played by somebody else, or by nobody; one bank for all turns is then not left empty."""
        if self.reading > 1 and self.agreed.kind == "total":
            self.holds[seat] = Holds(self.holds[seat].bank or DAY)

    def take_back(self, holds: Mapping[int, Holds]) -> None:
        """Everybody holds what they held before some turn, and nobody has one."""
        self.holds, self.turn = dict(holds), None

    def over(self) -> None:
        """Nobody has a turn any more."""
        self.turn = None

    def stop(self, number: int, seat: int | None, begins: datetime, ends: datetime | None) -> None:
        """A clock stands still, or all do."""
        self.stops[number] = Stop(seat, begins, ends)

    def go_on(self, number: int, ends: datetime) -> None:
        """Let go on what stood still; it never stood still, if that is before it began."""
        self.stops[number] = self.stops[number]._replace(ends=ends)

    # what is asked

    def deadline(self) -> datetime | None:
        """Return when the pending turn's time has passed; None if it never does, as things are."""
        return self.reached(NOTHING)

    def left(self, at: datetime) -> timedelta | None:
        """Return what is left of the pending turn's time then, without its grace; None if it has no limit."""
        assert self.turn is not None
        seat, since, span, lent = self.turn
        return None if span is None else max(span - lent - passed(since, at, self._off(seat, since)), NOTHING)

    def once_more(self, seat: int, at: datetime) -> timedelta:
        """Return what a turn that was lost on time has when it is taken up again: what every further turn gets, and a day at least."""
        if self.agreed.kind in {"increment", "periods"}:
            return max(self.agreed.increment, DAY)
        if self.agreed.kind in {"each", "hour"}:
            return max(self._time(seat, at) or DAY, DAY)
        return DAY

    def week(self, seat: int, at: datetime) -> timedelta:
        """Return how much of a seat's time a week from then on is, if nothing but its calendar stops its clock; a day at least."""
        calendar = standing(self.zones[seat - 1], self.agreed.weekends, self.holidays, self.agreed.night)
        return max(passed(at, at + WEEK, _from(calendar, at)), DAY)

    def reached(self, left: timedelta) -> datetime | None:
        """Return when no more than `left` is left of the pending turn's time; its beginning, if it never had more."""
        seat, since, span, _ = self.turn or (0, NEVER, None, NOTHING)
        return None if span is None else ends(since, max(span - left, NOTHING), self._off(seat, since))

    def ran(self, seat: int, since: datetime, until: datetime) -> timedelta:
        """Return the time for which a seat's clock would have run between two instants."""
        return passed(since, until, self._off(seat, since))

    def reminder(self, mark: str) -> datetime | None:
        """Return when a reminder is due: at a part of the turn's time (`50%`), or before its end (`24h`). None if not within the turn."""
        span = self.turn.time if self.turn else None
        if span is None:
            return None
        left = span - span * int(mark[:-1]) / 100 if mark.endswith("%") else _exact(mark)
        at, deadline = self.reached(left), self.deadline()
        if self.reading > 1 and not mark.endswith("%") and left <= DAY:
            at = self._back(deadline, left) if deadline else None
            began = self.turn.since if self.turn else NEVER
            return at if at and passed(began, at, sorted(self._stops(self.turn.seat if self.turn else 0))) > NOTHING else None
        return at if at and left < span and (deadline is None or at < deadline) else None

    def again(self, number: int) -> datetime | None:
        """Return when the clock of the pending turn runs again after a stop. None if not within the turn, or while another stop goes on."""
        seat, since, span, _ = self.turn or (0, NEVER, None, NOTHING)
        stop, deadline = self.stops[number], self.deadline()
        at = stop.ends
        if (
            span is None
            or at is None
            or at <= stop.begins
            or at <= since
            or stop.seat not in {None, seat}
            or (deadline is not None and at >= deadline)
        ):
            return None
        return None if any(within(one, at) for one in self._stops(seat)) else at

    def _back(self, deadline: datetime, span: timedelta) -> datetime:
        """So much before the deadline, whatever the calendar says, without the stops: gone back from one to the one before."""
        at = deadline
        for stop in sorted(self._stops(self.turn.seat if self.turn else 0), key=lambda one: one.ends, reverse=True):
            if at - stop.ends >= span:
                break
            span -= max(at - stop.ends, NOTHING)
            at = min(at, stop.begins)
        return at - span

    def _stops(self, seat: int) -> list[Interval]:
        """Whenever the seat's clock was stopped."""
        return [
            Interval(stop.begins, stop.ends or NEVER)
            for stop in self.stops.values()
            if stop.seat in {None, seat} and (stop.ends is None or stop.begins < stop.ends)
        ]

    def _off(self, seat: int, since: datetime) -> Iterator[Interval]:
        """Whenever the seat's clock stands still, from then on."""
        calendar = standing(self.zones[seat - 1], self.agreed.weekends, self.holidays, self.by_night)
        stops = sorted(self._stops(seat))
        return merge(_from(calendar, since), (stop for stop in stops if stop.ends > since))

    def _time(self, seat: int, since: datetime) -> timedelta | None:
        """Return what a turn may take that begins then: whoever has a bank may take that, others so many days or until some hour."""
        told, held = self.agreed, self.holds[seat]
        if told.kind == "never":
            return None
        if told.kind in {"increment", "total"}:
            return held.bank
        if told.kind == "periods":
            return held.bank + held.periods * told.increment
        zone = self.zones[seat - 1]
        off = standing(zone, told.weekends, self.holidays, told.night)
        if told.kind == "each":
            return passed(since, _days_later(since, told, zone, self.holidays), _from(off, since)) + told.span
        runs = standing(zone, told.weekends, self.holidays, self.by_night)
        return passed(since, _next_hour(since, told, standing(zone, told.weekends, self.holidays, None), off), _from(runs, since))

    def _kept(self, held: Holds, left: timedelta) -> Holds:
        """Return what a seat holds after a turn that left so much of its time."""
        told = self.agreed
        if told.kind == "increment":
            return Holds(max(left, min(told.cap, left + told.increment)))
        if told.kind == "total":
            return Holds(left)
        if told.kind == "periods":
            periods = held.periods
            while periods > 1 and left <= (periods - 1) * told.increment:
                periods -= 1  # this one was used up
            return Holds(max(left - held.periods * told.increment, NOTHING), periods)
        return held


def _days_later(since: datetime, told: Agreed, zone: str, holidays: Sequence[date]) -> datetime:
    """The same time of the day so many days later: so much on a clock on the wall, without what it shows while the game's stands still."""
    if told.days == 0:
        return since
    shown = since.astimezone(ZoneInfo(zone)).replace(tzinfo=UTC)
    off = _from(standing("UTC", told.weekends, holidays, told.night), shown)
    later = ends(shown, told.days * DAY, off)
    assert later is not None
    return instant(later.date(), later.time(), zone)


def _next_hour(since: datetime, told: Agreed, idle: Sequence[Interval], off: Sequence[Interval]) -> datetime:
    """The first time that a clock shows the hour on no idle day, when so much time has passed on other days, a third of it by day."""
    for day in dates(since.date() - DAY, LAST):
        at = instant(day, told.hour, told.zone)
        in_idle_time = any(interval.begins < at <= interval.ends for interval in _near(idle, at))
        enough = passed(since, at, _from(idle, since)) >= told.span and passed(since, at, _from(off, since)) * 3 >= told.span
        if at > since and not in_idle_time and enough:
            return at
    raise AssertionError(f"no {told.hour} after {since}")


def _from(intervals: Sequence[Interval], at: datetime) -> Sequence[Interval]:
    """Those of the ordered intervals that end after an instant."""
    return intervals[bisect_right(intervals, at, key=lambda interval: interval.ends) :]


def _near(intervals: Sequence[Interval], at: datetime) -> Sequence[Interval]:
    """Those of the ordered intervals that can hold an instant."""
    found = bisect_right(intervals, at, key=lambda interval: interval.begins)
    return intervals[max(found - 2, 0) : found]
