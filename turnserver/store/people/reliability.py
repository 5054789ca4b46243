"""How reliable players are: a view that every turn adds to, and that `play.reliability` can work out anew from the log."""

from collections.abc import Mapping

from sqlalchemy import Executable, bindparam, select, update

from turnserver.ids import PlayerId
from turnserver.play.reliability import Tally
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Inserting, Statement
from turnserver.store.log.tables import ReliabilityRow

_rows = table(ReliabilityRow)
_row = _rows.c
_FIGURES = (_row.turns, _row.in_time, _row.flags, _row.graces, _row.waits)
"""In the order of `Tally`."""
_GET = Statement(select(*_FIGURES).where(_row.player == bindparam("who")))
_EVERY = Statement(select(_row.player, *_FIGURES).order_by(_row.player))
_ADD = Statement(
    update(_rows).where(_row.player == bindparam("who")).values({figure: figure + bindparam(f"more_{figure.name}") for figure in _FIGURES})
)


def _first(insert_into: Inserting) -> Executable:
    new = insert_into(_rows).values(player=bindparam("who"), **{figure.name: bindparam(f"more_{figure.name}") for figure in _FIGURES})
    return new.inline().on_conflict_do_nothing()


_FIRST = Statement(_first)


def add(tx: Transaction, more: Mapping[PlayerId, Tally]) -> None:
    """Count what has happened, in the transaction that it is logged in."""
    for player, tally in sorted(more.items()):
        values: dict[str, int] = {"who": player, **{f"more_{name}": figure for name, figure in tally._asdict().items()}}
        if not tx.run(_ADD, **values) and not tx.run(_FIRST, **values):
            tx.run(_ADD, **values)  # another transaction was first


def of(conn: Transaction, player: PlayerId) -> Tally:
    """A player's figures; nothing but zeros for one who has had no turn."""
    row = conn.row(_GET, who=player)
    return Tally(*row) if row else Tally()


def every(conn: Transaction) -> dict[PlayerId, Tally]:
    """The figures of everybody who has had a turn."""
    return {PlayerId(player): Tally(*figures) for player, *figures in conn.rows(_EVERY)}
