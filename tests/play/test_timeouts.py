"""Grace, what becomes of a turn whose time is up, and asking for a move."""

from datetime import timedelta
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.clock.test_explain_deadline import history as recorded
from tests.play.clock.test_timing import UNLIMITED
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    DAN,
    EVE,
    GREEN,
    NIM_2,
    RED,
    REVEALED,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    due,
    ended,
    left,
    named,
    played,
    running,
)
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.audit.game.recheck import recheck
from turnserver.ids import PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank
from turnserver.play.clock.explain_deadline import explain_deadline
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.turns import look_ahead
from turnserver.rules import Seat

GRACE = replace(THREE_DAYS, grace_hours=24)
SKIP = replace(THREE_DAYS, when_late=e.WhenLate.SKIP)
HOUSE = replace(THREE_DAYS, when_late=e.WhenLate.HOUSE)
SUBSTITUTE = replace(THREE_DAYS, when_late=e.WhenLate.SUBSTITUTE)


def began(terms: e.Terms, days: float, key: str = "nim", *, heap: int = 6) -> tuple[e.GameEvent, ...]:
    """A game whose first turn may take so many days from day 0 on, without a reminder."""
    players = {"nim": (ADA, BOB), "trio": (ADA, BOB, CLEO), "pairs": (ADA, BOB, CLEO, DAN)}[key]
    return (*running(key, players, terms, heap=heap)[:-1], e.GameStarted(to_move=RED, clock=due(0, days, by=days)))


def table(terms: e.Terms, key: str = "trio", *, heap: int = 9) -> tuple[e.GameEvent, ...]:
    """Of three, or of four; Red is to begin by day 3."""
    return running(key, (ADA, BOB, CLEO, DAN)[: 4 if key == "pairs" else 3], terms, heap=heap)


def granted(seat: Seat, turn: int, since: float, *, days: float = 4) -> e.GraceGranted:
    return e.GraceGranted(seat=seat, turn=turn, hours=24, clock=due(since, days, by=since + days))


def skipped(turn: int, seat: Seat, to_move: Seat, *, at: float) -> e.TurnSkipped:
    return e.TurnSkipped(turn=turn, seat=seat, to_move=to_move, clock=clock(at))


def by_house(turn: int, seat: Seat, to_move: Seat, *, at: float) -> e.TurnPlayed:
    return replace(played(turn, seat, "1", to_move, at=at, began=at - 3), by_house=True)


def timed_out(seat: Seat, turn: int, at: float) -> e.TurnTimedOut:
    return e.TurnTimedOut(seat=seat, turn=turn, deadline=day(at))


def vacated(seat: Seat, turn: int, at: float, *, days: float = 7) -> e.SeatVacated:
    return e.SeatVacated(seat=seat, turn=turn, clock=due(at, days, by=at + 7))


def nudged(seat: Seat, turn: int, asked_by: Seat, at: float) -> e.PlayerNudged:
    return e.PlayerNudged(seat=seat, turn=turn, asked_by=asked_by, asked_at=day(at))


LENT = (*running(terms=GRACE), played(1, RED, "1", BLUE, at=0, began=0), played(2, BLUE, "1", RED, at=0, began=0))
"""Of two; Red and Blue have taken one each, and Red is to take again by day 3."""
GRACED = (*LENT, granted(RED, 3, 0))
"""Red may play until day 4, and never again so late."""
BANKED = replace(GRACE, time="5d+36h cap 10d", reminders=())
ON_TIME_AFTER_ALL = replace(played(3, RED, "1", BLUE, at=3, began=0), grace=timedelta(hours=24))
"""At the very end of the time, with all the grace left."""
SAVED = (*began(BANKED, 5), granted(RED, 1, 0, days=6))
"""Red has used up five days, and of a sixth nothing is to be saved."""
IN_ALL = (*began(replace(BANKED, time="60d in all"), 60), granted(RED, 1, 0, days=61))

