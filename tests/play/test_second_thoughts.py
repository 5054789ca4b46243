"""Corrections, and taking turns back by agreement."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.clock.test_explain_deadline import history as recorded
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    EVE,
    NIM_2,
    RED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    day,
    due,
    left,
    named,
    played,
    running,
)
from tests.play.small_games import find
from tests.play.test_substitutes import seated
from tests.terms import THREE_DAYS, three_days
from turnserver.audit.game.recheck import recheck
from turnserver.errors import NotAllowed
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.clock.clock import running as clock_of
from turnserver.play.clock.explain_deadline import explain_deadline
from turnserver.play.clock.live_time import LiveTime
from turnserver.play.evolve import fold
from turnserver.play.second_thoughts import agreed_take_back, announced_at, corrects, unannounced
from turnserver.play.state import Proposal
from turnserver.rules import Seat

TEN = timedelta(minutes=10)
SLOW = running(terms=replace(THREE_DAYS, correction_minutes=10))
"""A turn may be corrected for ten minutes."""


def later(turn: e.TurnPlayed) -> e.TurnPlayed:
    """The others are told of it ten minutes later."""
    assert turn.clock is not None
    return replace(turn, clock=three_days(turn.clock.since + TEN))


def with_time(since: float, time: timedelta) -> e.TurnClock:
    return clock_of(LiveTime(), THREE_DAYS, day(since), time)


def corrected(turn: int, seat: Seat, at: float, time: timedelta) -> e.TurnsRetracted:
    return e.TurnsRetracted(first=turn, reason="", to_move=seat, clock=with_time(at, time), kind=e.RetractionKind.CORRECTION, seat=seat)


def agreed(turn: int, seat: Seat, at: float, time: timedelta) -> e.TurnsRetracted:
    return e.TurnsRetracted(first=turn, reason="", to_move=seat, clock=with_time(at, time), kind=e.RetractionKind.AGREEMENT, seat=seat)


def minutes(count: float) -> float:
    return 1 + count / (24 * 60)


FIRST = later(played(1, RED, "2", BLUE, at=1))
PLAYED = (*SLOW, FIRST)
LATE = later(played(1, RED, "2", BLUE, at=3 - 5 / (24 * 60), began=0))
"""Five minutes before the time is up."""
UNDONE = corrected(1, RED, minutes(9), timedelta(days=2) - timedelta(minutes=8))
HALF_A_DAY = timedelta(hours=12)
LATER = (
    *running(terms=replace(THREE_DAYS, correction_minutes=10, grace_hours=24)),
    e.GraceGranted(seat=RED, turn=1, hours=24, clock=due(0, 4, by=4)),
)
ON_GRACE = later(replace(played(1, RED, "2", BLUE, at=3.5), left=timedelta(0), grace=HALF_A_DAY))
ON_GRACE_AGAIN = corrected(1, RED, 3.5 + 5 / (24 * 60), HALF_A_DAY - TEN / 2)
STILL_ON_GRACE = later(replace(played(1, RED, "1", BLUE, at=3.75), left=timedelta(0), grace=HALF_A_DAY / 2))
"""Of grace alone, as if nothing had been played before."""
ASKED = (*NIM_2, e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK))
NO = e.ProposalDeclined(seat=BLUE)
DRAW = (*PLAYED, e.DrawOffered(seat=RED))
ROLL = e.Rolled(number=1, below=6, value=0, outcome="1")
FREE = replace(THREE_DAYS, time="no limit", reminders=(), correction_minutes=10)
ENDLESS = (
    *(replace(event, clock=e.TurnClock(since=day(0))) if isinstance(event, e.GameStarted) else event for event in running(terms=FREE)),
    e.TurnPlayed(turn=1, seat=RED, steps=("2",), received_at=day(1), to_move=BLUE, clock=e.TurnClock(since=day(1) + TEN)),
)

CASES = [
    Case("a turn that may be corrected", SLOW, c.PlayTurn(ADA, day(1), "2"), day(1), (FIRST,)),
    Case("a correction", PLAYED, c.Undo(ADA, day(minutes(8))), day(minutes(9)), (UNDONE,)),
    Case(
        "a correction is no news for the other player's old mail",
        (*PLAYED, UNDONE),
        c.PlayTurn(BOB, day(minutes(9)), "2", turn=1, edition=0),
        day(minutes(9)),
        Refused("not_your_turn", "Red is to move in turn 1"),
    ),
    Case("a correction to be followed", PLAYED, c.Undo(ADA, day(minutes(8)), again=True), day(minutes(9)), (UNDONE,)),
    Case("a correction of what came with an offer", DRAW, c.Undo(ADA, day(minutes(8))), day(minutes(9)), (UNDONE,)),
    Case(
        "a correction read late", PLAYED, c.Undo(ADA, day(minutes(9.9))), day(3), (corrected(1, RED, 3, timedelta(days=2, minutes=-9.9)),)
    ),
    Case(
        "a correction at the last moment",
        (*SLOW, LATE),
        c.Undo(ADA, day(3) - timedelta(seconds=1)),
        day(3),
        (corrected(1, RED, 3, timedelta(seconds=1)),),
    ),
    Case("a correction that would win time", (*SLOW, LATE), c.Undo(ADA, day(3)), day(3), Refused("time_used_up", "so it stands")),
    Case("another move that would", (*SLOW, LATE), c.Undo(ADA, day(3), again=True), day(3), Refused("time_used_up", '"take back"')),
    Case("a turn on grace", LATER, c.PlayTurn(ADA, day(3.5), "2"), day(3.5), (ON_GRACE,)),
    Case("a correction on grace", (*LATER, ON_GRACE), c.Undo(ADA, day(3.5) + TEN / 2), day(3.5) + TEN / 2, (ON_GRACE_AGAIN,)),
    Case(
        "grace is not saved up by a correction",
        (*LATER, ON_GRACE, ON_GRACE_AGAIN),
        c.PlayTurn(ADA, day(3.75), "1"),
        day(3.75),
        (STILL_ON_GRACE,),
    ),
    Case(
        "a correction without a limit",
        ENDLESS,
        c.Undo(ADA, day(1)),
        day(1),
        (e.TurnsRetracted(first=1, reason="", to_move=RED, clock=e.TurnClock(since=day(1)), kind=e.RetractionKind.CORRECTION, seat=RED),),
    ),
    Case("another move too late", PLAYED, c.Undo(ADA, day(minutes(10)), again=True), day(2), Refused("already_told", '"take back"')),
    Case("another move before any", PLAYED, c.Undo(BOB, day(1), again=True), day(1), Refused("nothing_to_take_back", "haven't played")),
    Case("another move at once", NIM_2, c.Undo(BOB, day(2), again=True), day(2), Refused("already_told", '"take back"')),
    Case("another move after the end", WON, c.Undo(ADA, day(3), again=True), day(3), Refused("game_over", "Red won")),
    Case("a stranger's other move", PLAYED, c.Undo(EVE, day(1), again=True), day(1), Refused("not_in_game", '"games"')),
    Case("a correction twice", (*PLAYED, UNDONE), c.Undo(ADA, day(2), edition=0), day(2), Refused("taken_back_already", "newest mail")),
    Case("asking", PLAYED, c.Undo(ADA, day(2), edition=0), day(2), (e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK),)),
    Case("asking before one has played", PLAYED, c.Undo(BOB, day(2)), day(2), Refused("nothing_to_take_back", "haven't played")),
    Case(
        "asking past a roll",
        (*running("dice"), played(1, RED, "2", BLUE, at=1, rolls=(ROLL,))),
        c.Undo(ADA, day(2)),
        day(2),
        Refused("cannot_take_back", "Only the organisers could"),
    ),
    Case(
        "asking past a leaving",
        (*TRIO, played(1, RED, "1", BLUE, at=1), e.SeatResigned(seat=Seat(3)), left(Seat(3), BLUE, since=1)),
        c.Undo(ADA, day(2)),
        day(2),
        Refused("cannot_take_back", "Only the organisers could"),
    ),
    Case("asking for what was asked", ASKED, c.Propose(BOB, day(2), e.ProposalKind.TAKE_BACK), day(2), Refused("proposal_open", "accept")),
    Case(
        "asking again for the same turn",
        (*ASKED, NO),
        c.Undo(ADA, day(2)),
        day(2),
        Refused("take_back_asked", "You have already asked"),
    ),
    Case(
        "asking again when it has lapsed, and more was played since",
        (*TRIO, played(1, RED, "1", BLUE, at=1), ASKED[-1], played(2, BLUE, "1", Seat(3), at=2), played(3, Seat(3), "1", RED, at=2)),
        c.Undo(ADA, day(2)),
        day(2),
        Refused("take_back_asked", "Play on"),
    ),
    Case("asking for the next turn", (*ASKED, NO, played(3, RED, "1", BLUE, at=3)), c.Undo(ADA, day(3)), day(3), (ASKED[-1],)),
    Case("the other asks too", (*ASKED, NO), c.Undo(BOB, day(2)), day(2), (e.ProposalMade(seat=BLUE, kind=e.ProposalKind.TAKE_BACK),)),
    Case(
        "asking for a turn that was played again",
        (*ASKED, e.ProposalAgreed(seat=BLUE), agreed(1, RED, 3, timedelta(days=2)), played(1, RED, "1", BLUE, at=3)),
        c.Undo(ADA, day(3)),
        day(3),
        (ASKED[-1],),
    ),
    Case(
        "asking again when somebody else's turn was taken back",
        (*ASKED, NO, agreed(2, BLUE, 3, timedelta(days=2))),
        c.Undo(ADA, day(3)),
        day(3),
        Refused("take_back_asked", "You have already"),
    ),
    Case(
        "a substitute asks for themselves",
        (*ASKED, NO, seated(RED, three_days(day(3)))),
        c.Undo(EVE, day(3)),
        day(3),
        (ASKED[-1],),
    ),
    Case(
        "agreeing",
        ASKED,
        c.Accept(BOB, day(3)),
        day(3),
        (e.ProposalAgreed(seat=BLUE), agreed(1, RED, 3, timedelta(days=2))),
    ),
    Case(
        "agreeing when little was left",
        (*NIM_2[:-2], played(1, RED, "2", BLUE, at=2.75, began=0), e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK)),
        c.Accept(BOB, day(3)),
        day(3),
        (e.ProposalAgreed(seat=BLUE), agreed(1, RED, 3, timedelta(hours=24))),
    ),
    Case(
        "agreeing without a limit",
        (*ENDLESS, e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK)),
        c.Accept(BOB, day(3)),
        day(3),
        (
            e.ProposalAgreed(seat=BLUE),
            e.TurnsRetracted(first=1, reason="", to_move=RED, clock=e.TurnClock(since=day(3)), kind=e.RetractionKind.AGREEMENT, seat=RED),
        ),
    ),
    Case(
        "one of two others agrees",
        (*TRIO, played(1, RED, "1", BLUE, at=1), e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK)),
        c.Accept(CLEO, day(2)),
        day(2),
        (e.ProposalAgreed(seat=Seat(3)),),
    ),
]


@named(CASES)
def test_second_thoughts(case: Case) -> None:
    check(case)


AGAIN = 3.5 + 5 / (24 * 60)
REST = HALF_A_DAY - TEN / 2
GIVEN_A_DAY = (
    *(*LATER, ON_GRACE, ON_GRACE_AGAIN),
    e.ClockCredited(turn=1, seconds=86_400, reason="r", clock=with_time(AGAIN, REST + timedelta(days=1))),
    later(replace(played(1, RED, "1", BLUE, at=AGAIN), left=timedelta(days=1), grace=REST)),
)
CORRECTED = (*LATER, ON_GRACE, ON_GRACE_AGAIN, STILL_ON_GRACE)


@for_each(
    ("history", "says"),
    [
        (CORRECTED, ""),
        (GIVEN_A_DAY, ""),
        ((*LATER, replace(ON_GRACE, grace=HALF_A_DAY + TEN)), "the turn has 12:10:00 of its grace left, by the clock 12:00:00"),
        ((*LATER, replace(ON_GRACE, grace=None)), "the turn has None of its grace left"),
        ((*CORRECTED[:-2], corrected(1, RED, 3.5, HALF_A_DAY + TEN)), "the turn has 12:10:00"),
        ((*CORRECTED[:-1], replace(STILL_ON_GRACE, left=TEN)), "the turn has left 0:10:00, by the clock 0:00:00"),
        ((*CORRECTED[:-1], replace(STILL_ON_GRACE, grace=None)), "the turn has None of its grace left"),
    ],
)
def test_an_audit_knows_the_grace_of_a_corrected_turn(history: tuple[e.GameEvent, ...], says: str) -> None:
    found = [one.problem for one in recheck(history, CHANCE.game, find) if one.version == len(history)]
    assert says in "; ".join(found)
    assert bool(found) is bool(says), found


@pytest.mark.parametrize(
    ("retracted", "grace"),
    [
        (ON_GRACE_AGAIN, HALF_A_DAY - TEN / 2),
        (replace(ON_GRACE_AGAIN, kind=e.RetractionKind.AGREEMENT), timedelta(0)),
        (replace(ON_GRACE_AGAIN, kind=e.RetractionKind.ADMIN), timedelta(0)),
    ],
)
def test_only_a_correction_leaves_a_turn_on_grace(retracted: e.TurnsRetracted, grace: timedelta) -> None:
    assert fold((*LATER, ON_GRACE, retracted), find=find).grace == grace


def test_a_turn_with_dice_or_of_the_same_seat_is_told_at_once() -> None:
    terms = replace(THREE_DAYS, correction_minutes=10)
    state = fold(running("dice", terms=terms, dice_from=2), find=find)
    assert unannounced(state, day(0)) is None


UNTOLD: list[tuple[tuple[e.GameEvent, ...], float, bool]] = [
    (PLAYED, 1, True),
    (PLAYED, minutes(9.9), True),
    (PLAYED, minutes(10), False),
    (PLAYED, 0.9, False),
    (WON, 3, False),
    (SLOW, 0, False),
]


@for_each(("history", "at", "unknown"), UNTOLD)
def test_what_nobody_else_knows_of(history: tuple[e.GameEvent, ...], at: float, unknown: bool) -> None:
    state = fold(history, find=find)
    assert (unannounced(state, day(at)) is not None) is unknown
    assert announced_at(state, day(at)) == (day(1) + TEN if unknown else day(at))


def test_a_correction_of_a_correction_answers_the_same_mail() -> None:
    """But not one from before an admin took turns back, of which everybody heard."""
    again = later(replace(played(1, RED, "1", BLUE, at=minutes(9)), left=UNDONE.clock.time))
    command = c.Undo(ADA, day(minutes(10)), again=True, edition=0)
    assert corrects(fold((*PLAYED, UNDONE, again), find=find), command)
    told = replace(UNDONE, kind=e.RetractionKind.ADMIN, seat=None, reason="r")
    with pytest.raises(NotAllowed, match="newest mail"):
        corrects(fold((*PLAYED, told, again), find=find), command)
    with pytest.raises(NotAllowed, match="newest mail"):
        corrects(fold((*PLAYED, UNDONE, again), find=find), c.Undo(ADA, day(minutes(10)), again=True, edition=2))


def test_nothing_can_be_taken_back_that_was_not_played() -> None:
    with pytest.raises(ValueError, match="never played"):
        agreed_take_back(fold(SLOW, find=find), Proposal(e.ProposalKind.TAKE_BACK, RED), day(1))


@pytest.mark.parametrize("retracted", [UNDONE, agreed(1, RED, 3, timedelta(days=2))], ids=["corrected", "agreed on"])
def test_the_account_of_a_turn_that_was_taken_back_adds_up(retracted: e.TurnsRetracted) -> None:
    made = explain_deadline(recorded([(day(0), "service", event) for event in (*PLAYED, retracted)]), find)
    assert made is not None
    assert made.parts == (("again", retracted.clock.time),)
    assert made.deadline == made.since + made.time
