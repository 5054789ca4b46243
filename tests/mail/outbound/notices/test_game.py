"""The recipients of news about a game: given a history, when these events follow, then each player gets at most this one mail."""

from typing import NamedTuple, get_args

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CLEO,
    DAN,
    EVE,
    GREEN,
    INVITING,
    NIM,
    NIM_1,
    NIM_2,
    PAIRS,
    RED,
    REVEALED,
    TRIO,
    WON,
    clock,
    day,
    ended,
    left,
    opened,
    played,
)
from tests.play.small_games import find
from tests.play.test_dice import BEGUN
from tests.play.test_leaving import ALONE, BLUE_RESIGNED, RED_RESIGNED, RED_TIMED_OUT, WITHOUT_BLUE
from tests.play.test_timeouts import LOST, OFFERED, REOPENED
from turnserver.errors import Illegal
from turnserver.ids import Burden, LeagueId, PlayerId, Version
from turnserver.mail.outbound.kinds import ANSWERS, MailKind, Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices import league as league_notices
from turnserver.mail.outbound.notices import vacations as vacation_notices
from turnserver.mail.outbound.notices.game import NotDone, combined
from turnserver.mail.outbound.notices.vacations import own_plan
from turnserver.play import events as e
from turnserver.play.evolve import fold
from turnserver.play.state import Proposal
from turnserver.rules import Seat

PAUSE = e.ProposalMade(seat=RED, kind=e.ProposalKind.PAUSE, days=8)
DECIDED = (e.SeatResigned(seat=RED), left(RED, None, since=0), ALONE)
CREDIT = e.ClockCredited(turn=1, seconds=60, reason="outage", clock=clock(1))
RETRACTION = e.TurnsRetracted(first=1, reason="a slip", to_move=RED, clock=clock(6))
START = e.GameStarted(to_move=RED, clock=clock(0))
PLAN = e.PlanLaid(seat=BLUE, turn=1, digest="5d" * 32)
PLANNED = (*NIM, PLAN, played(1, RED, "2", BLUE, at=1))
ANSWER = replace(played(2, BLUE, "1", RED, at=1), by_plan=True)
UNANSWERED = e.PlanDropped(seat=BLUE, reason=e.PlanEnd.NOT_EXPECTED)
BY_ADA = replace(opened(), opened_by=ADA)


GRACE = e.GraceGranted(seat=RED, turn=1, hours=24, clock=clock(0))
SKIP = e.TurnSkipped(seat=RED, turn=1, to_move=BLUE, clock=clock(3))


SEATED = e.SubstituteSeated(seat=RED, player=CLEO, zone="UTC", rating=Burden.SEAT, reason="away", clock=clock(1))


WANTED = e.ProposalMade(seat=RED, kind=e.ProposalKind.SUBSTITUTE, player=DAN, place=RED)
INVITED = e.SubstituteInvited(seat=RED, player=DAN, asked_by=RED)
ASKED = (*TRIO, WANTED, e.ProposalAgreed(seat=BLUE), e.ProposalAgreed(seat=GREEN), INVITED)
WITHDRAWN = e.SubstituteWithdrawn(seat=RED)


def frozen(kind: e.FreezeKind, seat: Seat | None = None) -> e.ClockFrozen:
    """The first freeze of a game, from the second to the fifth day."""
    return e.ClockFrozen(number=1, kind=kind, seat=seat, begins=day(1), ends=day(4), clock=clock(0))


class Case(NamedTuple):
    name: str
    given: tuple[e.GameEvent, ...]
    when: tuple[e.GameEvent, ...]
    then: dict[PlayerId, MailKind]


