"""The steps of Sneaky Octopuses: what chance deals and rolls, and what players choose. A step says the same in every position.

The octopus of a step is its kind: it belongs to the seat whose turn it is.
"""

from dataclasses import dataclass
from typing import TypeAlias

from turnserver.rules import Seat
from turnserver.rules.square import Square


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance puts a fish on a square of a fish tank."""

    square: Square
    colour: int


@dataclass(frozen=True, slots=True)
class First:
    """Chance says who begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Die:
    """Chance says how the nominated keeper walks."""

    number: int


@dataclass(frozen=True, slots=True)
class Escape:
    """An octopus leaves its home tank."""

    octopus: int
    square: Square


@dataclass(frozen=True, slots=True)
class Move:
    """An octopus goes along `path`, its own square first.

    `takes` runs parallel to it without its last square: the colour of the fish that it picks up there, or 0.
    """

    octopus: int
    path: tuple[Square, ...]
    takes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slide:
    """Speedy goes straight to a square too far away for a move."""

    octopus: int
    square: Square


@dataclass(frozen=True, slots=True)
class Steal:
    """An octopus takes the fish from a square of a fish tank."""

    octopus: int
    square: Square


@dataclass(frozen=True, slots=True)
class Throw:
    """An octopus throws a fish to a square, or, if that is None, into its home tank: its action, or a chain going on."""

    octopus: int
    colour: int
    square: Square | None


@dataclass(frozen=True, slots=True)
class Keep:
    """An octopus that was thrown a fish throws it no further."""

    octopus: int


@dataclass(frozen=True, slots=True)
class Ink:
    """Squirt shoots."""

    octopus: int
    direction: int


@dataclass(frozen=True, slots=True)
class ToShower:
    """The keeper that was run into or hit goes to the shower on that square."""

    square: Square


@dataclass(frozen=True, slots=True)
class Nominate:
    """The keeper on that square will walk: the last choice of a turn."""

    square: Square


Chance: TypeAlias = Deal | First | Die
Act: TypeAlias = Escape | Move | Slide | Steal | Throw | Ink
"""What counts as an octopus's action; a throw also goes on with a chain."""
Step: TypeAlias = Chance | Act | Keep | ToShower | Nominate
