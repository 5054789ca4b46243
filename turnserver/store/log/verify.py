"""Proof that the log is as it was written: everything that was changed, removed, swapped or put in by hand is found and named.

Somebody who can rewrite every hash, the counter and the views can hide a change from this database, but not from the mailboxes:
every turn mail carries the first bytes of the hash that its game had.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Integer, String, Table, and_, bindparam, cast, func, literal_column, or_, select

from turnserver.errors import LogError
from turnserver.ids import ArchiveId, GameId, LeagueId, PlayerId
from turnserver.store.log import log
from turnserver.store.log.codec import PRODUCT, Codec
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, stamp
from turnserver.store.log.tables import ArchiveRow, ConfirmationRow, EventRow, GameRow, LeagueRow, PlayerRow

_event, _game = table(EventRow).c, table(GameRow).c

_OPENED_OTHERWISE = Statement(
    select(_game.id)
    .select_from(table(GameRow))
    .join(
        table(EventRow),
        (_event.stream == literal_column("'game-'").concat(cast(_game.id, String))) & (_event.version == literal_column("1")),
    )
    .where(_event.at != _game.opened_at)
    .order_by(_game.id)
)
_PLAYERS = Statement(select(table(PlayerRow).c.id))
_NOUNS = ("game", "league", "player", "archive")
_BEGUN = Statement(
    select(_event.stream)
    .where(_event.version == literal_column("1"), or_(*(_event.stream.like(literal_column(f"'{noun}-%'")) for noun in _NOUNS)))
    .order_by(_event.position)
)
_LAST_CONFIRMATION = Statement(select(func.max(table(ConfirmationRow).c.id)))


def opened_otherwise(conn: Transaction) -> list[GameId]:
    """Return the games whose rows have another instant of opening than their first events."""
    return [GameId(number) for (number,) in conn.rows(_OPENED_OTHERWISE)]


def players(conn: Transaction) -> list[int]:
    """Return the numbers of all accounts."""
    return [number for (number,) in conn.rows(_PLAYERS)]


class Begun(NamedTuple):
    """Everything whose beginning stands in the log, in the order of positions, whether or not it has a row."""

    games: list[GameId]
    leagues: list[LeagueId]
    players: list[PlayerId]
    archives: list[ArchiveId]


def begun(conn: Transaction) -> Begun:
    """Return what has begun. All at once, as the index of a long log takes a while to look through."""
    found: dict[str, list[Any]] = {noun: [] for noun in _NOUNS}
    for (stream,) in conn.rows(_BEGUN):
        noun, _, number = stream.partition("-")
        if noun in found and number.isascii() and number.isdigit():
            found[noun].append(int(number))
    return Begun(*found.values())


def last_confirmation(conn: Transaction) -> int:
    """Return the highest number of an address that waits to be confirmed; 0 if none does."""
    row = conn.row(_LAST_CONFIRMATION)
    return int(row[0] or 0) if row else 0


class Finding(msgspec.Struct, frozen=True):
    """Something wrong. `position`, `stream` and `version` say where, as far as that is known; `problem` is a phrase."""

    position: int | None
    stream: str | None
    version: int | None
    problem: str


_PAGE = 1000
_before = table(EventRow).alias("before")
_COLUMNS = tuple(table(EventRow).columns)
_NAMES = tuple(column.name for column in _COLUMNS)
_TYPES = tuple(int if isinstance(column.type, Integer) else str for column in _COLUMNS)

_PAGES = (
    select(*_COLUMNS, _before.c.hash)
    .outerjoin_from(
        table(EventRow), _before, and_(_before.c.stream == _event.stream, _before.c.version == _event.version - literal_column("1"))
    )
    .order_by(_event.position)
    .limit(_PAGE)
)
_FIRST_PAGE = Statement(_PAGES)
_NEXT_PAGE = Statement(_PAGES.where(_event.position > bindparam("after")))
_ONE_PAGE = Statement(_PAGES.where(_event.position > bindparam("after"), _event.position <= bindparam("last")))
_ODD = Statement(
    select(_event.position, _event.stream, _event.version, _event.at, _before.c.at)
    .outerjoin_from(table(EventRow), _before, _before.c.position == _event.position - literal_column("1"))
    .where(or_(_event.at < _before.c.at, _event.at > bindparam("now")))
    .order_by(_event.position)
)
_FIRST_POSITION = Statement(select(func.min(_event.position)))


class _View(NamedTuple):
    """A view with a row for each stream: its noun, and statements for rows not at their stream's last version, and for numbers."""

    noun: str
    astray: Statement
    numbers: Statement


