"""The aquarium: the kinds of squares, and which squares lie next to each other.

Files are a to k from the left, ranks 1 to 11 from the bottom.

Directions are numbers, clockwise: 0 north, 1 east, 2 south, 3 west. Reading order is as on a page: rank 11 first, then file a first.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.rules import square
from turnserver.rules.square import Square

PLAN: Final = (
    "BBB#Se##RRR",
    "B.........R",
    "B.FFF.F.F.R",
    "#.....F.F.#",
    "#.FFF.F.F.S",
    "e.........e",
    "S.F.F.FFF.#",
    "#.F.F.....#",
    "G.F.F.FFF.P",
    "G.........P",
    "GGG##eS#PPP",
)
"""The board from above, rank 11 first: B R P G homes, F fish tanks, S showers, e their entrances, . floor, # walls."""

SIDE: Final = len(PLAN)
GRID: Final = square.board(SIDE, SIDE)
NAMES: Final = GRID.names
"""The name of each square, by its number."""

COMPASS: Final = ("north", "east", "south", "west")
"""The directions by number."""

READING: Final = tuple(sorted(GRID.squares, key=lambda one: (-GRID.rank(one), GRID.file(one))))
"""Every square in reading order."""

PLACE: Final = tuple(READING.index(one) for one in range(len(READING)))
"""The place of each square in reading order, by its number."""


def at(name: str) -> Square:
    """Return the square of that name, which must be on the board."""
    return GRID.by_name[name]


@cache
def sign(where: Square) -> str:
    """Return the square's sign in `PLAN`."""
    return PLAN[SIDE - 1 - GRID.rank(where)][GRID.file(where)]


def read_in_order(squares: Iterable[Square]) -> tuple[Square, ...]:
    """Return the squares in reading order."""
    return tuple(sorted(squares, key=PLACE.__getitem__))


class Shower(NamedTuple):
    """The square where a keeper cools down. The keeper comes out on the `entrance`, `facing` the floor, and begins the game there."""

    square: Square
    entrance: Square
    facing: int


SHOWERS: Final = (
    Shower(at("e11"), at("f11"), 2),
    Shower(at("k7"), at("k6"), 3),
    Shower(at("g1"), at("f1"), 0),
    Shower(at("a5"), at("a6"), 1),
)
"""The showers in the order of `COMPASS`: the side of the board on which each lies is its name."""

ENTRANCES: Final = frozenset(shower.entrance for shower in SHOWERS)
SHOWER_AT: Final[Mapping[Square, int]] = MappingProxyType({shower.square: number for number, shower in enumerate(SHOWERS)})
"""The number of the shower on a square."""

FLOOR: Final = frozenset(one for one in GRID.squares if sign(one) == ".")
"""The squares on which octopuses go and fish lie."""

OPEN: Final = FLOOR | ENTRANCES
"""The squares along which sight and ink run."""

WALLS: Final = tuple(one for one in GRID.squares if sign(one) == "#")

CORNERS: Final = frozenset(map(at, ("b10", "j10", "j2", "b2")))
"""The squares from which nobody shoots ink, and on which ink hits nobody."""

TANKS: Final = tuple(
    tuple(map(at, names.split()))
    for names in ("c9 d9 e9", "g9 g8 g7", "i9 i8 i7", "c7 d7 e7", "c5 c4 c3", "e5 e4 e3", "g5 h5 i5", "g3 h3 i3")
)
"""The fish tanks, each from end to end, so that its middle square is the second."""

FISH_SQUARES: Final = read_in_order(one for tank in TANKS for one in tank)
"""The squares on which fish are dealt, in reading order."""

FISH_INDEX: Final[Mapping[Square, int]] = MappingProxyType({one: index for index, one in enumerate(FISH_SQUARES)})
"""The place of a fish square in `FISH_SQUARES`."""

TEAMS: Final = ("Blue", "Red", "Purple", "Green")
"""The homes clockwise from the upper left; tables below are in this order."""

HOMES: Final = tuple(tuple(one for one in READING if sign(one) == team[0]) for team in TEAMS)
"""The five squares of each home tank."""

EXITS: Final = tuple(tuple(map(at, names.split())) for names in ("b9 b10 c10", "i10 j9 j10", "i2 j2 j3", "b2 b3 c2"))
"""The floor squares that touch each home tank."""

SQUEEZES: Final = tuple(
    tuple(map(at, names.split()))
    for names in ("d10 d9 d8", "d8 d7 d6", "b4 c4 d4", "d4 e4 f4", "f8 g8 h8", "h6 h5 h4", "h4 h3 h2", "h8 i8 j8")
)
"""The passages under the tanks: a floor square, the middle of the tank, the floor square on the other side."""


def _line(start: Square, direction: int) -> tuple[Square, ...]:
    line: list[Square] = []
    # of the eight directions of the grid every second one is straight
    for one in GRID.rays[start][2 * direction]:
        if one not in OPEN:
            break
        line.append(one)
    return tuple(line)


def _sights(start: Square) -> Mapping[Square, tuple[int, frozenset[Square]]]:
    seen: dict[Square, tuple[int, frozenset[Square]]] = {}
    for direction in range(len(COMPASS)):
        line = _line(start, direction)
        seen |= {one: (direction, frozenset(line[:distance])) for distance, one in enumerate(line)}
    return MappingProxyType(seen)


def _beside(here: Square) -> tuple[Square, ...]:
    return tuple(sorted(ray[0] for ray in GRID.rays[here][::2] if ray))


def _passages(here: Square) -> Mapping[Square, Square]:
    both_ways = [(near, middle, far) for one, middle, other in SQUEEZES for near, far in ((one, other), (other, one))]
    return MappingProxyType({far: middle for near, middle, far in both_ways if near == here})


LINES: Final = tuple(tuple(_line(one, direction) for direction in range(len(COMPASS))) for one in GRID.squares)
"""For each square and each direction, the open squares from the next one up to a wall, tank or shower."""

SIGHTS: Final = tuple(map(_sights, GRID.squares))
"""For each square, the open squares in its lines, each with its direction and the squares between."""

STEPS: Final = tuple(tuple(one for one in _beside(here) if here in FLOOR and one in FLOOR) for here in GRID.squares)
"""For each floor square, the floor squares next to it; none for any other square."""

PASSAGES: Final = tuple(map(_passages, GRID.squares))
"""For each square, the squares that Squish squeezes to from there, each with the tank square between."""

STOCK: Final = tuple(tuple(one for one in _beside(here) if here in FLOOR and one in FISH_INDEX) for here in GRID.squares)
"""For each floor square, the fish squares next to it; none for any other square."""
