"""Substitutes whom the players themselves want: who may name whom, who has to agree, and what ends the question."""

from collections.abc import Iterator

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
)
from tests.play.small_games import find
from tests.play.test_timeouts import SUBSTITUTE, table, vacated
from turnserver.audit.game.recheck import recheck
from turnserver.ids import Burden, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.state import Proposal
from turnserver.play.substitution import agreed_substitute, asked
from turnserver.rules import Seat


def name(player: PlayerId | None, by: PlayerId = ADA, at: float = 1) -> c.Propose:
    return c.Propose(by, day(at), e.ProposalKind.SUBSTITUTE, substitute=player)


def wanted(seat: Seat, player: PlayerId = EVE, place: Seat | None = None) -> e.ProposalMade:
    return e.ProposalMade(seat=seat, kind=e.ProposalKind.SUBSTITUTE, player=player, place=place or seat)


def invited(seat: Seat, player: PlayerId = EVE, by: Seat | None = None) -> e.SubstituteInvited:
    return e.SubstituteInvited(seat=seat, player=player, asked_by=by or seat)


def seated(seat: Seat, now: e.TurnClock, player: PlayerId = EVE, zone: str = "UTC") -> e.SubstituteSeated:
    return e.SubstituteSeated(seat=seat, player=player, zone=zone, rating=Burden.SEAT, reason="", clock=now)


def put_in(seat: Seat, player: PlayerId, now: e.TurnClock) -> e.SubstituteSeated:
    return replace(seated(seat, now, player), reason="stayed away")


ASKED = (*NIM, wanted(RED), e.ProposalAgreed(seat=BLUE), invited(RED))
"""Eve is asked to play on for Ada, whose turn it is until day 3."""
WANTED_OF_THREE = (*TRIO, wanted(BLUE))
VACANT = (*table(SUBSTITUTE), vacated(RED, 1, 3))
"""Of three; the seat of Red waits until day 10."""
FOR_VACANT = (*VACANT, wanted(BLUE, place=RED), e.ProposalAgreed(seat=GREEN), invited(RED, by=BLUE))
TWO_LEFT = (*table(SUBSTITUTE), e.SeatResigned(seat=GREEN), left(GREEN, RED, since=0), vacated(RED, 1, 3))
"""Of those two only Blue plays; the seat of Red waits."""
TWO_ASKED = (*TRIO, wanted(BLUE), e.ProposalAgreed(seat=RED), e.ProposalAgreed(seat=GREEN), invited(BLUE))
TWO_ASKED = (*TWO_ASKED, wanted(GREEN, DAN), e.ProposalAgreed(seat=RED), e.ProposalAgreed(seat=BLUE), invited(GREEN, DAN))
AWAY = e.ClockFrozen(number=1, kind=e.FreezeKind.VACATION, seat=RED, begins=day(1), ends=day(8), clock=due(0, 3, by=10, remind=9))
BACK = e.ClockThawed(number=1, kind=e.FreezeKind.VACATION, seat=RED, ends=day(2), clock=due(0, 3, by=4, remind=3))
WITHDRAWN = e.SubstituteWithdrawn(seat=RED)
NO = e.SubstituteDeclined(seat=RED, player=EVE)

