"""The parts of Okago: its options, its seats, its steps and its positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.errors import BadOption
from turnserver.rules import Seat
from turnserver.rules.options import flag, validate, whole
from turnserver.rules.square import Board, Square, board
from turnserver.text import say

RED, BLUE = Seat(1), Seat(2)
SEAT_NAMES = (say("Red"), say("Blue"))

PIECES: Final = 12
"""The number of pieces that each side has, on boards of every size (ruling 3)."""


def _squares(size: int) -> str:
    return say("{size} by {size} squares", size=size)


def _advanced(chosen: bool) -> str:  # noqa: FBT001  # the value of the option
    return say("advanced") if chosen else say("not advanced")


@dataclass(frozen=True)
class Options:
    """The options of Okago. Raises BadOption."""

    size: int = whole(5, 5, 8, "squares along each side of the board", phrase=_squares)
    advanced: bool = flag(default=False, doc="the No-Go bars the centre to Red's first piece; sizes 5 and 7 only", phrase=_advanced)

    def __post_init__(self) -> None:
        """Refuse values out of range, and the advanced game on a board without a centre square."""
        validate(self)
        if self.advanced and self.size % 2 == 0:
            raise BadOption(
                say(
                    "The option size can't be {size} with advanced. Choose 5 or 7, because the advanced game needs a centre square.",
                    size=self.size,
                )
            )


class Placement(NamedTuple):
    """A placement of a piece from the hand onto an empty square."""

    square: Square
    down: bool

    @property
    def to(self) -> Square:
        """The square of the piece after the step."""
        return self.square


class Jump(NamedTuple):
    """A jump of a piece on the board over a piece of the opponent's, which leaves the game."""

    origin: Square
    over: Square
    landing: Square

    @property
    def to(self) -> Square:
        """The square of the piece after the step."""
        return self.landing


Step: TypeAlias = Placement | Jump


class Position(NamedTuple):
    """A position as sets of squares, seen from the seat that has turn number `turn` (Red has the odd ones).

    `up` and `down` are the face-up and face-down pieces on the board, `left` those still in hand. `no_go` is the one square
    that is barred to placements in this turn, or the empty set.
    """

    turn: int
    my_up: int
    my_down: int
    their_up: int
    their_down: int
    no_go: int
    my_left: int
    their_left: int

    @property
    def mine(self) -> int:
        """All pieces of the seat to move."""
        return self.my_up | self.my_down

    @property
    def theirs(self) -> int:
        """All pieces of the seat that has just moved."""
        return self.their_up | self.their_down

    @property
    def taken(self) -> int:
        """The squares that have a piece on them, without the No-Go."""
        return self.my_up | self.my_down | self.their_up | self.their_down

    @property
    def up(self) -> tuple[int, int]:
        """Red's and Blue's face-up pieces."""
        return (self.my_up, self.their_up) if self.turn & 1 else (self.their_up, self.my_up)

    @property
    def down(self) -> tuple[int, int]:
        """Red's and Blue's face-down pieces."""
        return (self.my_down, self.their_down) if self.turn & 1 else (self.their_down, self.my_down)

    @property
    def left(self) -> tuple[int, int]:
        """The number of pieces that Red and Blue have in hand."""
        return (self.my_left, self.their_left) if self.turn & 1 else (self.their_left, self.my_left)


@dataclass(frozen=True, slots=True)
class Ground:
    """The tables for one size of board."""

    board: Board
    face_up: tuple[Placement, ...]
    """By square."""
    face_down: tuple[Placement, ...]
    """By square."""
    leaps: tuple[tuple[tuple[int, int, Jump], ...], ...]
    """By origin, in the order of the landing squares: the square that is jumped over and the landing square as sets, and the jump."""
    strides: tuple[tuple[int, int], ...]
    """For lines to the right, up, and along both diagonals: the step to the next square, and the squares where a four can begin."""
    by_text: Mapping[str, Step]
    """Every step that there can be on this board, by its canonical notation."""

    def text(self, step: Step) -> str:
        """Return a step's canonical notation."""
        names = self.board.names
        if isinstance(step, Jump):
            return f"{names[step.origin]}x{names[step.landing]}"
        return f"{names[step.square]} down" if step.down else names[step.square]

    def jumps(self, own_up: int, other_up: int, free: int) -> Iterator[Jump]:
        """Yield the jumps of one side over the other, a1's first (ruling 2). `free` are the squares without a piece."""
        leaps = self.leaps
        while own_up:
            origin = own_up & -own_up
            own_up ^= origin
            for over, landing, jump in leaps[origin.bit_length() - 1]:
                if other_up & over and free & landing:
                    yield jump

    def fours(self, pieces: int) -> int:
        """Return those of the pieces that stand in rows of four or more; the empty set if there is no such row."""
        found = 0
        for stride, starts in self.strides:
            # two in a row, and two such pairs behind one another are four
            pairs = pieces & pieces >> stride
            rows = pairs & pairs >> 2 * stride & starts
            if rows:
                rows |= rows << stride
                found |= rows | rows << 2 * stride
        return found


@cache
def ground(size: int) -> Ground:
    """Return the tables of the board that has `size` squares along each side."""
    squares = board(size, size)
    leaps = tuple(tuple((1 << jump.over, 1 << jump.landing, jump) for jump in _jumps(squares, square)) for square in squares.squares)
    face_up = tuple(Placement(square, down=False) for square in squares.squares)
    face_down = tuple(Placement(square, down=True) for square in squares.squares)
    steps: list[Step] = [*face_up, *face_down, *(jump for of_origin in leaps for _, _, jump in of_origin)]
    # filled below: the tables themselves write the notation
    by_text: dict[str, Step] = {}
    tables = Ground(squares, face_up, face_down, leaps, tuple(_strides(squares)), MappingProxyType(by_text))
    by_text.update((tables.text(step), step) for step in steps)
    return tables


def _jumps(squares: Board, origin: Square) -> list[Jump]:
    rays = squares.rays[origin]
    return sorted((Jump(origin, ray[0], ray[1]) for ray in rays if len(ray) > 1), key=lambda jump: jump.landing)


def _strides(squares: Board) -> Iterator[tuple[int, int]]:
    # lines that begin near the edge and would go on around it are left out by `starts`
    for across, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        starts = sum(
            1 << square
            for square in squares.squares
            if 0 <= squares.file(square) + 3 * across < squares.width and squares.rank(square) + 3 * up < squares.height
        )
        yield squares.width * up + across, starts
