"""Live time: what passes on a clock while it does not stand still.

Instants in the tables are written as UTC, `2027-03-26 17:00`. In 2027, Berlin is an hour before UTC until Sunday, 28 March, 01:00 UTC, then
two, and one again from Sunday, 31 October, 01:00 UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.play.clock.live_time import Calendar, LiveTime, Off

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

NIGHTS = (time(22), time(7))
EASTER = frozenset({date(2027, 3, 26), date(2027, 3, 29)})
"""Good Friday and Easter Monday."""

BERLIN = Calendar("Europe/Berlin")
WEEKENDS = Calendar("Europe/Berlin", weekends=True)
EASTER_WEEKENDS = Calendar("Europe/Berlin", weekends=True, holidays=EASTER)
SLEEP = Calendar("Europe/Berlin", night=NIGHTS)
ALL = Calendar("Europe/Berlin", weekends=True, night=NIGHTS, holidays=EASTER)
NO_DAY = Calendar(holidays=frozenset(date(2027, 1, 1) + DAY * number for number in range(8000)))


def at(text: str) -> datetime:
    """An instant, written in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def off(why: str, begins: str, ends: str | None) -> Off:
    return Off(why, at(begins), at(ends) if ends else None)


AWAY = off("vacation", "2027-05-10 12:00", "2027-05-20 12:00")
PAUSED = off("pause", "2027-05-15 00:00", "2027-05-25 00:00")
FOR_GOOD = off("pause", "2027-05-15 00:00", None)

ADVANCES = [
    # calendar, freezes, start, span and the deadline
    (BERLIN, (), "2027-03-27 17:00", 3 * DAY, "2027-03-30 17:00"),
    (WEEKENDS, (), "2027-05-07 16:00", DAY, "2027-05-10 16:00"),
    (WEEKENDS, (), "2027-05-08 16:00", DAY, "2027-05-10 22:00"),  # begun on a Saturday: Monday is the first day
    (WEEKENDS, (), "2027-05-07 16:00", 6 * HOUR, "2027-05-07 22:00"),  # as the weekend begins, and not as it ends
    (WEEKENDS, (), "2027-05-07 16:00", 6 * HOUR + MINUTE, "2027-05-09 22:01"),
    (WEEKENDS, (), "2027-03-26 17:00", 12 * HOUR, "2027-03-29 04:00"),  # a weekend of 47 hours
    (WEEKENDS, (), "2027-10-29 16:00", 12 * HOUR, "2027-11-01 05:00"),  # and one of 49
    (EASTER_WEEKENDS, (), "2027-03-25 22:30", HOUR, "2027-03-29 22:30"),
    (SLEEP, (), "2027-05-03 18:00", 4 * HOUR, "2027-05-04 07:00"),
    (SLEEP, (), "2027-05-03 18:00", 2 * HOUR, "2027-05-03 20:00"),
    (SLEEP, (), "2027-05-03 23:00", 15 * HOUR, "2027-05-04 20:00"),
    (SLEEP, (), "2027-03-27 20:00", 2 * HOUR, "2027-03-28 06:00"),  # a night of 8 hours
    (ALL, (), "2027-03-24 20:00", 30 * HOUR, "2027-03-30 19:00"),
    (Calendar("Asia/Tokyo", weekends=True), (), "2027-05-07 14:00", 2 * HOUR, "2027-05-09 16:00"),
    (Calendar("America/New_York", weekends=True), (), "2027-05-07 23:00", 6 * HOUR, "2027-05-10 05:00"),
    (Calendar("Mars/Olympus", weekends=True), (), "2027-05-07 23:00", 2 * HOUR, "2027-05-10 01:00"),
    (Calendar(night=(time(13), time(14, 30))), (), "2027-05-03 12:00", 2 * HOUR, "2027-05-03 15:30"),
    (Calendar(night=(time(13), time(13))), (), "2027-05-03 12:00", 2 * HOUR, "2027-05-03 14:00"),
    # a night that begins and one that ends while the clocks go from 2 to 3, and one that is skipped as a whole
    (Calendar("Europe/Berlin", night=(time(2, 30), time(5))), (), "2027-03-28 00:30", 2 * HOUR, "2027-03-28 04:00"),
    (Calendar("Europe/Berlin", night=(time(1), time(2, 30))), (), "2027-03-27 23:30", HOUR, "2027-03-28 02:00"),
    (Calendar("Europe/Berlin", night=(time(2, 30), time(3, 15))), (), "2027-03-28 00:30", 2 * HOUR, "2027-03-28 02:30"),
    # one that begins at the time that comes twice: when it comes first
    (Calendar("Europe/Berlin", night=(time(2, 30), time(5))), (), "2027-10-31 00:00", HOUR, "2027-10-31 04:30"),
    (Calendar(), (AWAY,), "2027-05-10 00:00", DAY, "2027-05-21 00:00"),
    (Calendar(), (AWAY,), "2027-05-10 00:00", 12 * HOUR, "2027-05-10 12:00"),
    (Calendar(), (PAUSED, AWAY), "2027-05-10 00:00", DAY, "2027-05-25 12:00"),
    (Calendar(), (AWAY,), "2027-05-12 00:00", DAY, "2027-05-21 12:00"),
    (Calendar(), (AWAY,), "2027-05-20 12:00", DAY, "2027-05-21 12:00"),
    (Calendar(), (FOR_GOOD,), "2027-05-10 00:00", 5 * DAY, "2027-05-15 00:00"),
    (Calendar(), (FOR_GOOD,), "2027-05-10 00:00", 5 * DAY + MINUTE, None),
    (Calendar(), (FOR_GOOD, AWAY), "2027-05-10 00:00", DAY, None),
    (Calendar(), (FOR_GOOD,), "2027-05-20 00:00", MINUTE, None),
    (Calendar(), (FOR_GOOD,), "2027-05-20 00:00", 0 * DAY, "2027-05-20 00:00"),
    (WEEKENDS, (AWAY,), "2027-05-08 00:00", 13 * HOUR, "2027-05-10 11:00"),
    (WEEKENDS, (AWAY,), "2027-05-08 00:00", 15 * HOUR, "2027-05-20 13:00"),
    (WEEKENDS, (off("outage", "2027-05-08 10:00", "2027-05-10 10:00"),), "2027-05-07 21:00", 2 * HOUR, "2027-05-10 11:00"),
    (Calendar(), (off("pause", "2027-05-10 00:00", "2060-01-01 00:00"),), "2027-05-09 23:00", 2 * HOUR, "2060-01-01 01:00"),
    (Calendar(weekends=True, night=(time(15), time(7))), (), "2027-05-10 07:00", 366 * DAY, "2031-07-23 15:00"),
    (WEEKENDS, (), "2027-05-08 16:00", -DAY, "2027-05-08 16:00"),
]  # fmt: skip


