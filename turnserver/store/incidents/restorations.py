"""Restorations of the database to an earlier state, and where the history that was there then ends."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Executable, bindparam, false, func, insert, literal_column, select, true, update

from turnserver.ids import GameId, LeagueId, PlayerId, Position
from turnserver.store.incidents import outages
from turnserver.store.log import log
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Inserting, Statement, constants, instant, optional_instant, plain, stamp
from turnserver.store.log.tables import Counter, LossRow, OutboxRow, RestorationRow


class Loss(msgspec.Struct, frozen=True):
    """Something that is lost; see `tables.LossRow`."""

    id: int
    subject: str
    evidence: str
    at: datetime
    mail: int | None
    reported_at: datetime | None


_losses = table(LossRow)
_loss_row = _losses.c
_LOSS_COLUMNS = tuple(_losses.columns)


def _add(insert_into: Inserting) -> Executable:
    names = ("subject", "evidence", "at", "mail")
    return insert_into(_losses).values({name: bindparam(name) for name in names}).on_conflict_do_nothing().returning(_loss_row.id)


_ADD_LOSS = Statement(_add)
_ALL_LOSSES = Statement(select(*_LOSS_COLUMNS).order_by(_loss_row.id))
_UNREPORTED = Statement(select(*_LOSS_COLUMNS).where(_loss_row.reported_at.is_(None)).order_by(_loss_row.id))
_LAST_REPORT = Statement(select(func.max(_loss_row.reported_at)))
_REPORTED = Statement(
    update(_losses).where(_loss_row.reported_at.is_(None), _loss_row.id <= bindparam("upto")).values(reported_at=bindparam("now"))
)


def note(tx: Transaction, subject: str, evidence: str, at: datetime, mail: int | None = None) -> bool:
    """Keep that something is lost. Return False if that was known."""
    return tx.row(_ADD_LOSS, subject=plain(subject), evidence=plain(evidence), at=stamp(at), mail=mail) is not None


def every_loss(conn: Transaction) -> list[Loss]:
    """Return everything that is known to be lost, in the order in which it was found out."""
    return [_loss(row) for row in conn.rows(_ALL_LOSSES)]


def unreported(conn: Transaction) -> list[Loss]:
    """Return the losses that the admin has not been told of."""
    return [_loss(row) for row in conn.rows(_UNREPORTED)]


def last_report(conn: Transaction) -> datetime | None:
    """Return when the admin was last told of losses, or None."""
    row = conn.row(_LAST_REPORT)
    return optional_instant(row[0]) if row else None


def reported(tx: Transaction, upto: int, now: datetime) -> None:
    """Note that the admin is told of all losses up to a number."""
    tx.run(_REPORTED, upto=upto, now=stamp(now))


def _loss(row: tuple[Any, ...]) -> Loss:
    values = dict(zip((column.name for column in _LOSS_COLUMNS), row, strict=True))
    return Loss(**{**values, "at": instant(values["at"]), "reported_at": optional_instant(values["reported_at"])})


RESTORED = "restored"
"""The reason for a new history: somebody has said that they put the old one back."""

NOTICED = "noticed"
"""The reason for a new history: a mail came that answers one which is in no history here."""


class Restoration(msgspec.Struct, frozen=True):
    """A restoration of an earlier state of the database, `at` an instant. `tables.RestorationRow` explains the numbers."""

    id: int
    at: datetime
    reason: str
    position: Position
    since: datetime | None
    reply_key: int
    message_key: int
    player: PlayerId
    game: GameId
    league: LeagueId
    confirmation: int
    mail: int
    lost: bool
    told: bool

    @property
    def put_back_to(self) -> datetime | None:
        """Return the instant after which everything may be lost; None if nobody knows it."""
        return (self.since or self.at) if self.reason == RESTORED else None


class Worked(NamedTuple):
    """The instant at which the service last worked, or None; and that of the database's restoration, if it has not worked since."""

    at: datetime | None
    restored_at: datetime | None


