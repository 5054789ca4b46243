"""What pieces, fish and directions are called in sentences, so that every language can bend them as it needs.

Fish and keepers have no article here, or stand as what somebody has or takes: a sentence that puts them elsewhere is theirs to turn round.
"""

from collections import Counter
from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final, Self

from turnserver.games.sneaky_octopuses.board import NAMES
from turnserver.games.sneaky_octopuses.position import OCTOPUSES, Options, Piece, Position, kind_of, seat_of
from turnserver.rules.square import Square
from turnserver.text import Tongue, Words, listing, retold, say

DIRECTIONS: Final = (say("north"), say("east"), say("south"), say("west"))
"""Where somebody looks or turns, by the numbers of `board.COMPASS`."""

KEEPERS: Final = (say("north keeper"), say("east keeper"), say("south keeper"), say("west keeper"))
"""By the keepers' numbers, to stand behind an article."""

COLOUR_NAMES: Final = (say("red"), say("orange"), say("yellow"), say("white"), say("black"))
"""What colour a fish is, from colour 1 on."""

_COLUMNS: Final = 72
_LISTED: Final = 3
_COUNTS: Final = (say("two"), say("three"), say("four"), say("five"))


class Filled(Words):
    """A paragraph of 72 columns at most, filled in each language by itself; every line but the first begins with `indent`."""

    __slots__ = ("indent", "words")

    words: str
    indent: str

    def __new__(cls, words: str, indent: str = "") -> Self:
        """In English until it is told in another language."""
        made = super().__new__(cls, _filled(words, indent))
        made.words, made.indent = words, indent
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew."""
        return Filled, (self.words, self.indent)

    def retold(self, tongue: Tongue) -> str:
        """See `Words.retold`."""
        return _filled(retold(self.words, tongue), self.indent)


def keeper_on(keeper: int, where: Square) -> str:
    """A keeper by the square where it is, and its name: `f11 (north)`."""
    square = NAMES[where]
    named = (
        say("{square} (north)", square=square),
        say("{square} (east)", square=square),
        say("{square} (south)", square=square),
        say("{square} (west)", square=square),
    )
    return named[keeper]


def fish(colour: int, n: int = 1) -> str:
    """Fish of that colour behind an article or a number: `red fish`."""
    named = (
        say("red fish", "red fish", n=n),
        say("orange fish", "orange fish", n=n),
        say("yellow fish", "yellow fish", n=n),
        say("white fish", "white fish", n=n),
        say("black fish", "black fish", n=n),
    )
    return named[colour - 1]


def those(colour: int, count: int = 1) -> str:
    """Fish that were spoken of, as what somebody leaves: `the red`, `the two red`."""
    if count == 1:
        return (say("the red"), say("the orange"), say("the yellow"), say("the white"), say("the black"))[colour - 1]
    number = _COUNTS[count - 2]
    several = (
        say("the {count} red", count=number),
        say("the {count} orange", count=number),
        say("the {count} yellow", count=number),
        say("the {count} white", count=number),
        say("the {count} black", count=number),
    )
    return several[colour - 1]


def those_fish(colours: Sequence[int]) -> str:
    """`the red and the two black fish`, as what somebody leaves; of more than three colours only how many."""
    counts = sorted(Counter(colours).items())
    if len(counts) > _LISTED:
        return say("{n} fish", "{n} fish", n=len(colours))
    names = listing([those(colour, count) for colour, count in counts], "and")
    return say("{colours} fish", "{colours} fish", colours=names, n=counts[-1][1])


def octopus(seat_names: Sequence[str], one: Piece) -> str:
    """`Red's Tako`."""
    return say("{seat}'s {octopus}", seat=seat_names[seat_of(one) - 1], octopus=OCTOPUSES[kind_of(one)])


def who(options: Options, state: Position, where: Square) -> str:
    """Who stands on a square: `your Tako`, `Red's Tako`, `the north keeper`; an empty string if nobody does."""
    one, keeper = state.octopus_on(where), state.keeper_on(where)
    if one is None:
        return say("the {keeper}", keeper=KEEPERS[keeper]) if keeper is not None else ""
    own = seat_of(one) == state.seat
    return say("your {octopus}", octopus=OCTOPUSES[kind_of(one)]) if own else octopus(options.seat_names, one)


def who_first(options: Options, state: Position, where: Square) -> str:
    """The same where a sentence begins."""
    one, keeper = state.octopus_on(where), state.keeper_on(where)
    if one is None:
        return say("The {keeper}", keeper=KEEPERS[keeper]) if keeper is not None else ""
    own = seat_of(one) == state.seat
    return say("Your {octopus}", octopus=OCTOPUSES[kind_of(one)]) if own else octopus(options.seat_names, one)


def _filled(words: str, indent: str) -> str:
    return fill(words, _COLUMNS, subsequent_indent=indent, break_on_hyphens=False)
