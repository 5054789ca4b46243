"""A house player for Take: tries each placement against the best answer, and keeps itself more choices than the opponent has."""

from turnserver.games.take.position import Position
from turnserver.games.take.rules import TakeRules
from turnserver.rules.hexagon import Cell


def choose(rules: TakeRules, state: Position) -> Cell:
    """The step that leaves most after the opponent's best answer to it, by `worth`; the first in canonical order among equals.

    Always the same for the same position. Defined while the game is not over; on size 8 it takes a fraction of a second.
    """

    def prospect(step: Cell) -> int:
        after = rules.apply(state, step)
        if after.over:
            return worth(rules, after)
        return -max(worth(rules, rules.apply(after, answer)) for answer in rules.steps(after))

    return max(rules.steps(state), key=prospect)


def worth(rules: TakeRules, after: Position) -> int:
    """How good a position is for the seat that placed the last stone: how many more placements it would have than the other one.

    Whoever runs out of good placements has to bound his own groups, so choices are what the game is about.
    """
    if after.over:
        return _WON if not after.mine else -_WON
    mover = rules.placements(after.theirs, after.mine, after.cover)
    other = rules.placements(after.mine, after.theirs, after.cover)
    return mover.bit_count() - other.bit_count()


_WON = 1_000