@for_each(("calendar", "freezes", "start", "span", "deadline"), ADVANCES)
def test_a_deadline_is_where_the_live_time_runs_out(
    calendar: Calendar, freezes: tuple[Off, ...], start: str, span: timedelta, deadline: str | None
) -> None:
    assert LiveTime(calendar, freezes).advance(at(start), span) == (at(deadline) if deadline else None)


OFF_TIMES = [
    # calendar, freezes, start, end and when the clock stands still
    (Calendar(), (), "2027-05-07 00:00", "2027-05-11 00:00", []),
    (
        WEEKENDS, (AWAY,), "2027-05-08 10:00", "2027-05-11 00:00",
        [off("weekend", "2027-05-08 10:00", "2027-05-09 22:00"), off("vacation", "2027-05-10 12:00", "2027-05-11 00:00")],
    ),
    (
        Calendar(), (PAUSED, AWAY), "2027-05-01 00:00", "2027-06-01 00:00",
        [AWAY, off("pause", "2027-05-20 12:00", "2027-05-25 00:00")],
    ),
    (Calendar(), (FOR_GOOD,), "2027-05-16 00:00", "2027-06-01 00:00", [off("pause", "2027-05-16 00:00", "2027-06-01 00:00")]),
    (Calendar(), (AWAY,), "2027-05-20 12:00", "2027-06-01 00:00", []),
    (Calendar(), (AWAY,), "2027-05-01 00:00", "2027-05-10 12:00", []),
    (Calendar(), (AWAY,), "2027-05-12 00:00", "2027-05-11 00:00", []),
    (
        # a freeze comes before a weekend that begins with it, and a holiday in it
        Calendar(weekends=True, holidays=frozenset({date(2027, 5, 9)})), (off("outage", "2027-05-08 00:00", "2027-05-08 06:00"),),
        "2027-05-07 00:00", "2027-05-11 00:00",
        [off("outage", "2027-05-08 00:00", "2027-05-08 06:00"), off("weekend", "2027-05-08 06:00", "2027-05-10 00:00")],
    ),
    (
        Calendar(holidays=frozenset({date(2027, 5, 9), date(2027, 5, 8)})), (), "2027-05-07 00:00", "2027-05-11 00:00",
        [off("holiday", "2027-05-08 00:00", "2027-05-09 00:00"), off("holiday", "2027-05-09 00:00", "2027-05-10 00:00")],
    ),
    (
        Calendar(weekends=True, night=NIGHTS), (), "2027-05-07 00:00", "2027-05-10 08:00",
        [
            off("night", "2027-05-07 00:00", "2027-05-07 07:00"),
            off("night", "2027-05-07 22:00", "2027-05-08 07:00"),
            off("weekend", "2027-05-08 07:00", "2027-05-10 00:00"),
            off("night", "2027-05-10 00:00", "2027-05-10 07:00"),
        ],
    ),
]  # fmt: skip


