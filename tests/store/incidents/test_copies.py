"""A database that was copied and put back by the means of its engine is guarded as it was, and goes on where it was."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.store.incidents import copying
from tests.store.scene import OPENED, STARTED, append
from turnserver.errors import BadOption, StoreError
from turnserver.ids import Stream
from turnserver.store.incidents import backup
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

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


def test_what_is_on_the_disk_is_all_of_a_backup(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a backup waits in a buffer once its file is made durable."""
    settled: list[int] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        settled.append(os.fstat(descriptor).st_size)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    copying.back_up(sqlite_url, tmp_path / "backup")
    assert (tmp_path / "backup").stat().st_size in settled


def test_a_file_that_came_meanwhile_stays(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as the backup that somebody else makes at the same time."""
    path = tmp_path / "backup"
    monkeypatch.setattr(os, "fsync", lambda _descriptor: path.write_bytes(b"another"))
    with pytest.raises(BadOption, match="exists already and was not changed"):
        copying.back_up(sqlite_url, path)
    assert path.read_bytes() == b"another"
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".turnserver")] == []


def test_a_file_system_without_links_takes_backups(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    copying.back_up(sqlite_url, tmp_path / "backup")
    copying.put_back(sqlite_url, tmp_path / "backup")


def test_nobody_gets_at_a_database_while_it_is_replaced(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with backup._alone_with(path), closing(sqlite3.connect(path, timeout=0)) as other:
        for statement in ("SELECT * FROM game", "UPDATE counter SET value = 7"):
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute(statement)
    with closing(sqlite3.connect(path, timeout=0)) as other:
        other.execute("SELECT * FROM game")


def test_wiping_does_not_rely_on_how_sqlite_was_built(sqlite_url: str) -> None:
    """Some builds write zeros over what is deleted; others leave it in free pages, as this one is told to."""
    path, secret = Path(sqlite_url.removeprefix("sqlite:///")), "zyxwvut" * 2000
    with closing(sqlite3.connect(path)) as careless:
        careless.execute("PRAGMA secure_delete = OFF")
        careless.execute("INSERT INTO rest (game, since, why) VALUES (1, 'x', ?)", (secret,))
        careless.commit()
        careless.execute("DELETE FROM rest")
        careless.commit()
        careless.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"zyxwvut" in path.read_bytes()
    with closing(Database.connect(sqlite_url)) as database:
        database.wipe(["rest"])
        assert not [each for each in path.parent.glob(f"{path.name}*") if b"zyxwvut" in each.read_bytes()]
