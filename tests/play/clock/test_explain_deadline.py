"""The account of a deadline adds up, whatever happened, and says where each part comes from."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple, TypeVar
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, CLEO, DAN, RED, day
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.errors import Refusal
from turnserver.ids import Burden, Position, Recorded, Stream, Version
from turnserver.play import commands as c
from turnserver.play.clock.controls import Bank
from turnserver.play.clock.explain_deadline import Account, BankRow, TimePart, bank_rows, explain_deadline
from turnserver.play.decide import decide
from turnserver.play.events import FreezeKind, GameEvent, SeatOrder
from turnserver.play.evolve import fold
from turnserver.play.state import GameState

E = TypeVar("E")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BANK = "5d+36h cap 10d"
HOLIDAYS = (date(2025, 3, 4), date(2025, 3, 9), date(2025, 3, 21))
ZONES = ("UTC", "Asia/Tokyo", "America/New_York")

Doing = tuple[float, c.Command | str]
"""The day on which something is asked; a text is played by whoever has the turn."""


def history(events: Sequence[tuple[datetime, str, E]]) -> list[Recorded[E]]:
    """Events as the log keeps them."""
    return [
        Recorded(Position(number), Stream("game-17"), Version(number), at, actor, "test:", event, b"")
        for number, (at, actor, event) in enumerate(events, start=1)
    ]


THREE = (TimePart("per turn", 3 * DAY),)


def told(time: str, *doings: Doing, zones: tuple[str, ...] = ("UTC", "UTC"), holidays: tuple[date, ...] = ()) -> list[Recorded[GameEvent]]:
    """A game between two or three that begins on day 0, by a time control; what is refused has not happened."""
    players = (ADA, BOB, CLEO)[: len(zones)]
    terms = replace(THREE_DAYS, time=time, reminders=("24h",), holidays=holidays)
    opening = c.OpenGame("nim" if len(zones) == 2 else "trio", {"heap": 60}, players, SeatOrder.GIVEN, terms, ADA, zones[0])
    events = [(day(0), "player-11", event) for event in decide(None, opening, day(0), find)]
    accepting: list[Doing] = [(0, c.Accept(player, day(0), zone=zone)) for player, zone in zip(players[1:], zones[1:], strict=True)]
    for at, asked in (*accepting, *doings):
        state = fold((event for _, _, event in events), find=find)
        command = c.PlayTurn(state.player_at(state.to_move or RED), day(at), asked) if isinstance(asked, str) else asked
        try:
            events += [(day(at), f"by {at:g}", event) for event in decide(state, command, day(at), find)]
        except Refusal:
            continue
    return history(events)


def of(found: list[Recorded[GameEvent]]) -> Account:
    made = explain_deadline(found, find)
    assert made is not None
    return made


def away(begins: float, ends: float | None, seat: int | None = 1, kind: FreezeKind = FreezeKind.VACATION) -> c.FreezeClock:
    return c.FreezeClock(kind, None if seat is None else (RED, BLUE)[seat - 1], day(begins), None if ends is None else day(ends), "why")


def stands_still(at: datetime, zone: str, written: str, holidays: tuple[date, ...], freezes: Sequence[c.FreezeClock]) -> bool:
    """Return whether the clock that these freezes are about stands still in the hour that begins then: looked up, and not worked out."""
    local = at.astimezone(ZoneInfo(zone))
    night = "nights" in written and (local.time() >= time(22) or local.time() < time(7))
    weekend = "weekends" in written and local.isoweekday() > 5
    frozen = any(one.begins <= at and (one.ends is None or at < one.ends) for one in freezes)
    return night or weekend or frozen or local.date() in holidays


@st.composite
def doings(draw: st.DrawFn) -> list[Doing]:
    """Turns, freezes, credits and what else moves clocks, all at whole hours."""
    found: list[Doing] = []
    hours = 0
    for _ in range(draw(st.integers(0, 12))):
        hours += draw(st.integers(0, 50))
        begins, length = draw(st.integers(hours - 60, hours + 60)), draw(st.integers(1, 200))
        anything: list[c.Command | str] = [
            "1",
            away(begins / 24, (begins + length) / 24, draw(st.sampled_from((None, 1, 2))), draw(st.sampled_from(FreezeKind))),
            c.CreditClock(3600 * length, "why"),
            c.CheckClock(),
            c.Retract(draw(st.integers(1, 3)), "why"),
            c.ThawClock(draw(st.integers(1, 2)), day((begins + length) / 24)),
            c.Resign(CLEO, day(hours / 24)),
        ]
        found.append((hours / 24, draw(st.sampled_from([*anything, "1", "1"]))))
    return found


@pytest.mark.thorough
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from((BANK, "3d", "60d in all", "2d then 3x1d", "next 20:00 UTC, at least 24h")),
    st.sampled_from(("", ", no weekends", ", nights 22:00-07:00", ", no weekends, nights 22:00-07:00")),
    st.lists(st.sampled_from(ZONES), min_size=2, max_size=3).map(tuple),
    st.sampled_from(((), HOLIDAYS)),
    doings(),
)
def test_it_adds_up(written: str, off: str, zones: tuple[str, ...], holidays: tuple[date, ...], asked: list[Doing]) -> None:
    found = told(written + off, *asked, zones=zones, holidays=holidays)
    state = fold((one.event for one in found), find=find)
    if state.to_move is None or state.deadline is None:
        return
    made = of(found)
    assert (made.seat, made.turn, made.deadline) == (state.to_move, state.turn, state.deadline)
    assert made.time == state.clock.time if state.clock else False
    assert made.since + made.time + made.stopped == made.deadline
    assert made.stopped == naive(state, off, holidays, made) * HOUR
    assert all(one.span > timedelta(0) or len(made.parts) == 1 for one in made.parts)
    assert all(one.at >= made.since for one in made.given)


def naive(state: GameState, off: str, holidays: tuple[date, ...], made: Account) -> int:
    """Return the number of hours for which the clock stood still."""
    about = [one for one in state.freezes if one.seat in (None, made.seat)]
    freezes = [c.FreezeClock(one.kind, one.seat, one.begins, one.ends) for one in about]
    return sum(stands_still(at, state.zones[made.seat - 1], off, holidays, freezes) for at in _hours(made))


def _hours(made: Account) -> Iterator[datetime]:
    at = made.since
    while made.deadline is not None and at < made.deadline:
        yield at
        at += HOUR


class Story(NamedTuple):
    """By this time control, after these doings, the turn has its time from `parts`, and these stops: why, how many days, the seat."""

    time: str
    doings: tuple[Doing, ...]
    parts: tuple[TimePart, ...]
    stops: tuple[tuple[str, float, int | None], ...] = ()


STORIES = {
    "each turn has the same": Story("3d", ((1, "1"),), THREE),
    "the bank": Story(BANK, ((1, "1"),), (TimePart("first bank", 5 * DAY),)),
    "what was left and what was added": Story(
        BANK, ((2, "1"), (3, "1")), (TimePart("left over", 3 * DAY), TimePart("increment", 36 * HOUR))
    ),
    "nothing was left": Story(BANK, ((5, "1"), (6, "1")), (TimePart("increment", 36 * HOUR),)),
    "what is left of a total": Story("60d in all", ((2, "1"), (3, "1")), (TimePart("left over", 58 * DAY),)),
    "nothing at all": Story("60d in all", ((60, "1"), (60, "1")), (TimePart("left over", timedelta(0)),)),
    "bank and periods": Story("2d then 3x1d", (), (TimePart("kept", 2 * DAY), TimePart("periods", 3 * DAY))),
    "periods alone": Story("2d then 3x1d", ((3.5, "1"), (4, "1")), (TimePart("periods", 2 * DAY),)),
    "until the hour": Story("next 20:00 UTC, at least 24h", (), (TimePart("hour", 32 * HOUR),)),
    "no limit": Story("no limit", ((1, away(2, 5)),), ()),
    "a weekend": Story("3d, no weekends", (), THREE, (("weekend", 1.5, None),)),
    "a vacation, but not its weekend": Story("3d, no weekends", ((0, away(0, 3)),), THREE, (("weekend", 1.5, None), ("vacation", 1.5, 1))),
    "a pause in a vacation counts once": Story(
        "3d",
        ((0, away(1, 3)), (0, away(2, 4, None, FreezeKind.PAUSE))),
        THREE,
        (("vacation", 2, 1), ("pause", 1, None)),
    ),
    "what took nothing is left out": Story("3d", ((0, away(1, 3)), (0, away(1.5, 2.5)), (0, away(20, 30))), THREE, (("vacation", 2, 1),)),
    "a substitute's": Story(BANK, ((1, c.Substitute(RED, DAN, "UTC", Burden.SEAT, "ill")),), (TimePart("substitute", 4 * DAY),)),
    "a substitute's, when little was left": Story(
        BANK, ((4.5, c.Substitute(RED, DAN, "UTC", Burden.SEAT, "ill")),), (TimePart("substitute", DAY),)
    ),
    "the other seat's vacation": Story("3d", ((0, away(1, 3, 2)),), THREE),
    "no end in sight": Story("3d", ((1, away(1, None, None, FreezeKind.HALT)),), THREE, (("halt", 0, None),)),
    "what began before the turn": Story("3d", ((0, away(0.5, 4, 2)), (1, "1")), THREE, (("vacation", 3, 2),)),
}


@for_each("story", STORIES.values(), ids=STORIES)
def test_where_the_time_comes_from(story: Story) -> None:
    made = of(told(story.time, *story.doings))
    assert made.parts == story.parts
    assert [(one.why, one.took / DAY, one.seat) for one in made.stops] == list(story.stops)


def test_who_did_what_and_when() -> None:
    made = of(told("3d", (1, c.CreditClock(3600, "r")), (1, away(2, 4)), (2, c.ThawClock(1, day(3), "back")), (3.5, c.CheckClock())))
    assert [(one.at, one.span, one.actor) for one in made.given] == [(day(1), HOUR, "by 1")]
    (stop,) = made.stops
    assert (stop.number, stop.begins, stop.ends, stop.actor, stop.reason) == (1, day(2), day(3), "by 1", "why")
    assert made.deadline == day(4, seconds=3600)
    assert (made.time, made.stopped) == (3 * DAY + HOUR, DAY)


def test_what_came_before_the_turn_is_no_part_of_it() -> None:
    made = of(told("3d", (0.5, c.CreditClock(3600, "r")), (2.5, c.CheckClock()), (2.6, "1"), (3, "1"), (3, c.Retract(2, "r"))))
    assert (made.turn, made.since, made.given) == (2, day(3), ())


def test_a_game_that_waits_for_nobody_has_none() -> None:
    assert explain_deadline(told("3d", (1, c.Resign(ADA, day(1)))), find) is None
    assert explain_deadline(told("3d")[:1], find) is None


def test_what_every_turn_did_to_a_bank() -> None:
    found = told(BANK, (2, "1"), (3, "1"), (4, "2"), (4, c.Retract(3, "r")), (5, "1"))
    assert bank_rows(found, find) == (
        BankRow(1, RED, 5 * DAY, 2 * DAY, 3 * DAY, 36 * HOUR, Bank(4.5 * DAY)),
        BankRow(2, BLUE, 5 * DAY, DAY, 4 * DAY, 36 * HOUR, Bank(5.5 * DAY)),
        BankRow(3, RED, 4.5 * DAY, DAY, 3.5 * DAY, 36 * HOUR, Bank(5 * DAY)),
    )
    assert bank_rows(told("2d then 3x1d", (3.5, "1")), find)[0][2:] == (5 * DAY, 3.5 * DAY, 1.5 * DAY, 12 * HOUR, Bank(periods=2))
    assert bank_rows(told("no limit", (3.5, "1")), find)[0][2:] == (None, None, None, timedelta(0), Bank())