CASES = [
    Case("an admin opens a game", (), (opened(),), {ADA: MailKind.INVITATION, BOB: MailKind.INVITATION}),
    Case(
        "a player challenges", (), (BY_ADA, e.InvitationAccepted(player=ADA, zone="UTC")), {ADA: MailKind.OPENED, BOB: MailKind.INVITATION}
    ),
    Case("the first of two accepts", (opened(),), (e.InvitationAccepted(player=ADA, zone="UTC"),), {}),
    Case(
        "the last accepts",
        INVITING,
        (e.InvitationAccepted(player=BOB, zone="UTC"), START),
        {ADA: MailKind.TURN, BOB: MailKind.GAME_STARTED},
    ),
    Case("one declines", INVITING, (e.InvitationDeclined(player=BOB), ended(e.EndedBy.REFUSAL)), {ADA: MailKind.GAME_OVER}),
    Case("an admin calls it off", INVITING, (ended(e.EndedBy.CANCELLATION),), {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER}),
    Case("a turn", NIM, (played(1, RED, "2", BLUE, at=1),), {BOB: MailKind.TURN}),
    Case("a turn of three players", TRIO, (played(1, RED, "2", BLUE, at=1),), {BOB: MailKind.TURN}),
    Case("the last turn", NIM_2, WON[len(NIM_2) :], {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER}),
    Case("two turns at once", NIM, NIM_2[len(NIM) :], {ADA: MailKind.TURN}),
    Case(
        "resigning", NIM, (e.SeatResigned(seat=RED), ended(e.EndedBy.RESIGNATION, BLUE)), {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER}
    ),
    Case(
        "time runs out",
        NIM,
        (e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)), ended(e.EndedBy.TIME)),
        {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER},
    ),
    Case("a reminder", NIM, (e.PlayerReminded(seat=RED, turn=1, marks=("24h",), remind_at=None),), {ADA: MailKind.REMINDER}),
    Case("a move is asked for", NIM, (e.PlayerNudged(seat=RED, turn=1, asked_by=BLUE, asked_at=day(1)),), {ADA: MailKind.NUDGED}),
    Case("a claim", NIM, (e.ClaimMade(seat=BLUE, turn=1, claimed_at=day(1)),), {ADA: MailKind.CLAIM, BOB: MailKind.CLAIM}),
    Case("a claim is taken back", NIM, (e.ClaimDropped(seat=BLUE),), {ADA: MailKind.CLAIM}),
    Case(
        "a claim is dismissed",
        NIM,
        (e.ClaimDecided(seat=BLUE, granted=False, reason="r"),),
        {ADA: MailKind.CLAIM, BOB: MailKind.CLAIM},
    ),
    Case(
        "a claim is granted",
        NIM,
        (e.ClaimDecided(seat=BLUE, granted=True, reason="r"), ended(e.EndedBy.ADJUDICATION, BLUE)),
        {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER},
    ),
    Case("time is given", NIM, (e.TimeGiven(seat=BLUE, turn=1, seconds=60, clock=clock(1)),), {ADA: MailKind.CLOCK_CHANGED}),
    Case(
        "time is given with a move",
        NIM,
        (played(1, RED, "2", BLUE, at=1), e.TimeGiven(seat=RED, turn=2, seconds=60, clock=clock(1))),
        {BOB: MailKind.TURN},
    ),
    Case(
        "a plan resigns",
        PLANNED,
        (e.PlanActed(seat=BLUE, turn=2, act=e.PlanAct.RESIGN), e.SeatResigned(seat=BLUE), ended(e.EndedBy.RESIGNATION, RED)),
        {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER},
    ),
    Case(
        "a plan offers a draw",
        PLANNED,
        (e.PlanActed(seat=BLUE, turn=2, act=e.PlanAct.DRAW), e.DrawOffered(seat=BLUE)),
        {ADA: MailKind.PROPOSED, BOB: MailKind.TURN},
    ),
    Case("grace", TRIO, (GRACE,), {ADA: MailKind.GRACE, BOB: MailKind.GRACE, CLEO: MailKind.GRACE}),
    Case("a turn that came late", NIM, (GRACE, played(1, RED, "2", BLUE, at=3.5)), {ADA: MailKind.GRACE, BOB: MailKind.TURN}),
    Case("a turn is skipped", TRIO, (SKIP,), {ADA: MailKind.MISSED, BOB: MailKind.TURN}),
    Case("the house plays", TRIO, (replace(played(1, RED, "2", BLUE, at=3), by_house=True),), {ADA: MailKind.MISSED, BOB: MailKind.TURN}),
    Case("it is offered to play on", LOST, (e.ProposalMade(seat=BLUE, kind=e.ProposalKind.REOPENING),), {ADA: MailKind.PROPOSED}),
    Case("both play on", OFFERED, REOPENED[-2:], {ADA: MailKind.REOPENED, BOB: MailKind.REOPENED}),
    Case("or one does not want to", OFFERED, (e.ProposalDeclined(seat=RED),), {BOB: MailKind.DECLINED}),
    Case("a seat is taken over", NIM, (SEATED,), {BOB: MailKind.SUBSTITUTED, CLEO: MailKind.SUBSTITUTED, ADA: MailKind.SUBSTITUTED}),
    Case(
        "a seat is taken over off its turn",
        TRIO,
        (replace(SEATED, seat=BLUE, player=DAN),),
        dict.fromkeys((ADA, BOB, CLEO, DAN), MailKind.SUBSTITUTED),
    ),
    Case("a substitute is wanted", TRIO, (WANTED,), {BOB: MailKind.PROPOSED, CLEO: MailKind.PROPOSED}),
    Case("and is asked", (*TRIO, WANTED, e.ProposalAgreed(seat=BLUE)), ASKED[-2:], {ADA: MailKind.SEAT_NEWS, DAN: MailKind.SEAT_OFFERED}),
    Case(
        "and is asked for the seat of another",
        TRIO,
        (replace(WANTED, seat=BLUE), replace(INVITED, asked_by=BLUE)),
        {ADA: MailKind.SEAT_NEWS, BOB: MailKind.SEAT_NEWS, CLEO: MailKind.PROPOSED, DAN: MailKind.SEAT_OFFERED},
    ),
    Case("and sits down", ASKED, (replace(SEATED, player=DAN, reason=""),), dict.fromkeys((ADA, BOB, CLEO, DAN), MailKind.SUBSTITUTED)),
    Case(
        "or does not want to",
        ASKED,
        (e.SubstituteDeclined(seat=RED, player=DAN),),
        dict.fromkeys((ADA, BOB, CLEO), MailKind.SEAT_NEWS),
    ),
    Case("or is not wanted any more", ASKED, (WITHDRAWN,), {BOB: MailKind.SEAT_NEWS, CLEO: MailKind.SEAT_NEWS, DAN: MailKind.SEAT_GONE}),
    Case("before anybody has agreed", (*TRIO, WANTED), (WITHDRAWN,), {BOB: MailKind.SEAT_NEWS, CLEO: MailKind.SEAT_NEWS}),
    Case(
        "or the game ends before that",
        ASKED,
        (ended(e.EndedBy.CANCELLATION),),
        {**dict.fromkeys((ADA, BOB, CLEO), MailKind.GAME_OVER), DAN: MailKind.SEAT_GONE},
    ),
    Case(
        "or another one is asked",
        (*ASKED, replace(WANTED, player=EVE), e.ProposalAgreed(seat=BLUE)),
        (e.ProposalAgreed(seat=GREEN), replace(INVITED, player=EVE)),
        {ADA: MailKind.SEAT_NEWS, DAN: MailKind.SEAT_GONE, EVE: MailKind.SEAT_OFFERED},
    ),
    Case(
        "or an admin puts another one in",
        ASKED,
        (replace(SEATED, player=EVE),),
        {**dict.fromkeys((ADA, BOB, CLEO, EVE), MailKind.SUBSTITUTED), DAN: MailKind.SEAT_GONE},
    ),
    Case(
        "a seat waits",
        TRIO,
        (e.SeatVacated(seat=RED, turn=1, clock=clock(3)),),
        {ADA: MailKind.VACANT, BOB: MailKind.VACANT, CLEO: MailKind.VACANT},
    ),
    Case("a draw is offered", NIM, (e.DrawOffered(seat=RED),), {BOB: MailKind.PROPOSED}),
    Case("a draw is offered to two", TRIO, (e.DrawOffered(seat=BLUE),), {ADA: MailKind.PROPOSED, CLEO: MailKind.PROPOSED}),
    Case("a draw is offered with the turn", NIM, (played(1, RED, "2", BLUE, at=1), e.DrawOffered(seat=RED)), {BOB: MailKind.TURN}),
    Case("one of two agrees", (*TRIO, e.DrawOffered(seat=BLUE)), (e.DrawAccepted(seat=RED),), {}),
    Case("a pause is proposed", NIM, (PAUSE,), {BOB: MailKind.PROPOSED}),
    Case("a pause is declined", (*NIM, PAUSE), (e.ProposalDeclined(seat=BLUE),), {ADA: MailKind.DECLINED}),
    Case(
        "a pause is agreed on",
        (*NIM, PAUSE),
        (
            e.ProposalAgreed(seat=BLUE),
            e.ClockFrozen(number=1, kind=e.FreezeKind.PAUSE, seat=None, begins=day(1), ends=day(9), clock=clock(0)),
        ),
        {ADA: MailKind.CLOCK_CHANGED, BOB: MailKind.CLOCK_CHANGED},
    ),
    Case("a draw is declined", (*NIM, e.DrawOffered(seat=RED)), (e.DrawDeclined(seat=BLUE),), {ADA: MailKind.DECLINED}),
    Case(
        "a draw is agreed",
        (*NIM, e.DrawOffered(seat=RED)),
        (e.DrawAccepted(seat=BLUE), ended(e.EndedBy.AGREEMENT, drawn=True)),
        {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER},
    ),
    Case("turns are taken back", NIM_2, (RETRACTION,), {ADA: MailKind.RETRACTED, BOB: MailKind.RETRACTED}),
    Case("an ended game is reopened", WON, (RETRACTION,), {ADA: MailKind.RETRACTED, BOB: MailKind.RETRACTED}),
    Case("time is given", NIM, (CREDIT,), {ADA: MailKind.CLOCK_CHANGED}),
    Case("an outage concerns the one on move", TRIO, (frozen(e.FreezeKind.OUTAGE),), {ADA: MailKind.CLOCK_CHANGED}),
    Case(
        "mail that did not arrive concerns whom it was for", TRIO, (frozen(e.FreezeKind.UNDELIVERED, RED),), {ADA: MailKind.CLOCK_CHANGED}
    ),
    Case("a vacation", TRIO, (frozen(e.FreezeKind.VACATION, BLUE),), {ADA: MailKind.CLOCK_CHANGED, CLEO: MailKind.CLOCK_CHANGED}),
    Case("a pause", NIM, (frozen(e.FreezeKind.PAUSE),), {ADA: MailKind.CLOCK_CHANGED, BOB: MailKind.CLOCK_CHANGED}),
    Case("clocks are stopped", NIM, (frozen(e.FreezeKind.HALT),), {ADA: MailKind.CLOCK_CHANGED, BOB: MailKind.CLOCK_CHANGED}),
    Case(
        "a vacation ends early",
        (*TRIO, frozen(e.FreezeKind.VACATION, BLUE)),
        (e.ClockThawed(number=1, kind=e.FreezeKind.VACATION, seat=BLUE, ends=day(2), clock=clock(0)),),
        {ADA: MailKind.CLOCK_CHANGED, CLEO: MailKind.CLOCK_CHANGED},
    ),
    Case(
        "clocks run again",
        (*NIM, frozen(e.FreezeKind.HALT)),
        (e.ClockThawed(number=1, kind=e.FreezeKind.HALT, seat=None, ends=day(2), clock=clock(0)),),
        {ADA: MailKind.CLOCK_CHANGED, BOB: MailKind.CLOCK_CHANGED},
    ),
    Case("a vacation, after somebody left", BLUE_RESIGNED, (frozen(e.FreezeKind.VACATION, RED),), {CLEO: MailKind.CLOCK_CHANGED}),
    Case("a result is annulled", WON, (e.ResultAnnulled(reason=""),), {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER}),
    Case(
        "an end is taken back, and with it a leaving",
        (*WITHOUT_BLUE, *DECIDED),
        (e.EndRetracted(to_move=GREEN, clock=clock(6), reason="r"),),
        {ADA: MailKind.REOPENED, CLEO: MailKind.REOPENED},
    ),
    Case("one of three resigns on the turn", TRIO, RED_RESIGNED[-2:], {BOB: MailKind.TURN, CLEO: MailKind.LEFT}),
    Case("one of three resigns out of turn", TRIO, BLUE_RESIGNED[-2:], {ADA: MailKind.LEFT, CLEO: MailKind.LEFT}),
    Case("time runs out for one of three", TRIO, RED_TIMED_OUT[-2:], {ADA: MailKind.LEFT, BOB: MailKind.TURN, CLEO: MailKind.LEFT}),
    Case("a turn after somebody left", BLUE_RESIGNED, WITHOUT_BLUE[-1:], {CLEO: MailKind.TURN}),
    Case("a draw is offered after somebody left", BLUE_RESIGNED, (e.DrawOffered(seat=RED),), {CLEO: MailKind.PROPOSED}),
    Case("all but one have left", WITHOUT_BLUE, DECIDED, {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER, CLEO: MailKind.GAME_OVER}),
    Case("turns are taken back after somebody left", WITHOUT_BLUE, (RETRACTION,), {ADA: MailKind.RETRACTED, CLEO: MailKind.RETRACTED}),
    Case(
        "turns are taken back, and with them a leaving",
        (*TRIO, played(1, RED, "1", BLUE, at=1), e.SeatResigned(seat=RED), left(RED, BLUE, since=1)),
        (RETRACTION,),
        {ADA: MailKind.RETRACTED, BOB: MailKind.RETRACTED, CLEO: MailKind.RETRACTED},
    ),
    Case(
        "the secret is told with the result",
        BEGUN,
        (ended(e.EndedBy.CANCELLATION), REVEALED),
        {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER},
    ),
    Case("a plan is laid", NIM, (PLAN,), {}),
    Case("a plan is forgotten", (*NIM, PLAN), (replace(UNANSWERED, reason=e.PlanEnd.FORGOTTEN),), {}),
    Case("a plan has the turn", (*NIM, PLAN), (played(1, RED, "2", BLUE, at=1),), {}),
    Case("a plan has the turn, and a draw is on offer", (*NIM, PLAN), (played(1, RED, "2", BLUE, at=1), e.DrawOffered(seat=RED)), {}),
    Case("a plan has the turn, and a pause is proposed", PLANNED, (replace(PAUSE, seat=RED),), {}),
    Case("a plan does not answer", PLANNED, (UNANSWERED,), {BOB: MailKind.TURN}),
    Case(
        "a plan answers", PLANNED, (ANSWER, replace(UNANSWERED, reason=e.PlanEnd.PLAYED_OUT)), {ADA: MailKind.TURN, BOB: MailKind.ANSWERED}
    ),
    Case("a plan answers and goes on", PLANNED, (ANSWER,), {ADA: MailKind.TURN, BOB: MailKind.ANSWERED}),
    Case(
        "a plan answers, and the game is over",
        PLANNED,
        (ANSWER, ended(e.EndedBy.RULES, BLUE)),
        {ADA: MailKind.GAME_OVER, BOB: MailKind.GAME_OVER},
    ),
    Case("nothing happens", NIM, (), {}),
]