@for_each(("calendar", "freezes", "start", "end", "standing"), OFF_TIMES)
def test_off_time_is_told_apart(calendar: Calendar, freezes: tuple[Off, ...], start: str, end: str, standing: list[Off]) -> None:
    live = LiveTime(calendar, freezes)
    assert live.off(at(start), at(end)) == standing
    stood = sum((one.ends - one.begins for one in standing if one.ends), 0 * DAY)
    assert live.between(at(start), at(end)) == max(at(end) - at(start) - stood, 0 * DAY)


DAYS = [
    # calendar, start, days and when they are over
    (BERLIN, "2027-03-27 19:00", 1, "2027-03-28 18:00"),
    (BERLIN, "2027-10-30 18:00", 1, "2027-10-31 19:00"),
    (BERLIN, "2027-03-27 01:30", 1, "2027-03-28 01:30"),  # 02:30 is skipped and read as 03:30
    (BERLIN, "2027-10-30 00:30", 1, "2027-10-31 00:30"),  # 02:30 comes twice and counts when it comes first
    (BERLIN, "2027-10-31 01:30", 1, "2027-11-01 01:30"),  # from the second 02:30
    (BERLIN, "2027-10-31 01:30", 0, "2027-10-31 01:30"),
    (WEEKENDS, "2027-05-07 16:00", 1, "2027-05-10 16:00"),
    (WEEKENDS, "2027-03-26 17:00", 2, "2027-03-30 16:00"),
    (WEEKENDS, "2027-05-08 10:00", 2, "2027-05-11 22:00"),  # begun on a Saturday: all of Monday and Tuesday
    (EASTER_WEEKENDS, "2027-03-25 11:00", 1, "2027-03-30 10:00"),
    (SLEEP, "2027-05-03 05:00", 1, "2027-05-04 14:00"),  # 15 hours of Monday, 9 of Tuesday
    (SLEEP, "2027-03-27 06:00", 1, "2027-03-28 14:00"),
]


@for_each(("calendar", "start", "count", "end"), DAYS)
def test_days_are_days_on_the_wall(calendar: Calendar, start: str, count: int, end: str) -> None:
    assert LiveTime(calendar, (AWAY,)).days(at(start), count) == at(end)


