"""Delivery reports for mails after the next server took them, and summaries per player and per turn.

A report counts for nothing against an answer: a mail that its player has answered was read, also if a report says that it came back.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import Update, bindparam, case, func, literal_column, null, select, update

from turnserver.errors import Conflict
from turnserver.ids import DeliveryStatus, GameId, PlayerId, Version
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, constants, instant, missing_row_into, optional_instant, plain, stamp
from turnserver.store.log.tables import OutboxRow, PlayerRow, ReachRow
from turnserver.store.mail.outbox import NAMED, names
from turnserver.store.people.accounts import address_key


class Reach(msgspec.Struct, frozen=True):
    """The deliverability of a player's mail: since when it does not arrive (None while it does), and why, as the mail system put it.

    Mail that came back before `cleared_at` does not count any more.
    """

    player: PlayerId
    since: datetime | None
    cleared_at: datetime | None
    why: str


_reach = table(ReachRow)
_unreachable = _reach.c
_COLUMNS = (_unreachable.player, _unreachable.since, _unreachable.cleared_at, _unreachable.why)
_GET = Statement(select(*_COLUMNS).where(_unreachable.player == bindparam("player_id")))
_ALL = Statement(select(*_COLUMNS).where(_unreachable.since.is_not(None)).order_by(_unreachable.since, _unreachable.player))
_MARK = Statement(
    update(_reach)
    .where(_unreachable.player == bindparam("player_id"), _unreachable.since.is_(None))
    .values(since=bindparam("at"), why=bindparam("reason"))
)
_CLEAR = Statement(
    update(_reach)
    .where(_unreachable.player == bindparam("player_id"), _unreachable.since.is_not(None))
    .values(since=null(), cleared_at=bindparam("at"))
)
_FIRST = Statement(missing_row_into(_reach))


def deliverability(conn: Transaction, player: PlayerId) -> Reach:
    """Return the deliverability of a player's mail. Without a row there was never a doubt."""
    row = conn.row(_GET, player_id=player)
    return _as_reach(row) if row else Reach(player, None, None, "")


def unreachable(conn: Transaction) -> list[Reach]:
    """Return every player whom mail does not reach, the longest first."""
    return [_as_reach(row) for row in conn.rows(_ALL)]


def mark_unreachable(tx: Transaction, player: PlayerId, at: datetime, why: str) -> None:
    """Note that mail does not reach a player whom it did reach. Raises Conflict if another process has noted it meanwhile."""
    since, reason = stamp(at), plain(why)
    marked = tx.run(_MARK, player_id=player, at=since, reason=reason)
    if not marked and not tx.run(_FIRST, player=player, since=since, cleared_at=None, why=reason):
        raise Conflict(f"player {player} has been marked by another process")


def mark_reachable(tx: Transaction, player: PlayerId, at: datetime) -> bool:
    """Note that mail reaches a player again, or is to be tried again. Return False, and change nothing, if there was no doubt."""
    return bool(tx.run(_CLEAR, player_id=player, at=stamp(at)))


def _as_reach(row: tuple[int, str | None, str | None, str]) -> Reach:
    number, since, cleared_at, why = row
    return Reach(PlayerId(number), optional_instant(since), optional_instant(cleared_at), why)


_outbox = table(OutboxRow)
_row = _outbox.c
_carrier = _outbox.alias("carrier")

# a report takes the place of a known one only if it stands further to the right, so each mail counts once
_SEVERITY = (DeliveryStatus.DELAYED, DeliveryStatus.DELIVERED, DeliveryStatus.POLICY, DeliveryStatus.SOFT, DeliveryStatus.HARD)
_ABOUT_THE_ADDRESS = (DeliveryStatus.HARD, DeliveryStatus.SOFT)
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
_BY_MESSAGE_ID = Statement(select(_row.id).where(NAMED))
_OF_PLAYER = Statement(
    select(_row.report, _row.reported_at)
    .where(_row.player == bindparam("player_id"), _row.report.in_(constants(*_ABOUT_THE_ADDRESS)))
    # who has a bounce address can write a report, and players have those of their own mails
    .where(_row.answered_at.is_(None))
    .where(func.coalesce(_row.sent_at, _row.reported_at) > bindparam("since"))
    .order_by(_row.reported_at)
)
_READ = Statement(
    select(_row.report_mail)
    .where(_row.player == bindparam("player_id"), _row.report.in_(constants(*_ABOUT_THE_ADDRESS)))
    .where(_row.answered_at.is_not(None), _row.report_mail.is_not(None))
    .order_by(_row.reported_at.desc())
    .limit(bindparam("most"))
)
LATELY = 2_000
"""Mails that tell how a provider treats us at present; looking at so many costs the same on every machine, and needs no index."""

