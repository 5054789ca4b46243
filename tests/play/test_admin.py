"""The commands that an admin may give to a game."""

from tests.play.given import (
    ADA,
    BLACK,
    BLUE,
    BOB,
    GREEN,
    INVITING,
    NIM,
    NIM_2,
    PAIRS,
    RED,
    REVEALED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    left,
    named,
    opened,
    played,
    running,
)
from tests.play.test_leaving import WITHOUT_BLUE
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.rules import Seat

CANCELLED = (*NIM_2, ended(e.EndedBy.CANCELLATION, reason="a test"))
ANNULLED = (*WON, e.ResultAnnulled(reason="two accounts"))
VOIDED = (*NIM_2, ended(e.EndedBy.ANNULMENT, reason="two accounts"))
DECLINED = (opened(), e.InvitationDeclined(player=BOB), ended(e.EndedBy.REFUSAL))


def retracted(first: int, to_move: Seat, at: float) -> e.TurnsRetracted:
    return e.TurnsRetracted(first=first, reason="misread", to_move=to_move, clock=clock(at))


def end_retracted(to_move: Seat, at: float) -> e.EndRetracted:
    return e.EndRetracted(to_move=to_move, clock=clock(at), reason="by mistake")


REOPENABLE: dict[str, tuple[e.GameEvent, ...]] = {
    "the rules": WON,
    "resignation": (*NIM_2, e.SeatResigned(seat=RED), ended(e.EndedBy.RESIGNATION, BLUE)),
    "agreement": (*NIM_2, e.DrawOffered(seat=RED), e.DrawAccepted(seat=BLUE), ended(e.EndedBy.AGREEMENT, drawn=True)),
    "time": (*NIM_2, e.TurnTimedOut(seat=RED, turn=3, deadline=day(5)), ended(e.EndedBy.TIME, BLUE)),
    "adjudication": (*NIM_2, ended(e.EndedBy.ADJUDICATION, RED, reason="clear")),
}

LEFT_BY_TWO = (*WITHOUT_BLUE, e.SeatResigned(seat=RED), left(RED, None, since=0), ended(e.EndedBy.RESIGNATION, GREEN, reason="r"))
"""Blue left first and the others played on; then Red left on Green's turn, and nobody else was left."""
TURN_OF_RED = (c.PlayTurn(ADA, day(8), "1"), day(8), (played(3, RED, "1", GREEN, at=8),))
CLAIMED_AGAIN = (e.ClaimMade(seat=BLUE, turn=3, claimed_at=day(8)),)
DICE = running("dice", dice_from=7)
CLAIMED = (*NIM_2, e.ClaimMade(seat=BLUE, turn=3, claimed_at=day(4)))
GRANTED = (*CLAIMED, e.ClaimDecided(seat=BLUE, granted=True, reason="gone"), ended(e.EndedBy.ADJUDICATION, BLUE, reason="gone"))
LATE_AT_ONCE = (*NIM, e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)), ended(e.EndedBy.TIME))
BY_DRAW = (*REOPENABLE["agreement"], end_retracted(RED, 6))
BACK = (*LEFT_BY_TWO, end_retracted(GREEN, 6))

