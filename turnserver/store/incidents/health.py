"""Facts about a database from outside: its place, its engine, and whether it takes a write."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import column, func, literal_column, make_url, select, text, update
from sqlalchemy import table as any_table

from turnserver.errors import DatabaseBusy
from turnserver.store.log.database import REVISION, Database, Transaction
from turnserver.store.log.statement import Statement


class Health(NamedTuple):
    """An engine with its version, the revision of the tables, and for SQLite how it keeps its journal."""

    engine: str
    revision: str
    journal: str | None


_REVISION = any_table("alembic_version", column("version_num"))
_REWRITE = Statement(update(_REVISION).values(version_num=_REVISION.c.version_num))
_SQLITE_VERSION = Statement(select(func.sqlite_version()))
_SQLITE_JOURNAL = Statement(text("PRAGMA journal_mode").columns(column("journal_mode")))
# A file of its own has to grow. What is rewritten may go into room that was there already, even on a disk that takes no mail any more.
_ROOM = Statement(
    text("CREATE TEMPORARY TABLE turnserver_room ON COMMIT DROP AS SELECT lpad(i::text, 32) FROM generate_series(1, 8192) AS i")
)
_MAY_TRY_ROOM = Statement(select(func.has_database_privilege(func.current_database(), literal_column("'TEMPORARY'"))))
_POSTGRESQL_VERSION = Statement(select(func.current_setting(literal_column("'server_version'"))))


def place(url: str) -> str:
    """Return where a database is, without the password: `the file /var/lib/turnserver.db`, `the database club at localhost`."""
    parts = make_url(url)
    if parts.get_backend_name() == "sqlite":
        return f"the file {parts.database}"
    host = parts.host or parts.query.get("host") or "the local socket"
    return f"the database {parts.database} at {host}{f':{parts.port}' if parts.port else ''}"


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL, which looks after its files itself."""
    parts = make_url(url)
    return Path(str(parts.database)).absolute() if parts.get_backend_name() == "sqlite" else None


def name(url: str) -> str:
    """Return PostgreSQL's name of a database."""
    return make_url(url).database or ""


def copying(url: str, ending: str) -> tuple[str, str]:
    """Return two shell commands that copy a database of PostgreSQL to one beside it, named with that ending: make it, and fill it.

    They have no password in them.
    """
    parts = make_url(url)
    host, port = parts.host or parts.query.get("host"), parts.port or parts.query.get("port")
    where = [f"--{option}={value}" for option, value in (("host", host), ("port", port)) if value]
    old, new = parts.database or "", f"{parts.database}_{ending}"
    owner, role = ([f"--{option}={parts.username}"] if parts.username else [] for option in ("owner", "username"))
    dump, fill = ["pg_dump", *where, *role, old], ["psql", "--set=ON_ERROR_STOP=1", *where, *role, new]
    return shlex.join(["createdb", *where, "--template=template0", *owner, new]), f"{shlex.join(dump)} | {shlex.join(fill)}"


def examine(database: Database) -> Health:
    """Look at an open database and write a row as it is, durably: only then does a full disk show. Raises StoreError if that fails."""
    with database.read() as conn:
        health = _looked_at(database, conn)
    with database.write() as tx:
        # a full disk shows only when something is written
        tx.run(_REWRITE)
        if database.engine.dialect.name != "sqlite" and tx.row(_MAY_TRY_ROOM) == (True,):
            tx.run(_ROOM)
    return health


def require_ready(database: Database) -> None:
    """Raise StoreError unless the database can be read and written, is the one that was opened, and has the tables of this program.

    One that is busy is ready.
    """
    database.require_revision()
    with suppress(DatabaseBusy), database.hasty_write() as tx:
        tx.run(_REWRITE)


def _looked_at(database: Database, conn: Transaction) -> Health:
    if database.engine.dialect.name == "sqlite":
        return Health(f"SQLite {_one(conn, _SQLITE_VERSION)}", REVISION, _one(conn, _SQLITE_JOURNAL))
    return Health(f"PostgreSQL {_one(conn, _POSTGRESQL_VERSION)}", REVISION, None)


def _one(conn: Transaction, statement: Statement) -> str:
    row = conn.row(statement)
    return str(row[0]) if row else ""