@for_each("case", [pytest.param(case, id=case.name.replace(" ", "-")) for case in CASES])
def test_who_is_told(case: Case) -> None:
    before = fold(case.given, find=find) if case.given else None
    after = fold(case.when, before, find) if case.when else before
    assert after is not None
    told = notices.notices(before, case.when, after)
    assert {notice.player: notice.kind for notice in told} == case.then
    assert len(told) == len(case.then)


def test_every_event_is_in_a_case() -> None:
    seen = {type(event) for case in CASES for event in case.when}
    assert [event.__name__ for event in get_args(e.GameEvent) if event not in seen] == []


@for_each(
    ("given", "event", "detail"),
    [
        (NIM_2, RETRACTION, {"first": 1, "reason": "a slip"}),
        ((*NIM_1, replace(PLAN, seat=RED, turn=2)), RETRACTION, {"first": 1, "reason": "a slip", "plan": True}),
        ((*NIM, e.DrawOffered(seat=BLUE)), e.DrawDeclined(seat=BLUE), {"seat": BLUE, "kind": e.ProposalKind.DRAW}),
        ((*NIM, PAUSE), e.ProposalDeclined(seat=BLUE), {"seat": BLUE, "kind": e.ProposalKind.PAUSE}),
        (NIM_1, e.DrawOffered(seat=BLUE), {}),
    ],
)
def test_what_the_mail_needs_besides_the_game_is_in_the_detail(given: tuple[e.GameEvent, ...], event: e.GameEvent, detail: object) -> None:
    before = fold(given, find=find)
    told = notices.notices(before, (event,), fold((event,), before, find))
    assert {notice.player: dict(notice.detail) for notice in told}[ADA] == detail


