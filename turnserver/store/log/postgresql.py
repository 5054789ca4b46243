"""All that is particular to PostgreSQL."""

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from math import inf
from typing import Any, Final, TypeVar

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
# one way to the server and back for both
BEGIN_HASTY = (f"{BEGIN_WRITE}; SET LOCAL synchronous_commit = off",)
END_HASTY = ("COMMIT",)
# Tables that two make at once fail in one of them. Whoever comes second waits for as long as the first one takes, and then looks what is
# to do. The number is ours; databases of the same server do not share it.
BEGIN_REMAKING = f"{BEGIN_WRITE}; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1953853299); SET LOCAL lock_timeout TO DEFAULT"
ONE_WRITER = False

SILENCE_SECONDS: Final = 60.0
"""The longest silence of a server that waits for no lock. One that says nothing for longer hangs, or the way to it is lost."""

_LOOK_SECONDS: Final = 0.1
"""The time between two looks whether it says something."""

WIRE: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    # a firewall that has forgotten a connection says nothing, either
    "tcp_user_timeout": 20_000,
}
"""The names of libpq, with its units, for how soon a connection is found to be lost. Those in `database.url` come first."""

POOLER: Final = (
    "database.url leads to a pooler, such as PgBouncer, which mixes up what several connections have prepared. "
    "Give the address of PostgreSQL itself: each process of turnserver keeps a few connections and no more"
)

ResultT = TypeVar("ResultT")


class Connection(psycopg.Connection[Any]):
    """A connection that is lost when its server says nothing for `silence_seconds`."""

    silence_seconds: float

    def wait(self, gen: Generator[Any, Any, ResultT], interval: float = _LOOK_SECONDS, *args: Any, **options: Any) -> ResultT:  # noqa: ANN401  # as versions of psycopg differ
        """Wait for an answer as psycopg does. Raises OperationalError, and is closed, after too long a silence."""
        try:
            return super().wait(_unless_silent(gen, self.silence_seconds, interval), interval, *args, **options)
        except _SilenceError:
            # whatever is still answered is no answer to the next question
            self.pgconn.finish()
            raise


class _SilenceError(psycopg.OperationalError):
    """The server has said nothing for too long."""


def _unless_silent(waiting: Generator[Any, Any, ResultT], seconds: float, interval: float) -> Generator[Any, Any, ResultT]:
    """Wait as psycopg's generator does, which hears after each interval whether the server has said or taken anything."""
    silence = 0.0
    try:
        wanted = next(waiting)
        while True:
            ready = yield wanted
            silence = 0.0 if ready else silence + interval
            if silence > seconds:
                raise _SilenceError(f"its server has said nothing for {seconds:g} seconds")
            wanted = waiting.send(ready)
    except StopIteration as end:
        result: ResultT = end.value
        return result


def engine(url: URL, busy_timeout_seconds: float) -> Engine:
    """Return connections that leave transactions to us, wait for locks no longer than the busy timeout, and survive a server's restart.

    To connect raises ConfigError if the database keeps text in anything but UTF-8, which would lose letters or refuse them, or if a pooler
    stands in between.
    """
    milliseconds = max(1, round(busy_timeout_seconds * 1000))
    # a server that waits for a lock says nothing, either
    silence = SILENCE_SECONDS + busy_timeout_seconds

    def hurry(connection: Connection | None, _record: object) -> None:
        if connection is not None:
            connection.silence_seconds = silence

    made = create_engine(
        url,
        # BEGIN and COMMIT are sent by `Database`, the same way for both engines
        isolation_level="AUTOCOMMIT",
        pool_pre_ping=True,
        pool_timeout=busy_timeout_seconds,
        connect_args={
            "options": f"-c lock_timeout={milliseconds} -c TimeZone=UTC",
            **{name: url.query.get(name, usual) for name, usual in WIRE.items()},
        },
    )
    event.listen(made, "do_connect", _connected)
    # before the first question, which SQLAlchemy asks as soon as it is connected
    event.listen(made, "connect", _require_fit, insert=True)
    event.listen(made, "connect", hurry, insert=True)
    event.listen(made, "checkin", hurry)
    return made


def _connected(_dialect: object, _record: object, _arguments: object, options: Mapping[str, Any]) -> Connection:
    try:
        return Connection.connect(autocommit=True, **options)
    except psycopg.OperationalError as error:
        # PgBouncer takes few of the options of a server
        if "unsupported startup parameter" in str(error):
            raise ConfigError(POOLER) from error
        raise


def unhurried(connection: Connection) -> None:
    """Let statements of a connection take as long as they take, until it goes back to the pool."""
    connection.silence_seconds = inf


def _require_fit(connection: Connection, _record: object) -> None:
    found, why = connection.info.parameter_status("server_encoding"), ""
    # a server in between may not pass it on
    if found not in {None, "UTF8"}:
        why = f"The database of database.url is in {found}, and has to be in UTF8: `createdb --encoding UTF8 --template template0 NAME`"
    # a pooler tells a number of its own
    elif connection.execute("SELECT pg_backend_pid()").fetchone() != (connection.info.backend_pid,):
        why = POOLER
    if why:
        connection.close()
        raise ConfigError(why)


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
        assert isinstance(connection.driver_connection, Connection)  # noqa: S101  # as `_connected` makes them
        unhurried(connection.driver_connection)
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
