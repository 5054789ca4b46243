"""The log as a trail: who did something, when, and by which request.

Each question passes the log once at most, a page at a time, and by its indexes where they help: streams and positions have one, instants
and actors have none, so that appending stays cheap.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Select, bindparam, func, literal_column, or_, select

from turnserver.ids import GameId, PlayerId, Position, Recorded, Stream, Version, player_stream
from turnserver.play import events as e
from turnserver.proof.merkle import Frontier, leaf
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.codec import decode
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, Value, constants, instant, stamp
from turnserver.store.log.tables import EventRow

_EMPTY: Final = Frontier(0, ())
NEAR: Final = 5
"""The number of events to name whose hash is nearly the one that was looked for."""


class Looked(NamedTuple):
    """The findings of a pass over the log.

    `found` are the positions for each of the digests, `near` those whose hash differs from it in one digit. `events` is the number of
    events in the log, and `root` the root of their tree. `holds` says whether that tree grew out of the tree of the newest `checkpoint`.
    `unfit` are the positions of events whose hash does not fit their row.
    """

    found: Mapping[str, Sequence[Position]]
    near: Mapping[str, Sequence[Position]]
    events: int
    root: bytes
    checkpoint: Stored | None
    holds: bool
    unfit: frozenset[Position]


def look(conn: Transaction, digests: Sequence[str]) -> Looked:
    """Look for the events whose hashes begin with these, in small hexadecimal digits. Raises LogRewritten if a position is missing."""
    found: dict[str, list[Position]] = {digest: [] for digest in digests}
    near: dict[str, list[Position]] = {digest: [] for digest in digests}
    checkpoint, tree, unfit, holds = checkpoints.last(conn), _EMPTY, set[Position](), False
    # one pass for all digests, since it goes over the whole log
    for one in checkpoints.leaves(conn):
        tree = tree.append(leaf(one.hash))
        if not one.fits:
            unfit.add(one.position)
        if checkpoint is not None and checkpoint.size == tree.size:
            holds = tree.root() == checkpoint.root
        text = one.hash.hex()
        for digest in digests:
            if text.startswith(digest):
                found[digest].append(one.position)
            elif len(near[digest]) < NEAR and _is_near(text, digest):
                near[digest].append(one.position)
    return Looked(found, near, tree.size, tree.root(), checkpoint, holds, frozenset(unfit))


def _is_near(text: str, digest: str) -> bool:
    """Return whether `text` and `digest` differ in one digit."""
    size, half = len(digest), len(digest) // 2
    # one half is the same then, and comparing halves costs little: this runs for every event of the log
    alike = text.startswith(digest[:half]) or text[half:size] == digest[half:]
    return alike and sum(one != other for one, other in zip(text, digest, strict=False)) == 1


PAGE = 1000
"""The number of events that are read at once."""


class Trace(NamedTuple):
    """An event as it stands in the log; `data` is the JSON that was stored, `hash` hexadecimal. The fields are the columns `log.READ`."""

    position: Position
    stream: Stream
    version: Version
    at: datetime
    actor: str
    cause: str
    type: str
    schema: int
    data: str
    hash: str

    def recorded(self) -> Recorded[Any]:
        """Return the trace with its event decoded. Raises UnknownEvent or Malformed."""
        event = decode(self.type, self.schema, self.data)
        return Recorded(*self[:6], event, bytes.fromhex(self.hash))


class Asked(NamedTuple):
    """The conditions for the wanted events; None sets no condition.

    `kind`, `type` and `cause` are prefixes of an event's actor, type and cause. `player` selects the events that concern a player: their
    own acts, changes of their account, everything at a table while they sat there, and events of leagues that name them. Instants and
    positions are the first and the last that count.
    """

    stream: Stream | None = None
    actor: str | None = None
    kind: str | None = None
    type: str | None = None
    cause: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    first: Position | None = None
    last: Position | None = None
    player: PlayerId | None = None


_event = table(EventRow).c


def _begins(column: ColumnElement[str], name: str) -> ColumnElement[bool]:
    # LIKE would take % and _ in an actor or a cause for wildcards, and SQLite's does not tell capitals apart
    return func.substr(column, literal_column("1"), bindparam(f"{name}_length")) == bindparam(name)


_CONDITIONS: dict[str, ColumnElement[bool]] = {
    "stream": _event.stream == bindparam("stream"),
    "actor": _event.actor == bindparam("actor"),
    "kind": _begins(_event.actor, "kind"),
    "type": _begins(_event.type, "type"),
    "cause": _begins(_event.cause, "cause"),
    "since": _event.at >= bindparam("since"),
    "until": _event.at <= bindparam("until"),
    "first": _event.position >= bindparam("first"),
    "last": _event.position <= bindparam("last"),
}
_PREFIXES = frozenset({"kind", "type", "cause"})
_ONE = select(*log.READ).where(_event.position == bindparam("only"))
_AFTER = select(*log.READ).where(_event.position > bindparam("after")).order_by(_event.position).limit(bindparam("most"))
_COUNT = select(func.count()).select_from(table(EventRow))
_SEATING = tuple(e.EVENT_TYPES[kind].name for kind in (e.GameOpened, e.SubstituteSeated))
_NAMING = tuple(e.EVENT_TYPES[kind].name for kind in (e.InvitationDeclined, e.SubstituteInvited, e.SubstituteDeclined))
_MENTIONING = Statement(
    select(_event.position, _event.stream, _event.type, _event.data)
    .where(
        # a quick first look, which lets through every text with these digits in it; `named` looks closely
        _event.data.contains(bindparam("number")),
        or_(
            _event.type.in_(constants(*_SEATING, *_NAMING)),
            _event.stream.like(literal_column("'league-%'")),
        ),
        _event.position > bindparam("after"),
    )
    .order_by(_event.position)
    .limit(bindparam("most"))
)
_OF_STREAM = Statement(
    select(_event.position, _event.actor, _event.type, _event.data).where(_event.stream == bindparam("of")).order_by(_event.version)
)
_ALONE = Statement(_ONE)
_OF_VERSION = Statement(select(*log.READ).where(_event.stream == bindparam("of"), _event.version == bindparam("which")))
_NEWEST = Statement(
    select(_event.version, _event.at, _event.type)
    .where(_event.stream == bindparam("of"))
    .order_by(_event.version.desc())
    .limit(bindparam("most"))
)


def at_position(conn: Transaction, position: Position) -> Trace | None:
    """Return the event at a position; None if there is none."""
    row = conn.row(_ALONE, only=position)
    return None if row is None else _trace(row)


def at_version(conn: Transaction, stream: Stream, version: Version) -> Trace | None:
    """Return the event of a stream that has that version; None if there is none."""
    row = conn.row(_OF_VERSION, of=stream, which=version)
    return None if row is None else _trace(row)


def newest(conn: Transaction, stream: Stream, most: int) -> list[tuple[Version, datetime, str]]:
    """Return the last events of a stream, the newest first: version, when it was recorded, and type."""
    return [(Version(version), instant(at), kind) for version, at, kind in conn.rows(_NEWEST, of=stream, most=most)]


def count(conn: Transaction, asked: Asked) -> int:
    """Return the number of wanted events."""
    if asked.player is not None:
        return sum(1 for _ in every(conn, asked))
    names, values = _values(asked)
    row = conn.row(_statement("count", names), **values)
    return int(row[0]) if row else 0


def every(conn: Transaction, asked: Asked, page: int = PAGE) -> Iterator[Trace]:
    """Yield the wanted events, oldest first, however many there are. `page` is how many are read at once."""
    names, values = _values(asked)
    # what concerns a player is spread over many streams, so its positions are found first
    if asked.player is not None:
        statement = _statement("one", names)
        for position in concerning(conn, asked.player, page):
            yield from map(_trace, conn.rows(statement, only=position, **values))
        return
    statement, after = _statement("after", names), 0
    while rows := conn.rows(statement, after=after, most=page, **values):
        yield from map(_trace, rows)
        after = rows[-1][0]


def concerning(conn: Transaction, player: PlayerId, page: int = PAGE) -> list[int]:
    """Return the positions of all events that concern a player, in order: see `Asked`."""
    named_at = list(_naming(conn, player, page))
    found = {position for position, _ in named_at}
    own = player_stream(player)
    # what happened at a table concerns a player while they sat there, and most of these events do not name them
    for stream in sorted({stream for _, stream in named_at if stream.startswith(_GAME)}):
        found.update(_at_table(conn, stream, player))
    found.update(row[0] for row in conn.rows(_OF_STREAM, of=own))
    found.update(trace.position for trace in every(conn, Asked(actor=own)))
    return sorted(found)


def tables_of(conn: Transaction, player: PlayerId, page: int = PAGE) -> list[GameId]:
    """Return the games that a player was in from the beginning, was to join, or joined later, by their numbers."""
    return sorted({GameId(int(stream.removeprefix(_GAME))) for _, stream in _naming(conn, player, page) if stream.startswith(_GAME)})


def _naming(conn: Transaction, player: PlayerId, page: int) -> Iterator[tuple[int, Stream]]:
    """Yield position and stream of each event that names a player, in leagues or where seats of games are given out."""
    after = 0
    while rows := conn.rows(_MENTIONING, number=str(player), after=after, most=page):
        after = rows[-1][0]
        for position, stream, _, data in rows:
            if named(msgspec.json.decode(data), player):
                yield position, Stream(stream)


def named(value: object, player: PlayerId) -> bool:
    """Return whether the data of an event names a player."""
    if isinstance(value, dict):
        return any(
            (key in _WHO and inner == player) or (key in _WHOM and isinstance(inner, list) and player in inner) or named(inner, player)
            for key, inner in value.items()
        )
    return isinstance(value, list) and any(named(inner, player) for inner in value)


_GAME = "game-"
_WHO = frozenset({"player", "substitute", "challenger", "opened_by"})
_WHOM = frozenset({"players"})


def _at_table(conn: Transaction, stream: Stream, player: PlayerId) -> Iterator[int]:
    """Yield the positions of a game's events while a player sat at its table."""
    seats: list[int] = []
    for position, _, kind, data in conn.rows(_OF_STREAM, of=stream):
        there = player in seats
        if kind in _SEATING:
            event = msgspec.json.decode(data)
            if kind == _SEATING[0]:
                seats = event["players"]
            else:
                seats[event["seat"] - 1] = event["player"]
        # the events that seat a player, or somebody else in the player's place, count too
        if there or player in seats:
            yield position


@cache
def _statement(what: str, names: frozenset[str]) -> Statement:
    base: Select[Any] = {"count": _COUNT, "one": _ONE, "after": _AFTER}[what]
    return Statement(base.where(*(_CONDITIONS[name] for name in sorted(names))))


def _values(asked: Asked) -> tuple[frozenset[str], dict[str, Value]]:
    """Return the conditions in use, and the values bound in them."""
    values: dict[str, Value] = {}
    given = {name: value for name, value in asked._asdict().items() if value is not None and name in _CONDITIONS}
    for name, value in given.items():
        values[name] = stamp(value) if isinstance(value, datetime) else value
        if name in _PREFIXES:
            values[f"{name}_length"] = len(str(value))
    return frozenset(given), values


def _trace(row: tuple[Any, ...]) -> Trace:
    return Trace(*row)._replace(at=instant(row[3]))
