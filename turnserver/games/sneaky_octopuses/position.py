"""The parts of Sneaky Octopuses: its options, its pieces and its positions.

A piece is the number of an octopus: four to a seat, in the order of `OCTOPUSES`. A keeper is a number too, and so a name for the whole
game: the side of the board on which it began, in the order of `board.COMPASS`. Fish colours are 1 to 5; 0 is no fish.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from math import factorial
from typing import Final, Literal, NamedTuple, NewType, TypeAlias

from turnserver.games.sneaky_octopuses.board import EXITS, FISH_INDEX, FISH_SQUARES, SHOWER_AT, SHOWERS, TANKS
from turnserver.rules import Seat
from turnserver.rules.options import one_of, validate, whole
from turnserver.rules.square import Square
from turnserver.text import say

Piece = NewType("Piece", int)
"""An octopus: four times the seat's number from 0, and the kind."""

OCTOPUSES: Final = ("Speedy", "Tako", "Squish", "Squirt")
SPEEDY, TAKO, SQUISH, SQUIRT = range(4)
"""The kinds of octopus."""

FISH: Final = ("", "red", "orange", "yellow", "white", "black")
"""The names of the fish colours in the notation, by number."""

COLOURS: Final = range(1, len(FISH))
OF_A_COLOUR: Final = 5
"""The number of fish of each colour. One fish of all these is left out."""

NOWHERE: Final = Square(-1)
"""The square of an octopus in its home tank, and of a keeper that waits to be sent to a shower."""

TEAM_NAMES: Final = (say("Blue"), say("Red"), say("Purple"), say("Green"))
"""The names of the teams by their homes, in the order of `board.TEAMS`."""

_SEATED: Final = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""The homes that are taken, by the number of players: two sit in opposite corners, three leave green empty."""


def _teams(players: int) -> str:
    return say("{players} teams", players=players)


def _target(points: int) -> str:
    return say("{n} point wins", "{n} points win", n=points)


def _rounds(rounds: int) -> str:
    return say("up to {n} round", "up to {n} rounds", n=rounds)


@dataclass(frozen=True)
class Options:
    """The options of Sneaky Octopuses. Raises BadOption."""

    players: int = one_of(4, (2, 3, 4), say("how many teams take part; two sit in opposite corners"), phrase=_teams)
    target: int = whole(10, 1, 70, say("the points that win the game at once"), phrase=_target)
    max_rounds: int = whole(60, 1, 999, say("after so many rounds most points win"), phrase=_rounds)

    def __post_init__(self) -> None:
        validate(self)

    @property
    def homes(self) -> tuple[int, ...]:
        """The number of each seat's home tank in the tables of `board`, in seat order."""
        return _SEATED[self.players]

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats: the colours of their homes."""
        return tuple(TEAM_NAMES[home] for home in self.homes)

    @property
    def exits(self) -> tuple[tuple[Square, ...], ...]:
        """For each seat, the floor squares that touch its home tank."""
        return tuple(EXITS[home] for home in self.homes)


class Keeper(NamedTuple):
    """A keeper's square (`NOWHERE` while it waits), and the direction that it faces."""

    square: Square
    facing: int

    @property
    def showering(self) -> bool:
        """True if the keeper stands on a shower square."""
        return self.square in SHOWER_AT


class Action(NamedTuple):
    """An action that waits for a choice before the keepers react to it: a chain of throws, or a keeper to be sent to a shower.

    `noise` is every square that has sounded so far, in order. `involved` is a set of pieces (a bit for each): those that acted or handled
    the chain. If `fish` is a colour, the octopus `holder` keeps that fish, which lies on its square, or throws it on. If `keeper` is not
    None, the keeper of that number has to be sent to a shower.
    """

    noise: tuple[Square, ...]
    involved: int
    fish: int = 0
    holder: Piece = Piece(0)
    keeper: int | None = None


class Trail(NamedTuple):
    """The trail of an octopus on its way, of a fish or ink as a shot, or of a keeper's walk; from the first square to the last."""

    kind: Literal["way", "shot", "walk"]
    squares: tuple[Square, ...]


