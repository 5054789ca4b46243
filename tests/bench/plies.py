"""One ply: list the legal steps and apply one, in random games; against a fixed piece of pure Python, to compare machines by."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, Final

from tests.bench.measure import Budget, Figure, alternate
from tests.bench.scale import Scale
from turnserver import games
from turnserver.rules import Rules
from turnserver.rules.kit import playout

BUDGETS: Final = {"take": ("Take, side 5", {"size": 5}, 60.0)}
"""Microseconds by game, at the options named."""

REFERENCE: Final = 1_000


def plies(directory: Path, scale: Scale) -> Iterator[Figure]:
    """The mean over all plies of some random games, in processor time."""
    del directory
    for key, (title, options, most) in BUDGETS.items():
        rules = games.find(key, **options).rules
        chance = random.Random(0)  # noqa: S311  # repeatable on purpose
        lines = [[step for _, step in playout(rules, chance.choice)] for _ in range(scale.playouts)]
        measured = alternate(scale.rounds, {"ply": partial(_ply, rules, lines), "loop": _loop})
        yield Figure(
            f"ply.{key}",
            f"one ply of {title}",
            "us",
            measured.typical("ply") * 1e6,
            f"a loop of {REFERENCE:,} shifts and additions",
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


def _loop() -> float:
    times = 100
    began = process_time()
    for _ in range(times):
        value = 1
        for number in range(REFERENCE):
            value = (value << 1) + number & 0xFFFF_FFFF
    return (process_time() - began) / times
