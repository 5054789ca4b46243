"""Mails that wait for their player's digest: held, and taken over by the digest in the transaction that queues it.

So none is lost and none is told twice, whenever a process ends: before the commit they are held, after it the digest has them.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, literal_column, select, update

from turnserver.ids import PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.instants import stamp
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import OutboxRow
from turnserver.store.mail.outbox import ITEM, OutboxItem, as_item

_outbox = table(OutboxRow)
_row = _outbox.c
_HELD = _row.status == literal_column("'held'")
_HIS = (_row.player == bindparam("player_id")) & _HELD
_DUE = Statement(
    select(_row.player).distinct().where(_HELD, _row.due_at <= bindparam("now")).order_by(_row.player).limit(bindparam("most"))
)
_TAKE = Statement(update(_outbox).where(_HIS, _row.due_at <= bindparam("now")).values(status=literal_column("'merged'")).returning(*ITEM))
_MERGE = Statement(
    update(_outbox).where(_row.id == bindparam("which"), _row.status == literal_column("'merged'")).values(merged_into=bindparam("digest"))
)
_RESCHEDULE = Statement(
    update(_outbox)
    .where(_row.id == bindparam("which"), _HELD)
    .values(status=bindparam("then"), due_at=bindparam("due"), next_at=bindparam("due"))
)
_LIST = Statement(select(*ITEM).where(_HIS).order_by(_row.id))


def due(conn: Transaction, now: datetime, limit: int) -> list[PlayerId]:
    """Players whose digest is due: something was held for them until an instant that has come. At most `limit`."""
    return [PlayerId(number) for (number,) in conn.rows(_DUE, now=stamp(now), most=limit)]


def take(tx: Transaction, player: PlayerId, now: datetime) -> list[OutboxItem]:
    """End everything that is held for a player until now as merged, and give it, oldest first; nothing if another process was faster."""
    return sorted(map(as_item, tx.rows(_TAKE, player_id=player, now=stamp(now))), key=lambda item: item.id)


def merge(tx: Transaction, numbers: Iterable[int], digest: int) -> None:
    """Note that a digest tells what the mails of these numbers were to tell."""
    for number in numbers:
        tx.run(_MERGE, which=number, digest=digest)


def waiting(conn: Transaction, player: PlayerId) -> list[OutboxItem]:
    """What is held for a player, oldest first."""
    return [as_item(row) for row in conn.rows(_LIST, player_id=player)]


def reschedule(tx: Transaction, number: int, due_at: datetime, *, hold: bool) -> None:
    """Hold a mail until another instant, or queue it to leave at that instant. Nothing happens if it is held no longer."""
    tx.run(_RESCHEDULE, which=number, due=stamp(due_at), then="held" if hold else "queued")
