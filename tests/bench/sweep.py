"""The sweep of deadlines when nothing is due, over few and over very many open games.

The open games are rows of the table of games and nothing else: the sweep looks at no log.
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

from tests.bench.club import Club, copies
from tests.bench.measure import Budget, Figure, alternate
from tests.bench.scale import Scale
from turnserver.service.service import Service
from turnserver.store.games import views

TIMES: Final = 20
"""A sweep is over soon, so there are so many times more rounds."""


LONG: Final = timedelta(days=365)
"""By then every game is due."""


def sweep(directory: Path, scale: Scale) -> Iterator[Figure]:
    """The same sweep over two databases, in turns."""
    few, many = (_club(directory / f"{count}.db", count) for count in (scale.few, scale.many))
    measured = alternate(scale.rounds * TIMES, {"many": partial(_seconds, many), "few": partial(_seconds, few)})
    for service in (few, many):
        service.db.close()
    yield Figure(
        "sweep",
        f"sweep {scale.many:,} open games, none due",
        "ms",
        measured.typical("many") * 1e3,
        f"{scale.few:,} open games",
        measured.typical("few") * 1e3,
        measured.ratio("many", "few"),
        Budget(1.5),
    )


def _club(path: Path, count: int) -> Service:
    club = Club.found(path)
    copies(path, club.open(), count - 1, events=False)
    with club.service.db.read() as conn:
        found = views.due_games(conn, club.service.clock() + LONG, count + 1)
    if len(found) != count:
        raise AssertionError(f"the sweep would find {len(found)} of {count} open games once they are due")
    return club.service


def _seconds(service: Service) -> float:
    began = process_time()
    done = service.upkeep.sweep()
    took = process_time() - began
    if any(done):
        raise AssertionError(f"something was due: {done}")
    return took