CASES = [
    Case("somebody for one's own seat", NIM, name(EVE), day(1), (wanted(RED),)),
    Case("also out of turn", NIM, name(EVE, BOB), day(1), (wanted(BLUE),)),
    Case("for the seat that waits", VACANT, name(EVE, BOB, 4), day(4), (wanted(BLUE, place=RED),)),
    Case("also by whoever has lost it", VACANT, name(EVE, ADA, 4), day(4), (wanted(RED),)),
    Case("where nobody else has a say at once", TWO_LEFT, name(EVE, BOB, 4), day(4), (wanted(BLUE, place=RED), invited(RED, by=BLUE))),
    Case("the other agrees", ASKED[:-2], c.Accept(BOB, day(1)), day(1), ASKED[-2:]),
    Case("one of two agrees", WANTED_OF_THREE, c.Accept(ADA, day(1)), day(1), (e.ProposalAgreed(seat=RED),)),
    Case(
        "and then the other",
        (*WANTED_OF_THREE, e.ProposalAgreed(seat=RED)),
        c.Accept(CLEO, day(1)),
        day(1),
        (e.ProposalAgreed(seat=GREEN), invited(BLUE)),
    ),
    Case("whose seat waits is not asked", FOR_VACANT[:-2], c.Accept(CLEO, day(4)), day(4), FOR_VACANT[-2:]),
    Case(
        "and cannot say no",
        FOR_VACANT[:-2],
        c.Decline(ADA, day(4)),
        day(4),
        Refused("nothing_to_decline", "You made this offer yourself."),
    ),
    Case("one says no", WANTED_OF_THREE, c.Decline(ADA, day(1)), day(1), (e.ProposalDeclined(seat=RED),)),
    Case(
        "the one who is asked sits down",
        ASKED,
        c.Accept(EVE, day(1), zone="Asia/Tokyo"),
        day(1),
        (seated(RED, due(1, 2, by=3, remind=2), zone="Asia/Tokyo"),),
    ),
    Case("with a day at least", ASKED, c.Accept(EVE, day(2.5)), day(2.75), (seated(RED, due(2.75, 1, by=3.75)),)),
    Case("later, too", (*ASKED, played(1, RED, "2", BLUE, at=2, began=0)), c.Accept(EVE, day(3), 1, 0), day(3), (seated(RED, clock(2)),)),
    Case(
        "without the vacation of the other", (*ASKED, AWAY), c.Accept(EVE, day(2)), day(2), (BACK, seated(RED, due(2, 2, by=4, remind=3)))
    ),
    Case("at the seat that waits", FOR_VACANT, c.Accept(EVE, day(5)), day(5), (seated(RED, due(5, 1, by=6)),)),
    Case("or does not want to", ASKED, c.Decline(EVE, day(9)), day(9), (NO,)),
    Case("until then the other plays", ASKED, c.PlayTurn(ADA, day(1), "2"), day(1), (played(1, RED, "2", BLUE, at=1),)),
    Case("who proposed it does not want it any more", ASKED, c.Withdraw(ADA, day(1)), day(1), (WITHDRAWN,)),
    Case("nor before the other has agreed", ASKED[:-2], c.Withdraw(ADA, day(1)), day(1), (WITHDRAWN,)),
    Case(
        "another one is asked for the seat",
        (*ASKED, wanted(RED, DAN)),
        c.Accept(BOB, day(1)),
        day(1),
        (e.ProposalAgreed(seat=BLUE), invited(RED, DAN)),
    ),
    Case("nobody of the table", TRIO, name(CLEO), day(1), Refused("already_playing", "is in this game already.")),
    Case("nobody who was asked already", ASKED, name(EVE, BOB), day(1), Refused("already_invited", "have no answer yet.")),
    Case("nobody once more beside another", (*NIM, e.DrawOffered(seat=BLUE)), name(EVE), day(1), Refused("proposal_open", "Blue")),
    Case("not before the game begins", INVITING, name(EVE), day(1), Refused("not_started", "This game hasn't started")),
    Case("not after the deadline", NIM, name(EVE, at=3.1), day(3.1), Refused("too_late", "ran out at")),
    Case("nor can anybody sit down then", ASKED, c.Accept(EVE, day(3.1)), day(3.1), Refused("too_late", "ran out at")),
    Case("nobody who was not asked", ASKED, c.Accept(DAN, day(1)), day(1), Refused("not_in_game", "You don't play in this game.")),
    Case("nor says no", ASKED, c.Decline(DAN, day(1)), day(1), Refused("not_in_game", "You don't play in this game.")),
    Case("not after it was withdrawn", (*ASKED, WITHDRAWN), c.Accept(EVE, day(1)), day(1), Refused("not_in_game", "don't play in")),
    Case(
        "not after the end", (*ASKED, ended(e.EndedBy.CANCELLATION)), c.Accept(EVE, day(1)), day(1), Refused("not_in_game", "don't play in")
    ),
    Case(
        "no answer to a mail from before",
        (*NIM_2, wanted(RED), e.ProposalAgreed(seat=BLUE), invited(RED)),
        c.Accept(EVE, day(3), 2, 0),
        day(3),
        Refused("answer_to_earlier_mail", "To answer it"),
    ),
    Case(
        "nor a no to one from before turns were taken back",
        (
            *NIM_2,
            e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(2)),
            wanted(RED),
            e.ProposalAgreed(seat=BLUE),
            invited(RED),
        ),
        c.Decline(EVE, day(3), 3, 0),
        day(3),
        Refused("answer_to_earlier_mail", "To answer it"),
    ),
    Case("nobody withdraws what is not theirs", ASKED, c.Withdraw(BOB, day(1)), day(1), Refused("nothing_to_withdraw", "no substitute")),
    Case("nor what another proposes", ASKED[:-2], c.Withdraw(BOB, day(1)), day(1), Refused("nothing_to_withdraw", "no substitute")),
    Case(
        "nor what is no substitute",
        (*NIM, e.DrawOffered(seat=RED)),
        c.Withdraw(ADA, day(1)),
        day(1),
        Refused("nothing_to_withdraw", "Play on"),
    ),
    Case("nor where nobody plays", INVITING, c.Withdraw(ADA, day(1)), day(1), Refused("not_started", "This game hasn't started")),
]


