"""The moves and slides that an octopus can make (rulings 3 to 6 and 9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from turnserver.games.sneaky_octopuses.board import CORNERS, FISH_INDEX, FLOOR, LINES, PASSAGES, SHOWERS, STEPS, STOCK, read_in_order
from turnserver.games.sneaky_octopuses.position import NOWHERE, OCTOPUSES, SPEEDY, SQUIRT, SQUISH, Position, kind_of, piece
from turnserver.rules import Seat
from turnserver.rules.square import Square


@dataclass(frozen=True, slots=True)
class Deal:
    """A roll of chance: a fish comes on a square of a fish tank."""

    square: Square
    colour: int


@dataclass(frozen=True, slots=True)
class First:
    """A roll of chance: the seat that begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Die:
    """A roll of chance: the die by which the nominated keeper walks."""

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
"""The actions of an octopus. A throw also goes on with a chain."""
Step: TypeAlias = Chance | Act | Keep | ToShower | Nominate


REACH: Final = 3
"""The most squares that a move goes. A slide goes further."""

WAYS: Final = tuple(
    STEPS if kind != SQUISH else tuple(tuple(sorted((*steps, *passages))) for steps, passages in zip(STEPS, PASSAGES, strict=True))
    for kind in range(len(OCTOPUSES))
)
"""For each kind of octopus and each floor square, the squares that are one step away."""


class Look(NamedTuple):
    """The board as the octopuses of one seat see it. `lying` holds each colour on a square once."""

    mates: frozenset[Square]
    foes: frozenset[Square]
    keepers: frozenset[Square]
    loose: tuple[tuple[Square, int], ...]
    lying: Mapping[Square, tuple[int, ...]]


def look(position: Position) -> Look:
    """Return the board as the seat to move sees it."""
    first = piece(position.seat, 0)
    mates = position.octopuses[first : first + len(OCTOPUSES)]
    foes = position.octopuses[:first] + position.octopuses[first + len(OCTOPUSES) :]
    lying: dict[Square, tuple[int, ...]] = {}
    # two fish of one colour on one square are the same choice
    for where, colour in dict.fromkeys(position.loose):
        lying[where] = (*lying.get(where, ()), colour)
    return Look(frozenset(mates), frozenset(foes), frozenset(keeper.square for keeper in position.keepers), position.loose, lying)


def moves(seen: Look, kind: int, here: Square, along: tuple[Square, ...] = ()) -> list[Move]:
    """Return the moves of the octopus that stands here, by the fish that it takes along first, then square by square along their paths.

    If there are squares to go `along`, all others are left out.
    """
    way = _Way(seen, kind, along, [])
    for fish in (0, *seen.lying.get(here, ())):
        way.extend((here,), (fish,), fish)
    return way.found


def slides(seen: Look, here: Square) -> list[Slide]:
    """Return Speedy's slides from here, in the order of their squares.

    They go further than a move, past team-mates, to any free square or onto a keeper.
    """
    found: list[Square] = []
    # only without fish (ruling 9)
    if here not in seen.lying:
        for line in LINES[here]:
            for distance, one in enumerate(line, start=1):
                if one not in FLOOR or one in seen.foes:
                    break
                # a nearer square is reached by a move: one step has one notation
                if distance > REACH and one not in seen.mates:
                    found.append(one)
                if one in seen.keepers:
                    break
    return [Slide(SPEEDY, one) for one in sorted(found)]


class _Way(NamedTuple):
    seen: Look
    kind: int
    along: tuple[Square, ...]
    found: list[Move]

    def extend(self, path: tuple[Square, ...], takes: tuple[int, ...], carried: int) -> None:
        """Find the moves that go on along the path, whose last square the octopus leaves with the fish `carried`."""
        mates, foes, keepers, _, lying = self.seen
        start, last = path[0], len(path) == REACH
        ways = WAYS[self.kind][path[-1]]
        if self.along:
            ways = tuple([one for one in self.along[len(path) : len(path) + 1] if one in ways])
        for one in ways:
            further = (*path, one)
            if one in foes:
                # an opponent is passed in exactly two steps, and no squeeze is one of them (ruling 5)
                if len(path) == 1 and one in STEPS[start]:
                    self._pass(further, takes)
                continue
            # own team-mates are passed freely, but nobody stays on their squares (ruling 5)
            passing = one in mates and one != start
            if not passing:
                self.found.append(Move(self.kind, further, takes))
            # a contact ends the move (ruling 6)
            if last or one in keepers:
                continue
            self.extend(further, (*takes, 0), carried)
            if one in lying and not passing:
                for fish in lying[one]:
                    if fish != carried and (one != start or self._still_there(start, fish, takes[0])):
                        self.extend(further, (*takes, fish), fish)

    def _pass(self, path: tuple[Square, ...], takes: tuple[int, ...]) -> None:
        """Find the moves past the opponent at the end of the path (ruling 5)."""
        taken = (self.seen.mates - {path[0]}, self.seen.foes, self.seen.keepers)
        free = (one for one in STEPS[path[-1]] if not any(one in squares for squares in taken))
        self.found.extend(Move(self.kind, (*path, one), (*takes, 0)) for one in free)

    def _still_there(self, start: Square, fish: int, taken: int) -> bool:
        # the fish that the octopus took along is gone, so another one of its colour has to lie there
        return fish != taken or self.seen.loose.count((start, fish)) > 1