def _view(noun: str, rows: Table) -> _View:
    """Return the view of a table with one row for each stream `NOUN-1`, `NOUN-2`, ..."""
    row = rows.c
    in_stream = _event.stream == literal_column(f"'{noun}-'").concat(cast(row.id, String))
    last = select(func.max(_event.version)).where(in_stream).scalar_subquery()
    return _View(
        noun,
        Statement(select(row.id, row.version, last).where(last.is_distinct_from(row.version)).order_by(row.id)),
        Statement(select(row.id)),
    )


_GAMES = _view("game", table(GameRow))
_LEAGUES = _view("league", table(LeagueRow))
_ARCHIVES = _view("archive", table(ArchiveRow))


class _Opening(msgspec.Struct):
    """The rules of a game, as the data of its first event has them."""

    game: str
    revision: int


_opening = msgspec.json.Decoder(_Opening).decode
_OPENINGS = Statement(
    select(_event.stream, _event.data).where(_event.version == literal_column("1"), _event.stream.like(literal_column("'game-%'")))
)


class Page(NamedTuple):
    """Positions of the log, from the one behind `after` to `last`, that are checked apart from all others."""

    after: int
    last: int


def pages(conn: Transaction, size: int = _PAGE) -> list[Page]:
    """Return the log in pages of a size, as far as the counter of positions has come."""
    end = log.last_position(conn)
    return [Page(after, min(after + size, end)) for after in range(0, end, size)]


def faults(conn: Transaction, page: Page, codec: Codec = PRODUCT) -> Iterator[Finding]:
    """Yield findings about a page, whatever stands in the others; nothing at all if `verify` would find nothing in it.

    An event before the page is believed to have the right hash, so `verify` may find that another one is to blame. Raises StoreError for
    text that is not UTF-8.
    """
    rows = conn.rows(_ONE_PAGE, after=page.after, last=page.last)
    if [row[0] for row in rows] != [*range(page.after + 1, page.last + 1)]:
        yield Finding(None, None, None, f"positions {page.after + 1} to {page.last} are not all there")
    for row in rows:
        yield from _one(row, {}, codec)


def verify(
    conn: Transaction, progress: Callable[[int], object] = lambda _: None, codec: Codec = PRODUCT, sound: int = 0
) -> Iterator[Finding]:
    """Check the whole log and yield its faults, by position; nothing at all if every byte is as it was written.

    Hashes chain each stream from version 1 without a gap; positions run from 1 to the counter without a gap; data is canonical JSON of
    a known type; each game and league has a row, and the row is at the last version of its stream. `progress` is called with the number of
    events checked so far. The pages up to the position `sound`, in which `faults` has found nothing, are not read again.
    """
    # whatever stands below position 1 is in no page
    checked = position = sound if conn.row(_FIRST_POSITION) == (1,) else 0
    demanded: dict[tuple[str, int], str] = {}
    with conn.damage_tolerated():
        rows = conn.rows(_NEXT_PAGE, after=position) if position else conn.rows(_FIRST_PAGE)
        while rows:
            for row in rows:
                # with the hash before it in its stream from the same row of the result: no second statement an event
                yield from _at_position(row, position)
                position = max(position, row[0])
                yield from _one(row, demanded, codec)
            checked += len(rows)
            progress(checked)
            rows = conn.rows(_NEXT_PAGE, after=rows[-1][0])
        yield from _ends(conn, position)


def odd_instants(conn: Transaction, now: datetime, tolerated: timedelta) -> Iterator[Finding]:
    """Yield events later than `now`, or before the event that stands before them, by more than `tolerated`.

    A clock that somebody has set leaves such events in a log that is as it was written, so they may be right.
    """
    with conn.damage_tolerated():
        for position, stream, version, at, before in conn.rows(_ODD, now=stamp(now + tolerated)):
            # an instant that cannot be read is a fault, which `verify` finds
            with suppress(ValueError, TypeError):
                if instant(at) > now + tolerated:
                    yield Finding(position, stream, version, f"it is of {at}, which is still to come")
                elif instant(before) - instant(at) > tolerated:
                    yield Finding(position, stream, version, f"it is of {at}, and the event before it in the log of {before}")


