"""A seat's clock from turn to turn, and the deadline of the turn, by each time control."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as with_fields
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, INVITING, NIM_2, RED, WON, day, due
from tests.play.small_games import Counting, Options, find
from tests.terms import THREE_DAYS
from turnserver.play import commands as c
from turnserver.play.clock import clock
from turnserver.play.clock.controls import Bank
from turnserver.play.decide import decide
from turnserver.play.events import FreezeKind, SeatOrder, TurnClock
from turnserver.play.evolve import FindGame, fold
from turnserver.play.state import Freeze, GameState
from turnserver.rules import Game, Seat

HOUR = 3600
BANK = "5d+36h cap 10d"
UTC_ZONES = ("UTC", "UTC")

Doing = tuple[float, Callable[[GameState, datetime], c.Command]]
"""The day on which something is asked."""


def move(at: float) -> Doing:
    """Let the player who has the turn take a counter."""
    return at, lambda state, now: c.PlayTurn(state.player_at(state.to_move or RED), now, "1")


def asks(at: float, command: c.Command) -> Doing:
    """An admin or the service asks for something."""
    return at, lambda _state, _now: command


def away(at: float, seat: Seat | None, begins: float, ends: float | None) -> Doing:
    """Somebody's clock, or every clock, is to stand still."""
    kind = FreezeKind.PAUSE if seat is None else FreezeKind.VACATION
    return asks(at, c.FreezeClock(kind, seat, day(begins), None if ends is None else day(ends)))


def told(
    time: str,
    *doings: Doing,
    zones: tuple[str, str] = UTC_ZONES,
    since: float = 0,
    lookup: FindGame = find,
    holidays: tuple[date, ...] = (),
) -> GameState:
    """A game of Ada and Bob by a time control, from a day on, after all that they do; without reminders."""
    terms = replace(THREE_DAYS, time=time, reminders=(), holidays=holidays)
    opening = c.OpenGame("nim", {"heap": 30}, (ADA, BOB), SeatOrder.GIVEN, terms, ADA, zone=zones[0])
    begun = fold(decide(None, opening, day(since), lookup), find=lookup)
    state = fold(decide(begun, c.Accept(BOB, day(since), zone=zones[1]), day(since), lookup), begun, lookup)
    for at, ask in doings:
        state = fold(decide(state, ask(state, day(at)), day(at), lookup), state, lookup)
    return state


def bank(days: float, periods: int = 0) -> Bank:
    return Bank(timedelta(days=days), periods)


class Story(NamedTuple):
    """After these doings the clocks hold `banks`, Red's and Blue's, and the pending turn has `then`."""

    time: str
    doings: tuple[Doing, ...]
    banks: tuple[Bank, Bank]
    then: TurnClock


AT_ONCE = tuple(move(0) for _ in range(8))
NONE = (Bank(), Bank())
FIVE = bank(5)

