"""Marks: the worth of a game to each of its players."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final


class Mark(StrEnum):
    """The result of a game for one of its players. The two marks of a game of two are a pair of `OTHER_SIDE`."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    WIN_BY_FORFEIT = "win by forfeit"
    FORFEIT = "forfeit"
    """The player did not come, or has withdrawn."""
    WIN_ON_TIME = "win on time"
    TIMEOUT = "timeout"
    NO_RESULT = "no result"
    """The game was void or cancelled, or not over in time."""
    ANNULLED = "annulled"
    """There was a result, and an admin has taken it back."""
    BYE = "bye"
    """The player had no opponent in that round."""


OTHER_SIDE: Final[Mapping[Mark, Mark]] = MappingProxyType(
    {
        Mark.WIN: Mark.LOSS,
        Mark.LOSS: Mark.WIN,
        Mark.DRAW: Mark.DRAW,
        Mark.WIN_BY_FORFEIT: Mark.FORFEIT,
        Mark.FORFEIT: Mark.WIN_BY_FORFEIT,
        Mark.WIN_ON_TIME: Mark.TIMEOUT,
        Mark.TIMEOUT: Mark.WIN_ON_TIME,
        Mark.NO_RESULT: Mark.NO_RESULT,
        Mark.ANNULLED: Mark.ANNULLED,
    }
)
"""The other player's mark by the mark of one, in a game of two. A game to which neither player came has no such pair."""

WON: Final = frozenset({Mark.WIN, Mark.WIN_BY_FORFEIT, Mark.WIN_ON_TIME})


@dataclass(frozen=True, slots=True)
class Scoring:
    """The worth of marks. Raises ValueError if a mark has no points.

    `points` names every mark. Games of `rated` marks change ratings. Games of `played` marks were played on the board: they count for first
    moves, as meetings that are not to be repeated, and for tie-breaks.
    """

    points: Mapping[Mark, Fraction]
    rated: frozenset[Mark]
    played: frozenset[Mark]

    def __post_init__(self) -> None:
        missing = [mark.value for mark in Mark if mark not in self.points]
        if missing:
            raise ValueError(f"no points for {', '.join(missing)}")


ON_THE_BOARD: Final = frozenset({Mark.WIN, Mark.DRAW, Mark.LOSS, Mark.WIN_ON_TIME, Mark.TIMEOUT})

USUAL: Final = Scoring(
    points=MappingProxyType(
        {mark: Fraction(1) for mark in WON | {Mark.BYE}}
        | {Mark.DRAW: Fraction(1, 2)}
        | dict.fromkeys((Mark.LOSS, Mark.FORFEIT, Mark.TIMEOUT, Mark.NO_RESULT, Mark.ANNULLED), Fraction(0))
    ),
    rated=ON_THE_BOARD,
    played=ON_THE_BOARD,
)
"""One point for a win or a bye, half a point for a draw; a game counts for ratings if it was begun in earnest."""
