"""The work of a process of the pool, done in the process of the test."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import pytest

from turnserver.audit.workers import _work

begun: list[str] = []


@contextmanager
def doubling(name: str) -> Iterator[Callable[[int], int]]:
    begun.append(f"{name} begins")
    yield lambda number: 2 * number
    begun.append(f"{name} ends")


def no_more_tasks(line: Connection) -> None:
    """Hang up for writing: answers can still be read."""
    with socket.socket(fileno=line.fileno()) as end:
        end.shutdown(socket.SHUT_WR)
        end.detach()


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Keep what an interrupt does to the tests."""
    before = signal.getsignal(signal.SIGINT)
    begun.clear()
    yield
    signal.signal(signal.SIGINT, before)


def test_tasks_are_done_a_handful_at_a_time_until_the_other_side_hangs_up() -> None:
    ours, other = Pipe()
    for tasks in ([1, 2], [], [3]):
        ours.send(tasks)
    no_more_tasks(ours)
    _work(other, doubling, ("one",))
    assert [ours.recv() for _ in range(3)] == [[2, 4], [], [6]]
    assert begun == ["one begins", "one ends"]
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # a terminal interrupts everybody; it is the other side that ends us


def test_nobody_who_waits_for_the_answer_ends_it_too() -> None:
    ours, other = Pipe()
    ours.send([1])
    ours.close()
    _work(other, doubling, ("one",))
    assert begun == ["one begins", "one ends"]