class Position(NamedTuple):
    """A position with everything there is to know. While fish are dealt and the first player is drawn, `first` is 0 and `seat` is 1."""

    turn: int
    round: int
    """1, 2, ...; it goes up when the turn comes back to the first player."""
    seat: Seat
    """The seat to move."""
    first: int
    """The seat that began, or 0 before it is drawn."""
    left: int
    """The seats that have left, a set: a bit for each, seat 1 the bit of value 1."""
    acted: int
    """The kinds of the seat's octopuses that have acted this turn, a set."""
    octopuses: tuple[Square, ...]
    """The square of each octopus, by piece."""
    keepers: tuple[Keeper, ...]
    """The keepers, by their numbers."""
    tanks: bytes
    """The fish in the tanks by the order of `board.FISH_SQUARES`, as far as they are dealt; 0 where one was stolen."""
    loose: tuple[tuple[Square, int], ...]
    """The fish outside the tanks, each a square and a colour, sorted: those under an octopus are the ones that it holds."""
    landed: tuple[tuple[int, ...], ...]
    """For each seat, the number of fish of each colour (from colour 1 on) in its home tank."""
    action: Action | None = None
    """The action that is not done with yet."""
    nominated: int | None = None
    """The keeper that will walk when the die has been rolled."""
    trails: tuple[Trail, ...] = ()
    """The trails of the turn under way, or of the one before until something is chosen.

    They change nothing, but players want to see them.
    """

    @property
    def dealt(self) -> bool:
        """True if all fish are in the tanks, so that only the first player may be left to be drawn."""
        return len(self.tanks) == len(FISH_SQUARES)

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points, in seat order."""
        return tuple(map(worth, self.landed))

    def fish_in(self, where: Square) -> int:
        """Return the colour of the fish on that square of a fish tank, or 0."""
        index = FISH_INDEX[where]
        return self.tanks[index] if index < len(self.tanks) else 0

    def lying(self, where: Square) -> tuple[int, ...]:
        """Return the colours of the fish outside the tanks on a square, each as often as it lies there."""
        return tuple(colour for one, colour in self.loose if one == where)

    def octopus_on(self, where: Square) -> Piece | None:
        """Return the octopus on a floor square; None if there is none."""
        return Piece(self.octopuses.index(where)) if where in self.octopuses else None

    def keeper_on(self, where: Square) -> int | None:
        """Return the keeper on a square; None if there is none."""
        return next((number for number, keeper in enumerate(self.keepers) if keeper.square == where), None)


@cache
def worth(landed: tuple[int, ...]) -> int:
    """Return the points for so many fish of each colour: the first of a colour is worth one, the next two, and so on (ruling 7)."""
    return sum(count * (count + 1) // 2 for count in landed)


def piece(seat: int, kind: int) -> Piece:
    """Return a seat's octopus of that kind."""
    return Piece(4 * (seat - 1) + kind)


def seat_of(one: Piece) -> Seat:
    """Return the seat of an octopus."""
    return Seat(one // 4 + 1)


def kind_of(one: Piece) -> int:
    """Return the kind of an octopus."""
    return one % 4


def opening(options: Options) -> Position:
    """Return the position before the first fish is dealt.

    Octopuses are at home; keepers stand in the entrances of their showers, facing the floor.
    """
    return Position(
        turn=1,
        round=1,
        seat=Seat(1),
        first=0,
        left=0,
        acted=0,
        octopuses=(NOWHERE,) * (4 * options.players),
        keepers=tuple(Keeper(shower.entrance, shower.facing) for shower in SHOWERS),
        tanks=b"",
        loose=(),
        landed=((0,) * len(COLOURS),) * options.players,
    )


Stock: TypeAlias = tuple[int, ...]
"""The number of fish of each colour that are not dealt yet."""

_PLACES = tuple(tuple(FISH_SQUARES.index(one) for one in tank) for tank in TANKS)
_TANK_OF = {place: number for number, places in enumerate(_PLACES) for place in places}
_SIZE = 3


# asked for what comes next, for the steps, and for the one that was rolled
@lru_cache(maxsize=64)
def outcomes(dealt: bytes) -> tuple[tuple[int, int], ...]:
    """Return the colours that the next fish square may get, each with its weight. `dealt` are the colours on the squares before it."""
    # A colour weighs as much as there are ways to go on with it. So every deal that fits is equally likely, as if all fish were shuffled
    # until no tank had a colour twice, and no draw is thrown away.
    weighed = ((colour, _ways(dealt + bytes((colour,)))) for colour in COLOURS if _fits(dealt, colour))
    return tuple((colour, weight) for colour, weight in weighed if weight)


def _fits(dealt: bytes, colour: int) -> bool:
    return dealt.count(colour) < OF_A_COLOUR and colour not in _in_tank(dealt, _TANK_OF[len(dealt)])


def _in_tank(dealt: bytes, tank: int) -> list[int]:
    return [dealt[place] for place in _PLACES[tank] if place < len(dealt)]


def _ways(dealt: bytes) -> int:
    stock = tuple(OF_A_COLOUR - dealt.count(colour) for colour in COLOURS)
    begun, untouched = list[tuple[int, ...]](), 0
    for tank in range(len(TANKS)):
        inside = _in_tank(dealt, tank)
        if not inside:
            untouched += 1
        elif len(inside) < _SIZE:
            begun.append(tuple(sorted(inside)))
    return _ways_with(stock, tuple(sorted(begun)), untouched)


@lru_cache(maxsize=4096)
def _ways_with(stock: Stock, begun: tuple[tuple[int, ...], ...], untouched: int) -> int:
    """Return in how many ways the begun tanks, given by the colours in them, and the untouched ones can be filled."""
    if not begun:
        # sorted, so that positions that differ only in the names of colours share one result
        return _ways_untouched(tuple(sorted(stock)), untouched)
    inside, *others = begun
    free = _SIZE - len(inside)
    return factorial(free) * sum(_ways_with(rest, tuple(others), untouched) for rest in _fills(stock, free, inside))


@cache
def _ways_untouched(stock: Stock, tanks: int) -> int:
    # for untouched tanks it does not matter which colour is which; at the end the fish that is left out remains
    if not tanks:
        return 1
    return factorial(_SIZE) * sum(_ways_untouched(tuple(sorted(rest)), tanks - 1) for rest in _fills(stock, _SIZE, ()))


def _fills(stock: Stock, free: int, inside: tuple[int, ...]) -> Iterator[Stock]:
    # one result for each set of colours, whatever their order in the tank
    usable = [colour for colour in COLOURS if stock[colour - 1] and colour not in inside]
    for chosen in combinations(usable, free):
        yield tuple(count - (colour in chosen) for colour, count in zip(COLOURS, stock, strict=True))
