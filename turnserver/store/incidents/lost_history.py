"""What certainly happened and is in no history here any more, each thing once, with what shows it."""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Executable, bindparam, func, select, update

from turnserver.store.log.database import Transaction, table
from turnserver.store.log.instants import instant, optional_instant, stamp
from turnserver.store.log.statement import Inserting, Statement, plain
from turnserver.store.log.tables import LossRow


class Loss(msgspec.Struct, frozen=True):
    """Something that is lost; see `tables.LossRow`."""

    id: int
    subject: str
    evidence: str
    at: datetime
    mail: int | None
    reported_at: datetime | None


_table = table(LossRow)
_row = _table.c
_COLUMNS = tuple(_table.columns)


def _add(insert_into: Inserting) -> Executable:
    names = ("subject", "evidence", "at", "mail")
    return insert_into(_table).values({name: bindparam(name) for name in names}).on_conflict_do_nothing().returning(_row.id)


_ADD = Statement(_add)
_ALL = Statement(select(*_COLUMNS).order_by(_row.id))
_UNREPORTED = Statement(select(*_COLUMNS).where(_row.reported_at.is_(None)).order_by(_row.id))
_LAST_REPORT = Statement(select(func.max(_row.reported_at)))
_REPORTED = Statement(update(_table).where(_row.reported_at.is_(None), _row.id <= bindparam("upto")).values(reported_at=bindparam("now")))


def note(tx: Transaction, subject: str, evidence: str, at: datetime, mail: int | None = None) -> bool:
    """Keep that something is lost; False if that was known."""
    return tx.row(_ADD, subject=plain(subject), evidence=plain(evidence), at=stamp(at), mail=mail) is not None


def every(conn: Transaction) -> list[Loss]:
    """All that is known to be lost, in the order in which it was found out."""
    return [_item(row) for row in conn.rows(_ALL)]


def unreported(conn: Transaction) -> list[Loss]:
    """What the admin has not been told of."""
    return [_item(row) for row in conn.rows(_UNREPORTED)]


def last_report(conn: Transaction) -> datetime | None:
    """When the admin was last told of losses."""
    row = conn.row(_LAST_REPORT)
    return optional_instant(row[0]) if row else None


def reported(tx: Transaction, upto: int, now: datetime) -> None:
    """Note that the admin is told of all losses up to a number."""
    tx.run(_REPORTED, upto=upto, now=stamp(now))


def _item(row: tuple[Any, ...]) -> Loss:
    values = dict(zip((column.name for column in _COLUMNS), row, strict=True))
    return Loss(**{**values, "at": instant(values["at"]), "reported_at": optional_instant(values["reported_at"])})
