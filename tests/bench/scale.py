"""The amount of work in the benchmarks: enough to be believed, or just enough to show that they still run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Sizes of everything.

    `rounds` of alternating sides; `mails` in a batch, one a game; `few` and `many` open games under the sweep; `open_games` that a service
    serves, `touched` of them and `moves` played by mail while its memory is watched; `playouts` of random games; `audited` games; a Swiss
    event of `swiss` players, and `results` that are rated; a `league` that visitors look at; `games` under load, of a `script` of moves.
    """

    rounds: int
    mails: int
    few: int
    many: int
    open_games: int
    touched: int
    moves: int
    playouts: int
    audited: int
    swiss: int
    results: int
    league: int
    games: int
    script: int


FULL = Scale(
    rounds=11,
    mails=50,
    few=10_000,
    many=1_000_000,
    open_games=100_000,
    touched=5_000,
    moves=100,
    playouts=20,
    audited=50,
    swiss=500,
    results=100_000,
    league=100,
    games=500,
    script=6,
)
QUICK = Scale(
    rounds=1,
    mails=2,
    few=10,
    many=100,
    open_games=20,
    touched=5,
    moves=2,
    playouts=1,
    audited=1,
    swiss=8,
    results=20,
    league=8,
    games=3,
    script=6,
)
