"""The second reading of terms, which games are opened with today, beside the first one, which older games keep."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, CHANCE, CLEO, RED, day
from tests.play.small_games import find, house
from tests.terms import THREE_DAYS
from turnserver.audit.game.recheck import recheck
from turnserver.ids import PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.clock.clock import again
from turnserver.play.clock.controls import Bank
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.state import GameState
from turnserver.play.vacations import Vacation, freeze_for

HOUR = timedelta(hours=1)
PLAIN = replace(THREE_DAYS, reminders=("50%", "24h", "4h"))


class Played(NamedTuple):
    """A game of somebody at home in each zone, from its opening on, and when each event was recorded."""

    events: tuple[e.GameEvent, ...]
    instants: tuple[datetime, ...]

    @property
    def state(self) -> GameState:
        return fold(self.events, find=find)

    def then(self, command: c.Command, at: datetime) -> "Played":
        more = decide(self.state, command, at, find, CHANCE, house=house)
        return Played((*self.events, *more), (*self.instants, *[at] * len(more)))

    def sound(self) -> bool:
        return list(recheck(self.events, CHANCE.game, find, recorded=self.instants)) == []


def begun(terms: e.Terms, zones: tuple[str, ...] = ("UTC", "UTC"), at: datetime | None = None) -> Played:
    since = day(0) if at is None else at
    players: tuple[PlayerId, ...] = (ADA, BOB, CLEO)[: len(zones)]
    game = "nim" if len(players) == 2 else "trio"
    opening = c.OpenGame(game, {"heap": 30}, players, e.SeatOrder.GIVEN, terms, ADA, zone=zones[0])
    events = decide(None, opening, since, find)
    played = Played(events, (since,) * len(events))
    for player, zone in zip(players[1:], zones[1:], strict=True):
        played = played.then(c.Accept(player, since, zone=zone), since)
    return played


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(("reading", "due"), [(1, "2027-03-25T11:00"), (2, "2027-03-25T20:00")])
def test_the_hour_that_was_named_is_the_hour(reading: int, due: str) -> None:
    """On Lord Howe it is night at eight o'clock in the evening of Greenwich."""
    terms = replace(PLAIN, time="next 20:00 UTC, at least 24h, nights 22:00-07:00", clock=reading)
    game = begun(terms, ("Australia/Lord_Howe", "UTC"), at("2027-03-24T19:58"))
    assert game.state.deadline == at(due)
    assert game.sound()


@for_each(
    ("reading", "marks", "due"),
    [
        (1, ("24h",), "2027-03-05T01:00"),
        (2, ("24h",), "2027-03-07T01:00"),
        (1, ("4h",), "2027-03-05T21:00"),
        (2, ("4h",), "2027-03-07T21:00"),
        (2, ("25h",), "2027-03-05T00:00"),
        (2, ("50%",), "2027-03-04T13:00"),
        (2, (), None),
    ],
)
def test_the_last_day_is_one_on_the_wall(reading: int, marks: tuple[str, ...], due: str | None) -> None:
    """Due at one in the night to Monday: the last day begins on Sunday, not on Thursday evening or Friday."""
    terms = replace(PLAIN, time="3d, no weekends", reminders=marks, clock=reading)
    game = begun(terms, at=at("2027-03-03T01:00"))
    assert game.state.deadline == at("2027-03-08T01:00")
    clock = game.state.clock
    assert clock is not None
    assert clock.remind_at == (None if due is None else at(due))
    assert game.sound()


def frozen(game: Played, kind: e.FreezeKind, begins: float, ends: float | None, asked: float = 0.5) -> Played:
    seat = RED if kind is e.FreezeKind.VACATION else None
    return game.then(c.FreezeClock(kind, seat, day(begins), None if ends is None else day(ends)), day(asked))


VACATION, PAUSE, OUTAGE, HALT = e.FreezeKind.VACATION, e.FreezeKind.PAUSE, e.FreezeKind.OUTAGE, e.FreezeKind.HALT


@for_each(
    ("freezes", "due"),
    [
        ([], 2),
        ([(OUTAGE, 2.5, 4.5)], 2),
        ([(OUTAGE, 2.5, 4.5), (OUTAGE, 2.25, 3)], 2),
        ([(OUTAGE, 1, 1.5)], 2.5),
        ([(OUTAGE, 2, 3)], 3),
        ([(HALT, 1, None)], None),
    ],
)
def test_hours_of_a_freeze_are_no_part_of_the_last_day(freezes: list[tuple[e.FreezeKind, float, float | None]], due: float | None) -> None:
    """They would end before whoever was away is back."""
    game = begun(replace(PLAIN, reminders=("24h",), clock=2))
    for kind, begins, ends in freezes:
        game = frozen(game, kind, begins, ends)
    clock = game.state.clock
    assert clock is not None
    assert clock.remind_at == (None if due is None else day(due))