GRACES = [
    Case("a day more, once", LENT, c.CheckClock(), day(3), GRACED[-1:]),
    Case("nothing before that", GRACED, c.CheckClock(), day(4, seconds=-1), Refused("not_due", "look again at 2025-03-05 12:00:00 UTC")),
    Case("and then the time is up", GRACED, c.CheckClock(), day(4), (timed_out(RED, 3, 4), ended(e.EndedBy.TIME, BLUE))),
    Case(
        "not a second time in a later turn",
        (*GRACED, ON_TIME_AFTER_ALL, played(4, BLUE, "1", RED, at=3, began=3)),
        c.CheckClock(),
        day(6),
        (timed_out(RED, 5, 6), ended(e.EndedBy.TIME, BLUE)),
    ),
    Case("each seat has its own", (*GRACED, ON_TIME_AFTER_ALL), c.CheckClock(), day(6), (granted(BLUE, 4, 3),)),
    Case(
        "a turn taken back brings none back",
        (*GRACED, ON_TIME_AFTER_ALL, e.TurnsRetracted(first=3, reason="r", to_move=RED, clock=clock(5))),
        c.CheckClock(),
        day(8),
        (timed_out(RED, 3, 8), ended(e.EndedBy.TIME, BLUE)),
    ),
    Case(
        "a turn that is played in it leaves nothing",
        SAVED,
        c.PlayTurn(ADA, day(5.5), "1"),
        day(5.5),
        (
            e.TurnPlayed(
                turn=1,
                seat=RED,
                steps=("1",),
                received_at=day(5.5),
                to_move=BLUE,
                clock=due(5.5, 5, by=10.5),
                left=timedelta(0),
                grace=timedelta(hours=12),
                bank=Bank(timedelta(hours=36)),
            ),
        ),
    ),
    Case(
        "of a bank for the whole game, what is left of it stays",
        IN_ALL,
        c.PlayTurn(ADA, day(60.5), "1"),
        day(60.5),
        (
            e.TurnPlayed(
                turn=1,
                seat=RED,
                steps=("1",),
                received_at=day(60.5),
                to_move=BLUE,
                clock=due(60.5, 60, by=120.5),
                left=timedelta(hours=12),
                bank=Bank(timedelta(hours=12)),
            ),
        ),
    ),
    Case(
        "what an outage gives back comes before it",
        (*GRACED, e.ClockFrozen(number=1, kind=e.FreezeKind.OUTAGE, seat=None, begins=day(1), ends=day(2), clock=due(0, 4, by=5))),
        c.PlayTurn(ADA, day(3.5), "1"),
        day(3.5),
        (replace(played(3, RED, "1", BLUE, at=3.5, began=1), grace=timedelta(hours=24)),),
    ),
    Case(
        "a turn that comes late before anybody looked at the clock",
        LENT,
        c.PlayTurn(ADA, day(3, seconds=9), "1"),
        day(3.5),
        (
            GRACED[-1],
            replace(
                played(3, RED, "1", BLUE, at=3.5, began=0),
                received_at=day(3, seconds=9),
                left=timedelta(0),
                grace=timedelta(days=1, seconds=-9),
            ),
        ),
    ),
    Case("too late for grace, too", LENT, c.PlayTurn(ADA, day(4, seconds=1), "1"), day(5), Refused("too_late", "ran out at 2025-03-05")),
    Case("an offer beside it", LENT, c.OfferDraw(BOB, day(3, seconds=1)), day(3, seconds=1), (GRACED[-1], e.DrawOffered(seat=BLUE))),
    Case(
        "it stands still with the clock",
        (*GRACED, e.ClockFrozen(number=1, kind=e.FreezeKind.OUTAGE, seat=None, begins=day(3), ends=day(5), clock=due(0, 4, by=6))),
        c.CheckClock(),
        day(6, seconds=-1),
        Refused("not_due", "look again at 2025-03-07 12:00:00 UTC"),
    ),
    Case(
        "more time beside it",
        GRACED,
        c.CreditClock(86_400, "a slow train"),
        day(3.5),
        (e.ClockCredited(turn=3, seconds=86_400, reason="a slow train", clock=due(0, 5, by=5)),),
    ),
]

