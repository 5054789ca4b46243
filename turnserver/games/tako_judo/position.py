"""What Tako Judo is played with: its options, its seats and its positions."""

from dataclasses import dataclass
from typing import NamedTuple

from turnserver.games.tako_judo.field import Field, Move, field
from turnserver.games.tako_judo.repetition import FRESH, NONE, Past
from turnserver.rules import Over, Seat
from turnserver.rules.options import choice, flag, validate
from turnserver.text import say

_NORTH, _EAST, _SOUTH, _WEST = say("North"), say("East"), say("South"), say("West")


@dataclass(frozen=True)
class Options:
    """How to play Tako Judo. Raises BadOption."""

    variant: str = choice("duel", ("duel", "teams", "free-for-all"), say("two octopuses, four in two teams, or four against each other"))
    repetition: bool = flag(default=True, doc=say("whether a position that comes up for the third time is a draw"))

    def __post_init__(self) -> None:
        """Refuse what is out of range."""
        validate(self)

    @property
    def size(self) -> int:
        """Squares along each side of the board."""
        return 8 if self.variant == "duel" else 10

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The octopuses by the edge where they start, clockwise from the top."""
        return (_NORTH, _SOUTH) if self.variant == "duel" else (_NORTH, _EAST, _SOUTH, _WEST)

    @property
    def teams(self) -> tuple[frozenset[Seat], ...]:
        """Partners sit opposite each other."""
        if self.variant == "teams":
            return frozenset({Seat(1), Seat(3)}), frozenset({Seat(2), Seat(4)})
        return tuple(frozenset({Seat(number)}) for number, _ in enumerate(self.seat_names, start=1))


class Position(NamedTuple):
    """A position. Seats are counted from 0 here, and what each seat has stands at its place in a tuple.

    A head is the square of its lower left corner; tentacles and exhausted seats are sets of bits. A ban is the move that would take
    back the seat's last one. `past` holds every position since an octopus was last exhausted, this one included; it is empty without
    the option `repetition`.
    """

    turn: int
    mover: int
    heads: tuple[int, ...]
    arms: tuple[int, ...]
    bans: tuple[Move | None, ...]
    exhausted: int
    past: Past
    over: Over | None


def start(options: Options) -> Position:
    """Every octopus in the middle of its edge, its tentacles around its head; no position has been counted yet, not even this one."""
    here = field(options.size)
    middle, far = options.size // 2 - 1, options.size - 2
    at = {"North": (middle, far), "East": (far, middle), "South": (middle, 0), "West": (0, middle)}
    heads = tuple(here.board.at(*at[name]) for name in options.seat_names)
    arms = tuple(here.around(here.blocks[head]) for head in heads)
    return Position(1, 0, heads, arms, (None,) * len(heads), 0, FRESH if options.repetition else NONE, None)


def partners(options: Options, seat: int) -> frozenset[int]:
    """The seats that win together with the seat, itself included, all counted from 0."""
    return next(frozenset(number - 1 for number in team) for team in options.teams if seat + 1 in team)


def occupied(here: Field, position: Position) -> int:
    """All squares with a piece on them."""
    squares = 0
    for head, arms in zip(position.heads, position.arms, strict=True):
        squares |= here.blocks[head] | arms
    return squares


def twiddle(here: Field, position: Position) -> Move | None:
    """The move that the seat to move may not make only because it would be twiddling, if there is one (ruling 3)."""
    ban = position.bans[position.mover]
    if ban is None or position.over:
        return None
    pieces = here.ends(position.heads[position.mover], position.arms[position.mover], occupied(here, position))
    return ban if any(start == ban.start and ends >> ban.end & 1 for start, ends in pieces) else None
