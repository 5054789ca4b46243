"""What stands in rows that follow from the log, for whoever holds them against it."""

from sqlalchemy import String, bindparam, cast, func, literal_column, select

from turnserver.ids import GameId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import ConfirmationRow, EventRow, GameRow, PlayerRow

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
_BEGUN = Statement(select(_event.stream).where(_event.version == literal_column("1"), _event.stream.like(bindparam("those"))))
_LAST_CONFIRMATION = Statement(select(func.max(table(ConfirmationRow).c.id)))


def opened_otherwise(conn: Transaction) -> list[GameId]:
    """The games whose rows have another instant of opening than their first events."""
    return [GameId(number) for (number,) in conn.rows(_OPENED_OTHERWISE)]


def players(conn: Transaction) -> list[int]:
    """The numbers of all accounts."""
    return [number for (number,) in conn.rows(_PLAYERS)]


def numbers(conn: Transaction, noun: str) -> list[int]:
    """The numbers of all streams of a kind, such as `player`."""
    found = (stream.removeprefix(f"{noun}-") for (stream,) in conn.rows(_BEGUN, those=f"{noun}-%"))
    return [int(number) for number in found if number.isascii() and number.isdigit()]


def last_confirmation(conn: Transaction) -> int:
    """The highest number of an address that waits to be confirmed; 0 if none does."""
    row = conn.row(_LAST_CONFIRMATION)
    return int(row[0] or 0) if row else 0
