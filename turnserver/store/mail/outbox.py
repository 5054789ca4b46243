"""Mails to be sent: queued in the transaction that makes their news true, claimed with a lease, and ended as sent or dead.

A mail that a digest is to carry is held instead; the last part of this file handles these mails.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Executable, and_, bindparam, exists, func, literal_column, not_, null, or_, select, update

from turnserver.errors import AlreadyHandled, Conflict, NotFound
from turnserver.ids import DeliveryStatus, GameId, LeagueId, PlayerId, Version
from turnserver.store.log.database import Database, Transaction, table
from turnserver.store.log.statement import Inserting, Statement, constants, instant, optional_instant, plain, stamp
from turnserver.store.log.tables import OutboxRow, RestRow
from turnserver.store.people.accounts import fold_case
from turnserver.text import in_english


class OutboxItem(msgspec.Struct, frozen=True):
    """A row of the outbox, a mail to be sent or one that was: `tables.OutboxRow` explains the fields."""

    id: int
    kind: str
    player: PlayerId | None
    address: str | None
    game: GameId | None
    league: LeagueId | None
    version: Version | None
    detail: Mapping[str, Any]
    message_id: str
    in_reply_to: str | None
    created_at: datetime
    status: str
    attempts: int
    begun: int
    due_at: datetime
    next_at: datetime
    last_error: str | None
    sent_at: datetime | None
    text: str | None
    merged_into: int | None
    answer: str | None
    report: DeliveryStatus | None
    reported_at: datetime | None
    reason: str | None
    report_mail: int | None
    answered_at: datetime | None


class Retrying(NamedTuple):
    """The number of mails that are tried again, and why the newest of them could not be sent; empty if that is not known."""

    mails: int
    why: str


_outbox = table(OutboxRow)
_row = _outbox.c
ITEM = (
    _row.id,
    _row.kind,
    _row.player,
    _row.address,
    _row.game,
    _row.league,
    _row.version,
    _row.detail,
    _row.message_id,
    _row.in_reply_to,
    _row.created_at,
    _row.status,
    _row.attempts,
    _row.begun,
    _row.due_at,
    _row.next_at,
    _row.last_error,
    _row.sent_at,
    _row.text,
    _row.merged_into,
    _row.answer,
    _row.report,
    _row.reported_at,
    _row.reason,
    _row.report_mail,
    _row.answered_at,
)
_NAMES = tuple(column.name for column in ITEM)
UNSENT = constants("held", "merged", "unwanted", "called off")
"""The statuses of mails that never leave by themselves: what was merged is in a digest, which has a row of its own."""

_QUEUED = _row.status == literal_column("'queued'")
_FREE = or_(_row.lease_until.is_(None), _row.lease_until <= bindparam("now"))
_DUE = _row.next_at <= bindparam("now")
_MINE = (_row.id == bindparam("which")) & _QUEUED & (_row.lease_owner == bindparam("owner"))
_NO_LEASE: dict[str, Any] = {"lease_until": null(), "lease_owner": null()}
_TRIED = {"attempts": _row.attempts + literal_column("1")}
_PUT_BACK = {"begun": _row.begun - literal_column("1"), **_NO_LEASE}


def _queue(insert_into: Inserting) -> Executable:
    names = (
        "kind",
        "player",
        "address",
        "address_key",
        "game",
        "league",
        "version",
        "detail",
        "message_id",
        "in_reply_to",
        "created_at",
        "status",
        "due_at",
        "next_at",
    )
    # a Message-ID follows from the request, so a request that comes twice queues one mail
    new = insert_into(_outbox).values(**{name: bindparam(name) for name in names}, attempts=literal_column("0"), begun=literal_column("0"))
    return new.on_conflict_do_nothing().returning(_row.id)


_QUEUE = Statement(_queue)
_CLAIM = Statement(
    update(_outbox)
    .where(
        # the conditions stand twice: on PostgreSQL another process may claim a row between the choice and the update, which then looks
        # again
        _row.id.in_(select(_row.id).where(_QUEUED, _DUE, _FREE).order_by(_row.next_at, _row.id).limit(bindparam("most"))),
        _QUEUED,
        _DUE,
        _FREE,
    )
    .values(lease_until=bindparam("until"), lease_owner=bindparam("owner"), begun=_row.begun + literal_column("1"))
    .returning(*ITEM)
)
_SENT = Statement(
    update(_outbox)
    .where(_MINE)
    .values(
        status=literal_column("'sent'"),
        sent_at=bindparam("at"),
        text=bindparam("body"),
        answer=bindparam("said"),
        last_error=null(),
        **_TRIED,
        **_NO_LEASE,
    )
)
_LATER: dict[str, Any] = {"next_at": bindparam("later"), "last_error": bindparam("why")}
_POSTPONE = Statement(update(_outbox).where(_MINE).values(**_LATER, **_PUT_BACK))
_RETRY = Statement(update(_outbox).where(_MINE).values(**_LATER, **_TRIED, **_PUT_BACK))
_RELEASE = Statement(update(_outbox).where(_MINE).values(**_PUT_BACK))
_DEAD = Statement(update(_outbox).where(_MINE).values(status=literal_column("'dead'"), last_error=bindparam("why"), **_TRIED, **_NO_LEASE))
_REQUEUE = Statement(
    update(_outbox)
    .where(_row.id == bindparam("which"), _row.status.in_(constants("dead", "bounced")))
    .values(
        status=literal_column("'queued'"),
        attempts=literal_column("0"),
        begun=literal_column("0"),
        report=null(),
        reported_at=null(),
        reason=null(),
        report_mail=null(),
    )
)
# the word in the JSON says that the reminder was moved ahead of quiet hours
_PLANNED = and_(_row.kind == literal_column("'reminder'"), _row.detail.contains('"ahead"'))
_THREAD = Statement(
    select(_row.message_id)
    .where(
        _row.game == bindparam("game_id"),
        _row.player == bindparam("player_id"),
        _row.id < bindparam("before"),
        _row.status.not_in(UNSENT),
        # such a reminder may never leave
        not_(_PLANNED),
    )
    .order_by(_row.id)
)
NAMED = _row.message_id.between(bindparam("named"), bindparam("named_last"))
"""Whether a mail has the Message-ID of these `names`."""

_BY_MESSAGE_ID = Statement(select(*ITEM).where(NAMED))
_SENT_TEXT = Statement(select(_row.text).where(NAMED))
_COUNTS = Statement(select(_row.status, func.count()).group_by(_row.status))
# A mail that nobody was offered, since there was no way out, has been tried no time and has an error.
_RETRYING = Statement(select(func.count()).where(_QUEUED, _row.last_error.is_not(None)))
_LAST_ERROR = Statement(
    select(_row.last_error).where(_QUEUED, _row.last_error.is_not(None)).order_by(_row.id.desc()).limit(literal_column("1"))
)
_ANSWERS = Statement(
    select(func.count()).where(_row.address_key.is_not(None), _row.address_key == bindparam("key"), _row.created_at >= bindparam("since"))
)
_REFUSED = Statement(
    select(_row.id).where(
        _row.address_key.is_not(None),
        _row.address_key == bindparam("key"),
        _row.created_at >= bindparam("since"),
        _row.detail.contains(bindparam("code")),
    )
)
_GET = Statement(select(*ITEM).where(_row.id == bindparam("which")))
_UNWANTED = Statement(update(_outbox).where(_MINE).values(status=literal_column("'unwanted'"), last_error=null(), **_NO_LEASE))
_SHOWN = Statement(
    select(func.max(_row.version)).where(
        _row.game == bindparam("game_id"),
        _row.player == bindparam("player_id"),
        _row.id < bindparam("before"),
        _row.status.in_(constants("sent", "merged")),
        func.coalesce(_row.merged_into, literal_column("0")) < bindparam("before"),
    )
)
_OF_TURN = (_row.game == bindparam("game_id")) & (_row.version >= bindparam("first")) & (_row.player != bindparam("mover"))
UNTOUCHED = _QUEUED & (_row.begun == literal_column("0"))
"""Whether a mail waits and nobody has begun to send it: a process that died with the mail may have sent it before."""

_CALL_OFF = Statement(
    update(_outbox)
    .where(_OF_TURN, or_(UNTOUCHED, _row.status == literal_column("'held'")))
    .values(status=literal_column("'called off'"))
    .returning(*ITEM)
)
_CALL_OFF_TURN = Statement(
    update(_outbox)
    .where(
        (_row.game == bindparam("game_id")) & (_row.version >= bindparam("first")) & (_row.player == bindparam("reader")),
        _row.kind == literal_column("'turn'"),
        or_(UNTOUCHED, _row.status == literal_column("'held'")),
    )
    .values(status=literal_column("'called off'"))
    .returning(*ITEM)
)
_THEIRS = (_row.game == bindparam("game_id")) & (_row.player == bindparam("player_id"))
_PLANNED_REMINDERS = Statement(select(*ITEM).where(_THEIRS, _PLANNED, UNTOUCHED))
_CALL_OFF_PLANNED = Statement(update(_outbox).where(_row.id == bindparam("which"), UNTOUCHED).values(status=literal_column("'called off'")))
_WAS_REMINDED = Statement(
    select(_row.id).where(
        _THEIRS,
        _PLANNED,
        _row.due_at == bindparam("at"),
        _row.status.in_(constants("queued", "sent", "bounced")),
    )
)
_SWALLOW = Statement(
    update(_outbox)
    .where(_THEIRS, _row.kind == literal_column("'reminder'"), _row.due_at == bindparam("at"), UNTOUCHED)
    .values(status=literal_column("'called off'"))
)
_TURN_LEAVES = Statement(
    select(_row.id)
    .where(_THEIRS, _row.kind == literal_column("'turn'"), _row.due_at == bindparam("at"), UNTOUCHED)
    .limit(literal_column("1"))
)
_TOLD_OF_TURN = Statement(
    select(func.count()).where(
        _OF_TURN,
        or_(_row.status.in_(constants("sent", "merged", "bounced")), and_(_QUEUED, not_(UNTOUCHED))),
    )
)
_NEWEST_FIRST = select(*ITEM).order_by(_row.id.desc()).limit(bindparam("most"))
_LIST = Statement(_NEWEST_FIRST)
_LIST_STATUS = Statement(_NEWEST_FIRST.where(_row.status == bindparam("wanted")))
_LIST_SENT = Statement(_NEWEST_FIRST.where(_row.sent_at <= bindparam("upto")))


# the detail is a record, so sentences in it are English; letters are made from events
_to_json = msgspec.json.Encoder(order="sorted", enc_hook=in_english).encode


def queue(
    tx: Transaction,
    *,
    kind: str,
    player: PlayerId | None,
    address: str | None,
    game: GameId | None,
    version: Version | None,
    detail: Mapping[str, Any],
    message_id: str,
    in_reply_to: str | None,
    at: datetime,
    league: LeagueId | None = None,
    due_at: datetime | None = None,
    status: Literal["queued", "held", "unwanted"] = "queued",
) -> int | None:
    """Queue a mail to a `player`, or to an `address` without an account, and return its number.

    Return None, and change nothing, if the `message_id` is there already. The mail leaves at `due_at`, or now if that is None. `version` is
    the version of the `game` or `league` that it is about. A `held` mail waits for `take`; an `unwanted` one is only kept as a record. A
    mail to a player has an `address` if it counts among the answers to that address (`answers_since`).
    """
    now = stamp(at)
    leaves_at = now if due_at is None else stamp(due_at)
    row = tx.row(
        _QUEUE,
        kind=kind,
        player=player,
        address=address,
        address_key=None if address is None else fold_case(address),
        game=game,
        league=league,
        version=version,
        detail=plain(_to_json(detail).decode()),
        message_id=message_id,
        in_reply_to=None if in_reply_to is None else plain(in_reply_to),
        created_at=now,
        status=status,
        due_at=leaves_at,
        next_at=leaves_at,
    )
    return int(row[0]) if row else None


def claim(db: Database, now: datetime, limit: int, lease: timedelta, owner: str) -> list[OutboxItem]:
    """Take up to `limit` mails that are due for `owner` and the length of `lease`, the longest due first. Each counts as begun.

    No two owners hold the same mail, unless one of them holds it for longer than its lease.
    """
    with db.write() as tx:
        rows = tx.rows(_CLAIM, now=stamp(now), until=stamp(now + lease), owner=owner, most=limit)
    return sorted(map(as_item, rows), key=lambda item: (item.next_at, item.id))


def sent(tx: Transaction, number: int, owner: str, at: datetime, text: str, answer: str = "") -> None:  # noqa: PLR0917  # a row's end
    """End a mail as sent, and keep its text and the next server's answer.

    Raises AlreadyHandled if `owner` does not hold it any more.
    """
    _require(number, tx.run(_SENT, which=number, owner=owner, at=stamp(at), body=plain(text), said=plain(answer)))


def release(tx: Transaction, number: int, owner: str) -> None:
    """Put a claimed mail back, as if it had never been claimed. Nothing happens if its lease is lost."""
    tx.run(_RELEASE, which=number, owner=owner)


def retry(tx: Transaction, number: int, owner: str, error: str, next_at: datetime) -> None:
    """Give a mail back that was tried, to be tried again at `next_at`. Raises AlreadyHandled if `owner` does not hold it any more."""
    _require(number, tx.run(_RETRY, which=number, owner=owner, why=plain(error), later=stamp(next_at)))


def postpone(tx: Transaction, number: int, owner: str, error: str, next_at: datetime) -> None:
    """Give a mail back until `next_at` that nobody was offered, so it does not count as tried. Raises AlreadyHandled."""
    _require(number, tx.run(_POSTPONE, which=number, owner=owner, why=plain(error), later=stamp(next_at)))


def dead(tx: Transaction, number: int, owner: str, error: str) -> None:
    """Give a mail up. Raises AlreadyHandled if `owner` does not hold it any more."""
    _require(number, tx.run(_DEAD, which=number, owner=owner, why=plain(error)))


def requeue(tx: Transaction, number: int) -> None:
    """Give a mail that is dead or came back another round of attempts. Raises NotFound if none of that number is."""
    if not tx.run(_REQUEUE, which=number):
        raise NotFound(f"No mail {number} in the outbox is dead or bounced.")


def unwanted(tx: Transaction, number: int, owner: str) -> None:
    """End a mail unsent, because its player wants none. Raises AlreadyHandled if `owner` does not hold it any more."""
    _require(number, tx.run(_UNWANTED, which=number, owner=owner))


def call_off(tx: Transaction, game: GameId, first: Version, mover: PlayerId) -> list[OutboxItem]:
    """End all mails unsent that show a game from version `first` on to anybody but `mover`.

    Raises Conflict if one has begun to leave since `told_of` was asked: the transaction has to begin anew.
    """
    unsent = [as_item(row) for row in tx.rows(_CALL_OFF, game_id=game, first=first, mover=mover)]
    # asked after the update: a mail that was claimed before it was not called off
    if told_of(tx, game, first, mover):
        raise Conflict("a mail that was to be called off is leaving")
    return unsent


def call_off_turn(tx: Transaction, game: GameId, first: Version, reader: PlayerId) -> list[OutboxItem]:
    """Call off the unsent mails that bring the reader their turn in a game from version `first` on, and return them.

    A mail that has left stays: then the reader knows of the turn.
    """
    return [as_item(row) for row in tx.rows(_CALL_OFF_TURN, game_id=game, first=first, reader=reader)]


def planned_reminders(conn: Transaction, game: GameId, player: PlayerId) -> list[OutboxItem]:
    """Return the reminders that wait for the evening before quiet hours, which have `ahead` in their detail."""
    return [as_item(row) for row in conn.rows(_PLANNED_REMINDERS, game_id=game, player_id=player)]


def call_off_planned(tx: Transaction, number: int) -> None:
    """End a reminder unsent that was planned ahead. Nothing happens if it is leaving."""
    tx.run(_CALL_OFF_PLANNED, which=number)


def was_reminded(conn: Transaction, game: GameId, player: PlayerId, at: datetime) -> bool:
    """Return whether a reminder that was planned ahead for `at` was sent or still waits."""
    return conn.row(_WAS_REMINDED, game_id=game, player_id=player, at=stamp(at)) is not None


def turn_leaves(conn: Transaction, game: GameId, player: PlayerId, at: datetime) -> bool:
    """Return whether a mail that brings the player their turn waits to leave at that very instant."""
    return conn.row(_TURN_LEAVES, game_id=game, player_id=player, at=stamp(at)) is not None


def swallow_reminders(tx: Transaction, game: GameId, player: PlayerId, at: datetime) -> None:
    """Call off the unsent reminders due at `at`, since a newer one leaves then."""
    tx.run(_SWALLOW, game_id=game, player_id=player, at=stamp(at))


def told_of(conn: Transaction, game: GameId, first: Version, mover: PlayerId) -> bool:
    """Return whether a mail that shows a game from version `first` on to anybody but `mover` has left, or may have, or is leaving."""
    row = conn.row(_TOLD_OF_TURN, game_id=game, first=first, mover=mover)
    return bool(row and row[0])


def shown_version(conn: Transaction, game: GameId, player: PlayerId, before: int) -> Version | None:
    """Return the newest version of a game in the mails to a player with a number below `before`; None if no mail was about the game."""
    row = conn.row(_SHOWN, game_id=game, player_id=player, before=before)
    return Version(row[0]) if row and row[0] is not None else None


def thread(conn: Transaction, game: GameId, player: PlayerId, before: int) -> list[str]:
    """Return the Message-IDs of the mails about a game alone to a player with a number below `before`, oldest first.

    Whether they have left yet does not matter: a mail that is sent again has to name the same ones.
    """
    return [message_id for (message_id,) in conn.rows(_THREAD, game_id=game, player_id=player, before=before)]


def names(message_id: str) -> dict[str, str]:
    """Return the range of Message-IDs that are this one with any domain: our signature stands before it, and some programs rewrite it."""
    local, at, _ = plain(message_id).partition("@")
    # The letter A follows the at sign, and no Message-ID ends in it.
    return {"named": f"{local}{at}", "named_last": f"{local}A" if at else local}


def by_message_id(conn: Transaction, message_id: str) -> OutboxItem | None:
    """Return the mail of ours that has a Message-ID, whatever its domain, sent or not; None if there is none."""
    row = conn.row(_BY_MESSAGE_ID, **names(message_id))
    return as_item(row) if row else None


def sent_text(conn: Transaction, message_id: str) -> str | None:
    """Return the text that was sent under a Message-ID, whatever its domain, or None if nothing was."""
    row = conn.row(_SENT_TEXT, **names(message_id))
    return row[0] if row else None


def counts(conn: Transaction) -> dict[str, int]:
    """Return the number of mails in each status."""
    return dict(conn.rows(_COUNTS))


def retrying(conn: Transaction) -> Retrying:
    """Return the number of mails that could not be sent yet and are tried again, and why the newest of them could not."""
    number, why = conn.row(_RETRYING), conn.row(_LAST_ERROR)
    return Retrying(number[0] if number else 0, (why[0] if why else None) or "")


def answers_since(conn: Transaction, address: str, since: datetime) -> int:
    """Return the number of mails queued with an address since an instant, however the address is capitalised."""
    row = conn.row(_ANSWERS, key=fold_case(plain(address)), since=stamp(since))
    return row[0] if row else 0


def refused_since(conn: Transaction, address: str, code: str, since: datetime) -> bool:
    """Return whether an answer with a refusal of that code was queued with an address since an instant."""
    return conn.row(_REFUSED, key=fold_case(plain(address)), code=f'"{code}"', since=stamp(since)) is not None


def list_outbox(conn: Transaction, status: str | None = None, limit: int = 100) -> list[OutboxItem]:
    """Return the mails of one status, or of all, the newest first."""
    rows = conn.rows(_LIST, most=limit) if status is None else conn.rows(_LIST_STATUS, most=limit, wanted=status)
    return [as_item(row) for row in rows]


def sent_until(conn: Transaction, upto: datetime, limit: int = 100) -> list[OutboxItem]:
    """Return the mails that had left by an instant, the newest first, with their fate since then."""
    return [as_item(row) for row in conn.rows(_LIST_SENT, upto=stamp(upto), most=limit)]


def get(conn: Transaction, number: int) -> OutboxItem:
    """Return one mail. Raises NotFound."""
    row = conn.row(_GET, which=number)
    if row is None:
        raise NotFound(f"There is no mail {number} in the outbox.")
    return as_item(row)


def _require(number: int, changed: int) -> None:
    if not changed:
        raise AlreadyHandled(f"mail {number} of the outbox is no longer held by this process")


def as_item(row: tuple[Any, ...]) -> OutboxItem:
    """Return the mail in a row of the columns `ITEM`."""
    values = dict(zip(_NAMES, row, strict=True))
    values["detail"] = msgspec.json.decode(values["detail"])
    values["created_at"] = instant(values["created_at"])
    values["due_at"] = instant(values["due_at"])
    values["next_at"] = instant(values["next_at"])
    values["sent_at"] = optional_instant(values["sent_at"])
    values["report"] = DeliveryStatus(values["report"]) if values["report"] else None
    values["reported_at"] = optional_instant(values["reported_at"])
    values["answered_at"] = optional_instant(values["answered_at"])
    return OutboxItem(**values)


_HELD = _row.status == literal_column("'held'")
_THEIRS_HELD = (_row.player == bindparam("player_id")) & _HELD
# a game in quarantine cannot be told of, so its mails wait until it goes on
_MAY_BE_TOLD = and_(_row.due_at <= bindparam("now"), ~exists().where(table(RestRow).c.game == _row.game))
_DUE_HELD = Statement(select(_row.player).distinct().where(_HELD, _MAY_BE_TOLD).order_by(_row.player).limit(bindparam("most")))
_TAKE = Statement(update(_outbox).where(_THEIRS_HELD, _MAY_BE_TOLD).values(status=literal_column("'merged'")).returning(*ITEM))
_MERGE = Statement(
    update(_outbox).where(_row.id == bindparam("which"), _row.status == literal_column("'merged'")).values(merged_into=bindparam("teller"))
)
_RESCHEDULE = Statement(
    update(_outbox)
    .where(_row.id == bindparam("which"), or_(_HELD, UNTOUCHED))
    .values(status=bindparam("then"), due_at=bindparam("due"), next_at=bindparam("due"))
)
_LIST_HELD = Statement(select(*ITEM).where(_THEIRS_HELD).order_by(_row.id))
_LIST_LATER = Statement(select(*ITEM).where(_QUEUED, _row.due_at > bindparam("now"), _row.player == bindparam("player_id")))


def due_digests(conn: Transaction, now: datetime, limit: int) -> list[PlayerId]:
    """Return the players whose digest is due: something was held for them until an instant that has come. At most `limit`.

    What is held about a game in quarantine does not count.
    """
    return [PlayerId(number) for (number,) in conn.rows(_DUE_HELD, now=stamp(now), most=limit)]


def take_held(tx: Transaction, player: PlayerId, now: datetime) -> list[OutboxItem]:
    """End the mails held for a player until now as merged, and return them, oldest first; none if another process was faster.

    Those about games in quarantine stay held.
    """
    return sorted(map(as_item, tx.rows(_TAKE, player_id=player, now=stamp(now))), key=lambda item: item.id)


def merge_into(tx: Transaction, numbers: Iterable[int], teller: int) -> None:
    """Note that another mail, such as a digest, tells the news of the merged mails of these numbers."""
    for number in numbers:
        tx.run(_MERGE, which=number, teller=teller)


def held_for(conn: Transaction, player: PlayerId) -> list[OutboxItem]:
    """Return the mails held for a player, oldest first."""
    return [as_item(row) for row in conn.rows(_LIST_HELD, player_id=player)]


def queued_for(conn: Transaction, player: PlayerId, now: datetime) -> list[OutboxItem]:
    """Return the mails to a player that are not due yet. None of them was tried."""
    return [as_item(row) for row in conn.rows(_LIST_LATER, player_id=player, now=stamp(now))]


def reschedule(tx: Transaction, number: int, due_at: datetime, *, hold: bool) -> None:
    """Hold a mail until another instant, or queue it to leave at that instant. Nothing happens if it waits no longer."""
    tx.run(_RESCHEDULE, which=number, due=stamp(due_at), then="held" if hold else "queued")