STORIES = {
    "per move: a turn has its days": Story("3d", (), NONE, due(0, 3, by=3)),
    "per move: what is saved is lost": Story("3d", (move(1), move(1)), NONE, due(1, 3, by=4)),
    "a bank to begin with": Story(BANK, (), (FIVE, FIVE), due(0, 5, by=5)),
    "a move adds to its own bank": Story(BANK, (move(1),), (bank(5.5), FIVE), due(1, 5, by=6)),
    "a move at once adds all of it": Story(BANK, (move(1), move(1)), (bank(5.5), bank(6.5)), due(1, 5.5, by=6.5)),
    "a move at the last instant has what it adds": Story(BANK, (move(5), move(5)), (bank(1.5), bank(6.5)), due(5, 1.5, by=6.5)),
    "nothing is added beyond the cap": Story(BANK, AT_ONCE, (bank(10), bank(10)), due(0, 10, by=10)),
    "up to the cap": Story(BANK, (*AT_ONCE, move(1)), (bank(10), bank(10)), due(1, 10, by=11)),
    "less than was used": Story(BANK, (*AT_ONCE, move(3)), (bank(8.5), bank(10)), due(3, 10, by=13)),
    "time that was given beyond the cap is kept and does not grow": Story(
        BANK, (asks(0, c.CreditClock(8 * 24 * HOUR, "r")), move(1)), (bank(12), FIVE), due(1, 5, by=6)
    ),
    "time that was given within the cap grows": Story(
        BANK, (asks(0, c.CreditClock(2 * 24 * HOUR, "r")), move(1)), (bank(7.5), FIVE), due(1, 5, by=6)
    ),
    "in all: a move takes what it took": Story("60d in all", (move(10),), (bank(50), bank(60)), due(10, 60, by=70)),
    "in all: and leaves the rest": Story("60d in all", (move(10), move(12)), (bank(50), bank(58)), due(12, 50, by=62)),
    "in all: until nothing is left": Story("60d in all", (move(10), move(10), move(60)), (bank(0), bank(60)), due(60, 60, by=120)),
    "in all: then there is no time": Story("60d in all", (move(60), move(60)), (bank(0), bank(60)), due(60, 0, by=60)),
    "byo-yomi: bank and periods": Story("2d then 3x1d", (), (bank(2, 3), bank(2, 3)), due(0, 5, by=5)),
    "byo-yomi: first the bank": Story("2d then 3x1d", (move(1),), (bank(1, 3), bank(2, 3)), due(1, 5, by=6)),
    "byo-yomi: all of the bank": Story("2d then 3x1d", (move(2),), (bank(0, 3), bank(2, 3)), due(2, 5, by=7)),
    "byo-yomi: within a period, which is not used up": Story("2d then 3x1d", (move(2.5),), (bank(0, 3), bank(2, 3)), due(2.5, 5, by=7.5)),
    "byo-yomi: beyond one period": Story("2d then 3x1d", (move(3.5), move(3.5)), (bank(0, 2), bank(2, 3)), due(3.5, 2, by=5.5)),
    "byo-yomi: the last one stays": Story("2d then 3x1d", (move(5), move(5)), (bank(0, 1), bank(2, 3)), due(5, 1, by=6)),
    "byo-yomi: the last one again": Story(
        "2d then 3x1d", (move(5), move(5), move(5.5), move(5.5)), (bank(0, 1), bank(2, 3)), due(5.5, 1, by=6.5)
    ),
    "an hour of the day: the first that leaves a day": Story(
        "next 20:00 Europe/Berlin, at least 24h", (), NONE, due(0, 31 / 24, by=31 / 24)
    ),
    "an hour of the day: not for who played just before it": Story(
        "next 20:00 Europe/Berlin, at least 24h", (move(1),), NONE, due(1, 31 / 24, by=1 + 31 / 24)
    ),
    "no limit": Story("no limit", (), NONE, TurnClock(since=day(0))),
    "no limit, ever": Story("no limit", (move(1_000), away(1_001, RED, 1_002, 1_003)), NONE, TurnClock(since=day(1_000))),
    "a vacation that is known before the turn": Story(BANK, (away(0, BLUE, 2, 12), move(1)), (bank(5.5), FIVE), due(1, 5, by=16)),
    "a vacation costs nothing": Story(BANK, (away(0, RED, 1, 11), move(12)), (bank(4.5), FIVE), due(12, 5, by=17)),
    "a vacation that is declared during the turn": Story(BANK, (away(1, RED, 1, 11),), (FIVE, FIVE), due(0, 5, by=15)),
    "a vacation of the other seat": Story(BANK, (away(1, BLUE, 1, 11), move(2)), (bank(4.5), FIVE), due(2, 5, by=16)),
    "a move during one's vacation": Story(BANK, (away(1, RED, 1, 11), move(6)), (bank(5.5), FIVE), due(6, 5, by=11)),
    "a move in a pause without end": Story(BANK, (away(1, None, 1, None), move(50)), (bank(5.5), FIVE), due(50, 5)),
    "the end of that pause": Story(
        BANK, (away(1, None, 1, None), move(50), asks(60, c.ThawClock(1, day(60)))), (bank(5.5), FIVE), due(50, 5, by=65)
    ),
    "a vacation in a pause": Story(
        BANK,
        (away(1, None, 1, None), away(2, RED, 2, 20), asks(10, c.ThawClock(1, day(10)))),
        (FIVE, FIVE),
        due(0, 5, by=24),
    ),
    "an outage in a vacation counts once": Story(
        BANK,
        (asks(3, c.FreezeClock(FreezeKind.OUTAGE, None, day(2), day(3))), away(3, RED, 1, 4)),
        (FIVE, FIVE),
        due(0, 5, by=8),
    ),
    "an outage that begins in a vacation counts once": Story(
        BANK,
        (away(1, RED, 1, 4), asks(6, c.FreezeClock(FreezeKind.OUTAGE, None, day(3), day(6)))),
        (FIVE, FIVE),
        due(0, 5, by=10),
    ),
    "a vacation when an hour of the day is agreed": Story(
        "next 20:00 Europe/Berlin, at least 24h", (away(0, RED, 1, 4),), NONE, due(0, 31 / 24, by=3 + 31 / 24)
    ),
    "taken back: every clock holds what it held": Story(
        BANK, (move(1), move(2), move(3), move(4), asks(9, c.Retract(2, "r"))), (bank(5.5), FIVE), due(9, 5, by=14)
    ),
    "taken back to a later turn": Story(
        BANK, (move(1), move(2), move(3), move(4), asks(9, c.Retract(3, "r"))), (bank(5.5), bank(5.5)), due(9, 5.5, by=14.5)
    ),
    "taken back to the first": Story(BANK, (move(1), move(2), asks(9, c.Retract(1, "r"))), (FIVE, FIVE), due(9, 5, by=14)),
    "taken back, which ends no vacation": Story(
        BANK, (away(0, RED, 1, 20), move(2), asks(9, c.Retract(1, "r"))), (FIVE, FIVE), due(9, 5, by=25)
    ),
    "taken back in byo-yomi": Story(
        "2d then 3x1d", (move(4.5), move(5), move(6), asks(9, c.Retract(3, "r"))), (bank(0, 1), bank(1.5, 3)), due(9, 1, by=10)
    ),
}