def test_words_go_to_everybody_else() -> None:
    told = notices.said(fold(PAIRS, find=find), BOB, "hello")
    assert [notice.player for notice in told] == [ADA, CLEO, PlayerId(14)]
    assert {notice.kind for notice in told} == {MailKind.SAID}
    assert told[0].detail == {"said": [{"player": BOB, "text": "hello"}]}


def test_words_do_not_go_to_who_has_left() -> None:
    told = notices.said(fold(BLUE_RESIGNED, find=find), ADA, "hello")
    assert [notice.player for notice in told] == [CLEO]


@pytest.mark.parametrize(("player", "detail"), [(ADA, {"seat": RED, "late": True}), (CLEO, {"seat": RED, "late": True})])
def test_a_leaving_says_whose_it_is_and_why(player: PlayerId, detail: object) -> None:
    before = fold(TRIO, find=find)
    told = notices.notices(before, RED_TIMED_OUT[-2:], fold(RED_TIMED_OUT[-2:], before, find))
    assert {notice.player: dict(notice.detail) for notice in told}[player] == detail


def test_words_ride_along_with_the_turn() -> None:
    state = fold(TRIO, find=find)
    turn = Notice(MailKind.TURN, BOB)
    told = combined([*notices.said(state, ADA, "one"), turn, *notices.said(state, ADA, "two")])
    words = [{"player": ADA, "text": "one"}, {"player": ADA, "text": "two"}]
    assert told == (Notice(MailKind.TURN, BOB, detail={"said": words}), Notice(MailKind.SAID, CLEO, detail={"said": words}))
    assert turn.detail == {}


