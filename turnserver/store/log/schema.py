"""Check whether tables, indexes and triggers are those that the migrations have made, and put back missing ones where possible.

A trigger that was dropped changes no row, so no other check would miss it, and from then on the log can be edited by plain SQL.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Index, Table, inspect, text
from sqlalchemy.engine.interfaces import ReflectedIndex
from sqlalchemy.exc import DBAPIError

from turnserver.store.log.database import Database
from turnserver.store.log.tables import METADATA

_LOG: Final = "the log is append-only"
_CHECKPOINTS: Final = "checkpoints are for ever"

_SQLITE: Final[Mapping[str, str]] = {
    f"{table}_no_{act.lower()}": f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} BEGIN SELECT RAISE(ABORT, '{why}'); END"
    for table, why in (("event", _LOG), ("checkpoint", _CHECKPOINTS))
    for act in ("UPDATE", "DELETE")
}
_POSTGRESQL: Final[Mapping[str, tuple[str, str, str]]] = {
    "event_append_only": ("event", "event_append_only", _LOG),
    "checkpoint_append_only": ("checkpoint", "checkpoint_kept", _CHECKPOINTS),
}
"""Triggers by name: the table, the function, and what that says."""

# neither Alembic nor SQLAlchemy looks at triggers
_TRIGGERS_OF_POSTGRESQL: Final = (
    "SELECT t.tgname, c.relname, p.proname, t.tgenabled, t.tgtype, p.prosrc FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
    " JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE NOT t.tgisinternal AND n.nspname = current_schema()"
)
_BEFORE_ANY_CHANGE: Final = 2 + 8 + 16 + 32
"""PostgreSQL's code for BEFORE DELETE OR UPDATE OR TRUNCATE, for each statement."""


def differences(database: Database) -> list[str]:
    """Return the differences from the tables that the migrations make, a phrase each.

    Tables of others in the same database do not count.
    """
    with _translated(database), database.unhurried() as connection:
        return [*_of_definitions(connection), *(problem for _, problem in _of_triggers(connection))]


def put_back(database: Database) -> list[str]:
    """Make missing or changed indexes and triggers anew, in one transaction. Return a phrase for each."""
    sqlite = database.engine.dialect.name == "sqlite"
    done: list[str] = []
    with _translated(database), database.remaking() as connection:
        for table in METADATA.tables.values():
            known = inspect(connection).has_table(table.name)
            there = {index["name"] for index in inspect(connection).get_indexes(table.name)} if known else set()
            for index in table.indexes:
                if known and index.name not in there:
                    index.create(connection)
                    done.append(f"the index {index.name}")
        # listed first: making a trigger changes what the listing reads
        for name, _ in list(_of_triggers(connection)):
            if name in (_SQLITE if sqlite else _POSTGRESQL):
                for statement in _making(name) if sqlite else _making_in_postgresql(name):
                    connection.exec_driver_sql(statement)
                done.append(f"the trigger {name}")
    return done


@contextmanager
def _translated(database: Database) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise database.translate(error.orig if isinstance(error.orig, Exception) else error) from error


def _making(name: str) -> Iterator[str]:
    yield f"DROP TRIGGER IF EXISTS {name}"
    yield _SQLITE[name]


def _making_in_postgresql(name: str) -> Iterator[str]:
    table, function, why = _POSTGRESQL[name]
    yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
    yield f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{why}'; END $$"
    yield f"CREATE TRIGGER {name} BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} EXECUTE FUNCTION {function}()"


_compared: Final[dict[tuple[object, ...], list[str]]] = {}
"""What differs, by all that an SQLite file defines: a comparison takes ten times as long as everything else that looks at a small file."""


