"""A stream as text, one JSON object a line, so that a game can leave the database and still be proved.

A line holds the columns of a row in the order in which they are hashed, `data` as the very JSON that was stored, and the hash. Sorted keys,
no spaces and UTF-8 reproduce the stored text from the object, so the chain can be checked without this program.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from sqlalchemy import bindparam, literal_column, select

from turnserver.errors import Malformed
from turnserver.ids import Event, Position, Recorded, Stream, Version
from turnserver.store.log.codec import decode
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.log import chain
from turnserver.store.log.statement import Statement, instant
from turnserver.store.log.tables import EventRow


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One event as the log has it, `data` unread; `hash` in hexadecimal."""

    position: int
    stream: str
    version: int
    type: str
    schema: int
    at: str
    actor: str
    cause: str
    ordinal: int
    data: msgspec.Raw
    hash: str

    @property
    def text(self) -> str:
        """Return the stored text of `data`."""
        return bytes(self.data).decode()


_event = table(EventRow).c
_COLUMNS = Row.__struct_fields__
_DATA = _COLUMNS.index("data")
_ROWS = Statement(select(*(_event[name] for name in _COLUMNS)).where(_event.stream == bindparam("of")).order_by(_event.version))
_BEGUN = Statement(
    select(_event.stream).where(_event.version == literal_column("1"), _event.position <= bindparam("until")).order_by(_event.position)
)
_read_row = msgspec.json.Decoder(Row).decode
_write_row = msgspec.json.Encoder().encode


def load(conn: Transaction, stream: Stream) -> tuple[Row, ...]:
    """Return every row of a stream, oldest first, as it stands in the database."""
    return tuple(Row(**{**dict(zip(_COLUMNS, row, strict=True)), "data": msgspec.Raw(row[_DATA])}) for row in conn.rows(_ROWS, of=stream))


def streams(conn: Transaction, until: Position) -> list[Stream]:
    """Return every stream that had begun by a position, in the order of their beginnings."""
    return [Stream(name) for (name,) in conn.rows(_BEGUN, until=until)]


def write(rows: Iterable[Row]) -> str:
    """Return the rows as lines. `read(write(rows))` gives them back."""
    return "".join(write_line(row).decode() for row in rows)


def write_line(row: Row) -> bytes:
    """Return one row as a line with its line feed."""
    return _write_row(row) + b"\n"


def read_line(line: bytes) -> Row:
    """Return the row of a line. Raises Malformed for a line that is no row, or that `write_line` would write otherwise."""
    try:
        # msgspec does not look at the bytes of `data`, which it leaves undecoded
        line.decode()
        row = _read_row(line)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed(f"it is not a row of the log: {error}") from error
    # one event has one text: two files with the same events are the same to the byte
    if write_line(row) != line:
        raise Malformed("it is not written as rows of the log are")
    return row


def read(text: str) -> tuple[Row, ...]:
    """Return the rows of a text of `write`. Raises Malformed, naming the line, for a line that is no row. `prove` checks the hashes."""
    rows = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        try:
            rows.append(_read_row(line))
        except (msgspec.DecodeError, UnicodeError) as error:
            raise Malformed(f"line {number} is not a row of the log: {error}") from error
    return tuple(rows)


def prove(rows: Iterable[Row]) -> None:
    """Check that these are the first rows of one stream, complete and unchanged. Raises Malformed, naming the first row that is not."""
    before: Row | None = None
    for number, row in enumerate(rows, start=1):
        label = f"{row.stream} version {row.version}"
        if row.version != number or (before is not None and row.stream != before.stream):
            raise Malformed(f"{label} stands where version {number}{f' of {before.stream}' if before else ''} should")
        if before is not None and row.position <= before.position:
            raise Malformed(f"{label} has position {row.position}, which is not after position {before.position} of the event before it")
        # all but the hash itself and the data, which the hash takes as the stored text
        columns = msgspec.structs.astuple(row)[:-2]
        if chain(before.hash if before else "", (*columns, row.text)) != row.hash:
            raise Malformed(f"{label} does not have the hash of its contents and its predecessor")
        before = row


def recorded(row: Row, decode: Callable[[str, int, str], Event] = decode) -> Recorded[Any]:
    """Return the row as an event in its envelope. Raises UnknownEvent or Malformed."""
    try:
        at, digest = instant(row.at), bytes.fromhex(row.hash)
    except ValueError as error:
        raise Malformed(f"{row.stream} version {row.version} has a damaged envelope: {error}") from error
    event = decode(row.type, row.schema, row.text)
    return Recorded(Position(row.position), Stream(row.stream), Version(row.version), at, row.actor, row.cause, event, digest)
