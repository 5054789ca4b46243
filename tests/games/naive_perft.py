"""Count lines of play with the naive engines and write them to `tests/games/perft/<game>.json`.

    python -m tests.games.naive_perft [game]

Each entry names a game's options, the steps that lead from the start to the position counted, and the number of sequences of exactly
1, 2, ... legal steps from there, outcomes of chance included; a game that is over has none. From the start of Take's side 2 the counts
run down to 0: that is every game there is. The other starts show the empty board, the openings, chosen below, the middle game and
endings.
"""

import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tests.games.lockstep import Chooser, anything
from tests.games.okago import naive_okago
from tests.games.sneaky_octopuses import naive_sneaky
from tests.games.sneaky_octopuses.walks import Curious
from tests.games.take import naive_take
from tests.games.tako import naive_tako
from tests.games.tako_judo import naive_tako_judo

DATA = Path(__file__).with_name("perft")

Options = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One position, given by its options and steps, and its counts by depth."""

    options: Options
    moves: list[str]
    counts: list[int]

    def __str__(self) -> str:
        """The case's name in a report of tests."""
        return "-".join([*map(str, self.options.values()), "after", str(len(self.moves))])


class Engine(NamedTuple):
    """The part of a naive engine that counting needs."""

    start: Callable[..., Any]
    legal: Callable[[Any], set[str]]
    play: Callable[[Any, str], Any]
    chooser: Callable[[], Chooser] = lambda: anything
    """The chooser that plays an opening."""


class Start(NamedTuple):
    """Count from the start, so deep."""

    options: Options
    depth: int


class Opening(NamedTuple):
    """Count, so deep, after so many steps of the engine's chooser: in the first game, by seed from `seed` on, that is not over then."""

    options: Options
    steps: int
    depth: int
    seed: int = 0


class Plan(NamedTuple):
    """The counts that are wanted of a game."""

    engine: Engine
    positions: Sequence[Start | Opening]


TAKE = Engine(
    lambda variant, size: naive_take.start(variant, side=size),
    naive_take.legal,
    lambda position, name: naive_take.play(position, name).position,
)
TAKO_JUDO = Engine(naive_tako_judo.start, naive_tako_judo.legal, naive_tako_judo.play)
TAKO = Engine(naive_tako.start, naive_tako.legal, naive_tako.play)
OKAGO = Engine(naive_okago.start, naive_okago.legal, naive_okago.play)
SNEAKY = Engine(naive_sneaky.start, naive_sneaky.legal, naive_sneaky.play, Curious)

