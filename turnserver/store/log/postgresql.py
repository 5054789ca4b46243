"""All that is particular to PostgreSQL."""

import re
from collections.abc import Mapping, Sequence
from contextlib import closing

import psycopg
from psycopg import errors
from sqlalchemy import URL, Engine, create_engine, event

from turnserver.errors import (
    ConfigError,
    Conflict,
    DatabaseBusy,
    DatabaseFull,
    DatabaseMissing,
    DatabaseUnavailable,
    KeyTaken,
    StoreError,
    TurnserverError,
)

# An UPDATE waits for the row and goes on from what was committed there, so counters need no second try. A reader sees one moment
# throughout.
BEGIN_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
BEGIN_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
BEGIN_HASTY = (BEGIN_WRITE, "SET LOCAL synchronous_commit = off")
END_HASTY = ("COMMIT",)
ONE_WRITER = False


def engine(url: URL, busy_timeout_seconds: float) -> Engine:
    """Return connections that leave transactions to us, wait for locks no longer than the busy timeout, and survive a server's restart.

    To connect raises ConfigError if the database keeps text in anything but UTF-8, which would lose letters or refuse them.
    """
    milliseconds = max(1, round(busy_timeout_seconds * 1000))
    made = create_engine(
        url,
        # BEGIN and COMMIT are sent by `Database`, the same way for both engines
        isolation_level="AUTOCOMMIT",
        pool_pre_ping=True,
        pool_timeout=busy_timeout_seconds,
        connect_args={"options": f"-c lock_timeout={milliseconds} -c TimeZone=UTC"},
    )
    # before the first question, which SQLAlchemy asks as soon as it is connected
    event.listen(made, "connect", _require_utf8, insert=True)
    return made


def _require_utf8(connection: "psycopg.Connection[object]", _record: object) -> None:
    found = connection.info.parameter_status("server_encoding")
    # a server in between may not pass it on
    if found not in {None, "UTF8"}:
        raise ConfigError(
            f"The database of database.url is in {found}, and has to be in UTF8: `createdb --encoding UTF8 --template template0 NAME`"
        )


def settle(engine: Engine) -> None:
    """Do nothing, and return None: PostgreSQL needs no settling, and looks after its log itself."""
    del engine


def file_of(url: URL) -> None:
    """Return None: PostgreSQL looks after its files itself."""


def is_lost(connection: "psycopg.Connection[object]") -> bool:
    """Return whether the server has ended a connection, as it does when it is started anew."""
    return connection.closed


def obstacle(url: URL, error: Exception) -> str:
    """Return an empty text: PostgreSQL's own error names the obstacle."""
    del url, error
    return ""


def wipe(engine: Engine, tables: Sequence[str]) -> None:
    """Write the tables anew, so that their files hold nothing that was deleted or overwritten. Each table is locked meanwhile.

    The log of the server (WAL) and copies of it keep their contents: see AUDIT.md.
    """
    with closing(engine.raw_connection()) as connection:
        for name in tables:
            # VACUUM cannot run inside a transaction
            connection.cursor().execute(f'VACUUM (FULL) "{name}"')


def create(url: URL) -> None:
    """Do nothing: on PostgreSQL an administrator of the server makes the database."""


def translate(error: Exception, constraints: Mapping[str, str]) -> TurnserverError:
    """Turn a driver's error into ours. PostgreSQL names the constraint itself, so `constraints` is not needed."""
    del constraints
    text = str(error).strip().partition("\n")[0]
    match error:
        case errors.UniqueViolation():
            found: TurnserverError = KeyTaken(error.diag.constraint_name or "")
        case errors.DeadlockDetected() | errors.SerializationFailure():
            found = Conflict("another process changed the same rows first")
        case errors.LockNotAvailable():
            found = DatabaseBusy("another process holds the rows; try again, or stop what holds them")
        case errors.UndefinedTable():
            found = DatabaseMissing("the database has no tables yet; `turnserver init` creates them")
        # deadlocks and locks are OperationalErrors too, so they come first
        # who cannot even connect gets no code, and it may be the role that does not exist
        case psycopg.OperationalError() if re.search(r'database ".*" does not exist', str(error)):
            found = DatabaseMissing(f"there is no such database: {text}")
        case errors.DiskFull():
            found = DatabaseFull(f"the database cannot be written: {text}")
        case errors.ReadOnlySqlTransaction():
            found = DatabaseUnavailable(f"the database cannot be written: {text}")
        case errors.QueryCanceled() | errors.IdleInTransactionSessionTimeout():
            found = DatabaseUnavailable(f"the database did not wait for us, by a timeout that is set there: {text}")
        case psycopg.OperationalError() | psycopg.InterfaceError():
            found = DatabaseUnavailable(f"the database cannot be reached: {text}")
        case _:
            found = StoreError(f"the database refused: {text}")
    return found
