"""TAKO judged by a second engine, written only to be obviously right."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise, product

import pytest

from tests.games.lockstep import anything, walk
from tests.games.tako import naive_tako
from tests.games.tako.naive_tako import VARIANTS, Position
from tests.shortened import shortened

pytestmark = pytest.mark.thorough

STAKES = [(False, 11), (True, 5), (True, 7), (True, 11), (True, 15)]


def greedy(choices: random.Random, position: Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # a Chooser
    """The most stones, and the options only if there is none to take: the piles run empty while options are left."""
    stones = {text: sum(take.values()) for text, take in naive_tako.takes(position).items() if text in legal}
    return max(stones, key=lambda text: stones[text]) if stones else choices.choice(legal)


def evasive(choices: random.Random, position: Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # a Chooser
    """The options first: both pass the first roll, and both add while their purses are empty."""
    options = [text for text in legal if text.startswith(("pass", "add"))]
    return choices.choice(options or legal)


def passed(before: Position, after: Position) -> bool:
    return after.turn > before.turn and before.roll is not None and before.roll == after.roll


def added(before: Position, after: Position) -> bool:
    return sum(before.adds.values()) > sum(after.adds.values())


CASES: dict[str, Callable[[Position, Position], bool]] = {
    "ruling 1: too few stones for LO in either pile, but enough in both": lambda before, _: (
        before.roll in [f"LO {number}" for number in range(max(before.piles.values()) + 1, 2 * min(before.piles.values()) + 1)]
    ),
    "ruling 2: a stone on an empty pile": lambda before, after: added(before, after) and not all(before.piles.values()),
    "ruling 2: a pile higher than at the start": lambda before, after: before.turn == 1 and added(before, after),
    "ruling 3: a counter-pass": lambda before, after: passed(before, after) and not any(after.passes.values()),
    "ruling 3: a passed roll that cannot be answered": lambda before, after: passed(before, after) and after.winner is not None,
    "ruling 4: a roll that cannot be answered": lambda before, after: before.roll is None and after.winner is not None,
    "ruling 4: empty piles, and the game goes on": lambda _, after: not any(after.piles.values()) and after.winner is None,
    "ruling 5: the first choice may not empty both piles": lambda before, _: before.turn == 1 and str(before.roll).startswith("LO"),
    "ruling 7: an added stone from the purse": lambda before, after: added(before, after) and before.purses != after.purses,
    "ruling 7: an added stone from the bank": lambda before, after: added(before, after) and before.purses == after.purses,
    "ruling 7: half of an odd purse": lambda before, after: (
        before.roll is None and after.winner is not None and before.purses[3 - after.winner] % 2 == 1
    ),
    "the opening roll: equal dice are rolled again": lambda before, after: before.player is after.player is None,
}
"""The things that a step from one position to another can show."""


@pytest.mark.parametrize(("betting", "stake"), shortened(STAKES, first=2))
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_engines_play_the_same_random_games(variant: str, betting: bool, stake: int) -> None:
    """Whole games: 1,500 positions and more for every choice of options, in which every case comes up."""
    options = {"variant": variant, "betting": betting, "stake": stake}
    seen, shown = 0, set()
    for choose, seed in product([anything, greedy, evasive], range(40)):
        positions = list(walk("tako", naive_tako, options, f"{choose.__name__} {seed}", choose=choose))
        assert positions[-1].winner is not None
        seen += len(positions)
        shown |= {case for case, shows in CASES.items() if any(shows(*pair) for pair in pairwise(positions))}
    assert seen >= 1500
    assert shown == set(CASES)
