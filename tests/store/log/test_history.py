"""A stream as text: written, read, and proved; whatever was done to it by hand is found and named."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from msgspec import Raw
from msgspec.structs import replace

from tests.cases import for_each
from turnserver.errors import Malformed, UnknownEvent
from turnserver.ids import PlayerId, Stream, Version
from turnserver.play.events import PlayerEdited, PlayerRegistered
from turnserver.store.log import history, log
from turnserver.store.log.database import Database
from turnserver.store.log.history import Row
from turnserver.store.log.statement import stamp

EIGHT, NINE = Stream("player-8"), Stream("player-9")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_what_is_exported_is_read_back_and_says_what_the_log_says(database: Database) -> None:
    registered, edited = PlayerRegistered(player=PlayerId(8)), PlayerEdited(player=PlayerId(8), fields=("zone",))
    with database.write() as tx:
        first = log.append(tx, EIGHT, Version(0), [registered, edited], at=NOON, actor="player-8", cause="cli:é\u2028", previous=None)
    with database.write() as tx:
        log.append(tx, NINE, Version(0), [PlayerRegistered(player=PlayerId(9))], at=NOON, actor="service", cause="cli:1", previous=None)
    with database.write() as tx:
        log.append(tx, EIGHT, Version(2), [edited], at=NOON, actor="player-8", cause="cli:2", previous=first[-1].hash)
    with database.read() as conn:
        rows, logged = history.load(conn, EIGHT), log.load(conn, EIGHT)
    assert [(row.position, row.version, row.ordinal) for row in rows] == [(1, 1, 0), (2, 2, 1), (4, 3, 0)]
    read = history.read(history.write(rows))
    assert history.write(read) == history.write(rows)
    assert [history.recorded(row) for row in read] == logged
    history.prove(read)


def genuine() -> tuple[Row, ...]:
    """Three rows of a stream as the log makes them."""
    rows: list[Row] = []
    for version, data in enumerate(['{"player":8}', '{"fields":["zone"],"player":8}', '{"fields":["name"],"player":8}'], start=1):
        type_ = "player.edited" if rows else "player.registered"
        columns = (2 * version, EIGHT, version, type_, 1, stamp(NOON), "player-8", f"cli:{version}", 0)
        digest = log.chain(rows[-1].hash if rows else "", (*columns, data))
        rows.append(Row(*columns, data=Raw(data.encode()), hash=digest))
    return tuple(rows)


Tamper = Callable[[tuple[Row, ...]], tuple[Row, ...]]
TAMPERED: list[tuple[str, Tamper, str]] = [
    *(
        (
            f"another {field}",
            lambda rows, field=field, value=value: (rows[0], replace(rows[1], **{field: value}), rows[2]),
            "player-8 version 2 does not have the hash of its contents and its predecessor",
        )
        for field, value in {
            "position": 3,
            "type": "player.registered",
            "schema": 2,
            "at": "2026-03-02T12:00:00.000001Z",
            "actor": "player-9",
            "cause": "cli:7",
            "ordinal": 1,
            "data": Raw(b'{"fields":["name"],"player":8}'),
            "hash": "00" * 32,
        }.items()
    ),
    ("the first removed", lambda rows: rows[1:], "player-8 version 2 stands where version 1 should"),
    ("one removed", lambda rows: (rows[0], rows[2]), "player-8 version 3 stands where version 2 of player-8 should"),
    ("two swapped", lambda rows: (rows[0], rows[2], rows[1]), "player-8 version 3 stands where version 2 of player-8 should"),
    ("one of another stream", lambda rows: (rows[0], replace(rows[1], stream="player-9")), "player-9 version 2 stands where version 2 of"),
    ("positions backwards", lambda rows: (rows[0], replace(rows[1], position=2)), "player-8 version 2 has position 2, which is not after"),
]


@for_each(("tamper", "says"), [pytest.param(tamper, says, id=name) for name, tamper, says in TAMPERED])
def test_what_was_done_by_hand_is_named(tamper: Tamper, says: str) -> None:
    rows = genuine()
    history.prove(rows)
    with pytest.raises(Malformed) as caught:
        history.prove(tamper(rows))
    assert str(caught.value).startswith(says)


UNREADABLE = [
    ("", "line 1 is not a row of the log: "),
    ("{}\n", "line 1 is not a row of the log: Object missing required field"),
    ("\ud800\n", "line 1 is not a row of the log: 'utf-8' codec"),
]


@pytest.mark.parametrize(("text", "says"), UNREADABLE)
def test_a_text_that_is_no_history_is_refused(text: str, says: str) -> None:
    with pytest.raises(Malformed) as caught:
        history.read(text)
    assert str(caught.value).startswith(says)


def test_the_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(Malformed, match=r"^line 2 is not a row"):
        history.read(history.write(genuine()).replace('"version":2', '"version":"2"'))


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"at": "yesterday"}, Malformed, "player-8 version 1 has a damaged envelope: not an instant"),
        ({"hash": "xyz"}, Malformed, "player-8 version 1 has a damaged envelope: non-hexadecimal"),
        ({"type": "player.left"}, UnknownEvent, "there is no event type 'player.left'"),
    ],
)
def test_a_row_that_is_no_event_is_refused(change: dict[str, str], error: type[Exception], says: str) -> None:
    row = genuine()[0]
    assert history.recorded(row).event == PlayerRegistered(player=PlayerId(8))
    with pytest.raises(error, match=says):
        history.recorded(replace(row, **change))
