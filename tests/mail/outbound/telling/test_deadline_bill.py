"""The bill of a deadline: it says where each hour comes from, and it adds up to the minute."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.mail.outbound.occasions import ADA, BOB, NAMES, Story, after, at_three, invited
from tests.terms import THREE_DAYS
from turnserver.mail.outbound.letters import Bill
from turnserver.mail.outbound.telling.deadline_bill import bill
from turnserver.mail.outbound.telling.events import SeatNames
from turnserver.play import commands as c
from turnserver.play.clock.explain_deadline import explain_deadline
from turnserver.play.events import FreezeKind
from turnserver.rules import Seat

ZONE = "Europe/Berlin"


def begun(time: str, *, days: float = 0) -> Story:
    """A game by a time control that begins so many days after a Friday morning."""
    terms = replace(THREE_DAYS, time=time, holidays=(after(3).date(),) if "holidays" in time else ())
    return invited(terms=terms).then(c.Accept(ADA, after(0), zone=ZONE), days=days).then(c.Accept(BOB, after(0), zone=ZONE), days=0)


def billed(story: Story) -> Bill:
    assert story.state is not None
    made = explain_deadline(story.recorded, story.find)
    assert made is not None
    return bill(made, SeatNames(story.state, NAMES, ZONE))


def freeze(story: Story, kind: FreezeKind, reason: str = "", ends: float | None = 4) -> Story:
    seat = Seat(1) if kind in (FreezeKind.VACATION, FreezeKind.UNDELIVERED) else None
    return story.then(c.FreezeClock(kind, seat, after(3), None if ends is None else after(ends), reason), days=0)


STORIES: dict[str, tuple[Callable[[], Story], list[str]]] = {
    "each turn": (lambda: begun("3d"), ["3 days: for each turn"]),
    "the first bank": (lambda: begun("5d+36h cap 10d"), ["5 days: to begin the game with"]),
    "byo-yomi": (lambda: begun("2d then 3x1d"), ["2 days: left of the main time", "3 days: in the periods that follow it"]),
    "an hour": (
        lambda: begun("next 20:00 Europe/Berlin, at least 24h"),
        ["1 day 9 hours 30 minutes: until the hour at which turns are due"],
    ),
    "nothing is left": (
        lambda: begun("3d in all").then(c.PlayTurn(ADA, after(3), "e5"), days=3).then(c.PlayTurn(BOB, after(3), "c3"), days=0),
        ["no time: left over from the last turn of this side"],
    ),
    "a weekend": (lambda: begun("3d, no weekends"), ["3 days: for each turn", "2 days: for 1 weekend, from Sat 21 Nov, 00:00"]),
    "weekends": (
        lambda: begun("6d, no weekends"),
        ["6 days: for each turn", "4 days: for 2 weekends, the first from Sat 21 Nov, 00:00"],
    ),
    "nights and a holiday": (
        lambda: begun("1d, nights 22:00-07:00, holidays DE", days=2.5),
        [
            "1 day: for each turn",
            "17 hours: for 1 public holiday, from Mon 23 Nov, 07:00",
            "1 day 30 minutes: for 3 nights, the first from Sun 22 Nov, 22:30",
        ],
    ),
    "given": (
        lambda: begun("3d").then(c.CreditClock(3600, "")),
        ["3 days: for each turn", "1 hour: given by the organisers on Fri 20 Nov, 16:30"],
    ),
    "given by the opponent": (
        lambda: begun("3d").then(c.GiveTime(BOB, after(0), 48)),
        ["3 days: for each turn", "2 days: given by Bob (Blue) on Fri 20 Nov, 16:30"],
    ),
    "a pause": (
        lambda: freeze(begun("3d", days=1), FreezeKind.PAUSE),
        ["3 days: for each turn", "1 day: a pause that the players agreed on, Mon 23 Nov, 10:30 to Tue 24 Nov, 10:30"],
    ),
    "part of a pause": (
        lambda: freeze(begun("3d", days=3.5), FreezeKind.PAUSE),
        [
            "3 days: for each turn",
            "12 hours: a pause that the players agreed on, Mon 23 Nov, 10:30 to Tue 24 Nov, 10:30, of which this much counts here",
        ],
    ),
    "halted": (
        lambda: freeze(begun("3d", days=1), FreezeKind.HALT),
        ["3 days: for each turn", "1 day: stopped by the organisers, Mon 23 Nov, 10:30 to Tue 24 Nov, 10:30"],
    ),
    "no mail": (
        lambda: freeze(begun("3d", days=1), FreezeKind.UNDELIVERED),
        ["3 days: for each turn", "1 day: no mail got through to Ada (Red), Mon 23 Nov, 10:30 to Tue 24 Nov, 10:30"],
    ),
    "no end": (
        lambda: freeze(begun("3d", days=1), FreezeKind.HALT, "a journey", None),
        ["3 days: for each turn", "not over yet: stopped by the organisers (a journey), from Mon 23 Nov, 10:30, with no end in sight"],
    ),
    "somebody left": (lambda: at_three(c.Resign(ADA, after(1))), ["3 days: for each turn"]),
    "no limit": (lambda: begun("no limit"), []),
}


@for_each(("story", "lines"), STORIES.values(), ids=STORIES)
def test_where_each_hour_comes_from(story: Callable[[], Story], lines: list[str]) -> None:
    assert [f"{line.amount}: {line.text}" for line in billed(story()).lines] == lines


def test_the_lines_add_up_to_the_minute_whatever_the_seconds_are() -> None:
    story = begun("3d", days=1 / 7)
    for seconds in (59, 61, 89, 100):
        story = story.then(c.CreditClock(seconds, "r"), days=1 / 11)
    made = explain_deadline(story.recorded, story.find)
    assert made is not None
    assert made.deadline is not None
    told = timedelta()
    for line in billed(story).lines:
        told += timedelta(**{unit.rstrip("s") + "s": int(number) for number, unit in re.findall(r"(\d+) (day|hour|minute)", line.amount)})
    minute = timedelta(minutes=1)
    assert told // minute == int(made.deadline.timestamp()) // 60 - int(made.since.timestamp()) // 60


@pytest.mark.parametrize(("days", "note"), [(0, ""), (-28, "In between, the clocks of your time zone are changed by 1 hour.")])
def test_who_adds_up_times_of_the_day_is_told_that_summer_time_ends(days: float, note: str) -> None:
    assert billed(begun("3d", days=days)).note == note


def test_there_is_no_deadline_while_no_end_is_in_sight() -> None:
    made = billed(freeze(begun("3d", days=1), FreezeKind.HALT, ends=None))
    assert (made.deadline, made.note) == ("", "There is no deadline as long as the clock stands still.")
    assert (billed(begun("no limit")).deadline, billed(begun("no limit")).note) == ("", "")
