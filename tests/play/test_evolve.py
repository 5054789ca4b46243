"""The effect of each event on the state."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CLEO,
    ENTROPY,
    EVE,
    GREEN,
    INVITING,
    NIM,
    NIM_1,
    NIM_2,
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
    reminded,
    running,
)
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.errors import Malformed
from turnserver.ids import Version
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank
from turnserver.play.evolve import evolve, fold
from turnserver.play.line import Line
from turnserver.play.state import Freeze, GameState, Proposal, Result, Status

NOTHING: frozenset[Any] = frozenset()
IDLE = {"to_move": None, "clock": None, "reminded": NOTHING, "proposal": None}
REMINDED = (*NIM_2, reminded(RED, 3))
FIRST = e.Rolled(number=1, below=6, value=4, outcome="2")
SECOND = e.Rolled(number=2, below=6, value=1, outcome="1")
BONES = running("bones", (ADA, BOB, CLEO), heap=20, rolls=(FIRST,), dice_from=1)
PAUSE = e.ProposalMade(seat=BLUE, kind=e.ProposalKind.PAUSE, days=9)
AGREEING = (*TRIO, e.DrawOffered(seat=BLUE), e.DrawAccepted(seat=GREEN))
TOLD = replace(clock(0), remind_at=None)
MORE = e.TurnClock(since=day(2), time=timedelta(days=5), deadline=day(7), remind_at=day(6))
STOPPED = e.TurnClock(since=day(2), time=timedelta(days=3))
AWAY = Freeze(1, e.FreezeKind.VACATION, BLUE, day(3), day(9), BOB)
PAUSED = (
    *NIM_2,
    e.ClockFrozen(number=1, kind=e.FreezeKind.VACATION, seat=BLUE, begins=day(3), ends=day(9), clock=clock(2)),
    e.ClockFrozen(number=2, kind=e.FreezeKind.PAUSE, seat=None, begins=day(3), ends=None, clock=STOPPED),
)
SAVED = Bank(timedelta(days=6))
BANKED = (*running(terms=replace(THREE_DAYS, time="5d+36h cap 10d")), replace(played(1, RED, "2", BLUE, at=1), bank=SAVED))
SLOW = replace(THREE_DAYS, time="60d in all")
TWICE_REMINDED = running(terms=replace(THREE_DAYS, reminders=("50%", "24h")))
RETRACTED = e.TurnsRetracted(first=2, reason="r", to_move=BLUE, clock=clock(6))


def line(*events: e.GameEvent) -> Line:
    return fold(events, find=find).line


CASES: dict[str, tuple[tuple[e.GameEvent, ...], e.GameEvent, dict[str, object]]] = {
    "accepted": ((opened(),), e.InvitationAccepted(player=BOB, zone="UTC"), {"accepted": frozenset({BOB})}),
    "accepted from elsewhere": (
        (opened(),),
        e.InvitationAccepted(player=BOB, zone="Asia/Tokyo"),
        {"accepted": frozenset({BOB}), "zones": ("UTC", "Asia/Tokyo")},
    ),
    "accepted by a stranger, as nobody can": (
        (opened(),),
        e.InvitationAccepted(player=EVE, zone="Asia/Tokyo"),
        {"accepted": frozenset({EVE})},
    ),
    "accepted by both": (INVITING, e.InvitationAccepted(player=BOB, zone="UTC"), {"accepted": frozenset({ADA, BOB})}),
    "declined": (INVITING, e.InvitationDeclined(player=BOB), {}),
    "started": (
        (*INVITING, e.InvitationAccepted(player=BOB, zone="UTC")),
        e.GameStarted(to_move=RED, clock=clock(0)),
        {"status": Status.RUNNING, "to_move": RED, "clock": clock(0)},
    ),
    "played": (
        (*REMINDED, e.DrawOffered(seat=BLUE)),
        played(3, RED, "1", BLUE, at=4),
        {
            "line": line(*NIM_2, played(3, RED, "1", BLUE, at=4)),
            "turn": 4,
            "to_move": BLUE,
            "clock": clock(4),
            "reminded": NOTHING,
            "proposal": None,
        },
    ),
    "played with half a draw": (
        AGREEING,
        played(1, RED, "1", BLUE, at=1),
        {
            "line": line(*TRIO, played(1, RED, "1", BLUE, at=1)),
            "turn": 2,
            "to_move": BLUE,
            "clock": clock(1),
            "proposal": None,
        },
    ),
    "played the last turn": (
        NIM_2,
        played(3, RED, "3", None, at=3),
        {"line": line(*NIM_2, played(3, RED, "3", None, at=3)), "turn": 4, "to_move": None, "clock": None},
    ),
    "draw offered": (NIM_1, e.DrawOffered(seat=RED), {"proposal": Proposal(e.ProposalKind.DRAW, RED), "draw_offers": (2, None)}),
    "draw accepted": (
        (*TRIO, e.DrawOffered(seat=BLUE)),
        e.DrawAccepted(seat=GREEN),
        {"proposal": Proposal(e.ProposalKind.DRAW, BLUE, frozenset({GREEN}))},
    ),
    "draw declined": (AGREEING, e.DrawDeclined(seat=RED), {"proposal": None}),
    "pause proposed": (TRIO, PAUSE, {"proposal": Proposal(e.ProposalKind.PAUSE, BLUE, days=9)}),
    "pause agreed": (
        (*TRIO, PAUSE),
        e.ProposalAgreed(seat=GREEN),
        {"proposal": Proposal(e.ProposalKind.PAUSE, BLUE, frozenset({GREEN}), days=9)},
    ),
    "pause declined": ((*TRIO, PAUSE), e.ProposalDeclined(seat=RED), {"proposal": None}),
    "paused": (
        (*TRIO, PAUSE, e.ProposalAgreed(seat=GREEN), e.ProposalAgreed(seat=RED)),
        e.ClockFrozen(number=1, kind=e.FreezeKind.PAUSE, seat=None, begins=day(1), ends=day(10), clock=clock(1)),
        {"proposal": None, "freezes": (Freeze(1, e.FreezeKind.PAUSE, None, day(1), day(10)),), "clock": clock(1)},
    ),
    "resigned": (NIM_2, e.SeatResigned(seat=RED), {}),
    "left on the turn": (
        (*BONES, reminded(RED, 1), e.DrawOffered(seat=BLUE), e.DrawAccepted(seat=GREEN)),
        left(RED, BLUE, since=1, rolls=(SECOND,)),
        {
            "line": line(*BONES, left(RED, BLUE, since=1, rolls=(SECOND,))),
            "left": frozenset({RED}),
            "to_move": BLUE,
            "clock": clock(1),
            "reminded": NOTHING,
            "proposal": None,
            "draws_made": 2,
        },
    ),
    "left out of turn": (
        (*BONES, reminded(RED, 1)),
        replace(left(BLUE, RED, since=0), clock=TOLD),
        {"line": line(*BONES, replace(left(BLUE, RED, since=0), clock=TOLD)), "left": frozenset({BLUE})},
    ),
    "left, which ended the game": (
        (*BONES, left(BLUE, RED, since=0)),
        left(GREEN, None, since=0),
        {
            "line": line(*BONES, left(BLUE, RED, since=0), left(GREEN, None, since=0)),
            "left": frozenset({BLUE, GREEN}),
            "to_move": None,
            "clock": None,
        },
    ),
    "accepted with entropy": (
        (opened("dice"), e.InvitationAccepted(player=BOB, zone="UTC", entropy=ENTROPY[BOB])),
        e.InvitationAccepted(player=ADA, zone="UTC", entropy=ENTROPY[ADA]),
        {"accepted": frozenset({ADA, BOB}), "entropies": (ENTROPY[ADA], ENTROPY[BOB])},
    ),
    "began with a roll": (
        BONES[:-1],
        BONES[-1],
        {
            "status": Status.RUNNING,
            "line": line(*BONES),
            "to_move": RED,
            "clock": clock(0),
            "draws_made": 1,
        },
    ),
    "played with a roll after it": (
        BONES,
        played(1, RED, "1", BLUE, at=1, rolls=(SECOND,)),
        {
            "line": line(*BONES, played(1, RED, "1", BLUE, at=1, rolls=(SECOND,))),
            "turn": 2,
            "to_move": BLUE,
            "clock": clock(1),
            "draws_made": 2,
        },
    ),
    "retracted with a roll, whose number is not used again, and with a leaving": (
        (*BONES, left(BLUE, RED, since=0), played(1, RED, "1", GREEN, at=1, rolls=(SECOND,)), left(RED, GREEN, since=1)),
        e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(6)),
        {
            "line": line(*BONES, left(BLUE, RED, since=0)),
            "left": frozenset({BLUE}),
            "turn": 1,
            "edition": 1,
            "known_edition": 1,
            "to_move": RED,
            "clock": clock(6),
        },
    ),
    "the secret is told": ((*BONES, ended(e.EndedBy.CANCELLATION)), REVEALED, {}),
    "ended with scores": (
        BONES,
        ended(e.EndedBy.ADJUDICATION, RED, reason="clear", scores=(3, 2, 1)),
        {**IDLE, "status": Status.ENDED, "result": Result(e.Outcome.WON, e.EndedBy.ADJUDICATION, (RED,), "clear", (3, 2, 1))},
    ),
    "reminded": (NIM_2, reminded(RED, 3), {"reminded": frozenset({"24h"}), "clock": replace(clock(2), remind_at=None)}),
    "reminded of a part, the other to come": (
        (*TWICE_REMINDED, e.PlayerReminded(seat=RED, turn=1, marks=("50%",), remind_at=day(2))),
        e.PlayerReminded(seat=RED, turn=1, marks=("24h",), remind_at=None),
        {"reminded": frozenset({"50%", "24h"}), "clock": replace(clock(0), remind_at=None)},
    ),
    "timed out": (NIM_2, e.TurnTimedOut(seat=RED, turn=3, deadline=day(5)), {"flagged_at": day(5)}),
    "credited": (NIM_2, e.ClockCredited(turn=3, seconds=60, reason="r", clock=MORE), {"clock": MORE}),
    "credited after the reminder": (
        REMINDED,
        e.ClockCredited(turn=3, seconds=172_800, reason="r", clock=replace(MORE, remind_at=None)),
        {"clock": replace(MORE, remind_at=None)},
    ),
    "a vacation": (
        NIM_2,
        e.ClockFrozen(number=1, kind=e.FreezeKind.VACATION, seat=BLUE, begins=day(3), ends=day(9), clock=clock(2)),
        {"freezes": (Freeze(1, e.FreezeKind.VACATION, BLUE, day(3), day(9), BOB),)},
    ),
    "a pause that moves the clock": (
        PAUSED[:-1],
        PAUSED[-1],
        {"freezes": (AWAY, Freeze(2, e.FreezeKind.PAUSE, None, day(3), None)), "clock": STOPPED},
    ),
    "the end of a pause": (
        PAUSED,
        e.ClockThawed(number=2, kind=e.FreezeKind.PAUSE, seat=None, ends=day(4), clock=MORE),
        {"freezes": (AWAY, Freeze(2, e.FreezeKind.PAUSE, None, day(3), day(4))), "clock": MORE},
    ),
    "a pause known of before the game began to move": (
        NIM,
        e.ClockFrozen(number=1, kind=e.FreezeKind.HALT, seat=None, begins=day(0), ends=day(1), clock=None),
        {"freezes": (Freeze(1, e.FreezeKind.HALT, None, day(0), day(1)),), "clock": None},
    ),
    "played, which fills the clock of one seat": (
        NIM_1,
        replace(played(2, BLUE, "1", RED, at=2), bank=SAVED),
        {
            "line": line(*NIM_1, replace(played(2, BLUE, "1", RED, at=2), bank=SAVED)),
            "turn": 3,
            "to_move": RED,
            "clock": clock(2),
            "banks": (Bank(), SAVED),
        },
    ),
    "retracted, which gives every clock what it held": (
        (*BANKED, replace(played(2, BLUE, "1", RED, at=2), bank=Bank()), replace(played(3, RED, "1", BLUE, at=3), bank=Bank())),
        RETRACTED,
        {
            "line": line(*BANKED),
            "turn": 2,
            "edition": 1,
            "known_edition": 1,
            "to_move": BLUE,
            "clock": clock(6),
            "banks": (SAVED, Bank(timedelta(days=5))),
        },
    ),
    "retracted": (
        (*REMINDED, e.DrawOffered(seat=RED)),
        RETRACTED,
        {
            "line": line(*NIM_1),
            "turn": 2,
            "edition": 1,
            "known_edition": 1,
            "to_move": BLUE,
            "clock": clock(6),
            "reminded": NOTHING,
            "proposal": None,
            "draw_offers": (None, None),
        },
    ),
    "retracted later than a draw offer": (
        (*NIM, e.DrawOffered(seat=RED), *NIM_2[-2:]),
        RETRACTED,
        {"line": line(*NIM_1), "turn": 2, "edition": 1, "known_edition": 1, "to_move": BLUE, "clock": clock(6)},
    ),
    "retracted and reopened": (
        WON,
        RETRACTED,
        {
            "status": Status.RUNNING,
            "line": line(*NIM_1),
            "turn": 2,
            "edition": 1,
            "known_edition": 1,
            "to_move": BLUE,
            "clock": clock(6),
            "result": None,
        },
    ),
    "ended while running": (
        (*REMINDED, e.DrawOffered(seat=BLUE)),
        ended(e.EndedBy.ADJUDICATION, RED, reason="clear"),
        {**IDLE, "status": Status.ENDED, "result": Result(e.Outcome.WON, e.EndedBy.ADJUDICATION, (RED,), "clear")},
    ),
    "ended by agreement": (
        AGREEING,
        ended(e.EndedBy.AGREEMENT, drawn=True),
        {**IDLE, "status": Status.ENDED, "result": Result(e.Outcome.DRAWN, e.EndedBy.AGREEMENT, (), "")},
    ),
    "ended before the start": (
        INVITING,
        ended(e.EndedBy.REFUSAL),
        {"status": Status.ENDED, "result": Result(e.Outcome.VOID, e.EndedBy.REFUSAL, (), "")},
    ),
    "annulled": (WON, e.ResultAnnulled(reason="two accounts"), {"result": Result(e.Outcome.VOID, e.EndedBy.ANNULMENT, (), "two accounts")}),
}


@for_each(("given", "event", "changes"), CASES.values(), ids=CASES)
def test_an_event_changes_this_and_nothing_else(given: tuple[e.GameEvent, ...], event: e.GameEvent, changes: dict[str, object]) -> None:
    before = fold(given, find=find)
    after = evolve(before, event, find)
    assert asdict(after) == asdict(before) | changes | {"version": len(given) + 1}


def test_a_game_that_was_opened() -> None:
    assert evolve(None, opened("trio", (CLEO, ADA, BOB), SLOW, heap=9), find) == GameState(
        version=Version(1),
        game=find("trio", heap=9),
        terms=SLOW,
        players=(CLEO, ADA, BOB),
        zones=("UTC", "UTC", "UTC"),
        accepted=NOTHING,
        opened_by=None,
        status=Status.INVITING,
        line=Line.empty(find("trio", heap=9)),
        turn=1,
        edition=0,
        to_move=None,
        clock=None,
        banks=(Bank(timedelta(days=60)),) * 3,
        draw_offers=(None, None, None),
        take_backs=(None, None, None),
        plans=(None, None, None),
        result=None,
        entropies=("", "", ""),
    )


@pytest.mark.parametrize(
    ("history", "complaint"),
    [((), "empty"), (NIM[1:], "begins with InvitationAccepted"), ((*NIM, opened()), "second game.opened")],
    ids=["empty", "headless", "opened twice"],
)
def test_a_history_has_one_opening_and_begins_with_it(history: tuple[e.GameEvent, ...], complaint: str) -> None:
    with pytest.raises(Malformed, match=complaint):
        fold(history, find=find)


def test_a_fold_can_go_on_from_a_state() -> None:
    assert fold(WON[5:], fold(WON[:5], find=find), find) == fold(WON, find=find)
    assert fold((), fold(WON, find=find), find) == fold(WON, find=find)


def test_who_sits_where_and_when_to_look_at_the_clock() -> None:
    state = fold(NIM_2, find=find)
    assert (state.seat_of(ADA), state.seat_of(BOB), state.seat_of(CLEO)) == (RED, BLUE, None)
    assert (state.player_at(RED), state.player_at(BLUE)) == (ADA, BOB)
    assert state.due_at == day(4)
    assert fold(REMINDED, find=find).due_at == day(5)
    assert fold(WON, find=find).due_at is None
