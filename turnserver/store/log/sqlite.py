"""All that is particular to SQLite."""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sqlalchemy import URL, Engine, PoolProxiedConnection, create_engine
from sqlalchemy.engine.interfaces import DBAPICursor

from turnserver.errors import (
    ConfigError,
    DatabaseBusy,
    DatabaseFull,
    DatabaseMissing,
    DatabaseReplaced,
    DatabaseUnavailable,
    KeyTaken,
    StoreError,
    TurnserverError,
)

# A transaction that reads first and then writes fails at once if somebody else has written in between, whatever the busy timeout. IMMEDIATE
# takes the place of the one writer at the beginning.
BEGIN_WRITE = "BEGIN IMMEDIATE"
BEGIN_READ = "BEGIN"
# In write-ahead mode the next commit that waits for the disk takes with it what those before it have written.
BEGIN_HASTY = ("PRAGMA synchronous = NORMAL", BEGIN_WRITE)
END_HASTY = ("COMMIT", "PRAGMA synchronous = FULL")
BEGIN_REMAKING = BEGIN_WRITE
ONE_WRITER = True

_PRIMARY_RESULT = 0xFF
_WRITE_AHEAD = "PRAGMA journal_mode = WAL"
_TRIES = 9
# the driver keeps 128 unless told otherwise, and the statements of this package are more
_STATEMENTS_KEPT = 256


def engine(url: URL, busy_timeout_seconds: float) -> Engine:
    """Return connections to an existing file, each durable, checked and in charge of its own transactions. Never creates the file."""
    path = _path(url)

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=rw",
            uri=True,
            timeout=busy_timeout_seconds,
            # the driver's own transactions begin only at the first write, after what was read
            isolation_level=None,
            check_same_thread=False,
            cached_statements=_STATEMENTS_KEPT,
        )
        try:
            # FULL: a commit in write-ahead mode is durable only with it. Foreign keys are off unless asked for. Without recursive triggers,
            # REPLACE deletes rows past the triggers that keep the log.
            for pragma in ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"):
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    return create_engine(url, creator=connect, paramstyle="qmark", pool_timeout=busy_timeout_seconds)


class Log(NamedTuple):
    """The write-ahead log of an open database. It stays the same file as long as `connection` is open, whatever others do."""

    connection: PoolProxiedConnection
    path: str
    file: tuple[int, int]

    def is_there(self) -> bool:
        """Return whether the log is still where it was, so that others read what is written to it."""
        return _file(self.path) == self.file

    def close(self) -> None:
        """Let go of the log. The last process that does so writes its contents into the database."""
        self.connection.close()


def settle(engine: Engine) -> Log | None:
    """Let readers and the writer work at once. Return the log that they need for it; None where the file system allows none.

    The file remembers this, but a copy of it may not.
    """
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        _write_ahead(cursor)
        # only a read opens the log
        cursor.execute("SELECT count(*) FROM sqlite_master").fetchall()
        # SQLite follows links, and has the log beside the file itself
        path = f"{os.path.realpath(engine.url.database or '')}-wal"
        file = _file(path)
    except BaseException:
        connection.close()
        raise
    if file is None:
        connection.close()
        return None
    # no longer one of those that transactions use
    connection.detach()
    return Log(connection, path, file)


def _write_ahead(cursor: DBAPICursor) -> None:
    """Switch a file to write-ahead mode. Unlike other statements, SQLite's own does not wait for whoever writes to it."""
    for _ in range(_TRIES):
        try:
            cursor.execute(_WRITE_AHEAD)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_RESULT != sqlite3.SQLITE_BUSY:
                raise
        else:
            return
        # this one waits
        cursor.execute(BEGIN_WRITE)
        cursor.execute("ROLLBACK")
    cursor.execute(_WRITE_AHEAD)


def unhurried(connection: sqlite3.Connection) -> None:
    """Do nothing: a statement of SQLite takes as long as it takes."""
    del connection


