"""`python -m tests.corpus.bounces DIRECTORY`: read every file below it as a report, and say how many give an address and a class."""

import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from turnserver.envelope import Fate
from turnserver.mail.bounces import report


def main(directory: str) -> None:
    """Read them all; name those that give nothing."""
    fates: Counter[Fate] = Counter()
    addressed = slowest = 0.0
    for path in sorted(path for path in Path(directory).rglob("*") if path.is_file()):
        raw = path.read_bytes()
        began = perf_counter()
        found = report(raw)
        slowest = max(slowest, perf_counter() - began)
        fates[found.fate] += 1
        addressed += bool(found.addresses)
        if found.fate is Fate.UNCLASSIFIED or not found.addresses:
            sys.stdout.write(f"{path.name}: {found.fate}, {len(found.addresses)} addresses\n")
    total = fates.total()
    counted = ", ".join(f"{count} {fate}" for fate, count in sorted(fates.items()))
    sys.stdout.write(f"{total} mails: {addressed:.0f} with an address; {counted}; the slowest took {slowest * 1e3:.1f} ms\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
