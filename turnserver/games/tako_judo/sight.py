"""Why a tentacle cannot move: what stands between it and its head (ruling 1)."""

from typing import Literal, NamedTuple, TypeAlias

from turnserver.games.tako_judo.field import Field, field
from turnserver.games.tako_judo.position import Options, Position, occupied, partners
from turnserver.rules.square import Square, members

Cause: TypeAlias = Literal["entangled", "blocked", "overreached"]


class Hidden(NamedTuple):
    """A tentacle that its head does not see.

    It is entangled if, on any of its lines to the head, the first piece in the way is an opponent's; blocked if those pieces are all of its
    own side; overreached if no line leads to the head at all. `by` are these first pieces, those of opponents only if there are any.
    """

    arm: Square
    cause: Cause
    by: tuple[Square, ...]


def hidden(options: Options, position: Position, seat: int) -> tuple[Hidden, ...]:
    """The tentacles of a seat, counted from 0, that its head does not see, in the order of their squares."""
    here = field(options.size)
    unseen = position.arms[seat] & ~here.seen(position.heads[seat], occupied(here, position))
    return tuple(why_hidden(options, position, seat, arm) for arm in members(unseen))


def why_hidden(options: Options, position: Position, seat: int, arm: Square) -> Hidden:
    """Why the seat's head does not see its tentacle on the square `arm`. Defined for tentacles that it does not see."""
    here = field(options.size)
    met = _met(here, position, seat, arm)
    friends = sum(here.blocks[position.heads[one]] | position.arms[one] for one in partners(options, seat))
    enemies = [square for square in met if not friends >> square & 1]
    if enemies:
        return Hidden(arm, "entangled", tuple(sorted(enemies)))
    return Hidden(arm, "blocked" if met else "overreached", tuple(sorted(met)))


def seen_from(here: Field, position: Position, seat: int, arm: Square) -> Square:
    """The nearest square of the seat's head that sees its tentacle on the square `arm`. Defined for tentacles that the head sees."""
    block = here.blocks[position.heads[seat]]
    return next(square for square in _met(here, position, seat, arm) if block >> square & 1)


def _met(here: Field, position: Position, seat: int, arm: Square) -> list[Square]:
    """The first piece on every line from the square to the seat's head, the nearest first."""
    everything, block = occupied(here, position), here.blocks[position.heads[seat]]
    lines = [ray for ray in here.board.rays[arm] if any(block >> square & 1 for square in ray)]
    found = [next((steps, square) for steps, square in enumerate(line) if everything >> square & 1) for line in lines]
    return [square for _, square in sorted(found)]
