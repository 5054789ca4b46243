"""A house player for TAKO that makes no mistakes: the whole game is small enough to be worked out."""

from functools import cache

from turnserver.games.tako.position import Options, Position, Step, Throw, Unused
from turnserver.games.tako.rules import TakoRules


def choose(rules: TakoRules, state: Position) -> Step:
    """Return the step that makes winning likeliest, purses aside; the first in canonical order among equals.

    Always the same for the same position. Results are kept, so only the first call takes a moment.
    """
    return max(rules.steps(state), key=lambda step: -chance(rules.options, rules.apply(state, step)))


def chance(options: Options, state: Position) -> float:
    """Return the probability that the mover of a position after the first turn wins, if both play as well as can be.

    Exact but for rounding.
    """
    assert state.mover is not None  # noqa: S101  # before that nobody has made a choice
    mine, theirs = state.unused[state.mover - 1], state.unused[2 - state.mover]
    # it does not matter which pile is which, so a position and its mirror image are worked out once
    # ruling 5 plays no part: it forbids a take of the first turn only
    by_roll = _chances(options.variant, max(state.piles), min(state.piles), mine, theirs)
    return _mean(by_roll) if state.roll is None else by_roll[_rolls(options.variant).index(state.roll)]


@cache
def _rolls(variant: str) -> tuple[Throw, ...]:
    options = Options(variant=variant)
    return tuple(Throw(coin, die) for coin in options.coin for die in range(1, options.die + 1))


@cache
def _chances(variant: str, more: int, fewer: int, mine: Unused, theirs: Unused) -> tuple[float, ...]:
    """Return for each roll the probability that its player wins with piles of these heights. A fair share of `_rolls` is their mean."""
    # every choice takes stones away or uses an option up, so this ends; no choice at all is a lost game
    by_total = _takes(variant, more, fewer, mine, theirs)
    added = 0.0
    if mine.adding:
        spent = Unused(mine.passing, adding=False)
        # an addition ignores the roll (ruling 2)
        added = max(_after(variant, piles, theirs, spent) for piles in ((more + 1, fewer), (more, fewer + 1)))
    rolls = _rolls(variant)
    # the opponent has the same roll then; without a pass, 1.0 stands for nothing to gain
    handed_over = _chances(variant, more, fewer, theirs, Unused(passing=False, adding=mine.adding)) if mine.passing else (1.0,) * len(rolls)
    return tuple(
        max(added, 1 - answered, *by_total[roll.low : min(roll.high, more + fewer) + 1])
        for roll, answered in zip(rolls, handed_over, strict=True)
    )


def _takes(variant: str, more: int, fewer: int, mine: Unused, theirs: Unused) -> list[float]:
    """Return the best chance for each number of stones taken in all; 0 for a number that cannot be taken."""
    best = [0.0] * (more + fewer + 1)
    takes = [(number, 0) for number in range(1, more + 1)]
    takes += [(0, number) for number in range(1, fewer + 1)]
    takes += [(number, number) for number in range(1, fewer + 1)]
    for first, second in takes:
        total = first + second
        best[total] = max(best[total], _after(variant, (more - first, fewer - second), theirs, mine))
    return best


def _after(variant: str, piles: tuple[int, int], theirs: Unused, mine: Unused) -> float:
    # the opponent rolls next
    return 1 - _mean(_chances(variant, max(piles), min(piles), theirs, mine))


def _mean(chances: tuple[float, ...]) -> float:
    return sum(chances) / len(chances)
