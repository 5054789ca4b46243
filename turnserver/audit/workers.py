"""Work shared out among processes.

Each process is handed a few tasks at a time and keeps nothing of those that it has done, so memory does not grow with their number.
Whoever ends the loop ends the processes; a process that dies ends the loop with an error.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeAlias, TypeVar

from turnserver.errors import WorkerLost

TaskT = TypeVar("TaskT")
DoneT = TypeVar("DoneT")

Begin: TypeAlias = Callable[..., AbstractContextManager[Callable[[TaskT], DoneT]]]
"""Opens what a process needs, and gives the function for a task. It must be importable under its name, for the processes to find it."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class WorkerPool(Generic[TaskT, DoneT]):
    """At most `workers` processes, each of which is handed `at_once` tasks at a time. `describe` says in an error what tasks did."""

    begin: Begin[TaskT, DoneT]
    describe: Callable[[Sequence[TaskT]], str]
    workers: int
    at_once: int

    def run(self, tasks: Iterable[TaskT], *given: object) -> Iterator[DoneT]:
        """Yield the result of each task, in the order of tasks. `given` are the arguments of `begin`, read after the first task is drawn.

        There are at most as many processes as handfuls of tasks, and none for a single handful. Raises WorkerLost.
        """
        drawn = iter(tasks)
        handfuls = iter(lambda: list(islice(drawn, self.at_once)), [])
        first = list(islice(handfuls, self.workers))
        with self.begin(*given) as do:
            if len(first) <= 1:
                for handful in chain(first, handfuls):
                    yield from map(do, handful)
                return
        workers = [_Worker(self, given) for _ in first]
        try:
            yield from _in_order(workers, enumerate(chain(first, handfuls)))
        finally:
            for worker in workers:
                worker.end()


def _in_order(workers: Sequence["_Worker[TaskT, DoneT]"], handfuls: Iterator[tuple[int, list[TaskT]]]) -> Iterator[DoneT]:
    by_line = {worker.line: worker for worker in workers}
    for worker in workers:
        worker.hand(*next(handfuls))
    # One handful is drawn while all are busy, so that nobody has to wait for it.
    ready = next(handfuls, None)
    busy, done, due = [*by_line], dict[int, list[DoneT]](), 0
    while busy:
        for line in connection.wait(busy):
            assert isinstance(line, Connection)  # noqa: S101  # nothing else is waited for
            worker = by_line[line]
            done[worker.number] = worker.results()
            if ready is None:
                busy.remove(line)
            else:
                worker.hand(*ready)
                ready = next(handfuls, None)
        while due in done:
            yield from done.pop(due)
            due += 1


class _Worker(Generic[TaskT, DoneT]):
    """A process, and the handful of tasks that it was handed last."""

    def __init__(self, pool: WorkerPool[TaskT, DoneT], given: Sequence[object]) -> None:
        # A fork would take open connections and locked locks along.
        context = get_context("spawn")
        self.line, other_end = context.Pipe()
        self.process = context.Process(target=_work, args=(other_end, pool.begin, given), daemon=True)
        self.process.start()
        # From now on it is open in that process alone, so either side notices the death of the other.
        other_end.close()
        self.describe = pool.describe
        self.number = 0
        self.has: list[TaskT] = []

    def hand(self, number: int, tasks: list[TaskT]) -> None:
        self.number, self.has = number, tasks
        # If it is dead already, that is noticed when its answer is read.
        with suppress(OSError):
            self.line.send(tasks)

    def results(self) -> list[DoneT]:
        try:
            found: list[DoneT] = self.line.recv()
        except (EOFError, OSError) as error:
            self.process.join()
            raise WorkerLost(
                f"The process that {self.describe(self.has)} has died (exit code {self.process.exitcode}). "
                "If memory is short, try fewer --workers."
            ) from error
        return found

    def end(self) -> None:
        """Stop it wherever it is: it only reads."""
        self.line.close()
        self.process.terminate()
        self.process.join()


def _work(line: Connection, begin: Begin[Any, Any], given: Sequence[object]) -> None:
    # The terminal interrupts everybody, and whoever has started us ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with begin(*given) as do, suppress(EOFError, BrokenPipeError):
        while True:
            line.send([do(task) for task in line.recv()])
