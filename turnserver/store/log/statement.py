"""Statements written once in SQLAlchemy Core and compiled once per dialect.

SQLAlchemy's own execution costs about as much per statement as SQLite needs to run it. So the hot path compiles a Core statement on its
first use and from then on hands the same text to the driver, and takes rows as tuples.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, cast

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    ColumnElement,
    Dialect,
    Executable,
    Insert,
    String,
    Table,
    bindparam,
    insert,
    literal_column,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

_WIDTH = 27


def stamp(instant: datetime) -> str:
    """Write an instant. Raises ValueError for a naive datetime, because its zone is unknown."""
    # most instants are in UTC already, and a comparison by identity costs next to nothing
    if instant.tzinfo is not UTC:
        if instant.utcoffset() is None:
            raise ValueError(f"an instant needs a time zone: {instant.isoformat()}")
        instant = instant.astimezone(UTC)
    return _stamp(instant)


# a transaction writes its own instant many times
@lru_cache(maxsize=64)
def _stamp(instant: datetime) -> str:
    return instant.isoformat(timespec="microseconds")[:26] + "Z"


def instant(text: str) -> datetime:
    """Read a text that `stamp` wrote: `stamp(instant(text)) == text`. Raises ValueError for any other spelling."""
    # `fromisoformat` reads many spellings, and an instant must have one
    if len(text) != _WIDTH or text[10] != "T" or text[26] != "Z":
        raise ValueError(f"not an instant as the store writes it: {text!r}")
    return datetime.fromisoformat(text)


def optional_stamp(instant: datetime | None) -> str | None:
    """Write an instant that may be missing."""
    return None if instant is None else stamp(instant)


def optional_instant(text: str | None) -> datetime | None:
    """Read an instant that may be missing."""
    return None if text is None else instant(text)


Value: TypeAlias = str | int | float | bytes | bool | None
"""A value in a column. Both drivers take and give these as they are, except that SQLite gives a bool as 0 or 1."""


Bind: TypeAlias = Callable[[Mapping[str, Value]], Mapping[str, Value] | Sequence[Value]]
"""Returns the parameters of a statement as its driver takes them: SQLite finds them faster by their places than by their names."""


class Inserting(Protocol):
    """Makes an INSERT that knows `on_conflict_do_nothing`, which both engines have but SQLAlchemy keeps in the dialects."""

    def __call__(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """Start an INSERT into `table`."""


_INSERTING: Mapping[str, Inserting] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def row_into(into: Table) -> Insert:
    """Return the INSERT of a row that has a value for each column, by the column's name."""
    return insert(into).values(_by_column(into))


def missing_row_into(into: Table) -> Callable[[Inserting], Executable]:
    """Return what builds an INSERT like `row_into` that changes nothing if there is a row of that key already."""
    return lambda insert_into: insert_into(into).values(_by_column(into)).inline().on_conflict_do_nothing()


def _by_column(of: Table) -> dict[str, BindParameter[Any]]:
    return {column.name: bindparam(column.name) for column in of.columns}


def constants(*words: str) -> list[ColumnElement[str]]:
    """Return words as they stand in the text of a statement, for a column to be one of them."""
    return [literal_column(f"'{word}'", String) for word in words]


class Statement:
    """One Core statement, with `bindparam`s for variable parts; or a function that builds it from the dialect's own INSERT."""

    __slots__ = ("_build", "_compiled")

    def __init__(self, statement: Executable | Callable[[Inserting], Executable]) -> None:
        """Take the statement; it is compiled on first use."""
        self._build: Callable[[Inserting], Executable] = statement if callable(statement) else lambda _: statement
        self._compiled: dict[str, tuple[str, Bind]] = {}

    def compile(self, dialect: Dialect) -> tuple[str, Bind]:
        """Return the text for `dialect`, compiled on first use, and what makes its parameters of values by name."""
        known = self._compiled.get(dialect.name)
        if known is None:
            compiled = cast("ClauseElement", self._build(_INSERTING[dialect.name])).compile(dialect=dialect)
            # a bound parameter has the value None until it is given one
            constants = {name: value for name, value in compiled.params.items() if value is not None}
            known = self._compiled[dialect.name] = (str(compiled), _bind(constants, getattr(compiled, "positiontup", None)))
        return known


def _bind(constants: Mapping[str, Value], places: Sequence[str] | None) -> Bind:
    def by_name(values: Mapping[str, Value]) -> Mapping[str, Value]:
        return {**constants, **values} if constants else values

    if places is None:
        return by_name
    return lambda values: [*map(by_name(values).__getitem__, places)]


class ServersClock(FunctionElement[str | None]):
    """The present instant by the database's server, as `stamp` writes it. NULL on SQLite, which has no clock but that of this machine."""

    inherit_cache = True


@compiles(ServersClock, "postgresql")
def _of_the_server(_element: ServersClock, _compiler: SQLCompiler, **_options: object) -> str:
    return """to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


@compiles(ServersClock, "sqlite")
def _of_nobody(_element: ServersClock, _compiler: SQLCompiler, **_options: object) -> str:
    return "NULL"


def plain(text: str) -> str:
    """Return free text as both engines can keep it: PostgreSQL stores no NUL, and neither stores half a surrogate pair."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
