"""What Okago is played with: its options, its seats, its steps and its positions."""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from turnserver.errors import BadOption
from turnserver.rules import Seat
from turnserver.rules.options import flag, validate, whole
from turnserver.rules.square import Square
from turnserver.text import say

RED, BLUE = Seat(1), Seat(2)
SEAT_NAMES = (say("Red"), say("Blue"))

PIECES: Final = 12
"""How many pieces each side has on boards of every size (ruling 3)."""


@dataclass(frozen=True)
class Options:
    """How to play Okago. Raises BadOption."""

    size: int = whole(5, 5, 8, "squares along each side of the board")
    advanced: bool = flag(default=False, doc="the No-Go bars the centre to Red's first piece; sizes 5 and 7 only")

    def __post_init__(self) -> None:
        """Refuse what is out of range, and the advanced game on a board without a centre square."""
        validate(self)
        if self.advanced and self.size % 2 == 0:
            raise BadOption(
                say(
                    "size cannot be {size} with advanced; it may be 5 or 7, because the advanced game needs a centre square.",
                    size=self.size,
                )
            )


class Placement(NamedTuple):
    """A piece from the hand onto an empty square."""

    square: Square
    down: bool

    @property
    def to(self) -> Square:
        """Where the piece is afterwards."""
        return self.square


class Jump(NamedTuple):
    """A piece on the board over a piece of the opponent's, which leaves the game."""

    origin: Square
    over: Square
    landing: Square

    @property
    def to(self) -> Square:
        """Where the piece is afterwards."""
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
        """Every square with a piece on it; the No-Go is none."""
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
        """How many pieces Red and Blue have in hand."""
        return (self.my_left, self.their_left) if self.turn & 1 else (self.their_left, self.my_left)
