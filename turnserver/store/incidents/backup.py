"""Backups of an SQLite database: one compressed file that holds a single moment, and its way back.

Everything is prepared in a directory of its own, which only its owner may look into, beside the file that it becomes. So a process that
dies leaves under the final name either the file from before or the whole new one.
"""

import contextlib
import errno
import gzip
import itertools
import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from sqlalchemy import column, func, select, text

from turnserver import files
from turnserver.errors import BadOption, DatabaseBusy, DatabaseFull, DatabaseMissing, StoreError, WrongRevision
from turnserver.store.log import log, schema
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database, Transaction, table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import ConfirmationRow, Counter, GameRow, LeagueRow, PlayerRow

_GZIP = b"\x1f\x8b"
_SQLITE = b"SQLite format 3\x00"
_BLOCK = 1 << 20
_ROOM = ".turnserver-"
_LEFT_BEHIND = timedelta(days=1)
_COMPANIONS = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite keeps beside a database. Beside another database, one would be played into that."""

_INTEGRITY = Statement(text("PRAGMA integrity_check").columns(column("integrity_check")))
_FOREIGN_KEYS = Statement(text("PRAGMA foreign_key_check").columns(column("table"), column("rowid"), column("parent"), column("fkid")))
_counters = table(Counter).c
_COUNTERS = Statement(select(_counters.name, _counters.value))
_HIGHEST = {
    name: Statement(select(func.max(table(row).c.id)))
    for name, row in (("game", GameRow), ("league", LeagueRow), ("player", PlayerRow), ("confirmation", ConfirmationRow))
}


class Sound(NamedTuple):
    """The size of a database that passed the check: the number of its events, which is the position of the last one, and of its games."""

    events: int
    games: int


class Written(NamedTuple):
    """A backup that was read back and is sound: its size in bytes, the SHA-256 of the file in hexadecimal, and the size of its contents."""

    path: Path
    size: int
    digest: str
    sound: Sound


class LastBackup(msgspec.Struct, frozen=True):
    """The note of the last backup that was made with this program: when it was made, and the file."""

    at: datetime
    file: str

    def is_there(self) -> bool:
        """Return whether the file is where it was made. A file that we may not look for counts as there."""
        try:
            return Path(self.file).exists()
        except OSError:
            return True


def write(source: Path, target: Path, busy_timeout_seconds: float, now: datetime) -> Written:
    """Copy the database `source` into the compressed file `target`, durably, and read it back.

    Raises BadOption if there is a `target` already, StoreError if the database cannot be read or the copy is not sound; then there is no
    `target`.
    """
    if target.exists():
        raise _exists(target)
    with room(target.parent, now) as inside:
        copy, packed = inside / "copy.db", inside / "packed.gz"
        copied(source, copy, busy_timeout_seconds)
        digest = _pack(copy, packed)
        # before the next copy is made: the disk may have no room for both
        copy.unlink()
        # what is checked is the file as it can be read back, and it gets its name only afterwards
        with closing(opened(unpacked(packed, inside))) as database:
            sound = proven(database)
        size = packed.stat().st_size
        _name(packed, target)
    files.settle(target.parent)
    # A backup is good without the note: whoever makes it may not be allowed to write there.
    with contextlib.suppress(OSError):
        _note_of(source).write_bytes(msgspec.json.encode(LastBackup(now, str(target))))
    return Written(target, size, digest, sound)


def _exists(target: Path) -> BadOption:
    return BadOption(f"The file {target} exists already and was not changed.")


def _name(packed: Path, target: Path) -> None:
    try:
        # a second name, since a rename would replace a file that came meanwhile
        target.hardlink_to(packed)
    except FileExistsError as error:
        raise _exists(target) from error
    except OSError:
        # some file systems know no second names
        packed.replace(target)


def last(source: Path | None) -> LastBackup | None:
    """Return the last backup that `write` has made of the database `source`; None if none is known, as always for PostgreSQL."""
    if source is None:
        return None
    try:
        return msgspec.json.decode(files.read(_note_of(source)), type=LastBackup)
    except (OSError, msgspec.MsgspecError):
        return None


def _note_of(source: Path) -> Path:
    return source.with_name(f"{source.name}.last-backup")


def opened(path: Path) -> Database:
    """Return a database in a file. Raises StoreError if it is none of this program's revision."""
    return Database.connect(f"sqlite:///{path}")


def brought_up(path: Path) -> Database:
    """Return a database in a file of our own, with the tables of this program also if an earlier one has made it.

    Raises StoreError if it is none, WrongRevision if a later one has.
    """
    try:
        return opened(path)
    except WrongRevision:
        return Database.create_or_upgrade(f"sqlite:///{path}")


def proven(database: Database) -> Sound:
    """Check every page, reference, counter, trigger, index, hash and place of an event. Raises StoreError with the first wrong thing."""
    with database.read() as conn:
        wrong = next(_problems(conn), None) or next(iter(schema.differences(database)), None)
        if wrong is not None:
            raise StoreError(f"this is no sound copy: {wrong}")
        return Sound(log.last_position(conn), len(audit.begun(conn).games))


def _problems(conn: Transaction) -> Iterator[str]:
    if conn.database.engine.dialect.name == "sqlite":
        yield from (said for (said,) in conn.rows(_INTEGRITY) if said != "ok")
        yield from (f"row {row} of {name} refers to nothing in {parent}" for name, row, parent, _ in conn.rows(_FOREIGN_KEYS))
    given = dict(conn.rows(_COUNTERS))
    for name, highest in _HIGHEST.items():
        # a counter that stands too low would give a number out for the second time
        row = conn.row(highest)
        if row is not None and (row[0] or 0) > given.get(name, 0):
            yield f"the counter {name} stands at {given.get(name, 0)}, but number {row[0]} was given out"
    for found in audit.verify(conn):
        where = f"{found.stream} version {found.version}: " if found.stream else ""
        yield f"{where}{found.problem}"


