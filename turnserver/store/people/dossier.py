"""The rows that are kept on a person, table by table, as they stand."""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from sqlalchemy import Table, bindparam, select

from turnserver.ids import PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, Value
from turnserver.store.log.tables import METADATA, InboxRow, OutboxRow
from turnserver.store.mail.inbox import BYTES
from turnserver.store.people.accounts import fold_case

Row = dict[str, Value]
"""A row by its columns."""

_BY_THEMSELVES: Final = ("outbox", "player")
_inbox, _outbox = table(InboxRow), table(OutboxRow)


def _statement(of: Table, column: str) -> Statement:
    key = of.c[column]
    columns = (BYTES if one is _inbox.c.raw else one for one in of.columns)
    return Statement(select(*columns).where(key.is_not(None), key == bindparam("what")).order_by(*of.primary_key.columns))


_ACCOUNT = Statement(select(*METADATA.tables["player"].columns).where(METADATA.tables["player"].c.id == bindparam("what")))
_OF_PLAYER: Final = {
    name: _statement(each, "player") for name, each in sorted(METADATA.tables.items()) if "player" in each.c and name not in _BY_THEMSELVES
}
_TO_PLAYER, _TO_ADDRESS = _statement(_outbox, "player"), _statement(_outbox, "address_key")
_FROM_WRITER, _FROM_SENDER = _statement(_inbox, "writer"), _statement(_inbox, "sender")


def rows(conn: Transaction, player: PlayerId) -> dict[str, list[Row]]:
    """By table, what is kept under the player's number in those that have a column for it; mails are apart."""
    own = {"player": _read(conn, _ACCOUNT, METADATA.tables["player"], [player])}
    return own | {name: _read(conn, statement, METADATA.tables[name], [player]) for name, statement in _OF_PLAYER.items()}


def came(conn: Transaction, writer: str, addresses: Iterable[str]) -> list[Row]:
    """The mails of the inbox that counted for a writer or came from one of the addresses, oldest first."""
    senders = sorted({spelled for address in addresses for spelled in (address, address.lower())})
    named = [writer, *(f"from {fold_case(address)}" for address in senders)]
    return _once(_read(conn, _FROM_WRITER, _inbox, named), _read(conn, _FROM_SENDER, _inbox, senders))


def went(conn: Transaction, player: PlayerId, addresses: Iterable[str]) -> list[Row]:
    """The mails of the outbox for a player or to one of the addresses, oldest first."""
    keys = sorted(map(fold_case, addresses))
    return _once(_read(conn, _TO_PLAYER, _outbox, [player]), _read(conn, _TO_ADDRESS, _outbox, keys))


def _read(conn: Transaction, statement: Statement, of: Table, what: Iterable[Value]) -> list[Row]:
    names = [column.name for column in of.columns]
    return [dict(zip(names, row, strict=True)) for one in what for row in conn.rows(statement, what=one)]


def _once(*found: Iterable[Row]) -> list[Row]:
    by_number = {row["id"]: row for row in chain.from_iterable(found)}
    return [by_number[number] for number in sorted(by_number, key=lambda number: int(number or 0))]