@named(CASES)
def test_substitutes_by_agreement(case: Case) -> None:
    check(case)


@named(case for case in CASES if not isinstance(case.then, Refused))
def test_an_audit_agrees(case: Case) -> None:
    assert not isinstance(case.then, Refused)
    assert list(recheck((*case.given, *case.then), CHANCE.game, find)) == []


STILL_ASKED: dict[str, tuple[tuple[e.GameEvent, ...], dict[PlayerId, Seat]]] = {
    "a turn": ((*TWO_ASKED, played(1, RED, "1", BLUE, at=1)), {EVE: BLUE, DAN: GREEN}),
    "another proposal": ((*TWO_ASKED, e.DrawOffered(seat=BLUE)), {EVE: BLUE, DAN: GREEN}),
    "turns that are taken back": (
        (*TWO_ASKED, played(1, RED, "1", BLUE, at=1), e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(2))),
        {EVE: BLUE, DAN: GREEN},
    ),
    "a no": ((*TWO_ASKED, e.SubstituteDeclined(seat=BLUE, player=EVE)), {DAN: GREEN}),
    "a withdrawal": ((*TWO_ASKED, e.SubstituteWithdrawn(seat=GREEN)), {EVE: BLUE}),
    "a yes": ((*TWO_ASKED, seated(BLUE, clock(0))), {DAN: GREEN}),
    "somebody else at the seat": ((*TWO_ASKED, put_in(BLUE, PlayerId(16), clock(0))), {DAN: GREEN}),
    "a seat that was got from an admin": ((*TWO_ASKED, put_in(RED, EVE, due(1, 2, by=3, remind=2))), {DAN: GREEN}),
    "a seat that has left": ((*TWO_ASKED, e.SeatResigned(seat=GREEN), left(GREEN, RED, since=0)), {EVE: BLUE}),
    "another one for the seat": ((*ASKED, wanted(RED, DAN), e.ProposalAgreed(seat=BLUE), invited(RED, DAN)), {DAN: RED}),
    "the end": ((*TWO_ASKED, ended(e.EndedBy.CANCELLATION)), {}),
}


@for_each(("history", "offers"), STILL_ASKED.values(), ids=STILL_ASKED)
def test_who_is_still_asked_after(history: tuple[e.GameEvent, ...], offers: dict[PlayerId, Seat]) -> None:
    assert list(recheck(history, CHANCE.game, find)) == []
    state = fold(history, find=find)
    assert {offer.player: offer.seat for offer in state.seat_offers} == offers
    assert all(state.seat_offer(player) is not None for player in offers)