@for_each("story", STORIES.values(), ids=STORIES)
def test_what_clocks_hold(story: Story) -> None:
    state = told(story.time, *story.doings)
    assert (state.banks, state.clock) == (story.banks, story.then)


SATURDAY = 0
SUMMER_TIME = 28 + 8 / 24
"""Saturday, 29 March 2025, 20:00 in UTC and 21:00 in Berlin, on the evening before the clocks go forward there."""
BERLIN, TOKYO, NEW_YORK = "Europe/Berlin", "Asia/Tokyo", "America/New_York"

CALENDARS: dict[str, tuple[GameState, timedelta, datetime]] = {
    "a day ends at the same time of the day": (
        told("1d", zones=(BERLIN, BERLIN), since=SUMMER_TIME),
        timedelta(hours=23),
        datetime(2025, 3, 30, 19, tzinfo=UTC),
    ),
    "in the zone of whoever has the turn": (
        told("1d", move(SUMMER_TIME), zones=(BERLIN, "UTC"), since=SUMMER_TIME),
        timedelta(hours=24),
        datetime(2025, 3, 30, 20, tzinfo=UTC),
    ),
    "24 hours are exact": (
        told("24h", zones=(BERLIN, BERLIN), since=SUMMER_TIME),
        timedelta(hours=24),
        datetime(2025, 3, 30, 20, tzinfo=UTC),
    ),
    "an hour of the day is that of its zone": (
        told("next 20:00 Europe/Berlin, at least 24h", since=SUMMER_TIME),
        timedelta(hours=46),
        datetime(2025, 3, 31, 18, tzinfo=UTC),
    ),
    "weekends end in the east": (
        told("3d, no weekends", zones=(TOKYO, NEW_YORK), since=SATURDAY),
        timedelta(days=3),
        datetime(2025, 3, 5, 15, tzinfo=UTC),
    ),
    "and later in the west": (
        told("3d, no weekends", move(SATURDAY), zones=(TOKYO, NEW_YORK), since=SATURDAY),
        timedelta(days=3),
        datetime(2025, 3, 6, 5, tzinfo=UTC),
    ),
    "a bank runs outside of weekends": (
        told(f"{BANK}, no weekends", move(1), since=SATURDAY),
        timedelta(days=5),
        datetime(2025, 3, 8, tzinfo=UTC),
    ),
    "nights": (
        told("24h, nights 22:00-10:00", since=SATURDAY),
        timedelta(hours=24),
        datetime(2025, 3, 3, 12, tzinfo=UTC),
    ),
    "holidays": (
        told("3d, holidays DE", since=SATURDAY, holidays=(date(2025, 3, 3),)),
        timedelta(days=3),
        datetime(2025, 3, 5, 12, tzinfo=UTC),
    ),
    "a vacation over a weekend takes the working days only": (
        told("3d, no weekends", away(0, RED, -0.5, 3.5), since=SATURDAY),
        timedelta(days=3),
        datetime(2025, 3, 8, tzinfo=UTC),
    ),
}


@for_each(("state", "time", "deadline"), CALENDARS.values(), ids=CALENDARS)
def test_a_clock_stands_still_by_the_calendar_of_its_seat(state: GameState, time: timedelta, deadline: datetime) -> None:
    assert state.clock is not None
    assert (state.clock.time, state.clock.deadline) == (time, deadline)


@dataclass(frozen=True)
class Alone(Counting):
    """The same seat moves again and again."""

    def _after(self, seat: Seat, gone: frozenset[Seat]) -> Seat:  # noqa: ARG002  # whoever has gone
        return seat


