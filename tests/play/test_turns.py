"""Playing turns and resigning."""

import pytest
from msgspec.structs import replace

from tests.play.given import (
    ADA,
    BLACK,
    BLUE,
    BOB,
    CLEO,
    DAN,
    EVE,
    GREEN,
    NIM,
    NIM_1,
    NIM_2,
    PAIRS,
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
    opened,
    played,
    running,
)
from tests.play.small_games import find
from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.commands import OfferDraw, PlayTurn, Resign
from turnserver.play.evolve import fold
from turnserver.play.turns import look_ahead

RETRACTED = (*NIM_2, e.TurnsRetracted(first=2, reason="r", to_move=BLUE, clock=clock(3)))
"""Edition 1: turn 1 stands, turn 2 is to be played again by Blue, by day 6."""
REPLAYED = (*RETRACTED, played(2, BLUE, "3", RED, at=4))
"""Edition 1: Blue took three this time; one is left."""
EMPTY = "the heap is empty"

CASES = [
    Case("a turn", NIM, PlayTurn(ADA, day(1), "2"), day(1), (played(1, RED, "2", BLUE, at=1),)),
    Case("a turn is logged in canonical notation", NIM, PlayTurn(ADA, day(1), "take 2"), day(1), (played(1, RED, "2", BLUE, at=1),)),
    Case("the next seat", NIM_1, PlayTurn(BOB, day(2), "1"), day(2), (played(2, BLUE, "1", RED, at=2),)),
    Case(
        "the third seat", (*TRIO, played(1, RED, "1", BLUE, at=1)), PlayTurn(BOB, day(2), "1"), day(2), (played(2, BLUE, "1", GREEN, at=2),)
    ),
    Case("a turn of two steps", running(steps=2), PlayTurn(ADA, day(1), "take 2; 1"), day(1), (played(1, RED, "2; 1", BLUE, at=1),)),
    Case("a turn by its name", NIM_1, PlayTurn(BOB, day(2), "1", turn=2, edition=0), day(2), (played(2, BLUE, "1", RED, at=2),)),
    Case(
        "the game is won",
        NIM_2,
        PlayTurn(ADA, day(3), "3"),
        day(3),
        (played(3, RED, "3", None, at=3), ended(e.EndedBy.RULES, RED, reason=EMPTY)),
    ),
    Case(
        "a team wins together",
        (*running("pairs", (ADA, BOB, CLEO, DAN), heap=4), played(1, RED, "2", BLUE, at=1)),
        PlayTurn(BOB, day(2), "2"),
        day(2),
        (played(2, BLUE, "2", None, at=2), ended(e.EndedBy.RULES, BLUE, BLACK, reason=EMPTY)),
    ),
    Case(
        "nobody wins",
        running(heap=2, ending="nobody wins"),
        PlayTurn(ADA, day(1), "2"),
        day(1),
        (played(1, RED, "2", None, at=1), ended(e.EndedBy.RULES, drawn=True, reason=EMPTY)),
    ),
    Case("at the last instant", NIM, PlayTurn(ADA, day(3), "2"), day(3), (played(1, RED, "2", BLUE, at=3, began=0),)),
    Case(
        "in time but handled late, which costs the opponent nothing",
        NIM,
        PlayTurn(ADA, day(3), "2"),
        day(8),
        (replace(played(1, RED, "2", BLUE, at=3, began=0), clock=clock(8)),),
    ),
    Case(
        "a second too late", NIM, PlayTurn(ADA, day(3, seconds=1), "2"), day(3, seconds=1), Refused("too_late", "2025-03-04 12:00:00 UTC")
    ),
    Case("too many counters", NIM_2, PlayTurn(ADA, day(3), "4"), day(3), Refused("illegal", 'You can write, for example, "3".')),
    Case("no move at all", NIM, PlayTurn(ADA, day(1), "hello"), day(1), Refused("unreadable", 'You can write, for example, "1".')),
    Case("half a turn", running(steps=2), PlayTurn(ADA, day(1), "2"), day(1), Refused("too_few_steps", 'Add, for example, "1".')),
    Case("a turn and a half", NIM, PlayTurn(ADA, day(1), "2; 1"), day(1), Refused("too_many_steps", "Leave out what")),
    Case("somebody else's turn", NIM, PlayTurn(BOB, day(1), "2"), day(1), Refused("not_your_turn", "and you play Blue.")),
    Case("a stranger's turn", NIM, PlayTurn(EVE, day(1), "2"), day(1), Refused("not_in_game", '"games"')),
    Case("a turn after the end", WON, PlayTurn(BOB, day(4), "1"), day(4), Refused("game_over", "Red won by the rules (the heap is empty)")),
    Case(
        "a turn after a draw",
        (*NIM_1, ended(e.EndedBy.AGREEMENT, drawn=True)),
        PlayTurn(BOB, day(4), "1"),
        day(4),
        Refused("game_over", "a draw by agreement"),
    ),
    Case(
        "a turn in a game that was called off",
        (opened(), e.InvitationDeclined(player=BOB), ended(e.EndedBy.REFUSAL)),
        PlayTurn(ADA, day(4), "1"),
        day(4),
        Refused("game_over", "no result, because an invitation was declined"),
    ),
    Case(
        "a turn after a team won",
        (*PAIRS, ended(e.EndedBy.ADJUDICATION, RED, GREEN)),
        PlayTurn(BOB, day(4), "1"),
        day(4),
        Refused("game_over", "Red and Green won by the organisers' decision"),
    ),
    Case(
        "the same mail again",
        NIM_1,
        PlayTurn(ADA, day(2), "3", turn=1, edition=0),
        day(2),
        Refused("turn_already_played", "Turn 1 is played already"),
    ),
    Case(
        "an answer to an old mail",
        NIM_2,
        PlayTurn(BOB, day(2), "3", turn=1),
        day(2),
        Refused("turn_already_played", "Turn 1 is played already"),
    ),
    Case(
        "all steps of the turn that was played",
        (*running(steps=2), played(1, RED, "2; 1", BLUE, at=1)),
        PlayTurn(ADA, day(2), "3", turn=1),
        day(2),
        Refused("turn_already_played", "2; 1 by Red"),
    ),
    Case(
        "an old mail stays old after the deadline",
        NIM_1,
        PlayTurn(BOB, day(9), "3", turn=1),
        day(9),
        Refused("turn_already_played", "Turn 1"),
    ),
    Case("a turn to come", NIM_1, PlayTurn(BOB, day(2), "1", turn=3), day(2), Refused("unknown_turn", "turn 2 is next")),
    Case("a turn before the first", NIM_1, PlayTurn(BOB, day(2), "1", turn=0), day(2), Refused("unknown_turn", "turn 2 is next")),
    Case("an edition to come", NIM_1, PlayTurn(BOB, day(2), "1", turn=1, edition=1), day(2), Refused("unknown_turn", "turn 2 is next")),
    Case(
        "a retracted turn again",
        RETRACTED,
        PlayTurn(BOB, day(4), "3", turn=2, edition=1),
        day(4),
        (played(2, BLUE, "3", RED, at=4),),
    ),
    Case(
        "the mail from before the retraction",
        RETRACTED,
        PlayTurn(BOB, day(4), "3", turn=2, edition=0),
        day(4),
        Refused("turn_already_played", "and turn 2 is next."),
    ),
    Case(
        "an edition without a turn",
        RETRACTED,
        PlayTurn(BOB, day(4), "3", edition=0),
        day(4),
        Refused("turn_already_played", "and turn 2 is next."),
    ),
    Case(
        "a later turn that was retracted",
        RETRACTED,
        PlayTurn(ADA, day(4), "3", turn=3, edition=0),
        day(4),
        Refused("turn_already_played", "and turn 2 is next."),
    ),
    Case(
        "what replaced a retracted turn",
        REPLAYED,
        PlayTurn(BOB, day(5), "1", turn=2, edition=0),
        day(5),
        Refused("turn_already_played", "Turn 2 is played already"),
    ),
    Case("resigning on one's turn", NIM, Resign(ADA, day(1)), day(1), (e.SeatResigned(seat=RED), ended(e.EndedBy.RESIGNATION, BLUE))),
    Case("resigning out of turn", NIM, Resign(BOB, day(1)), day(1), (e.SeatResigned(seat=BLUE), ended(e.EndedBy.RESIGNATION, RED))),
    Case("resigning too late", NIM, Resign(ADA, day(4)), day(4), Refused("too_late", "ran out")),
    Case("resigning after the end", WON, Resign(BOB, day(4)), day(4), Refused("game_over", "Red won")),
    Case("a stranger resigns", NIM, Resign(EVE, day(1)), day(1), Refused("not_in_game", '"games"')),
    Case(
        "an offer does not keep from playing",
        (*NIM, e.DrawOffered(seat=RED)),
        PlayTurn(ADA, day(1), "2"),
        day(1),
        (played(1, RED, "2", BLUE, at=1),),
    ),
    Case(
        "a lapsed offer does not keep from offering",
        (*NIM, e.DrawOffered(seat=RED), *NIM_1[-1:]),
        OfferDraw(BOB, day(1)),
        day(1),
        (e.DrawOffered(seat=BLUE),),
    ),
]


@named(CASES)
def test_turns(case: Case) -> None:
    check(case)


def test_looking_ahead_reads_a_turn_and_plays_nothing() -> None:
    state = fold(NIM, find=find)
    assert look_ahead(state, PlayTurn(ADA, day(1), "take 2")) == ("2",)
    with pytest.raises(NotAllowed):
        look_ahead(state, PlayTurn(BOB, day(1), "2"))
