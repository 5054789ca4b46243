"""Plans of answers: laying one, what it answers, and what becomes of it."""

from datetime import datetime, timedelta
from hashlib import sha256

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.by_hand import roll
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    ENTROPY,
    EVE,
    NIM,
    NIM_1,
    NIM_2,
    RED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    named,
    played,
    reminded,
    running,
)
from tests.play.small_games import find
from tests.terms import THREE_DAYS, three_days
from turnserver.audit.game.plan_texts import KeptPlan, unfaithful
from turnserver.audit.game.recheck import recheck
from turnserver.ids import Burden
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.evolve import fold
from turnserver.play.timeouts import judged
from turnserver.rules import Seat

SALT = bytes(range(32))
ONE = "if 1 then 2"
BOTH = "if 1 then 2; else 1"
LONG = "if 2 then 1 (if 1 then 1; else 2)"
SLOW = running(terms=replace(THREE_DAYS, correction_minutes=10))
TOLD = day(1, seconds=600)


def laid(seat: Seat, turn: int, text: str) -> e.PlanLaid:
    """The digest as anybody can work it out."""
    return e.PlanLaid(seat=seat, turn=turn, digest=sha256(SALT + text.encode()).hexdigest())


def dropped(seat: Seat, reason: e.PlanEnd) -> e.PlanDropped:
    return e.PlanDropped(seat=seat, reason=reason)


def by_plan(turn: int, seat: Seat, steps: str, to_move: Seat | None, *, began: float, at: float) -> e.TurnPlayed:
    """A turn that was planned: it used no time, and the next one begins when it was played."""
    whole = played(turn, seat, steps, to_move, at=began, began=began)
    return replace(whole, clock=clock(at) if to_move else None, by_plan=True)


def later(turn: e.TurnPlayed) -> e.TurnPlayed:
    """The others are told of it ten minutes later."""
    assert turn.clock is not None
    return replace(turn, clock=three_days(turn.clock.since + timedelta(minutes=10)))


def retracted(first: int, seat: Seat, kind: e.RetractionKind = e.RetractionKind.ADMIN) -> e.TurnsRetracted:
    by = None if kind is e.RetractionKind.ADMIN else seat
    return e.TurnsRetracted(first=first, reason="r", to_move=seat, clock=clock(5), kind=kind, seat=by)


def acted(act: e.PlanAct, turn: int = 2) -> e.PlanActed:
    return e.PlanActed(seat=BLUE, turn=turn, act=act)


def answerable(text: str) -> tuple[e.GameEvent, ...]:
    """A game in which Red has played what a plan of Blue answers."""
    return (*NIM, laid(BLUE, 1, text), played(1, RED, "1", BLUE, at=1))


PLANNED = (*NIM, laid(BLUE, 1, ONE))
RESIGNS, OFFERS = "if 1 then resign", "if 1 then draw"
RESIGNED = (acted(e.PlanAct.RESIGN), e.SeatResigned(seat=BLUE), ended(e.EndedBy.RESIGNATION, RED))
OFFERED = (acted(e.PlanAct.DRAW), e.DrawOffered(seat=BLUE))
OFFERED_LATELY = (
    *NIM,
    e.DrawOffered(seat=BLUE),
    e.DrawDeclined(seat=RED),
    laid(BLUE, 1, OFFERS),
    played(1, RED, "1", BLUE, at=1),
)
ANSWERABLE = (*PLANNED, played(1, RED, "1", BLUE, at=1))
FORESEEN = (*NIM, laid(BLUE, 1, LONG), played(1, RED, "2", BLUE, at=1))
FIRST_ANSWER = by_plan(2, BLUE, "1", RED, began=1, at=1.5)
UNTOLD = (*SLOW, later(played(1, RED, "1", BLUE, at=1)))
CORRECTED = (*UNTOLD, retracted(1, RED, e.RetractionKind.CORRECTION))
ASKED_BACK = e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK)
ILLEGAL = "else 3"
FIRST_ROLL, SECOND_ROLL = (roll(number, (ENTROPY[ADA], ENTROPY[BOB])) for number in (1, 2))
TWICE = "if 1 then 1 (if 1 then 1)"
THRICE = (*NIM, laid(BLUE, 1, TWICE), *(played(turn, RED, "1", seat, at=turn) for turn, seat in ((1, RED), (2, RED), (3, BLUE))))
DICED = (*running("dice", heap=20, dice_from=2), laid(BLUE, 1, ONE), played(1, RED, "1", BLUE, at=1, rolls=(FIRST_ROLL,)))

