"""Every change by hand to the log, with its triggers dropped, is found and named."""

# ruff: noqa: S608  # tampering is SQL made of our own columns

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from tests.shortened import shortened
from tests.store.scene import ADA, GAME, RUNNING, add_players, append, play_game
from turnserver.ids import EventType, Stream
from turnserver.play.events import EVENT_TYPES, PlayerEdited, PlayerRegistered
from turnserver.store.log import verify as audit
from turnserver.store.log.codec import Codec
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.log import chain
from turnserver.store.log.statement import Statement
from turnserver.store.log.verify import Finding

COLUMNS = ("position", "stream", "version", "type", "schema", "at", "actor", "cause", "ordinal", "data", "hash")
DROP = {
    "sqlite": ["DROP TRIGGER event_no_update", "DROP TRIGGER event_no_delete"],
    "postgresql": ["DROP TRIGGER event_append_only ON event"],
}


class Undone(Exception):
    """Ends a transaction without a trace."""


def execute(tx: Transaction, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Run raw SQL, past everything that the store would refuse."""
    words, bind = Statement(text(statement)).compile(tx.database.engine.dialect)
    cursor = tx._driver.execute(words, bind(values))
    return cursor.fetchall() if cursor.description else []


@contextmanager
def undone(tx: Transaction) -> Iterator[None]:
    """Undo whatever the block does."""
    execute(tx, "SAVEPOINT before")
    try:
        yield
    finally:
        execute(tx, "ROLLBACK TO before")


def write_log(database: Database) -> None:
    """Seven events of two streams, which alternate."""
    with database.write() as tx:
        add_players(tx)
    first = append(database, Stream("player-1"), [PlayerRegistered(player=ADA)], cause="cli:1", actor="admin:Zoë")
    play_game(database, GAME, RUNNING)
    append(database, Stream("player-1"), [PlayerEdited(player=ADA, fields=("name", "zone"))], cause="cli:2", after=first)


@pytest.fixture
def tampering(database: Database) -> Iterator[Transaction]:
    """A transaction in which the log can be changed, on a log without a flaw; nothing of it is kept."""
    write_log(database)
    with suppress(Undone), database.write() as tx:
        assert list(audit.verify(tx)) == []
        for statement in DROP[database.engine.dialect.name]:
            execute(tx, statement)
        yield tx
        raise Undone


def test_a_log_as_it_was_written_has_no_flaw(database: Database) -> None:
    with database.read() as conn:
        assert list(audit.verify(conn)) == []
    write_log(database)
    checked: list[int] = []
    with database.read() as conn:
        assert list(audit.verify(conn, checked.append)) == []
    assert checked == [7]


def changes(value: str | int) -> Iterator[str | int | bytes]:
    """The value with one byte changed, for every byte; a number's bytes are its digits."""
    if isinstance(value, int):
        digits = str(value)
        for place in range(len(digits)):
            for digit in "0123456789":
                if digit != digits[place]:
                    yield int(digits[:place] + digit + digits[place + 1 :])
        return
    raw = value.encode()
    for place, byte in enumerate(raw):
        for flipped in (byte ^ 1, byte ^ 0x80):
            yield raw[:place] + bytes([flipped]) + raw[place + 1 :]


def set_column(tx: Transaction, column: str, position: int, value: str | int | bytes) -> bool:
    """Put a value into a column; False if the engine itself does not have it there."""
    setting = ":value"
    if isinstance(value, bytes):
        if tx.database.engine.dialect.name == "sqlite":
            setting = "CAST(:value AS TEXT)"
        else:
            try:
                value = value.decode()
            except UnicodeDecodeError:
                return False
    try:
        execute(tx, f"UPDATE event SET {column} = {setting} WHERE position = :at", value=value, at=position)
    except tx.database.driver_error:
        return False
    return True


@pytest.mark.thorough
@pytest.mark.parametrize("every", shortened([6, 1]))
@pytest.mark.parametrize("column", COLUMNS)
def test_every_changed_byte_is_found_and_named(tampering: Transaction, column: str, every: int) -> None:
    tried = 0
    for *_, value, position in [*execute(tampering, f"SELECT {column}, position FROM event ORDER BY position")][::every]:
        for changed in changes(value):
            with undone(tampering):
                if set_column(tampering, column, position, changed):
                    tried += 1
                    found = list(audit.verify(tampering))
                    assert _names(found, column, position), (position, value, changed, found)
    assert tried * every >= 7


def _names(found: Sequence[Finding], column: str, position: int) -> bool:
    """Return whether the findings are about the event at a position and, unless others came to lack it, about no other."""
    if column == "position":
        missing = (f"position {position} is missing", f"positions {position} to ", f"position {position} is taken twice")
        return any(each.problem.startswith(missing) for each in found)
    named = {each.position for each in found}
    return position in named if column in {"stream", "version"} else named == {position}


class Damage(NamedTuple):
    """Statements that damage the log, and of whom the findings must speak, in this order, with which words."""

    name: str
    statements: tuple[str, ...]
    found: tuple[tuple[int | None, str | None, int | None, str], ...]


def swap(one: int, other: int) -> tuple[str, ...]:
    """Exchange two rows but for their positions."""
    columns = ", ".join(COLUMNS[1:])
    return (
        f"CREATE TEMPORARY TABLE aside AS SELECT * FROM event WHERE position IN ({one}, {other})",
        f"DELETE FROM event WHERE position IN ({one}, {other})",
        f"INSERT INTO event SELECT {one}, {columns} FROM aside WHERE position = {other}",
        f"INSERT INTO event SELECT {other}, {columns} FROM aside WHERE position = {one}",
    )


FORGED = """INSERT INTO event SELECT {position}, stream, {version}, type, schema, at, actor, 'mail:forged', 0, data, hash
FROM event WHERE position = 6"""
CHANGED = "does not fit"

# the log: 1 is player-1's first event, 2 to 6 are game-1's five, 7 is player-1's second
DAMAGES = [
    Damage(
        "the first event removed",
        ("DELETE FROM event WHERE position = 1",),
        (
            (2, "game-1", 1, "position 1 is missing"),
            (7, "player-1", 2, "version 1 of the stream is missing"),
        ),
    ),
    Damage(
        "an event removed from the middle",
        ("DELETE FROM event WHERE position = 4",),
        (
            (5, "game-1", 4, "position 4 is missing"),
            (5, "game-1", 4, "version 3 of the stream is missing"),
        ),
    ),
    Damage(
        "several removed",
        ("DELETE FROM event WHERE position IN (3, 4)",),
        (
            (5, "game-1", 4, "positions 3 to 4 are missing"),
            (5, "game-1", 4, "version 3 of the stream is missing"),
        ),
    ),
    Damage(
        "the last event removed",
        ("DELETE FROM event WHERE position = 7",),
        ((None, None, None, "positions 7 to 7 are missing at the end"),),
    ),
    Damage(
        "the tail removed and the counter turned back",
        (
            "DELETE FROM event WHERE position >= 6",
            "UPDATE counter SET value = 5 WHERE name = 'position'",
        ),
        ((None, "game-1", 4, "row is at version 5, its stream at 4"),),
    ),
    Damage(
        "a whole game removed, and the positions closed up",
        (
            "DELETE FROM event WHERE stream = 'game-1'",
            "UPDATE event SET position = 2 WHERE position = 7",
            "UPDATE counter SET value = 2 WHERE name = 'position'",
        ),
        ((2, "player-1", 2, CHANGED), (None, "game-1", None, "row is at version 5, its stream at 0")),
    ),
    Damage(
        "everything removed",
        ("DELETE FROM event",),
        (
            (None, None, None, "positions 1 to 7 are missing at the end"),
            (None, "game-1", None, "row is at version 5, its stream at 0"),
        ),
    ),
    Damage("two events of a stream swapped", swap(3, 5), ((3, "game-1", 4, CHANGED), (5, "game-1", 2, CHANGED))),
    Damage("neighbours swapped", swap(3, 4), ((3, "game-1", 3, CHANGED), (4, "game-1", 2, CHANGED))),
    Damage("events of two streams swapped", swap(1, 4), ((1, "game-1", 3, CHANGED), (4, "player-1", 1, CHANGED))),
    Damage(
        "an event put in at the end",
        (FORGED.format(position=8, version=6),),
        (
            (8, "game-1", 6, CHANGED),
            (None, None, None, "the counter of positions stands at 7, the last event at 8"),
            (None, "game-1", 6, "row is at version 5, its stream at 6"),
        ),
    ),
    Damage(
        "an event put in before everything",
        (FORGED.format(position=0, version=6),),
        (
            (0, "game-1", 6, "below 1"),
            (0, "game-1", 6, CHANGED),
            (None, "game-1", 6, "row is at version 5, its stream at 6"),
        ),
    ),
    Damage(
        "a version below 1",
        ("UPDATE event SET version = 0 WHERE position = 2",),
        (
            (2, "game-1", 0, "versions begin at 1"),
            (3, "game-1", 2, "version 1 of the stream is missing"),
        ),
    ),
    Damage(
        "a hash exchanged for that of another event",
        ("UPDATE event SET hash = (SELECT hash FROM event WHERE position = 2) WHERE position = 4",),
        ((4, "game-1", 3, CHANGED),),
    ),
    Damage(
        "the counter moved on",
        ("UPDATE counter SET value = 9 WHERE name = 'position'",),
        ((None, None, None, "positions 8 to 9 are missing at the end"),),
    ),
    Damage(
        "the counter removed",
        ("DELETE FROM counter",),
        ((None, None, None, "the counter of positions stands at 0, the last event at 7"),),
    ),
    Damage("a game's row turned back", ("UPDATE game SET version = 4",), ((None, "game-1", 5, "row is at version 4, its stream at 5"),)),
    Damage("a game's row removed", ("DELETE FROM seat", "DELETE FROM game"), ((None, "game-1", None, "the game has no row"),)),
]


def found_by_pages(tx: Transaction) -> list[Finding]:
    """Return what is found if small pages are looked at by themselves first, and those that are sound are not read again."""
    sound = 0
    for page in audit.pages(tx, 3):
        sound = page.last if page.after == sound and not list(audit.faults(tx, page)) else sound
    return list(audit.verify(tx, sound=sound))


@pytest.mark.parametrize("case", DAMAGES, ids=lambda case: case.name)
def test_damage_is_found_and_named(tampering: Transaction, case: Damage) -> None:
    for statement in case.statements:
        execute(tampering, statement)

    found = list(audit.verify(tampering))

    assert [(each.position, each.stream, each.version) for each in found] == [each[:3] for each in case.found]
    for each, expected in zip(found, case.found, strict=True):
        assert expected[3] in each.problem
    assert found_by_pages(tampering) == found


class Rewrite(NamedTuple):
    """A change to an event whose hash is then computed anew, so that only its meaning can give it away."""

    name: str
    change: str
    problem: str


@pytest.mark.parametrize(
    "case",
    [
        Rewrite("spaces", "UPDATE event SET data = replace(data, ',', ', ') WHERE position = 7", "not canonical"),
        Rewrite("another order", r"""UPDATE event SET data = '{"player"\:1,"fields"\:[]}' WHERE position = 7""", "not canonical"),
        Rewrite("no JSON", "UPDATE event SET data = '{' WHERE position = 7", "cannot be read"),
        Rewrite("another shape", "UPDATE event SET data = '{}' WHERE position = 7", "cannot be read"),
        Rewrite("an unknown type", "UPDATE event SET type = 'player.erased' WHERE position = 7", "cannot be read"),
        Rewrite("an unknown schema", "UPDATE event SET schema = 99 WHERE position = 7", "cannot be read"),
        Rewrite("another spelling of an instant", "UPDATE event SET at = '2026-03-02T12:00:00Z' WHERE position = 7", "cannot be read"),
    ],
    ids=lambda case: case.name,
)
def test_what_could_not_have_been_written_is_found_even_with_a_fitting_hash(tampering: Transaction, case: Rewrite) -> None:
    execute(tampering, case.change)
    ((*envelope,),) = execute(tampering, "SELECT * FROM event WHERE position = 7")
    ((before,),) = execute(tampering, "SELECT hash FROM event WHERE position = 1")
    execute(tampering, "UPDATE event SET hash = :hash WHERE position = 7", hash=chain(before, tuple(envelope[:-1])))

    (finding,) = audit.verify(tampering)

    assert (finding.position, finding.stream, finding.version) == (7, "player-1", 2)
    assert case.problem in finding.problem
    assert found_by_pages(tampering) == [finding]


LATER = Codec({**EVENT_TYPES, PlayerEdited: EventType("player.edited", 2)}, {("player.edited", 1): dict})
"""A later program, which reads the events of this one but does not write them any more."""


def test_events_of_outdated_versions_are_not_judged_by_the_newest(tampering: Transaction) -> None:
    assert list(audit.verify(tampering, codec=LATER)) == []


def test_outdated_events_must_be_canonical_too(tampering: Transaction) -> None:
    execute(tampering, "UPDATE event SET data = replace(data, ',', ', ') WHERE position = 7")
    problems = [each.problem for each in audit.verify(tampering, codec=LATER)]
    assert any("not canonical" in problem for problem in problems)


@pytest.mark.parametrize(("column", "value"), [("data", b"{}"), ("version", "one"), ("actor", 1.5), ("at", b"2026")])
def test_values_of_another_kind_are_found(sqlite_url: str, column: str, value: object) -> None:
    database = Database.connect(sqlite_url)
    write_log(database)
    with database.write() as tx:
        for statement in DROP["sqlite"]:
            execute(tx, statement)
        execute(tx, f"UPDATE event SET {column} = :value WHERE position = 7", value=value)

    with database.read() as conn:
        (finding,) = audit.verify(conn)
    assert finding.position == 7
    # SQLite turns a number into text in a column of text, which leaves the hash to find it
    assert finding.problem.startswith(column) or (column == "actor" and CHANGED in finding.problem)
    database.close()


def test_bytes_that_are_no_text_at_all_do_not_stop_the_audit(sqlite_url: str) -> None:
    database = Database.connect(sqlite_url)
    write_log(database)
    with database.write() as tx:
        for statement in DROP["sqlite"]:
            execute(tx, statement)
        for column in ("hash", "actor"):
            execute(tx, f"UPDATE event SET {column} = CAST(:value AS TEXT) WHERE position = 1", value=b"\xff\xfe")

    with database.read() as conn:
        found = [(each.position, each.problem) for each in audit.verify(conn)]
    assert [position for position, _ in found] == [1, 7]
    assert "not UTF-8" in found[0][1]
    assert CHANGED in found[1][1]
    database.close()
