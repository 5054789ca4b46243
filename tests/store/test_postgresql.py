"""Databases of PostgreSQL that tests use again: nothing that one test leaves is there for the next."""

import psycopg

from tests.postgresql import Reused

FUNCTION = "CREATE OR REPLACE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
LEAVES = {
    "rows": (True, "INSERT INTO outage (began_at, ended_at, settled) VALUES ('2026-03-01T12', '2026-03-01T13', false)"),
    "fewer rows": (True, "DELETE FROM alembic_version"),
    "a column": (False, "ALTER TABLE player ADD COLUMN shoes integer"),
    "no column": (False, "ALTER TABLE player DROP COLUMN address CASCADE"),
    "a trigger that is off": (False, "ALTER TABLE event DISABLE TRIGGER ALL"),
    "no index": (False, "DROP INDEX game_due"),
    "another function": (
        False,
        "CREATE OR REPLACE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    ),
    "a table": (False, "CREATE TABLE shoes (size integer)"),
}


def test_the_next_finds_a_new_one(postgresql_server: str, postgresql_databases: Reused) -> None:
    wrong = []
    for name, (is_kept, statement) in LEAVES.items():
        with postgresql_databases.fresh() as first, connected(postgresql_server, first) as connection:
            before = rows(connection)
            connection.execute(statement)
        with postgresql_databases.fresh() as second, connected(postgresql_server, second) as connection:
            if rows(connection) != before or (first == second) != is_kept:
                wrong.append(name)
    assert wrong == []


def connected(server: str, name: str) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(server.replace("/postgres?", f"/{name}?"), autocommit=True)


def rows(connection: "psycopg.Connection[tuple[object, ...]]") -> list[object]:
    """Everything, and where numbers go on."""
    counts = "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1"
    return [
        *connection.execute("SELECT * FROM alembic_version"),
        *connection.execute("SELECT * FROM outage"),
        *connection.execute(counts),
    ]
