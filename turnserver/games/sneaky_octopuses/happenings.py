"""The consequences of a step, in the order in which they happen. `resolve.resolve` finds them, and the view puts them in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from turnserver.games.sneaky_octopuses.board import GRID, HOMES
from turnserver.games.sneaky_octopuses.position import NOWHERE, Action, Keeper, Piece, Position, Trail
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
    """An octopus threw a fish from its square; `end` is the square where it landed or hit a piece, None for the home tank."""

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
    """An octopus was hit and went home; its fish lie on the square."""

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
    """A keeper on `square` saw the origin of a noise and stepped `to` that side, or could not (None)."""

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


_HOME_SQUARES = frozenset(one for home in HOMES for one in home)


def after(before: Position, happened: Iterable[Happening]) -> tuple[Trail, ...]:
    """Return the trails to show after all these happenings since the position `before`."""
    # before anything was chosen, the trails are those of the turn before
    earlier = before.trails if before.acted or before.nominated is not None else ()
    if before.nominated is not None:
        # the last one only marks who was named, and now it walks
        earlier = earlier[:-1]
    found = (_trail(before, one) for one in happened)
    return (*earlier, *(trail for trail in found if trail is not None))


def _trail(before: Position, one: Happening) -> Trail | None:  # noqa: C901  # one branch a happening
    # what happens most comes first, as this is asked after every step
    match one:
        case Moved():
            return Trail("way", one.path)
        case Nominated() | SentToShower():
            return Trail("walk", (one.square,))
        case Walked():
            return Trail("walk", one.path)
        case Escaped():
            return Trail("way", (_home_beside(one.square), one.square))
        case Saw() if one.to is not None:
            return Trail("walk", (one.square, one.to))
        case (
            Rolled()
            | Heard()
            | Nabbed()
            | LeftBehind()
            | PickedUp()
            | Dealt()
            | Began()
            | Landed()
            | Caught()
            | Kept()
            | Scored()
            | Sheltered()
            | OctopusHit()
            | KeeperHit()
            | RanInto()
            | Saw()
        ):
            return None
        case Stole():
            return Trail("shot", (one.square, before.octopuses[one.octopus]))
        case Threw():
            return Trail("shot", (one.start, _home_beside(one.start) if one.end is None else one.end))
        case Inked():
            return Trail("shot", (one.start, one.end))
        case Cleared():
            return Trail("walk", (one.shower, one.entrance))
        case _:
            assert_never(one)


def _home_beside(where: Square) -> Square:
    # every other ray is orthogonal
    return next(ray[0] for ray in GRID.rays[where][::2] if ray[0] in _HOME_SQUARES)


class ChangingPosition:
    """The fields of a position, to be changed in place; `position` freezes them again.

    The action under way has sounded on the squares `noise`, and the pieces `involved` took part in it. It waits for a choice while there
    is a keeper `awaited` in a shower, or a `fish` that its `holder` may throw on.
    """

    def __init__(self, before: Position) -> None:
        """Start from the position `before` the step. The step answers the choice that the position was waiting for."""
        self.turn, self.round, self.seat, self.first, self.left, self.acted = before[:6]
        self.octopuses = list(before.octopuses)
        self.keepers = list(before.keepers)
        self.tanks = before.tanks
        self.loose = list(before.loose)
        self.landed = before.landed
        noise, self.involved = before.action[:2] if before.action is not None else ((), 0)
        self.noise = list(noise)
        self.fish, self.holder = 0, Piece(0)
        self.awaited: int | None = None
        self.nominated: int | None = None
        self.happened: list[Happening] = []
        self.before = before

    @property
    def waiting(self) -> bool:
        """True if something has to be chosen before the keepers react."""
        return self.fish != 0 or self.awaited is not None

    def position(self) -> Position:
        """Return the present state as a position."""
        return Position(
            self.turn,
            self.round,
            self.seat,
            self.first,
            self.left,
            self.acted,
            tuple(self.octopuses),
            tuple(self.keepers),
            self.tanks,
            # in one order, so that equal positions are equal
            tuple(sorted(self.loose)),
            self.landed,
            Action(tuple(self.noise), self.involved, self.fish, self.holder, self.awaited) if self.waiting else None,
            self.nominated,
            after(self.before, self.happened),
        )

    def pass_on(self) -> None:
        """Give the turn to the next seat that has not left. A round ends on the way past the first player."""
        self.acted = 0
        while True:
            self.seat = Seat(self.seat % len(self.landed) + 1)
            # also past a first player who has left
            self.round += self.seat == self.first
            if not self.left >> (self.seat - 1) & 1:
                return

    def octopus_on(self, where: Square) -> Piece | None:
        """Return the octopus on a floor square; None if there is none."""
        return Piece(self.octopuses.index(where)) if where in self.octopuses else None

    def keeper_on(self, where: Square) -> int | None:
        """Return the keeper on a square; None if there is none."""
        return next((number for number, keeper in enumerate(self.keepers) if keeper.square == where), None)

    def come(self, one: Piece, where: Square) -> None:
        """Put the octopus on a square. If a keeper is there, the octopus goes home and the keeper to a shower (ruling 6)."""
        keeper = self.keeper_on(where)
        if keeper is None:
            self.octopuses[one] = where
            return
        self.happened.append(RanInto(one, keeper, where))
        self.octopuses[one] = NOWHERE
        self._await(keeper)

    def hit_octopus(self, one: Piece, cause: Cause) -> None:
        """Send the octopus home because a fish or ink has hit it."""
        self.happened.append(OctopusHit(one, self.octopuses[one], cause))
        self.octopuses[one] = NOWHERE

    def hit_keeper(self, keeper: int, cause: Cause) -> None:
        """Make the keeper go to a shower because a fish or ink has hit it."""
        self.happened.append(KeeperHit(keeper, self.keepers[keeper].square, cause))
        self._await(keeper)

    def advance(self, keeper: int, where: Square, facing: int) -> bool:
        """Put the keeper on a square, facing that way. Return whether it has caught an octopus there, which ends a walk."""
        self.keepers[keeper] = Keeper(where, facing)
        one = self.octopus_on(where)
        if one is None:
            return False
        self.happened.append(Nabbed(keeper, one, where))
        self.octopuses[one] = NOWHERE
        return True

    def _await(self, keeper: int) -> None:
        # the active player chooses its shower before anything else happens (ruling 6)
        self.keepers[keeper] = Keeper(NOWHERE, self.keepers[keeper].facing)
        self.awaited = keeper
