"""`make bench`: measure the budgets and print them as a table."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.accept import accept
from tests.bench.audit import audit
from tests.bench.commands import commands
from tests.bench.disk import DISK, disk
from tests.bench.fold import fold
from tests.bench.leagues import leagues
from tests.bench.load import load
from tests.bench.mails import mails
from tests.bench.measure import Bench, Figure, measured
from tests.bench.memory import memory
from tests.bench.pages import pages
from tests.bench.peers import peers
from tests.bench.plies import plies
from tests.bench.report import show, write
from tests.bench.scale import FULL, QUICK
from tests.bench.sweep import sweep
from tests.bench.visitors import visitors

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
SERVED: Final = frozenset({accept, mails, fold, sweep, pages})
"""The benchmarks of work that `turnserver serve` does, done in the process that measures."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run every benchmark in turn; over-budget figures are shown as such and are no failure of the program."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file, too")
    parser.add_argument("--quick", action="store_true", help="only see whether everything runs; the figures mean nothing")
    parser.add_argument("--directory", type=Path, default=DISK, help="the disk to measure on")
    given = parser.parse_args(arguments)
    scale = QUICK if given.quick else FULL
    figures: list[Figure] = []
    with TemporaryDirectory(prefix="turnserver-bench-", dir=given.directory) as directory:
        for bench in BENCHES:
            sys.stderr.write(f"{bench.__name__} ...\n")
            figures += measured(bench, Path(directory), scale, served=bench in SERVED)
    show(figures)
    if given.json:
        write(figures, given.json)


if __name__ == "__main__":
    main()
