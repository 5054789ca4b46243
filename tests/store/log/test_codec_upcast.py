"""A real change of shape: `game.turn_played` had one text, `move`, where it has `steps` now. Old rows are read and proved as they are."""

from collections.abc import Mapping

import msgspec
import pytest
from sqlalchemy import bindparam, insert

from turnserver import resources
from turnserver.errors import Malformed
from turnserver.ids import EventType, Stream
from turnserver.play.events import EVENT_TYPES, TurnPlayed
from turnserver.play.evolve import fold
from turnserver.store.catalogue import events as catalogue
from turnserver.store.log import history
from turnserver.store.log.codec import Codec
from turnserver.store.log.database import Database, table
from turnserver.store.log.log import chain
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import EventRow

INSERT = Statement(insert(table(EventRow)).values({column.name: bindparam(column.name) for column in table(EventRow).columns}))


def split_move(old: Mapping[str, object]) -> dict[str, object]:
    fields = dict(old)
    fields["steps"] = str(fields.pop("move")).split(";")
    return fields


CODEC = Codec({**EVENT_TYPES, TurnPlayed: EventType("game.turn_played", 2)}, {("game.turn_played", 1): split_move})


def as_it_was(row: history.Row, previous: str) -> history.Row:
    """The row as the program stored it before the change."""
    if row.type == "game.turn_played":
        fields = msgspec.json.decode(row.data)
        fields["move"] = ";".join(fields.pop("steps"))
        row = msgspec.structs.replace(row, data=msgspec.Raw(msgspec.json.encode(fields, order="sorted")))
    columns = msgspec.structs.astuple(row)[:-2]
    return msgspec.structs.replace(row, hash=chain(previous, (*columns, row.text)))


def golden() -> tuple[catalogue.Heading, tuple[history.Row, ...]]:
    return catalogue.read_history((resources.events_dir() / "histories" / "take-retracted.jsonl").read_text(encoding="utf-8"))


@pytest.fixture
def old_game(database: Database) -> tuple[catalogue.Heading, tuple[history.Row, ...]]:
    """A whole game whose rows lie in the database in the old shape, and what it came to."""
    heading, rows = golden()
    previous = ""
    with database.write() as tx:
        for row in rows:
            old = as_it_was(row, previous)
            previous = old.hash
            tx.run(INSERT, **{**msgspec.structs.asdict(old), "data": old.text})
    with database.read() as conn:
        return heading, history.load(conn, Stream(rows[0].stream))


def test_old_rows_are_read_as_they_would_be_written_today(old_game: tuple[catalogue.Heading, tuple[history.Row, ...]]) -> None:
    heading, rows = old_game
    turns = [row for row in rows if row.type == "game.turn_played"]
    assert turns
    assert all(row.schema == 1 and '"move":"' in row.text for row in turns)
    history.prove(rows)
    assert catalogue.ending(fold(history.recorded(row, CODEC.decode).event for row in rows)) == heading.ends


def test_new_rows_are_written_in_the_new_version() -> None:
    turn = CODEC.decode(
        "game.turn_played",
        1,
        '{"clock":null,"move":"a1;b2","received_at":"2026-03-02T18:04:07.000000Z","seat":1,"to_move":null,"turn":1}',
    )
    assert CODEC.encode(turn) == (
        "game.turn_played",
        2,
        '{"clock":null,"received_at":"2026-03-02T18:04:07.000000Z","seat":1,"steps":["a1","b2"],"to_move":null,"turn":1}',
    )


def test_without_its_upcaster_the_old_shape_is_refused_not_guessed() -> None:
    turn = next(row for row in golden()[1] if row.type == "game.turn_played")
    history.recorded(turn)
    with pytest.raises(Malformed, match=r"game.turn_played v1 cannot be read"):
        history.recorded(as_it_was(turn, ""))
