"""The requests that forms of pages made: each counts once, however often a browser or a person sends it."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, delete, func, select

from turnserver.ids import PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, missing_row_into, stamp
from turnserver.store.log.tables import FormRow

KEPT: Final = timedelta(days=7)
"""The time that a form is remembered. A tab that is older by then answers a turn that is over, and is refused for that."""

_forms = table(FormRow)
_TAKE = Statement(missing_row_into(_forms))
_COUNT = Statement(
    select(func.count()).where(_forms.c.player == bindparam("whose"), _forms.c.at > bindparam("since"), _forms.c.at <= bindparam("upto"))
)
_FORGET = Statement(delete(_forms).where(_forms.c.at < bindparam("before")))


def take(tx: Transaction, key: str, player: PlayerId, now: datetime) -> bool:
    """Note that a request is being carried out, in the transaction that does so. Return False if it was before: nothing is left to do."""
    tx.run(_FORGET, before=stamp(now - KEPT))
    return tx.run(_TAKE, nonce=key, player=player, at=stamp(now)) == 1


def count(conn: Transaction, player: PlayerId, since: datetime, upto: datetime) -> int:
    """Return the number of requests of a player that were carried out after `since` and until `upto`; the time is less than `KEPT`."""
    [(number,)] = conn.rows(_COUNT, whose=player, since=stamp(since), upto=stamp(upto))
    return int(number)
