"""Mails that wait for a short while, so that another mail to the same player may tell their news as well.

Such a row is queued, not yet claimed, about no game, and has `GATHERS` in its detail.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, literal_column, select, update

from turnserver.ids import PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, stamp
from turnserver.store.log.tables import OutboxRow
from turnserver.store.mail.outbox import ITEM, UNTOUCHED, OutboxItem, as_item

GATHERS: Final = "gathers"
"""The detail of a mail that waits for another one."""

_outbox = table(OutboxRow)
_row = _outbox.c
_WAITING = Statement(
    select(*ITEM)
    .where(_row.game.is_(None), _row.player == bindparam("player_id"), UNTOUCHED, _row.detail.contains(f'"{GATHERS}"'))
    .order_by(_row.id)
)
_TAKE = Statement(update(_outbox).where(_row.id == bindparam("which"), UNTOUCHED).values(status=literal_column("'merged'")))
_RELEASE = Statement(
    update(_outbox)
    .where(_row.id == bindparam("which"), UNTOUCHED, _row.next_at > bindparam("at"))
    .values(due_at=bindparam("at"), next_at=bindparam("at"))
)


def waiting(conn: Transaction, player: PlayerId) -> list[OutboxItem]:
    """Return the mails to a player that wait for another one, oldest first."""
    return [as_item(row) for row in conn.rows(_WAITING, player_id=player)]


def take(tx: Transaction, number: int) -> bool:
    """End a waiting mail as merged. Return False, and change nothing, if it is leaving already."""
    return bool(tx.run(_TAKE, which=number))


def release(tx: Transaction, number: int, at: datetime) -> None:
    """Let a mail wait no longer than until an instant."""
    tx.run(_RELEASE, which=number, at=stamp(at))