HOURS = [
    # calendar, start, the hour and its zone, at least so much, and when it is due
    (BERLIN, "2027-05-03 17:00", (time(20), "Europe/Berlin"), DAY, "2027-05-04 18:00"),
    (BERLIN, "2027-05-03 18:00", (time(20), "Europe/Berlin"), DAY, "2027-05-04 18:00"),
    (BERLIN, "2027-05-03 18:01", (time(20), "Europe/Berlin"), DAY, "2027-05-05 18:00"),
    (BERLIN, "2027-05-03 18:01", (time(20), "America/New_York"), HOUR, "2027-05-04 00:00"),
    (BERLIN, "2027-03-27 19:00", (time(20), "Europe/Berlin"), DAY, "2027-03-29 18:00"),  # the next evening is 23 hours away
    (BERLIN, "2027-03-27 19:00", (time(20), "Europe/Berlin"), 23 * HOUR, "2027-03-28 18:00"),
    (WEEKENDS, "2027-05-06 19:00", (time(20), "Europe/Berlin"), DAY, "2027-05-10 18:00"),  # Friday's leaves 23 hours, the next are off
    (WEEKENDS, "2027-05-07 18:01", (time(20), "Europe/Berlin"), DAY, "2027-05-11 18:00"),  # Monday's leaves a minute less
    (WEEKENDS, "2027-05-06 19:00", (time(0), "Europe/Berlin"), DAY, "2027-05-07 22:00"),  # as the weekend begins
    (WEEKENDS, "2027-05-07 19:00", (time(0), "Europe/Berlin"), 2 * HOUR, "2027-05-07 22:00"),
    (WEEKENDS, "2027-05-07 19:00", (time(0), "Europe/Berlin"), 4 * HOUR, "2027-05-10 22:00"),
    (WEEKENDS, "2027-05-08 10:00", (time(0), "Europe/Berlin"), 0 * HOUR, "2027-05-10 22:00"),  # Monday's midnight is the weekend's
    (EASTER_WEEKENDS, "2027-03-25 10:00", (time(20), "Europe/Berlin"), 12 * HOUR, "2027-03-30 18:00"),
    (SLEEP, "2027-05-03 12:00", (time(23), "Europe/Berlin"), DAY, "2027-05-04 21:00"),  # the night does not move it
    (SLEEP, "2027-05-03 18:00", (time(20), "Europe/Berlin"), DAY, "2027-05-04 18:00"),  # nor does it make a day longer
    (SLEEP, "2027-05-03 18:01", (time(20), "Europe/Berlin"), DAY, "2027-05-05 18:00"),
    (SLEEP, "2027-05-03 20:00", (time(0), "Europe/Berlin"), HOUR, "2027-05-04 22:00"),  # nothing of two hours of the night is live
    (SLEEP, "2027-05-03 19:40", (time(23), "Europe/Berlin"), HOUR, "2027-05-03 21:00"),  # 20 minutes are a third
    (SLEEP, "2027-05-03 19:41", (time(23), "Europe/Berlin"), HOUR, "2027-05-04 21:00"),
    (ALL, "2027-05-07 18:00", (time(20), "Europe/Berlin"), DAY, "2027-05-10 18:00"),  # Friday's evening and Monday
    (ALL, "2027-05-07 18:01", (time(20), "Europe/Berlin"), DAY, "2027-05-11 18:00"),
    (WEEKENDS, "2027-05-06 10:00", (time(20), "America/New_York"), DAY, "2027-05-10 00:00"),  # Saturday, 02:00 in Berlin, is off
]  # fmt: skip


@for_each(("calendar", "start", "hour", "at_least", "due"), HOURS)
def test_an_hour_of_the_day_leaves_time_enough(
    calendar: Calendar, start: str, hour: tuple[time, str], at_least: timedelta, due: str
) -> None:
    assert LiveTime(calendar, (AWAY,)).next_hour(at(start), *hour, at_least) == at(due)


@pytest.mark.parametrize(
    ("sentence", "ask"),
    [
        ("no time to play", lambda live: live.advance(at("2027-05-03 00:00"), HOUR)),
        ("no time to play", lambda live: live.days(at("2027-05-03 00:00"), 1)),
        ("no hour to play at", lambda live: live.next_hour(at("2027-05-03 00:00"), time(20), "UTC", 0 * HOUR)),
    ],
)
def test_nobody_looks_for_time_for_ever(sentence: str, ask: object) -> None:
    assert callable(ask)
    with pytest.raises(ValueError, match=sentence):
        ask(LiveTime(NO_DAY))


class Change(NamedTuple):
    """A zone whose clocks are changed: from `at` on they show `by` more than before."""

    zone: str
    at: datetime
    by: timedelta