PLANS = {
    "take": Plan(
        TAKE,
        [
            *(
                Start({"variant": variant, "size": size}, depth)
                for variant in naive_take.VARIANTS
                for size, depth in [(2, 11), (3, 4), (4, 3), (5, 2), (8, 1)]
            ),
            *(
                Opening({"variant": variant, "size": size}, steps, depth)
                for variant in naive_take.VARIANTS
                for size, steps, depth in [(3, 12, 5), (3, 20, 5), (4, 30, 3), (5, 60, 3), (6, 100, 2), (8, 170, 2)]
            ),
        ],
    ),
    "tako-judo": Plan(
        TAKO_JUDO,
        [
            *(
                Start({"variant": variant, "repetition": True}, depth)
                for variant, depth in [("duel", 3), ("teams", 2), ("free-for-all", 2)]
            ),
            *(
                Opening({"variant": variant, "repetition": repetition}, steps, depth, seed)
                for variant, repetition, steps, depth, seed in [
                    ("duel", True, 40, 2, 0),
                    ("duel", False, 120, 3, 0),
                    ("teams", True, 100, 3, 0),
                    ("teams", True, 182, 3, 14),  # where two can be exhausted at once
                    ("teams", False, 274, 4, 7),  # where the last one of a side can exhaust itself
                    ("free-for-all", False, 302, 2, 6),  # where two can be exhausted at once two moves later
                    ("free-for-all", True, 412, 2, 6),  # where two have nothing but a twiddle
                ]
            ),
        ],
    ),
    "tako": Plan(
        TAKO,
        [
            *(
                Start({"variant": variant, "betting": betting, "stake": stake}, depth)
                for variant, depth in [("standard", 4), ("adept", 3)]
                for betting, stake in [(False, 11), (True, 5)]
            ),
            *(
                Opening({"variant": variant, "betting": betting, "stake": stake}, steps, depth)
                for variant in naive_tako.VARIANTS
                for betting, stake in [(False, 11), (True, 7), (True, 15)]
                for steps, depth in [(6, 4), (13, 4), (18, 5)]
            ),
        ],
    ),
    "okago": Plan(
        OKAGO,
        [
            *(
                Start({"size": size, "advanced": advanced}, depth)
                for size, advanced, depth in [(5, False, 3), (6, False, 2), (7, False, 2), (8, False, 2), (5, True, 3), (7, True, 2)]
            ),
            *(
                Opening({"size": size, "advanced": advanced}, steps, depth)
                for size, advanced in [(5, False), (6, False), (7, False), (8, False), (5, True), (7, True)]
                for steps, depth in [(8, 2), (16, 3 if size == 5 else 2), (22, 5 if size == 5 else 3)]
            ),
        ],
    ),
    "sneaky-octopuses": Plan(
        SNEAKY,
        [
            Start({"players": 2}, 5),  # the first fish
            *(Opening({"players": players}, 25, 3) for players in (2, 3, 4)),  # the first turn
            *(Opening({"players": players}, steps, 2) for players, steps in [(2, 262), (3, 259), (4, 98), (4, 274)]),  # a turn begins
            *(Opening({"players": players}, steps, 2) for players, steps in [(2, 138), (3, 245), (4, 180)]),  # a fish has been caught
            *(Opening({"players": players}, steps, 2) for players, steps in [(2, 189), (3, 55), (4, 418)]),  # a keeper goes to a shower
        ],
    ),
}
"""The counts, by the game's key."""


def perft(engine: Engine, position: Any, depth: int) -> int:
    """The number of sequences of exactly `depth` steps from here, 1 or more."""
    if depth == 1:
        return len(engine.legal(position))
    return sum(perft(engine, engine.play(position, text), depth - 1) for text in engine.legal(position))


def counts(key: str, options: Options, moves: Sequence[str], depth: int) -> list[int]:
    """The counts for depths 1 to `depth` after `moves`."""
    engine = PLANS[key].engine
    position = engine.start(**options)
    for text in moves:
        position = engine.play(position, text)
    return [perft(engine, position, one) for one in range(1, depth + 1)]


def moves_of(engine: Engine, wanted: Start | Opening) -> list[str]:
    """The steps that lead to the position wanted."""
    if isinstance(wanted, Start):
        return []
    for seed in range(wanted.seed, wanted.seed + 1000):
        choices, choose = random.Random(seed), engine.chooser()  # noqa: S311  # a repeatable game, not a secret
        position, moves = engine.start(**wanted.options), list[str]()
        while (legal := engine.legal(position)) and len(moves) < wanted.steps:
            moves.append(choose(choices, position, sorted(legal), moves))
            position = engine.play(position, moves[-1])
        if legal:
            return moves
    raise ValueError(f"no game lasts as long as {wanted}")


def read(key: str) -> list[Case]:
    """Return what is on file for a game."""
    found = json.loads((DATA / f"{key}.json").read_text())
    return [Case(options=entry, moves=entry.pop("moves"), counts=entry.pop("counts")) for entry in found]


def write(key: str) -> None:
    """Count what is planned for a game, and put it on file."""
    lines = []
    for wanted in PLANS[key].positions:
        moves = moves_of(PLANS[key].engine, wanted)
        lines.append(json.dumps({**wanted.options, "moves": moves, "counts": counts(key, wanted.options, moves, wanted.depth)}))
    (DATA / f"{key}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or PLANS:
        write(chosen)