def file_of(url: URL) -> tuple[int, int] | None:
    """Return the device and inode of the file where the database should be, or None if there is none."""
    return _file(url.database or "")


def _file(path: str) -> tuple[int, int] | None:
    try:
        # each transaction asks, and a Path takes ten times as long
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_lost(connection: sqlite3.Connection) -> bool:
    """Return False: there is no server that could end a connection."""
    del connection
    return False


def obstacle(url: URL, error: Exception) -> str:
    """Return why an existing file cannot be opened, as a sentence; empty if there is no file, or it could be opened."""
    path = _path(url)
    if not path.is_file() or getattr(error, "sqlite_errorcode", 0) & _PRIMARY_RESULT != sqlite3.SQLITE_CANTOPEN:
        return ""
    for what, place in (("the file", path), ("its directory", path.parent)):
        if not os.access(place, os.W_OK):
            return f"the database {path} is there, but {what} cannot be written: look at its owner, and at whether its disk is read-only"
    return f"the database {path} is there, but cannot be opened: look whether its disk has room for the files that SQLite keeps beside it"


def wipe(engine: Engine, tables: Sequence[str]) -> None:
    """Rewrite the whole file and empty its log, so that nothing deleted or overwritten is left. Others may go on meanwhile.

    Raises DatabaseBusy if somebody reads for longer than the busy timeout; then the log is as it was.
    """
    del tables
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        cursor.execute("PRAGMA secure_delete = ON")
        # the new file is written through the log, so the log still holds the old pages until it is emptied
        cursor.execute("VACUUM")
        busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise DatabaseBusy("another process reads the database, so its log could not be emptied")


def create(url: URL) -> None:
    """Make an empty file that only its owner may read, unless there is one: it will hold addresses and keys."""
    try:
        os.close(os.open(_path(url), os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"cannot create the database {_path(url)}: {error.strerror}") from error


def translate(error: Exception, constraints: Mapping[str, str]) -> TurnserverError:
    """Turn a driver's error into ours. `constraints` gives the names of unique constraints by the columns SQLite lists."""
    text = str(error)
    code = getattr(error, "sqlite_errorcode", 0)
    if code in {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}:
        columns = text.removeprefix("UNIQUE constraint failed: ")
        return KeyTaken(constraints.get(columns, columns))
    # the lowest byte says what kind of error it is, the others say more (sqlite.org/rescode.html)
    match code & _PRIMARY_RESULT:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseBusy("the database is locked by another process; try again, or stop what holds it")
        case sqlite3.SQLITE_CANTOPEN:
            return DatabaseMissing("there is no database yet, or it cannot be opened; `turnserver init` creates it")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            # Going on would store mails where nobody finds them again.
            advice = "Look whether database.url names the right file; if it is damaged, restore a backup"
            return DatabaseReplaced(f"the database cannot be read, so nothing can be kept: {text}. {advice}")
        case sqlite3.SQLITE_FULL:
            return DatabaseFull(f"the database cannot be written: {text}")
        case sqlite3.SQLITE_READONLY:
            # whoever opens a file that is read-only leaves the two beside it read-only as well
            advice = "Look at the owner and the mode of its file and of the files beside it that end in -wal and -shm"
            return DatabaseUnavailable(f"the database cannot be written: {text}. {advice}")
        case sqlite3.SQLITE_IOERR:
            return DatabaseUnavailable(f"the database cannot be written: {text}")
        case sqlite3.SQLITE_ERROR if text.startswith("no such table"):
            return DatabaseMissing("the database has no tables yet; `turnserver init` creates them")
    return StoreError(f"the database refused: {text}")


def _path(url: URL) -> Path:
    if not url.database or url.database == ":memory:":
        raise ConfigError("The setting database.url needs a file for SQLite, as in sqlite:///turnserver.db")
    return Path(url.database).absolute()
