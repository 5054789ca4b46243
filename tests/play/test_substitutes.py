"""Somebody else plays on at a seat: who may, what the clock is then, and whose turns were whose."""

from contextlib import suppress

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    DAN,
    EVE,
    GREEN,
    INVITING,
    NIM,
    NIM_2,
    RED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    due,
    left,
    named,
    played,
    running,
)
from tests.play.small_games import find
from tests.play.test_timeouts import LENT, SKIP, SUBSTITUTE, granted, skipped, table, vacated
from tests.terms import THREE_DAYS
from turnserver.audit.game.recheck import recheck
from turnserver.errors import NotAllowed
from turnserver.ids import Burden, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.reliability import Tally, reliability
from turnserver.rules import Seat


def put_in(seat: Seat, player: PlayerId = EVE, zone: str = "UTC") -> c.Substitute:
    return c.Substitute(seat, player, zone, Burden.SEAT, "stayed away")


def seated(seat: Seat, clock: e.TurnClock, player: PlayerId = EVE, zone: str = "UTC") -> e.SubstituteSeated:
    return e.SubstituteSeated(seat=seat, player=player, zone=zone, rating=Burden.SEAT, reason="stayed away", clock=clock)


def away(seat: Seat, begins: float, ends: float, now: e.TurnClock, *, number: int = 1) -> e.ClockFrozen:
    return e.ClockFrozen(number=number, kind=e.FreezeKind.VACATION, seat=seat, begins=day(begins), ends=day(ends), clock=now)


def back(seat: Seat, at: float, now: e.TurnClock, *, number: int = 1) -> e.ClockThawed:
    return e.ClockThawed(number=number, kind=e.FreezeKind.VACATION, seat=seat, ends=day(at), clock=now)


OUTAGE = e.ClockFrozen(number=2, kind=e.FreezeKind.OUTAGE, seat=None, begins=day(2), ends=day(4), clock=due(0, 3, by=5.5, remind=4.5))
VACANT = (*table(SUBSTITUTE), vacated(RED, 1, 3))
"""Of three; Red has let the time pass, and the seat waits until day 10."""
FILLED = (*VACANT, seated(RED, due(5, 1, by=6)))
"""Eve is to play for Ada by day 6."""
REPLACED = (*NIM_2, seated(RED, due(3, 2, by=5, remind=4)))
"""Eve plays on for Ada from turn 3 on, and has two days left."""
LENT_LONG = (*running(terms=replace(THREE_DAYS, grace_hours=72)), e.GraceGranted(seat=RED, turn=1, hours=72, clock=due(0, 6, by=6)))
UNLIMITED = (*running(terms=replace(THREE_DAYS, time="no limit"))[:-1], e.GameStarted(to_move=RED, clock=e.TurnClock(since=day(0))))
WEEKENDS = (
    *running(terms=replace(THREE_DAYS, time="3d, no weekends", reminders=()))[:-1],
    e.GameStarted(to_move=RED, clock=due(0, 3, by=4.5)),
)
"""Day 0 is a Saturday."""


def round_without_red(turn: int, at: float) -> tuple[e.GameEvent, ...]:
    """Of three, Red lets a turn pass and the others play at once."""
    return (
        skipped(turn, RED, BLUE, at=at),
        played(turn + 1, BLUE, "1", GREEN, at=at, began=at),
        played(turn + 2, GREEN, "1", RED, at=at, began=at),
    )


MISSED = (*table(SKIP, heap=12), *round_without_red(1, 3), *round_without_red(4, 6), *round_without_red(7, 9), seated(RED, clock(9)))
"""Ada has missed three turns, and then Eve came."""

