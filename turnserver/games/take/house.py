"""A house player for Take: looks further ahead the fewer lines of play there are, and keeps itself more choices than the opponent has."""

from contextlib import suppress
from typing import Final

from turnserver.games.take.position import Position
from turnserver.games.take.rules import TakeRules
from turnserver.rules.hexagon import Cell

LINES: Final = 60_000
"""The most lines of play for the depth of the search, if each step leaves as many choices as this one."""

POSITIONS: Final = 5_000
"""The most positions that are looked at for that. If they do not suffice, because later steps leave more choices, the depth is reduced."""

DEEPEST: Final = 10

_NEAREST: Final = 2
_WON: Final = 1_000


def choose(rules: TakeRules, state: Position) -> Cell:
    """Return the step that leaves most by `worth` after the best play of both, as far as is looked; the first in order among equals.

    Always the same for the same position. Defined while the game is not over; on size 8 it takes a fraction of a second.
    """
    steps = rules.steps(state)
    for depth in range(_depth(len(steps)), _NEAREST, -1):
        # a depth that needs too many positions is given up for the next lower one
        with suppress(_TooFarError):
            return _Search(rules, POSITIONS).best(state, steps, depth)
    # without a budget: there has to be an answer, and so few steps ahead it comes soon
    return _Search(rules, None).best(state, steps, _NEAREST)


def worth(rules: TakeRules, after: Position) -> int:
    """Return the worth of a position for the seat that placed the last stone: its placements less the other seat's.

    A seat without good placements has to bound its own groups, so the number of choices decides the game.
    """
    if after.over:
        return _WON if not after.mine else -_WON
    mover = rules.placements(after.theirs, after.mine, after.cover)
    other = rules.placements(after.mine, after.theirs, after.cover)
    return mover.bit_count() - other.bit_count()


def _depth(choices: int) -> int:
    return max(_NEAREST, *(depth for depth in range(1, DEEPEST + 1) if choices**depth <= LINES))


class _TooFarError(Exception):
    """The budget of positions is used up."""


class _Search:
    """An alpha-beta search with a budget of positions, so that its time is bounded and the result is the same everywhere."""

    def __init__(self, rules: TakeRules, budget: int | None) -> None:
        self._rules = rules
        self._budget = budget

    def best(self, state: Position, steps: tuple[Cell, ...], depth: int) -> Cell:
        """Return the first of the best steps. Raises _TooFarError."""
        chosen, best = steps[0], -_WON - 1
        for step in steps:
            found = self._outcome(self._rules.apply(state, step), depth - 1, best, _WON + 1)
            if found > best:
                chosen, best = step, found
        return chosen

    def _outcome(self, after: Position, depth: int, least: int, most: int) -> int:
        """Return the worth of a position for the seat that has just placed a stone, exact between two bounds."""
        if self._budget is not None:
            self._budget -= 1
            if self._budget < 0:
                raise _TooFarError
        if after.over or not depth:
            return worth(self._rules, after)
        for answer in self._rules.steps(after):
            # what is good for one seat is as bad for the other, so worth changes its sign with the turn
            most = min(most, -self._outcome(self._rules.apply(after, answer), depth - 1, -most, -least))
            if most <= least:
                break
        return most
