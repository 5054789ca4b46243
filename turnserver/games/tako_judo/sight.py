"""Why a tentacle cannot move: what stands between it and its head (ruling 1)."""

from typing import Final, Literal, NamedTuple, TypeAlias

from turnserver.games.tako_judo.field import Field, field
from turnserver.games.tako_judo.position import Options, Position, occupied, partners
from turnserver.rules.square import Square, members

Cause: TypeAlias = Literal["entangled", "blocked", "overreached"]
CAUSES: Final[tuple[Cause, ...]] = ("entangled", "blocked", "overreached")


class Hidden(NamedTuple):
    """A tentacle that its head does not see.

    It is entangled if the first piece on the line from it to the head is an opponent's, blocked if that piece is of its own side, and
    overreached if no line leads to the head. `by` is this piece. There is never more than one such line: several lead to tentacles that
    touch the head, and those are seen.
    """

    arm: Square
    cause: Cause
    by: Square | None


def hidden(options: Options, position: Position, seat: int) -> tuple[Hidden, ...]:
    """The tentacles of a seat, counted from 0, that its head does not see, in the order of their squares."""
    here = field(options.size)
    unseen = position.arms[seat] & ~here.seen(position.heads[seat], occupied(here, position))
    return tuple(why_hidden(options, position, seat, arm) for arm in members(unseen))


def why_hidden(options: Options, position: Position, seat: int, arm: Square) -> Hidden:
    """Why the seat's head does not see its tentacle on the square `arm`. Defined for tentacles that it does not see."""
    here = field(options.size)
    by = first_piece(here, position, seat, arm)
    if by is None:
        return Hidden(arm, "overreached", None)
    friends = sum(here.blocks[position.heads[one]] | position.arms[one] for one in partners(options, seat))
    return Hidden(arm, "blocked" if friends >> by & 1 else "entangled", by)


def first_piece(here: Field, position: Position, seat: int, arm: Square) -> Square | None:
    """The first piece on the line from a square to the seat's head, or None if there is no line.

    If the head sees a tentacle on that square, this is a square of the head.
    """
    everything, block = occupied(here, position), here.blocks[position.heads[seat]]
    lines = [ray for ray in here.board.rays[arm] if any(block >> square & 1 for square in ray)]
    return min((next(square for square in line if everything >> square & 1) for line in lines), default=None)
