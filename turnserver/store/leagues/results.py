"""The games that count for ratings: rows that follow from the logs of leagues and of their games, and can be made again from them.

They are written in the transaction that logs the change. The ratings themselves follow later: see `store.leagues.ratings`.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import bindparam, delete, func, select

from turnserver.ids import GameId, LeagueId, PlayerId, Position, game_stream, league_stream
from turnserver.league.events import LeagueEvent
from turnserver.league.scoring.results import Bearer, MeetingPlayed, RatedResult, bearer, played
from turnserver.league.state import LeagueState
from turnserver.play.events import EVENT_TYPES, GameOpened, SubstituteSeated
from turnserver.store.leagues import ratings
from turnserver.store.log import log
from turnserver.store.log.codec import decode
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, constants, instant, row_into, stamp
from turnserver.store.log.tables import EventRow, ResultRow


class Kept(NamedTuple):
    """A stored game that counts: its place in a league, and its result. `key` is the catalogue's name of the game."""

    league: LeagueId
    season: int
    meeting: int
    key: str
    result: RatedResult


Covers: TypeAlias = Callable[[Position, datetime], bool]
"""A predicate: does an event of this position, recorded at this instant, count?"""


def everything(_position: Position, _at: datetime) -> bool:
    """Have every event count."""
    return True


_rows = table(ResultRow)
_row = _rows.c
_event = table(EventRow).c
_SEATING = constants(*(EVENT_TYPES[kind].name for kind in (GameOpened, SubstituteSeated)))
_COLUMNS = (_row.league, _row.season, _row.meeting, _row.key, _row.at, _row.game, _row.sides, _row.places)
_ONE = Statement(select(*_COLUMNS).where(_row.game == bindparam("which")))
_OF_LEAGUE = Statement(select(*_COLUMNS).where(_row.league == bindparam("which")).order_by(_row.game))
_BETWEEN = Statement(
    select(*_COLUMNS)
    .where(_row.key == bindparam("which"), _row.at >= bindparam("begin"), _row.at < bindparam("end"))
    .order_by(_row.at, _row.game)
)
_FIRST_FROM = Statement(select(func.min(_row.at)).where(_row.key == bindparam("which"), _row.at >= bindparam("begin")))
_INSERT = Statement(row_into(_rows))
_DELETE = Statement(delete(_rows).where(_row.game == bindparam("which")))
_SEATED = Statement(
    select(_event.position, _event.at, _event.type, _event.schema, _event.data)
    .where(_event.stream == bindparam("of"), _event.type.in_(_SEATING))
    .order_by(_event.version)
)

_to_json = msgspec.json.Encoder().encode


def save(tx: Transaction, league: LeagueId, before: LeagueState | None, events: Iterable[LeagueEvent]) -> None:
    """Write the changes by `events` to the results of a league that was as `before`, in the transaction that logs the events.

    The log must already hold the events of the games.
    """
    for one in played(events, before):
        _write(tx, one.game, _kept(tx, league, one))


def of_league(conn: Transaction, league: LeagueId) -> dict[GameId, Kept]:
    """Return the games of a league that count for ratings, by number."""
    return {GameId(row[5]): _as_kept(row) for row in conn.rows(_OF_LEAGUE, which=league)}


def logged(conn: Transaction, league: LeagueId, covers: Covers = everything) -> dict[GameId, Kept]:
    """Return the games of a league that count, from the log alone, as far as its events are to count. Raises UnknownEvent or Malformed."""
    events = (row.event for row in takewhile(lambda row: covers(row.position, row.at), log.load(conn, league_stream(league))))
    found = {one.game: _kept(conn, league, one, covers) for one in played(events)}
    return {game: kept for game, kept in found.items() if kept is not None}


def between(conn: Transaction, key: str, begin: datetime, end: datetime) -> list[RatedResult]:
    """Return the results of a game of the catalogue from an instant on and before another, in the order in which the games ended."""
    return [_as_kept(row).result for row in conn.rows(_BETWEEN, which=key, begin=stamp(begin), end=stamp(end))]


def first_from(conn: Transaction, key: str, begin: datetime) -> datetime | None:
    """Return when the first game that counts ended, from an instant on; None if there is none."""
    row = conn.row(_FIRST_FROM, which=key, begin=stamp(begin))
    return instant(row[0]) if row is not None and row[0] is not None else None


def seats(conn: Transaction, game: GameId, covers: Covers = everything) -> tuple[Bearer, ...]:
    """Return the bearer of each seat's result, from the log of a game, as far as its events are to count."""
    players: tuple[PlayerId, ...] = ()
    changes: list[SubstituteSeated] = []
    # only events that seat somebody, in the order of the log: the part that is to count ends where `covers` says no
    rows = conn.rows(_SEATED, of=game_stream(game))
    for _, _, type_, schema, data in takewhile(lambda row: covers(row[0], instant(row[1])), rows):
        event = decode(type_, schema, data)
        if isinstance(event, GameOpened):
            players = event.players
        elif isinstance(event, SubstituteSeated):
            changes.append(event)
    return tuple(
        bearer(player, [(one.player, one.rating) for one in changes if one.seat == seat]) for seat, player in enumerate(players, start=1)
    )


def _kept(conn: Transaction, league: LeagueId, one: MeetingPlayed, covers: Covers = everything) -> Kept | None:
    result = one.rated(seats(conn, one.game, covers)) if one.fixture.marks else None
    return None if result is None else Kept(league, one.season.number, one.fixture.number, one.state.game, result)


def _write(tx: Transaction, game: GameId, new: Kept | None) -> None:
    """Keep the result of a game, and mark the ratings as behind from the first instant at which they may change."""
    row = tx.row(_ONE, which=game)
    old = None if row is None else _as_kept(row)
    # without this, every event of a league would have months of ratings worked out anew
    if old == new:
        return
    if old is not None:
        tx.run(_DELETE, which=game)
        # a correction may move a result to another instant, so ratings may change from either of the two on
        ratings.outdate(tx, old.key, old.result.at)
    if new is not None:
        sides = [[[one.player, one.counts] for one in side] for side in new.result.sides]
        tx.run(
            _INSERT,
            game=game,
            league=new.league,
            season=new.season,
            meeting=new.meeting,
            key=new.key,
            at=stamp(new.result.at),
            sides=_to_json(sides).decode(),
            places=_to_json(new.result.places).decode(),
        )
        ratings.outdate(tx, new.key, new.result.at)


def _as_kept(row: tuple[Any, ...]) -> Kept:
    league, season, meeting, key, at, game, sides, places = row
    bearers = tuple(tuple(Bearer(PlayerId(player), counts) for player, counts in side) for side in msgspec.json.decode(sides))
    return Kept(LeagueId(league), season, meeting, key, RatedResult(instant(at), GameId(game), bearers, tuple(msgspec.json.decode(places))))


def astray(conn: Transaction, league: LeagueId) -> Iterator[GameId]:
    """Yield the games of a league whose rows differ from the log. Raises UnknownEvent or Malformed."""
    kept, right = of_league(conn, league), logged(conn, league)
    yield from sorted(game for game in kept.keys() | right.keys() if kept.get(game) != right.get(game))
