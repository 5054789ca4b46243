"""Statements written once in SQLAlchemy Core and compiled once per dialect.

SQLAlchemy's own execution costs about as much per statement as SQLite needs to run it. So the hot path compiles a Core statement on its
first use and from then on hands the same text to the driver, with parameters by name and rows as tuples.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, cast

from sqlalchemy import ClauseElement, Dialect, Executable, Table
from sqlalchemy.dialects import postgresql, sqlite

Value: TypeAlias = str | int | float | bytes | bool | None
"""What the columns hold; both drivers take and give these as they are, except that SQLite gives a bool as 0 or 1."""


class Inserting(Protocol):
    """Makes an INSERT that knows `on_conflict_do_nothing`, which both engines have but SQLAlchemy keeps in the dialects."""

    def __call__(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """Start an INSERT into `table`."""


_INSERTING: Mapping[str, Inserting] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class Statement:
    """One Core statement, with `bindparam`s for what varies; or a function that builds it from the dialect's own INSERT."""

    __slots__ = ("_build",)

    def __init__(self, statement: Executable | Callable[[Inserting], Executable]) -> None:
        """Take the statement; nothing is compiled yet."""
        self._build: Callable[[Inserting], Executable] = statement if callable(statement) else lambda _: statement

    def compile(self, dialect: Dialect) -> tuple[str, dict[str, Any]]:
        """Give the text for `dialect` and the values of its constants by parameter name."""
        compiled = cast("ClauseElement", self._build(_INSERTING[dialect.name])).compile(dialect=dialect)
        constants = {name: value for name, value in compiled.params.items() if value is not None}
        return str(compiled), constants


def plain(text: str) -> str:
    """Free text as both engines can keep it: PostgreSQL stores no NUL, and neither stores half a surrogate pair."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