@for_each(
    ("freezes", "ends"),
    [
        ([(VACATION, 1, 5)], 5),
        ([(PAUSE, 1, 5)], 5),
        ([(OUTAGE, 1, 5)], None),
        ([(VACATION, 1, 5), (OUTAGE, 4, 6)], None),
        ([(VACATION, 1, 5), (PAUSE, 4, 6)], 6),
        ([(VACATION, 3, 9)], None),
        ([(VACATION, 1, 5), (HALT, 4, None)], None),
    ],
)
@for_each("reading", [1, 2])
def test_whose_clock_runs_again_hears_of_it(
    freezes: list[tuple[e.FreezeKind, float, float | None]], ends: float | None, reading: int
) -> None:
    game = begun(replace(PLAIN, reminders=(), clock=reading))
    for kind, begins, until in freezes:
        game = frozen(game, kind, begins, until)
    clock = game.state.clock
    assert clock is not None
    assert clock.remind_at == (day(ends) if ends is not None and reading == 2 else None)


def test_a_reminder_that_was_used_up_before_a_vacation_comes_again_as_that_of_its_end() -> None:
    game = begun(replace(PLAIN, reminders=("24h",), clock=2)).then(c.CheckClock(), day(2))
    game = frozen(game, VACATION, 2.5, 12.5, 2.25)
    told = game.then(c.CheckClock(), day(12.5))
    assert told.events[-1] == e.PlayerReminded(seat=RED, turn=1, marks=(again(day(12.5)),), remind_at=None)
    assert told.state.deadline == day(13)
    assert told.sound()


def test_nobody_is_told_that_the_clock_of_a_seat_runs_again_that_waits_for_somebody() -> None:
    game = begun(replace(PLAIN, reminders=(), when_late=e.WhenLate.SUBSTITUTE, clock=2), ("UTC",) * 3).then(c.CheckClock(), day(3))
    game = frozen(game, VACATION, 4, 6, 4)
    assert game.state.clock is not None
    assert game.state.clock.remind_at is None
    assert game.sound()


@for_each("late", [e.WhenLate.SKIP, e.WhenLate.HOUSE])
@for_each(("time", "reading", "left"), [("3d in all", 1, 0), ("3d in all", 2, 1), ("3d+1d cap 9d", 2, 1), ("3d", 2, 0)])
def test_who_has_missed_a_turn_has_time_for_the_next(late: e.WhenLate, time: str, reading: int, left: int) -> None:
    game = begun(replace(PLAIN, time=time, reminders=(), when_late=late, clock=reading), ("UTC",) * 3).then(c.CheckClock(), day(3))
    assert game.state.banks[0] == Bank(timedelta(days=left))
    assert (game.state.to_move, isinstance(game.events[-1], e.TurnSkipped)) == (BLUE, late is e.WhenLate.SKIP)
    assert game.sound()


def test_who_missed_a_turn_and_played_the_next_keeps_what_is_left() -> None:
    game = begun(replace(PLAIN, time="3d in all", reminders=(), when_late=e.WhenLate.SKIP, clock=2), ("UTC",) * 3).then(
        c.CheckClock(), day(3)
    )
    for player in (BOB, CLEO, ADA):
        game = game.then(c.PlayTurn(player, day(3.25), "1"), day(3.25))
    assert game.state.banks[0] == Bank(timedelta(days=1))
    assert game.sound()


AWAY = Vacation(1, day(3.5), day(9.5), "UTC")


@for_each(
    ("grace", "looked", "asked", "begins"),
    [
        (24, True, 3.5, 4),
        (24, False, 3.5, 4),
        (24, False, 3, 3.5),
        (24, False, 2.9, 3.5),
        (0, False, 3.5, 3.5),
    ],
)
def test_a_vacation_asked_for_when_time_was_up_adds_nothing_to_the_turn(grace: int, *, looked: bool, asked: float, begins: float) -> None:
    """Grace is a day and no more, whether or not the clock was looked at."""
    game = begun(replace(PLAIN, reminders=(), grace_hours=grace))
    game = game.then(c.CheckClock(), day(3)) if looked else game
    freeze = freeze_for(game.state, RED, AWAY, AWAY.begins, day(asked))
    assert freeze == c.FreezeClock(VACATION, RED, day(begins), AWAY.ends)
    assert freeze_for(game.state, BLUE, AWAY, AWAY.begins, day(asked)) == c.FreezeClock(VACATION, BLUE, day(3.5), AWAY.ends)
    if looked:
        assert game.then(freeze, day(asked)).state.deadline == day(4)


@pytest.mark.parametrize("stopped", ["no limit", "3d"])
def test_a_vacation_where_no_time_runs_out_begins_when_it_does(stopped: str) -> None:
    game = begun(replace(PLAIN, time=stopped, reminders=()))
    game = frozen(game, HALT, 1, None)
    assert freeze_for(game.state, RED, AWAY, AWAY.begins, day(3.5)) == c.FreezeClock(VACATION, RED, day(3.5), AWAY.ends)


@pytest.mark.parametrize(("time", "due"), [("24h", None), ("25h", HOUR)])
def test_a_turn_that_never_had_more_is_not_reminded_of_its_last_day(time: str, due: timedelta | None) -> None:
    game = begun(replace(PLAIN, time=time, reminders=("24h",), clock=2))
    assert game.state.clock is not None
    assert game.state.clock.remind_at == (day(0) + due if due else None)
    assert game.sound()
