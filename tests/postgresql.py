"""A PostgreSQL database that one test after the other finds as if it were new, without a tenth of a second for each to make it."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg
from psycopg.sql import SQL, Composable, Composed, Identifier

_SHAPE = """
SELECT md5(string_agg(one, ' ' ORDER BY one)) FROM (
    SELECT concat_ws('/', 'relation', oid, xmin) AS one FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws('/', 'column', attrelid, attnum, a.xmin) FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws('/', 'default', oid, xmin) FROM pg_attrdef
    UNION ALL SELECT concat_ws('/', 'index', indexrelid, i.xmin) FROM pg_index i JOIN pg_class c ON c.oid = indexrelid
        WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws('/', 'constraint', oid, xmin) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws('/', 'trigger', oid, xmin) FROM pg_trigger
    UNION ALL SELECT concat_ws('/', 'function', oid, xmin) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws('/', 'schema', oid, xmin) FROM pg_namespace WHERE nspname !~ '^pg_'
    UNION ALL SELECT concat_ws('/', 'database', oid) FROM pg_database WHERE datname = current_database()
) AS found
"""
"""What tells a database whose rows alone have changed from any other: PostgreSQL writes a row of its catalogue anew for each change."""


class _Made(NamedTuple):
    """A database of ours, what it was like, and how it gets its first rows back."""

    name: str
    shape: str
    put_back: Composed


class Reused:
    """The databases of one of pytest's workers, copied from a template."""

    def __init__(self, server: str, template: str) -> None:
        self._server = server
        self._template = template
        self._made: _Made | None = None

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """The name of a database with all tables and no rows but the first ones."""
        made = self._made or self._make()
        # whoever fails in between leaves nothing to the next
        self._made = None
        yield made.name
        if self._as_it_was(made):
            self._made = made
        else:
            drop(self._server, made.name)

    def close(self) -> None:
        """Leave none behind."""
        if self._made is not None:
            drop(self._server, self._made.name)

    def _make(self) -> _Made:
        name = create(self._server, self._template)
        with self._connected(name) as connection:
            tables = [table for (table,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
            # Neither a trigger nor a foreign key counts, and deleting from a small table takes less time than emptying it.
            steps: list[Composable] = [SQL("SET session_replication_role = replica")]
            steps += [SQL("DELETE FROM {}").format(Identifier(table)) for table in tables]
            for table in tables:
                for row in connection.execute(SQL("SELECT * FROM {}").format(Identifier(table))).fetchall():
                    values = SQL(", ").join(row)
                    steps.append(SQL("INSERT INTO {} OVERRIDING SYSTEM VALUE VALUES ({})").format(Identifier(table), values))
            for sequence, first, last in connection.execute("SELECT sequencename, start_value, last_value FROM pg_sequences"):
                steps.append(SQL("SELECT setval({}, {}, {})").format(sequence, last or first, last is not None))
            return _Made(name, _shape(connection), SQL("; ").join(steps))

    def _as_it_was(self, made: _Made) -> bool:
        """Put the first rows back, and return whether that is all there is to it."""
        try:
            with self._connected(made.name) as connection:
                if _shape(connection) != made.shape:
                    return False
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                connection.execute(made.put_back)
        except psycopg.Error:
            return False
        return True

    def _connected(self, name: str) -> "psycopg.Connection[Any]":
        return psycopg.connect(self._server.replace("/postgres?", f"/{name}?"), autocommit=True)


def _shape(connection: "psycopg.Connection[Any]") -> str:
    ((shape,),) = connection.execute(_SHAPE).fetchall()
    return str(shape)


def create(server: str, template: str) -> str:
    """Make a database out of another one, and return its name."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        # Copied as files, which is quick where no disk is waited for.
        connection.execute(SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(Identifier(name), Identifier(template)))
    return name


def drop(server: str, name: str) -> None:
    """Remove a database, if it is there, whoever uses it."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))