CASES = [
    Case("cancelling before the start", INVITING, c.Cancel("a test"), day(1), (ended(e.EndedBy.CANCELLATION, reason="a test"),)),
    Case("cancelling a running game", NIM_2, c.Cancel("a test"), day(3), (ended(e.EndedBy.CANCELLATION, reason="a test"),)),
    Case("cancelling after the end", WON, c.Cancel("a test"), day(4), Refused("game_over", "Annul it")),
    Case("cancelling twice", CANCELLED, c.Cancel("a test"), day(4), Refused("game_over", "because the organisers cancelled it (a test)")),
    Case("adjudicating", NIM_2, c.Adjudicate((BLUE,), "clear"), day(3), (ended(e.EndedBy.ADJUDICATION, BLUE, reason="clear"),)),
    Case("adjudicating a draw", NIM_2, c.Adjudicate((), "level"), day(3), (ended(e.EndedBy.ADJUDICATION, drawn=True, reason="level"),)),
    Case("a draw even where the game knows none", PAIRS, c.Adjudicate((), ""), day(3), (ended(e.EndedBy.ADJUDICATION, drawn=True),)),
    Case("for a team, in any order", PAIRS, c.Adjudicate((BLACK, BLUE), ""), day(3), (ended(e.EndedBy.ADJUDICATION, BLUE, BLACK),)),
    Case("a shared win", TRIO, c.Adjudicate((RED, GREEN), ""), day(3), (ended(e.EndedBy.ADJUDICATION, RED, GREEN),)),
    Case("a winner named twice", NIM, c.Adjudicate((RED, RED), ""), day(3), (ended(e.EndedBy.ADJUDICATION, RED),)),
    Case("for half a team", PAIRS, c.Adjudicate((BLUE,), ""), day(3), Refused("bad_winners", "name all of them or none")),
    Case("for a team and a half", PAIRS, c.Adjudicate((RED, GREEN, BLUE), ""), day(3), Refused("bad_winners", "name all of them or none")),
    Case("for nobody's seat", NIM_2, c.Adjudicate((GREEN,), ""), day(3), Refused("bad_winners", "1 to 2")),
    Case("adjudicating after the end", WON, c.Adjudicate((BLUE,), ""), day(4), Refused("game_over", "Red won")),
    Case("annulling a running game", NIM_2, c.Annul("two accounts"), day(3), (ended(e.EndedBy.ANNULMENT, reason="two accounts"),)),
    Case("annulling a result", WON, c.Annul("two accounts"), day(4), (e.ResultAnnulled(reason="two accounts"),)),
    Case("annulling a draw", REOPENABLE["agreement"], c.Annul("two accounts"), day(4), (e.ResultAnnulled(reason="two accounts"),)),
    Case("annulling a result twice", ANNULLED, c.Annul("again"), day(4), Refused("no_result", "organisers annulled it (two accounts)")),
    Case("annulling a running game twice", VOIDED, c.Annul("again"), day(4), Refused("no_result", "organisers annulled it (two accounts)")),
    Case("annulling what has no result", CANCELLED, c.Annul("again"), day(4), Refused("no_result", "the organisers cancelled it")),
    Case("retracting the last turn", NIM_2, c.Retract(2, "misread"), day(3), (retracted(2, BLUE, 3),)),
    Case("retracting everything", NIM_2, c.Retract(1, "misread"), day(9), (retracted(1, RED, 9),)),
    *(
        Case(f"reopening a game ended by {how}", given, c.Retract(2, "misread"), day(6), (retracted(2, BLUE, 6),))
        for how, given in REOPENABLE.items()
    ),
    Case("retracting the winning turn", WON, c.Retract(3, "misread"), day(6), (retracted(3, RED, 6),)),
    Case(
        "playing on after that",
        (*WON, retracted(3, RED, 6)),
        c.PlayTurn(BOB, day(7), "1"),
        day(7),
        Refused("not_your_turn", "when it is your move"),
    ),
    Case("retracting twice", (*NIM_2, retracted(2, BLUE, 3)), c.Retract(1, "misread"), day(4), (retracted(1, RED, 4),)),
    Case(
        "retracting what is retracted",
        (*NIM_2, retracted(2, BLUE, 3)),
        c.Retract(2, "misread"),
        day(4),
        Refused("no_such_turn", "choose a turn from 1 to 1"),
    ),
    Case("retracting the pending turn", NIM_2, c.Retract(3, "misread"), day(3), Refused("no_such_turn", "choose a turn from 1 to 2")),
    Case("retracting turn 0", NIM_2, c.Retract(0, "misread"), day(3), Refused("no_such_turn", "choose a turn from 1 to 2")),
    Case("retracting nothing", NIM, c.Retract(1, "misread"), day(1), Refused("no_such_turn", "no turn has been played yet")),
    Case("retracting without a reason", NIM_2, c.Retract(1, "  "), day(3), Refused("reason_missing", "Give one")),
    Case("reopening a cancelled game", CANCELLED, c.Retract(1, "misread"), day(4), Refused("not_reopenable", "Open a new one")),
    Case("reopening an annulled game", VOIDED, c.Retract(1, "misread"), day(4), Refused("not_reopenable", "Open a new one")),
    Case("reopening an annulled result", ANNULLED, c.Retract(1, "misread"), day(4), Refused("not_reopenable", "Open a new one")),
    *(
        Case(f"taking back an end by {how}", given, c.Reopen("by mistake"), day(6), (end_retracted(RED, 6),))
        for how, given in (*REOPENABLE.items(), ("a granted claim", GRANTED), ("time before anybody played", LATE_AT_ONCE))
        if how != "the rules"
    ),
    Case(
        "retracting nothing of a game that has ended",
        LATE_AT_ONCE,
        c.Retract(1, "by mistake"),
        day(6),
        Refused("no_such_turn", "no turn has been played yet. To take back the end alone, use `turnserver game reopen`."),
    ),
    Case("taking back an end by the rules", WON, c.Reopen("by mistake"), day(6), Refused("ended_by_rules", "`turnserver game retract`")),
    Case("taking back no end", NIM_2, c.Reopen("by mistake"), day(6), Refused("still_running", "This game is still running.")),
    Case("taking back an end twice", BY_DRAW, c.Reopen("by mistake"), day(7), Refused("still_running", "still running")),
    Case("taking back an end without a reason", GRANTED, c.Reopen(" "), day(6), Refused("reason_missing", "Give one")),
    Case("taking back the end of what has not begun", INVITING, c.Reopen("by mistake"), day(6), Refused("not_started", "hasn't started")),
    *(
        Case(f"taking back a {how} game", given, c.Reopen("by mistake"), day(6), Refused("not_reopenable", "Open a new one"))
        for how, given in (("cancelled", CANCELLED), ("void", VOIDED), ("annulled", ANNULLED), ("declined", DECLINED))
    ),
    Case(
        "taking back an end whose rolls are known",
        (*DICE, e.SeatResigned(seat=RED), ended(e.EndedBy.RESIGNATION, BLUE), REVEALED),
        c.Reopen("by mistake"),
        day(6),
        Refused("secret_revealed", "all further rolls would be known"),
    ),
    Case("taking back the leaving that ended it", LEFT_BY_TWO, c.Reopen("by mistake"), day(6), (end_retracted(GREEN, 6),)),
    Case("whoever left by the end plays again", (*BACK, played(2, GREEN, "1", RED, at=7)), *TURN_OF_RED),
    Case("whoever left before does not", BACK, c.PlayTurn(BOB, day(7), "1"), day(7), Refused("left_game", "play on without you")),
    Case(
        "an answer to a mail of before",
        BY_DRAW,
        c.PlayTurn(ADA, day(7), "1", 3, 0),
        day(7),
        Refused("turn_already_played", "Something was taken back"),
    ),
    Case("the claim once more", (*GRANTED, end_retracted(RED, 6)), c.MakeClaim(BOB, day(8)), day(8), CLAIMED_AGAIN),
    Case("the draw once more", BY_DRAW, c.OfferDraw(ADA, day(7)), day(7), (e.DrawOffered(seat=RED),)),
    Case("reopening a declined game", DECLINED, c.Retract(1, "misread"), day(4), Refused("not_reopenable", "Open a new one")),
]


@named(CASES)
def test_admin(case: Case) -> None:
    check(case)