LAYING = [
    Case("a plan", NIM, c.LayPlan(BOB, day(1), "IF take 1, then 2.", SALT), day(1), (laid(BLUE, 1, ONE),)),
    Case("a plan in place of another", PLANNED, c.LayPlan(BOB, day(1), BOTH, SALT), day(1), (laid(BLUE, 1, BOTH),)),
    Case("a plan behind a move", NIM_1, c.LayPlan(ADA, day(1), ONE, SALT), day(1), (laid(RED, 2, ONE),)),
    Case("a plan in answer to one's own turn", NIM_1, c.LayPlan(ADA, day(1), ONE, SALT, 1, 0), day(1), (laid(RED, 2, ONE),)),
    Case("a plan in answer to the opponent's", NIM_1, c.LayPlan(ADA, day(1), ONE, SALT, 2, 0), day(1), (laid(RED, 2, ONE),)),
    Case("one's own turn", NIM, c.LayPlan(ADA, day(1), ONE, SALT), day(1), Refused("your_turn", "It is your move")),
    Case("a turn already told", UNTOLD, c.LayPlan(BOB, TOLD, ONE, SALT), TOLD, Refused("your_turn", "turn 2")),
    Case("a turn that nobody knows of", UNTOLD, c.LayPlan(BOB, day(1.001), ONE, SALT, 1), day(1.001), (laid(BLUE, 1, ONE),)),
    Case("a turn that nobody knew of", UNTOLD, c.LayPlan(BOB, day(1.001), ONE, SALT), day(2), (laid(BLUE, 1, ONE),)),
    Case("one's own turn that nobody knows of", UNTOLD, c.LayPlan(ADA, day(1.001), ONE, SALT, 1), day(1.001), (laid(RED, 2, ONE),)),
    Case("a correction that nobody knows of", CORRECTED, c.LayPlan(BOB, day(6), ONE, SALT, 1, 0), day(6), (laid(BLUE, 1, ONE),)),
    Case(
        "turns taken back since",
        (*NIM_1, retracted(1, RED)),
        c.LayPlan(BOB, day(6), ONE, SALT, 1, 0),
        day(6),
        Refused("plan_out_of_date", "newest mail"),
    ),
    Case("an edition to come", NIM, c.LayPlan(BOB, day(1), ONE, SALT, 1, 1), day(1), Refused("plan_out_of_date", "newest mail")),
    Case("a mail that is too old", NIM_2[:-1], c.LayPlan(ADA, day(1), ONE, SALT, 0), day(1), Refused("plan_out_of_date", "newest mail")),
    Case("a turn to come", NIM, c.LayPlan(BOB, day(1), ONE, SALT, 2), day(1), Refused("plan_out_of_date", "newest mail")),
    Case("a plan that says nothing", NIM, c.LayPlan(BOB, day(1), "if 1", SALT), day(1), Refused("bad_plan", '"then"')),
    Case("a plan that cannot be", NIM, c.LayPlan(BOB, day(1), "if 9 then 1", SALT), day(1), Refused("illegal", "You cannot take 9")),
    Case("a plan at a large table", TRIO, c.LayPlan(BOB, day(1), ONE, SALT), day(1), Refused("no_plans", "games of two")),
    Case("one's own turn at a large table", TRIO, c.LayPlan(ADA, day(1), ONE, SALT), day(1), Refused("no_plans", "games of two")),
    Case("a plan after the end", WON, c.LayPlan(BOB, day(4), ONE, SALT), day(4), Refused("game_over", "Red won")),
    Case("a stranger's plan", NIM, c.LayPlan(EVE, day(1), ONE, SALT), day(1), Refused("not_in_game", '"games"')),
    Case("resigning if", NIM, c.LayPlan(BOB, day(1), "If 1, then Resign!", SALT), day(1), (laid(BLUE, 1, RESIGNS),)),
    Case("offering a draw if", NIM, c.LayPlan(BOB, day(1), OFFERS, SALT), day(1), (laid(BLUE, 1, OFFERS),)),
    Case(
        "a draw where there is none",
        running("dice", heap=20, dice_from=9),
        c.LayPlan(BOB, day(1), "if 1 then 2 (else draw)", SALT),
        day(1),
        Refused("no_draws", "can't end in a draw"),
    ),
    Case(
        "something after resigning",
        NIM,
        c.LayPlan(BOB, day(1), "if 1 then RESIGN (if 2 then 1)", SALT),
        day(1),
        Refused("no_answer", "nothing can come after it"),
    ),
    Case("forgetting", PLANNED, c.ForgetPlan(BOB, day(1)), day(1), (dropped(BLUE, e.PlanEnd.FORGOTTEN),)),
    Case("forgetting in time", ANSWERABLE, c.ForgetPlan(BOB, day(1)), day(1), (dropped(BLUE, e.PlanEnd.FORGOTTEN),)),
    Case("forgetting the other's", PLANNED, c.ForgetPlan(ADA, day(1)), day(1), Refused("no_plan", "were played or")),
    Case("forgetting after the end", WON, c.ForgetPlan(ADA, day(4)), day(4), Refused("game_over", "Red won")),
]

