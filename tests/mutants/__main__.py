"""`make mutants`: break the program in every place that the table names, and see that a test fails each time."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import monotonic

from tests.mutants.run import BASELINE_LIMIT, Outcome, Verdict, copy_tree, pytest, try_out
from tests.mutants.table import Mutant, chosen, covering, table


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants out and print what became of each. Return 0 if that is what the table promises, and else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only the mutants of these names")
    parser.add_argument("--room", nargs="+", default=[], metavar="ROOM", help="only those of these folders below turnserver")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried at a time (2)")
    parser.add_argument("--unproved", action="store_true", help="do not run the related tests on the unchanged program first")
    given = parser.parse_args(arguments)
    mutants = chosen(table(), given.only, given.room)
    if not mutants:
        sys.stdout.write("No mutant has that name or room.\n")
        return 1
    began = monotonic()
    with TemporaryDirectory(prefix="turnserver-mutants-") as directory:
        first = copy_tree(Path(directory) / "0")
        if not given.unproved and not _passes(first, mutants, given.workers):
            return 1
        trees = [first, *(copy_tree(Path(directory) / str(number), first) for number in range(1, given.workers))]
        outcomes = list(_shown(_tried(trees, mutants)))
    counts = Counter(outcome.verdict for outcome in outcomes)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    sys.stdout.write(f"{len(outcomes)} mutants: {told}; {monotonic() - began:.0f} seconds\n")
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


def _passes(tree: Path, mutants: Sequence[Mutant], workers: int) -> bool:
    """Return whether all related tests pass on the unchanged program, which leaves its bytecode in the copy."""
    began = monotonic()
    related = covering(test for mutant in mutants for test in mutant.tests)
    ended = pytest(tree, related, limit=BASELINE_LIMIT, workers=workers, keep_bytecode=True)
    if ended.code != 0:
        sys.stdout.write(f"{ended.output}\nThe related tests do not pass on the unchanged program (exit {ended.code}).\n")
        return False
    sys.stdout.write(f"{'unchanged: all related tests pass':62} {monotonic() - began:5.1f}\n")
    return True


def _tried(trees: Sequence[Path], mutants: Sequence[Mutant]) -> Iterator[Outcome]:
    """Yield what becomes of each mutant, in the order of the table; as many at a time as there are trees."""
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(mutant: Mutant) -> Outcome:
        tree = free.get()
        try:
            return try_out(tree, mutant)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        yield from pool.map(one, mutants)


def _shown(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    room = None
    for outcome in outcomes:
        if outcome.mutant.room != room:
            room = outcome.mutant.room
            sys.stdout.write(f"{room}\n")
        why = outcome.mutant.survives if outcome.is_good and outcome.mutant.survives else outcome.why
        sys.stdout.write(f"  {outcome.mutant.name:60} {outcome.seconds:5.1f}  {outcome.verdict:9}  {why}\n")
        sys.stdout.flush()
        yield outcome


if __name__ == "__main__":
    sys.exit(main())
