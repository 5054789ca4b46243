"""Differences from the migrations are named, and put back where they can be."""

from typing import NamedTuple

import pytest

from turnserver.store.log import schema
from turnserver.store.log.database import Database

pytestmark = pytest.mark.thorough


class Case(NamedTuple):
    """Statements by engine, and what is said of them. What is `mended` stands there as before after `put_back`."""

    name: str
    sqlite: str
    postgresql: str
    says: str
    mended: bool = True


CASES = [
    Case("a trigger is gone", "DROP TRIGGER event_no_update", "DROP TRIGGER event_append_only ON event", "is missing"),
    Case("that of checkpoints", "DROP TRIGGER checkpoint_no_delete", "DROP TRIGGER checkpoint_append_only ON checkpoint", "is missing"),
    Case(
        "a trigger does nothing",
        "DROP TRIGGER event_no_delete; CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT 1; END",
        "CREATE OR REPLACE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "is another one",
    ),
    Case(
        "a trigger is switched off",
        "DROP TRIGGER event_no_update",
        "ALTER TABLE event DISABLE TRIGGER event_append_only",
        "the trigger event_",
    ),
    Case(
        "a trigger of somebody else",
        "CREATE TRIGGER mine AFTER INSERT ON game BEGIN DELETE FROM seat; END",
        "CREATE TRIGGER mine BEFORE INSERT ON game EXECUTE FUNCTION event_append_only()",
        "the trigger mine on game is none of ours",
        mended=False,
    ),
    Case("an index is gone", "DROP INDEX game_due", "DROP INDEX game_due", "the index game_due is missing"),
    Case("a unique index is gone", "DROP INDEX inbox_first", "DROP INDEX inbox_first", "the index inbox_first is missing"),
    Case(
        "an index covers all rows",
        "DROP INDEX inbox_new; CREATE INDEX inbox_new ON inbox (received_at)",
        "DROP INDEX inbox_new; CREATE INDEX inbox_new ON inbox (received_at)",
        "the index inbox_new covers other rows",
        mended=False,
    ),
    Case(
        "a column is gone",
        "ALTER TABLE inbox DROP COLUMN lease_owner",
        "ALTER TABLE inbox DROP COLUMN lease_owner",
        "the column inbox.lease_owner is missing",
        mended=False,
    ),
    Case("a table is gone", "DROP TABLE loss", "DROP TABLE loss", "the table loss is missing", mended=False),
]


def test_the_migrations_leave_nothing_to_say(database: Database) -> None:
    assert schema.differences(database) == []
    assert schema.put_back(database) == []


def test_tables_of_others_do_not_count(database: Database) -> None:
    execute(database, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY)")
    assert schema.differences(database) == []


def execute(database: Database, statements: str) -> None:
    """Do what an admin could do with another program."""
    with database.engine.connect() as connection:
        if database.engine.dialect.name == "sqlite":
            connection.connection.driver_connection.executescript(statements)  # type: ignore[union-attr]
        else:
            connection.exec_driver_sql(statements)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_differs_is_named_and_put_back_if_it_can_be(database: Database, case: Case) -> None:
    execute(database, case.sqlite if database.engine.dialect.name == "sqlite" else case.postgresql)
    [problem] = schema.differences(database)
    assert case.says in problem
    assert bool(schema.put_back(database)) == case.mended
    assert (schema.differences(database) == []) == case.mended
