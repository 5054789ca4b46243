"""The log as a trail: which events there are of a kind, by whom, and when, without reading more of it than the question needs."""

from datetime import datetime

from sqlalchemy import bindparam, select

from turnserver.envelope import Position, Stream, Version
from turnserver.store.database import Transaction, table
from turnserver.store.instants import instant
from turnserver.store.statement import Statement
from turnserver.store.tables import EventRow

_event = table(EventRow).c
_NEWEST = Statement(
    select(_event.version, _event.at, _event.type)
    .where(_event.stream == bindparam("of"))
    .order_by(_event.version.desc())
    .limit(bindparam("most"))
)
_AT = Statement(select(_event.at).where(_event.position == bindparam("which")))


def recorded_at(conn: Transaction, position: Position) -> datetime | None:
    """When the event at a position was recorded; None if there is none."""
    row = conn.row(_AT, which=position)
    return None if row is None else instant(row[0])


def newest(conn: Transaction, stream: Stream, most: int) -> list[tuple[Version, datetime, str]]:
    """The last events of a stream, the newest first: version, when it was recorded, and type."""
    return [(Version(version), instant(at), kind) for version, at, kind in conn.rows(_NEWEST, of=stream, most=most)]
