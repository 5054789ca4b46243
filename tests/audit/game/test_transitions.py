"""An audit of what people did: nothing is passed that nobody could have asked for, or that should have had consequences."""

from datetime import timedelta
from typing import NamedTuple

from msgspec.structs import replace

from tests.audit.game.test_recheck import DICE, END_RETRACTED, RESIGNED, RETRACTED, STARTED, TURN, events
from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    DAN,
    ENTROPY,
    GREEN,
    NIM,
    NIM_1,
    NIM_2,
    RED,
    TRIO,
    WON,
    clock,
    day,
    due,
    ended,
    left,
    opened,
    played,
    reminded,
    running,
)
from tests.play.small_games import find
from tests.terms import THREE_DAYS, three_days
from turnserver.audit.game.recheck import recheck
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank
from turnserver.rules import Seat

NO_PLACE = "has no place here"
OFFERED = (*NIM_2, e.DrawOffered(seat=RED))
AGREED = (*OFFERED, e.DrawAccepted(seat=BLUE))
LATE = (*NIM_1, e.TurnTimedOut(seat=BLUE, turn=2, deadline=day(4)))
LATE_AGAIN = (*NIM_2, e.TurnTimedOut(seat=RED, turn=3, deadline=day(5)))
REMINDED = (*NIM_1, reminded(BLUE, 2))
HALTED = (*NIM_1, e.ClockFrozen(number=1, kind=e.FreezeKind.HALT, seat=None, begins=day(2), ends=None, clock=due(1, 3)))
PAUSE_PROPOSED = (*NIM_2, e.ProposalMade(seat=RED, kind=e.ProposalKind.PAUSE, days=10))
PAUSE = e.ClockFrozen(number=1, kind=e.FreezeKind.PAUSE, seat=None, begins=day(2), ends=day(12), clock=due(2, 3, by=15, remind=14))
OUTAGE = replace(PAUSE, kind=e.FreezeKind.OUTAGE)
UNDELIVERED = replace(PAUSE, kind=e.FreezeKind.UNDELIVERED, seat=RED)
PAUSE_AGREED = (*PAUSE_PROPOSED, e.ProposalAgreed(seat=BLUE))
PAUSING = (*PAUSE_AGREED, PAUSE)
GOING_ON = e.ClockThawed(number=1, kind=e.FreezeKind.PAUSE, seat=None, ends=day(5), clock=due(2, 3, by=8, remind=7), by=BLUE)
THAWED = e.ClockThawed(number=2, kind=e.FreezeKind.HALT, seat=None, ends=day(9), clock=due(1, 3, by=11, remind=10))
SLOW = running(terms=replace(THREE_DAYS, correction_minutes=10))
LATER = replace(NIM_1[-1], clock=three_days(day(1, seconds=600)))
CORRECTED = e.TurnsRetracted(first=1, reason="", to_move=RED, clock=due(1, 2, by=3, remind=2), kind=e.RetractionKind.CORRECTION, seat=RED)
ASKED_BACK = (*NIM_2, e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK))
TAKEN_BACK = e.TurnsRetracted(first=1, reason="", to_move=RED, clock=due(3, 2, by=5, remind=4), kind=e.RetractionKind.AGREEMENT, seat=RED)
TWICE_REMINDED = (
    *running(terms=replace(THREE_DAYS, reminders=("50%", "24h")))[:-1],
    e.GameStarted(to_move=RED, clock=due(0, 3, by=3, remind=1.5)),
)
UNLIMITED = (*running(terms=replace(THREE_DAYS, time="no limit"))[:-1], e.GameStarted(to_move=RED, clock=e.TurnClock(since=day(0))))
BANKS = replace(THREE_DAYS, time="3d in all")
SPENT = (  # Red's whole bank, to the second
    *running(terms=BANKS),
    replace(played(1, RED, "2", BLUE, at=3, began=0), bank=Bank()),
    replace(played(2, BLUE, "1", RED, at=3, began=3), clock=due(3, 0, by=3), bank=Bank(timedelta(days=3))),
)
"""Red's turn begins with nothing."""
GONE = (*TRIO, e.SeatResigned(seat=RED), left(RED, BLUE, since=1))
PAIRS = running("pairs", (ADA, BOB, CLEO, DAN))

