"""Okago judged by a second engine, written only to be obviously right."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise, product

import pytest

from tests.games.lockstep import anything, walk
from tests.games.okago import naive_okago
from tests.games.okago.naive_okago import BLUE, Position
from tests.shortened import shortened

pytestmark = pytest.mark.thorough

BOARDS = [(5, False), (7, True), (6, False), (7, False), (8, False), (5, True)]
OPENINGS = ["", "c2 b2 c4 c3 e1 b2xd2", "a1 c2 b1 e5 c1 e4 b3 a5"]
"""From the start, from where Red can jump onto the No-Go, and from where Red can win by a jump."""


def peaceful(choices: random.Random, position: Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # a Chooser
    """Nothing that wins by four in a row, if possible: the hands run empty."""
    for text in choices.sample(legal, min(len(legal), 4)):
        if not naive_okago.four_in_a_row(naive_okago.play(position, text), position.mover):
            return text
    return choices.choice(legal)


def jumping(choices: random.Random, position: Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # a Chooser
    """A jump whenever there is one, best one that wins, then one onto the No-Go; else something crowded, where there will be jumps."""
    jumps = [text for text in legal if "x" in text]
    onto = [text for text in jumps if position.no_go is not None and text.endswith(naive_okago.name(position.no_go))]
    winning = [text for text in jumps if four(naive_okago.play(position, text))]
    crowded = [text for text in legal if text[0] in "abcde" and text[1] in "12345"]
    return choices.choice(winning or onto or jumps or crowded or legal)


def jumped(before: Position, after: Position) -> bool:
    return before.hand == after.hand


def four(position: Position) -> bool:
    return position.winner is not None and naive_okago.four_in_a_row(position, position.winner)


CASES: dict[str, Callable[[Position, Position], bool]] = {
    "ruling 1: Blue's first piece face-down": lambda before, after: (
        before.turn == 2 and any(piece.seat == BLUE and not piece.face_up for piece in after.board.values())
    ),
    "ruling 2: a jump onto the No-Go": lambda before, after: jumped(before, after) and before.no_go in after.board,
    "ruling 2: a jump declined": lambda before, after: not jumped(before, after) and any(naive_okago.jumps(before)),
    "ruling 3: an empty hand": lambda before, _: before.hand[before.mover] == 0 and before.winner is None,
    "ruling 3: the No-Go is set aside": lambda before, after: before.no_go is not None and after.no_go is None,
    "ruling 3: a square is free again that the No-Go barred": lambda before, after: (
        after.no_go is None and before.no_go is not None and naive_okago.name(before.no_go) in naive_okago.legal(after)
    ),
    "ruling 4: four in a row by a placement": lambda before, after: four(after) and not jumped(before, after),
    "ruling 4: four in a row by a jump": lambda before, after: four(after) and jumped(before, after),
    "ruling 4: no legal move": lambda _, after: after.winner is not None and not four(after),
    "ruling 4: no legal move, but a square that is free": lambda _, after: (
        after.winner is not None and not four(after) and len(after.board) < after.size**2
    ),
}
"""The things that a step from one position to another can show."""


@pytest.mark.parametrize(("size", "advanced"), shortened(BOARDS, first=2))
def test_both_engines_play_the_same_random_games(size: int, advanced: bool) -> None:
    """Whole games: 1,000 positions and more on every board, in which every case comes up."""
    seen, shown = 0, set()
    for choose, opening, seed in product([anything, peaceful, jumping], OPENINGS, range(6)):
        name, options = f"{choose.__name__} {seed}", {"size": size, "advanced": advanced}
        positions = list(walk("okago", naive_okago, options, name, opening=opening.split(), choose=choose))
        assert positions[-1].winner is not None
        seen += len(positions)
        shown |= {case for case, shows in CASES.items() if any(shows(*pair) for pair in pairwise(positions))}
    assert seen >= 1000
    assert shown == set(CASES)