@contextlib.contextmanager
def reading(file: Path) -> Iterator[None]:
    """Name the backup `file` in each StoreError that says what is wrong with the database in it."""
    try:
        yield
    except DatabaseMissing as error:
        raise StoreError(f"{file} is no backup: it holds another program's database") from error
    except (WrongRevision, DatabaseBusy, DatabaseFull):
        raise
    except StoreError as error:
        # What we would advise is about the database of the service, so SQLite's own words are told where there are some.
        raise StoreError(f"{file} is damaged: {error.__cause__ or error}") from error


@contextlib.contextmanager
def room(beside: Path, now: datetime) -> Iterator[Path]:
    """Yield a directory to prepare a file in, on the same file system as `beside`. Leftovers of earlier processes go after a day.

    Raises BadOption if there is no such directory to write in, or no room for what is prepared.
    """
    try:
        _sweep_out(beside, now)
        inside = Path(tempfile.mkdtemp(prefix=_ROOM, dir=beside))
    except OSError as error:
        raise BadOption(f"Nothing can be written in {beside}: {error.strerror}.") from error
    try:
        yield inside
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise BadOption(f"There is not enough room in {beside}.") from error
    finally:
        shutil.rmtree(inside, ignore_errors=True)


def unpacked(file: Path, inside: Path) -> Path:
    """Return the database of a backup, compressed or not, as a file of its own in a directory. Raises StoreError if it is none."""
    path = inside / "again.db"
    files.require_plain(file)
    try:
        with file.open("rb") as start:
            magic = start.read(len(_SQLITE))
        read = gzip.open if magic.startswith(_GZIP) else open
        with read(file, "rb") as packed, files.create(path) as plain:
            shutil.copyfileobj(packed, plain, _BLOCK)
        # a compressed file may hold anything
        with path.open("rb") as start:
            magic = start.read(len(_SQLITE))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise StoreError(f"{file} is damaged: {error}") from error
    if magic != _SQLITE:
        raise StoreError(f"{file} is no backup: it holds no SQLite database")
    return path


def copied(source: Path, copy: Path, busy_timeout_seconds: float) -> None:
    """Copy the database `source` as it is at one moment into a new file, whoever else uses it. Raises StoreError."""
    files.create(copy).close()
    # "mode=rw" keeps SQLite from creating a database that is not there
    uri = f"file:{quote(str(source))}?mode=rw"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=busy_timeout_seconds)) as have, closing(sqlite3.connect(copy)) as into:
            # In one step: page by page it would begin anew after every write of another process, and with a busy service never end. In the
            # write-ahead log that one step is one read, which holds up no writer.
            have.backup(into, pages=-1)
            # a copy in write-ahead mode would need a second file beside it
            into.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        # the directory that the copy is prepared in is gone when somebody reads this
        raise StoreError(f"the database cannot be copied into {copy.parent.parent}: {error}") from error


def _pack(copy: Path, packed: Path) -> str:
    with files.create(packed) as out:
        # without name and time in its header, so that equal databases give equal files
        with copy.open("rb") as plain, gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as gzipped:
            shutil.copyfileobj(plain, gzipped, _BLOCK)
        out.flush()
        os.fsync(out.fileno())
    return digest_of(packed)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def put_in_place(prepared: Path, target: Path, stamp: str) -> Path | None:
    """Make a prepared file the database `target`. A former one stays beside it, named with `stamp`; return its path, or None.

    At every moment there is one of the two under the name of `target`. Raises StoreError if another process has the database open.
    """
    _close_up(prepared)
    _same_owner(prepared, target.parent)
    kept: Path | None = None
    with _alone_with(target):
        aside = _free(target.with_name(f"{target.name}.{stamp}"))
        # first of all: the log of the former database beside the new one would be played into it
        for ending in _COMPANIONS:
            companion = target.with_name(target.name + ending)
            if companion.exists():
                companion.rename(aside.with_name(aside.name + ending))
        if target.exists():
            _same_owner(prepared, target)
            kept = aside
            # a second name and then one rename: at no moment is there neither of the two under the name of the database
            kept.hardlink_to(target)
        prepared.replace(target)
    files.settle(target.parent)
    return kept


@contextlib.contextmanager
def _alone_with(target: Path) -> Iterator[None]:
    """Keep other processes away from a database meanwhile, unless it is missing or damaged. Raises StoreError if one has it open."""
    if not target.exists():
        yield
        return
    # no waiting: whoever has it open is a service, which will not go away by itself
    with closing(sqlite3.connect(f"file:{quote(str(target))}?mode=rw", uri=True, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"The database {target} is in use by another process: stop the service, and what runs `turnserver tick`, first"
            ) from error
        except sqlite3.DatabaseError:
            # nobody can work with a file that is damaged as badly as this
            pass
        yield


def _free(path: Path) -> Path:
    tries = (path.with_name(f"{path.name}.{number}") for number in itertools.count(2))
    return path if not path.exists() else next(each for each in tries if not each.exists())


def _same_owner(path: Path, like: Path) -> None:
    # root may restore for a service that runs as another user
    if os.geteuid() == 0:
        owner = like.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def _close_up(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _sweep_out(beside: Path, now: datetime) -> None:
    for left in beside.glob(f"{_ROOM}*"):
        if left.is_dir() and left.stat().st_mtime < (now - _LEFT_BEHIND).timestamp():
            shutil.rmtree(left, ignore_errors=True)
