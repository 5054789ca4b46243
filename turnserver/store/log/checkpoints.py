"""The checkpoints that were made, and the log as a tree sees it: one leaf for each position, the event's hash as 32 bytes."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, func, literal_column, select

from turnserver.errors import AlreadyHandled, KeyTaken, LogRewritten
from turnserver.ids import Position, Stream, Version
from turnserver.proof.merkle import HASH_BYTES, Frontier
from turnserver.store.log import log
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, row_into, stamp
from turnserver.store.log.tables import CheckpointRow, EventRow

SEASON_CLOSED = "league.season_closed"


class Stored(NamedTuple):
    """A checkpoint: when and why it was made, its tree, and the note that says so, signed."""

    id: int
    at: datetime
    reason: str
    root: bytes
    note: str
    tree: Frontier

    @property
    def size(self) -> int:
        """Return the number of events in the log at the checkpoint."""
        return self.tree.size


class Leaf(NamedTuple):
    """An event in the tree: its hash as stored, and whether that is the hash of its row."""

    position: Position
    hash: bytes
    fits: bool


_PAGE = 2000
_rows = table(CheckpointRow)
_row = _rows.c
_events = table(EventRow)
_event = _events.c
_before = _events.alias("before")
_ENVELOPE = tuple(column for column in _events.columns if column.name != "hash")

_ALL = select(_row.id, _row.at, _row.reason, _row.size, _row.root, _row.note, _row.frontier)
_LAST = Statement(_ALL.order_by(_row.id.desc()).limit(1))
_LATEST = Statement(_ALL.order_by(_row.id.desc()).limit(bindparam("most")))
_EVERY = Statement(_ALL.order_by(_row.id))
_COVERING = Statement(_ALL.where(_row.size >= bindparam("least")).order_by(_row.size, _row.id.desc()).limit(1))
_OF_SIZE = Statement(_ALL.where(_row.size == bindparam("wanted")).order_by(_row.id.desc()).limit(1))
_INSERT = Statement(row_into(_rows))
_CLOSED = Statement(select(func.max(_event.position)).where(_event.position > bindparam("after"), _event.type == bindparam("type")))
_HASHES = Statement(select(_event.position, _event.hash).where(_event.position > bindparam("after")).order_by(_event.position).limit(_PAGE))
_LINKED = (
    select(_event.hash, *_ENVELOPE, _before.c.hash)
    .outerjoin_from(_events, _before, and_(_before.c.stream == _event.stream, _before.c.version == _event.version - literal_column("1")))
    .order_by(_event.position)
)
_WHOLE = Statement(_LINKED.where(_event.position > bindparam("after")).limit(_PAGE))
_ONE = Statement(_LINKED.where(_event.stream == bindparam("of"), _event.version == bindparam("number")))


def last(conn: Transaction) -> Stored | None:
    """Return the newest checkpoint."""
    row = conn.row(_LAST)
    return None if row is None else _stored(row)


def latest(conn: Transaction, most: int) -> list[Stored]:
    """Return the newest checkpoints, the newest first."""
    return [_stored(row) for row in conn.rows(_LATEST, most=most)]


def every(conn: Transaction) -> list[Stored]:
    """Return all checkpoints in the order in which they were made."""
    return [_stored(row) for row in conn.rows(_EVERY)]


def covering(conn: Transaction, position: int) -> Stored | None:
    """Return the smallest checkpoint whose tree has an event at this position."""
    row = conn.row(_COVERING, least=position)
    return None if row is None else _stored(row)


def of_size(conn: Transaction, size: int) -> Stored | None:
    """Return the newest checkpoint of this size."""
    row = conn.row(_OF_SIZE, wanted=size)
    return None if row is None else _stored(row)


def add(tx: Transaction, after: Stored | None, *, at: datetime, reason: str, tree: Frontier, note: str) -> Stored:
    """Keep a checkpoint made right `after` another one. Raises AlreadyHandled if somebody else has made one since."""
    made = Stored(after.id + 1 if after else 1, at, reason, tree.root(), note, tree)
    frontier = b"".join(tree.hashes)
    try:
        # the number of the row is the lock: only one process can make the checkpoint after this one
        tx.run(_INSERT, id=made.id, at=stamp(at), reason=reason, size=tree.size, root=made.root.hex(), note=note, frontier=frontier)
    except KeyTaken as error:
        raise AlreadyHandled("another process has made a checkpoint") from error
    return made


def season_closed(conn: Transaction, after: int) -> bool:
    """Return whether a season of a league was closed after a position."""
    row = conn.row(_CLOSED, after=after, type=SEASON_CLOSED)
    return row is not None and row[0] is not None


def hashes(conn: Transaction, after: int, upto: int) -> Iterator[bytes]:
    """Yield the data of leaves from position `after` + 1 to `upto`, out of the stored hashes. Raises LogRewritten if one is missing."""
    with conn.damage_tolerated():
        for position, text in _paged(conn, _HASHES, after):
            if position > upto:
                break
            if position != after + 1:
                raise LogRewritten(f"the event at position {after + 1} is missing")
            after = position
            yield _hash(text, position)
    if after < upto:
        raise LogRewritten(f"the log ends at position {after}, and positions up to {upto} were given out")


def leaves(conn: Transaction) -> Iterator[Leaf]:
    """Yield every event of the log in order, its hash worked out anew.

    Raises LogRewritten for a missing position or a hash that is none.
    """
    with conn.damage_tolerated():
        after = 0
        for stored, *envelope, before in _paged(conn, _WHOLE, 0, place=1):
            position, _, version = envelope[:3]
            if position != after + 1:
                raise LogRewritten(f"the event at position {after + 1} is missing")
            after = position
            yield Leaf(Position(position), _hash(stored, position), _fits(stored, envelope, version, before))


def preimage(conn: Transaction, stream: Stream, version: Version) -> tuple[Position, bytes] | None:
    """Return the position of an event and the bytes whose SHA-256 is its hash; None if there is no such event."""
    row = conn.row(_ONE, of=stream, number=version)
    if row is None:
        return None
    _, *envelope, before = row
    return Position(envelope[0]), log.hashed(before or "", tuple(envelope))


def _paged(conn: Transaction, statement: Statement, after: int, place: int = 0) -> Iterator[tuple[Any, ...]]:
    """Yield all rows of a paged statement. `place` is the column of the position after which the next page begins."""
    while rows := conn.rows(statement, after=after):
        yield from rows
        after = rows[-1][place]


def _fits(stored: object, envelope: list[Any], version: object, before: object) -> bool:
    # SQLite keeps whatever somebody has put into a column, so every type is checked
    if not isinstance(version, int) or not isinstance(before, str | None) or (before is not None) != (version > 1):
        return False
    try:
        return log.chain(before or "", tuple(envelope)) == stored
    except UnicodeEncodeError:
        return False


def _hash(text: object, position: int) -> bytes:
    try:
        found = bytes.fromhex(str(text))
    except ValueError:
        found = b""
    if len(found) != HASH_BYTES:
        raise LogRewritten(f"what stands as the hash of the event at position {position} is none")
    return found


def _stored(row: tuple[Any, ...]) -> Stored:
    """Return a checkpoint from its row, without checking if it is true. Raises LogRewritten if it cannot be read."""
    number, at, reason, size, root, note, frontier = row
    try:
        # read even if it is not to be believed: whether it holds is for the audit to say
        raw = bytes(frontier)
        pieces = tuple(raw[begin : begin + HASH_BYTES] for begin in range(0, len(raw), HASH_BYTES))
        return Stored(number, instant(at), reason, bytes.fromhex(root), note, Frontier(int(size), pieces))
    except (TypeError, ValueError) as error:
        raise LogRewritten(f"the checkpoint in row {number} of the table was changed: {error}") from error
