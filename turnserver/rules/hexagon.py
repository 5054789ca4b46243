"""Hexagonal boards as bit sets on Python integers.

Rows are lettered from the bottom and the cells of a row numbered from the left, so a board of side 5 runs from a1..a5 to i1..i5 with
its centre at e5. A cell is the number of its bit. A row of the integer is one bit wider than the widest row of the board: this guard
column, never set in a set of cells, keeps the ends of neighbouring rows apart, so that the six neighbours become six shifts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from types import MappingProxyType
from typing import Final, NewType

Cell = NewType("Cell", int)
"""The number of a cell's bit."""

ROW_HEIGHT: Final = sqrt(3) / 2
"""The distance of two rows when neighbouring centres lie 1 apart."""


@dataclass(frozen=True, slots=True)
class Hexagon:
    """The geometry of one side length. `full` is the set of all cells; sets given to the methods must be subsets of it."""

    side: int
    width: int
    full: int
    rows: tuple[tuple[Cell, ...], ...]
    """Rows from the bottom, each from the left."""
    cells: tuple[Cell, ...]
    """In reading order of the notation: a1, a2, ..., b1, ..."""
    names: Mapping[Cell, str]
    by_name: Mapping[str, Cell]
    neighbours: Mapping[Cell, int]
    """The set of cells next to each cell."""
    centres: Mapping[Cell, tuple[float, float]]
    """The centre of each cell: x to the right and y upwards from the middle of the board. Neighbours are 1 apart."""

    def around(self, cells: int) -> int:
        """Return all positions next to at least one of `cells`. Guard positions are among them: intersect with a set of cells."""
        width = self.width
        pairs = cells | cells << 1
        return cells << 1 | cells >> 1 | pairs << width | pairs >> width + 1

    def touching_one(self, cells: int) -> int:
        """Return all cells of the board that are next to exactly one of `cells`."""
        width = self.width
        # Six shifts bring the six neighbours of every cell above it; this counts them for all cells at once, in two bits: an odd number of
        # them, and more than one. Exactly one is odd and not several.
        left, right = cells << 1, cells >> 1
        odd, both = cells ^ left, cells & left
        beside, above, below = left ^ right, odd << width, odd >> width + 1
        several = left & right | both << width | both >> width + 1 | beside & above | (beside ^ above) & below
        return (beside ^ above ^ below) & ~several & self.full


def members(cells: int) -> Iterator[Cell]:
    """Yield the cells of a set in the order of the notation."""
    while cells:
        lowest = cells & -cells
        yield Cell(lowest.bit_length() - 1)
        cells ^= lowest


@cache
def hexagon(side: int) -> Hexagon:
    """Return the board whose six sides are `side` cells long, 1 to 13 (there are 26 letters)."""
    height = 2 * side - 1
    width = height + 1
    columns = [range(max(0, row - side + 1), min(height, row + side)) for row in range(height)]
    rows = tuple(tuple(Cell((row + 1) * width + column) for column in columns[row]) for row in range(height))
    names = {cell: f"{chr(ord('a') + row)}{place}" for row, line in enumerate(rows) for place, cell in enumerate(line, start=1)}
    centres = {
        cell: (place - (len(line) - 1) / 2, (row - side + 1) * ROW_HEIGHT)
        for row, line in enumerate(rows)
        for place, cell in enumerate(line)
    }
    offsets = (-width - 1, -width, -1, 1, width, width + 1)
    return Hexagon(
        side=side,
        width=width,
        # the row of bits below the board stays empty, as the guard column does: it keeps shifts to the right on the board
        full=sum(1 << cell for cell in names),
        rows=rows,
        cells=tuple(names),
        names=MappingProxyType(names),
        by_name=MappingProxyType({name: cell for cell, name in names.items()}),
        neighbours=MappingProxyType({cell: sum(1 << cell + offset for offset in offsets if cell + offset in names) for cell in names}),
        centres=MappingProxyType(centres),
    )
