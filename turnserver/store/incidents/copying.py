"""A copy of a whole database in an empty one, on either engine: the way from SQLite to PostgreSQL, and back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import Boolean, Table, bindparam, delete, func, insert, literal, select, text, tuple_, update

from turnserver.errors import DatabaseMissing, NotAllowed
from turnserver.store.incidents import health
from turnserver.store.log.database import Database, Transaction, table
from turnserver.store.log.statement import Statement, Value
from turnserver.store.log.tables import METADATA, Counter, HeartbeatRow, SecretRow
from turnserver.text import capitalised

_AT_ONCE = 500
"""The number of rows in memory at a time: those of mails are large."""

_MADE_BY_INIT = [table(row) for row in (Counter, SecretRow, HeartbeatRow)]
"""The tables that have rows although nothing has happened yet. In a copy they are those of the original."""


def copy(source: Database, url: str, busy_timeout_seconds: float) -> int:
    """Copy every row of a database that nobody writes to into an empty one, in one transaction there. Return the number of rows.

    Makes the tables if there are none. Raises NotAllowed (`not_empty`) if anything has happened in the other database, WrongRevision if it
    is none of this program's revision, StoreError if it cannot be reached or cannot keep something; then it has none of the rows.
    """
    with closing(_opened(url, busy_timeout_seconds)) as target, source.read() as conn, target.write() as tx:
        for each in METADATA.sorted_tables:
            if each not in _MADE_BY_INIT and tx.row(Statement(select(literal(1)).select_from(each).limit(1))):
                there = f"{capitalised(health.place(url))} has rows already, in the table {each.name}."
                raise NotAllowed("not_empty", f"{there} Only an empty database can become a copy.")
        for each in _MADE_BY_INIT:
            tx.run(Statement(delete(each)))
        return sum(_copied(conn, tx, each) for each in METADATA.sorted_tables)


def _opened(url: str, busy_timeout_seconds: float) -> Database:
    try:
        return Database.connect(url, busy_timeout_seconds)
    except DatabaseMissing:
        return Database.create_or_upgrade(url, busy_timeout_seconds)


def _copied(conn: Transaction, tx: Transaction, each: Table) -> int:
    columns, key = each.columns.keys(), each.primary_key.columns.keys()
    into = Statement(insert(each).values({name: bindparam(name) for name in columns}))
    # PostgreSQL takes no 0 for a false
    truths = [column.name for column in each.columns if isinstance(column.type, Boolean)]
    links = [column.name for column in each.columns if any(one.column.table is each for one in column.foreign_keys)]
    linked: list[dict[str, Value]] = []
    count = 0
    for row in _rows(conn, each):
        values = dict(zip(columns, row, strict=True))
        values.update((name, bool(values[name])) for name in truths if values[name] is not None)
        # A mail may have been merged into a later one, which has to be there first. A mail that came again is always the later one, and
        # without saying so at once it would be the first of its kind, which is there already.
        later = [name for name in links if values[name] is not None and values[name] > values[key[0]]]
        if later:
            linked.append({f"of_{name}": values[name] for name in (*key, *links)})
        count += tx.run(into, **{**values, **dict.fromkeys(later)})
    _link(tx, each, links, linked)
    _count_on(tx, each)
    return count


def _link(tx: Transaction, each: Table, links: Sequence[str], linked: Sequence[Mapping[str, Value]]) -> None:
    """Write the references to rows of the same table, given with the keys of their rows."""
    changed = update(each).values({name: bindparam(f"of_{name}") for name in links})
    statement = Statement(changed.where(*(column == bindparam(f"of_{column.name}") for column in each.primary_key.columns)))
    for values in linked:
        tx.run(statement, **values)


def _rows(conn: Transaction, each: Table) -> Iterator[Sequence[Any]]:
    """Yield all rows in the order of their keys, not many at once."""
    key = list(each.primary_key.columns)
    first = select(each).order_by(*key).limit(_AT_ONCE)
    later = Statement(first.where(tuple_(*key) > tuple_(*(bindparam(f"after_{column.name}") for column in key))))
    places = [each.columns.keys().index(column.name) for column in key]
    rows = conn.rows(Statement(first))
    while rows:
        yield from rows
        rows = conn.rows(later, **{f"after_{column.name}": rows[-1][place] for column, place in zip(key, places, strict=True)})


def _count_on(tx: Transaction, each: Table) -> None:
    """Have PostgreSQL number the next row of a table after the last one. SQLite looks at the rows."""
    numbered = each.autoincrement_column
    if numbered is None or tx.database.engine.dialect.name == "sqlite":
        return
    sequence = func.pg_get_serial_sequence(each.name, numbered.name)
    tx.rows(Statement(select(func.setval(sequence, func.coalesce(func.max(numbered), 0) + 1, text("false"))).select_from(each)))
