"""Playing every game of a database again, in several processes at once.

Each process opens the database for itself, is handed a few games at a time, and keeps nothing of those that it has done, so memory does
not grow with the number of games. Whoever ends the loop ends the processes; a process that dies ends the loop with an error.
"""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection

from turnserver import games
from turnserver.audit.bundle.playing import Outcome, played_again
from turnserver.errors import WorkerLost
from turnserver.ids import GameId
from turnserver.play.evolve import Find
from turnserver.store.log.database import Database

AT_ONCE = 50
"""The number of games that a process is handed at a time. So few are played again sooner than another process begins."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def replay(
    url: str, wanted: Sequence[GameId], workers: int, *, busy_timeout_seconds: float = 5.0, find: Find = games.find, at_once: int = AT_ONCE
) -> Iterator[Outcome]:
    """Play the `wanted` games of a database again and yield one outcome a game, in their order if there is one worker.

    With several workers, an outcome is yielded as soon as it is known. `find` must be importable under its name, for the processes to find
    it. There are at most as many processes as handfuls of `at_once` games, and none for a single handful. Raises StoreError if the database
    cannot be opened, and WorkerLost.
    """
    handfuls = -(-len(wanted) // at_once)
    if min(workers, handfuls) <= 1:
        yield from _here(url, wanted, busy_timeout_seconds, find)
        return
    Database.connect(url, busy_timeout_seconds).close()  # what is wrong with it is better said once
    crew = [_Worker(url, busy_timeout_seconds, find) for _ in range(min(workers, handfuls))]
    try:
        yield from _shared_out(crew, iter(wanted), at_once)
    finally:
        for worker in crew:
            worker.end()


def _here(url: str, wanted: Sequence[GameId], busy_timeout_seconds: float, find: Find) -> Iterator[Outcome]:
    db = Database.connect(url, busy_timeout_seconds)
    try:
        for game in wanted:
            yield played_again(db, game, find)
    finally:
        db.close()


class _Worker:
    """A process, and the games that it was handed last."""

    def __init__(self, url: str, busy_timeout_seconds: float, find: Find) -> None:
        context = get_context("spawn")  # a fork would take open connections and locked locks along
        self.line, other_end = context.Pipe()
        self.process = context.Process(target=_work, args=(other_end, url, busy_timeout_seconds, find), daemon=True)
        self.process.start()
        other_end.close()  # from now on it is open in that process alone, so either side notices the death of the other
        self.has: list[GameId] = []

    def hand(self, wanted: list[GameId]) -> None:
        self.has = wanted
        with suppress(OSError):  # it is dead already, which is noticed when its answer is read
            self.line.send(wanted)

    def outcomes(self) -> list[Outcome]:
        try:
            found: list[Outcome] = self.line.recv()
        except (EOFError, OSError) as error:
            self.process.join()
            first, last = self.has[0], self.has[-1]
            raise WorkerLost(
                f"The process that played games {first} to {last} again has died (exit code {self.process.exitcode}). "
                "If memory is short, try fewer --workers."
            ) from error
        return found

    def end(self) -> None:
        """Stop it wherever it is: it only reads."""
        self.line.close()
        self.process.terminate()
        self.process.join()


def _shared_out(crew: Sequence[_Worker], wanted: Iterator[GameId], at_once: int) -> Iterator[Outcome]:
    by_line = {worker.line: worker for worker in crew}
    busy: list[Connection] = []
    for worker in crew:
        worker.hand(list(islice(wanted, at_once)))
        busy.append(worker.line)
    while busy:
        for line in connection.wait(busy):
            assert isinstance(line, Connection)  # noqa: S101  # nothing else is waited for
            outcomes = by_line[line].outcomes()
            if handful := list(islice(wanted, at_once)):
                by_line[line].hand(handful)
            else:
                busy.remove(line)
            yield from outcomes


def _work(line: Connection, url: str, busy_timeout_seconds: float, find: Find) -> None:
    """Play games again in a process of its own until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal interrupts everybody, and whoever has started us ends us
    db = Database.connect(url, busy_timeout_seconds)
    with suppress(EOFError, BrokenPipeError):
        while True:
            line.send([played_again(db, game, find) for game in line.recv()])
