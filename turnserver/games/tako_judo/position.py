"""The parts of Tako Judo: its options, its seats and its positions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Final, Literal, NamedTuple, TypeAlias

from turnserver.rules import Over, Seat
from turnserver.rules.options import choice, flag, validate
from turnserver.rules.square import Board, Square, board, members
from turnserver.text import say


class Move(NamedTuple):
    """A move of a piece from one square to another. For a head, it is the lower left square."""

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
    """The lines on which a tentacle moves, by its square."""

    def around(self, squares: int) -> int:
        """Return the squares next to the set, without the set."""
        found = 0
        for square in members(squares):
            for ray in self.board.rays[square]:
                if ray:
                    found |= 1 << ray[0]
        return found & ~squares

    def seen(self, head: int, occupied: int) -> int:
        """Return the first piece on each line from the head (ruling 1)."""
        rising, falling = self.sights[head]
        found = 0
        for ray in rising:
            met = ray & occupied
            found |= met & -met
        for ray in falling:
            found |= 1 << (ray & occupied).bit_length() >> 1
        return found

    def ends(self, head: int, arms: int, occupied: int, ban: Move | None = None) -> Iterator[tuple[int, int]]:
        """Yield every piece of an octopus that has sight, in the order of squares, with all squares that it reaches (rulings 1 and 2).

        Moves that the `ban` forbids are left out.
        """
        for start in members(self.seen(head, occupied) & arms | 1 << head):
            # a tentacle needs sight before it moves, not afterwards (ruling 1)
            reached = self.head_ends(head, occupied) if start == head else _reach(self.arm_rays[start], occupied)
            yield start, reached if ban is None or ban.start != start else reached & ~(1 << ban.end)

    def head_ends(self, head: int, occupied: int) -> int:
        """Return all squares that a head reaches, bans or not (ruling 2)."""
        others, width = occupied & ~self.blocks[head], self.board.width
        # A head cannot stand where one of its four squares is taken. What this shifts across an edge meets no square of a head.
        return _reach(self.head_rays[head], others | others >> 1 | others >> width | others >> width + 1)

    def can_move(self, head: int, arms: int, occupied: int, ban: Move | None = None) -> bool:
        """Return whether any piece of an octopus reaches a square, without the move that the `ban` forbids."""
        # mostly the head does, whose sight nobody has to look for
        if (ban is None or ban.start != head) and self.head_ends(head, occupied):
            return True
        return any(reached for _, reached in self.ends(head, arms, occupied, ban))


@cache
def field(size: int) -> Field:
    """Return the field of that many squares along each side."""
    here = board(size, size)
    blocks = tuple(_block(here, square) for square in here.squares)

    def sight(head: Square) -> Rays:
        # lines through the head itself are left out, for no piece stands on them
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
    # a line does not include the square where it begins
    sets = [(line[0] > origin, sum(1 << square for square in line)) for origin, line in lines if line]
    return tuple(ray for rises, ray in sets if rises), tuple(ray for rises, ray in sets if not rises)


def _reach(rays: Rays, barred: int) -> int:
    """Return the squares on the lines before the first barred one."""
    rising, falling = rays
    found = 0
    for ray in rising:
        met = ray & barred
        found |= ray & (met & -met) - 1
    for ray in falling:
        beyond = (ray & barred).bit_length()
        found |= ray >> beyond << beyond
    return found


Past: TypeAlias = tuple[tuple[int, ...], ...]

NONE: Final[Past] = ()
"""The past of a game in which positions are not counted."""

FRESH: Final[Past] = ((),) * 61
"""No positions yet. The number of heaps is prime so that keys spread over all of them."""


def position_key(size: int, *, mover: int, heads: Sequence[int], arms: Sequence[int], bans: Sequence[tuple[int, int] | None]) -> int:
    """Return a key of a position. With the same octopuses exhausted, positions share it if and only if they count as the same."""
    found = mover
    for head, tentacles, ban in zip(heads, arms, bans, strict=True):
        # a square of the biggest board has a number below 100, so seven bits hold it
        start, end = ban or (0, 0)
        found = (found << size * size | tentacles) << 21 | head << 14 | start << 7 | end
    return found


def times_seen(past: Past, position: int) -> int:
    """Return how often the position with that key has come up."""
    return past[position % len(past)].count(position)


def with_position(past: Past, position: int) -> Past:
    """Return the past with one occurrence more."""
    heap = position % len(past)
    return (*past[:heap], (*past[heap], position), *past[heap + 1 :])


_NORTH, _EAST, _SOUTH, _WEST = say("North"), say("East"), say("South"), say("West")


def _repetition(drawn: bool) -> str:  # noqa: FBT001  # the value of the option
    return say("a draw when a position comes up for the third time") if drawn else say("no draw by repetition")


@dataclass(frozen=True)
class Options:
    """The options of Tako Judo. Raises BadOption."""

    variant: str = choice(
        "duel", ("duel", "teams", "free-for-all"), say("two octopuses, four in two teams, or four against each other"), phrase=str
    )
    repetition: bool = flag(default=True, doc=say("yes if a position that comes up for the third time is a draw"), phrase=_repetition)

    def __post_init__(self) -> None:
        validate(self)

    @property
    def size(self) -> int:
        """The number of squares along each side of the board."""
        return 8 if self.variant == "duel" else 10

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The octopuses by the edge where they start, clockwise from the top."""
        return (_NORTH, _SOUTH) if self.variant == "duel" else (_NORTH, _EAST, _SOUTH, _WEST)

    @property
    def teams(self) -> tuple[frozenset[Seat], ...]:
        """The teams: partners sit opposite each other."""
        if self.variant == "teams":
            return frozenset({Seat(1), Seat(3)}), frozenset({Seat(2), Seat(4)})
        return tuple(frozenset({Seat(number)}) for number, _ in enumerate(self.seat_names, start=1))


