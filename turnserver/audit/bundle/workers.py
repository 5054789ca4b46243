"""Games of a bundle played again by several processes, a handful at a time, so that memory does not grow with their number."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

from turnserver.audit.bundle.streams import Played, Vacations, play
from turnserver.errors import StoreError
from turnserver.store.log import history

HANDFUL: Final = 20
"""So many games are handed to a process at a time."""

_AHEAD: Final = 3
"""So many handfuls wait for each process, at the most."""

_declared: Vacations = {}


class Crew:
    """Plays games again, here if there is one worker, else in as many processes. To be closed."""

    def __init__(self, workers: int, vacations: Vacations) -> None:
        self._vacations = vacations
        self._most = workers * _AHEAD
        self._handful: list[list[bytes]] = []
        self._pending: deque[Future[list[Played]]] = deque()
        context = get_context("spawn")  # a fork would take locked locks along
        self._pool = ProcessPoolExecutor(workers, context, _begin, (vacations,)) if workers > 1 else None

    def hand(self, lines: list[bytes]) -> Iterator[Played]:
        """Take the lines of one more game; gives what came of earlier ones."""
        if self._pool is None:
            yield _played(lines, self._vacations)
            return
        self._handful.append(lines)
        if len(self._handful) == HANDFUL:
            yield from self._send(self._pool, self._most)

    def rest(self) -> Iterator[Played]:
        """What came of all others."""
        if self._pool is not None:
            yield from self._send(self._pool, 0)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _send(self, pool: ProcessPoolExecutor, most: int) -> Iterator[Played]:
        try:
            if self._handful:
                self._pending.append(pool.submit(_all, self._handful))
                self._handful = []
            while len(self._pending) > most:
                yield from self._pending.popleft().result()
        except BrokenProcessPool as error:
            raise StoreError("A process that played games again has died. If memory is short, try fewer --workers") from error


def _begin(vacations: Vacations) -> None:
    global _declared  # noqa: PLW0603  # once in a process, when it begins
    _declared = vacations


def _all(several: Sequence[list[bytes]]) -> list[Played]:
    return [_played(lines, _declared) for lines in several]


def _played(lines: Sequence[bytes], vacations: Vacations) -> Played:
    return play([history.read_line(line) for line in lines], vacations)
