"""The readiness of a database for work."""

from collections.abc import Callable
from contextlib import closing

import pytest
from sqlalchemy import text

from turnserver.cli import status
from turnserver.errors import DatabaseUnavailable
from turnserver.store.incidents import health
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

REASON = (
    "the database cannot be written: attempt to write a readonly database. "
    "Look at the owner and the mode of its file and of the files beside it that end in -wal and -shm"
)


def readiness(database: Database) -> str:
    """Return the reason why it is not ready, as it stands at `/readyz`."""
    with pytest.raises(DatabaseUnavailable) as found:
        health.require_ready(database)
    return str(found.value)


@pytest.mark.parametrize("asked", [readiness, lambda database: next(status._database(database)).says.lower().rstrip(".")])
def test_a_database_that_can_only_be_read_is_not_ready_and_waits_for_the_admin(sqlite_url: str, asked: Callable[[Database], str]) -> None:
    with closing(Database.connect(sqlite_url)) as database:
        assert list(status._database(database)) == []
        health.require_ready(database)
        with database.read() as conn:
            conn._driver.execute("PRAGMA query_only = ON")
        assert asked(database).casefold() == REASON.casefold()


def test_status_and_doctor_find_out_whether_files_can_grow(postgresql_url: str) -> None:
    """As on a full disk, where what was there before may be written over."""
    with closing(Database.connect(postgresql_url)) as database:
        assert list(status._database(database)) == []
        with database.write() as tx:
            full = "BEGIN RAISE 'no room' USING ERRCODE = 'disk_full'; END"
            tx.run(Statement(text(f"CREATE FUNCTION full_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$ {full} $$")))
            tx.run(Statement(text("CREATE EVENT TRIGGER grows ON ddl_command_start EXECUTE FUNCTION full_disk()")))
        assert next(status._database(database)).says == "The database cannot be written: no room."


def test_a_database_that_somebody_writes_to_is_ready(sqlite_url: str) -> None:
    with closing(Database.connect(sqlite_url, 0.01)) as database, closing(Database.connect(sqlite_url)) as other, other.write():
        health.require_ready(database)