SKIPPING = table(SKIP)
TWICE_SKIPPED = (
    *SKIPPING,
    skipped(1, RED, BLUE, at=3),
    played(2, BLUE, "1", GREEN, at=3, began=3),
    played(3, GREEN, "1", RED, at=3, began=3),
    skipped(4, RED, BLUE, at=6),
    played(5, BLUE, "1", GREEN, at=6, began=6),
    played(6, GREEN, "1", RED, at=6, began=6),
)
BACK = (*TWICE_SKIPPED, played(7, RED, "1", BLUE, at=7, began=6))
GHOST = (
    *TWICE_SKIPPED,
    skipped(7, RED, BLUE, at=9),
    played(8, BLUE, "1", GREEN, at=9, began=9),
    played(9, GREEN, "1", RED, at=9, began=9),
)
"""Red has missed three turns in a row."""
SKIPS = [
    Case("the turn is skipped", SKIPPING, c.CheckClock(), day(3), (skipped(1, RED, BLUE, at=3),)),
    Case(
        "and the numbers of turns go on",
        (*SKIPPING, skipped(1, RED, BLUE, at=3)),
        c.PlayTurn(BOB, day(4), "1", 2, 0),
        day(4),
        (played(2, BLUE, "1", GREEN, at=4, began=3),),
    ),
    Case(
        "it cannot be played any more",
        (*SKIPPING, skipped(1, RED, BLUE, at=3)),
        c.PlayTurn(ADA, day(4), "1", 1, 0),
        day(4),
        Refused("turn_already_played", "Red ran out of time in turn 1, so it was skipped. Turn 2 is next."),
    ),
    Case("a third time", TWICE_SKIPPED, c.CheckClock(), day(9), (skipped(7, RED, BLUE, at=9),)),
    Case("not a fourth time in a row", GHOST, c.CheckClock(), day(12), (timed_out(RED, 10, 12), left(RED, BLUE, since=12))),
    Case(
        "whoever plays in between is no ghost",
        (*BACK, played(8, BLUE, "1", GREEN, at=7, began=7), played(9, GREEN, "1", RED, at=7, began=7)),
        c.CheckClock(),
        day(10),
        (skipped(10, RED, BLUE, at=10),),
    ),
    Case(
        "not where a game knows no skipping", table(SKIP, "pairs"), c.CheckClock(), day(3), (timed_out(RED, 1, 3), left(RED, BLUE, since=3))
    ),
    Case("not of two", (*running(terms=SKIP), *NIM_2[-2:]), c.CheckClock(), day(5), (timed_out(RED, 3, 5), ended(e.EndedBy.TIME, BLUE))),
    Case("after grace", table(replace(SKIP, grace_hours=24)), c.CheckClock(), day(3), (granted(RED, 1, 0),)),
    Case(
        "what it leaves on the clock",
        began(replace(BANKED, when_late=e.WhenLate.SKIP, grace_hours=0), 5, "trio"),
        c.CheckClock(),
        day(5),
        (e.TurnSkipped(turn=1, seat=RED, to_move=BLUE, clock=due(5, 5, by=10), bank=Bank(timedelta(hours=36))),),
    ),
    Case(
        "it is taken back",
        BACK,
        c.Retract(4, "illness"),
        day(8),
        (e.TurnsRetracted(first=4, reason="illness", to_move=RED, clock=clock(8)),),
    ),
]

HOUSED = table(HOUSE)
PLAYED_FOR = (
    *table(HOUSE, heap=99),
    by_house(1, RED, BLUE, at=3),
    *(played(turn, seat, "1", to_move, at=3, began=3) for turn, seat, to_move in ((2, BLUE, GREEN), (3, GREEN, RED))),
    by_house(4, RED, BLUE, at=6),
    *(played(turn, seat, "1", to_move, at=6, began=6) for turn, seat, to_move in ((5, BLUE, GREEN), (6, GREEN, RED))),
    by_house(7, RED, BLUE, at=9),
    *(played(turn, seat, "1", to_move, at=9, began=9) for turn, seat, to_move in ((8, BLUE, GREEN), (9, GREEN, RED))),
)
"""The house has played three turns in a row for Red, who never played one."""
HOUSES = [
    Case("the house plays", HOUSED, c.CheckClock(), day(3), (by_house(1, RED, BLUE, at=3),)),
    Case(
        "and its player comes late",
        (*HOUSED, by_house(1, RED, BLUE, at=3)),
        c.PlayTurn(ADA, day(4), "1", 1, 0),
        day(4),
        Refused("turn_already_played", "Red ran out of time in turn 1, so the house played 1. It can't be changed; turn 2 is next."),
    ),
    Case(
        "it may win",
        table(HOUSE, heap=1),
        c.CheckClock(),
        day(3),
        (replace(by_house(1, RED, BLUE, at=3), to_move=None, clock=None), ended(e.EndedBy.RULES, RED, reason="the heap is empty")),
    ),
    Case(
        "the turn counts as having come at the deadline",
        HOUSED,
        c.CheckClock(),
        day(3.5),
        (replace(by_house(1, RED, BLUE, at=3), clock=clock(3.5)),),
    ),
    Case(
        "not a fourth time in a row",
        PLAYED_FOR,
        c.CheckClock(),
        day(12),
        (timed_out(RED, 10, 12), left(RED, BLUE, since=12)),
    ),
    Case("not of two", (*running(terms=HOUSE), *NIM_2[-2:]), c.CheckClock(), day(5), (timed_out(RED, 3, 5), ended(e.EndedBy.TIME, BLUE))),
]

