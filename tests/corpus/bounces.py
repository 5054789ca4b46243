"""`python -m tests.corpus.bounces DIRECTORY`: read every mail in it as a report, and hold each against `expected.jsonl`, if that is there.

That file has a line for each mail, with an entry `hard` for each recipient. A mail agrees if it is HARD just where all of its recipients
are. Exits with 1 if fewer than TARGET agree.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Final

from turnserver.ids import DeliveryStatus
from turnserver.mail.format.bounces import report

TARGET: Final = 0.95
EXPECTED: Final = "expected.jsonl"


def main(directory: str) -> bool:
    """Read them all and print what disagrees; return whether enough agree."""
    told = Path(directory) / EXPECTED
    entries = map(json.loads, told.read_text("utf-8").splitlines()) if told.exists() else ()
    expected = {entry["file"]: all(one["hard"] for one in entry["reports"]) for entry in entries}
    fates: Counter[DeliveryStatus] = Counter()
    agreeing = 0
    slowest = 0.0
    for path in sorted(path for path in Path(directory).rglob("*") if path.is_file() and (path.name in expected or not expected)):
        raw = path.read_bytes()
        began = process_time()
        found = report(raw)
        slowest = max(slowest, process_time() - began)
        fates[found.fate] += 1
        if expected.get(path.name) == (found.fate is DeliveryStatus.HARD):
            agreeing += 1
        else:
            sys.stdout.write(f"{path.name}: {found.fate}, {len(found.addresses)} addresses: {found.reason[:120]}\n")
    counted = ", ".join(f"{count} {fate}" for fate, count in sorted(fates.items()))
    sys.stdout.write(f"{fates.total()} mails: {counted}; the slowest took {slowest * 1e3:.1f} ms\n")
    if not expected:
        return True
    sys.stdout.write(f"{agreeing} of {len(expected)} agree: {agreeing / len(expected):.1%}\n")
    return agreeing >= TARGET * len(expected)


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
