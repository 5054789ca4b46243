"""The event log: append to one stream, read one stream, follow all of them.

Each event's `hash` is the SHA-256 of the previous hash of its stream (hexadecimal; empty before the first), a line feed, and the compact
JSON array `[position, stream, version, type, schema, at, actor, cause, ordinal, data]` in UTF-8. Anybody can recompute it from an export.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, TypeVar, overload

import msgspec
from sqlalchemy import bindparam, func, literal_column, select, update

from turnserver.errors import AlreadyDone, ClocksDiffer, Conflict, KeyTaken, StoreError
from turnserver.ids import Event, GameStream, LeagueStream, PlayerStream, Position, Recorded, Stream, Version
from turnserver.league.events import LeagueEvent
from turnserver.play.events import GameEvent, PlayerEvent
from turnserver.store.log.codec import decode, encode
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import ServersClock, Statement, Value, instant, optional_instant, row_into, stamp
from turnserver.store.log.tables import Counter, EventRow

E = TypeVar("E", bound=Event)

APART: Final = timedelta(seconds=30)
"""So far the clocks of this machine and of the database's server may differ.

Clocks that are set by the network differ by far less than a second; after a start it may take some. Whoever is reminded or out of time half
a minute too early or too late does not notice, and no outage is as short as that.
"""

_HASH_BYTES = 32
_NOTHING = Version(0)

_event = table(EventRow).c
_counter = table(Counter).c
READ = (
    _event.position,
    _event.stream,
    _event.version,
    _event.at,
    _event.actor,
    _event.cause,
    _event.type,
    _event.schema,
    _event.data,
    _event.hash,
)
"""The columns of an event, as `recorded` takes them."""

_LOAD = Statement(select(*READ).where(_event.stream == bindparam("of"), _event.version > bindparam("after")).order_by(_event.version))
_HAPPENED = Statement(
    select(_event.type, _event.schema, _event.data, _event.hash)
    .where(_event.stream == bindparam("of"), _event.version > bindparam("after"))
    .order_by(_event.version)
)
_TAIL = Statement(select(*READ).where(_event.position > bindparam("after")).order_by(_event.position).limit(bindparam("most")))
_OF_CAUSE = Statement(select(_event.position).where(_event.stream == bindparam("of"), _event.cause == bindparam("why")))
_INSERT = Statement(row_into(table(EventRow)))
_BUMP = Statement(
    update(table(Counter))
    .where(_counter.name == bindparam("which"))
    .values(value=_counter.value + bindparam("by"))
    .returning(_counter.value, ServersClock())
)
_GIVEN = Statement(select(_counter.value).where(_counter.name == bindparam("which")))
_LAST = Statement(select(_counter.value).where(_counter.name == literal_column("'position'")))

_SHAPES = Statement(select(_event.type, _event.schema).distinct().order_by(_event.type, _event.schema))
_FIRST_AT = Statement(select(_event.at).order_by(_event.position).limit(1))
_LAST_AT = Statement(select(func.max(_event.at)).where(_event.stream == bindparam("of")))

_to_json = msgspec.json.Encoder().encode


def append(
    tx: Transaction,
    stream: Stream,
    expected: Version,
    events: Sequence[E],
    *,
    at: datetime,
    actor: str,
    cause: str,
    previous: bytes | None,
) -> list[Recorded[E]]:
    """Append `events` to a stream whose last version is `expected` and whose last hash is `previous` (None for an empty stream).

    Must be the last call of its transaction. Raises AlreadyDone if the stream holds events of the same `cause`, Conflict if it has grown
    since `expected`, ClocksDiffer for events from the future; each dooms the transaction. Raises UnknownEvent or Malformed for events that
    cannot be stored.
    """
    if (previous is None) != (expected == 0) or (previous is not None and len(previous) != _HASH_BYTES):
        raise ValueError(f"{stream} at version {expected} cannot have {previous!r} as its last hash")
    if not events:
        return []
    tx.folded = ("", None)
    # before the counter is touched, which others wait for
    encoded = [encode(event) for event in events]
    at_text = stamp(at)
    # its row stays locked until the commit, so positions are gapless and in the order of commits
    last, server = _bump(tx, "position", len(events))
    if tx.database.in_real_time and server is not None and at > server + APART:
        # All others would find that their clocks are behind the log, and stop.
        tx.doomed = True
        raise clocks_differ(at, server, "Nothing has changed.")
    position = last - len(events)
    version, hash_text = int(expected), previous.hex() if previous else ""
    recorded: list[Recorded[E]] = []
    try:
        for ordinal, (event, (type_, schema, data)) in enumerate(zip(events, encoded, strict=True)):
            position += 1
            version += 1
            row: dict[str, Value] = {
                "position": position,
                "stream": stream,
                "version": version,
                "type": type_,
                "schema": schema,
                "at": at_text,
                "actor": actor,
                "cause": cause,
                "ordinal": ordinal,
                "data": data,
            }
            hash_text = row["hash"] = chain(hash_text, tuple(row.values()))
            tx.run(_INSERT, **row)
            known = Position(position), stream, Version(version), at, actor, cause, event, bytes.fromhex(hash_text)
            recorded.append(Recorded(*known))
    except KeyTaken as error:
        # whoever holds the key has committed, or we would still be waiting: a fresh look sees what they wrote
        with tx.database.read() as conn:
            done = conn.rows(_OF_CAUSE, of=stream, why=cause)
        if done:
            raise AlreadyDone(f"{stream} holds the events of {cause} already") from error
        raise Conflict(f"{stream} has grown beyond version {expected}") from error
    return recorded


def clocks_differ(here: datetime, server: datetime, meanwhile: str) -> ClocksDiffer:
    """Return the error that tells what either clock says, with a sentence on what is done or not done `meanwhile`."""
    times = f"{here:%Y-%m-%d %H:%M:%S} UTC, and that of the database's server {server:%Y-%m-%d %H:%M:%S} UTC"
    return ClocksDiffer(
        f"the clock of this machine says {times}. {meanwhile} Compare both with a clock that is right, and set the one that is wrong"
    )


@overload
def load(conn: Transaction, stream: GameStream, after: Version = _NOTHING) -> list[Recorded[GameEvent]]: ...


@overload
def load(conn: Transaction, stream: LeagueStream, after: Version = _NOTHING) -> list[Recorded[LeagueEvent]]: ...


@overload
def load(conn: Transaction, stream: PlayerStream, after: Version = _NOTHING) -> list[Recorded[PlayerEvent]]: ...


@overload
def load(conn: Transaction, stream: Stream, after: Version = _NOTHING) -> list[Recorded[Any]]: ...


def load(conn: Transaction, stream: Stream, after: Version = _NOTHING) -> list[Recorded[Any]]:
    """Return the events of a stream after a version, oldest first; none if there are none. Raises UnknownEvent or Malformed.

    The kind of stream says what events these are, so that mypy finds every match that a new one lacks in.
    """
    return [recorded(row) for row in conn.rows(_LOAD, of=stream, after=after)]


def happened(conn: Transaction, stream: Stream, after: Version = _NOTHING) -> tuple[list[Any], bytes]:
    """Return what happened in a stream after a version, oldest first, and the hash of the last event; empty if it is no longer.

    That is all that a fold needs of them. Raises UnknownEvent or Malformed.
    """
    rows = conn.rows(_HAPPENED, of=stream, after=after)
    return [decode(type_, schema, data) for type_, schema, data, _ in rows], bytes.fromhex(rows[-1][3] if rows else "")


def tail(conn: Transaction, after: Position, limit: int) -> list[Recorded[Any]]:
    """Return the next events of all streams after a position, in order and without a gap, at most `limit`.

    A reader who remembers the last position and asks again misses nothing: an event is never committed below one that was visible before.
    Raises UnknownEvent or Malformed.
    """
    return [recorded(row) for row in conn.rows(_TAIL, after=after, most=limit)]


def last_position(conn: Transaction) -> Position:
    """Return the position of the newest event by the counter that gives them out; 0 if there is none."""
    row = conn.row(_LAST)
    return Position(row[0] if row else 0)


def last_number(conn: Transaction, counter: str) -> int:
    """Return the number that a counter has given out last; 0 if none."""
    row = conn.row(_GIVEN, which=counter)
    return int(row[0]) if row else 0


def first_at(conn: Transaction) -> datetime | None:
    """Return the instant of the first event of the log; None if it is empty."""
    row = conn.row(_FIRST_AT)
    return instant(row[0]) if row else None


def last_at(conn: Transaction, stream: Stream) -> datetime | None:
    """Return when a stream last grew; None if it is empty. Its events may be of any type."""
    row = conn.row(_LAST_AT, of=stream)
    return instant(row[0]) if row and row[0] else None


def shapes(conn: Transaction) -> list[tuple[str, int]]:
    """Return every type and schema version of events that the log holds, known or not."""
    return [(type_, schema) for type_, schema in conn.rows(_SHAPES)]


def next_number(tx: Transaction, counter: str) -> int:
    """Give out the next number of `game`, `player` or `confirmation`: 1, 2, ... A transaction that is rolled back gives its number back."""
    return _bump(tx, counter, 1)[0]


def chain(previous: str, envelope: tuple[Value, ...]) -> str:
    """Return the hash of an event: `previous` is the hash before it in its stream, `envelope` the columns before `hash` in their order."""
    return sha256(hashed(previous, envelope)).hexdigest()


def hashed(previous: str, envelope: tuple[Value, ...]) -> bytes:
    """Return the bytes whose SHA-256 is the hash of an event."""
    return previous.encode() + b"\n" + _to_json(envelope)


def _bump(tx: Transaction, counter: str, by: int) -> tuple[int, datetime | None]:
    """Return the counter's new value, and the present instant by the database's server, or None on SQLite."""
    row = tx.row(_BUMP, which=counter, by=by)
    if row is None:
        raise StoreError(f"the counter {counter!r} is missing")
    return int(row[0]), optional_instant(row[1])


def recorded(row: tuple[Any, ...]) -> Recorded[Any]:
    """Return the event of a row with the columns `READ`. Raises UnknownEvent or Malformed."""
    position, stream, version, at, actor, cause, type_, schema, data, hash_text = row
    return Recorded(position, stream, version, instant(at), actor, cause, decode(type_, schema, data), bytes.fromhex(hash_text))