WAITING = (*running(terms=SUBSTITUTE), *NIM_2[-2:])
VACANT = (*WAITING, vacated(RED, 3, 5))
"""Red's time ran out on day 5, and the seat waits until day 12."""
WEEKENDS = replace(SUBSTITUTE, time="3d, no weekends")
ALL_HOLIDAYS = replace(SUBSTITUTE, time="3d, holidays DE", holidays=tuple(day(number).date() for number in range(4, 12)))
GONE_TOO = (*table(SUBSTITUTE), vacated(RED, 1, 3))
SUBSTITUTES = [
    Case("a week for somebody else", WAITING, c.CheckClock(), day(5), VACANT[-1:]),
    Case(
        "a week has seven days, whatever the clock counts",
        (*running(terms=WEEKENDS)[:-1], e.GameStarted(to_move=RED, clock=due(0, 3, by=4.5, remind=3.5))),
        c.CheckClock(),
        day(4.5),
        (vacated(RED, 1, 4.5, days=5),),
    ),
    Case(
        "a day of a week that has none",
        running(terms=ALL_HOLIDAYS),
        c.CheckClock(),
        day(3),
        (e.SeatVacated(seat=RED, turn=1, clock=due(3, 1, by=12)),),
    ),
    Case("nobody came", VACANT, c.CheckClock(), day(12), (timed_out(RED, 3, 12), ended(e.EndedBy.TIME, BLUE))),
    Case("not yet", VACANT, c.CheckClock(), day(12, seconds=-1), Refused("not_due", "look again at 2025-03-13")),
    Case(
        "whoever was late cannot play",
        VACANT,
        c.PlayTurn(ADA, day(6), "1"),
        day(6),
        Refused("seat_vacant", "You can't play there any more"),
    ),
    Case("but give up", VACANT, c.Resign(ADA, day(6)), day(6), (e.SeatResigned(seat=RED), ended(e.EndedBy.RESIGNATION, BLUE))),
    Case("nobody is to be asked", VACANT, c.Nudge(BOB, day(7)), day(7), Refused("seat_vacant", "Red waits for a")),
    Case("at a larger table", GONE_TOO, c.CheckClock(), day(10), (timed_out(RED, 1, 10), left(RED, BLUE, since=10))),
    Case(
        "another leaves meanwhile",
        GONE_TOO,
        c.Resign(CLEO, day(6)),
        day(6),
        (e.SeatResigned(seat=GREEN), replace(left(GREEN, RED, since=3), clock=due(3, 7, by=10))),
    ),
    Case(
        "and the seat still waits",
        (*GONE_TOO, e.SeatResigned(seat=GREEN), replace(left(GREEN, RED, since=3), clock=due(3, 7, by=10))),
        c.CheckClock(),
        day(10),
        (timed_out(RED, 1, 10), left(RED, None, since=10), ended(e.EndedBy.TIME)),
    ),
    Case(
        "an outage",
        VACANT,
        c.FreezeClock(e.FreezeKind.OUTAGE, None, day(11), day(13)),
        day(13),
        (e.ClockFrozen(number=1, kind=e.FreezeKind.OUTAGE, seat=None, begins=day(11), ends=day(13), clock=due(5, 7, by=14)),),
    ),
]

