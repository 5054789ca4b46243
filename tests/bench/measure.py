"""Figures of a benchmark: taken in rounds in which the sides alternate, so that a busy machine slows all of them alike."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple, Self, TypeAlias

from tests.bench.scale import Scale
from turnserver.cli.operate import collect_less_garbage

Side: TypeAlias = Callable[[], float]
"""Does its work once and says how long a unit of it took, in seconds of its own choice of clock."""


@dataclass(frozen=True)
class Budget:
    """The most that a figure may be: its ratio to the baseline, or the figure itself where `absolute`."""

    most: float
    absolute: bool = False


@dataclass(frozen=True)
class Figure:
    """One line of the table: what was measured, in `unit`, and what it is held `against`, in the same unit unless the words say otherwise.

    `ratio` is the median of the rounds' ratios, which need not be the ratio of the medians. `key` is the stable name for JSON.
    """

    key: str
    what: str
    unit: str
    measured: float
    against: str = ""
    baseline: float | None = None
    ratio: float | None = None
    budget: Budget | None = None

    @property
    def met(self) -> bool | None:
        """Return whether the budget is kept; None where there is none."""
        if self.budget is None:
            return None
        value = self.measured if self.budget.absolute else self.ratio
        if value is None:
            raise ValueError(f"{self.key} has a budget for a ratio and no baseline")
        return value <= self.budget.most

    def as_json(self) -> Mapping[str, object]:
        """The figure with its verdict, as plain values."""
        return {
            "key": self.key,
            "what": self.what,
            "unit": self.unit,
            "measured": self.measured,
            "against": self.against or None,
            "baseline": self.baseline,
            "ratio": self.ratio,
            "budget": self.budget and {"most": self.budget.most, "of": "measured" if self.budget.absolute else "ratio"},
            "met": self.met,
        }


Bench: TypeAlias = Callable[[Path, Scale], Iterator[Figure]]
"""Measures in a directory of its own choice beneath the one given."""


def measured(bench: Bench, directory: Path, scale: Scale, *, served: bool = False) -> list[Figure]:
    """Measure in a process of its own, as users have it: after all the other benchmarks, pairing took a third longer.

    With `served`, the process collects garbage as `turnserver serve` does, for work that only `serve` does.
    """
    with ProcessPoolExecutor(1, get_context("spawn"), collect_less_garbage if served else None) as process:
        return process.submit(_figures, bench, directory, scale).result()


def _figures(bench: Bench, directory: Path, scale: Scale) -> list[Figure]:
    return list(bench(directory, scale))


@dataclass(frozen=True)
class Rounds:
    """The time that each side took in each round."""

    times: Mapping[str, Sequence[float]]

    def typical(self, side: str) -> float:
        """The median over the rounds."""
        return median(self.times[side])

    def ratio(self, side: str, baseline: str) -> float:
        """The median over the rounds of one side's time divided by the other's."""
        return median(mine / theirs for mine, theirs in zip(self.times[side], self.times[baseline], strict=True))


class Cost(NamedTuple):
    """Seconds of this process's processor, user and system, and seconds on the wall."""

    processor: float
    wall: float

    @classmethod
    def so_far(cls) -> Self:
        """Return what this process has used up to now."""
        return cls(process_time(), perf_counter())

    def since(self, began: "Cost", units: int) -> "Cost":
        """Return what each of some units of work took that began then."""
        return Cost(*((now - then) / units for now, then in zip(self, began, strict=True)))


def alternate_costs(rounds: int, sides: Mapping[str, Callable[[], Cost]]) -> Mapping[str, Rounds]:
    """Have every side work in turn like `alternate`, and return the rounds by `processor` and `wall`."""
    costs: dict[str, list[Cost]] = {name: [] for name in sides}
    for _ in range(rounds + 1):
        for name, side in sides.items():
            costs[name].append(side())
    return {field: Rounds({name: [getattr(cost, field) for cost in found[1:]] for name, found in costs.items()}) for field in Cost._fields}


REFERENCE: Final = 1_000
LOOP: Final = f"a loop of {REFERENCE:,} shifts and additions"
"""The name of `loop` in the table."""


def loop() -> float:
    """A fixed piece of pure Python, to compare machines by: the mean of many runs, in seconds of processor time."""
    times = 100
    began = process_time()
    for _ in range(times):
        value = 1
        for number in range(REFERENCE):
            value = (value << 1) + number & 0xFFFF_FFFF
    return (process_time() - began) / times


def alternate(rounds: int, sides: Mapping[str, Side]) -> Rounds:
    """Have every side work once a round, after a first round that does not count."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(rounds + 1):
        for name, side in sides.items():
            took = side()
            if number:
                times[name].append(took)
    return Rounds(times)
