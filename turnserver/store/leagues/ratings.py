"""Stored ratings: a row for each moment of each player, which follows from the results and can be made again from them.

They follow month by month, in transactions of their own. From `since` on they are behind: `since` goes forward with each month that is
worked out, and back when a result is changed.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Executable, bindparam, case, delete, literal_column, select, update

from turnserver.ids import GameId, PlayerId
from turnserver.league.scoring.ratings import ModelState, RatingPoint, moment
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Inserting, Statement, instant, optional_stamp, row_into, stamp
from turnserver.store.log.tables import RatedRow, RatingRow


class Behind(NamedTuple):
    """The ratings of a game of the catalogue are as its results say up to `since`; these had been changed so often."""

    key: str
    changes: int
    since: datetime


_NEVER = datetime.max.replace(tzinfo=UTC)
_rows = table(RatingRow)
_row = _rows.c
_states = table(RatedRow)
_state = _states.c

_MOMENT = (_row.player, _row.at, _row.game, _row.games, _row.mean, _row.spread, _row.volatility)
_OF_PLAYER = select(*_MOMENT).where(_row.key == bindparam("which"), _row.player == bindparam("who"))
_HISTORY = Statement(_OF_PLAYER.order_by(_row.at, _row.game))
_LATEST = Statement(_OF_PLAYER.order_by(_row.at.desc(), _row.game.desc()).limit(literal_column("1")))
_LATEST_BEFORE = Statement(
    _OF_PLAYER.where(_row.at < bindparam("begin")).order_by(_row.at.desc(), _row.game.desc()).limit(literal_column("1"))
)
_PLAYERS = Statement(select(_row.player).distinct().where(_row.key == bindparam("which")).order_by(_row.player))
_FORGET = Statement(delete(_rows).where(_row.key == bindparam("which"), _row.at >= bindparam("begin"), _row.at < bindparam("end")))
_INSERT = Statement(row_into(_rows))
_BEHIND = Statement(select(_state.key, _state.changes, _state.since).where(_state.since.is_not(None)).order_by(_state.key))
_ONE_BEHIND = Statement(select(_state.changes, _state.since).where(_state.key == bindparam("which"), _state.since.is_not(None)))
_KEYS = Statement(select(_state.key).order_by(_state.key))
_GO_ON = Statement(
    update(_states)
    .where(_state.key == bindparam("which"), _state.changes == bindparam("seen"), _state.since == bindparam("begin"))
    .values(since=bindparam("next_one"))
)


def _outdating(insert_into: Inserting) -> Executable:
    new = insert_into(_states).values(key=bindparam("which"), changes=literal_column("1"), since=bindparam("begin")).inline()
    earlier = case((_state.since < new.excluded.since, _state.since), else_=new.excluded.since)
    return new.on_conflict_do_update(index_elements=["key"], set_={"changes": _state.changes + literal_column("1"), "since": earlier})


_OUTDATE = Statement(_outdating)


def outdate(tx: Transaction, key: str, since: datetime) -> None:
    """Note that a result of that instant was changed, in the transaction that changes it."""
    tx.run(_OUTDATE, which=key, begin=stamp(since))


def behind(conn: Transaction) -> list[Behind]:
    """Return the games of the catalogue whose ratings do not follow their results yet."""
    return [Behind(key, changes, instant(since)) for key, changes, since in conn.rows(_BEHIND)]


def still_behind(conn: Transaction, key: str) -> Behind | None:
    """Return how far the ratings of one game are behind; None if they are not."""
    row = conn.row(_ONE_BEHIND, which=key)
    return None if row is None else Behind(key, row[0], instant(row[1]))


def keys(conn: Transaction) -> list[str]:
    """Return the games of the catalogue of which there ever was a result."""
    return [key for (key,) in conn.rows(_KEYS)]


def replace(
    tx: Transaction, was: Behind, begin: datetime, until: datetime | None, moments: Mapping[PlayerId, Iterable[RatingPoint]]
) -> bool:
    """Replace all moments from `begin` on and before `until`. The ratings are then behind from `until` on, or not at all if it is None.

    Return False, and do nothing, if a result was changed, or another process was faster, since `was` was read.
    """
    # first of all, and only if nothing has happened since `was` was read: so several workers may try, and one writes
    if not tx.run(_GO_ON, which=was.key, seen=was.changes, begin=stamp(was.since), next_one=optional_stamp(until)):
        return False
    tx.run(_FORGET, which=was.key, begin=stamp(begin), end=stamp(until or _NEVER))
    for player, of_player in moments.items():
        for one in of_player:
            tx.run(
                _INSERT,
                key=was.key,
                player=player,
                at=stamp(one.at),
                game=one.game,
                games=one.rating.games,
                mean=one.known.mean,
                spread=one.known.spread,
                volatility=one.known.volatility,
            )
    return True


def history(conn: Transaction, key: str, player: PlayerId) -> tuple[RatingPoint, ...]:
    """Return the moments of a player's rating at a game, the earliest first."""
    return tuple(_as_moment(key, row) for row in conn.rows(_HISTORY, which=key, who=player))


def latest(conn: Transaction, key: str, players: Iterable[PlayerId], before: datetime | None = None) -> dict[PlayerId, RatingPoint]:
    """Return the last moment of each of these players, or the last one before an instant. Players without one are left out."""
    found: dict[PlayerId, RatingPoint] = {}
    for player in players:
        row = (
            conn.row(_LATEST, which=key, who=player)
            if before is None
            else conn.row(_LATEST_BEFORE, which=key, who=player, begin=stamp(before))
        )
        if row is not None:
            found[player] = _as_moment(key, row)
    return found


def everybody(conn: Transaction, key: str) -> dict[PlayerId, RatingPoint]:
    """Return the latest rating point of every rated player."""
    return latest(conn, key, [PlayerId(player) for (player,) in conn.rows(_PLAYERS, which=key)])


def _as_moment(key: str, row: tuple[Any, ...]) -> RatingPoint:
    _, at, game, games, mean, spread, volatility = row
    return moment(key, instant(at), GameId(game), games, ModelState(mean, spread, volatility))