CASES = [
    Case("what the turn has left is the substitute's", NIM, put_in(RED), day(1), (seated(RED, due(1, 2, by=3, remind=2)),)),
    Case("and a day at least", NIM, put_in(RED), day(2.5), (seated(RED, due(2.5, 1, by=3.5)),)),
    Case("also when the time is up", NIM, put_in(RED), day(3.5), (seated(RED, due(3.5, 1, by=4.5)),)),
    Case("for a seat that waits", VACANT, put_in(RED), day(5), FILLED[-1:]),
    Case("without what was lent", LENT_LONG, put_in(RED), day(3.5), (seated(RED, due(3.5, 1, by=4.5)),)),
    Case("where there is no limit there is none", UNLIMITED, put_in(RED), day(1), (seated(RED, e.TurnClock(since=day(1))),)),
    Case(
        "not before the others know of the turn before it",
        (*NIM, replace(played(1, RED, "2", BLUE, at=1), clock=clock(1.5))),
        put_in(BLUE),
        day(1.25),
        (seated(BLUE, clock(1.5)),),
    ),
    Case("the turn of another goes on", NIM, put_in(BLUE), day(1), (seated(BLUE, clock(0)),)),
    Case(
        "weekends are those where the substitute lives",
        WEEKENDS,
        put_in(RED, zone="Asia/Tokyo"),
        day(0.125),
        (seated(RED, due(0.125, 3, by=4.125), zone="Asia/Tokyo"),),
    ),
    Case(
        "a vacation ends",
        (*NIM, away(RED, 1, 8, due(0, 3, by=10, remind=9))),
        put_in(RED),
        day(2),
        (back(RED, 2, due(0, 3, by=4, remind=3)), seated(RED, due(2, 2, by=4, remind=3))),
    ),
    Case(
        "one to come is none",
        (*NIM, away(BLUE, 5, 8, clock(0)), away(BLUE, 20, 30, clock(0), number=2)),
        put_in(BLUE),
        day(2),
        (back(BLUE, 5, clock(0)), back(BLUE, 20, clock(0), number=2), seated(BLUE, clock(0))),
    ),
    Case(
        "what has ended and what stops every clock stays",
        (*NIM, away(RED, 0.5, 1, due(0, 3, by=3.5, remind=2.5)), OUTAGE),
        put_in(RED),
        day(3),
        (seated(RED, due(3, 1.5, by=5.5, remind=4.5)),),
    ),
    Case(
        "what was called off before it began stays so",
        (*NIM, away(RED, 5, 8, clock(0)), back(RED, 5, clock(0))),
        put_in(RED),
        day(1),
        (seated(RED, due(1, 2, by=3, remind=2)),),
    ),
    Case("the substitute plays", FILLED, c.PlayTurn(EVE, day(5.5), "1"), day(5.5), (played(1, RED, "1", BLUE, at=5.5, began=3),)),
    Case("and may lose the seat", FILLED, c.CheckClock(), day(6), (vacated(RED, 1, 6),)),
    Case(
        "the substitute has a grace of their own",
        (*LENT, granted(RED, 3, 0), seated(RED, due(3, 1, by=4))),
        c.CheckClock(),
        day(4),
        (granted(RED, 3, 3, days=2),),
    ),
    Case("and has missed no turn", MISSED, c.CheckClock(), day(12), (skipped(10, RED, BLUE, at=12),)),
    Case(
        "whoever sat there before plays no more",
        FILLED,
        c.PlayTurn(ADA, day(5.5), "1"),
        day(5.5),
        Refused("seat_taken_over", "Somebody else has taken over your seat in this game."),
    ),
    Case("nor gives up", FILLED, c.Resign(ADA, day(5.5)), day(5.5), Refused("seat_taken_over", "You can still look at it")),
    Case("but may come back", FILLED, put_in(RED, ADA), day(5.5), (seated(RED, due(5.5, 1, by=6.5), ADA),)),
    Case(
        "what was on offer is not any more",
        (*TRIO, e.DrawOffered(seat=BLUE), seated(GREEN, clock(0))),
        c.Accept(ADA, day(1)),
        day(1),
        Refused("nothing_to_accept", "There is no offer to answer."),
    ),
    Case("not before the game begins", INVITING, put_in(BLUE), day(1), Refused("not_started", "This game hasn't started")),
    Case("nor after it", WON, put_in(BLUE), day(4), Refused("game_over", "is over")),
    Case("at no seat", NIM, put_in(Seat(3)), day(1), Refused("no_such_seat", "the seats 1 to 2")),
    Case(
        "at no seat that has left",
        (*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0)),
        put_in(BLUE),
        day(1),
        Refused("seat_left", "for good"),
    ),
    Case("no player of the game", TRIO, put_in(BLUE, CLEO), day(1), Refused("already_playing", "is in this game already.")),
    Case("for no reason", NIM, c.Substitute(RED, EVE, "UTC", Burden.NONE, " "), day(1), Refused("reason_missing", "needs a reason")),
]


