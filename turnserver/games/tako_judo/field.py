"""Where octopuses live: what a head sees, and how far a head or a tentacle can go.

Squares and sets of squares are those of `turnserver.rules.square`. A head is named by the lower left of its four squares.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from turnserver.rules.square import Board, Square, board, members


class Move(NamedTuple):
    """A piece goes from one square to another; for a head, its lower left square does."""

    start: int
    end: int


Rays: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Straight lines away from a piece as sets of squares: those on which the numbers of the squares rise, then those on which they fall.

The first obstacle on a line is the lowest bit of the obstacles on it, or else the highest.
"""


@dataclass(frozen=True, slots=True)
class Field:
    """The tables of one size of board."""

    board: Board
    moves: tuple[tuple[Move, ...], ...]
    """The move between any two squares, so that nobody has to make one: by start, then by end."""
    blocks: tuple[int, ...]
    """The four squares of a head, by its lower left one; empty where a head would stand across the edge."""
    sights: tuple[Rays, ...]
    """By head: the lines on which it looks."""
    head_rays: tuple[Rays, ...]
    """By head: the lower left squares along the lines on which it moves."""
    arm_rays: tuple[Rays, ...]
    """By square: the lines on which a tentacle moves."""

    def around(self, squares: int) -> int:
        """The squares next to the set, without the set."""
        found = 0
        for square in members(squares):
            for ray in self.board.rays[square]:
                if ray:
                    found |= 1 << ray[0]
        return found & ~squares

    def seen(self, head: int, occupied: int) -> int:
        """The first piece on each line from the head (ruling 1)."""
        rising, falling = self.sights[head]
        found = 0
        for ray in rising:
            met = ray & occupied
            found |= met & -met
        for ray in falling:
            found |= 1 << (ray & occupied).bit_length() >> 1
        return found

    def ends(self, head: int, arms: int, occupied: int, ban: Move | None = None) -> Iterator[tuple[int, int]]:
        """Every piece of an octopus that has sight, in the order of squares, with all squares that it reaches (rulings 1 and 2).

        What the `ban` forbids is left out.
        """
        for start in members(self.seen(head, occupied) & arms | 1 << head):
            if start == head:
                others, width = occupied & ~self.blocks[head], self.board.width
                # A head cannot stand where one of its four squares is taken. What this shifts across an edge meets no square of a head.
                reached = _reach(self.head_rays[head], others | others >> 1 | others >> width | others >> width + 1)
            else:
                reached = _reach(self.arm_rays[start], occupied)
            yield start, reached if ban is None or ban.start != start else reached & ~(1 << ban.end)


@cache
def field(size: int) -> Field:
    """The field of that many squares along each side."""
    here = board(size, size)
    blocks = tuple(_block(here, square) for square in here.squares)

    def sight(head: Square) -> Rays:
        own = set(members(blocks[head]))
        return _rays([(square, ray) for square in own for ray in here.rays[square] if ray and ray[0] not in own])

    def head_rays(head: Square) -> Rays:
        return _rays([(head, tuple(takewhile(blocks.__getitem__, ray))) for ray in here.rays[head]] if blocks[head] else [])

    return Field(
        board=here,
        moves=tuple(tuple(Move(start, end) for end in here.squares) for start in here.squares),
        blocks=blocks,
        sights=tuple(map(sight, here.squares)),
        head_rays=tuple(map(head_rays, here.squares)),
        arm_rays=tuple(_rays([(square, ray) for ray in here.rays[square]]) for square in here.squares),
    )


def _block(here: Board, corner: Square) -> int:
    file, rank = here.file(corner), here.rank(corner)
    if file + 1 == here.width or rank + 1 == here.height:
        return 0
    return sum(1 << here.at(file + right, rank + up) for right in (0, 1) for up in (0, 1))


def _rays(lines: Sequence[tuple[Square, Sequence[Square]]]) -> Rays:
    """The lines, each with the square where it begins, which is not on it."""
    sets = [(line[0] > origin, sum(1 << square for square in line)) for origin, line in lines if line]
    return tuple(ray for rises, ray in sets if rises), tuple(ray for rises, ray in sets if not rises)


def _reach(rays: Rays, barred: int) -> int:
    """The squares on the lines before the first barred one."""
    rising, falling = rays
    found = 0
    for ray in rising:
        met = ray & barred
        found |= ray & (met & -met) - 1
    for ray in falling:
        beyond = (ray & barred).bit_length()
        found |= ray >> beyond << beyond
    return found
