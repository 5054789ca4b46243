"""Somebody leaves a table of more than two, by resigning or by letting time pass, and the others play on."""

from msgspec.structs import replace

from tests.play.given import (
    ADA,
    BLACK,
    BLUE,
    BOB,
    CLEO,
    DAN,
    GREEN,
    PAIRS,
    RED,
    TRIO,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    left,
    named,
    played,
    reminded,
    running,
)
from turnserver.play import commands as c
from turnserver.play import events as e

NOBODY_ELSE = "nobody else is left"
EMPTY = "the heap is empty"
ALONE = ended(e.EndedBy.RESIGNATION, GREEN, reason=NOBODY_ELSE)

RED_RESIGNED = (*TRIO, e.SeatResigned(seat=RED), left(RED, BLUE, since=1))
"""Red gave up on day 1, on the first turn; that turn is Blue's now, by day 4."""
BLUE_RESIGNED = (*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0))
"""Blue gave up on Red's turn, which is due on day 3 as before."""
WITHOUT_BLUE = (*BLUE_RESIGNED, played(1, RED, "1", GREEN, at=1))
"""Red has taken one; the next is Green, by day 4."""
LATE_RED = e.TurnTimedOut(seat=RED, turn=1, deadline=day(3))
RED_TIMED_OUT = (*TRIO, LATE_RED, left(RED, BLUE, since=3))
"""Red let the first turn pass; it is Blue's by day 6."""
LATE_BLUE = e.TurnTimedOut(seat=BLUE, turn=1, deadline=day(6))
UNDER_WAY = (*TRIO, played(1, RED, "1", BLUE, at=0, began=0), played(2, BLUE, "1", GREEN, at=0, began=0))
"""Red and Blue have taken one each; Green is to take its first by day 3."""
GREEN_TIMED_OUT = (*UNDER_WAY, e.TurnTimedOut(seat=GREEN, turn=3, deadline=day(3)), left(GREEN, RED, since=3))
PAIRS_WITHOUT_RED = (*PAIRS, e.SeatResigned(seat=RED), left(RED, BLUE, since=1))
OFFERED = (*TRIO, e.DrawOffered(seat=BLUE), e.DrawAccepted(seat=RED))
REMINDED = (*TRIO, reminded(RED, 1))
TOLD = replace(clock(0), remind_at=None)
"""The rest of the first clock when Red has been reminded."""
VOID = e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.TIME, winners=(), reason="")
RETRACTED = e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(2))

