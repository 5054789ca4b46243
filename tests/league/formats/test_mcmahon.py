"""Bands, and what players begin with."""

from collections.abc import Sequence

import pytest

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.formats.formats import starting_scores


@for_each(
    ("rating", "bounds", "points"),
    [
        (1500, [], 0),
        (1499.9, [1500, 1600], 0),
        (1500, [1500, 1600], 1),
        (1600, [1500, 1600], 2),
        (2700, [1500, 1600], 2),
        # Grades of go, in which 1 dan is 0: an open bar at 3 dan, a floor at 20 kyu (British Go Association, Organisers' Handbook, 9).
        (6, range(-19, 3), 22),
        (2, range(-19, 3), 22),
        (1, range(-19, 3), 21),
        (-4, range(-19, 3), 16),
        (-20, range(-19, 3), 0),
        (-30, range(-19, 3), 0),
    ],
)
def test_what_a_player_begins_with(rating: float, bounds: Sequence[float], points: int) -> None:
    assert starting_scores({PlayerId(1): rating}, bounds) == {PlayerId(1): points}


@pytest.mark.parametrize("bounds", [(1600, 1500), (1500, 1500)])
def test_bounds_rise(bounds: Sequence[float]) -> None:
    with pytest.raises(ValueError, match="have to rise"):
        starting_scores({}, bounds)