MORE_TURNS = replace(THREE_DAYS, void_turns=2)
VOIDS = [
    Case(
        "one turn is not enough for two",
        (*running(terms=MORE_TURNS), *NIM_2[-2:]),
        c.CheckClock(),
        day(5),
        (timed_out(RED, 3, 5), ended(e.EndedBy.TIME)),
    ),
    Case(
        "two turns each are",
        (*running(terms=MORE_TURNS), *NIM_2[-2:], played(3, RED, "1", BLUE, at=3), played(4, BLUE, "1", RED, at=4)),
        c.CheckClock(),
        day(7),
        (timed_out(RED, 5, 7), ended(e.EndedBy.TIME, BLUE)),
    ),
    Case(
        "no turn has to be played",
        running(terms=replace(THREE_DAYS, void_turns=0)),
        c.CheckClock(),
        day(3),
        (timed_out(RED, 1, 3), ended(e.EndedBy.TIME, BLUE)),
    ),
    Case(
        "what the house played was not played",
        (*PLAYED_FOR, e.SeatResigned(seat=GREEN), left(GREEN, RED, since=9)),
        c.CheckClock(),
        day(12),
        (timed_out(RED, 10, 12), left(RED, None, since=12), ended(e.EndedBy.TIME)),
    ),
]

ASKED = (*NIM_2, nudged(RED, 3, BLUE, 3))
NUDGES = [
    Case("the other asks", NIM_2, c.Nudge(BOB, day(3)), day(3), (nudged(RED, 3, BLUE, 3),)),
    Case(
        "not on the first day",
        NIM_2,
        c.Nudge(BOB, day(3, seconds=-1)),
        day(3),
        Refused("nudge_too_early", "Ask after 2025-03-04 12:00:00 UTC"),
    ),
    Case(
        "not twice on a day",
        ASKED,
        c.Nudge(BOB, day(4, seconds=-1)),
        day(4),
        Refused("nudged_already", "again after 2025-03-05 12:00:00 UTC"),
    ),
    Case("on the next day", ASKED, c.Nudge(BOB, day(4)), day(4), (nudged(RED, 3, BLUE, 4),)),
    Case(
        "once a day whoever asks",
        (*table(THREE_DAYS), nudged(RED, 1, BLUE, 1)),
        c.Nudge(CLEO, day(1.5)),
        day(1.5),
        Refused("nudged_already", "2025-03-03"),
    ),
    Case("not oneself", NIM_2, c.Nudge(ADA, day(3)), day(3), Refused("own_turn", "your own move")),
    Case("not by a stranger", NIM_2, c.Nudge(EVE, day(3)), day(3), Refused("not_in_game", "don't play in")),
    Case("without a limit", UNLIMITED, c.Nudge(BOB, day(9)), day(9), (nudged(RED, 1, BLUE, 9),)),
    Case("when the time is up", NIM_2, c.Nudge(BOB, day(6)), day(6), Refused("too_late", "ran out")),
    *(
        Case(
            f"not during {why}",
            (*NIM_2, e.ClockFrozen(number=1, kind=kind, seat=seat, begins=day(2), ends=day(9), clock=due(2, 3, by=12))),
            c.Nudge(BOB, day(4)),
            day(4),
            Refused("clock_stands_still", f"Red stands still ({why}) until 2025-03-10 12:00:00 UTC"),
        )
        for kind, seat, why in (
            (e.FreezeKind.VACATION, RED, "vacation"),
            (e.FreezeKind.PAUSE, None, "a pause"),
            (e.FreezeKind.HALT, None, "stopped by the organisers"),
            (e.FreezeKind.OUTAGE, None, "an outage of the service"),
            (e.FreezeKind.UNDELIVERED, RED, "mail that did not get through"),
        )
    ),
    Case(
        "not while no end is in sight",
        (*NIM_2, e.ClockFrozen(number=1, kind=e.FreezeKind.HALT, seat=None, begins=day(2), ends=None, clock=due(2, 3))),
        c.Nudge(BOB, day(4)),
        day(4),
        Refused("clock_stands_still", "stands still (stopped by the organisers), with no end in sight"),
    ),
    Case(
        "not at the weekend",
        running(terms=replace(THREE_DAYS, time="9d, no weekends, nights 22:00-07:00, holidays DE", holidays=(day(9).date(),))),
        c.Nudge(BOB, day(1)),
        day(1),
        Refused("clock_stands_still", "(weekend) until 2025-03-03 07:00:00 UTC"),
    ),
]


