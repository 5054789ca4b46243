"""Addresses that wait to be confirmed: of people who want an account, and of players who get another address.

Of somebody without an account nothing else is kept, and this only until it is confirmed or has expired. Numbers are never given out twice.
"""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, select

from turnserver.errors import Conflict
from turnserver.ids import PlayerId
from turnserver.store.log import log
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, plain, row_into, stamp
from turnserver.store.log.tables import ConfirmationRow
from turnserver.store.people.accounts import fold_case


class Confirmation(msgspec.Struct, frozen=True):
    """An `address` that somebody has to answer from: for an account of that `name`, or as the new address of `player`."""

    id: int
    player: PlayerId | None
    name: str | None
    address: str
    expires_at: datetime


_table = table(ConfirmationRow)
_row = _table.c
_ITEM = (_row.id, _row.player, _row.name, _row.address, _row.expires_at)
_ADD = Statement(row_into(_table).inline())
_GET = Statement(select(*_ITEM).where(_row.id == bindparam("which")))
_OF_PLAYER = Statement(select(*_ITEM).where(_row.player == bindparam("which")).order_by(_row.id.desc()))
_PROMISED = Statement(select(_row.id).where(_row.address_key == bindparam("key"), _row.player.is_not(None)))
_EXPIRED = Statement(select(_row.id).where(_row.expires_at <= bindparam("now")))
_ERASE = Statement(delete(_table).where(_row.id == bindparam("which")))
_ERASE_EXPIRED = Statement(delete(_table).where(_row.expires_at <= bindparam("now")))
_REPLACE_ADDRESS = Statement(delete(_table).where(_row.address_key == bindparam("key")))
_REPLACE_PLAYER = Statement(delete(_table).where(_row.player == bindparam("which")))


def ask(tx: Transaction, address: str, expires_at: datetime, *, name: str | None = None, player: PlayerId | None = None) -> int:
    """Wait for an answer from `address` and return the number to ask under. Earlier requests for that address or `player` are forgotten."""
    tx.run(_REPLACE_ADDRESS, key=fold_case(address))
    if player is not None:
        tx.run(_REPLACE_PLAYER, which=player)
    # numbers come from a counter, since a number that was deleted must not come again: a late answer would confirm somebody else
    number = log.next_number(tx, "confirmation")
    tx.run(
        _ADD,
        id=number,
        player=player,
        name=None if name is None else plain(name),
        address=plain(address),
        address_key=fold_case(plain(address)),
        expires_at=stamp(expires_at),
    )
    return number


def pending(conn: Transaction, number: int, now: datetime) -> Confirmation | None:
    """Return the confirmation that is waited for under a number; None if it was answered, has expired, or never was."""
    row = conn.row(_GET, which=number)
    found = _item(row) if row else None
    return found if found and found.expires_at > now else None


def of_player(conn: Transaction, player: PlayerId, now: datetime) -> Confirmation | None:
    """Return the new address of a player that waits to be confirmed, if there is one."""
    row = conn.row(_OF_PLAYER, which=player)
    found = _item(row) if row else None
    return found if found and found.expires_at > now else None


def promised(conn: Transaction, address: str) -> bool:
    """Return whether a player is about to get an address, so that nobody else may ask for it."""
    return conn.row(_PROMISED, key=fold_case(plain(address))) is not None


def erase(tx: Transaction, number: int) -> None:
    """Wait for an answer no longer. Raises Conflict if another process has had it meanwhile."""
    if not tx.run(_ERASE, which=number):
        raise Conflict(f"confirmation {number} has been erased by another process")


def any_expired(conn: Transaction, now: datetime) -> bool:
    """Return whether there is something for `erase_expired` to do."""
    return conn.row(_EXPIRED, now=stamp(now)) is not None


def erase_expired(tx: Transaction, now: datetime) -> None:
    """Forget everybody who did not answer in time."""
    tx.run(_ERASE_EXPIRED, now=stamp(now))


def _item(row: tuple[Any, ...]) -> Confirmation:
    number, player, name, address, expires_at = row
    return Confirmation(number, None if player is None else PlayerId(player), name, address, instant(expires_at))
