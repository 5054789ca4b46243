"""A game can be served if its line is played by the rules, step by step, and the seat that they call has the turn."""

from collections.abc import Sequence

import pytest

from tests.cases import for_each
from tests.play.given import BLUE, GREEN, INVITING, NIM, NIM_2, RED, TRIO, WON, clock, left, played, running
from tests.play.small_games import find
from turnserver.errors import Malformed, StepError
from turnserver.play import events as e
from turnserver.play import playable
from turnserver.play.evolve import fold

SKIPPED = e.TurnSkipped(turn=1, seat=RED, to_move=BLUE, clock=clock(3))
TWO = e.Rolled(number=1, below=6, value=4, outcome="2")


@for_each(
    "history",
    [
        INVITING,
        NIM_2,
        WON,
        (*TRIO, SKIPPED),
        (*TRIO, e.SeatResigned(seat=RED), left(RED, BLUE, since=1)),
        running("dice", rolls=(TWO,), dice_from=1),
    ],
    ids=["inviting", "running", "over", "skipped", "left", "rolled"],
)
def test_what_was_played_can_be_played_again(history: Sequence[e.GameEvent]) -> None:
    """The line keeps the board that this comes to: the same as a replay comes to."""
    checked, replayed = (fold(history, find=find) for _ in range(2))
    playable.check(checked)
    assert (checked.line.position, checked.line.last_step) == (replayed.line.position, replayed.line.last_step)


@pytest.mark.parametrize(
    ("history", "says"),
    [
        ((*NIM, played(1, RED, "2", RED, at=1)), "seat 1 is to move, by the rules seat 2"),
        ((*TRIO, played(1, RED, "3", BLUE, at=1), played(2, BLUE, "3", GREEN, at=2)), "seat 3 is to move, by the rules nobody"),
        (running("dice", dice_from=1), "seat 1 is to move, by the rules nobody"),
    ],
    ids=["another seat", "over", "not rolled"],
)
def test_somebody_else_has_the_turn_by_the_rules(history: Sequence[e.GameEvent], says: str) -> None:
    with pytest.raises(Malformed, match=says):
        playable.check(fold(history, find=find))


@pytest.mark.parametrize(
    "history",
    [(*NIM, played(1, RED, "4", BLUE, at=1)), running("dice", rolls=(e.Rolled(number=1, below=6, value=4, outcome="7"),), dice_from=1)],
    ids=["a turn", "a roll"],
)
def test_what_is_not_legal_any_more(history: Sequence[e.GameEvent]) -> None:
    with pytest.raises(StepError):
        playable.check(fold(history, find=find))