def find_alone(key: str, _revision: int | None = None, /, **options: Any) -> Game[Any, Any]:
    game = find(key, **options)
    return with_fields(game, rules=Alone(game.rules.teams, Options(heap=30)))


def test_a_seat_that_moves_twice_has_what_its_first_turn_left() -> None:
    state = told(BANK, move(1), move(3), lookup=find_alone)
    assert [turn.left for turn in state.line.turns] == [timedelta(days=4), timedelta(days=3.5)]
    assert (state.to_move, state.banks, state.clock) == (RED, (FIVE, FIVE), due(3, 5, by=8))


LEFT: dict[str, tuple[tuple[Doing, ...], float, float]] = {
    "all of it": ((), 0, 3),
    "some": ((), 1.25, 1.75),
    "nothing at the deadline": ((), 3, 0),
    "nothing after it": ((), 30, 0),
    "all of it before the turn": ((), -1, 3),
    "what there was when a pause began": ((away(0, None, 1, None),), 30, 2),
    "more when some was given": ((asks(0, c.CreditClock(24 * HOUR, "r")),), 3, 1),
    "not what another one's vacation saves": ((away(0, BLUE, 1, 3),), 2, 1),
}


@for_each(("doings", "at", "days"), LEFT.values(), ids=LEFT)
def test_what_is_left_of_a_turn(doings: tuple[Doing, ...], at: float, days: float) -> None:
    assert clock.left(told("3d", *doings), day(at)) == timedelta(days=days)


def test_without_limit_nothing_is_counted() -> None:
    state = told("no limit")
    assert clock.left(state, day(9)) is None
    assert clock.due_marks(replace(state, terms=THREE_DAYS), day(9)) == ()


@pytest.mark.parametrize("history", [INVITING, WON], ids=["before", "after"])
def test_without_a_turn_there_is_no_clock(history: tuple[Any, ...]) -> None:
    state = fold(history, find=find)
    assert (clock.anew(state), clock.left(state, day(9)), clock.due_marks(state, day(9))) == (None, timedelta(0), ())


FREEZES = (
    Freeze(1, FreezeKind.VACATION, RED, day(2), day(6)),
    Freeze(2, FreezeKind.OUTAGE, None, day(5), day(8)),
    Freeze(3, FreezeKind.VACATION, BLUE, day(0), day(4)),
    Freeze(4, FreezeKind.PAUSE, None, day(20), None),
)
FROZEN = [
    (RED, 0, 2, 0.0),
    (RED, 0, 3, 1),
    (RED, 0, 10, 6),
    (RED, 5.5, 5.75, 0.25),
    (BLUE, 0, 10, 7),
    (RED, 19, 25, 5),
    (RED, 9, 8, 0),
]


@for_each(("seat", "begins", "ends", "days"), FROZEN)
def test_what_freezes_took_counts_each_moment_once(seat: Seat, begins: float, ends: float, days: float) -> None:
    """And not what weekends took: day 0 is a Saturday."""
    state = replace(fold(NIM_2, find=find), freezes=FREEZES)
    for time in ("3d", "3d, no weekends"):
        there = replace(state, terms=replace(THREE_DAYS, time=time))
        assert clock.frozen(there, seat, day(begins), day(ends)) == timedelta(days=days)


@pytest.mark.parametrize("tz", [None, timezone(timedelta(hours=1))])
def test_an_instant_that_is_not_utc_is_a_mistake_of_the_program(tz: timezone | None) -> None:
    with pytest.raises(ValueError, match="must be in UTC"):
        clock.turn_clock(fold(NIM_2, find=find), RED, datetime(2025, 3, 1, tzinfo=tz))


def test_a_turn_shorter_than_its_reminder_has_none() -> None:
    """A reminder a day before the end would come before the turn, or with it."""
    for time, remind in (("24h", None), ("25h", day(0, seconds=HOUR))):
        terms = replace(THREE_DAYS, time=time)
        assert clock.turn_clock(replace(told(time), terms=terms), RED, day(0)).remind_at == remind


def test_reminders_that_are_still_to_come() -> None:
    """Those of the terms that have not gone out; that a clock runs again is told when it does."""
    terms = replace(THREE_DAYS, reminders=("50%", "24h", "4h"), clock=2)
    state = replace(told("4d", away(0, RED, 0, 1)), terms=terms)
    assert clock.reminders_to_come(state) == (day(3), day(4), day(5, seconds=-4 * HOUR))
    assert clock.reminders_to_come(replace(state, reminded=frozenset({"50%"}))) == (day(4), day(5, seconds=-4 * HOUR))
    assert clock.reminders_to_come(told("no limit")) == ()
