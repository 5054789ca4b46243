"""The parts of TAKO: its options, its seats, its steps and its positions."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from turnserver.errors import BadOption
from turnserver.rules import Seat
from turnserver.rules.options import choice, flag, one_of, validate
from turnserver.text import say

WHITE, BLACK = Seat(1), Seat(2)
SEAT_NAMES = (say("White"), say("Black"))
PILES = "ab"
STONES: Final = 11
"""The stones in each pile, unless a game for coins says otherwise."""

Coin: TypeAlias = Literal["HI", "LO", "FREE"]


def _coins(betting: bool) -> str:  # noqa: FBT001  # the value of the option
    return say("for coins") if betting else say("not for coins")


def _stake(stake: int) -> str:
    return say("{stake} in each pile", stake=stake)


@dataclass(frozen=True)
class Options:
    """The options of TAKO. Raises BadOption."""

    variant: str = choice(
        "standard", ("standard", "adept"), "a coin and a die of six, or a coin with a third side and a die of ten", phrase=str
    )
    betting: bool = flag(default=False, doc="whether the piles are coins, kept by whoever takes them", phrase=_coins)
    stake: int = one_of(STONES, (5, 7, 11, 15), "coins in each pile, in a betting game", phrase=_stake)

    def __post_init__(self) -> None:
        """Refuse values out of range, and a stake that nobody plays for."""
        validate(self)
        if self.stake != STONES and not self.betting:
            raise BadOption(
                say("You can choose stake only together with betting. Without it, each pile has {number} stones.", number=STONES)
            )

    @property
    def die(self) -> int:
        """The number of sides of the die."""
        return 10 if self.variant == "adept" else 6

    @property
    def coin(self) -> tuple[Coin, ...]:
        """The sides of the coin."""
        return ("HI", "LO", "FREE") if self.variant == "adept" else ("HI", "LO")

    @property
    def most(self) -> int:
        """The highest that a pile can grow: both players may add to it."""
        return self.stake + 2


@dataclass(frozen=True, slots=True)
class Opening:
    """The roll for the start: the number on each player's die."""

    white: int
    black: int

    def __str__(self) -> str:
        return f"{self.white} {self.black}"


@dataclass(frozen=True, slots=True)
class Throw:
    """A turn's roll: the side of the coin and the number on the die."""

    coin: Coin
    die: int

    @property
    def low(self) -> int:
        """The least that may be taken in all."""
        return self.die if self.coin == "LO" else 1

    @property
    def high(self) -> int:
        """The most that may be taken in all, or more than there ever is."""
        return self.die if self.coin == "HI" else _ANY

    def __str__(self) -> str:
        return f"{self.coin} {self.die}"


@dataclass(frozen=True, slots=True)
class Take:
    """A take from pile A and pile B: the same number from both, or nothing from one of them."""

    a: int
    b: int

    @property
    def total(self) -> int:
        """The number taken in all, which a roll limits."""
        return self.a + self.b

    def __str__(self) -> str:
        if self.a and self.b:
            return f"ab{self.a}"
        return f"a{self.a}" if self.a else f"b{self.b}"


@dataclass(frozen=True, slots=True)
class Pass:
    """The option of leaving the roll to the opponent."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Add:
    """The option of putting one more on a pile: 0 is pile A, 1 pile B."""

    pile: int

    def __str__(self) -> str:
        return f"add {PILES[self.pile]}"


Choice: TypeAlias = Take | Pass | Add
"""A decision of a player."""

Step: TypeAlias = Opening | Throw | Choice
"""`str(step)` is its canonical notation."""


class Unused(NamedTuple):
    """The options that a player still has."""

    passing: bool
    adding: bool


class Position(NamedTuple):
    """The piles on the table, and the roll.

    Turn number `turn` belongs to `mover`, who is None until the start is rolled. `roll` is None until it is rolled; `passed` says that the
    opponent handed it over. By seat: the options still unused, and the purses, which stay empty unless the game is for coins.
    """

    turn: int
    mover: Seat | None
    piles: tuple[int, int]
    unused: tuple[Unused, Unused]
    roll: Throw | None
    passed: bool
    purses: tuple[int, int]

    @property
    def over(self) -> bool:
        """True if the mover has nothing to do on this roll: no take, and no option left (ruling 4)."""
        if self.mover is None or self.roll is None or any(self.unused[self.mover - 1]):
            return False
        # if anything lies there, HI and FREE allow to take one; LO is met, if at all, by the most that can be taken at once
        a, b = self.piles
        return max(a, b, 2 * min(a, b)) < self.roll.low


def opponent(seat: Seat) -> Seat:
    """Return the other seat."""
    return BLACK if seat == WHITE else WHITE


def name(seat: Seat) -> str:
    """Return the name of the seat."""
    return SEAT_NAMES[seat - 1]


def changed(pair: tuple[int, int], index: int, by: int) -> tuple[int, int]:
    """Return the pair of numbers with one of them made greater by `by`."""
    return (pair[0] + by, pair[1]) if index == 0 else (pair[0], pair[1] + by)


def winnings(purses: tuple[int, int], winner: Seat) -> int:
    """Return how many coins the loser hands over: half of their purse, rounded up (ruling 7)."""
    return (purses[opponent(winner) - 1] + 1) // 2


def settled(purses: tuple[int, int], winner: Seat) -> tuple[int, int]:
    """Return the purses after the loser has paid."""
    paid = winnings(purses, winner)
    return changed(changed(purses, winner - 1, paid), opponent(winner) - 1, -paid)


# two piles of 15 coins, with one added by each player, hold 32
_ANY = 99
