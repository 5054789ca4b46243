"""Square boards: squares named in chess style, file letter then rank, with `a1` at the lower left.

A square is its number, counted from a1 along the first rank: on a board 8 wide, a1 is 0, h1 is 7, a2 is 8. A set of squares is an int with
these bits. Games decide which pieces block a line; this is geometry.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, NewType

from turnserver.errors import Illegal
from turnserver.text import say

Square = NewType("Square", int)
"""The number of a square's bit."""

WRITTEN: Final = "[a-z] ?[1-9][0-9]?"
"""A pattern for the name of a square on a board of any size, as people write it (see `writing.plain`)."""

EIGHT: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The directions of a queen, clockwise from up, as steps in file and rank."""


@dataclass(frozen=True, slots=True)
class Board:
    """The geometry of one size. `rays` runs parallel to `EIGHT` for every square."""

    width: int
    height: int
    full: int
    squares: tuple[Square, ...]
    """a1, b1, ..., a2, ..."""
    names: tuple[str, ...]
    """The name of each square, by its number."""
    by_name: Mapping[str, Square]
    rays: tuple[tuple[tuple[Square, ...], ...], ...]
    """For each square and each direction of EIGHT, the squares from the next one out to the edge."""

    def at(self, file: int, rank: int) -> Square:
        """Return the square on that file and rank, both counted from 0; they must be on the board."""
        return Square(rank * self.width + file)

    def file(self, square: Square) -> int:
        """Return the file of a square, a = 0."""
        return square % self.width

    def rank(self, square: Square) -> int:
        """Return the rank of a square, counted from 0 at the bottom."""
        return square // self.width


@cache
def board(width: int, height: int) -> Board:
    """Return the board of that many files (up to 26) and ranks."""
    squares = tuple(Square(number) for number in range(width * height))
    names = tuple(f"{chr(ord('a') + square % width)}{square // width + 1}" for square in squares)
    return Board(
        width=width,
        height=height,
        full=(1 << width * height) - 1,
        squares=squares,
        names=names,
        by_name=MappingProxyType(dict(zip(names, squares, strict=True))),
        rays=tuple(tuple(_ray(width, height, square, direction) for direction in EIGHT) for square in squares),
    )


def called(board: Board, name: str) -> Square:
    """Return the square that `name`, a text of the pattern `WRITTEN`, names. Raises Illegal if the board does not have it."""
    name = name.replace(" ", "")
    try:
        return board.by_name[name]
    except KeyError:
        # the board is named, so that the writer sees which squares there are
        where = say("This board has no {square}; its squares are a1 to {last}.", square=name, last=board.names[-1])
        raise Illegal(where, code="off_board") from None


def members(squares: int) -> Iterator[Square]:
    """Yield the squares of a set, a1 first, then along the ranks."""
    while squares:
        lowest = squares & -squares
        yield Square(lowest.bit_length() - 1)
        squares ^= lowest


def _ray(width: int, height: int, square: Square, direction: tuple[int, int]) -> tuple[Square, ...]:
    file, rank = square % width, square // width
    found: list[Square] = []
    while True:
        file, rank = file + direction[0], rank + direction[1]
        if not (0 <= file < width and 0 <= rank < height):
            return tuple(found)
        found.append(Square(rank * width + file))