LOST = (*NIM_2, timed_out(RED, 3, 5), ended(e.EndedBy.TIME, BLUE))
"""Red was late on day 5; until day 7 the game may be taken up again."""
OFFERED = (*LOST, e.ProposalMade(seat=BLUE, kind=e.ProposalKind.REOPENING))
REOPENED = (*OFFERED, e.ProposalAgreed(seat=RED), e.GameReopened(to_move=RED, clock=clock(6)))
DICE_LOST = (
    *running("dice", dice_from=9),
    played(1, RED, "1", BLUE, at=1),
    played(2, BLUE, "1", RED, at=2),
    timed_out(RED, 3, 5),
    ended(e.EndedBy.TIME, BLUE, scores=()),
    REVEALED,
)


def lost_by(time: str, days: float) -> tuple[e.GameEvent, ...]:
    """A game that Red has lost with the first turn, which may take so many days, and may take up again."""
    terms = replace(THREE_DAYS, time=time, void_turns=0, reminders=())
    lost = (*began(terms, days), timed_out(RED, 1, days), ended(e.EndedBy.TIME, BLUE))
    return (*lost, e.ProposalMade(seat=BLUE, kind=e.ProposalKind.REOPENING))


def reopen(player: PlayerId, at: float) -> c.Propose:
    return c.Propose(player, day(at), e.ProposalKind.REOPENING)


NEVER = (*running(terms=replace(THREE_DAYS, reopen_hours=0)), *LOST[-4:])
VOID = (*NIM_2[:-1], timed_out(BLUE, 2, 4), ended(e.EndedBy.TIME))
REOPENINGS = [
    Case("the winner offers to play on", LOST, reopen(BOB, 6), day(6), OFFERED[-1:]),
    Case("the other side agrees", OFFERED, c.Accept(ADA, day(6), 3, 0), day(6), REOPENED[-2:]),
    Case("or does not", OFFERED, c.Decline(ADA, day(6), 3, 0), day(6), (e.ProposalDeclined(seat=RED),)),
    Case("the turn is played after all", REOPENED, c.PlayTurn(ADA, day(7), "1", 3, 1), day(7), (played(3, RED, "1", BLUE, at=7),)),
    Case(
        "an earlier mail is out of date",
        REOPENED,
        c.PlayTurn(ADA, day(7), "1", 3, 0),
        day(7),
        Refused("turn_already_played", "mail of this game"),
    ),
    Case("not the loser", LOST, reopen(ADA, 6), day(6), Refused("not_the_winner", "Only the winner")),
    Case("not after two days", LOST, reopen(BOB, 7), day(7), Refused("reopening_over", "until 2025-03-08 12:00:00 UTC")),
    Case("neither the answer", OFFERED, c.Accept(ADA, day(7), 3, 0), day(7), Refused("reopening_over", "Send a challenge")),
    Case("not where nobody agreed to that", NEVER, reopen(BOB, 5), day(5), Refused("reopening_over", "is final")),
    Case("not twice", OFFERED, reopen(BOB, 6), day(6), Refused("already_proposed", "the offer ends at 2025-03-08 12:00:00 UTC")),
    Case("nor when the first offer is past", OFFERED, reopen(BOB, 7), day(7), Refused("reopening_over", "Send a challenge")),
    Case("nor beside that of the other", OFFERED, reopen(ADA, 6), day(6), Refused("proposal_open", "accept")),
    Case("not a game that was won on the board", WON, reopen(ADA, 4), day(4), Refused("not_lost_on_time", "Only a game of two")),
    Case("not a game that goes on", NIM_2, reopen(ADA, 4), day(4), Refused("not_lost_on_time", "Only a game of two")),
    Case("not a void one", VOID, reopen(ADA, 4), day(4), Refused("not_lost_on_time", "Only a game of two")),
    Case("not with chance", DICE_LOST, reopen(BOB, 6), day(6), Refused("secret_revealed", "everybody could work out")),
    Case(
        "not when an admin has taken the result back",
        (*OFFERED, e.ResultAnnulled(reason="r")),
        c.Accept(ADA, day(6)),
        day(6),
        Refused("game_over", "annulled"),
    ),
    *(
        Case(
            f"time again by {time}",
            lost_by(time, days),
            c.Accept(ADA, day(days + 1)),
            day(days + 1),
            (e.ProposalAgreed(seat=RED), e.GameReopened(to_move=RED, clock=due(days + 1, again, by=days + 1 + again))),
        )
        for time, days, again in (
            ("5d+36h cap 10d", 5, 1.5),
            ("5d+6h cap 10d", 5, 1),
            ("60d in all", 60, 1),
            ("2d then 3x4d", 14, 4),
            ("6h", 0.25, 1),
            ("next 12:00, at least 24h", 1, 1),
        )
    ),
]