_table = table(RestorationRow)
_row = _table.c
_counter = table(Counter).c
_outbox = table(OutboxRow)
_mail = _outbox.c
_COLUMNS = tuple(_table.columns)
_ALL = Statement(select(*_COLUMNS).order_by(_row.id))
_ADD = Statement(
    insert(_table)
    .values({column.name: bindparam(column.name) for column in _COLUMNS if column.name not in ("id", "told")} | {"told": false()})
    .returning(*_COLUMNS)
)
_TOLD = Statement(update(_table).where(_row.id == bindparam("which")).values(told=true()))
_COUNTERS = Statement(select(_counter.name, _counter.value))
_LAST_MAIL = Statement(select(func.max(_mail.id)))
_WAITS = _mail.status.in_(constants("queued", "held"))
_WAITING = Statement(
    select(_mail.id, _mail.kind, _mail.player).where(
        _WAITS,
        _mail.game.is_not(None),
        _mail.player.is_not(None),
        _mail.due_at <= bindparam("now"),
    )
)
# the conditions stand again: another process may have sent or claimed the mail since it was chosen
_called_off = (
    update(_outbox)
    .where(_mail.id == bindparam("which"), _WAITS)
    .values(status=literal_column("'called off'"), last_error=literal_column("'the game as it is now was told anew after a restoration'"))
)
_CALL_OFF = Statement(_called_off)
# whoever begins to send a mail counts it, and a process that died with it may have sent it
_CALL_OFF_UNTOUCHED = Statement(_called_off.where(_mail.begun == literal_column("0")))


def begin(
    tx: Transaction, *, at: datetime, reason: str, since: datetime | None, reply_key: int, message_key: int, lost: bool
) -> Restoration:
    """Note that the present contents of the database are the old history, and that a new one follows."""
    numbers = dict(tx.rows(_COUNTERS))
    [(last,)] = tx.rows(_LAST_MAIL)
    row = tx.row(
        _ADD,
        at=stamp(at),
        reason=reason,
        position=log.last_position(tx),
        since=stamp(since) if since else None,
        reply_key=reply_key,
        message_key=message_key,
        **{name: numbers[name] for name in ("player", "game", "league", "confirmation")},
        mail=last or 0,
        lost=lost,
    )
    assert row is not None  # noqa: S101  # RETURNING gives the row
    return _item(row)


def every(conn: Transaction) -> list[Restoration]:
    """Return all restorations, oldest first."""
    return [_item(row) for row in conn.rows(_ALL)]


def last_worked(conn: Transaction) -> Worked:
    """Return when the service last worked, and the restoration that it has not worked since."""
    beat = outages.last_beat(conn)
    since, restored = beat, None
    # A restoration sets the beat, so that its clocks get their time back, and keeps the one before.
    for one in reversed(every(conn)):
        if one.reason == RESTORED and one.at == since:
            since, restored = one.since, beat
    return Worked(since, restored)


def told(tx: Transaction, number: int) -> None:
    """Note that the players have heard of the restoration."""
    tx.run(_TOLD, which=number)


def call_off(tx: Transaction, kinds: Collection[str], now: datetime) -> None:
    """Call off the unsent mails of some kinds about games that were due by now. No service runs, so what was leaving leaves no more."""
    for number, kind, _ in tx.rows(_WAITING, now=stamp(now)):
        if kind in kinds:
            tx.run(_CALL_OFF, which=number)


def call_off_to(tx: Transaction, player: PlayerId, kinds: Collection[str], now: datetime) -> None:
    """Call off such mails to one player while services run. A mail that has begun to leave stays: it ends as sent, or waits again."""
    for number, kind, reader in tx.rows(_WAITING, now=stamp(now)):
        if kind in kinds and reader == player:
            tx.run(_CALL_OFF_UNTOUCHED, which=number)


def _item(row: tuple[Any, ...]) -> Restoration:
    values = dict(zip((column.name for column in _COLUMNS), row, strict=True))
    values["at"] = instant(values["at"])
    values["since"] = optional_instant(values["since"])
    return Restoration(**{**values, "lost": bool(values["lost"]), "told": bool(values["told"])})
