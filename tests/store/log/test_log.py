"""Appending and reading, on both engines."""

import contextlib
import hashlib
import json
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from tests.store.scene import ADA, RUNNING, STREAM, append, day
from turnserver.errors import AlreadyDone, Conflict, StoreError, TurnserverError, UnknownEvent
from turnserver.ids import Event, Position, Recorded, Stream, Version, player_stream
from turnserver.play.events import PlayerEdited, PlayerRegistered
from turnserver.store.log import log
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

REGISTERED = PlayerRegistered(player=ADA)
EDITED = PlayerEdited(player=ADA, fields=("name",))


def load(database: Database, stream: Stream, after: int = 0) -> list[Recorded[Any]]:
    with database.read() as conn:
        return log.load(conn, stream, Version(after))


def test_what_was_appended_is_read_back(database: Database) -> None:
    appended = append(database, player_stream(ADA), [REGISTERED, EDITED], cause="cli:add")

    assert load(database, player_stream(ADA)) == appended
    assert load(database, player_stream(ADA), after=1) == appended[1:]
    assert load(database, player_stream(ADA), after=2) == []
    assert [(each.position, each.version, each.event) for each in appended] == [(1, 1, REGISTERED), (2, 2, EDITED)]
    assert {(each.stream, each.at, each.actor, each.cause) for each in appended} == {("player-1", day(0), "admin:ada", "cli:add")}


def test_streams_are_apart_and_positions_are_shared(database: Database) -> None:
    ada = append(database, Stream("player-1"), [REGISTERED], cause="a")
    bob = append(database, Stream("player-2"), [REGISTERED], cause="a")
    ada = append(database, Stream("player-1"), [EDITED], cause="b", after=ada)

    with database.read() as conn:
        assert log.tail(conn, Position(0), 10) == [ada[0], bob[0], ada[1]]
        assert log.tail(conn, Position(1), 1) == [bob[0]]
        assert log.tail(conn, Position(3), 10) == []
        assert log.last_position(conn) == 3


@pytest.mark.parametrize("actor", ["admin:ada", 'admin:Zoë "the\n\t\x1f admin" \\ \u2028 \U0001f40c \x7f'])
def test_hashes_can_be_recomputed_with_the_standard_library(database: Database, actor: str) -> None:
    known = append(database, STREAM, RUNNING[:2], cause="cli:1", actor=actor)
    append(database, STREAM, RUNNING[2:], cause="mail:ä", actor=actor, after=known)

    with database.read() as conn:
        rows = conn.rows(Statement(text("SELECT * FROM event ORDER BY position")))
    previous = ""
    for *envelope, stored in rows:
        line = previous + "\n" + json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
        assert stored == hashlib.sha256(line.encode()).hexdigest()
        previous = stored
    assert previous == load(database, STREAM)[-1].hash.hex()


class Refused(NamedTuple):
    name: str
    expected: int
    cause: str
    error: type[TurnserverError]


@pytest.mark.parametrize(
    "case",
    [
        Refused("the race is lost", 2, "mail:new", Conflict),
        Refused("the race is lost by a lot", 0, "mail:new", Conflict),
        Refused("the same cause again, decided on what is there now", 3, "mail:first", AlreadyDone),
        Refused("the same cause again, decided on what was there then", 0, "mail:first", AlreadyDone),
        Refused("the same cause as an event in between, and the race is lost too", 2, "mail:second", AlreadyDone),
    ],
    ids=lambda case: case.name,
)
def test_a_refused_append_changes_nothing(database: Database, case: Refused) -> None:
    known = append(database, STREAM, RUNNING[:2], cause="mail:first")
    known = append(database, STREAM, RUNNING[2:3], cause="mail:second", after=known)

    with pytest.raises(case.error) as caught:
        append(database, STREAM, [RUNNING[3]], cause=case.cause, after=known[: case.expected])

    assert type(caught.value) is case.error
    assert load(database, STREAM) == known
    again = append(database, STREAM, RUNNING[3:4], cause="mail:third", after=known)
    assert [each.position for each in again] == [1, 2, 3, 4]


def test_the_same_cause_may_act_on_several_streams(database: Database) -> None:
    append(database, Stream("player-1"), [REGISTERED], cause="cli:1")
    append(database, Stream("player-2"), [REGISTERED], cause="cli:1")

    assert [each.position for each in load(database, Stream("player-2"))] == [2]


def test_whoever_swallows_a_conflict_still_writes_nothing(database: Database) -> None:
    known = append(database, STREAM, RUNNING[:1], cause="mail:first")

    def swallow() -> None:
        with database.write() as tx:
            log.next_number(tx, "game")
            with contextlib.suppress(Conflict):
                log.append(tx, STREAM, Version(0), RUNNING[:1], at=day(1), actor="a", cause="mail:second", previous=None)

    with pytest.raises(StoreError, match="nothing of it was written"):
        swallow()
    assert load(database, STREAM) == known
    with database.write() as tx:
        assert log.next_number(tx, "game") == 1


def test_nothing_to_append_takes_no_position(database: Database) -> None:
    assert append(database, STREAM, [], cause="mail:1") == []
    with database.read() as conn:
        assert log.last_position(conn) == 0


class Unnamed(Event, frozen=True):
    """An event without a name to be stored under."""


def test_what_has_no_name_is_not_stored(database: Database) -> None:
    with pytest.raises(UnknownEvent):
        append(database, STREAM, [RUNNING[0], Unnamed()], cause="mail:1")
    assert load(database, STREAM) == []


@pytest.mark.parametrize(("expected", "previous"), [(0, b"h" * 32), (1, None), (1, b"short")])
def test_an_append_must_know_what_it_follows(database: Database, expected: int, previous: bytes | None) -> None:
    with pytest.raises(ValueError, match="last hash"), database.write() as tx:
        log.append(tx, STREAM, Version(expected), RUNNING[:1], at=day(0), actor="a", cause="c", previous=previous)


def test_numbers_are_given_out_once_and_given_back_on_failure(database: Database) -> None:
    with database.write() as tx:
        assert [log.next_number(tx, "game"), log.next_number(tx, "game"), log.next_number(tx, "player")] == [1, 2, 1]
    with pytest.raises(ZeroDivisionError), database.write() as tx:
        log.next_number(tx, "game") / 0
    with database.write() as tx:
        assert log.next_number(tx, "game") == 3
    with pytest.raises(StoreError, match="'teapot'"), database.write() as tx:
        log.next_number(tx, "teapot")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET actor = 'nobody'",
        "UPDATE event SET actor = actor WHERE position = 1",
        "DELETE FROM event WHERE position = 3",
        "DELETE FROM event",
    ],
)
def test_the_log_refuses_changes(database: Database, statement: str) -> None:
    _refuses(database, statement)


def test_the_log_refuses_to_be_emptied_at_once(postgresql_url: str) -> None:
    database = Database.connect(postgresql_url)
    _refuses(database, "TRUNCATE event")
    database.close()


def test_the_log_refuses_to_be_replaced(sqlite_url: str) -> None:
    database = Database.connect(sqlite_url)
    _refuses(database, "REPLACE INTO event SELECT position, stream, version, type, schema, at, 'x', cause, ordinal, data, hash FROM event")
    database.close()


def _refuses(database: Database, statement: str) -> None:
    known = append(database, STREAM, RUNNING, cause="mail:1")
    with pytest.raises(StoreError, match="append-only"), database.write() as tx:
        tx.run(Statement(text(statement)))
    assert load(database, STREAM) == known