@named(CASES)
def test_substitutes(case: Case) -> None:
    check(case)


@named(case for case in CASES if not isinstance(case.then, Refused))
def test_an_audit_agrees(case: Case) -> None:
    assert not isinstance(case.then, Refused)
    assert list(recheck((*case.given, *case.then), CHANCE.game, find)) == []


@pytest.mark.parametrize("time", ["60d in all", "2d then 3x1d", "5d+36h cap 10d"])
def test_an_audit_agrees_with_every_time_control(time: str) -> None:
    history: list[e.GameEvent] = list(
        decide(None, c.OpenGame("nim", {"heap": 9}, (ADA, BOB), e.SeatOrder.GIVEN, terms(time)), day(0), find)
    )
    doings: list[tuple[float, c.Command]] = [
        (0, c.Accept(ADA, day(0))),
        (0, c.Accept(BOB, day(0))),
        (1, c.PlayTurn(ADA, day(1), "1")),
        (2, c.PlayTurn(BOB, day(2), "1")),
        (7.5, c.CheckClock()),
        (8, put_in(RED)),
        (8.5, c.PlayTurn(EVE, day(8.5), "1")),
        (9, put_in(RED, DAN)),
        (9.5, c.PlayTurn(BOB, day(9.5), "1")),
    ]
    for at, command in doings:
        with suppress(NotAllowed):  # where there is time enough, the clock has nothing to say
            history += decide(fold(history, find=find), command, day(at), find)
    assert sum(isinstance(event, e.TurnPlayed) for event in history) == 4
    assert list(recheck(history, CHANCE.game, find)) == []


FORGED = {
    "before the game begins": (*INVITING, seated(BLUE, clock(0))),
    "after its end": (*WON, seated(BLUE, clock(3))),
    "at no seat": (*NIM, seated(Seat(3), clock(0))),
    "at a seat that has left": (*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0), seated(BLUE, clock(0))),
    "a player of the game": (*TRIO, seated(RED, due(1, 2, by=3, remind=2), CLEO)),
    "less than a day": (*NIM, seated(RED, due(2.5, 0.5, by=3))),
    "more than was left": (*NIM, seated(RED, due(1, 3, by=4, remind=3))),
    "as much as a vacant seat has": (*VACANT, seated(RED, due(5, 5, by=10, remind=9))),
    "a limit where there is none": (*UNLIMITED, seated(RED, due(1, 1, by=2))),
    "another deadline": (*NIM, seated(RED, due(1, 2, by=4, remind=3))),
    "a weekend of another zone": (*WEEKENDS, seated(RED, due(0.125, 3, by=4.5), zone="Asia/Tokyo")),
    "time for another's turn": (*NIM, seated(BLUE, due(0, 4, by=4, remind=3))),
}


@for_each("history", FORGED.values(), ids=FORGED)
def test_an_audit_finds_what_could_not_follow(history: tuple[e.GameEvent, ...]) -> None:
    assert list(recheck(history, CHANCE.game, find)) != []
    assert not [one for one in recheck(history[:-1], CHANCE.game, find) if "goes on" not in one.problem]


