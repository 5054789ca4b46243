"""The speed of proving a whole log, against reading and digesting it: its hashes, and every game played again under its rules."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

from tests.bench.club import settings
from tests.bench.measure import Budget, Figure, alternate
from tests.bench.scale import Scale
from tests.scale.filling import fill
from turnserver.audit import derived_rows
from turnserver.audit.parts import Audited, Parts, audited
from turnserver.service.service import Service

SEED = 2027
"""Its first games are of the kinds that a million events are of, nearly in their shares, as `make scale` plays them."""
PROCESSES = 2
_ROOT = Path(__file__).parents[2]


def audit(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Processor time an event: of parts that processes share, and that wait for nobody, half on two.

    What a process takes to begin is left out, since it counts for nothing in a long log; `make scale` has it all, on the wall.
    """
    path = directory / "audit.db"
    service = Service.initialise(settings(path))
    for _ in fill(service, 1, SEED, workers=1, at_once=scale.audited, ahead=1):
        pass
    with service.db.read() as conn:
        whole = Parts.of(conn)
    sides: dict[str, Callable[[], float]] = {
        "reading": partial(_read, path, whole.events),
        "hashes": _timed(lambda: _checked(service, whole._replace(games=[]))),
        "rules": _timed(lambda: _checked(service, whole._replace(pages=[]))),
        "verify": _timed(lambda: _verified(service, whole)),
    }
    measured = alternate(min(scale.rounds, 3), sides)
    service.db.close()
    verify, reading = (measured.typical(name) / whole.events * 1e6 for name in ("verify", "reading"))
    yield Figure(
        "audit",
        f"verify a log of several games, on {PROCESSES} processors",
        "us/event",
        verify / PROCESSES,
        "reading and digesting",
        reading,
        measured.ratio("verify", "reading") / PROCESSES,
        Budget(10),
    )
    yield Figure("audit.hashes", "verify hashes and form of the log", "events/s", whole.events / measured.typical("hashes"))
    yield Figure("audit.rules", "play recorded games again", "events/s", whole.events / measured.typical("rules"))


def _read(path: Path, events: int) -> float:
    """Read and digest in a process of its own: in this one, the same has taken up to half as long again."""
    command = [sys.executable, "-m", "tests.scale.bare", str(path)]
    done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True)
    count, _, seconds = done.stdout.split(", ")
    assert count == f"{events} events"
    return float(seconds)


def _timed(side: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        began = process_time()
        side()
        return process_time() - began

    return run


def _checked(service: Service, parts: Parts) -> Audited:
    found = audited(service.settings.database.url, parts, 1, at_once=len(parts.pages) + len(parts.games))
    if found.games or found.sound != parts.events:
        raise AssertionError(found)
    return found


def _verified(service: Service, whole: Parts) -> None:
    found = _checked(service, whole)
    with service.db.read() as conn:
        wrong = list(derived_rows.verify(conn, found.tallies))
    if wrong:
        raise AssertionError(wrong)
