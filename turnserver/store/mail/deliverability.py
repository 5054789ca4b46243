"""Whom mail does not reach, since when and why."""

from datetime import datetime

import msgspec
from sqlalchemy import Executable, bindparam, null, select, update

from turnserver.errors import Conflict
from turnserver.ids import PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.instants import optional_instant, stamp
from turnserver.store.log.statement import Inserting, Statement, plain
from turnserver.store.log.tables import ReachRow


class Reach(msgspec.Struct, frozen=True):
    """What is known of the mail to a player: since when it does not arrive (None while it does), and why, as the mail system put it.

    What came back before `cleared_at` does not count any more.
    """

    player: PlayerId
    since: datetime | None
    cleared_at: datetime | None
    why: str


_reach = table(ReachRow)
_row = _reach.c
_COLUMNS = (_row.player, _row.since, _row.cleared_at, _row.why)
_GET = Statement(select(*_COLUMNS).where(_row.player == bindparam("player_id")))
_ALL = Statement(select(*_COLUMNS).where(_row.since.is_not(None)).order_by(_row.since, _row.player))
_MARK = Statement(
    update(_reach).where(_row.player == bindparam("player_id"), _row.since.is_(None)).values(since=bindparam("at"), why=bindparam("reason"))
)
_CLEAR = Statement(
    update(_reach).where(_row.player == bindparam("player_id"), _row.since.is_not(None)).values(since=null(), cleared_at=bindparam("at"))
)


def _first(insert_into: Inserting) -> Executable:
    new = insert_into(_reach).values(player=bindparam("player_id"), since=bindparam("at"), why=bindparam("reason"))
    return new.inline().on_conflict_do_nothing()


_FIRST = Statement(_first)


def of(conn: Transaction, player: PlayerId) -> Reach:
    """What is known of a player; that there was never a doubt, if nothing is."""
    row = conn.row(_GET, player_id=player)
    return _as_reach(row) if row else Reach(player, None, None, "")


def unreachable(conn: Transaction) -> list[Reach]:
    """Everybody whom mail does not reach, the longest first."""
    return [_as_reach(row) for row in conn.rows(_ALL)]


def mark(tx: Transaction, player: PlayerId, at: datetime, why: str) -> None:
    """Note that mail does not reach a player whom it did reach. Raises Conflict if another process has noted it meanwhile."""
    values: dict[str, str | int] = {"player_id": player, "at": stamp(at), "reason": plain(why)}
    if not tx.run(_MARK, **values) and not tx.run(_FIRST, **values):
        raise Conflict(f"player {player} has been marked by another process")


def clear(tx: Transaction, player: PlayerId, at: datetime) -> bool:
    """Note that mail reaches a player again, or is to be tried again. False, and nothing happens, if there was no doubt."""
    return bool(tx.run(_CLEAR, player_id=player, at=stamp(at)))


def _as_reach(row: tuple[int, str | None, str | None, str]) -> Reach:
    number, since, cleared_at, why = row
    return Reach(PlayerId(number), optional_instant(since), optional_instant(cleared_at), why)