_recent = (
    select(_row.id, _row.player, _row.report, _row.reason, _row.status, _row.sent_at, _row.reported_at)
    .order_by(_row.id.desc())
    .limit(literal_column(str(LATELY)))
    .subquery()
)
_player = table(PlayerRow).c
_AT_PROVIDER = Statement(
    select(_recent.c.player, _recent.c.report)
    .join(table(PlayerRow), _player.id == _recent.c.player)
    .where(_recent.c.sent_at >= bindparam("since"), _player.address_key.endswith(bindparam("domain")))
)
_REFUSED = Statement(
    select(_recent.c.player, _recent.c.reason, _recent.c.reported_at)
    .where(_recent.c.player.is_not(None), _recent.c.report == literal_column("'policy'"))
    .order_by(_recent.c.reported_at.desc())
)
_ARRIVED = Statement(
    select(_recent.c.player, func.max(_recent.c.sent_at))
    .where(_recent.c.player.is_not(None), _recent.c.status == literal_column("'sent'"))
    .group_by(_recent.c.player)
)
_STATUS = func.coalesce(_carrier.c.status, _row.status)
_TAKEN = func.coalesce(_carrier.c.sent_at, _row.sent_at)
_CARRIED = _outbox.outerjoin(_carrier, _carrier.c.id == _row.merged_into)
_ABOUT = (_row.game == bindparam("game_id")) & (_row.player == bindparam("player_id")) & (_row.version >= bindparam("first"))
_MEANT = _STATUS.in_(constants("queued", "held", "sent", "dead", "bounced"))
_TOLD = Statement(
    select(_STATUS, func.coalesce(_carrier.c.due_at, _row.due_at), _TAKEN, func.coalesce(_carrier.c.answered_at, _row.answered_at))
    .select_from(_CARRIED)
    .where(_ABOUT, _MEANT)
)
_NEWEST = Statement(
    select(func.coalesce(_carrier.c.id, _row.id))
    .select_from(_CARRIED)
    .where(_ABOUT, _MEANT)
    .order_by(case((bindparam("at") >= _TAKEN, _TAKEN), else_=literal_column("''")).desc(), _row.id.desc())
    .limit(literal_column("1"))
)
_FIRST_ANSWER = {"answered_at": func.coalesce(_row.answered_at, bindparam("at"))}
_ANSWERED = Statement(update(_outbox).where(_row.id == bindparam("which")).values(**_FIRST_ANSWER))
_ANSWERED_BY_NAME = Statement(
    update(_outbox).where(NAMED, _row.player == bindparam("player_id")).values(**_FIRST_ANSWER).returning(_row.game, _row.version)
)


class Provider(NamedTuple):
    """The players whom we have lately mailed at one provider, and those of them for whom it said that there is no such mailbox."""

    mailed: frozenset[PlayerId]
    missing: frozenset[PlayerId]


class Delivered(NamedTuple):
    """Since when a player was to be told something, and when they first were.

    `taken_at` is when the next server first took a mail with it that did not bounce. `read_at` is when it first took a mail that the player
    has answered, or when the answer came if the server never took that mail.
    """

    due_at: datetime
    taken_at: datetime | None
    read_at: datetime | None


class About(NamedTuple):
    """The game that a mail shows, and after how many events; None for both if it is about no game or about several."""

    game: GameId | None
    version: Version | None


def returned(tx: Transaction, number: int, fate: DeliveryStatus, reason: str, at: datetime, *, mail: int) -> PlayerId | None:
    """Keep the report in the mail `mail` of the inbox about one of ours. Our mail becomes `bounced` if the report says that it came back.

    Return the player to whom our mail went, if there is one. Return None, and keep nothing, if the report is no worse than an earlier one:
    so each mail counts once. Return None for an unknown number.
    """
    row = tx.row(_BOUNCE if fate.came_back else _NOTE, **_values(number, fate, reason, at), mail=mail)
    return row[0] if row else None


def refused(tx: Transaction, number: int, fate: DeliveryStatus, reason: str, at: datetime) -> PlayerId | None:
    """Keep that the next server refused a mail at once. Like `returned`, but the status of the mail stays as it is."""
    row = tx.row(_NOTE, **_values(number, fate, reason, at), mail=None)
    return row[0] if row else None


