"""What happens in consequence of a step, in the order in which it happens. `resolve.resolve` finds it, the view puts it in words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from turnserver.games.sneaky_octopuses.position import Piece
from turnserver.rules import Seat
from turnserver.rules.square import Square

Cause: TypeAlias = Literal["fish", "ink"]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A fish was put into a fish tank."""

    square: Square
    colour: int


@dataclass(frozen=True, slots=True)
class Began:
    """The seat was drawn to begin."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Escaped:
    """An octopus left its home tank for a square."""

    octopus: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class Moved:
    """An octopus went along a path, its start first; a slide names every square, a squeeze only both sides of the tank.

    `carried` is the colour of the fish that it arrived with, or 0.
    """

    octopus: Piece
    path: tuple[Square, ...]
    carried: int


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """On its way an octopus left a fish on a square: at its start because it takes at most one along, later in a swap."""

    octopus: Piece
    square: Square
    colour: int


@dataclass(frozen=True, slots=True)
class PickedUp:
    """On its way, after its start, an octopus picked up a fish."""

    octopus: Piece
    square: Square
    colour: int


@dataclass(frozen=True, slots=True)
class Stole:
    """An octopus took a fish from the tank square; it lies on the octopus's own square now."""

    octopus: Piece
    square: Square
    colour: int


@dataclass(frozen=True, slots=True)
class Threw:
    """An octopus threw a fish from its square; `end` is where it landed or what it hit, None for the home tank."""

    octopus: Piece
    colour: int
    start: Square
    end: Square | None


@dataclass(frozen=True, slots=True)
class Landed:
    """A thrown fish came to lie on a square."""

    colour: int
    square: Square


@dataclass(frozen=True, slots=True)
class Caught:
    """A thrown fish came to a team-mate, who may throw it on if `again`, and has it in any case."""

    octopus: Piece
    colour: int
    again: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """An octopus kept the fish that was thrown to it: the chain ends."""

    octopus: Piece
    colour: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A fish came home: it is the `count`-th of its colour there and so worth `count` points; `total` are the seat's points now."""

    seat: Seat
    colour: int
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class Inked:
    """An octopus shot ink along squares, the last of which it hit or was the end of the line."""

    octopus: Piece
    start: Square
    direction: int
    end: Square


@dataclass(frozen=True, slots=True)
class Sheltered:
    """The jet came to an octopus in a corner square, where ink does nothing."""

    octopus: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class OctopusHit:
    """An octopus was hit and went home; what it held lies on the square."""

    octopus: Piece
    square: Square
    cause: Cause


@dataclass(frozen=True, slots=True)
class KeeperHit:
    """A keeper was hit and will go to a shower."""

    keeper: int
    square: Square
    cause: Cause


@dataclass(frozen=True, slots=True)
class RanInto:
    """An octopus ran into a keeper: the octopus went home, and the keeper will go to a shower."""

    octopus: Piece
    keeper: int
    square: Square


@dataclass(frozen=True, slots=True)
class SentToShower:
    """The active player sent a keeper to the shower on that square."""

    keeper: int
    square: Square


@dataclass(frozen=True, slots=True)
class Heard:
    """A keeper on `square` heard a noise and turned to the direction `facing`."""

    keeper: int
    square: Square
    noise: Square
    facing: int


@dataclass(frozen=True, slots=True)
class Saw:
    """A keeper on `square` saw where a noise came from and stepped `to` that side, or could not (None)."""

    keeper: int
    square: Square
    noise: Square
    to: Square | None


@dataclass(frozen=True, slots=True)
class Nabbed:
    """A keeper walked onto an octopus, which went home; the keeper stays there, and so do the fish."""

    keeper: int
    octopus: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class Nominated:
    """A keeper was told to walk."""

    keeper: int
    square: Square


@dataclass(frozen=True, slots=True)
class Rolled:
    """The die fell."""

    number: int


@dataclass(frozen=True, slots=True)
class Walked:
    """A keeper walked along a path, its start first, alone there if it stayed; it faces the direction `facing` now."""

    keeper: int
    path: tuple[Square, ...]
    facing: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """A keeper stepped out of its shower into the entrance."""

    keeper: int
    shower: Square
    entrance: Square


Happening: TypeAlias = (
    Dealt
    | Began
    | Escaped
    | Moved
    | LeftBehind
    | PickedUp
    | Stole
    | Threw
    | Landed
    | Caught
    | Kept
    | Scored
    | Inked
    | Sheltered
    | OctopusHit
    | KeeperHit
    | RanInto
    | SentToShower
    | Heard
    | Saw
    | Nabbed
    | Nominated
    | Rolled
    | Walked
    | Cleared
)