def pinned(conn: Transaction) -> dict[GameId, tuple[str, int]]:
    """Return the rules and their revision under which each game was opened, without openings that cannot be read."""
    found = dict[GameId, tuple[str, int]]()
    for stream, data in conn.rows(_OPENINGS):
        with suppress(msgspec.DecodeError):
            opening = _opening(data)
            found[GameId(int(stream.removeprefix("game-")))] = opening.game, opening.revision
    return found


def _at_position(row: tuple[Any, ...], last: int) -> Iterator[Finding]:
    position, stream, version = row[:3]
    if position > last + 1:
        missing = f"position {last + 1} is missing" if position == last + 2 else f"positions {last + 1} to {position - 1} are missing"
        yield Finding(position, stream, version, f"{missing} before this event")
    elif position <= last:
        yield Finding(position, stream, version, f"position {position} is taken twice or below 1")


def _one(row: tuple[Any, ...], demanded: dict[tuple[str, int], str], codec: Codec) -> Iterator[Finding]:
    """Yield the faults of one event, by itself and against the one before it in its stream."""
    # `demanded` has the right hash of each event whose stored one is wrong
    envelope, stored, before = row[:-2], row[-2], row[-1]
    position, stream, version, type_, schema, at, _, _, _, data = envelope

    def finding(problem: str) -> Finding:
        return Finding(position, stream, version, problem)

    # SQLite keeps whatever somebody has put into a column
    if tuple(map(type, row[:-1])) != _TYPES:
        wrong = [name for name, kind, value in zip(_NAMES, _TYPES, row, strict=False) if type(value) is not kind]
        yield finding(f"{', '.join(wrong)} cannot hold such a value")
        return
    if version < 1:
        yield finding("versions begin at 1")
    elif version > 1 and before is None:
        yield finding(f"version {version - 1} of the stream is missing, so the hash cannot be checked")
    else:
        candidates = (before, demanded.get((stream, version - 1))) if version > 1 else ("",)
        # a hash before it that was itself damaged cannot be chained to
        previous = [each for each in candidates if each is not None and each.isascii()]
        try:
            fitting = [log.chain(each, envelope) for each in previous]
        except UnicodeEncodeError:
            yield finding("it holds bytes that are not UTF-8")
            return
        # the event after a changed hash may fit the right one; then it is not blamed
        if stored not in fitting:
            if fitting:
                demanded[stream, version] = fitting[-1]
            yield finding("the hash does not fit: this event, or its place in the log, was changed")
    try:
        instant(at)
        if not codec.is_canonical(type_, schema, data):
            yield finding("the data is not canonical JSON")
    except (LogError, msgspec.DecodeError, ValueError) as error:
        yield finding(f"it cannot be read: {error}")


def _ends(conn: Transaction, last: int) -> Iterator[Finding]:
    counter = log.last_position(conn)
    if counter > last:
        yield Finding(None, None, None, f"positions {last + 1} to {counter} are missing at the end of the log")
    elif counter < last:
        yield Finding(None, None, None, f"the counter of positions stands at {counter}, the last event at {last}")
    found = begun(conn)
    yield from _rows(conn, _GAMES, found.games)
    yield from _rows(conn, _LEAGUES, found.leagues)
    yield from _rows(conn, _ARCHIVES, found.archives)


def _rows(conn: Transaction, view: _View, streams: Sequence[int]) -> Iterator[Finding]:
    """Yield findings about rows of games, or leagues, that are not at the end of their stream, and about streams without a row."""
    for number, version, last_version in conn.rows(view.astray):
        problem = f"the {view.noun}'s row is at version {version}, its stream at {last_version or 0}"
        yield Finding(None, f"{view.noun}-{number}", last_version, problem)
    known = {number for (number,) in conn.rows(view.numbers)}
    for number in streams:
        if number not in known:
            yield Finding(None, f"{view.noun}-{number}", None, f"the {view.noun} has no row")
