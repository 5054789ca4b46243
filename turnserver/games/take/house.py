"""A house player for Take: looks one placement ahead and keeps its own room to grow."""

from turnserver.games.take.position import Position
from turnserver.games.take.rules import TakeRules
from turnserver.rules.hexagon import Cell


def choose(rules: TakeRules, state: Position) -> Cell:
    """The best step by `worth`, the first in canonical order among equals; always the same for the same position."""
    return max(rules.steps(state), key=lambda step: worth(rules, rules.apply(state, step)))


def worth(rules: TakeRules, after: Position) -> float:
    """How good a position is for the seat that has just placed a stone.

    An ended game is worth everything or nothing. Else count what grows: stones on the board, and twice the cells where a colour has room,
    for that is what keeps its groups alive.
    """
    if after.over:
        return float("inf") if not after.mine else float("-inf")
    free = rules.board.full & ~(after.mine | after.theirs)
    room, rival = ((rules.board.touching_one(stones) & free).bit_count() for stones in (after.theirs, after.mine))
    return 2 * (room - rival) + after.theirs.bit_count() - after.mine.bit_count()
