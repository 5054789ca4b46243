"""A process of its own that works on a database: `python -m tests.store.child ROLE URL ARGUMENTS...`.

It says `ready`, waits for a line and begins, so that a test can let several loose at the same moment.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import psycopg
from sqlalchemy import event

from tests.store.scene import ADA, BOB, GAME, OPENED, RUNNING, SHARED, STREAM, day, turn
from turnserver.errors import AlreadyHandled, Conflict
from turnserver.ids import Stream, Version
from turnserver.play.events import GameOpened
from turnserver.play.evolve import fold
from turnserver.store.games import views
from turnserver.store.log import log, schema
from turnserver.store.log.database import Database, Transaction
from turnserver.store.mail import inbox, outbox


class Abandoned(Exception):
    """A transaction that gives up after it has written everything."""


def say(*words: object) -> None:
    """Tell the test."""
    print(*words, flush=True)  # noqa: T201  # it is how the processes talk


def hear() -> str:
    """Wait for the test."""
    return sys.stdin.readline().strip()


def race(database: Database, name: str) -> None:
    """Decide on what is there, wait, append; decide again if somebody was faster."""
    won = False
    while not won:
        with database.read() as conn:
            known = log.load(conn, SHARED)
        say("decided on", len(known))
        hear()
        try:
            with database.write() as tx:
                played = [turn(len(known), "a1")]
                version = Version(len(known))
                log.append(tx, SHARED, version, played, at=day(1), actor=name, cause=f"mail:{name}", previous=known[-1].hash)
            won = True
        except Conflict:
            say("lost")
    say("won")


def write(database: Database, name: str, count: str) -> None:
    """Append one and two events by turns, to a shared and to an own stream; every third time, first write and then give up."""
    say("ready")
    hear()
    for number in range(int(count)):
        cause = f"job:{name}:{number}"
        if number % 3 == 0:
            with contextlib.suppress(Abandoned), database.write() as tx:
                log.append(tx, Stream(f"player-{name}"), Version(0), [OPENED], at=day(0), actor=name, cause=cause, previous=None)
                raise Abandoned
        _append(database, SHARED if number % 2 else Stream(f"club-{name}"), [OPENED] * (1 + number % 2), name, cause)
    say("done")


def _append(database: Database, stream: Stream, events: list[GameOpened], name: str, cause: str) -> None:
    """Append to whatever is there, deciding again until nobody was faster."""
    appended = False
    while not appended:
        with database.read() as conn:
            known = log.load(conn, stream)
        previous = known[-1].hash if known else None
        with contextlib.suppress(Conflict), database.write() as tx:
            log.append(tx, stream, Version(len(known)), events, at=day(0), actor=name, cause=cause, previous=previous)
            appended = True


def receive(database: Database, name: str, count: str) -> None:
    """Receive the same mails as everybody else."""
    say("ready")
    hear()
    for number in range(int(count)):
        with database.write() as tx:
            inbox.receive(
                tx, identity=f"m{number}", source=name, recipient="us", sender="ada@example.org", received_at=day(number), raw=b"x"
            )
    say("done")


def handle(database: Database, name: str) -> None:
    """Handle new mails until there are none, saying which."""
    say("ready")
    hear()
    waiting = True
    while waiting:
        for item in inbox.claim(database, day(99), 3, timedelta(days=1), "somebody"):
            with database.write() as tx:
                inbox.done(tx, item.id, name, day(99))
            say("handled", item.id)
        with database.read() as conn:
            waiting = inbox.oldest_waiting(conn) is not None
    say("done")


def init(url: str) -> None:
    """Create the tables or bring them up to date, and say which revision was there before; then look for missing indexes."""
    say("ready")
    hear()
    with contextlib.closing(Database.create_or_upgrade(url, 60.0)) as database:
        say(database.revision_before, len(schema.put_back(database)))


def turns(url: str) -> None:
    """For each number that is heard, play the second turn in a process that is killed at that statement; say how it ended."""
    lives(lambda fatal: _play(url, fatal))


def lives(live: Callable[[int], None]) -> None:
    """For each number that is heard, `live` in a process of its own with that number; say how it ended."""
    say("ready")
    while number := hear():
        child = os.fork()
        if child == 0:
            try:
                live(int(number))
            except AlreadyHandled:
                os._exit(3)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        say({0: "done", 3: "handled before", -signal.SIGKILL: "killed"}.get(code, f"broken: {code}"))


def _play(url: str, fatal: int) -> None:
    database, tick = mortal(url, fatal)
    with database.write() as tx:
        play_second_turn(tx)
    tick()


def mortal(url: str, fatal: int) -> tuple[Database, Callable[..., None]]:
    """A database whose process is killed at the statement of that number, counted from here, and what counts one more."""
    database = Database.connect(url)
    database.close()
    statements = 0

    def tick(*_: object) -> None:
        nonlocal statements
        statements += 1
        if statements == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    class Ticking(psycopg.Cursor[Any]):
        """Ticks before it executes."""

        def execute(self, *given: Any, **options: Any) -> "Ticking":  # the driver's own signature
            tick()
            super().execute(*given, **options)
            return self

    @event.listens_for(database.engine, "connect")
    def _watch(driver: Any, _: object) -> None:
        if isinstance(driver, psycopg.Connection):
            driver.cursor_factory = Ticking
        else:
            driver.set_trace_callback(tick)

    return database, tick


def play_second_turn(tx: Transaction) -> None:
    """All that a turn changes: the mail is done, the rows fit, the other one will be told, the event is there."""
    known = log.load(tx, STREAM)
    inbox.done(tx, 1, "played", day(2))
    views.save_game(tx, GAME, fold([*RUNNING, turn(2, "b2")]))
    outbox.queue(
        tx,
        kind="turn",
        player=ADA,
        address=None,
        game=GAME,
        version=Version(len(known) + 1),
        detail={},
        message_id="<2@x>",
        in_reply_to=None,
        at=day(2),
    )
    version = Version(len(RUNNING))
    log.append(tx, STREAM, version, [turn(2, "b2")], at=day(2), actor=f"player-{BOB}", cause="mail:second", previous=known[-1].hash)


STARTING: Mapping[str, Callable[[str], None]] = {"init": init, "turns": turns}
"""Those that open the database themselves."""

ROLES: Mapping[str, Callable[..., None]] = {"race": race, "write": write, "receive": receive, "handle": handle}


def main(role: str, url: str, *rest: str) -> None:
    """Do what the command line says."""
    if role in STARTING:
        STARTING[role](url)
    else:
        ROLES[role](Database.connect(url, 60.0), *rest)


if __name__ == "__main__":
    main(*sys.argv[1:])