ANSWERING = [
    Case(
        "an answer",
        ANSWERABLE,
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(1.5),
        (by_plan(2, BLUE, "2", RED, began=1, at=1.5), dropped(BLUE, e.PlanEnd.PLAYED_OUT)),
    ),
    Case("an answer that goes on", FORESEEN, c.AnswerByPlan(BLUE, LONG, SALT), day(1.5), (FIRST_ANSWER,)),
    Case(
        "the last answer",
        (*FORESEEN, FIRST_ANSWER, played(3, RED, "1", BLUE, at=2, began=1.5)),
        c.AnswerByPlan(BLUE, LONG, SALT),
        day(2),
        (by_plan(4, BLUE, "1", RED, began=2, at=2), dropped(BLUE, e.PlanEnd.PLAYED_OUT)),
    ),
    Case(
        "an answer that wins",
        (*running(heap=3), laid(BLUE, 1, ONE), played(1, RED, "1", BLUE, at=1)),
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(1.5),
        (by_plan(2, BLUE, "2", None, began=1, at=1.5), ended(e.EndedBy.RULES, BLUE, reason="the heap is empty")),
    ),
    Case(
        "an answer long after the deadline",
        ANSWERABLE,
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(9),
        (by_plan(2, BLUE, "2", RED, began=1, at=9), dropped(BLUE, e.PlanEnd.PLAYED_OUT)),
    ),
    Case(
        "an answer that is told at once",
        (*SLOW, laid(BLUE, 1, ONE), later(played(1, RED, "1", BLUE, at=1))),
        c.AnswerByPlan(BLUE, ONE, SALT),
        TOLD,
        (
            replace(played(2, BLUE, "2", RED, at=1, began=1), by_plan=True, received_at=TOLD, clock=three_days(TOLD)),
            dropped(BLUE, e.PlanEnd.PLAYED_OUT),
        ),
    ),
    Case(
        "an answer in a pause",
        (*ANSWERABLE, e.ClockFrozen(number=1, kind=e.FreezeKind.PAUSE, seat=None, begins=day(1.1), ends=None, clock=clock(1))),
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(1.5),
        (
            replace(by_plan(2, BLUE, "2", RED, began=1, at=1.5), clock=e.TurnClock(since=day(1.5), time=timedelta(days=3))),
            dropped(BLUE, e.PlanEnd.PLAYED_OUT),
        ),
    ),
    Case(
        "an answer to a turn and a roll",
        DICED,
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(1.5),
        (replace(by_plan(2, BLUE, "2", RED, began=1, at=1.5), rolls=(SECOND_ROLL,)), dropped(BLUE, e.PlanEnd.PLAYED_OUT)),
    ),
    Case("it resigns", answerable(RESIGNS), c.AnswerByPlan(BLUE, RESIGNS, SALT), day(1.5), RESIGNED),
    Case("it resigns after the deadline", answerable(RESIGNS), c.AnswerByPlan(BLUE, RESIGNS, SALT), day(9), RESIGNED),
    Case("it offers a draw", answerable(OFFERS), c.AnswerByPlan(BLUE, OFFERS, SALT), day(1.5), OFFERED),
    Case("it would offer one too often", OFFERED_LATELY, c.AnswerByPlan(BLUE, OFFERS, SALT), day(2), (dropped(BLUE, e.PlanEnd.NOT_LEGAL),)),
    Case(
        "it resigns at no other turn",
        (*NIM, laid(BLUE, 1, RESIGNS), NIM_1[-1]),
        c.AnswerByPlan(BLUE, RESIGNS, SALT),
        day(2),
        (dropped(BLUE, e.PlanEnd.NOT_EXPECTED),),
    ),
    Case("another turn", (*PLANNED, NIM_1[-1]), c.AnswerByPlan(BLUE, ONE, SALT), day(2), (dropped(BLUE, e.PlanEnd.NOT_EXPECTED),)),
    Case(
        "another turn later on",
        (*NIM, laid(BLUE, 1, "if 2 then 1 (if 1 then 1)"), FORESEEN[-1], FIRST_ANSWER, played(3, RED, "2", BLUE, at=2, began=1.5)),
        c.AnswerByPlan(BLUE, "if 2 then 1 (if 1 then 1)", SALT),
        day(2),
        (dropped(BLUE, e.PlanEnd.NOT_EXPECTED),),
    ),
    Case(
        "the opponent twice",
        (*NIM, laid(BLUE, 1, BOTH), played(1, RED, "1", RED, at=1), played(2, RED, "1", BLUE, at=2)),
        c.AnswerByPlan(BLUE, BOTH, SALT),
        day(2),
        (dropped(BLUE, e.PlanEnd.NOT_EXPECTED),),
    ),
    Case(
        "the opponent three times",
        THRICE,
        c.AnswerByPlan(BLUE, TWICE, SALT),
        day(3),
        (dropped(BLUE, e.PlanEnd.NOT_EXPECTED),),
    ),
    Case(
        "oneself twice",
        (*FORESEEN, by_plan(2, BLUE, "1", BLUE, began=1, at=1.5)),
        c.AnswerByPlan(BLUE, LONG, SALT),
        day(2),
        (dropped(BLUE, e.PlanEnd.NOT_EXPECTED),),
    ),
    Case(
        "an answer that is not legal",
        (*running(heap=3), laid(BLUE, 1, ILLEGAL), played(1, RED, "1", BLUE, at=1)),
        c.AnswerByPlan(BLUE, ILLEGAL, SALT),
        day(2),
        (dropped(BLUE, e.PlanEnd.NOT_LEGAL),),
    ),
    Case(
        "a draw on offer",
        (*ANSWERABLE, e.DrawOffered(seat=RED)),
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(2),
        (dropped(BLUE, e.PlanEnd.ASKED),),
    ),
    Case(
        "one's own draw on offer",
        (*ANSWERABLE, e.DrawOffered(seat=BLUE)),
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(1.5),
        (by_plan(2, BLUE, "2", RED, began=1, at=1.5), dropped(BLUE, e.PlanEnd.PLAYED_OUT)),
    ),
    Case("asked for a turn", (*ANSWERABLE, ASKED_BACK), c.AnswerByPlan(BLUE, None), day(2), (dropped(BLUE, e.PlanEnd.ASKED),)),
    Case("a text that is lost", ANSWERABLE, c.AnswerByPlan(BLUE, None), day(2), (dropped(BLUE, e.PlanEnd.LOST),)),
    Case("a text that is another", ANSWERABLE, c.AnswerByPlan(BLUE, BOTH, SALT), day(2), (dropped(BLUE, e.PlanEnd.LOST),)),
    Case("a text that is none", ANSWERABLE, c.AnswerByPlan(BLUE, "if", SALT), day(2), (dropped(BLUE, e.PlanEnd.LOST),)),
    Case("a salt that is none", ANSWERABLE, c.AnswerByPlan(BLUE, ONE, b"salt"), day(2), (dropped(BLUE, e.PlanEnd.LOST),)),
    Case("too early", UNTOLD[:-1], c.AnswerByPlan(BLUE, ONE, SALT), day(2), Refused("not_due", "no turn")),
    Case(
        "while it may be corrected",
        (*SLOW, laid(BLUE, 1, ONE), later(played(1, RED, "1", BLUE, at=1))),
        c.AnswerByPlan(BLUE, ONE, SALT),
        day(1, seconds=599),
        Refused("not_due", "no turn"),
    ),
    Case("without a plan", NIM_1, c.AnswerByPlan(BLUE, ONE, SALT), day(2), Refused("not_due", "no turn")),
    Case("by the other's plan", ANSWERABLE, c.AnswerByPlan(RED, ONE, SALT), day(2), Refused("not_due", "no turn")),
    Case("a clock that is looked at", ANSWERABLE, c.CheckClock(), day(9), Refused("not_due", "plan")),
    Case("one's own hand", ANSWERABLE, c.PlayTurn(BOB, day(2), "1"), day(2), (played(2, BLUE, "1", RED, at=2),)),
    Case(
        "a planned turn is not corrected",
        (*SLOW, laid(BLUE, 1, LONG), later(played(1, RED, "2", BLUE, at=1)), FIRST_ANSWER),
        c.Undo(BOB, day(1.4)),
        day(1.6),
        (e.ProposalMade(seat=BLUE, kind=e.ProposalKind.TAKE_BACK),),
    ),
]