def test_whom_they_wanted_to_ask() -> None:
    assert asked(TWO_ASKED) == {EVE, DAN}
    assert asked(NIM_2) == frozenset()


def test_somebody_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="has to be named"):
        decide(fold(NIM, find=find), name(None), day(1), find)
    with pytest.raises(ValueError, match="nobody knows whom"):
        agreed_substitute(Proposal(e.ProposalKind.SUBSTITUTE, RED))


FORGED: dict[str, tuple[e.GameEvent, ...]] = {
    "a player of the table is wanted": (*TRIO, wanted(RED, CLEO)),
    "nobody is wanted": (*NIM, replace(wanted(RED), player=None)),
    "somebody is wanted nowhere": (*NIM, replace(wanted(RED), place=None)),
    "somebody for the seat of another": (*NIM, wanted(RED, place=BLUE)),
    "somebody for a seat that does not wait": (*VACANT, replace(wanted(BLUE), place=BLUE)),
    "somebody for some days": (*NIM, replace(wanted(RED), days=3)),
    "somebody who was asked already": (*ASKED, wanted(BLUE)),
    "somebody to pause": (*NIM, e.ProposalMade(seat=RED, kind=e.ProposalKind.PAUSE, days=3, player=EVE)),
    "somewhere to pause": (*NIM, e.ProposalMade(seat=RED, kind=e.ProposalKind.PAUSE, days=3, place=RED)),
    "asked without being wanted": (*NIM, invited(RED)),
    "asked before all have agreed": (*NIM, wanted(RED), invited(RED)),
    "another one is asked": (*ASKED[:-1], invited(RED, DAN)),
    "for another seat": (*ASKED[:-1], invited(BLUE, by=RED)),
    "because of another": (*ASKED[:-1], invited(RED, by=BLUE)),
    "agreed, and nobody is asked": (*ASKED[:-1], played(1, RED, "2", BLUE, at=1)),
    "nobody had to agree, and nobody is asked": (*TWO_LEFT, wanted(BLUE, place=RED), e.DrawOffered(seat=BLUE)),
    "a no without a question": (*NIM, NO),
    "a no of somebody else": (*ASKED, replace(NO, player=DAN)),
    "a no for another seat": (*ASKED, replace(NO, seat=BLUE)),
    "nothing to withdraw": (*NIM, WITHDRAWN),
    "what another has proposed": (*ASKED, e.SubstituteWithdrawn(seat=BLUE)),
    "a draw withdrawn": (*NIM, e.DrawOffered(seat=RED), WITHDRAWN),
    "seated without being asked, for no reason": (*NIM, seated(RED, due(1, 2, by=3, remind=2))),
    "seated elsewhere than asked": (*ASKED, seated(BLUE, clock(0))),
    "another one is seated": (*ASKED, seated(RED, due(1, 2, by=3, remind=2), DAN)),
    "seated for their own rating": (*ASKED, replace(seated(RED, due(1, 2, by=3, remind=2)), rating=Burden.SUBSTITUTE)),
    "seated twice": (*ASKED, seated(RED, due(1, 2, by=3, remind=2)), seated(BLUE, due(1, 2, by=3, remind=2))),
}


@for_each("history", FORGED.values(), ids=FORGED)
def test_an_audit_finds_what_could_not_follow(history: tuple[e.GameEvent, ...]) -> None:
    found = [one.version for one in recheck(history, CHANCE.game, find)]
    assert len(history) in found
    assert [version for version in found if version < len(history) - 1] == []


def test_the_game_may_end_or_change_hands_meanwhile() -> None:
    """Nothing else that can happen asks somebody who was asked before."""
    state = fold(ASKED, find=find)
    for command in _others():
        assert decide(state, command, day(1), find)


def _others() -> Iterator[c.Resign | c.Cancel | c.Substitute]:
    yield c.Resign(ADA, day(1))
    yield c.Cancel("the club is closed")
    yield c.Substitute(RED, DAN, "UTC", Burden.NONE, "a long journey")