def exists(conn: Transaction, number: int) -> bool:
    """Return whether a mail has that number."""
    return conn.row(_PLAYER, which=number) is not None


def addressee(conn: Transaction, number: int) -> PlayerId | None:
    """Return the player to whom a mail went. None if it went to somebody else, or if no mail has that number."""
    row = conn.row(_PLAYER, which=number)
    return None if row is None else row[0]


def reports_on_read(conn: Transaction, player: PlayerId, most: int) -> list[int]:
    """Return the newest reports, as mails of the inbox, that say of a mail that it came back although the player has answered it."""
    return [int(mail) for (mail,) in conn.rows(_READ, player_id=player, most=most)]


def refused_by_policy(conn: Transaction) -> dict[PlayerId, str]:
    """Return the last reason for each player whose mail was refused by policy and who got none since, by the newest LATELY mails of all."""
    arrived: dict[int, str] = dict(conn.rows(_ARRIVED))
    found: dict[PlayerId, str] = {}
    for player, reason, at in conn.rows(_REFUSED):
        if at >= arrived.get(player, ""):
            found.setdefault(PlayerId(player), reason or "")
    return found


def find(conn: Transaction, message_ids: Sequence[str]) -> int | None:
    """Return the number of the first mail of ours among these Message-IDs."""
    rows = (conn.row(_BY_MESSAGE_ID, **names(one)) for one in message_ids)
    return next((int(row[0]) for row in rows if row), None)


def came_back(conn: Transaction, player: PlayerId, since: datetime) -> list[tuple[DeliveryStatus, datetime]]:
    """Return the unanswered mails to a player that were sent after `since` and came back, each as HARD or SOFT and when, oldest first."""
    return [(DeliveryStatus(fate), instant(at)) for fate, at in conn.rows(_OF_PLAYER, player_id=player, since=stamp(since))]


def provider(conn: Transaction, domain: str, since: datetime) -> Provider:
    """Return the results of the mails to a domain that were sent since an instant, among the newest LATELY mails of all."""
    rows = conn.rows(_AT_PROVIDER, domain=address_key(f"@{domain}"), since=stamp(since))
    return Provider(
        frozenset(PlayerId(one) for one, _ in rows), frozenset(PlayerId(one) for one, report in rows if report == DeliveryStatus.HARD)
    )


def told(conn: Transaction, game: GameId, player: PlayerId, since: Version, not_before: datetime | None) -> Delivered | None:
    """Return how far a player was told about a game from version `since` on, by any mail about it or by the digest that carries it.

    A mail that was taken earlier than `not_before` has told nothing, unless it was answered. None if nothing was meant to be sent.
    """
    rows = conn.rows(_TOLD, game_id=game, player_id=player, first=since)
    if not rows:
        return None
    mails = [(status, optional_instant(sent), optional_instant(answered)) for status, _, sent, answered in rows]
    taken = [sent for status, sent, _ in mails if status == "sent" and sent is not None and (not_before is None or sent >= not_before)]
    # an answer shows that the mail had come by then, even if no server ever said that it took it
    read = [min(sent or answered, answered) for _, sent, answered in mails if answered is not None]
    return Delivered(min(instant(due) for _, due, _, _ in rows), min(taken, default=None), min(read, default=None))


def answered(tx: Transaction, player: PlayerId, message_id: str, at: datetime) -> About | None:
    """Keep that a mail that arrived `at` an instant answers our mail of this Message-ID to the player.

    Return the subject of the answered mail, or None if the player got no mail of that Message-ID.
    """
    row = tx.row(_ANSWERED_BY_NAME, **names(message_id), player_id=player, at=stamp(at))
    return About(*row) if row else None


def newest_answered(tx: Transaction, game: GameId, player: PlayerId, since: Version, at: datetime) -> None:
    """Keep that a player, by a mail that arrived `at` an instant, answers a mail about a game from version `since` on.

    The player may have answered any of them. The newest mail that had been taken by then counts, or else the newest one.
    """
    row = tx.row(_NEWEST, game_id=game, player_id=player, first=since, at=stamp(at))
    if row is not None:
        tx.run(_ANSWERED, which=row[0], at=stamp(at))


def _values(number: int, fate: DeliveryStatus, reason: str, at: datetime) -> dict[str, str | int]:
    return {"which": number, "severity": _SEVERITY.index(fate) + 1, "fate": fate.value, "at": stamp(at), "says": plain(reason)}