def test_an_audit_finds_a_turn_that_began_at_another_instant() -> None:
    instants = [day(0)] * len(NIM)
    history = (*NIM, seated(RED, due(1, 2, by=3, remind=2)))
    assert list(recheck(history, CHANCE.game, find, recorded=[*instants, day(1)])) == []
    problems = [one.problem for one in recheck(history, CHANCE.game, find, recorded=[*instants, day(1.5)])]
    assert problems == ["the substitute has the turn from 2025-03-02 12:00:00 on, but it was recorded at 2025-03-03 00:00:00"]


BY_EVE = (*REPLACED, played(3, RED, "1", BLUE, at=4, began=2))
BY_DAN = (*BY_EVE, seated(RED, clock(4), DAN), played(4, BLUE, "1", RED, at=5, began=4))
BACK_TO_2 = (*BY_DAN, e.TurnsRetracted(first=2, reason="r", to_move=BLUE, clock=clock(6)))

PEOPLE: dict[str, tuple[tuple[e.GameEvent, ...], tuple[PlayerId, ...]]] = {
    "nobody is replaced": (NIM_2, (ADA, BOB)),
    "from the pending turn on": (REPLACED, (ADA, BOB, EVE)),
    "one after the other": (BY_DAN, (ADA, BOB, EVE, BOB, DAN)),
    "whoever sits there then plays what is played again": (BACK_TO_2, (ADA, BOB, DAN, BOB)),
}


@for_each(("history", "movers"), PEOPLE.values(), ids=PEOPLE)
def test_whose_turns_they_were(history: tuple[e.GameEvent, ...], movers: tuple[PlayerId, ...]) -> None:
    state = fold(history, find=find)
    assert tuple(state.player_of(RED if turn % 2 else BLUE, turn) for turn in range(1, len(movers) + 1)) == movers


def test_who_sat_there_at_any_moment() -> None:
    state, began = fold(BACK_TO_2, find=find), len(REPLACED)
    assert [state.players_at(version)[0] for version in (1, began - 1, began, began + 1, began + 2, state.version)] == [
        ADA,
        ADA,
        EVE,
        EVE,
        DAN,
        DAN,
    ]
    assert (state.players, state.everybody) == ((DAN, BOB), (DAN, BOB, ADA, EVE))
    assert (state.seated_since(RED), state.seated_since(BLUE)) == (2, 1)
    assert state.accepted == {DAN, BOB}


def test_the_chance_of_a_game_stays_as_it_is() -> None:
    dicey = running("dice", dice_from=6)
    before = fold(dicey, find=find)
    assert fold(decide(before, put_in(RED), day(1), find, CHANCE), before, find).entropies == before.entropies


RELIABLE: dict[str, tuple[tuple[e.GameEvent, ...], dict[PlayerId, Tally]]] = {
    "the turn of a vacant seat is missed by who left it": (
        (*FILLED, played(1, RED, "1", BLUE, at=5.5, began=3)),
        {ADA: Tally(1, 0, 1), EVE: Tally(1, 1)},
    ),
    "nobody misses a turn who could still play it": (BY_EVE, {ADA: Tally(1, 1), BOB: Tally(1, 1), EVE: Tally(1, 1)}),
    "turns taken back leave no seat vacant": (
        (
            *table(SUBSTITUTE),
            played(1, RED, "1", BLUE, at=1),
            vacated(BLUE, 2, 4),
            e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(5)),
            seated(BLUE, clock(5)),
        ),
        {ADA: Tally(1, 1)},
    ),
}


@pytest.mark.parametrize(("history", "tallies"), RELIABLE.values(), ids=RELIABLE)
def test_whose_reliability_it_is(history: tuple[e.GameEvent, ...], tallies: dict[PlayerId, Tally]) -> None:
    assert reliability([history]) == tallies


def terms(time: str) -> e.Terms:
    return replace(THREE_DAYS, time=time, reminders=("50%", "24h"), grace_hours=24, when_late=e.WhenLate.SUBSTITUTE)