CASES = [*GRACES, *SKIPS, *HOUSES, *SUBSTITUTES, *VOIDS, *NUDGES, *REOPENINGS]


@named(CASES)
def test_late(case: Case) -> None:
    check(case)


@named(case for case in CASES if not isinstance(case.then, Refused))
def test_an_audit_agrees(case: Case) -> None:
    assert not isinstance(case.then, Refused)
    assert list(recheck((*case.given, *case.then), CHANCE.game, find)) == []


def test_chance_after_a_turn_that_is_skipped() -> None:
    """The dice of the next turn are thrown, and a skip that lets them take the last counters has ended the game."""
    dicey = running("bones", (ADA, BOB, CLEO), SKIP, heap=1, dice_from=2)
    skip, end, _secret = decide(fold(dicey, find=find), c.CheckClock(), day(3), find, CHANCE)
    assert isinstance(skip, e.TurnSkipped)
    assert (skip.to_move, skip.clock, [roll.outcome for roll in skip.rolls]) == (None, None, ["1"])
    assert end == ended(e.EndedBy.RULES, BLUE, reason="the heap is empty", scores=(0, 1, 0))
    assert list(recheck((*dicey, skip, end, REVEALED), CHANCE.game, find)) == []
    assert fold((*dicey, skip), find=find).draws_made == 1


def test_a_late_turn_is_shown_as_it_would_be_played() -> None:
    state = fold(LENT, find=find)
    assert look_ahead(state, c.PlayTurn(ADA, day(3.5), "1")) == ("1",)


FORGED = {
    "grace for another seat": (*LENT, granted(BLUE, 3, 0)),
    "grace in another turn": (*LENT, granted(RED, 2, 0)),
    "grace twice": (*GRACED, granted(RED, 3, 0, days=5)),
    "grace that was not agreed": (*NIM_2, granted(RED, 3, 2)),
    "more grace than agreed": (*LENT, replace(granted(RED, 3, 0), hours=48)),
    "grace that makes the turn longer than it says": (*LENT, granted(RED, 3, 0, days=5)),
    "grace where there is no limit": (*running(terms=replace(GRACE, time="no limit"))[:-1], UNLIMITED[-1], granted(RED, 1, 0)),
    "out of time without grace": (*LENT, timed_out(RED, 3, 3), ended(e.EndedBy.TIME, BLUE)),
    "out of time where turns are skipped": (*SKIPPING, timed_out(RED, 1, 3), left(RED, BLUE, since=3)),
    "out of time where the house plays": (*HOUSED, timed_out(RED, 1, 3), left(RED, BLUE, since=3)),
    "out of time where the seat is to wait": (*WAITING, timed_out(RED, 3, 5), ended(e.EndedBy.TIME, BLUE)),
    "skipped where nobody agreed": (*table(THREE_DAYS), skipped(1, RED, BLUE, at=3)),
    "skipped without grace": (*table(replace(SKIP, grace_hours=24)), skipped(1, RED, BLUE, at=3)),
    "skipped a fourth time": (*GHOST, skipped(10, RED, BLUE, at=12)),
    "skipped out of turn": (*SKIPPING, skipped(1, BLUE, GREEN, at=3)),
    "skipped of two": (*running(terms=SKIP), skipped(1, RED, BLUE, at=3)),
    "skipped, and the wrong one is next": (*SKIPPING, skipped(1, RED, GREEN, at=3)),
    "played by the house where nobody agreed": (*table(THREE_DAYS), by_house(1, RED, BLUE, at=3)),
    "played by the house before the deadline": (*HOUSED, replace(by_house(1, RED, BLUE, at=3), received_at=day(2))),
    "played by the house, with time left": (*HOUSED, replace(by_house(1, RED, BLUE, at=3), left=timedelta(hours=1))),
    "played by the house for ever": (*PLAYED_FOR, by_house(10, RED, BLUE, at=12)),
    "vacated where nobody agreed": (*NIM_2, vacated(RED, 3, 5)),
    "vacated by a seat that there is not": (*WAITING, vacated(GREEN, 3, 5)),
    "skipped, and time is left for it": (*SKIPPING, replace(skipped(1, RED, BLUE, at=3), bank=Bank(timedelta(hours=1)))),
    "taken up again by a seat that there is not": (*REOPENED[:-1], e.GameReopened(to_move=GREEN, clock=clock(6))),
    "vacated twice": (*VACANT, vacated(RED, 3, 12)),
    "vacated too early": (*WAITING, vacated(RED, 3, 4)),
    "vacated for too long": (*WAITING, vacated(RED, 3, 5, days=9)),
    "played by who is out of time": (*VACANT, played(3, RED, "1", BLUE, at=6, began=5)),
    "asked by oneself": (*NIM_2, nudged(RED, 3, RED, 3)),
    "asked by a stranger": (*NIM_2, nudged(RED, 3, GREEN, 3)),
    "asked on the first day": (*NIM_2, nudged(RED, 3, BLUE, 2.5)),
    "asked twice on a day": (*ASKED, nudged(RED, 3, BLUE, 3.5)),
    "asked while the clock stands still": (
        *NIM_2,
        e.ClockFrozen(number=1, kind=e.FreezeKind.HALT, seat=None, begins=day(2), ends=day(9), clock=due(2, 3, by=12, remind=11)),
        nudged(RED, 3, BLUE, 4),
    ),
    "asked while nobody sits there": (*VACANT, nudged(RED, 3, BLUE, 7)),
    "taken up again after a win on the board": (*WON, OFFERED[-1]),
    "taken up again with chance": (*DICE_LOST, OFFERED[-1]),
    "taken up again by the loser": (*LOST, e.ProposalMade(seat=RED, kind=e.ProposalKind.REOPENING)),
    "taken up again without an answer": (*OFFERED, REOPENED[-1]),
    "taken up again without an offer": (*LOST, REOPENED[-1]),
    "taken up again with too much time": (*REOPENED[:-1], e.GameReopened(to_move=RED, clock=due(6, 5, by=11, remind=10))),
    "asked after the end": (*WON, nudged(RED, 4, BLUE, 9)),
}


