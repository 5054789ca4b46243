"""Vacations: what may be declared, what it takes of the year's days, and what it does in a game."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, NIM, NIM_1, RED, TRIO, WON, clock, day, left, opened, running
from tests.play.small_games import find
from tests.play.test_substitutes import seated
from tests.terms import THREE_DAYS
from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.clock.clock import on_vacation
from turnserver.play.commands import FreezeClock, ThawClock
from turnserver.play.evolve import fold
from turnserver.play.vacations import (
    Span,
    Vacation,
    declared,
    ended,
    freeze_for,
    from_now,
    spent,
    thaws_for,
    vacations,
    whole_days,
)
from turnserver.rules import Seat

BERLIN = "Europe/Berlin"
NOW = datetime(2027, 3, 20, 15, tzinfo=UTC)
"""16:00 in Berlin, a week before the clocks go forward."""


def utc(year: int, month: int, date: int, hour: int = 0) -> datetime:
    return datetime(year, month, date, hour, tzinfo=UTC)


def trip(number: int, begins: datetime, ends: datetime, zone: str = "UTC") -> Vacation:
    return Vacation(number, begins, ends, zone)


SUMMER = trip(1, utc(2027, 7, 1), utc(2027, 7, 15))
AUTUMN = trip(2, utc(2027, 10, 1), utc(2027, 10, 11))
GONE = trip(3, utc(2027, 11, 1), utc(2027, 11, 1))


@for_each(
    ("span", "begins", "ends"),
    [
        (whole_days(date(2027, 7, 1), date(2027, 7, 14), "UTC", NOW), utc(2027, 7, 1), utc(2027, 7, 15)),
        (whole_days(date(2027, 3, 27), date(2027, 3, 28), BERLIN, NOW), utc(2027, 3, 26, 23), utc(2027, 3, 28, 22)),
        (whole_days(date(2027, 3, 20), date(2027, 3, 22), BERLIN, NOW), NOW, utc(2027, 3, 22, 23)),
        (whole_days(date(2027, 12, 1), date.max, "UTC", NOW), utc(2027, 12, 1), utc(2035, 12, 8)),
        (from_now(10, BERLIN, NOW), NOW, utc(2027, 3, 30, 14)),
        (from_now(9999, "UTC", NOW), NOW, NOW + timedelta(days=366)),
    ],
)
def test_days_are_days_on_the_wall(span: Span, begins: datetime, ends: datetime) -> None:
    assert span == (begins, ends)


@for_each(
    ("vacation", "days"),
    [
        (SUMMER, {2027: 14}),
        (trip(1, utc(2027, 12, 28), utc(2028, 1, 4)), {2027: 4, 2028: 3}),
        (trip(1, utc(2027, 12, 30, 23), utc(2028, 1, 2, 23), BERLIN), {2027: 1, 2028: 2}),
        (trip(1, utc(2027, 3, 26, 23), utc(2027, 3, 28, 22), BERLIN), {2027: 2}),
        (trip(1, NOW, NOW + timedelta(days=3, seconds=1)), {2027: 4}),
        (GONE, {}),
    ],
)
def test_each_day_counts_for_the_year_in_which_it_begins(vacation: Vacation, days: dict[int, int]) -> None:
    assert dict(spent([vacation])) == days


def test_what_the_log_tells() -> None:
    told = (
        e.VacationDeclared(player=ADA, number=1, begins=SUMMER.begins, ends=SUMMER.ends, zone="UTC"),
        "an event of another kind",
        e.VacationDeclared(player=ADA, number=2, begins=AUTUMN.begins, ends=AUTUMN.ends, zone=BERLIN),
        e.VacationEnded(player=ADA, number=1, ends=utc(2027, 7, 4)),
    )
    assert vacations(told) == (SUMMER._replace(ends=utc(2027, 7, 4)), AUTUMN._replace(zone=BERLIN))


def test_a_declaration_takes_the_next_number() -> None:
    wanted = Span(utc(2027, 5, 1), utc(2027, 5, 3))
    event = declared((SUMMER, AUTUMN, GONE), ADA, wanted, BERLIN, 30, NOW)
    assert event == e.VacationDeclared(player=ADA, number=4, begins=wanted.begins, ends=wanted.ends, zone=BERLIN)


def test_all_the_days_that_are_left_may_be_taken() -> None:
    """Fourteen and ten are taken of the year; six more are all of thirty, and a seventh is too much."""
    six = Span(utc(2027, 5, 1), utc(2027, 5, 7))
    assert declared((SUMMER, AUTUMN), ADA, six, "UTC", 30, NOW).number == 3
    with pytest.raises(NotAllowed, match=r"That takes 7 days of your vacation in 2027, and you have 6 left"):
        declared((SUMMER, AUTUMN), ADA, six._replace(ends=utc(2027, 5, 8)), "UTC", 30, NOW)
    with pytest.raises(NotAllowed, match="you have 0 left"):
        declared((SUMMER, AUTUMN), ADA, six, "UTC", 20, NOW)


def test_days_of_an_earlier_vacation_are_those_of_its_players_zone() -> None:
    """Two days in Berlin of which one has 25 hours, and not three: of four days two are left."""
    taken = replace(FROZEN, begins=utc(2027, 10, 29, 22), ends=utc(2027, 10, 31, 23))
    there = Vacation(2, utc(2027, 12, 1), utc(2027, 12, 9), BERLIN)
    freeze = freeze_for(fold((*FOUR, taken), find=find), BLUE, there, there.begins)
    assert freeze is not None
    assert freeze.ends == utc(2027, 12, 3)


def test_one_that_is_not_to_be_is_in_the_way_of_none() -> None:
    wanted = Span(utc(2027, 10, 25), utc(2027, 11, 8))
    assert declared((SUMMER, AUTUMN, GONE), ADA, wanted, "UTC", 40, NOW).number == 4


@for_each(
    ("number", "now", "ends"),
    [
        (None, utc(2027, 7, 3, 12), utc(2027, 7, 3, 12)),
        (1, utc(2027, 7, 3, 12), utc(2027, 7, 3, 12)),
        (2, utc(2027, 7, 3, 12), AUTUMN.begins),
        (None, utc(2027, 8, 1), AUTUMN.begins),
    ],
)
def test_the_current_one_ends_now_and_one_ahead_is_not_to_be(number: int | None, now: datetime, ends: datetime) -> None:
    event = ended((SUMMER, AUTUMN, GONE), ADA, number, now)
    assert (event.ends, event.number) == (ends, 2 if ends == AUTUMN.begins else 1)


class Refusal(NamedTuple):
    code: str
    says: str
    ask: Callable[[], object]


def wanting(begins: datetime, ends: datetime, allowance: int = 30) -> Callable[[], object]:
    return lambda: declared((SUMMER, AUTUMN), ADA, Span(begins, ends), "UTC", allowance, NOW)


REFUSED = [
    Refusal("vacation_past", "2027-03-19 is in the past.", lambda: whole_days(date(2027, 3, 19), date(2027, 4, 1), BERLIN, NOW)),
    Refusal("vacation_short", "at least 2 days", wanting(utc(2027, 5, 1), utc(2027, 5, 2))),
    Refusal("vacation_short", "at least 2 days", wanting(utc(2027, 5, 1), utc(2027, 4, 1))),
    Refusal("vacation_far", "within a year", wanting(NOW + timedelta(days=366, seconds=1), utc(2028, 5, 1))),
    Refusal("vacation_far", "within a year", lambda: whole_days(date(9999, 12, 30), date.max, BERLIN, NOW)),
    Refusal("vacation_overlaps", '"vacation off 1"', wanting(utc(2027, 6, 25), utc(2027, 7, 2))),
    Refusal("vacation_overlaps", '"vacation off 2"', wanting(utc(2027, 10, 10, 23), utc(2027, 10, 14))),
    Refusal("vacation_spent", "That takes 7 days of your vacation in 2027", wanting(utc(2027, 5, 1), utc(2027, 5, 8))),
    Refusal("vacation_spent", "That takes 2 days of your vacation in 2027", wanting(utc(2027, 5, 1), utc(2027, 5, 3), 25)),
    Refusal("vacation_spent", "and you have 5 left.", lambda: declared((), ADA, Span(utc(2027, 12, 30), utc(2028, 1, 7)), "UTC", 5, NOW)),
    Refusal("vacation_spent", "and you have 0 left.", wanting(utc(2027, 5, 1), utc(2027, 5, 3), 10)),
    Refusal("no_vacation", '"vacation"', lambda: ended((SUMMER,), ADA, None, utc(2027, 7, 15))),
    Refusal("no_vacation", '"vacation"', lambda: ended((SUMMER,), ADA, 2, NOW)),
    Refusal("no_vacation", '"vacation"', lambda: ended((GONE,), ADA, 3, NOW)),
    Refusal("which_vacation", '"vacation off 1" or "vacation off 2"', lambda: ended((SUMMER, AUTUMN), ADA, None, NOW)),
]


@for_each("refusal", REFUSED, ids=lambda refusal: refusal.code)
def test_what_cannot_be_declared_or_ended(refusal: Refusal) -> None:
    with pytest.raises(NotAllowed) as refused:
        refusal.ask()
    assert (refused.value.code, refusal.says in refused.value.message) == (refusal.code, True), refused.value.message


AWAY = trip(1, day(2), day(12))
FROZEN = e.ClockFrozen(number=1, kind=e.FreezeKind.VACATION, seat=BLUE, begins=day(2), ends=day(12), clock=None)
PAUSED = replace(FROZEN, kind=e.FreezeKind.PAUSE, seat=None)
FOUR_DAYS = replace(THREE_DAYS, vacation_days=4)
FOUR = running(terms=FOUR_DAYS)
EARLIER = replace(FROZEN, begins=day(0), ends=day(1, seconds=1))
CALLED_OFF = replace(FROZEN, begins=day(2), ends=day(2))


@for_each(
    ("given", "seat", "ends"),
    [
        (NIM_1, BLUE, day(12)),
        (NIM_1, RED, day(12)),
        (FOUR, BLUE, day(6)),
        ((*FOUR, EARLIER), BLUE, day(4)),
        ((*FOUR, EARLIER), RED, day(6)),
        ((*FOUR, EARLIER, seated(BLUE, clock(0))), BLUE, day(6)),
        ((*FOUR, EARLIER, seated(BLUE, clock(0)), seated(BLUE, clock(0), BOB)), BLUE, day(4)),
        ((*FOUR, replace(FROZEN, ends=day(3)), seated(BLUE, clock(0))), BLUE, day(6)),
        ((*FOUR, seated(BLUE, clock(0)), EARLIER, seated(BLUE, clock(0), BOB)), BLUE, day(6)),
        ((*NIM_1, PAUSED), BLUE, day(12)),
        ((*NIM_1, CALLED_OFF), BLUE, day(12)),
        ((*FOUR, replace(FROZEN, begins=day(-9), ends=None)), BLUE, day(6)),
        ((*FOUR, replace(FROZEN, begins=day(-9), ends=day(-5))), BLUE, None),
        ((*NIM_1, FROZEN), BLUE, None),
        (running(terms=replace(THREE_DAYS, vacation_days=0)), BLUE, None),
        ((opened(),), BLUE, None),
        (WON, BLUE, None),
        ((*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0)), BLUE, None),
    ],
)
def test_a_game_allows_what_its_terms_allow(given: tuple[e.GameEvent, ...], seat: Seat, ends: datetime | None) -> None:
    freeze = freeze_for(fold(given, find=find), seat, AWAY, AWAY.begins)
    assert freeze == (FreezeClock(e.FreezeKind.VACATION, seat, day(2), ends) if ends else None)


def test_who_sits_down_in_the_middle_has_the_rest() -> None:
    assert freeze_for(fold(NIM, find=find), RED, AWAY, day(5)) == FreezeClock(e.FreezeKind.VACATION, RED, day(5), day(12))


SECOND = replace(FROZEN, number=2)


@for_each(
    ("given", "asked_at", "span"),
    [
        ((*FOUR, replace(FROZEN, ends=day(4))), None, (day(4), day(6))),
        ((*FOUR, replace(FROZEN, ends=day(4))), day(3), (day(4), day(6))),
        ((*FOUR, replace(FROZEN, ends=day(4))), day(5), (day(5), day(7))),
        ((*FOUR, replace(FROZEN, ends=day(3)), replace(SECOND, begins=day(5), ends=day(6))), None, (day(6), day(8))),
        ((*NIM_1, replace(FROZEN, ends=day(9))), None, (day(9), day(12))),
        ((*NIM_1, replace(FROZEN, ends=day(4)), replace(SECOND, begins=day(4))), None, None),
        ((*NIM_1, replace(FROZEN, ends=day(4))), day(12), None),
    ],
)
def test_a_vacation_goes_on_with_days_that_came_back(
    given: tuple[e.GameEvent, ...], asked_at: datetime | None, span: tuple[datetime, datetime] | None
) -> None:
    freeze = freeze_for(fold(given, find=find), BLUE, AWAY, AWAY.begins, asked_at)
    assert freeze == (FreezeClock(e.FreezeKind.VACATION, BLUE, *span) if span else None)


@for_each(
    ("given", "known", "thaws"),
    [
        ((*NIM_1, FROZEN), (AWAY,), ()),
        ((*NIM_1, FROZEN), (AWAY._replace(ends=day(4)),), (ThawClock(1, day(4)),)),
        ((*NIM_1, FROZEN), (AWAY._replace(ends=day(2)),), (ThawClock(1, day(2)),)),
        ((*NIM_1, FROZEN), (AWAY._replace(ends=day(2)), trip(2, day(5), day(9))), (ThawClock(1, day(2)),)),
        ((*NIM_1, replace(FROZEN, begins=day(3))), (trip(1, day(1), day(2)), trip(2, day(2), day(6))), (ThawClock(1, day(6)),)),
        ((*NIM_1, replace(FROZEN, ends=day(6))), (AWAY,), ()),
        ((*NIM_1, CALLED_OFF), (AWAY._replace(ends=day(2)),), ()),
        ((*NIM_1, replace(FROZEN, ends=None)), (AWAY._replace(ends=day(4)),), ()),
        ((*NIM_1, replace(FROZEN, seat=RED)), (AWAY._replace(ends=day(4)),), ()),
        ((*NIM_1, PAUSED), (AWAY._replace(ends=day(4)),), ()),
        ((*NIM_1, FROZEN, seated(BLUE, clock(1))), (AWAY._replace(ends=day(4)),), ()),
        ((*WON, FROZEN), (AWAY._replace(ends=day(4)),), ()),
        (NIM_1, (AWAY._replace(ends=day(4)),), ()),
        (
            (*NIM_1, replace(FROZEN, ends=day(4)), replace(SECOND, begins=day(4))),
            (AWAY._replace(ends=day(3)),),
            (ThawClock(1, day(3)), ThawClock(2, day(4))),
        ),
    ],
)
def test_a_vacation_that_ended_early_stops_no_clock_after_it(
    given: tuple[e.GameEvent, ...], known: tuple[Vacation, ...], thaws: tuple[ThawClock, ...]
) -> None:
    assert thaws_for(fold(given, find=find), BLUE, known) == thaws


@for_each(
    ("given", "seat", "at", "away"),
    [
        ((*NIM_1, FROZEN), BLUE, day(2), True),
        ((*NIM_1, FROZEN), BLUE, day(12), False),
        ((*NIM_1, FROZEN), BLUE, day(1), False),
        ((*NIM_1, FROZEN), RED, day(3), False),
        ((*NIM_1, PAUSED), BLUE, day(3), False),
        ((*NIM_1, replace(FROZEN, ends=None)), BLUE, day(99), True),
    ],
)
def test_who_is_on_vacation(given: tuple[e.GameEvent, ...], seat: Seat, at: datetime, away: bool) -> None:  # one answer
    assert (on_vacation(fold(given, find=find), seat, at) is not None) is away


def test_ending_names_the_player() -> None:
    assert ended((SUMMER,), BOB, None, NOW).player == BOB


def test_a_vacation_of_several_freezes_lasts_until_the_last_of_them() -> None:
    parts = (
        replace(FROZEN, ends=day(4)),
        replace(SECOND, begins=day(6), ends=day(8)),
        replace(FROZEN, number=3, begins=day(4), ends=day(6)),
    )
    freeze = on_vacation(fold((*NIM_1, *parts), find=find), BLUE, day(3))
    assert freeze is not None
    assert freeze.ends == day(8)
