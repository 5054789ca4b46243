"""`make bench`: measure the budgets and print them as a table."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from tests.bench.accept import accept
from tests.bench.audit import audit
from tests.bench.commands import commands
from tests.bench.disk import DISK, disk
from tests.bench.fold import fold
from tests.bench.leagues import leagues
from tests.bench.load import load
from tests.bench.mails import mails
from tests.bench.measure import Figure
from tests.bench.memory import memory
from tests.bench.pages import pages
from tests.bench.peers import peers
from tests.bench.plies import plies
from tests.bench.report import show, write
from tests.bench.scale import FULL, QUICK, Scale
from tests.bench.sweep import sweep
from tests.bench.visitors import visitors

Bench: TypeAlias = Callable[[Path, Scale], Iterator[Figure]]

BENCHES: Final[tuple[Bench, ...]] = (
    disk,
    accept,
    mails,
    load,
    fold,
    peers,
    plies,
    sweep,
    memory,
    audit,
    leagues,
    commands,
    pages,
    visitors,
)


def measured(bench: Bench, directory: Path, scale: Scale) -> list[Figure]:
    """Measure in this process."""
    return list(bench(directory, scale))


def measured_alone(bench: Bench, directory: Path, scale: Scale) -> list[Figure]:
    """Measure in a process of its own, as users have it: what others leave in memory has made a benchmark take up to half as long again."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(measured, bench, directory, scale).result()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run every benchmark in turn; over-budget figures are shown as such and are no failure of the program."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file, too")
    parser.add_argument("--quick", action="store_true", help="only see whether everything runs; the figures mean nothing")
    parser.add_argument("--directory", type=Path, default=DISK, help="the disk to measure on")
    given = parser.parse_args(arguments)
    # To start a process takes longer than most of these do when only one thing is measured.
    scale, measure = (QUICK, measured) if given.quick else (FULL, measured_alone)
    figures: list[Figure] = []
    with TemporaryDirectory(prefix="turnserver-bench-", dir=given.directory) as directory:
        for bench in BENCHES:
            sys.stderr.write(f"{bench.__name__} ...\n")
            figures += measure(bench, Path(directory), scale)
    show(figures)
    if given.json:
        write(figures, given.json)


if __name__ == "__main__":
    main()
