"""The rows that may name a person, page by page, and what is left of them after erasing (`store.people.personal` says what of each)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, func, literal_column, null, or_, select, update

from turnserver.ids import GameId, PlayerId, Stream
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.instants import stamp
from turnserver.store.log.statement import Statement, plain
from turnserver.store.log.tables import ChatRow, ConfirmationRow, EventRow, InboxRow, OutboxRow, PlanRow, PlayerRow, ReachRow
from turnserver.store.mail.inbox import BYTES
from turnserver.store.people import accounts as people

PAGE: Final = 50
"""How many mails are held in memory at a time."""


class Came(NamedTuple):
    """A mail of the inbox. `writer` is under whose name it counted."""

    id: int
    status: str
    sender: str
    recipient: str
    writer: str | None
    outcome: str | None
    error: str | None
    raw: bytes


class Went(NamedTuple):
    """A mail of the outbox. `detail` is JSON."""

    id: int
    status: str
    player: PlayerId | None
    address: str | None
    detail: str
    text: str | None
    last_error: str | None
    answer: str | None
    reason: str | None
    in_reply_to: str | None


class Line(NamedTuple):
    """A line of chat."""

    id: int
    player: PlayerId
    text: str


_player = table(PlayerRow).c
_inbox = table(InboxRow).c
_outbox = table(OutboxRow).c
_chat = table(ChatRow).c
_plan = table(PlanRow).c
_reach = table(ReachRow).c
_asked = table(ConfirmationRow).c
_event = table(EventRow).c

_CAME = (_inbox.id, _inbox.status, _inbox.sender, _inbox.recipient, _inbox.writer, _inbox.outcome, _inbox.error, BYTES)
_WENT = (
    _outbox.id,
    _outbox.status,
    _outbox.player,
    _outbox.address,
    _outbox.detail,
    _outbox.text,
    _outbox.last_error,
    _outbox.answer,
    _outbox.reason,
    _outbox.in_reply_to,
)


def _page(columns: Sequence[Any], number: Any) -> Statement:  # noqa: ANN401  # columns of any type
    return Statement(select(*columns).where(number > bindparam("after")).order_by(number).limit(bindparam("most")))


_CAME_PAGE, _WENT_PAGE = _page(_CAME, _inbox.id), _page(_WENT, _outbox.id)
_CHAT_PAGE = _page((_chat.id, _chat.player, _chat.text), _chat.id)
_CAME_ONE = Statement(select(*_CAME).where(_inbox.id == bindparam("which")))
_WENT_ONE = Statement(select(*_WENT).where(_outbox.id == bindparam("which")))
_WRITTEN_BY = Statement(select(_inbox.sender, BYTES).where(_inbox.writer == bindparam("whose")))
_WRITTEN_TO = Statement(select(_outbox.address).where(_outbox.player == bindparam("who"), _outbox.address.is_not(None)).distinct())
_ASKED_OF = Statement(select(_asked.address).where(_asked.player == bindparam("who")))
_EMPTY_CAME = Statement(
    update(table(InboxRow))
    .where(_inbox.id == bindparam("which"))
    .values(
        **{name: bindparam(name) for name in ("status", "sender", "recipient", "writer", "outcome", "error")},
    )
)
_HOLDER = Statement(select(func.coalesce(_inbox.bytes_of, _inbox.id)).where(_inbox.id == bindparam("which")))
_EMPTY_BYTES = Statement(
    update(table(InboxRow))
    .where(or_(_inbox.id == bindparam("holder"), _inbox.bytes_of == bindparam("holder")))
    .values(raw=bindparam("nothing"), bytes_of=null(), erased=func.coalesce(_inbox.erased, bindparam("was")))
)
_EMPTY_WENT = Statement(
    update(table(OutboxRow))
    .where(_outbox.id == bindparam("which"))
    .values(
        **{name: bindparam(name) for name in ("status", "address", "detail", "text", "last_error", "answer", "reason", "in_reply_to")},
        address_key=bindparam("key"),
        erased=func.coalesce(_outbox.erased, bindparam("was")),
        lease_owner=null(),
        lease_until=null(),
    )
)
_CHANGE_LINE = Statement(update(table(ChatRow)).where(_chat.id == bindparam("which")).values(text=bindparam("said")))
_FORGET_CHAT = Statement(delete(table(ChatRow)).where(_chat.player == bindparam("who")))
_FORGET_PLAN = Statement(delete(table(PlanRow)).where(_plan.game == bindparam("of"), _plan.digest == bindparam("which")))
_FORGET_WHY = Statement(update(table(ReachRow)).where(_reach.player == bindparam("who")).values(why=literal_column("''"), since=null()))
_FORGET_ASKED = Statement(delete(table(ConfirmationRow)).where(_asked.player == bindparam("who")))
_FORGET_ADDRESS = Statement(delete(table(ConfirmationRow)).where(_asked.address_key == bindparam("key")))
_FORGET_PLAYER = Statement(
    update(table(PlayerRow))
    .where(_player.id == bindparam("who"), _player.erased_at.is_(None))
    .values(
        name=literal_column("''"),
        name_key=bindparam("key"),
        address=literal_column("''"),
        address_key=bindparam("key"),
        zone=literal_column("'UTC'"),
        mail=literal_column("'text'"),
        digest=null(),
        quiet=null(),
        board=literal_column("'medium'"),
        reminders=bindparam("no"),
        calendar=bindparam("no"),
        subscribed=bindparam("no"),
        language=literal_column("'en'"),
        confirmed_at=null(),
        erased_at=bindparam("at"),
        wiped_at=null(),
    )
)
_WIPED = Statement(update(table(PlayerRow)).where(_player.erased_at.is_not(None)).values(wiped_at=bindparam("at")))
_UNWIPED = Statement(select(_player.id).where(_player.erased_at.is_not(None), _player.wiped_at.is_(None)).order_by(_player.id))
_TO_WIPE = Statement(update(table(PlayerRow)).where(_player.id == bindparam("who")).values(wiped_at=null()))
_ERASURES = Statement(select(func.count()).where(_player.erased_at.is_not(None)))
_SEATS = Statement(
    select(_event.stream, _event.type, _event.data)
    .where(
        _event.type.in_([literal_column(f"'{name}'") for name in ("game.opened", "game.proposal_made", "game.substitute_seated")]),
        _event.data.contains(bindparam("number")),
    )
    .order_by(_event.position)
)


def digest(data: bytes) -> str:
    """What is kept of erased bytes: their SHA-256 in hexadecimal, a space, and how many they were."""
    return f"{sha256(data).hexdigest()} {len(data)}"


def inbox_after(conn: Transaction, number: int) -> list[Came]:
    """The next mails of the inbox after a number."""
    return [_came(row) for row in conn.rows(_CAME_PAGE, after=number, most=PAGE)]


def outbox_after(conn: Transaction, number: int) -> list[Went]:
    """The next mails of the outbox after a number."""
    return [Went(*row) for row in conn.rows(_WENT_PAGE, after=number, most=PAGE)]


def chat_after(conn: Transaction, number: int) -> list[Line]:
    """The next lines of chat after a number."""
    return [Line(*row) for row in conn.rows(_CHAT_PAGE, after=number, most=PAGE)]


def came(conn: Transaction, number: int) -> Came:
    """One mail of the inbox that there is."""
    [row] = conn.rows(_CAME_ONE, which=number)
    return _came(row)


def went(conn: Transaction, number: int) -> Went:
    """One mail of the outbox that there is."""
    [row] = conn.rows(_WENT_ONE, which=number)
    return Went(*row)


def written_by(conn: Transaction, writer: str) -> list[tuple[str, bytes]]:
    """The envelope sender and the bytes of every mail that counted for a writer."""
    return [(sender, bytes(raw)) for sender, raw in conn.rows(_WRITTEN_BY, whose=writer)]


def addresses_of(conn: Transaction, player: PlayerId) -> set[str]:
    """Where a player was written to, or wants to be, besides the address of his account."""
    return {address for statement in (_WRITTEN_TO, _ASKED_OF) for (address,) in conn.rows(statement, who=player)}


def seats_of(conn: Transaction, player: PlayerId) -> list[tuple[Stream, str, str]]:
    """The events, as stream, type and data, that may say that a player got a seat in a game or was proposed for one, oldest first."""
    return [(Stream(stream), kind, data) for stream, kind, data in conn.rows(_SEATS, number=str(player))]


def empty_came(tx: Transaction, mail: Came, was: bytes) -> None:
    """Write what is left of a mail of the inbox whose bytes were `was`, which nobody else who got that mail keeps either."""
    values = {**mail._asdict(), "outcome": _stored(mail.outcome), "error": _stored(mail.error)}
    del values["id"], values["raw"]
    tx.run(_EMPTY_CAME, which=mail.id, **values)
    [(holder,)] = tx.rows(_HOLDER, which=mail.id)
    tx.run(_EMPTY_BYTES, holder=holder, nothing=b"", was=digest(was) if was else None)


def empty_went(tx: Transaction, mail: Went, was: str | None) -> None:
    """Write what is left of a mail of the outbox whose text was `was`. Whoever was about to send it has it no more."""
    values = {**mail._asdict(), "key": None if mail.address is None else people.fold_case(mail.address)}
    del values["id"], values["player"]
    tx.run(_EMPTY_WENT, which=mail.id, was=digest(was.encode()) if was and mail.text is None else None, **values)


def change_line(tx: Transaction, number: int, text: str) -> None:
    """Have a line of chat say something else."""
    tx.run(_CHANGE_LINE, which=number, said=plain(text))


def forget_chat(tx: Transaction, player: PlayerId) -> int:
    """Erase what a player said to others; how many lines."""
    return tx.run(_FORGET_CHAT, who=player)


def forget_plan(tx: Transaction, game: GameId, plan: str) -> int:
    """Erase the text of the plan with a digest; how many there were."""
    return tx.run(_FORGET_PLAN, of=game, which=plan)


def forget_account(tx: Transaction, player: PlayerId, addresses: Iterable[str], at: datetime) -> bool:
    """Erase an account, and what was asked of its addresses; whether there was anything to erase.

    The keys of what is left are no name and no address that anybody could have: both are free again.
    """
    tx.run(_FORGET_WHY, who=player)
    tx.run(_FORGET_ASKED, who=player)
    for address in addresses:
        tx.run(_FORGET_ADDRESS, key=people.fold_case(address))
    if tx.run(_FORGET_PLAYER, who=player, key=f"={player}", no=False, at=stamp(at)):
        return True
    tx.run(_TO_WIPE, who=player)
    return False


def wiped(tx: Transaction, at: datetime) -> None:
    """Note that nothing of all who were erased is left in the files of the database."""
    tx.run(_WIPED, at=stamp(at))


def unwiped(conn: Transaction) -> list[PlayerId]:
    """Those who were erased, but of whom something may be left in the files of the database."""
    return [PlayerId(number) for (number,) in conn.rows(_UNWIPED)]


def erasures(conn: Transaction) -> int:
    """How many players were ever erased."""
    row = conn.row(_ERASURES)
    return row[0] if row else 0


def _came(row: tuple[Any, ...]) -> Came:
    number, status, sender, recipient, writer, outcome, error, raw = row
    return Came(number, status, sender, recipient, writer, outcome, error, bytes(raw))


def _stored(text: str | None) -> str | None:
    return None if text is None else plain(text)