CASES = [*LAYING, *ANSWERING]


@named(CASES)
def test_plans(case: Case) -> None:
    check(case)


AFTERWARDS: dict[str, tuple[tuple[e.GameEvent, ...], tuple[str, str]]] = {
    "laid": (PLANNED, ("", ONE)),
    "replaced": ((*PLANNED, laid(BLUE, 1, BOTH)), ("", BOTH)),
    "both": ((*PLANNED, laid(RED, 2, LONG)), (LONG, ONE)),
    "played on by the other": (ANSWERABLE, ("", ONE)),
    "answered": ((*FORESEEN, FIRST_ANSWER), ("", LONG)),
    "dropped": ((*FORESEEN, dropped(BLUE, e.PlanEnd.NOT_EXPECTED)), ("", "")),
    "played by hand": ((*ANSWERABLE, played(2, BLUE, "1", RED, at=2)), ("", "")),
    "taken back": ((*FORESEEN, retracted(1, RED)), ("", "")),
    "taken back by agreement": ((*FORESEEN, retracted(1, RED, e.RetractionKind.AGREEMENT)), ("", "")),
    "corrected": ((*FORESEEN, laid(RED, 2, ONE), retracted(1, RED, e.RetractionKind.CORRECTION)), ("", LONG)),
    "a substitute": (
        (
            *PLANNED,
            laid(RED, 2, LONG),
            e.SubstituteSeated(seat=BLUE, player=CLEO, zone="UTC", rating=Burden.SEAT, reason="r", clock=clock(1)),
        ),
        (LONG, ""),
    ),
    "it has offered a draw": ((*answerable(OFFERS), *OFFERED), ("", "")),
    "the end": ((*ANSWERABLE, ended(e.EndedBy.ADJUDICATION, RED)), ("", "")),
}


