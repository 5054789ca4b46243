"""What was copied and put back by the means of each engine is guarded as it was, and goes on where it was."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.store import copying
from tests.store.scene import OPENED, STARTED, append
from turnserver.envelope import Stream
from turnserver.errors import StoreError
from turnserver.store import audit, backup, log
from turnserver.store.database import Database
from turnserver.store.statement import Statement

ONE, OTHER = Stream("club-1"), Stream("club-2")


def test_a_copy_that_is_put_back(database_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    with closing(Database.connect(database_url)) as database:
        append(database, ONE, STARTED, cause="cli:before")
        copying.back_up(database_url, path)
        append(database, OTHER, [OPENED], cause="cli:lost")
    copying.put_back(database_url, path)
    with closing(Database.connect(database_url)) as database:
        for change in ("UPDATE event SET actor = 'x'", "DELETE FROM event"):
            with pytest.raises(StoreError, match="append-only"), database.write() as tx:
                tx.run(Statement(text(change)))
        append(database, OTHER, [OPENED], cause="cli:after")
        with database.read() as conn:
            assert log.last_position(conn) == len(STARTED) + 1
            assert list(audit.verify(conn)) == []


def test_what_is_put_back_is_sound_on_each_engine(database_url: str, tmp_path: Path) -> None:
    copying.back_up(database_url, tmp_path / "backup")
    copying.put_back(database_url, tmp_path / "backup")
    with closing(Database.connect(database_url)) as database:
        assert backup.proven(database) == (0, 0)
