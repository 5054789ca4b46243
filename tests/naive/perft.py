"""Count Take's lines of play with the naive engine and write them to `tests/data/perft/take.json`.

    python -m tests.naive.perft

Each entry names a variant, a side, the placements that lead from the start to the position counted, and the number of sequences of
exactly 1, 2, ... legal placements from there; a game that is over has none. From the start of side 2 the counts run down to 0: that
is every game there is. The other starts show the empty board, the openings chosen below the middle game, with removals and endings.
"""

import json
import random
from pathlib import Path
from typing import TypedDict

from tests.naive import naive_take

DATA = Path(__file__).parent.parent / "data" / "perft" / "take.json"


class Case(TypedDict):
    """One position, given by its moves, and its counts by depth."""

    variant: str
    size: int
    moves: list[str]
    counts: list[int]


STARTS = [(2, 11), (3, 4), (4, 3), (5, 2), (8, 1)]
"""Sides, and how deep to count from the empty board."""

OPENINGS = [(3, 12, 5), (3, 20, 5), (4, 30, 3), (5, 60, 3), (6, 100, 2), (8, 170, 2)]
"""Sides, how many random placements to play first, and how deep to count from there."""


def opening(variant: str, size: int, plies: int) -> list[str]:
    """The first random game, by seed, that is not over after `plies` placements."""
    for seed in range(1000):
        choices = random.Random(seed)  # noqa: S311  # a repeatable game, not a secret
        position, moves = naive_take.start(variant, size), list[str]()
        while position.winner is None and len(moves) < plies:
            moves.append(choices.choice(sorted(naive_take.legal(position))))
            position = naive_take.play(position, moves[-1]).position
        if position.winner is None:
            return moves
    raise ValueError(f"no {variant} game of side {size} lasts {plies} placements")


def count(variant: str, size: int, moves: list[str], depth: int) -> Case:
    """The counts for depths 1 to `depth` after `moves`."""
    position = naive_take.start(variant, size)
    for name in moves:
        position = naive_take.play(position, name).position
    return Case(variant=variant, size=size, moves=moves, counts=[naive_take.perft(position, d) for d in range(1, depth + 1)])


def main() -> None:
    """Count every case and write the file."""
    cases = [count(variant, size, [], depth) for variant in naive_take.VARIANTS for size, depth in STARTS]
    cases += [
        count(variant, size, opening(variant, size, plies), depth) for variant in naive_take.VARIANTS for size, plies, depth in OPENINGS
    ]
    DATA.parent.mkdir(parents=True, exist_ok=True)
    DATA.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main()