@for_each(("history", "texts"), AFTERWARDS.values(), ids=AFTERWARDS)
def test_which_plans_are_at_work(history: tuple[e.GameEvent, ...], texts: tuple[str, str]) -> None:
    digests = tuple(plan and plan.digest for plan in fold(history, find=find).plans)
    assert digests == tuple((text and laid(RED, 1, text).digest) or None for text in texts)


def test_whoever_has_planned_an_answer_needs_no_grace_for_it() -> None:
    """A planned answer comes in time, whatever mail is read before it."""
    history = (*running(terms=replace(THREE_DAYS, grace_hours=24)), played(1, RED, "1", BLUE, at=1))
    assert [type(event) for event in judged(fold(history, find=find), day(9))] == [e.GraceGranted]
    planned = (*history[:-1], laid(BLUE, 1, ONE), history[-1])
    assert judged(fold(planned, find=find), day(9)) == ()


DUE: list[tuple[tuple[e.GameEvent, ...], datetime]] = [
    (NIM_1, day(3)),
    ((*NIM_1, laid(RED, 2, ONE)), day(3)),
    (ANSWERABLE, day(1)),
    ((*SLOW, laid(BLUE, 1, ONE), later(played(1, RED, "1", BLUE, at=1))), TOLD),
]


@for_each(("history", "at"), DUE)
def test_a_plan_is_to_answer_as_soon_as_its_player_may_know_the_turn(history: tuple[e.GameEvent, ...], at: datetime) -> None:
    assert fold(history, find=find).due_at == at


def test_commands_do_not_show_what_is_planned() -> None:
    shown = repr((c.LayPlan(BOB, day(1), "if 1 then 3", SALT), c.AnswerByPlan(BLUE, "if 1 then 3", SALT)))
    assert "then" not in shown
    assert "\\x01" not in shown


