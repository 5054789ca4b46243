"""The leases of mails and mailboxes, by who holds them."""

from sqlalchemy import bindparam, literal_column, null, select, union, update

from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import InboxRow, OutboxRow, ReaderRow

_NEW = table(InboxRow).c.status == literal_column("'new'")
_QUEUED = table(OutboxRow).c.status == literal_column("'queued'")
_HELD = ((table(InboxRow), _NEW), (table(OutboxRow), _QUEUED))
_readers = table(ReaderRow)

_HOLDERS = Statement(
    union(
        *(
            select(mails.c.lease_owner).where(waits, mails.c.lease_until.is_not(None), mails.c.lease_owner.is_not(None))
            for mails, waits in _HELD
        ),
        select(_readers.c.lease_owner).where(_readers.c.lease_owner.is_not(None)),
    )
)
_END = tuple(
    # who held it stays in the row: a mail that somebody died with may have left
    Statement(
        update(mails).where(waits, mails.c.lease_owner == bindparam("whose"), mails.c.lease_until.is_not(None)).values(lease_until=null())
    )
    for mails, waits in _HELD
)
_LET_GO = Statement(update(_readers).where(_readers.c.lease_owner == bindparam("whose")).values(lease_until=null(), lease_owner=null()))


def holders(conn: Transaction) -> list[str]:
    """Who holds mails that wait, or mailboxes, whether or not the lease has run out."""
    return [owner for (owner,) in conn.rows(_HOLDERS)]


def end(tx: Transaction, owner: str) -> int:
    """Let others have at once what `owner` holds; how many rows that is."""
    return sum(tx.run(statement, whose=owner) for statement in (*_END, _LET_GO))
