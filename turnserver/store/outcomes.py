"""What became of mails after the next server took them: reports about single ones, and what they come to for a player or a turn."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Update, bindparam, case, func, literal_column, null, select, update

from turnserver.envelope import Fate, GameId, PlayerId, Version
from turnserver.store.database import Transaction, table
from turnserver.store.instants import instant, optional_instant, stamp
from turnserver.store.statement import Statement, plain
from turnserver.store.tables import OutboxRow

_outbox = table(OutboxRow)
_row = _outbox.c
_carrier = _outbox.alias("carrier")

_SEVERITY = (Fate.DELAYED, Fate.DELIVERED, Fate.SOFT, Fate.HARD)
_RETURNED = (Fate.HARD, Fate.SOFT)
_KNOWN = case(
    {fate.value: literal_column(str(rank)) for rank, fate in enumerate(_SEVERITY, 1)}, value=_row.report, else_=literal_column("0")
)


def _noting() -> Update:
    return (
        update(_outbox)
        .where(_row.id == bindparam("which"), bindparam("severity") > _KNOWN)
        .values(report=bindparam("fate"), reported_at=bindparam("at"), reason=bindparam("says"), report_mail=bindparam("mail"))
        .returning(_row.player)
    )


_NOTE = Statement(_noting())
_BOUNCE = Statement(_noting().values(status=literal_column("'bounced'"), lease_until=null(), lease_owner=null()))
_PLAYER = Statement(select(_row.player).where(_row.id == bindparam("which")))
_BY_MESSAGE_ID = Statement(select(_row.id).where(_row.message_id == bindparam("message")))
_OF_PLAYER = Statement(
    select(_row.report, _row.reported_at)
    .where(_row.player == bindparam("player_id"), _row.report.in_([literal_column(f"'{fate}'") for fate in _RETURNED]))
    .where(func.coalesce(_row.sent_at, _row.reported_at) > bindparam("since"))
    .order_by(_row.reported_at)
)
_TOLD = Statement(
    select(
        func.coalesce(_carrier.c.status, _row.status),
        func.coalesce(_carrier.c.due_at, _row.due_at),
        func.coalesce(_carrier.c.sent_at, _row.sent_at),
    )
    .select_from(_outbox.outerjoin(_carrier, _carrier.c.id == _row.merged_into))
    .where(_row.game == bindparam("game_id"), _row.player == bindparam("player_id"), _row.version >= bindparam("first"))
)
_MEANT_TO_BE_SENT = frozenset({"queued", "held", "sent", "dead", "bounced"})


class Noted(NamedTuple):
    """A report that was kept: to whom the mail went, if to a player."""

    player: PlayerId | None


class Told(NamedTuple):
    """Since when somebody was to be told something, and when the next server first took a mail with it that did not come back."""

    due_at: datetime
    taken_at: datetime | None


def returned(tx: Transaction, number: int, fate: Fate, reason: str, at: datetime, *, mail: int) -> Noted | None:
    """Keep what the mail `mail` of the inbox reports about a mail of ours; it is `bounced` if that is HARD or SOFT.

    None, and nothing is kept, unless this is worse than what was known: so each mail counts once. None for a number that there is not.
    """
    row = tx.row(_BOUNCE if fate in _RETURNED else _NOTE, **_values(number, fate, reason, at), mail=mail)
    return Noted(row[0]) if row else None


def refused(tx: Transaction, number: int, fate: Fate, reason: str, at: datetime) -> Noted | None:
    """Keep that the next server refused a mail at once; otherwise like `returned`, and its status stays as it is."""
    row = tx.row(_NOTE, **_values(number, fate, reason, at), mail=None)
    return Noted(row[0]) if row else None


def exists(conn: Transaction, number: int) -> bool:
    """Whether there is a mail of that number."""
    return conn.row(_PLAYER, which=number) is not None


def find(conn: Transaction, message_ids: Sequence[str]) -> int | None:
    """The number of the first mail of ours among these Message-IDs."""
    rows = (conn.row(_BY_MESSAGE_ID, message=plain(one)) for one in message_ids)
    return next((int(row[0]) for row in rows if row), None)


def came_back(conn: Transaction, player: PlayerId, since: datetime) -> list[tuple[Fate, datetime]]:
    """What came back of the mails that were sent to a player after an instant, HARD or SOFT and when, oldest first."""
    return [(Fate(fate), instant(at)) for fate, at in conn.rows(_OF_PLAYER, player_id=player, since=stamp(since))]


def told(conn: Transaction, game: GameId, player: PlayerId, since: Version, not_before: datetime | None) -> Told | None:
    """How far a player was told about a game from version `since` on, by any mail about it or by the digest that carries it.

    A mail that was taken earlier than `not_before` has told nothing. None if nothing was meant to be sent.
    """
    rows = conn.rows(_TOLD, game_id=game, player_id=player, first=since)
    meant = [(status, instant(due), optional_instant(sent)) for status, due, sent in rows if status in _MEANT_TO_BE_SENT]
    if not meant:
        return None
    taken = [sent for status, _, sent in meant if status == "sent" and sent is not None and (not_before is None or sent >= not_before)]
    return Told(min(due for _, due, _ in meant), min(taken, default=None))


def _values(number: int, fate: Fate, reason: str, at: datetime) -> dict[str, str | int]:
    return {"which": number, "severity": _SEVERITY.index(fate) + 1, "fate": fate.value, "at": stamp(at), "says": plain(reason)}
