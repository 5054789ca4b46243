"""One database, on either engine: opening, creating and upgrading it, and its transactions."""

import logging
import threading
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, Index, PoolProxiedConnection, Table, UniqueConstraint, column, make_url, select
from sqlalchemy import table as any_table
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session as Session  # noqa: PLC0414  # whoever has a transaction asks through one
from sqlmodel import SQLModel

from turnserver.errors import (
    ConfigError,
    DatabaseBusy,
    DatabaseFull,
    DatabaseMissing,
    DatabaseReplaced,
    DatabaseUnavailable,
    StoreError,
    WrongRevision,
)
from turnserver.store.log import tables
from turnserver.store.log.statement import Statement, Value

if TYPE_CHECKING:
    from turnserver.store.log import sqlite

REVISION = "0014"
"""The Alembic revision that this program's statements are written for."""

# Whoever works with a connection that fails gets an error that says so; the pool would show where it noticed besides.
logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)

_METADATA = tables.METADATA
_ASKED = "turnserver.home"
_CURSOR = "turnserver.cursor"
_KEPT = 4
"""The number of connections that do not go through the pool between two transactions, which takes longer than a small one of them."""
_IDENTITY = "SELECT value FROM secret WHERE name = 'identity'"
_REVISION_OF = Statement(select(column("version_num")).select_from(any_table("alembic_version")))


def table(row: type[SQLModel]) -> Table:
    """Return the Core table behind a row class of `turnserver.store.log.tables`."""
    return _METADATA.tables[str(row.__tablename__)]


class Transaction:
    """One connection inside one transaction; ends with the `with` block that opened it.

    An error from the database dooms it, on both engines: nothing of the block will be committed, even if the block handles the error.
    """

    __slots__ = ("_cursor", "_dialect", "_driver", "_pooled", "database", "doomed", "folded")

    def __init__(self, database: "Database", pooled: PoolProxiedConnection) -> None:
        """Take an open connection. Only `Database.write` and `Database.read` make transactions."""
        self.database = database
        self.doomed = False
        # the stream folded last, and what it came to; whoever appends to it after somebody else has done so meanwhile gets a Conflict
        self.folded: tuple[str, Any] = ("", None)
        self._pooled = pooled
        self._driver = _driver(pooled)
        self._cursor = _cursor(pooled)
        self._dialect = database.engine.dialect

    def rows(self, statement: Statement, **values: Value) -> list[tuple[Any, ...]]:
        """Run a statement that returns rows: a SELECT, or one with RETURNING."""
        text, bind = statement.compile(self._dialect)
        try:
            rows: list[tuple[Any, ...]] = self._cursor.execute(text, bind(values)).fetchall()
        except self.database.driver_error as error:
            self.doomed = True
            raise self.database.translate(error) from error
        return rows

    def row(self, statement: Statement, **values: Value) -> tuple[Any, ...] | None:
        """Run a statement that returns at most one row."""
        rows = self.rows(statement, **values)
        return rows[0] if rows else None

    def run(self, statement: Statement, **values: Value) -> int:
        """Run a statement that returns no rows, and return how many it changed."""
        text, bind = statement.compile(self._dialect)
        try:
            count: int = self._cursor.execute(text, bind(values)).rowcount
        except self.database.driver_error as error:
            self.doomed = True
            raise self.database.translate(error) from error
        return count

    def session(self) -> Session:
        """Return a view of the same moment that is asked with `sqlmodel.select`; it ends with the transaction. Only to read."""
        connection = Connection(self.database.engine, connection=self._pooled)
        # so that the session takes the transaction as one that others begin and end
        connection.begin()
        return Session(bind=connection, autoflush=False, join_transaction_mode="rollback_only")

    @contextmanager
    def damage_tolerated(self) -> Iterator[None]:
        """Let text that is not UTF-8 through, as lone surrogates, to read rows that somebody may have broken."""
        # PostgreSQL stores no such text
        if self.database.engine.dialect.name != "sqlite":
            yield
            return
        usual = self._driver.text_factory
        self._driver.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        try:
            yield
        finally:
            self._driver.text_factory = usual


class _Home(NamedTuple):
    """A process's knowledge of its database: the file (device and inode; None for PostgreSQL), and its identity among the secrets."""

    file: tuple[int, int] | None
    identity: bytes | None