CASES = [
    Case("on one's turn, which the next seat has under the same number", TRIO, c.Resign(ADA, day(1)), day(1), RED_RESIGNED[-2:]),
    Case("out of turn, which changes nothing for whoever has it", TRIO, c.Resign(BOB, day(1)), day(2), BLUE_RESIGNED[-2:]),
    Case(
        "handled late, which costs the next seat nothing",
        TRIO,
        c.Resign(ADA, day(1)),
        day(2),
        (e.SeatResigned(seat=RED), left(RED, BLUE, since=2)),
    ),
    Case(
        "the turn of the one who left is played by the next",
        RED_RESIGNED,
        c.PlayTurn(BOB, day(2), "2", 1, 0),
        day(2),
        (played(1, BLUE, "2", GREEN, at=2),),
    ),
    Case("a seat that was left is passed over", BLUE_RESIGNED, c.PlayTurn(ADA, day(1), "1"), day(1), WITHOUT_BLUE[-1:]),
    Case(
        "the last but one leaves on the turn",
        WITHOUT_BLUE,
        c.Resign(ADA, day(2)),
        day(2),
        (e.SeatResigned(seat=RED), left(RED, None, since=0), ALONE),
    ),
    Case(
        "the last but one leaves out of turn",
        RED_RESIGNED,
        c.Resign(BOB, day(2)),
        day(2),
        (e.SeatResigned(seat=BLUE), left(BLUE, None, since=0), ALONE),
    ),
    Case(
        "the two that are left play to the end",
        (*running("trio", (ADA, BOB, CLEO), heap=2), e.SeatResigned(seat=RED), left(RED, BLUE, since=1)),
        c.PlayTurn(BOB, day(2), "2"),
        day(2),
        (played(1, BLUE, "2", None, at=2), ended(e.EndedBy.RULES, BLUE, reason=EMPTY)),
    ),
    Case("a partner plays on alone", PAIRS, c.Resign(ADA, day(1)), day(1), PAIRS_WITHOUT_RED[-2:]),
    Case(
        "a team has gone",
        PAIRS_WITHOUT_RED,
        c.Resign(CLEO, day(2)),
        day(2),
        (e.SeatResigned(seat=GREEN), left(GREEN, None, since=0), ended(e.EndedBy.RESIGNATION, BLUE, BLACK, reason=NOBODY_ELSE)),
    ),
    Case(
        "whoever left wins with the partner",
        (*running("pairs", (ADA, BOB, CLEO, DAN), heap=1), e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0)),
        c.PlayTurn(ADA, day(1), "1"),
        day(1),
        (played(1, RED, "1", None, at=1), ended(e.EndedBy.RULES, RED, GREEN, reason=EMPTY)),
    ),
    Case("twice", BLUE_RESIGNED, c.Resign(BOB, day(2)), day(2), Refused("left_game", "Red and Green play on without you")),
    Case(
        "a turn by somebody who has left",
        RED_RESIGNED,
        c.PlayTurn(ADA, day(2), "1"),
        day(2),
        Refused("left_game", "You can still look at it"),
    ),
    Case("an offer by somebody who has left", RED_RESIGNED, c.OfferDraw(ADA, day(2)), day(2), Refused("left_game", "without you")),
    Case(
        "yes from somebody who has left",
        (*RED_RESIGNED, e.DrawOffered(seat=BLUE)),
        c.Accept(ADA, day(2)),
        day(2),
        Refused("left_game", "without"),
    ),
    Case(
        "no from somebody who has left",
        (*RED_RESIGNED, e.DrawOffered(seat=BLUE)),
        c.Decline(ADA, day(2)),
        day(2),
        Refused("left_game", "without"),
    ),
    Case(
        "after the end everybody hears how it ended",
        (*WITHOUT_BLUE, e.SeatResigned(seat=RED), left(RED, None, since=0), ALONE),
        c.Resign(BOB, day(3)),
        day(3),
        Refused("game_over", "Green won by resignation (nobody else is left)"),
    ),
    Case("too late", TRIO, c.Resign(ADA, day(3, seconds=1)), day(3, seconds=1), Refused("too_late", "The clock decides now.")),
    Case("time runs out", TRIO, c.CheckClock(), day(3), RED_TIMED_OUT[-2:]),
    Case(
        "time ran out when the last mail was heard of, and the next seat has its turn from now on",
        TRIO,
        c.CheckClock(heard=day(3)),
        day(4),
        (LATE_RED, left(RED, BLUE, since=4)),
    ),
    Case(
        "the clock is looked at late, which costs the next seat nothing", TRIO, c.CheckClock(), day(7), (LATE_RED, left(RED, BLUE, since=7))
    ),
    Case(
        "leaving out of turn leaves the clock as it is",
        REMINDED,
        c.Resign(BOB, day(2.5)),
        day(2.5),
        (e.SeatResigned(seat=BLUE), replace(left(BLUE, RED, since=0), clock=TOLD)),
    ),
    Case("the next one is reminded", (*REMINDED, *RED_TIMED_OUT[-2:]), c.CheckClock(), day(5), (reminded(BLUE, 1),)),
    Case(
        "a reminder stays out when somebody else leaves",
        (*REMINDED, e.SeatResigned(seat=BLUE), replace(left(BLUE, RED, since=0), clock=TOLD)),
        c.CheckClock(),
        day(2.5),
        Refused("not_due", "look again at 2025-03-04 12:00:00 UTC"),
    ),
    Case(
        "time runs out for two, and the third never moved",
        RED_TIMED_OUT,
        c.CheckClock(),
        day(6),
        (LATE_BLUE, left(BLUE, None, since=0), VOID),
    ),
    Case("time runs out for one who never moved, and two play on", UNDER_WAY, c.CheckClock(), day(3), GREEN_TIMED_OUT[-2:]),
    Case(
        "who left before had a part in the game",
        GREEN_TIMED_OUT,
        c.CheckClock(),
        day(6),
        (e.TurnTimedOut(seat=RED, turn=3, deadline=day(6)), left(RED, None, since=0), ended(e.EndedBy.TIME, BLUE, reason=NOBODY_ELSE)),
    ),
    Case(
        "time runs out for the second, who never moved",
        (*RED_TIMED_OUT, played(1, BLUE, "1", GREEN, at=4)),
        c.CheckClock(),
        day(7),
        (e.TurnTimedOut(seat=GREEN, turn=2, deadline=day(7)), left(GREEN, None, since=0), VOID),
    ),
    Case(
        "resigning does not make a game void",
        RED_RESIGNED,
        c.Resign(BOB, day(2)),
        day(2),
        (e.SeatResigned(seat=BLUE), left(BLUE, None, since=0), ALONE),
    ),
    Case(
        "a draw needs those who stayed",
        (*BLUE_RESIGNED, e.DrawOffered(seat=RED)),
        c.Accept(CLEO, day(1)),
        day(1),
        (e.DrawAccepted(seat=GREEN), ended(e.EndedBy.AGREEMENT, drawn=True)),
    ),
    Case(
        "leaving ends an offer",
        (*OFFERED, *BLUE_RESIGNED[-2:]),
        c.Accept(CLEO, day(1)),
        day(1),
        Refused("nothing_to_accept", "There is no offer to answer."),
    ),
    Case(
        "whoever left ends it too",
        (*OFFERED, e.SeatResigned(seat=GREEN), left(GREEN, RED, since=0)),
        c.Accept(ADA, day(1)),
        day(1),
        Refused("nothing_to_accept", "There is no offer to answer."),
    ),
    Case(
        "no other offer during that turn",
        (*OFFERED, *BLUE_RESIGNED[-2:]),
        c.OfferDraw(ADA, day(1)),
        day(1),
        Refused("draw_offered_this_turn", "turn 1"),
    ),
    Case(
        "a retraction brings back whoever left since",
        (*UNDER_WAY, e.SeatResigned(seat=RED), left(RED, GREEN, since=0), RETRACTED),
        c.PlayTurn(ADA, day(3), "2"),
        day(3),
        (played(1, RED, "2", BLUE, at=3),),
    ),
    Case(
        "a retraction takes the turn back from whoever played it",
        (*RED_RESIGNED, played(1, BLUE, "1", GREEN, at=2)),
        c.Retract(1, "r"),
        day(3),
        (e.TurnsRetracted(first=1, reason="r", to_move=BLUE, clock=clock(3)),),
    ),
    Case(
        "and whoever left before that stays away",
        (
            *RED_RESIGNED,
            played(1, BLUE, "1", GREEN, at=2),
            e.TurnsRetracted(first=1, reason="r", to_move=BLUE, clock=clock(3)),
        ),
        c.Resign(ADA, day(4)),
        day(4),
        Refused("left_game", "Blue and Green"),
    ),
    Case(
        "a game that ended by leaving is reopened",
        (*UNDER_WAY, e.SeatResigned(seat=RED), left(RED, GREEN, since=0), e.SeatResigned(seat=BLUE), left(BLUE, None, since=0), ALONE),
        c.Retract(2, "r"),
        day(4),
        (e.TurnsRetracted(first=2, reason="r", to_move=BLUE, clock=clock(4)),),
    ),
    Case(
        "both sides have moved though not every seat",
        (*PAIRS_WITHOUT_RED, played(1, BLUE, "1", GREEN, at=2)),
        c.CheckClock(),
        day(5),
        (
            e.TurnTimedOut(seat=GREEN, turn=2, deadline=day(5)),
            left(GREEN, None, since=0),
            ended(e.EndedBy.TIME, BLUE, BLACK, reason=NOBODY_ELSE),
        ),
    ),
    Case("annulled", RED_RESIGNED, c.Annul("r"), day(2), (ended(e.EndedBy.ANNULMENT, reason="r"),)),
]


@named(CASES)
def test_leaving(case: Case) -> None:
    check(case)
