"""A tick never overlaps with itself, never loses a request, and ends cleanly."""

import logging
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from turnserver.errors import DatabaseReplaced, DatabaseUnavailable, StoreError
from turnserver.jobs import Tick
from turnserver.trouble import Trouble

PATIENCE_SECONDS = 30.0


def unexpected(error: DatabaseReplaced) -> None:
    """No tick here meets another database."""
    raise error


class Gate:
    """Work that waits to be let through, and counts."""

    def __init__(self) -> None:
        self.begun, self.through = Event(), Event()
        self.runs = 0
        self.overlaps = 0
        self._inside = 0

    def __call__(self) -> bool:
        self.runs += 1
        self._inside += 1
        self.overlaps += self._inside > 1
        self.begun.set()
        assert self.through.wait(PATIENCE_SECONDS)
        self._inside -= 1
        return False


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.through.set()


def started(tick: Tick, gate: Gate) -> Thread:
    thread = Thread(target=tick)
    thread.start()
    assert gate.begun.wait(PATIENCE_SECONDS)
    return thread


def test_called_while_it_runs_it_runs_once_more_afterwards(gate: Gate) -> None:
    tick = Tick("test", gate, unexpected)
    thread = started(tick, gate)
    for _ in range(5):
        tick()
    assert gate.runs == 1
    gate.through.set()
    thread.join()
    assert (gate.runs, gate.overlaps) == (2, 0)


def test_it_goes_on_while_there_is_more_to_do() -> None:
    left = [1, 2, 3]
    Tick("test", lambda: bool(left.pop()) and bool(left), unexpected)()
    assert left == []


@pytest.mark.parametrize("error", [StoreError("locked"), ZeroDivisionError("nobody foresaw it")])
def test_an_error_is_logged_and_the_next_call_works(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    outcomes: list[Exception | None] = [None, error]

    def work() -> bool:
        if outcome := outcomes.pop():
            raise outcome
        return False

    tick = Tick("read inbox", work, unexpected)
    tick()
    assert "read inbox" in caplog.text
    assert str(error) in caplog.text
    assert ("Traceback" in caplog.text) is not isinstance(error, StoreError)
    tick()
    assert outcomes == []


def test_only_who_is_first_to_ask_has_to_call(gate: Gate) -> None:
    tick = Tick("test", gate, unexpected)
    assert [tick.ask(), tick.ask()] == [True, False]
    thread = started(tick, gate)
    assert not tick.ask()
    gate.through.set()
    thread.join()
    assert gate.runs == 2
    assert tick.ask()


def test_closing_waits_for_the_batch_under_way_and_nothing_runs_afterwards(gate: Gate) -> None:
    tick = Tick("test", gate, unexpected)
    running = started(tick, gate)
    tick()
    let_through: list[bool] = []

    def close() -> None:
        tick.close()
        let_through.append(gate.through.is_set())

    closing = Thread(target=close)
    closing.start()
    gate.through.set()
    closing.join(PATIENCE_SECONDS)
    running.join(PATIENCE_SECONDS)
    assert let_through == [True]
    before = gate.runs
    tick()
    assert gate.runs == before


def test_an_outage_is_two_lines_however_long_it_is(caplog: pytest.LogCaptureFixture) -> None:
    away: list[Exception] = [DatabaseUnavailable(f"no database: it {does}") for does in ("starts up", "does not answer", "shuts down")]
    trouble = [*away, *[StoreError("gone")] * 500] + [ZeroDivisionError("odd")] * 500

    def work() -> bool:
        if trouble:
            raise trouble.pop()
        return False

    tick = Tick("read inbox", work, unexpected)
    for _ in range(1100):
        tick()
    said = [record.getMessage() for record in caplog.records]
    assert [line.partition(";")[0] for line in said] == [
        "read inbox: nobody foresaw this: ZeroDivisionError: odd",
        "read inbox: gone",
        "read inbox: no database: it shuts down",
        "read inbox: works again, after 1003 failures",
    ]


FLAPS: dict[str, tuple[str, list[str]]] = {
    # each character is a minute: f and g are failures, a dot is work that is done, and a blank is none
    "one failure": ("f.", ["full", "works again, after 1 failure, 60 seconds ago"]),
    "a disk that is nearly full": ("ff." + "f." * 60, ["full", "works again, after 2 failures, 60 seconds ago", "full"]),
    "and that is given room": (
        "f.f..f......",
        ["full", "works again, after 1 failure, 60 seconds ago", "full", "works again, after 3 failures, 300 seconds ago"],
    ),
    "another error meanwhile": ("f.f.g", ["full", "works again, after 1 failure, 60 seconds ago", "full", "gone"]),
    "two outages": ("f......f.", ["full", "works again, after 1 failure, 60 seconds ago"] * 2),
    "two outages, and nobody there in between": ("f.    f.", ["full", "works again, after 1 failure, 60 seconds ago"] * 2),
    "two outages, the first of which came back": (
        "f.f.    f.",
        ["full", "works again, after 1 failure, 60 seconds ago", "full", "full", "works again, after 1 failure, 60 seconds ago"],
    ),
}


@pytest.mark.parametrize(("course", "lines"), FLAPS.values(), ids=FLAPS)
def test_an_outage_is_over_when_it_stays_away(course: str, lines: list[str], caplog: pytest.LogCaptureFixture) -> None:
    passed = 0.0
    trouble = Trouble(logging.getLogger("test"), "sweep", lambda: passed)
    for step in course:
        passed += 60
        if step == ".":
            trouble.works()
        elif step != " ":
            trouble.failed({"f": "full", "g": "gone"}[step])
    assert [line.removeprefix("sweep: ").partition("; while")[0].replace("; the last was", ",") for line in caplog.messages] == lines