class Database:
    """A database whose tables fit this program. Safe to share between threads; make one per process."""

    def __init__(self, url: URL, busy_timeout_seconds: float) -> None:
        """Keep the engine of a database. Use `Database.connect` or `Database.create_or_upgrade` instead: these check the database."""
        self._particular = _particular(url)
        self.engine: Engine = self._particular.engine(url, busy_timeout_seconds)
        self.driver_error: type[Exception] = self.engine.dialect.loaded_dbapi.Error
        # whether the clock of whoever writes is that of this machine: no event then comes from the future
        self.in_real_time = False
        # what `create_or_upgrade` found: the revision of the tables, None where there were none
        self.revision_before: str | None = REVISION
        self._busy_timeout_seconds = busy_timeout_seconds
        self._writing = threading.Lock() if self._particular.ONE_WRITER else None
        self._home: _Home | None = None
        self._log: sqlite.Log | None = None
        self._gone = ""
        self._unfit = ""
        self._idle: list[PoolProxiedConnection] = []
        # told of each write for which the disk has no room: small things may go in where a mail does not
        self.when_full: Callable[[DatabaseFull], None] = lambda _: None

    @classmethod
    def connect(cls, url: str, busy_timeout_seconds: float = 5.0) -> "Database":
        """Open a database that `create_or_upgrade` made.

        Raises ConfigError for a URL that is none, DatabaseMissing if there is no database or no tables, WrongRevision if the tables are
        older or newer than this program, StoreError if it cannot be reached. Never creates anything.
        """
        database = cls(_url(url), busy_timeout_seconds)
        with database._opening():
            database._make_ready()
        return database

    @classmethod
    def create_or_upgrade(cls, url: str, busy_timeout_seconds: float = 5.0) -> "Database":
        """Bring the database from any known revision to this program's, in one transaction, and open it.

        Creates an SQLite file but not a PostgreSQL database. Doing it again changes nothing, and whoever does it while another process does
        waits for that. `revision_before` says what was there. Raises WrongRevision if the tables are newer.
        """
        from turnserver.store import migrations  # noqa: PLC0415  # Alembic takes longer to import than most commands take to run

        parsed = _url(url)
        _particular(parsed).create(parsed)
        database = cls(parsed, busy_timeout_seconds)
        with database._opening():
            try:
                with database.remaking() as connection:
                    database.revision_before = migrations.upgrade(connection)
            except DBAPIError as error:
                raise database.translate(error.orig or error) from (error.orig or error)
            database._make_ready()
        return database

    def write(self) -> AbstractContextManager[Transaction]:
        """Open a transaction: everything in the block is committed and durable when it ends, or nothing is.

        Raises DatabaseBusy if others hold the database for longer than the busy timeout, DatabaseReplaced if another database than the
        opened one is there by now, WrongRevision as `require_revision` does, and any error of the block.
        """
        self._require_fit()
        return self._transaction((self._particular.BEGIN_WRITE,), self._writing)

    def hasty_write(self) -> AbstractContextManager[Transaction]:
        """Open a transaction like `write` whose commit does not wait for the disk.

        The death of our process leaves it as it is. That of the machine, or of PostgreSQL itself, may undo it, unless a `write` was
        committed after it: so it is for what nobody is told of and what is done again if it is missing.
        """
        self._require_fit()
        return self._transaction(self._particular.BEGIN_HASTY, self._writing, self._particular.END_HASTY)

    def read(self) -> AbstractContextManager[Transaction]:
        """Open a view of the database as it is at the first read of the block. Later commits of others stay invisible."""
        return self._transaction((self._particular.BEGIN_READ,))

    def require_revision(self) -> None:
        """Look at the revision of the tables. Raises WrongRevision if another program has changed them while this one ran.

        From then on `write` raises that too, until somebody looks again and finds the revision of this program.
        """
        # A transaction does not look for itself: it would be one more statement for each mail.
        with self.read() as transaction:
            row = transaction.row(_REVISION_OF)
        found = row[0] if row else ""
        advice = "stop this program, and start the one that has changed the tables"
        wrong = f"the database is at revision {found}, this program needs {REVISION}: {advice}"
        self._unfit = "" if found == REVISION else wrong
        self._require_fit()

    def _require_fit(self) -> None:
        if self._unfit:
            raise WrongRevision(self._unfit)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Open the same view as `read`, to be asked with `sqlmodel.select` for the models of `turnserver.store.log.tables`."""
        with self.read() as transaction, transaction.session() as session:
            yield session

    @contextmanager
    def unhurried(self) -> Iterator[Connection]:
        """Open a connection of SQLAlchemy whose statements may take as long as they take, for those that go through whole tables."""
        with self.engine.connect() as connection:
            self._particular.unhurried(_driver(connection.connection))
            yield connection

    @contextmanager
    def remaking(self) -> Iterator[Connection]:
        """Open such a connection in a transaction to change the tables in. Whoever else opens one waits until it is over."""
        with self.unhurried() as connection:
            connection.exec_driver_sql(self._particular.BEGIN_REMAKING)
            yield connection
            connection.exec_driver_sql("COMMIT")

    def wipe(self, tables: Sequence[str]) -> None:
        """Remove the erased contents of these tables from the database's own files. Raises DatabaseBusy."""
        try:
            self._particular.wipe(self.engine, tables)
        except self.driver_error as error:
            raise self.translate(error) from error

    def close(self) -> None:
        """Close every connection that is not in use."""
        while self._idle:
            self._idle.pop().close()
        self.engine.dispose()
        if self._log is not None:
            self._log.close()
            self._log = None

    def translate(self, error: Exception) -> Exception:
        """Return our error for a driver's error. Tell that the disk has no room, and remember that the database cannot be read any more."""
        translated: Exception = self._particular.translate(error, _UNIQUE)
        if isinstance(translated, DatabaseFull):
            self.when_full(translated)
        if isinstance(translated, DatabaseReplaced):
            self._gone = str(translated)
        if isinstance(translated, DatabaseMissing) and (obstacle := self._particular.obstacle(self.engine.url, error)):
            return DatabaseUnavailable(obstacle)
        return translated

    @contextmanager
    def _transaction(
        self, begin: Sequence[str], writing: "threading.Lock | None" = None, end: Sequence[str] = ("COMMIT",)
    ) -> Iterator[Transaction]:
        # SQLite has one writer at a time and lets the others poll; among our own threads a lock is fair and wakes at once
        if writing is not None and not writing.acquire(timeout=self._busy_timeout_seconds):
            raise DatabaseBusy("another thread of this process writes, or waits for the database, for longer than the busy timeout")
        pooled, committed = None, False
        try:
            if writing is not None:
                self._require_log()
            pooled = self._begun(begin)
            self._require_home(pooled)
            transaction = Transaction(self, pooled)
            yield transaction
            # PostgreSQL has rolled back by itself and would take COMMIT for a ROLLBACK; SQLite would keep the rest
            if transaction.doomed:
                raise StoreError("a statement of this transaction failed, so nothing of it was written")
            for statement in end:
                _cursor(pooled).execute(statement)
            committed = True
        except self.driver_error as error:
            translated = self.translate(error)
            raise _replaced() if pooled is None and self._home and isinstance(translated, DatabaseMissing) else translated from error
        except DBAPIError as error:  # of a session
            raise self.translate(error.orig or error) from error
        except PoolTimeout as error:
            raise DatabaseBusy("every connection of this process is in use") from error
        finally:
            if pooled is not None:
                self._end(pooled, committed=committed, prepared=bool(begin[1:]))
            if writing is not None:
                writing.release()

    def _end(self, pooled: PoolProxiedConnection, *, committed: bool, prepared: bool) -> None:
        """Keep a connection for the next transaction, or give it to the pool. One prepared for a hasty write stays so until then."""
        if committed and len(self._idle) < _KEPT:
            self._idle.append(pooled)
            return
        if prepared and not committed:
            pooled.invalidate()
        # rolls back whatever was not committed
        pooled.close()

    def _begun(self, begin: Sequence[str]) -> PoolProxiedConnection:
        """Return a connection that nobody else uses, in a new transaction."""
        try:
            kept = self._idle.pop()
        except IndexError:
            return self._begin(self.engine.raw_connection(), begin)
        driver = _driver(kept)
        try:
            return self._begin(kept, begin)
        except self.driver_error:
            # a server that was started anew has begun nothing, and the pool looks whether those that it has are alive
            if not self._particular.is_lost(driver):
                raise
            # the others are as old, and may be long in finding out
            others, self._idle = self._idle, []
            for other in others:
                other.invalidate()
        return self._begin(self.engine.raw_connection(), begin)

    def _begin(self, pooled: PoolProxiedConnection, begin: Sequence[str]) -> PoolProxiedConnection:
        try:
            for statement in begin:
                _cursor(pooled).execute(statement)
        except BaseException:
            # one that was to be prepared for a hasty write may be so
            if begin[1:] or self._particular.is_lost(_driver(pooled)):
                pooled.invalidate()
            pooled.close()
            raise
        return pooled

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """Close everything if the block fails, also for an interrupt: an engine that stays open would keep its connections."""
        try:
            yield
        except DatabaseReplaced as error:
            self.close()
            # what cannot be read now was not read before either
            raise StoreError(str(error)) from error.__cause__
        except BaseException:
            self.close()
            raise

    def _make_ready(self) -> None:
        """Check the revision, prepare the database for use, and remember which one it is."""
        with self.read() as transaction:
            row = transaction.row(_REVISION_OF)
        if row is None:
            raise DatabaseMissing("the database has no tables yet; `turnserver init` creates them")
        (found,) = row
        if found != REVISION:
            from turnserver.store import migrations  # noqa: PLC0415  # only to word an error

            raise WrongRevision(wrong_revision(found, REVISION, migrations.known()))
        try:
            self._log = self._particular.settle(self.engine)
            with closing(self.engine.raw_connection()) as pooled:
                self._home = self._found(pooled)
        except self.driver_error as error:
            raise self.translate(error) from error

    def _require_home(self, pooled: PoolProxiedConnection) -> None:
        """Raise DatabaseReplaced unless a connection inside a transaction leads to the database that was opened."""
        known = self._home
        if known is None:
            return
        # A connection keeps its database, so each is asked once. But the file beneath it can be moved or deleted, and later writes would be
        # lost, so the file is looked at each time.
        if known.identity is None or pooled.info.get(_ASKED) is known:
            is_home = self._particular.file_of(self.engine.url) == known.file
        else:
            is_home = self._found(pooled) == known
        if not is_home:
            raise _replaced()
        pooled.info[_ASKED] = known

    def _require_log(self) -> None:
        """Raise DatabaseReplaced for ever once the database was found damaged, or its write-ahead log is not where it was.

        Where somebody has deleted that, our connections go on writing to a file that nobody else finds. Only an orderly end brings its
        contents into the database.
        """
        if self._log is not None and not self._log.is_there():
            self._gone = str(_replaced())
        if self._gone:
            raise DatabaseReplaced(self._gone)

    def _found(self, pooled: PoolProxiedConnection) -> _Home | None:
        """Return the database that a connection leads to; None if that is none of ours. An uninitialised one has no identity yet."""
        driver = _driver(pooled)
        try:
            row = driver.execute(_IDENTITY).fetchone()
        except self.driver_error as error:
            if isinstance(self.translate(error), DatabaseMissing):
                return None
            raise
        return _Home(self._particular.file_of(self.engine.url), bytes(row[0]) if row else None)


