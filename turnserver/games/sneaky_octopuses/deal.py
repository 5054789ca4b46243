"""Dealing the fish one by one so that every good deal is as likely as any other (ruling 1).

A good deal has no colour twice in a tank. A colour weighs, for the square that comes next, as many good deals as there are that go on
with it: the ways to colour all the squares after this one and the fish that is left out.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from math import factorial
from typing import TypeAlias

from turnserver.games.sneaky_octopuses.board import FISH_SQUARES, TANKS
from turnserver.games.sneaky_octopuses.position import COLOURS, OF_A_COLOUR

Stock: TypeAlias = tuple[int, ...]
"""How many fish of each colour are not yet dealt."""

_PLACES = tuple(tuple(FISH_SQUARES.index(one) for one in tank) for tank in TANKS)
_TANK_OF = {place: number for number, places in enumerate(_PLACES) for place in places}
_SIZE = 3


def outcomes(dealt: bytes) -> tuple[tuple[int, int], ...]:
    """The colours that the next fish square may get, each with its weight, after these were dealt to the squares before it."""
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
    """In how many ways the tanks that are begun, given by the colours in them, and the untouched ones can be filled."""
    if not begun:
        return _ways_untouched(tuple(sorted(stock)), untouched)
    inside, *others = begun
    free = _SIZE - len(inside)
    return factorial(free) * sum(_ways_with(rest, tuple(others), untouched) for rest in _fills(stock, free, inside))


@cache
def _ways_untouched(stock: Stock, tanks: int) -> int:
    """The same for untouched tanks alone: it does not matter which colour is which. At the end the fish that is left out remains."""
    if not tanks:
        return 1
    return factorial(_SIZE) * sum(_ways_untouched(tuple(sorted(rest)), tanks - 1) for rest in _fills(stock, _SIZE, ()))


def _fills(stock: Stock, free: int, inside: tuple[int, ...]) -> Iterator[Stock]:
    """What is left of the stock after filling a tank with `free` further fish, in each possible way but for their order."""
    usable = [colour for colour in COLOURS if stock[colour - 1] and colour not in inside]
    for chosen in combinations(usable, free):
        yield tuple(count - (colour in chosen) for colour, count in zip(COLOURS, stock, strict=True))
