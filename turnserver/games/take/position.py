"""The parts of Take: its options, its seats and its positions."""

from dataclasses import dataclass
from typing import NamedTuple

from turnserver.rules import Seat
from turnserver.rules.options import choice, validate, whole
from turnserver.text import say

RED, BLUE = Seat(1), Seat(2)
SEAT_NAMES = (say("Red"), say("Blue"))


def _side(size: int) -> str:
    return say("{size} cells along each side", size=size)


@dataclass(frozen=True)
class Options:
    """The options of Take. Raises BadOption."""

    variant: str = choice(
        "standard", ("standard", "high-churn"), "whether clods go for good, or tiles lie on under growing stones", phrase=str
    )
    size: int = whole(5, 2, 8, "cells along each side of the board", phrase=_side)

    def __post_init__(self) -> None:
        validate(self)

    @property
    def tiles(self) -> bool:
        """True if the cover of a cell stays under a growing stone."""
        return self.variant == "high-churn"

    @property
    def cover_name(self) -> str:
        """The name of the cover of a cell at the start."""
        return say("tile") if self.tiles else say("clod")


class Position(NamedTuple):
    """A position as sets of cells, seen from the seat that has turn number `turn` (Red has the odd ones).

    `cover` are the cells with clods, or with tiles, which may have a stone on them. The last two are the stones that the placement before
    removed: they change nothing in the game, but players want to see them.
    """

    turn: int
    mine: int
    theirs: int
    cover: int
    mine_gone: int
    theirs_gone: int

    @property
    def stones(self) -> tuple[int, int]:
        """Red's and Blue's stones."""
        return (self.mine, self.theirs) if self.turn & 1 else (self.theirs, self.mine)

    @property
    def gone(self) -> tuple[int, int]:
        """The red and the blue stones that the last placement removed."""
        return (self.mine_gone, self.theirs_gone) if self.turn & 1 else (self.theirs_gone, self.mine_gone)

    @property
    def over(self) -> bool:
        """True if the last placement removed all stones of a colour."""
        # Neither of the first two placements can remove anything, and after them both colours are on the board. From then on a colour is
        # missing only because it was removed.
        return self.turn > 2 and not (self.mine and self.theirs)