def _driver(pooled: PoolProxiedConnection) -> Any:  # noqa: ANN401  # the two drivers share no type
    return pooled.driver_connection


def _cursor(pooled: PoolProxiedConnection) -> Any:  # noqa: ANN401  # see above
    """Return the one cursor of a connection: psycopg takes longer to make a new one than for a small statement."""
    cursor = pooled.info.get(_CURSOR)
    if cursor is None:
        cursor = pooled.info[_CURSOR] = _driver(pooled).cursor()
    return cursor


def wrong_revision(found: str, needed: str, known: Container[str]) -> str:
    """Return advice about tables at revision `found`. `known` are the revisions that this program can upgrade."""
    if found in known:
        return (
            f"the database is at revision {found}, this program needs {needed}: run `turnserver init`, and `turnserver doctor --upgrade`"
            " before, which says whether that is safe"
        )
    return f"the database is at revision {found}, which is newer than this program's {needed}: update turnserver"


def _replaced() -> DatabaseReplaced:
    return DatabaseReplaced(
        "the database is not the one any more that this process opened: it, or its write-ahead log, was moved, deleted or replaced."
        " Put it back where it was, or start turnserver again if the new one is meant"
    )


def _url(text: str) -> URL:
    try:
        url = make_url(text)
        if url.get_backend_name() == "postgresql":
            # whichever driver the URL names or leaves out: the program comes with psycopg only
            url = url.set(drivername="postgresql+psycopg")
        elif url.drivername != "sqlite":
            raise ConfigError(
                f"The setting database.url can't begin with {url.drivername}. Write sqlite:///path or postgresql+psycopg://..."
            )
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise ConfigError(
            "The setting database.url isn't the address of a database. Write sqlite:///path or postgresql+psycopg://user@host/name"
        ) from error
    return url


def _particular(url: URL) -> ModuleType:
    if url.get_backend_name() == "sqlite":
        from turnserver.store.log import sqlite  # noqa: PLC0415  # a club never needs the other engine's driver

        return sqlite
    from turnserver.store.log import postgresql  # noqa: PLC0415  # see above

    return postgresql


def _unique_keys() -> Mapping[str, str]:
    """Return the names of unique constraints and indexes by their columns, written as SQLite reports them."""
    names: dict[str, str] = {}
    for stored in _METADATA.tables.values():
        keys: list[UniqueConstraint | Index] = [item for item in stored.constraints if isinstance(item, UniqueConstraint)]
        keys += [item for item in stored.indexes if item.unique]
        for key in keys:
            names[", ".join(f"{stored.name}.{each.name}" for each in key.columns)] = str(key.name)
    return names


_UNIQUE = _unique_keys()