FOUND_WELL: dict[str, tuple[e.GameEvent, ...]] = {
    "an answer, and all is said": (*ANSWERABLE, by_plan(2, BLUE, "2", RED, began=1, at=1), dropped(BLUE, e.PlanEnd.PLAYED_OUT)),
    "an answer that goes on": (*FORESEEN, by_plan(2, BLUE, "1", RED, began=1, at=1)),
    "no answer, and then by hand": (*PLANNED, NIM_1[-1], dropped(BLUE, e.PlanEnd.NOT_EXPECTED), NIM_2[-1]),
    "called off": (*PLANNED, dropped(BLUE, e.PlanEnd.FORGOTTEN)),
    "a draw on offer": (*ANSWERABLE, e.DrawOffered(seat=RED), dropped(BLUE, e.PlanEnd.ASKED)),
    "one's own draw on offer": (*ANSWERABLE, e.DrawOffered(seat=BLUE), dropped(BLUE, e.PlanEnd.NOT_LEGAL)),
    "it resigned": (*answerable(RESIGNS), *RESIGNED),
    "it offered a draw": (*answerable(OFFERS), *OFFERED, e.DrawDeclined(seat=RED), played(2, BLUE, "1", RED, at=2)),
    "it could not offer one": (*OFFERED_LATELY, dropped(BLUE, e.PlanEnd.NOT_LEGAL)),
    "the last turn was not known": (*NIM_1, laid(BLUE, 1, ONE), dropped(BLUE, e.PlanEnd.LOST)),
}


@for_each("history", FOUND_WELL.values(), ids=FOUND_WELL)
def test_an_audit_passes_what_plans_did(history: tuple[e.GameEvent, ...]) -> None:
    assert list(recheck(history, CHANCE.game, find)) == []


NO_PLACE = "has no place here"
FORGED: dict[str, tuple[tuple[e.GameEvent, ...], str]] = {
    "for one's own turn": ((*NIM, laid(RED, 1, ONE)), NO_PLACE),
    "for one's own last turn": ((*NIM_1, laid(RED, 1, ONE)), NO_PLACE),
    "for a turn of long ago": ((*NIM_2, laid(BLUE, 1, ONE)), NO_PLACE),
    "before the first turn": ((*NIM, laid(BLUE, 0, ONE)), NO_PLACE),
    "of a seat that there is not": ((*NIM, laid(Seat(3), 1, ONE)), NO_PLACE),
    "at a large table": ((*TRIO, laid(BLUE, 1, ONE)), NO_PLACE),
    "after the end": ((*WON, laid(BLUE, 4, ONE)), NO_PLACE),
    "dropped, and there was none": ((*NIM_1, dropped(BLUE, e.PlanEnd.FORGOTTEN)), NO_PLACE),
    "dropped too early": ((*PLANNED, dropped(BLUE, e.PlanEnd.NOT_EXPECTED)), NO_PLACE),
    "dropped for an offer that there was not": ((*ANSWERABLE, dropped(BLUE, e.PlanEnd.ASKED)), NO_PLACE),
    "dropped for another reason than the offer": ((*ANSWERABLE, e.DrawOffered(seat=RED), dropped(BLUE, e.PlanEnd.LOST)), NO_PLACE),
    "played out without an answer": ((*PLANNED, dropped(BLUE, e.PlanEnd.PLAYED_OUT)), NO_PLACE),
    "played out by the other": (
        (*FORESEEN, laid(RED, 2, ONE), by_plan(2, BLUE, "1", RED, began=1, at=1), dropped(RED, e.PlanEnd.PLAYED_OUT)),
        NO_PLACE,
    ),
    "played out by hand": ((*NIM_1, laid(RED, 2, ONE), dropped(RED, e.PlanEnd.PLAYED_OUT)), NO_PLACE),
    "resigning without a plan": ((*NIM_1, acted(e.PlanAct.RESIGN)), NO_PLACE),
    "resigning before the turn": ((*NIM, laid(BLUE, 1, RESIGNS), acted(e.PlanAct.RESIGN, 1)), NO_PLACE),
    "resigning in another turn": ((*answerable(RESIGNS), acted(e.PlanAct.RESIGN, 3)), NO_PLACE),
    "resigning with an offer": ((*answerable(RESIGNS), e.DrawOffered(seat=RED), acted(e.PlanAct.RESIGN)), NO_PLACE),
    "resigning, and it goes on": (
        (*answerable(RESIGNS), acted(e.PlanAct.RESIGN), played(2, BLUE, "1", RED, at=2)),
        "a plan says resign, and the game goes on",
    ),
    "resigning, and the other does": (
        (*answerable(RESIGNS), acted(e.PlanAct.RESIGN), e.SeatResigned(seat=RED)),
        "a plan says resign, and the game goes on",
    ),
    "an offer that does not come": ((*answerable(OFFERS), acted(e.PlanAct.DRAW), e.SeatResigned(seat=BLUE)), "a plan says draw"),
    "an answer without a plan": ((*NIM_1, by_plan(2, BLUE, "2", RED, began=1, at=1)), NO_PLACE),
    "an answer with an offer": ((*ANSWERABLE, e.DrawOffered(seat=RED), by_plan(2, BLUE, "2", RED, began=1, at=1)), NO_PLACE),
    "an answer by the house": ((*ANSWERABLE, replace(by_plan(2, BLUE, "2", RED, began=1, at=1), by_house=True)), NO_PLACE),
    "an answer that took time": (
        (*ANSWERABLE, replace(played(2, BLUE, "2", RED, at=2), by_plan=True)),
        "it was played by plan, but not when the turn began",
    ),
    "reminded of a turn for a plan": ((*ANSWERABLE, reminded(BLUE, 2)), NO_PLACE),
    "grace for a turn for a plan": (
        (
            *running(terms=replace(THREE_DAYS, grace_hours=24)),
            *ANSWERABLE[-2:],
            e.GraceGranted(seat=BLUE, turn=2, hours=24, clock=replace(clock(1), time=timedelta(days=4))),
        ),
        NO_PLACE,
    ),
    "late with a turn for a plan": ((*ANSWERABLE, e.TurnTimedOut(seat=BLUE, turn=2, deadline=day(4))), NO_PLACE),
}