def _of_definitions(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return [*_of_tables(connection), *_of_predicates(connection)]
    defined = tuple(connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").all())
    if defined not in _compared:
        _compared[defined] = [*_of_tables(connection), *_of_predicates(connection)]
    return _compared[defined]


def _of_tables(connection: Connection) -> Iterator[str]:
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415  # it takes longer to import than most commands take to run
    from alembic.migration import MigrationContext  # noqa: PLC0415  # see above

    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    for difference in compare_metadata(context, METADATA):
        for what in difference if isinstance(difference, list) else [difference]:
            if problem := "" if _in_a_missing_table(what, connection) else _told(what):
                yield problem


def _in_a_missing_table(difference: tuple[object, ...], connection: Connection) -> bool:
    # that the table is missing says enough
    match difference:
        case "add_index", Index(table=Table(name=name)):
            return not inspect(connection).has_table(name)
        case _:
            return False


def _told(difference: tuple[object, ...]) -> str:
    # Alembic has no types for its differences: an operation, then whatever it is about
    kind, *rest = difference
    match kind, rest:
        case "add_table", [Table(name=name)]:
            return f"the table {name} is missing"
        # others may keep tables in the same database
        case "remove_table", _:
            return ""
        case "add_column", [_, table, column, *_]:
            return f"the column {table}.{getattr(column, 'name', column)} is missing"
        case "remove_column", [_, table, column, *_]:
            return f"the column {table}.{getattr(column, 'name', column)} is none of ours"
        case "add_index", [Index(name=name)]:
            return f"the index {name} is missing or another one"
        case "remove_index", [Index(name=name, table=table)]:
            mine = METADATA.tables.get(str(table.name)) if table is not None else None
            known = mine is not None and name in {index.name for index in mine.indexes}
            return "" if known else f"the index {name} is none of ours"
        case str(), [_, table, column, *_] if kind.startswith("modify_"):
            return f"the column {table}.{column} has another {kind.removeprefix('modify_')}"
        case _:
            return f"{str(kind).replace('_', ' ')} {getattr(rest[0], 'name', '') if rest else ''}".strip()


def _of_predicates(connection: Connection) -> Iterator[str]:
    """Yield the indexes that cover other rows than they should: all instead of some, some instead of all, or (SQLite) others."""
    dialect = connection.dialect.name
    there = inspect(connection)
    for table in METADATA.tables.values():
        found = {index["name"]: index for index in there.get_indexes(table.name)} if there.has_table(table.name) else {}
        for index in table.indexes:
            known = found.get(str(index.name))
            wanted = index.dialect_options[dialect]["where"]
            if known is not None and not _alike(str(wanted) if wanted is not None else "", _predicate(known, dialect), dialect):
                yield f"the index {index.name} covers other rows"


def _predicate(index: ReflectedIndex, dialect: str) -> str:
    return str(index.get("dialect_options", {}).get(f"{dialect}_where", ""))


def _alike(wanted: str, found: str, dialect: str) -> bool:
    # PostgreSQL gives a condition back in its own words, so there only its presence can be compared
    return bool(wanted) == bool(found) if dialect == "postgresql" else wanted.split() == found.split()


def _of_triggers(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield the names of triggers that are missing, changed or not ours, each with its fault."""
    ours = set(METADATA.tables)
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
        found = {name: (table, sql.split() == _SQLITE.get(name, "").split()) for name, table, sql in rows}
        wanted = {name: f"the trigger {name}" for name in _SQLITE}
    else:
        rows = connection.execute(text(_TRIGGERS_OF_POSTGRESQL)).all()
        found = {name: (table, _fits(name, tuple(rest))) for name, table, *rest in rows}
        wanted = {name: f"the trigger {name}" for name in _POSTGRESQL}
    for name, called in wanted.items():
        if name not in found:
            yield name, f"{called} is missing"
        elif not found[name][1]:
            yield name, f"{called} is another one"
    for name, (table, _) in found.items():
        if name not in wanted and table in ours:
            yield name, f"the trigger {name} on {table} is none of ours"


def _fits(name: str, found: tuple[object, ...]) -> bool:
    if name not in _POSTGRESQL:
        return False
    _, function, why = _POSTGRESQL[name]
    called, enabled, kind, body = found
    # PostgreSQL's one-byte type "char" comes as bytes; "O" is a trigger that fires
    enabled = enabled.decode() if isinstance(enabled, bytes) else enabled
    same_body = str(body).split() == f"BEGIN RAISE EXCEPTION '{why}'; END".split()
    return same_body and (called, enabled, kind) == (function, "O", _BEFORE_ANY_CHANGE)