def test_a_refusal_carries_what_was_written_and_why() -> None:
    problem = NotDone.of("dd3", Illegal("There is no dd3.", code="off_board"))
    assert notices.refusal([problem], done=["Said."], player=ADA) == Notice(
        MailKind.REFUSAL,
        ADA,
        detail={"problems": [{"quoted": "dd3", "message": "There is no dd3.", "code": "off_board"}], "done": ["Said."]},
    )


def test_only_what_somebody_asked_for_is_an_answer() -> None:
    asked = [
        notices.refusal([], player=ADA),
        notices.board(ADA),
        notices.notes(ADA, "shown"),
        notices.receipt(ADA),
        notices.proposal_sent(ADA, Proposal(e.ProposalKind.DRAW, RED), moved=False),
        Notice(MailKind.TRANSCRIPT, ADA),
        Notice(MailKind.CLOCK, ADA),
        Notice(MailKind.GAMES, ADA),
        Notice(MailKind.RESIGNING, ADA),
        notices.preview(ADA, ["1"]),
        notices.help_on(ADA),
        notices.rules_of(ADA, "nim"),
        Notice(MailKind.SETTINGS, ADA),
        Notice(MailKind.SUBSCRIPTION, ADA),
        vacation_notices.vacation(ADA, (), ()),
        own_plan(ADA, "shown"),
        Notice(MailKind.UNKNOWN_SENDER, address="eve@example.org"),
        notices.confirm("eve@example.org", 1, "Eve", day(3)),
        league_notices.table(ADA, LeagueId(3), Version(1)),
        league_notices.leaving(ADA, LeagueId(3), Version(1), struck=False),
        Notice(MailKind.LEAGUES, ADA),
    ]
    own = {MailKind.LEAGUE_ANSWER}  # where a player's mail has changed a league: tests of its notices
    assert {notice.kind for notice in asked} | own == ANSWERS