@for_each(("history", "says"), FORGED.values(), ids=FORGED)
def test_an_audit_names_what_no_plan_can_have_done(history: tuple[e.GameEvent, ...], says: str) -> None:
    found = [one.problem for one in recheck(history, CHANCE.game, find) if one.version == len(history)]
    assert says in "; ".join(found), found


def test_an_answer_before_its_turn_began_is_named() -> None:
    history = (*ANSWERABLE, by_plan(2, BLUE, "2", RED, began=1, at=1))
    instants = [*[day(0)] * 5, day(1), day(1)]
    assert list(recheck(history, CHANCE.game, find, recorded=instants)) == []
    early = list(recheck(history, CHANCE.game, find, recorded=[*instants[:-1], day(0.9)]))
    assert "it was played by plan, but not when the turn began" in early[0].problem


def test_an_answer_is_told_at_once_and_an_audit_knows_it() -> None:
    answer = replace(played(2, BLUE, "2", RED, at=1, began=1), by_plan=True, received_at=TOLD, clock=three_days(TOLD))
    history = (*SLOW, laid(BLUE, 1, ONE), later(played(1, RED, "1", BLUE, at=1)), answer)
    assert list(recheck(history, CHANCE.game, find, recorded=[*[day(0)] * 5, day(1), TOLD])) == []


def kept(*texts: str) -> dict[str, KeptPlan]:
    return {sha256(SALT + text.encode()).hexdigest(): KeptPlan(text, SALT) for text in texts}


ANSWERED = (*ANSWERABLE, by_plan(2, BLUE, "2", RED, began=1, at=1))
WENT_ON = (*FORESEEN, by_plan(2, BLUE, "1", RED, began=1, at=1))
STUCK = (*running(heap=3), laid(BLUE, 1, ILLEGAL), played(1, RED, "1", BLUE, at=1), dropped(BLUE, e.PlanEnd.NOT_LEGAL))

FAITHFUL: dict[str, tuple[e.GameEvent, ...]] = {
    **FOUND_WELL,
    "played out later": (
        *WENT_ON,
        played(3, RED, "1", BLUE, at=2),
        by_plan(4, BLUE, "1", RED, began=2, at=2),
        dropped(BLUE, e.PlanEnd.PLAYED_OUT),
    ),
    "not legal": STUCK,
    "corrected": (*FORESEEN[:-1], played(1, RED, "1", BLUE, at=1), retracted(1, RED, e.RetractionKind.CORRECTION), *WENT_ON[-2:]),
}
FAITHFUL["one's own draw on offer"] = FAITHFUL["an answer, and all is said"]


