"""One ply: list the legal steps and apply one, in random games; against a fixed piece of pure Python, to compare machines by.

Where a turn has several steps and hundreds to choose from, what counts is listing them: a player waits for it, and a house player lists
often.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

from tests.bench.measure import LOOP, Budget, Figure, alternate, loop
from tests.bench.scale import Scale
from turnserver import games
from turnserver.rules import Rules
from turnserver.rules.kit import playout


class Measured(NamedTuple):
    """A game at some options, and the microseconds that it may take."""

    game: str
    title: str
    options: Mapping[str, Any]
    most: float


PLIES: Final = (
    Measured("take", "Take, side 5", {"size": 5}, 60.0),
    Measured("tako-judo", "Tako Judo, duel", {"variant": "duel"}, 150.0),
    Measured("tako", "TAKO, standard", {}, 50.0),
    Measured("okago", "Okago, size 5", {"size": 5}, 50.0),
)
LISTS: Final = (Measured("sneaky-octopuses", "Sneaky Octopuses, four players", {"players": 4}, 1_000.0),)
"""Games of which the listing of steps is measured, on the tenth of the positions that have most of them."""

LONGEST: Final = 400
"""The number of plies of a random game that count; some games hardly end by chance."""


def plies(directory: Path, scale: Scale) -> Iterator[Figure]:
    """The mean over all plies of some random games, and the mean over the longest lists of steps, in processor time."""
    del directory
    chance = random.Random(0)  # noqa: S311  # repeatable on purpose
    for one in PLIES:
        rules = games.find(one.game, **one.options).rules
        lines = [[step for _, step in islice(playout(rules, chance.choice), LONGEST)] for _ in range(scale.playouts)]
        yield _figure(scale, f"ply.{one.game}", f"one ply of {one.title}", partial(_ply, rules, lines), one.most)
    for one in LISTS:
        rules = games.find(one.game, **one.options).rules
        positions = [state for _ in range(scale.playouts) for state, _ in islice(playout(rules, chance.choice), LONGEST)]
        positions.sort(key=lambda state: len(rules.steps(state)))
        longest = positions[-max(1, len(positions) // 10) :]
        yield _figure(scale, f"steps.{one.game}", f"a long list of steps of {one.title}", partial(_list, rules, longest), one.most)


def _figure(scale: Scale, key: str, what: str, work: Any, most: float) -> Figure:
    measured = alternate(scale.rounds, {"ply": work, "loop": loop})
    return Figure(
        key,
        what,
        "us",
        measured.typical("ply") * 1e6,
        LOOP,
        measured.typical("loop") * 1e6,
        measured.ratio("ply", "loop"),
        Budget(most, absolute=True),
    )


def _ply(rules: Rules[Any, Any], lines: Sequence[Sequence[Any]]) -> float:
    began = process_time()
    for line in lines:
        state = rules.start()
        for step in line:
            rules.steps(state)
            state = rules.apply(state, step)
    return (process_time() - began) / sum(map(len, lines))


def _list(rules: Rules[Any, Any], positions: Sequence[Any]) -> float:
    began = process_time()
    for state in positions:
        rules.steps(state)
    return (process_time() - began) / len(positions)
