"""Mail as it arrived, kept before it is accepted, claimed with a lease, and finished in the transaction of its effects."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import BindParameter, Executable, bindparam, case, func, insert, literal_column, null, or_, select, update

from turnserver.errors import AlreadyHandled, NotFound
from turnserver.ids import GameId, game_stream
from turnserver.store.log.database import Database, Transaction, table
from turnserver.store.log.statement import Inserting, Statement, Value, constants, instant, optional_instant, plain, stamp
from turnserver.store.log.tables import InboxRow

DUPLICATE = "duplicate"
"""The outcome of a mail that is a copy of one received before."""


TOO_MANY = "refused: too_many"
"""The outcome of a mail that was not looked at because its writer had sent so many before it."""


class Traffic(NamedTuple):
    """The number of mails that somebody sent in some time, and how many of them were too many."""

    mails: int
    too_many: int


class InboxSummary(msgspec.Struct, frozen=True):
    """A mail without its text. `status`: `new`, `done`, `failed` or `resting`; `attempts` counts the times somebody began to handle it."""

    id: int
    identity: str
    copy_of: int | None
    source: str
    recipient: str
    sender: str
    received_at: datetime
    status: str
    outcome: str | None
    attempts: int
    handled_at: datetime | None
    error: str | None


class InboxItem(InboxSummary, frozen=True):
    """A mail with its bytes as they came."""

    raw: bytes


_inbox = table(InboxRow)
_row = _inbox.c
_SUMMARY = (
    _row.id,
    _row.identity,
    _row.copy_of,
    _row.source,
    _row.recipient,
    _row.sender,
    _row.received_at,
    _row.status,
    _row.outcome,
    _row.attempts,
    _row.handled_at,
    _row.error,
)
_NAMES = (*(column.name for column in _SUMMARY), "raw")
_holder = _inbox.alias("holder")
BYTES = case(
    (_row.bytes_of.is_(None), _row.raw),
    else_=select(_holder.c.raw).where(_holder.c.id == _row.bytes_of).correlate(_inbox).scalar_subquery(),
)
"""The bytes of a mail as they came, whichever row holds them."""
_NEW = _row.status == literal_column("'new'")
_FREE = or_(_row.lease_until.is_(None), _row.lease_until <= bindparam("now"))
_ARRIVING: dict[str, BindParameter[Any]] = {
    name: bindparam(name) for name in ("identity", "source", "recipient", "sender", "received_at", "raw", "bytes_of")
}


def _first(insert_into: Inserting) -> Executable:
    new = insert_into(_inbox).values(**_ARRIVING, status=literal_column("'new'"), attempts=literal_column("0"))
    # a unique index on the first mail of each identity says whether this one is a copy, also of one that arrives at the same moment
    return new.on_conflict_do_nothing().returning(_row.id)


_original = _inbox.alias("original")
_RECEIVE = Statement(_first)
_RECEIVE_COPY = Statement(
    insert(_inbox)
    .values(
        **_ARRIVING,
        status=literal_column("'done'"),
        outcome=literal_column(f"'{DUPLICATE}'"),
        attempts=literal_column("0"),
        handled_at=bindparam("received_at"),
        copy_of=select(_original.c.id)
        .where(_original.c.identity == bindparam("identity"), _original.c.copy_of.is_(None))
        .scalar_subquery(),
    )
    .returning(_row.id)
)
_CLAIM = Statement(
    update(_inbox)
    .where(
        # the conditions stand twice: on PostgreSQL another process may claim a row between the choice and the update, which then looks
        # again
        _row.id.in_(select(_row.id).where(_NEW, _FREE).order_by(_row.received_at, _row.id).limit(bindparam("most"))),
        _NEW,
        _FREE,
    )
    .values(lease_until=bindparam("until"), lease_owner=bindparam("owner"), attempts=_row.attempts + literal_column("1"))
    .returning(*_SUMMARY, _row.raw)
)
_DONE = Statement(
    update(_inbox)
    .where(_row.id == bindparam("which"), _NEW)
    .values(
        status=literal_column("'done'"),
        outcome=bindparam("outcome"),
        writer=bindparam("writer"),
        handled_at=bindparam("handled_at"),
        lease_until=null(),
    )
)
_FAILED = Statement(
    update(_inbox)
    .where(_row.id == bindparam("which"), _NEW)
    .values(status=bindparam("status"), error=bindparam("error"), handled_at=bindparam("handled_at"))
)
_RELEASE = Statement(
    update(_inbox)
    .where(_row.id == bindparam("which"), _row.lease_owner == bindparam("owner"), _NEW)
    .values(
        attempts=case((_row.attempts > bindparam("least"), _row.attempts - literal_column("1")), else_=_row.attempts),
        lease_until=bindparam("until"),
    )
)
_AGAIN: dict[str, Any] = {
    "status": literal_column("'new'"),
    "attempts": literal_column("0"),
    "outcome": null(),
    "lease_until": null(),
    "handled_at": null(),
}
_REQUEUE = Statement(update(_inbox).where(_row.id == bindparam("which"), _row.status.in_(constants("failed", "resting"))).values(**_AGAIN))
_RESTING = Statement(
    update(_inbox)
    .where(_row.id == bindparam("which"), _NEW)
    .values(status=literal_column("'resting'"), outcome=bindparam("of"), handled_at=bindparam("handled_at"), lease_until=null())
)
_WAKE = Statement(update(_inbox).where(_row.status == literal_column("'resting'"), _row.outcome == bindparam("of")).values(**_AGAIN))
_OLDEST = Statement(select(func.min(_row.received_at)).where(_NEW))
_GET = Statement(select(*_SUMMARY, BYTES).where(_row.id == bindparam("which")))
_FIRST_OF = Statement(select(*_SUMMARY).where(_row.identity == bindparam("identity"), _row.copy_of.is_(None)))
_NEWEST_FIRST = select(*_SUMMARY).order_by(_row.id.desc()).limit(bindparam("most"))
_LIST = Statement(_NEWEST_FIRST)
_LIST_STATUS = Statement(_NEWEST_FIRST.where(_row.status == bindparam("wanted")))
_TRAFFIC = Statement(
    select(func.count(), func.count().filter(_row.outcome == literal_column(f"'{TOO_MANY}'"))).where(
        # as the index has it, or it could not be used
        _row.writer.is_not(None),
        _row.writer == bindparam("whose"),
        _row.received_at > bindparam("since"),
        _row.received_at <= bindparam("upto"),
    )
)
_EARLIER = Statement(
    select(_row.id, func.substr(BYTES, literal_column("1"), bindparam("bytes")), _row.outcome)
    .where(_row.writer == bindparam("whose"), _row.id < bindparam("before"), _row.status == literal_column("'done'"))
    .order_by(_row.received_at.desc())
    .limit(bindparam("most"))
)
_COUNTS = Statement(select(_row.status, func.count()).group_by(_row.status))


def receive(
    tx: Transaction,
    *,
    identity: str,
    source: str,
    recipient: str,
    sender: str,
    received_at: datetime,
    raw: bytes,
    bytes_of: int | None = None,
) -> int:
    """Keep a mail and return its row's number. Of mails with one `identity` the first is new; copies are kept as done, `duplicate`.

    `bytes_of` is a row that holds the same bytes, which then are not kept again.
    """
    values: dict[str, Value] = {
        "identity": plain(identity),
        "source": plain(source),
        "recipient": plain(recipient),
        "sender": plain(sender),
        "received_at": stamp(received_at),
        "raw": raw if bytes_of is None else b"",
        "bytes_of": bytes_of,
    }
    # the first insert gives no row if the identity is there already: then the mail is kept as a copy
    [(number,)] = tx.rows(_RECEIVE, **values) or tx.rows(_RECEIVE_COPY, **values)
    return int(number)


def claim(db: Database, now: datetime, limit: int, lease: timedelta, owner: str) -> list[InboxItem]:
    """Take up to `limit` new mails for `owner` and the length of `lease`, oldest first, and count an attempt for each.

    No two processes hold the same mail, unless one of them holds it for longer than its lease.
    """
    # who loses a claim claims again, and nobody hears of the mail before a durable commit
    with db.hasty_write() as tx:
        found = [_item(row) for row in tx.rows(_CLAIM, now=stamp(now), until=stamp(now + lease), most=limit, owner=owner)]
        # `BYTES` cannot stand in a RETURNING, which names no tables
        items = [item if item.raw else get(tx, item.id) for item in found]
    return sorted(items, key=lambda item: (item.received_at, item.id))


def done(tx: Transaction, number: int, outcome: str, at: datetime, writer: str | None = None) -> None:
    """Finish a mail, in the transaction that writes its consequences, and count it for its `writer`.

    Raises AlreadyHandled if another process has finished it; then nothing may be committed.
    """
    _require(number, tx.run(_DONE, which=number, outcome=plain(outcome), writer=writer and plain(writer), handled_at=stamp(at)))


def failed(tx: Transaction, number: int, error: str, at: datetime, *, final: bool) -> None:
    """Keep why a mail could not be handled. It is tried again when its lease runs out, unless this is `final`. Raises AlreadyHandled."""
    status, handled_at = ("failed", stamp(at)) if final else ("new", None)
    _require(number, tx.run(_FAILED, which=number, status=status, error=plain(error), handled_at=handled_at))


def release(tx: Transaction, number: int, owner: str, *, tried: bool = False, until: datetime | None = None) -> None:
    """Give a claimed mail back, as if it had never been claimed; before `until` nobody claims it.

    One that was `tried` may have to do with what went wrong: it comes last. Nothing happens if another process has claimed it meanwhile.
    """
    tx.run(_RELEASE, which=number, owner=owner, least=int(tried), until=stamp(until) if until else None)


def rest(tx: Transaction, number: int, game: GameId, at: datetime) -> None:
    """Keep a mail about a game in quarantine, to be handled when the game goes on. Raises AlreadyHandled."""
    _require(number, tx.run(_RESTING, which=number, of=game_stream(game), handled_at=stamp(at)))


def wake(tx: Transaction, game: GameId) -> int:
    """Queue every mail again that has waited for a game to go on. Return their number."""
    return tx.run(_WAKE, of=game_stream(game))


def requeue(tx: Transaction, number: int) -> None:
    """Give a mail that failed for good, or is about a game in quarantine, another round of attempts. Raises NotFound."""
    if not tx.run(_REQUEUE, which=number):
        raise NotFound(f"No mail {number} in the inbox has failed.")


def oldest_waiting(conn: Transaction) -> datetime | None:
    """Return when the oldest mail arrived that nobody has finished with; None if no mail waits."""
    row = conn.row(_OLDEST)
    return optional_instant(row[0]) if row else None


def traffic(conn: Transaction, writer: str, since: datetime, upto: datetime) -> Traffic:
    """Return the traffic of `writer` that arrived after `since` and until `upto`, as far as it has been handled."""
    row = conn.row(_TRAFFIC, whose=plain(writer), since=stamp(since), upto=stamp(upto))
    return Traffic(*row) if row else Traffic(0, 0)


def sent_before(conn: Transaction, writer: str, number: int, *, most: int, size: int) -> list[tuple[int, bytes, str]]:
    """Return the newest mails of `writer` received before mail `number`: their numbers, beginnings of `size` bytes, and outcomes."""
    # of erased bytes, SQLite makes no bytes but NULL
    return [
        (which, bytes(raw or b""), outcome)
        for which, raw, outcome in conn.rows(_EARLIER, whose=plain(writer), before=number, most=most, bytes=size)
    ]


def counts(conn: Transaction) -> dict[str, int]:
    """Return the number of mails in each status."""
    return dict(conn.rows(_COUNTS))


def list_inbox(conn: Transaction, status: str | None = None, limit: int = 100) -> list[InboxSummary]:
    """Return the mails of one status, or of all, the newest first."""
    rows = conn.rows(_LIST, most=limit) if status is None else conn.rows(_LIST_STATUS, most=limit, wanted=status)
    return [_summary(row) for row in rows]


def by_identity(conn: Transaction, identity: str) -> InboxSummary | None:
    """Return the first mail of that identity, which is the one that was handled; None if none is kept."""
    row = conn.row(_FIRST_OF, identity=plain(identity))
    return _summary(row) if row else None


def get(conn: Transaction, number: int) -> InboxItem:
    """Return one mail. Raises NotFound."""
    row = conn.row(_GET, which=number)
    if row is None:
        raise NotFound(f"There is no mail {number} in the inbox.")
    return _item(row)


def _require(number: int, changed: int) -> None:
    if not changed:
        raise AlreadyHandled(f"mail {number} of the inbox has been handled by another process")


def _summary(row: tuple[Any, ...]) -> InboxSummary:
    return InboxSummary(**_values(row))


def _item(row: tuple[Any, ...]) -> InboxItem:
    return InboxItem(**_values(row))


def _values(row: tuple[Any, ...]) -> dict[str, Any]:
    # a summary stops before `raw`
    values = dict(zip(_NAMES, row, strict=False))
    values["received_at"] = instant(values["received_at"])
    values["handled_at"] = optional_instant(values["handled_at"])
    return values