@for_each("history", FAITHFUL.values(), ids=FAITHFUL)
@for_each("texts", [(), (ONE, LONG, ILLEGAL, RESIGNS, OFFERS)], ids=["erased", "kept"])
def test_plans_that_did_what_they_say_pass(history: tuple[e.GameEvent, ...], texts: tuple[str, ...]) -> None:
    assert list(unfaithful(history, kept(*texts), find)) == []


def test_a_plan_without_its_text_is_held_against_nothing_beside_one_with_it() -> None:
    assert list(unfaithful(ANSWERED, kept(BOTH), find)) == []


THE_PLAN = laid(BLUE, 1, ONE).digest
UNFAITHFUL: dict[str, tuple[tuple[e.GameEvent, ...], dict[str, KeptPlan], str]] = {
    "another text": (PLANNED, {THE_PLAN: KeptPlan(BOTH, SALT)}, "not what its digest commits to"),
    "another salt": (PLANNED, {THE_PLAN: KeptPlan(ONE, bytes(32))}, "not what its digest commits to"),
    "a salt with a part of the text": (PLANNED, {THE_PLAN: KeptPlan(ONE[1:], SALT + ONE[:1].encode())}, "not what its digest commits to"),
    "no plan": (ANSWERED, {THE_PLAN: KeptPlan("if", SALT)}, "the text that is kept of the plan is none"),
    "another answer": ((*ANSWERABLE, by_plan(2, BLUE, "3", RED, began=1, at=1)), kept(ONE), "the plan says 2"),
    "an answer to nothing": ((*PLANNED, NIM_1[-1], by_plan(2, BLUE, "3", RED, began=1, at=1)), kept(ONE), "the plan has no answer there"),
    "an answer after one by hand": (
        (*FORESEEN, played(2, RED, "1", BLUE, at=2), by_plan(3, BLUE, "1", RED, began=1, at=1)),
        kept(LONG),
        "the plan has no answer there",
    ),
    "an answer to oneself": ((*WENT_ON, by_plan(3, BLUE, "1", RED, began=1, at=1)), kept(LONG), "the plan has no answer there"),
    "dropped for no reason": ((*ANSWERABLE, dropped(BLUE, e.PlanEnd.NOT_EXPECTED)), kept(ONE), "as if it had no answer, but it says 2"),
    "legal all the same": ((*ANSWERABLE, dropped(BLUE, e.PlanEnd.NOT_LEGAL)), kept(ONE), "as if its answer were not legal"),
    "no answer that could be legal": (
        (*PLANNED, NIM_1[-1], dropped(BLUE, e.PlanEnd.NOT_LEGAL)),
        kept(ONE),
        "as if its answer were not legal",
    ),
    "an answer to the opponent's third turn in a row": (
        (*THRICE, by_plan(4, BLUE, "1", RED, began=3, at=3)),
        kept(TWICE),
        "the plan has no answer there",
    ),
    "resigned by a plan that plays": ((*ANSWERABLE, acted(e.PlanAct.RESIGN)), kept(ONE), "but the plan says 2"),
    "resigned by a plan that offers a draw": ((*answerable(OFFERS), acted(e.PlanAct.RESIGN)), kept(OFFERS), "but the plan says draw"),
    "resigned by a plan without an answer": (
        (*NIM, laid(BLUE, 1, RESIGNS), NIM_1[-1], acted(e.PlanAct.RESIGN)),
        kept(RESIGNS),
        "the plan has no answer there",
    ),
    "did not resign": ((*answerable(RESIGNS), dropped(BLUE, e.PlanEnd.NOT_LEGAL)), kept(RESIGNS), "as if its answer were not legal"),
    "did not offer a draw": ((*answerable(OFFERS), dropped(BLUE, e.PlanEnd.NOT_LEGAL)), kept(OFFERS), "as if its answer were not legal"),
    "not played out": ((*WENT_ON, dropped(BLUE, e.PlanEnd.PLAYED_OUT)), kept(LONG), "as if it had nothing more to say"),
}


@for_each(("history", "texts", "says"), UNFAITHFUL.values(), ids=UNFAITHFUL)
def test_plans_that_did_something_else_are_named(history: tuple[e.GameEvent, ...], texts: dict[str, KeptPlan], says: str) -> None:
    found = list(unfaithful(history, texts, find))
    assert [one.version for one in found if says in one.problem] == [len(history)], found