TRUE: dict[str, tuple[e.GameEvent, ...]] = {
    "agreed": (*AGREED, ended(e.EndedBy.AGREEMENT, drawn=True)),
    "declined, and won on time": (
        *OFFERED,
        e.DrawDeclined(seat=BLUE),
        e.TurnTimedOut(seat=RED, turn=3, deadline=day(5)),
        ended(e.EndedBy.TIME, BLUE),
    ),
    "two agree after the third has left": (
        *GONE,
        e.DrawOffered(seat=GREEN),
        e.DrawAccepted(seat=BLUE),
        ended(e.EndedBy.AGREEMENT, drawn=True),
    ),
    "reminded and given time": (
        *REMINDED,
        e.ClockCredited(turn=2, seconds=86_400, reason="", clock=due(1, 4, by=5)),
    ),
    "given time and reminded": (
        *NIM_1,
        e.ClockCredited(turn=2, seconds=86_400, reason="", clock=due(1, 4, by=5, remind=4)),
        reminded(BLUE, 2),
    ),
    "time given where none was left": (
        *SPENT,
        e.ClockCredited(turn=3, seconds=86_400, reason="", clock=due(3, 1, by=4)),
    ),
    "time given by the other": (*NIM_1, e.TimeGiven(seat=RED, turn=2, seconds=86_400, clock=due(1, 4, by=5, remind=4))),
    "reminded twice, as agreed": (
        *TWICE_REMINDED,
        e.PlayerReminded(seat=RED, turn=1, marks=("50%",), remind_at=day(2)),
        reminded(RED, 1),
    ),
    "a halt and its end": (
        *HALTED,
        e.ClockThawed(number=1, kind=e.FreezeKind.HALT, seat=None, ends=day(9), clock=due(1, 3, by=11, remind=10)),
    ),
    "a halt and a vacation in it": (*HALTED, replace(HALTED[-1], number=2, kind=e.FreezeKind.VACATION, seat=RED, ends=day(9))),
    "an outage": (*NIM_2, OUTAGE),
    "mail that did not get through": (*NIM_2, UNDELIVERED),
    "a pause that was agreed on": PAUSING,
    "a pause that one ends, and then the other": (
        *PAUSING,
        GOING_ON,
        replace(GOING_ON, by=RED, ends=day(4), clock=due(2, 3, by=7, remind=6)),
    ),
    "a pause that was declined, and another": (*PAUSE_PROPOSED, e.ProposalDeclined(seat=BLUE), PAUSE_PROPOSED[-1]),
    "a correction": (*SLOW, LATER, CORRECTED, replace(LATER, left=CORRECTED.clock.time)),
    "turns that were taken back by agreement": (*ASKED_BACK, e.ProposalAgreed(seat=BLUE), TAKEN_BACK),
    "turns that were not": (*ASKED_BACK, e.ProposalDeclined(seat=BLUE), replace(ASKED_BACK[-1], seat=BLUE)),
    "cancelled before the start": (opened(), ended(e.EndedBy.CANCELLATION)),
    "adjudicated to a team": (*PAIRS, ended(e.EndedBy.ADJUDICATION, BLUE, Seat(4))),
}


@for_each("history", TRUE.values(), ids=TRUE)
def test_what_people_did_passes(history: tuple[e.GameEvent, ...]) -> None:
    assert list(recheck(history, CHANCE.game, find)) == []


class Forged(NamedTuple):
    """A forged history, and the finding at its last event."""

    history: tuple[e.GameEvent, ...]
    says: str = NO_PLACE