def changes(zone: str, start: datetime, end: datetime) -> list[Change]:
    """The changes of a zone between two instants; two within a week are not told apart."""
    info, found = ZoneInfo(zone), []
    weeks = [start + 7 * DAY * number for number in range((end - start) // (7 * DAY) + 2)]
    for before, after in pairwise(weeks):
        low, high = before, after
        old, new = low.astimezone(info).utcoffset(), high.astimezone(info).utcoffset()
        assert old is not None
        assert new is not None
        if old == new:
            continue
        while high - low > MINUTE:
            middle = low + (high - low) // MINUTE // 2 * MINUTE
            low, high = (middle, high) if middle.astimezone(info).utcoffset() == old else (low, middle)
        found.append(Change(zone, high, new - old))
    return found


CHANGES = [change for zone in sorted(available_timezones()) for change in changes(zone, at("2027-01-01"), at("2027-12-31"))]


def on_the_wall(instant: datetime, zone: str) -> datetime:
    return instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def test_clocks_are_changed_in_many_zones() -> None:
    """The number is well below what the tz database has had for decades."""
    assert len({change.zone for change in CHANGES}) > 100
    assert {change.by for change in CHANGES} >= {HOUR, -HOUR, HOUR / 2, -HOUR / 2}


def test_every_zone_keeps_its_time_of_the_day() -> None:
    for change in CHANGES:
        live = LiveTime(Calendar(change.zone))
        for hours in range(24):
            start = change.at - DAY + HOUR * hours
            three_days, one = live.days(start, 3), live.days(start, 1)
            assert on_the_wall(three_days, change.zone) == on_the_wall(start, change.zone) + 3 * DAY, change
            assert three_days - start == 3 * DAY - change.by, change
            skipped = change.by > 0 * HOUR and change.at <= start + DAY < change.at + change.by
            assert on_the_wall(one, change.zone) == on_the_wall(start, change.zone) + DAY + (change.by if skipped else 0 * HOUR), change
            assert one.astimezone(ZoneInfo(change.zone)).fold == 0, change
            assert live.advance(start, 36 * HOUR) == start + 36 * HOUR, change
            assert live.next_hour(start, on_the_wall(start, change.zone).time(), change.zone, 60 * HOUR) == three_days, change


def test_every_zone_has_weekends_of_its_own() -> None:
    for change in CHANGES:
        start, end = change.at - 15 * DAY, change.at + 15 * DAY
        off = LiveTime(Calendar(change.zone, weekends=True)).off(start, end)
        weekends = [one for one in off if one.begins > start and one.ends and one.ends < end]
        assert len(weekends) in {3, 4}, change
        for _, begins, ends in weekends:
            assert ends, change
            shown = [on_the_wall(instant, change.zone) for instant in (begins, ends)]
            assert [(wall.weekday(), wall.time()) for wall in shown] == [(5, time()), (0, time())], change
            assert ends - begins == 2 * DAY - (change.by if begins < change.at <= ends else 0 * HOUR), change


def dead(live: LiveTime, minute: datetime) -> set[str]:
    """Return the reasons why a minute does not count, by the clock on the wall."""
    calendar, wall = live.calendar, on_the_wall(minute, live.calendar.zone)
    why = {freeze.why for freeze in live.freezes if freeze.begins <= minute and (freeze.ends is None or minute < freeze.ends)}
    if calendar.weekends and wall.isoweekday() > 5:
        why.add("weekend")
    if wall.date() in calendar.holidays:
        why.add("holiday")
    if calendar.night:
        begins, ends = calendar.night
        now = wall.time()
        if begins <= now < ends if begins < ends else now >= begins or now < ends:
            why.add("night")
    return why


ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns"]
SEASONS = ["2027-03-12", "2027-03-26", "2027-04-02", "2027-10-01", "2027-10-29", "2027-11-05", "2027-07-01"]
SLEEPS = [
    None,
    None,
    (time(22), time(7)),
    (time(23, 45), time(8)),
    (time(0, 15), time(0, 45)),
    (time(12), time(13, 30)),
    (time(9), time(0)),
]


def random_live_time(random: Random, start: datetime) -> LiveTime:
    """Some off-time in the days after an instant."""
    freezes = []
    for _ in range(random.choice([0, 1, 2, 5])):
        begins = start + MINUTE * random.randrange(-2000, 9000)
        ends = None if random.random() < 0.1 else begins + MINUTE * random.randrange(3000)
        freezes.append(Off(random.choice(["vacation", "pause", "outage"]), begins, ends))
    holidays = frozenset(start.date() + DAY * random.randrange(7) for _ in range(random.choice([0, 0, 1, 3])))
    calendar = Calendar(random.choice(ZONES), random.choice([True, False]), random.choice(SLEEPS), holidays)
    return LiveTime(calendar, tuple(freezes))


def compare_by_the_minute(seed: int) -> None:
    """Look at a week minute by minute, and compare deadlines, spans and off-time with what was counted."""
    random = Random(seed)  # noqa: S311  # cases, not secrets
    start = at(random.choice(SEASONS)) + MINUTE * random.randrange(3 * 1440)
    live = random_live_time(random, start)
    minutes = [start + MINUTE * number for number in range(7 * 1440)]
    reasons = [dead(live, minute) for minute in minutes]
    living = [minute for minute, why in zip(minutes, reasons, strict=True) if not why]
    end = minutes[-1] + MINUTE
    standing = live.off(start, end)
    assert live.between(start, end) == MINUTE * len(living)
    covered = [minute for _, begins, ends in standing if ends for minute in minutes if begins <= minute < ends]
    assert covered == [minute for minute, why in zip(minutes, reasons, strict=True) if why]
    for why, begins, ends in standing:
        assert ends
        assert {begins, ends} <= {*minutes, end}
        assert all(why in reasons[(minute - start) // MINUTE] for minute in (begins, ends - MINUTE))
    for count in {1, len(living), *(random.randrange(1, len(living) + 1) for _ in range(20) if living)}:
        if 0 < count <= len(living):
            assert live.advance(start, MINUTE * count) == living[count - 1] + MINUTE
            assert live.between(start, living[count - 1]) == MINUTE * (count - 1)


@for_each("seed", range(12))
def test_counting_minutes_comes_to_the_same(seed: int) -> None:
    compare_by_the_minute(seed)


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.parametrize("tens", range(2, 12))
def test_counting_many_minutes_comes_to_the_same(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        compare_by_the_minute(seed)


LATER = st.timedeltas(0 * DAY, 60 * DAY)
EARLIEST = at("2027-02-01")


@st.composite
def freezes(draw: st.DrawFn) -> Off:
    begins = EARLIEST + draw(LATER)
    return Off(draw(st.sampled_from(["vacation", "pause"])), begins, draw(st.none() | st.just(begins + draw(LATER))))


CALENDARS = st.builds(
    Calendar,
    st.sampled_from(ZONES),
    st.booleans(),
    st.sampled_from(SLEEPS),
    st.frozensets(st.dates(date(2027, 2, 1), date(2027, 5, 1)), max_size=5),
)
LIVE = st.builds(LiveTime, CALENDARS, st.lists(freezes(), max_size=4).map(tuple))


@given(LIVE, LATER, LATER, LATER)
def test_live_time_adds_up(live: LiveTime, before: timedelta, first: timedelta, second: timedelta) -> None:
    start, middle = EARLIEST + before, EARLIEST + before + first
    end = middle + second
    assert live.between(start, middle) + live.between(middle, end) == live.between(start, end)
    assert live.between(end, start) == 0 * DAY
    lengths = sum((one.ends - one.begins for one in live.off(start, end) if one.ends), 0 * DAY)
    assert lengths + live.between(start, end) == end - start


@pytest.mark.thorough
@given(LIVE, LATER, LATER, freezes())
def test_a_deadline_holds_the_span_and_no_freeze_brings_it_forward(live: LiveTime, before: timedelta, span: timedelta, more: Off) -> None:
    start = EARLIEST + before
    deadline = live.advance(start, span)
    later = LiveTime(live.calendar, (*live.freezes, more)).advance(start, span)
    assert later is None or (deadline is not None and later >= deadline)
    if deadline is None:
        assert live.between(start, start + 10000 * DAY) < span
    else:
        assert live.between(start, deadline) == span
        assert live.between(start, deadline - timedelta(microseconds=1)) < span or deadline == start
