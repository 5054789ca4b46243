"""A recorded game is played again: what really happened passes, and whatever the rules do not bear out is named with its version."""

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.decide.given import ADA, BLUE, BOB, CLEO, DAN, GREEN, INVITING, NIM, NIM_1, NIM_2, RED, WON, day, ended, opened, played, running
from tests.decide.small_games import find
from turnserver.play.events import EndedBy, GameEvent, GameStarted, ResultAnnulled, SeatResigned, TurnsRetracted, TurnTimedOut
from turnserver.play.recheck import recheck

LAST = played(3, RED, "3", None, at=3)
RETRACTED = TurnsRetracted(first=2, reason="a slip", to_move=BLUE, deadline=day(7), remind_at=day(6))
TEAM_WIN = (*running("pairs", (ADA, BOB, CLEO, DAN), heap=1), played(1, RED, "1", None, at=1))
DRAWN = (*running(heap=1, ending="nobody wins"), played(1, RED, "1", None, at=1))
OTHERWISE = (played(2, BLUE, "3", RED, at=5), played(3, RED, "1", None, at=6), ended(EndedBy.RULES, RED))

TRUE: dict[str, tuple[GameEvent, ...]] = {
    "nothing at all": (),
    "invited": INVITING,
    "under way": NIM_2,
    "won by the rules": WON,
    "won by a team": (*TEAM_WIN, ended(EndedBy.RULES, RED, GREEN)),
    "drawn by the rules": (*DRAWN, ended(EndedBy.RULES, drawn=True)),
    "resigned": (*NIM_1, SeatResigned(seat=BLUE), ended(EndedBy.RESIGNATION, RED)),
    "timed out": (*NIM_1, TurnTimedOut(seat=BLUE, turn=2, deadline=day(4)), ended(EndedBy.TIME)),
    "won, reopened and played otherwise": (*WON, RETRACTED, *OTHERWISE),
    "won and annulled": (*WON, ResultAnnulled(reason="two accounts of one player")),
    "several steps in a turn": (*running(steps=2), played(1, RED, "1; 2", BLUE, at=1)),
}


@pytest.mark.parametrize("events", TRUE.values(), ids=TRUE)
def test_what_happened_passes(events: tuple[GameEvent, ...]) -> None:
    assert list(recheck(events, find)) == []


class Forged(NamedTuple):
    events: tuple[GameEvent, ...]
    version: int
    says: str


FALSE = {
    "more than there is": Forged((*NIM_2, played(3, RED, "9", None, at=3)), 7, "the turn is not legal: You cannot take 9"),
    "no notation": Forged((*NIM, played(1, RED, "plenty", BLUE, at=1)), 5, "the turn is not legal: A move is a number"),
    "too few steps": Forged((*running(steps=2), played(1, RED, "1", BLUE, at=1)), 5, 'The turn does not end with "1"'),
    "another way to write it": Forged((*NIM, played(1, RED, "take 2", BLUE, at=1)), 5, "take 2 is written 2"),
    "somebody else's turn": Forged((*NIM, played(1, BLUE, "2", BLUE, at=1)), 5, "turn 1 by seat 2, but turn 1 by seat 1 was due"),
    "a turn skipped": Forged((*NIM, played(2, RED, "2", BLUE, at=1)), 5, "turn 2 by seat 1, but turn 1"),
    "the same player again": Forged((*NIM, played(1, RED, "2", RED, at=1)), 5, "seat 1 is to move next, by the rules seat 2"),
    "the wrong player begins": Forged((*NIM[:-1], GameStarted(to_move=BLUE, deadline=day(3), remind_at=day(2))), 4, "by the rules seat 1"),
    "the wrong player after a retraction": Forged((*NIM_2, replace(RETRACTED, to_move=RED)), 7, "seat 1 is to move next"),
    "late": Forged((*NIM, played(1, RED, "2", BLUE, at=3.5)), 5, "it arrived after its deadline"),
    "nobody to move though the game goes on": Forged((*NIM, played(1, RED, "2", None, at=1)), 5, "nobody is to move next"),
    "somebody to move though it is over": Forged((*NIM_2, replace(LAST, to_move=BLUE)), 7, "seat 2 is to move next, by the rules nobody"),
    "no result": Forged((*NIM_2, LAST), 7, "no result follows"),
    "resigned when it was over": Forged((*NIM_2, LAST, SeatResigned(seat=BLUE)), 8, "their result does not come first"),
    "ended too early": Forged((*NIM_2, ended(EndedBy.RULES, RED)), 7, "they have it go on"),
    "the loser's win": Forged((*NIM_2, LAST, ended(EndedBy.RULES, BLUE)), 8, "won by seat 2, by the rules it is won by seat 1"),
    "a draw that was a win": Forged((*NIM_2, LAST, ended(EndedBy.RULES, drawn=True)), 8, "is drawn, by the rules it is won by seat 1"),
    "half of a team": Forged((*TEAM_WIN, ended(EndedBy.RULES, RED)), 8, "by the rules it is won by seats 1 and 3"),
    "a turn after the end": Forged((*WON, played(4, BLUE, "1", RED, at=4)), 9, "turn 4 by nobody was due"),
    "no such game": Forged((opened("chess"),), 1, "it cannot be played: There is no game chess"),
    "opened twice": Forged((*NIM, NIM[0]), 5, "it cannot be played: a game's history holds a second"),
}


@pytest.mark.parametrize("forged", FALSE.values(), ids=FALSE)
def test_what_did_not_happen_is_named(forged: Forged) -> None:
    found = list(recheck(forged.events, find))
    assert forged.says in "; ".join(objection.problem for objection in found if objection.version == forged.version), found


def test_a_wrong_turn_ends_the_check() -> None:
    """What follows an illegal turn has no board to be judged on."""
    assert [objection.version for objection in recheck((*NIM, played(1, RED, "9", BLUE, at=1), *NIM_2[5:]), find)] == [5]
