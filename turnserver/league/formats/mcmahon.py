"""McMahon: a Swiss event in which the stronger begin with points, so that players of equal strength meet from the first round on."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from turnserver.ids import PlayerId


def starting_scores(ratings: Mapping[PlayerId, float], bounds: Sequence[float]) -> Mapping[PlayerId, Fraction]:
    """The points that each player begins with: one for each of `bounds` that his rating reaches.

    So the bounds part the players into bands. Whoever is below the lowest begins with nothing, and the highest is the bar: all who reach it
    begin level. No bounds make it a plain Swiss event. The result is the `extra` of `swiss.pair`, and counts in the final table.
    Raises ValueError for bounds that do not rise.
    """
    if any(lower >= upper for lower, upper in pairwise(bounds)):
        raise ValueError("the bounds of the bands have to rise")
    return {player: Fraction(bisect_right(bounds, rating)) for player, rating in ratings.items()}