FALSE = {
    "other entropy between two rolls": Forged((*DICE[: TURN + 1], e.InvitationAccepted(player=ADA, zone="UTC", entropy=ENTROPY[CLEO]))),
    "a second start, to count the draws anew": Forged((*DICE[: TURN + 1], e.GameStarted(to_move=BLUE, clock=clock(1)))),
    "accepted by a stranger": Forged((opened(), e.InvitationAccepted(player=DAN, zone="UTC"))),
    "accepted twice": Forged((*NIM[:2], NIM[1])),
    "declined by a stranger": Forged((opened(), e.InvitationDeclined(player=DAN))),
    "declined under way": Forged((*NIM, e.InvitationDeclined(player=ADA))),
    "declined, and it goes on": Forged((opened(), e.InvitationDeclined(player=ADA), NIM[1]), "the game goes on"),
    "started without one": Forged((*NIM[:2], NIM[3])),
    "accepted by all, and not started": Forged(NIM[:3], "does not start"),
    "accepted by all, and cancelled": Forged((*NIM[:3], ended(e.EndedBy.CANCELLATION)), "does not start"),
    "too few players": Forged((opened(players=(ADA,)),), "it is for 2 different players"),
    "one player at both sides": Forged((opened(players=(ADA, ADA)),), "it is for 2 different players"),
    "a seat that there is not resigns": Forged((*NIM_1, e.SeatResigned(seat=GREEN))),
    "a seat that there is not leaves": Forged(
        (*TRIO, e.SeatResigned(seat=Seat(9)), left(Seat(9), RED, since=1)), "no table of more than two"
    ),
    "resigned, and nothing comes of it": Forged((*NIM_1, e.SeatResigned(seat=RED)), "the game goes on"),
    "resigned, and it goes on": Forged((*NIM_1, e.SeatResigned(seat=RED), played(2, BLUE, "1", RED, at=2)), "the game goes on"),
    "resigned after the end": Forged((*WON, e.SeatResigned(seat=RED))),
    "the resigner's win": Forged((*NIM_1, e.SeatResigned(seat=BLUE), ended(e.EndedBy.RESIGNATION, BLUE)), "not those who stayed"),
    "resigned, it says": Forged((*NIM_1, ended(e.EndedBy.RESIGNATION, RED)), "nothing of the kind"),
    "time ran out, it says": Forged((*NIM_1, e.SeatResigned(seat=BLUE), ended(e.EndedBy.TIME, RED)), "nothing of the kind"),
    "the wrong one out of time": Forged((*NIM_1, e.TurnTimedOut(seat=RED, turn=2, deadline=day(4)))),
    "out of time in another turn": Forged((*NIM_1, e.TurnTimedOut(seat=BLUE, turn=1, deadline=day(4)))),
    "out of time by another deadline": Forged((*NIM_1, e.TurnTimedOut(seat=BLUE, turn=2, deadline=day(3)))),
    "won on time by the late one": Forged((*LATE_AGAIN, ended(e.EndedBy.TIME, RED)), "not those who stayed"),
    "won on time, never under way": Forged((*LATE, ended(e.EndedBy.TIME, RED)), "not those who stayed"),
    "void on time, though under way": Forged((*LATE_AGAIN, ended(e.EndedBy.TIME)), "not those who stayed"),
    "reminded out of turn": Forged((*NIM_1, reminded(RED, 2))),
    "reminded twice": Forged((*REMINDED, REMINDED[-1])),
    "reminded of nothing": Forged((*NIM_1, e.PlayerReminded(seat=BLUE, turn=2, marks=(), remind_at=None))),
    "reminded as nobody agreed": Forged((*NIM_1, e.PlayerReminded(seat=BLUE, turn=2, marks=("24h", "50%"), remind_at=None))),
    "reminded twice, once as agreed": Forged((*REMINDED, e.PlayerReminded(seat=BLUE, turn=2, marks=("24h", "50%"), remind_at=None))),
    "more time than it says": Forged((*NIM_1, e.ClockCredited(turn=2, seconds=10, reason="", clock=due(1, 29, by=30, remind=29)))),
    "time given to oneself": Forged((*NIM_1, e.TimeGiven(seat=BLUE, turn=2, seconds=86_400, clock=due(1, 4, by=5, remind=4)))),
    "time given by a seat that there is not": Forged(
        (*NIM_1, e.TimeGiven(seat=GREEN, turn=2, seconds=86_400, clock=due(1, 4, by=5, remind=4)))
    ),
    "time given at a table of three": Forged((*TRIO, e.TimeGiven(seat=BLUE, turn=1, seconds=86_400, clock=due(0, 4, by=4, remind=3)))),
    "other time given than it says": Forged((*NIM_1, e.TimeGiven(seat=RED, turn=2, seconds=60, clock=due(1, 4, by=5, remind=4)))),
    "time taken away": Forged((*NIM_1, e.ClockCredited(turn=2, seconds=-86_400, reason="", clock=due(1, 2, by=3, remind=2)))),
    "time given where there is no limit": Forged(
        (*UNLIMITED, e.ClockCredited(turn=1, seconds=60, reason="", clock=e.TurnClock(since=day(0))))
    ),
    "time given after the end": Forged((*WON, e.ClockCredited(turn=4, seconds=60, reason="", clock=e.TurnClock(since=day(3))))),
    "a halt before the start": Forged((opened(), replace(HALTED[-1], clock=None))),
    "a halt after the end": Forged((*WON, replace(HALTED[-1], clock=None))),
    "a halt with the number of another": Forged((*HALTED, HALTED[-1])),
    "the end of a halt that there was not": Forged((*HALTED, THAWED)),
    "a halt that a player ends": Forged((*HALTED, replace(THAWED, number=1, by=RED))),
    "a pause that a player ends twice": Forged((*PAUSING, GOING_ON, GOING_ON)),
    "a pause that nobody at the table ends": Forged((*PAUSING, replace(GOING_ON, by=GREEN))),
    "the end of a halt before the first": Forged((*HALTED, replace(THAWED, number=0))),
    "the end of a halt after the end": Forged((*HALTED, ended(e.EndedBy.ADJUDICATION, RED), replace(THAWED, number=1, clock=None))),
    "a pause proposed over a draw": Forged((*OFFERED, PAUSE_PROPOSED[-1])),
    "a pause proposed after the end": Forged((*WON, PAUSE_PROPOSED[-1])),
    "a correction where there is none": Forged((*NIM_1, CORRECTED)),
    "a correction of the turn before": Forged((*SLOW, LATER, played(2, BLUE, "1", RED, at=2), CORRECTED)),
    "a correction by the other": Forged((*SLOW, LATER, replace(CORRECTED, seat=BLUE))),
    "a correction of nothing": Forged((*SLOW, CORRECTED)),
    "turns taken back that nobody was asked for": Forged((*NIM_2, TAKEN_BACK)),
    "turns taken back before the other has agreed": Forged((*ASKED_BACK, TAKEN_BACK)),
    "turns taken back by who has not asked": Forged((*ASKED_BACK, e.ProposalAgreed(seat=BLUE), replace(TAKEN_BACK, first=2, seat=BLUE))),
    "other turns taken back than were asked for": Forged((*ASKED_BACK, e.ProposalAgreed(seat=BLUE), replace(TAKEN_BACK, first=2))),
    "to take back what was asked for in vain": Forged((*ASKED_BACK, e.ProposalDeclined(seat=BLUE), ASKED_BACK[-1])),
    "a pause agreed on and turns taken back": Forged((*PAUSE_AGREED, TAKEN_BACK)),
    "to take back before one has played": Forged((*NIM_1, replace(ASKED_BACK[-1], seat=BLUE))),
    "to take back a number of days": Forged((*NIM_2, replace(ASKED_BACK[-1], days=3))),
    "to take back past a leaving": Forged((*GONE, replace(ASKED_BACK[-1], seat=BLUE))),
    "a pause proposed by who has left": Forged((*GONE, PAUSE_PROPOSED[-1])),
    "a pause proposed that is too long": Forged((*NIM_2, replace(PAUSE_PROPOSED[-1], days=61))),
    "a pause proposed of no days": Forged((*NIM_2, replace(PAUSE_PROPOSED[-1], days=0))),
    "a pause proposed, nobody knows how long": Forged((*NIM_2, replace(PAUSE_PROPOSED[-1], days=None))),
    "a draw proposed as if it were a pause": Forged((*NIM_2, replace(PAUSE_PROPOSED[-1], kind=e.ProposalKind.DRAW))),
    "a pause accepted as a draw": Forged((*PAUSE_PROPOSED, e.DrawAccepted(seat=BLUE))),
    "a pause declined as a draw": Forged((*PAUSE_PROPOSED, e.DrawDeclined(seat=BLUE))),
    "a draw accepted as a pause": Forged((*OFFERED, e.ProposalAgreed(seat=BLUE))),
    "a pause accepted by a seat that there is not": Forged((*PAUSE_PROPOSED, e.ProposalAgreed(seat=GREEN))),
    "a pause accepted twice": Forged(
        (*TRIO, e.ProposalMade(seat=GREEN, kind=e.ProposalKind.PAUSE, days=3), e.ProposalAgreed(seat=BLUE), e.ProposalAgreed(seat=BLUE))
    ),
    "a pause that nobody has agreed on": Forged((*NIM_2, PAUSE)),
    "a pause before the other has agreed": Forged((*PAUSE_PROPOSED, PAUSE)),
    "a pause longer than was agreed": Forged((*PAUSE_AGREED, replace(PAUSE, ends=day(13), clock=due(2, 3, by=16, remind=15)))),
    "a pause without an end": Forged((*PAUSE_AGREED, replace(PAUSE, ends=None, clock=due(2, 3)))),
    "a pause of one seat": Forged((*PAUSE_AGREED, replace(PAUSE, seat=RED))),
    "a pause agreed, and an outage": Forged((*PAUSE_AGREED, OUTAGE), "a pause is agreed on"),
    "a pause instead of a draw": Forged((*AGREED, PAUSE)),
    "a halt of one seat": Forged((*NIM_2, replace(PAUSE, kind=e.FreezeKind.HALT, seat=RED))),
    "an outage of one seat": Forged((*NIM_2, replace(OUTAGE, seat=RED))),
    "an outage without an end": Forged((*NIM_2, replace(OUTAGE, ends=None, clock=due(2, 3)))),
    "mail that did not get through to a seat that there is not": Forged((*NIM_2, replace(UNDELIVERED, seat=GREEN, clock=clock(2)))),
    "mail that never gets through": Forged((*NIM_2, replace(UNDELIVERED, ends=None, clock=due(2, 3)))),
    "a vacation of everybody": Forged((*NIM_2, replace(PAUSE, kind=e.FreezeKind.VACATION))),
    "a vacation without an end": Forged((*NIM_2, replace(UNDELIVERED, kind=e.FreezeKind.VACATION, ends=None, clock=due(2, 3)))),
    "a vacation of who has left": Forged(
        (*GONE, replace(UNDELIVERED, kind=e.FreezeKind.VACATION, clock=GONE[-1].clock))  # type: ignore[union-attr]  # it is a SeatLeft
    ),
    "turns taken back by an admin when a take-back is agreed": Forged(
        (*ASKED_BACK, e.ProposalAgreed(seat=BLUE), replace(RETRACTED, first=2)), "a take back is agreed on"
    ),
    "a pause agreed, and it goes on": Forged((*PAUSE_AGREED, played(3, RED, "1", BLUE, at=3)), "a pause is agreed on"),
    "a pause agreed, and nothing comes of it": Forged(PAUSE_AGREED, "a pause is agreed on"),
    "a draw offered in vain and again": Forged((*OFFERED, e.DrawDeclined(seat=BLUE), e.DrawOffered(seat=RED))),
    "a draw offered again too soon": Forged(
        (*OFFERED, e.DrawDeclined(seat=BLUE), played(3, RED, "1", BLUE, at=3), e.DrawOffered(seat=RED))
    ),
    "a draw offered over another": Forged((*OFFERED, e.DrawOffered(seat=BLUE))),
    "a draw offered after the end": Forged((*WON, e.DrawOffered(seat=RED))),
    "one's own draw accepted": Forged((*OFFERED, e.DrawAccepted(seat=RED))),
    "no draw accepted": Forged((*NIM_2, e.DrawAccepted(seat=RED))),
    "one's own draw declined": Forged((*OFFERED, e.DrawDeclined(seat=RED))),
    "a draw accepted by who has left": Forged((*GONE, e.DrawOffered(seat=GREEN), e.DrawAccepted(seat=RED))),
    "a draw agreed, and it goes on": Forged((*AGREED, played(3, RED, "1", BLUE, at=3)), "the game goes on"),
    "a draw agreed, it says": Forged((*OFFERED, ended(e.EndedBy.AGREEMENT, drawn=True)), "nothing of the kind"),
    "a draw that two of three agreed": Forged(
        (*TRIO, e.DrawOffered(seat=GREEN), e.DrawAccepted(seat=BLUE), ended(e.EndedBy.AGREEMENT, drawn=True)), "nothing of the kind"
    ),
    "a draw agreed and won": Forged((*AGREED, ended(e.EndedBy.AGREEMENT, RED)), "won by agreement"),
    "declined under way, it says": Forged((*NIM_2, ended(e.EndedBy.REFUSAL)), "nothing of the kind"),
    "ended twice": Forged((*WON, ended(e.EndedBy.ADJUDICATION, BLUE))),
    "cancelled and won": Forged((*NIM_2, ended(e.EndedBy.CANCELLATION, RED)), "won by cancellation"),
    "cancelled, with winners": Forged((*NIM_2, replace(ended(e.EndedBy.CANCELLATION), winners=(RED,))), "do not fit"),
    "adjudicated to nobody": Forged((*NIM_2, replace(ended(e.EndedBy.ADJUDICATION, RED), winners=())), "do not fit"),
    "adjudicated to a stranger": Forged((*NIM_2, ended(e.EndedBy.ADJUDICATION, GREEN)), "do not fit"),
    "adjudicated to half a team": Forged((*PAIRS, ended(e.EndedBy.ADJUDICATION, RED)), "half of a team"),
    "adjudicated before the start": Forged((opened(), ended(e.EndedBy.ADJUDICATION, RED)), "has not started"),
    "annulled under way": Forged((*NIM_2, e.ResultAnnulled(reason="r"))),
    "an end taken back that there was not": Forged((*NIM_2, END_RETRACTED)),
    "an end taken back for no reason": Forged((*RESIGNED, replace(END_RETRACTED, reason=" "))),
    "an end by the rules taken back": Forged((*WON, END_RETRACTED)),
    "an end taken back of what was annulled": Forged((*RESIGNED, e.ResultAnnulled(reason="r"), END_RETRACTED)),
    "an end taken back of what was cancelled": Forged((*NIM_2, ended(e.EndedBy.CANCELLATION), END_RETRACTED)),
    "annulled twice": Forged((*WON, e.ResultAnnulled(reason="r"), e.ResultAnnulled(reason="r"))),
    "taken back before it was played": Forged((*NIM_2, replace(RETRACTED, first=3, to_move=RED))),
    "taken back after it was cancelled": Forged((*NIM_2, ended(e.EndedBy.CANCELLATION), RETRACTED)),
}


@for_each("forged", FALSE.values(), ids=FALSE)
def test_what_people_cannot_have_done_is_named(forged: Forged) -> None:
    found = list(recheck(forged.history, CHANCE.game, find))
    assert forged.says in "; ".join(objection.problem for objection in found if objection.version == len(forged.history)), found


def test_a_false_reveal_does_not_cover_up_rolls() -> None:
    """An auditor who keeps the true secret still sees which rolls were changed."""
    (first, *others) = DICE[STARTED].rolls  # type: ignore[union-attr]  # it is the start
    forged = events(STARTED, rolls=(replace(first, value=5), *others))(events(-1, secret="ff" * 32)(DICE))
    found = [objection.problem for objection in recheck(forged, CHANCE.game, find, CHANCE.secret)]
    assert "draw 1 gave 5, by the secret 4" in found