@for_each("history", FORGED.values(), ids=FORGED)
def test_an_audit_finds_what_could_not_follow(history: tuple[e.GameEvent, ...]) -> None:
    assert list(recheck(history, CHANCE.game, find)) != []
    true = history[:-2] if isinstance(history[-2], e.TurnTimedOut | e.ProposalAgreed) else history[:-1]
    assert list(recheck(true, CHANCE.game, find)) == []


class Timed(NamedTuple):
    """The days on which the events of a history were recorded, and what is said if the last one was recorded `otherwise`."""

    history: tuple[e.GameEvent, ...]
    days: tuple[float, ...]
    otherwise: float
    says: str


TIMED = {
    "grace": Timed(GRACED, (0, 0, 0, 0, 0, 0, 3), 2, "but the turn was due at 2025-03-04"),
    "skipped": Timed((*SKIPPING, skipped(1, RED, BLUE, at=3)), (0, 0, 0, 0, 0, 3), 2, "but the turn was due at 2025-03-04"),
    "vacated": Timed(VACANT, (0, 0, 0, 0, 1, 2, 5), 5.5, "the seat waits from 2025-03-06"),
    "vacated early": Timed(VACANT, (0, 0, 0, 0, 1, 2, 5), 4, "but the turn was due at 2025-03-06"),
    "taken up again": Timed(REOPENED, (0, 0, 0, 0, 1, 2, 5, 5, 5.5, 6, 6), 6.5, "the turn begins again at 2025-03-07"),
}


@for_each("timed", TIMED.values(), ids=TIMED)
def test_an_audit_knows_when_it_was(timed: Timed) -> None:
    def said(*days: float) -> str:
        found = recheck(timed.history, CHANCE.game, find, recorded=[day(at) for at in days])
        return "; ".join(objection.problem for objection in found)

    assert said(*timed.days) == ""
    assert timed.says in said(*timed.days[:-1], timed.otherwise)


@pytest.mark.parametrize(
    ("history", "source", "days"), [(VACANT, "vacancy", 7), (REOPENED, "reopened", 3)], ids=["a seat that waits", "a game taken up again"]
)
def test_where_the_time_comes_from(history: tuple[e.GameEvent, ...], source: str, days: int) -> None:
    made = explain_deadline(recorded([(day(0), "service", event) for event in history]), find)
    assert made is not None
    assert made.parts == ((source, timedelta(days=days)),)