def choices(position: Position, exits: tuple[Square, ...]) -> tuple[Step, ...]:
    """Return everything that the seat to move may do. `exits` are the squares beside its home.

    Actions stand in the order of `OCTOPUSES`, and for each octopus: escapes, moves, slides, steals, throws, ink. The keepers follow in
    reading order. While an action is open, only its continuations are returned.
    """
    if position.action is not None:
        return _open_choices(position, exits)
    seen = look(position)
    found: list[Step] = []
    for kind in range(len(OCTOPUSES)):
        found += _acts(position, kind, exits, seen)
    return (*found, *_nominations(position))


def choices_like(position: Position, exits: tuple[Square, ...], step: object) -> tuple[Step, ...]:
    """Return some of the choices, among which a step is if it is one: of a move those along its path, else those of its octopus."""
    if position.action is not None:
        return _open_choices(position, exits)
    match step:
        case Move(octopus=kind, path=path):
            here = position.octopuses[piece(position.seat, kind)]
            free = here == path[0] and not position.acted >> kind & 1
            return tuple(moves(look(position), kind, here, path)) if free else ()
        case Slide(octopus=kind) | Steal(octopus=kind) | Throw(octopus=kind) | Ink(octopus=kind):
            free = position.octopuses[piece(position.seat, kind)] != NOWHERE and not position.acted >> kind & 1
            return tuple(_acts_but_moves(position, kind, exits, look(position))) if free else ()
        case Escape(octopus=kind):
            return tuple(_acts(position, kind, exits, look(position)))
    return _nominations(position)


def _acts(position: Position, kind: int, exits: tuple[Square, ...], seen: Look) -> list[Step]:
    """Return what the octopus of that kind may do: nothing if it has acted."""
    if position.acted >> kind & 1:
        return []
    here = position.octopuses[piece(position.seat, kind)]
    if here == NOWHERE:
        return [Escape(kind, one) for one in exits if one not in position.octopuses]
    return [*moves(seen, kind, here), *_acts_but_moves(position, kind, exits, seen)]


def _acts_but_moves(position: Position, kind: int, exits: tuple[Square, ...], seen: Look) -> list[Step]:
    """Return what an octopus that is out of its home tank may do instead of a move."""
    here = position.octopuses[piece(position.seat, kind)]
    found: list[Step] = [*slides(seen, here)] if kind == SPEEDY else []
    found += [Steal(kind, one) for one in STOCK[here] if position.tanks[FISH_INDEX[one]]]
    if here in seen.lying:
        targets = throw_targets(position, here, exits)
        found += [Throw(kind, colour, one) for colour in seen.lying[here] for one in targets]
    # never from a corner, and only with an open square before it (ruling 8)
    if kind == SQUIRT and here not in CORNERS:
        found += [Ink(kind, direction) for direction, line in enumerate(LINES[here]) if line]
    return found


def _nominations(position: Position) -> tuple[Nominate, ...]:
    return tuple(map(Nominate, read_in_order(keeper.square for keeper in position.keepers)))


def throw_targets(position: Position, here: Square, exits: tuple[Square, ...]) -> list[Square | None]:
    """Return the squares where a fish from here can land on the floor or hit somebody; then None if it can be thrown home."""
    targets: list[Square] = []
    standing = {*position.octopuses, *(keeper.square for keeper in position.keepers)}
    for line in LINES[here]:
        for one in line:
            if one in FLOOR or one in standing:
                targets.append(one)
            if one in standing:
                break
    return [*sorted(targets), *((None,) if here in exits else ())]


def free_showers(position: Position) -> tuple[Square, ...]:
    """Return the showers without a keeper, in reading order."""
    return read_in_order(shower.square for shower in SHOWERS if position.keeper_on(shower.square) is None)


def _open_choices(position: Position, exits: tuple[Square, ...]) -> tuple[Step, ...]:
    action = position.action
    if action is None or action.keeper is not None:
        return tuple(map(ToShower, free_showers(position)))
    kind, here = kind_of(action.holder), position.octopuses[action.holder]
    return (Keep(kind), *(Throw(kind, action.fish, one) for one in throw_targets(position, here, exits)))