class Position(NamedTuple):
    """A position. Seats are counted from 0 here, and each seat's parts stand at its place in a tuple.

    A head is the square of its lower left corner; tentacles and exhausted seats are sets of bits. A ban is the move that would take back
    the seat's last one. `past` holds every position since an octopus was last exhausted, this one included; it is empty without the option
    `repetition`.
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
    """Return the start: every octopus in the middle of its edge, its tentacles around its head.

    No position is counted yet, not even this one.
    """
    here = field(options.size)
    middle, far = options.size // 2 - 1, options.size - 2
    at = {"North": (middle, far), "East": (far, middle), "South": (middle, 0), "West": (0, middle)}
    heads = tuple(here.board.at(*at[name]) for name in options.seat_names)
    arms = tuple(here.around(here.blocks[head]) for head in heads)
    return Position(1, 0, heads, arms, (None,) * len(heads), 0, FRESH if options.repetition else NONE, None)


def partners(options: Options, seat: int) -> frozenset[int]:
    """Return the seats that win together with the seat, itself included, all counted from 0."""
    return next(frozenset(number - 1 for number in team) for team in options.teams if seat + 1 in team)


def occupied(here: Field, position: Position) -> int:
    """Return all squares with a piece on them."""
    squares = 0
    for head, arms in zip(position.heads, position.arms, strict=True):
        squares |= here.blocks[head] | arms
    return squares


def twiddle(here: Field, position: Position) -> Move | None:
    """Return the move that the seat to move may not make only because it would be twiddling; None if there is none (ruling 3)."""
    ban = position.bans[position.mover]
    if ban is None or position.over:
        return None
    pieces = here.ends(position.heads[position.mover], position.arms[position.mover], occupied(here, position))
    return ban if any(start == ban.start and ends >> ban.end & 1 for start, ends in pieces) else None


Cause: TypeAlias = Literal["entangled", "blocked", "overreached"]
CAUSES: Final[tuple[Cause, ...]] = ("entangled", "blocked", "overreached")


class Hidden(NamedTuple):
    """A tentacle that its head does not see.

    It is entangled if the first piece on the line from it to the head is an opponent's, blocked if that piece is of its own side, and
    overreached if no line leads to the head. `by` is this piece.
    """

    arm: Square
    cause: Cause
    by: Square | None


def hidden(options: Options, position: Position, seat: int) -> tuple[Hidden, ...]:
    """Return the tentacles of a seat, counted from 0, that its head does not see, in the order of their squares."""
    here = field(options.size)
    unseen = position.arms[seat] & ~here.seen(position.heads[seat], occupied(here, position))
    return tuple(why_hidden(options, position, seat, arm) for arm in members(unseen))


def why_hidden(options: Options, position: Position, seat: int, arm: Square) -> Hidden:
    """Return why the seat's head does not see its tentacle on the square `arm`. Defined for tentacles that it does not see."""
    here = field(options.size)
    by = first_piece(here, position, seat, arm)
    if by is None:
        return Hidden(arm, "overreached", None)
    friends = sum(here.blocks[position.heads[one]] | position.arms[one] for one in partners(options, seat))
    return Hidden(arm, "blocked" if friends >> by & 1 else "entangled", by)


def first_piece(here: Field, position: Position, seat: int, arm: Square) -> Square | None:
    """Return the first piece on the line from a square to the seat's head, or None if there is no line.

    If the head sees a tentacle on that square, this is a square of the head.
    """
    everything, lines = occupied(here, position), _lines(here.board.width, arm, position.heads[seat])
    # there is one line at most where a tentacle is hidden: several lead to tentacles that touch the head, and those are seen
    return min((next(square for square in line if everything >> square & 1) for line in lines), default=None)


@cache
def _lines(size: int, arm: Square, head: int) -> Sequence[Sequence[Square]]:
    """Return the lines from a square that lead to a head."""
    here = field(size)
    return [ray for ray in here.board.rays[arm] if any(here.blocks[head] >> square & 1 for square in ray)]
