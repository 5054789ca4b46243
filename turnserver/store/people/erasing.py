"""The rows that may name a person, page by page, and the rest of each after erasing."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import Table, bindparam, delete, func, literal_column, null, or_, select, update
from sqlmodel import SQLModel

from turnserver.ids import GameId, PlayerId, Stream
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, Value, constants, plain, stamp
from turnserver.store.log.tables import (
    METADATA,
    ChatRow,
    ConfirmationRow,
    EventRow,
    InboxRow,
    NoteRow,
    OutboxRow,
    PlanRow,
    PlayerRow,
    ReachRow,
)
from turnserver.store.mail.inbox import BYTES
from turnserver.store.people import accounts as people
from turnserver.store.people import sessions
from turnserver.store.people.accounts import fold_case

_INSTANT: Final = "an instant"
_OURS: Final = "a word or a number of the service's own"
_WHERE_NAMED: Final = "`former player N` stands in place of the name, and the row stays"

PERSONAL: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "player": {
            "name": "empty; where it was shown, `former player N` is",
            "name_key": "no name that anybody could have, so that theirs is free",
            "address": "empty",
            "address_key": "no address that anybody could have, so that theirs is free",
            "zone": "UTC; the zones of their seats and vacations stay in the log, where deadlines follow from them",
            "mail": "as it is for everybody at first",
            "digest": "empty",
            "quiet": "empty",
            "board": "as it is for everybody at first",
            "language": "English",
            "receipts": "as it is for everybody at first",
            "confirmed_at": "empty",
            "public": "as it is for everybody at first",
            "pseudonym": "empty; pages show `former player N`",
            "pseudonym_key": "empty, so that it is free",
        },
        "confirmation": {
            "name": "the row goes",
            "address": "the row goes",
            "address_key": "the row goes",
            "expires_at": "the row goes",
        },
        "sign_in": {
            "token": "the row goes",
            "mailbox": "the row goes",
            "made_at": "the row goes",
            "expires_at": "the row goes",
            "used_at": "the row goes",
        },
        "session": {
            "token": "the row goes",
            "made_at": "the row goes",
            "seen_at": "the row goes",
            "expires_at": "the row goes",
            "browser": "the row goes",
        },
        "reach": {"since": "empty", "why": "empty: it may hold their address"},
        "chat": {"at": "the row goes", "text": f"the row goes if they said it; if somebody else names them, {_WHERE_NAMED}"},
        "note": {"text": f"the row goes if it is theirs; if somebody else names them, {_WHERE_NAMED}", "at": "the row goes"},
        "archive": {"words": "empty if anything in it names them"},
        "archive_name": {"name": "empty if it is theirs"},
        "plan": {
            "digest": "the row goes; the digest stays in the log",
            "text": "the row goes",
            "salt": "the row goes",
            "laid_at": "the row goes",
        },
        "inbox": {
            "recipient": "empty, in their mails and where it names them",
            "sender": "empty, in their mails and where it names them",
            "raw": "empty, in their mails and in all that name them, encoded or not; `erased` keeps SHA-256 and length",
            "outcome": _WHERE_NAMED,
            "error": _WHERE_NAMED,
            "writer": "empty if it is an address; the number of a player stays",
        },
        "outbox": {
            "address": "empty",
            "address_key": "empty",
            "detail": f"without any text in mails to them; in others {_WHERE_NAMED}, and what they said goes",
            "in_reply_to": "empty in mails to them: their mail program made it",
            "last_error": f"empty in mails to them; in others {_WHERE_NAMED}",
            "text": "empty, in mails to them and in all that name them or pass on what they said; `erased` keeps SHA-256 and length",
            "answer": f"empty in mails to them; in others {_WHERE_NAMED}",
            "reason": f"empty in mails to them; in others {_WHERE_NAMED}",
        },
    }
)
"""The columns that can name a person, by table, each with what is left of it when the person is erased."""

IMPERSONAL: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "event": {
            "stream": "players have numbers in the log",
            "type": _OURS,
            "at": _INSTANT,
            "actor": "the number of a player, or the login name of an admin",
            "cause": "a digest of the mail that asked, or a number that the command line has made up",
            "data": "players have numbers; moves are notation; reasons are the words of admins, who have to leave names out",
            "hash": "a digest of all this",
        },
        "counter": {"name": _OURS},
        "player": {"created_at": "the log has it too", "erased_at": _INSTANT, "wiped_at": _INSTANT},
        "reach": {"cleared_at": _INSTANT},
        "game": {
            "game": "a key of the catalogue",
            "options": "how the game is played",
            "status": _OURS,
            "deadline_at": _INSTANT,
            "due_at": _INSTANT,
            "opened_at": _INSTANT,
            "ended_at": _INSTANT,
            "outcome": _OURS,
            "ended_by": _OURS,
            "winners": "numbers of seats",
        },
        "archive": {
            "game": "a key of the catalogue",
            "outcome": _OURS,
            "digest": "a digest of what the log says of the game",
            "imported_at": _INSTANT,
        },
        "league": {
            "name": "an admin's word for it",
            "name_key": "an admin's word for it",
            "game": "a key of the catalogue",
            "phase": _OURS,
            "due_at": _INSTANT,
            "opens_at": _INSTANT,
            "opened_at": _INSTANT,
        },
        "result": {
            "key": "a key of the catalogue",
            "at": _INSTANT,
            "sides": "numbers of players",
            "places": "numbers",
        },
        "rating": {"key": "a key of the catalogue", "at": _INSTANT},
        "rated": {"key": "a key of the catalogue", "since": _INSTANT},
        "inbox": {
            "identity": "a digest of the mail, by which a copy is known",
            "source": _OURS,
            "received_at": _INSTANT,
            "status": _OURS,
            "lease_until": _INSTANT,
            "lease_owner": "which process of which machine, as numbers",
            "handled_at": _INSTANT,
            "erased": "a digest of what was erased, and how long it was",
        },
        "outbox": {
            "kind": _OURS,
            "message_id": "a digest that nobody can guess, made with a key",
            "created_at": _INSTANT,
            "status": _OURS,
            "due_at": _INSTANT,
            "next_at": _INSTANT,
            "lease_until": _INSTANT,
            "lease_owner": "which process of which machine, as numbers",
            "sent_at": _INSTANT,
            "report": _OURS,
            "reported_at": _INSTANT,
            "answered_at": _INSTANT,
            "erased": "a digest of what was erased, and how long it was",
        },
        "checkpoint": {
            "at": _INSTANT,
            "reason": _OURS,
            "root": "digests of the log",
            "note": "digests of the log, and signatures",
            "frontier": "digests of the log",
        },
        "restoration": {"at": _INSTANT, "reason": _OURS, "since": _INSTANT},
        "loss": {"subject": _OURS, "evidence": _OURS, "at": _INSTANT, "reported_at": _INSTANT},
        "rest": {"since": _INSTANT, "why": _OURS},
        "mailbox": {"account": "the service's own mailbox", "folder": "a folder of it", "began_at": _INSTANT, "read_at": _INSTANT},
        "fetched": {"account": "the service's own mailbox", "folder": "a folder of it"},
        "reader": {
            "account": "the service's own mailbox",
            "lease_owner": "which process of which machine, as numbers",
            "lease_until": _INSTANT,
            "retry_at": _INSTANT,
        },
        "outage": {"began_at": _INSTANT, "ended_at": _INSTANT},
        "heartbeat": {"at": _INSTANT, "doubted_at": _INSTANT},
        "form": {"nonce": "a digest with random bytes that nobody keeps", "at": _INSTANT},
        "visibility": {"what": _OURS, "level": _OURS},
        "secret": {"name": "a stream, or what a key of the service is for", "value": "random bytes", "made_at": _INSTANT},
    }
)
"""The other columns, by table, each with the reason why nothing in it is erased."""

TABLES: Final = tuple(sorted(PERSONAL))
"""The tables that are written anew when somebody was erased."""


Row = dict[str, Value]
"""A row by its columns."""

_BY_THEMSELVES: Final = ("outbox", "player")
_inbox_table, _outbox_table = table(InboxRow), table(OutboxRow)


def _statement(of: Table, column: str) -> Statement:
    key = of.c[column]
    columns = (BYTES if one is _inbox_table.c.raw else one for one in of.columns)
    return Statement(select(*columns).where(key.is_not(None), key == bindparam("what")).order_by(*of.primary_key.columns))


_ACCOUNT = Statement(select(*METADATA.tables["player"].columns).where(METADATA.tables["player"].c.id == bindparam("what")))
_OF_PLAYER: Final = {
    name: _statement(each, "player") for name, each in sorted(METADATA.tables.items()) if "player" in each.c and name not in _BY_THEMSELVES
}
_TO_PLAYER, _TO_ADDRESS = _statement(_outbox_table, "player"), _statement(_outbox_table, "address_key")
_FROM_WRITER, _FROM_SENDER = _statement(_inbox_table, "writer"), _statement(_inbox_table, "sender")


def rows(conn: Transaction, player: PlayerId) -> dict[str, list[Row]]:
    """Return the rows under the player's number, by table, for all tables with a column for it except tables of mails."""
    own = {"player": _read(conn, _ACCOUNT, METADATA.tables["player"], [player])}
    return own | {name: _read(conn, statement, METADATA.tables[name], [player]) for name, statement in _OF_PLAYER.items()}


def mails_from(conn: Transaction, writer: str, addresses: Iterable[str]) -> list[Row]:
    """Return the mails of the inbox that counted for a writer or came from one of the addresses, oldest first."""
    senders = sorted({spelled for address in addresses for spelled in (address, address.lower())})
    named = [writer, *(f"from {fold_case(address)}" for address in senders)]
    return _once(_read(conn, _FROM_WRITER, _inbox_table, named), _read(conn, _FROM_SENDER, _inbox_table, senders))


def mails_to(conn: Transaction, player: PlayerId, addresses: Iterable[str]) -> list[Row]:
    """Return the mails of the outbox for a player or to one of the addresses, oldest first."""
    keys = sorted(map(fold_case, addresses))
    return _once(_read(conn, _TO_PLAYER, _outbox_table, [player]), _read(conn, _TO_ADDRESS, _outbox_table, keys))


def _read(conn: Transaction, statement: Statement, of: Table, what: Iterable[Value]) -> list[Row]:
    names = [column.name for column in of.columns]
    return [dict(zip(names, row, strict=True)) for one in what for row in conn.rows(statement, what=one)]


def _once(*found: Iterable[Row]) -> list[Row]:
    by_number = {row["id"]: row for row in chain.from_iterable(found)}
    return [by_number[number] for number in sorted(by_number, key=lambda number: int(number or 0))]


PAGE: Final = 50
"""The number of mails that are held in memory at a time."""


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
    """A line of chat, or a note."""

    id: int
    player: PlayerId
    text: str


_player = table(PlayerRow).c
_inbox = table(InboxRow).c
_outbox = table(OutboxRow).c
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
    # a second erasing finds no bytes, and must not put the digest of nothing in place of the first one
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
        receipts=literal_column("'first'"),
        subjects=bindparam("no"),
        public=literal_column("'off'"),
        pseudonym=null(),
        pseudonym_key=null(),
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
        _event.type.in_(constants("game.opened", "game.proposal_made", "game.substitute_seated")),
        # every text with these digits in it: the caller looks closely
        _event.data.contains(bindparam("number")),
    )
    .order_by(_event.position)
)


class Written(NamedTuple):
    """A table of lines that players wrote about games: how a page of it is read, a line changed, and those of a player removed."""

    page: Statement
    change: Statement
    forget: Statement


def _written(row: type[SQLModel]) -> Written:
    lines = table(row)
    return Written(
        _page((lines.c.id, lines.c.player, lines.c.text), lines.c.id),
        Statement(update(lines).where(lines.c.id == bindparam("which")).values(text=bindparam("said"))),
        Statement(delete(lines).where(lines.c.player == bindparam("who"))),
    )


CHAT, NOTES = _written(ChatRow), _written(NoteRow)


def digest(data: bytes) -> str:
    """Return the trace that is kept of erased bytes: their SHA-256 in hexadecimal, a space, and their number."""
    return f"{sha256(data).hexdigest()} {len(data)}"


def inbox_after(conn: Transaction, number: int) -> list[Came]:
    """Return the next mails of the inbox after a number."""
    return [_came(row) for row in conn.rows(_CAME_PAGE, after=number, most=PAGE)]


def outbox_after(conn: Transaction, number: int) -> list[Went]:
    """Return the next mails of the outbox after a number."""
    return [Went(*row) for row in conn.rows(_WENT_PAGE, after=number, most=PAGE)]


def lines_after(conn: Transaction, of: Written, number: int) -> list[Line]:
    """Return the next lines of chat, or notes, after a number."""
    return [Line(*row) for row in conn.rows(of.page, after=number, most=PAGE)]


def came(conn: Transaction, number: int) -> Came:
    """Return a mail of the inbox, which must exist."""
    [row] = conn.rows(_CAME_ONE, which=number)
    return _came(row)


def went(conn: Transaction, number: int) -> Went:
    """Return a mail of the outbox, which must exist."""
    [row] = conn.rows(_WENT_ONE, which=number)
    return Went(*row)


def written_by(conn: Transaction, writer: str) -> list[tuple[str, bytes]]:
    """Return the envelope sender and the bytes of every mail that counted for a writer."""
    return [(sender, bytes(raw)) for sender, raw in conn.rows(_WRITTEN_BY, whose=writer)]


def addresses_of(conn: Transaction, player: PlayerId) -> set[str]:
    """Return the addresses to which a player was written, or wants to move, besides the address of their account."""
    return {address for statement in (_WRITTEN_TO, _ASKED_OF) for (address,) in conn.rows(statement, who=player)}


def seats_of(conn: Transaction, player: PlayerId) -> list[tuple[Stream, str, str]]:
    """Return the events that may give a player a seat or propose them for one, as stream, type and data, oldest first."""
    return [(Stream(stream), kind, data) for stream, kind, data in conn.rows(_SEATS, number=str(player))]


def empty_came(tx: Transaction, mail: Came, was: bytes) -> None:
    """Write the remains of a mail of the inbox whose bytes were `was`. Rows of its other recipients lose the bytes too."""
    values = {**mail._asdict(), "outcome": _stored(mail.outcome), "error": _stored(mail.error)}
    del values["id"], values["raw"]
    tx.run(_EMPTY_CAME, which=mail.id, **values)
    [(holder,)] = tx.rows(_HOLDER, which=mail.id)
    tx.run(_EMPTY_BYTES, holder=holder, nothing=b"", was=digest(was) if was else None)


def empty_went(tx: Transaction, mail: Went, was: str | None) -> None:
    """Write the remains of a mail of the outbox whose text was `was`. A process that was about to send it holds it no more."""
    values = {**mail._asdict(), "key": None if mail.address is None else people.fold_case(mail.address)}
    del values["id"], values["player"]
    tx.run(_EMPTY_WENT, which=mail.id, was=digest(was.encode()) if was and mail.text is None else None, **values)


def change_line(tx: Transaction, of: Written, number: int, text: str) -> None:
    """Have a line of chat, or a note, say something else."""
    tx.run(of.change, which=number, said=plain(text))


def forget_lines(tx: Transaction, of: Written, player: PlayerId) -> int:
    """Erase a player's lines of chat, or notes, and return their number."""
    return tx.run(of.forget, who=player)


def forget_plan(tx: Transaction, game: GameId, plan: str) -> int:
    """Erase the text of the plan with a digest, and return how many there were."""
    return tx.run(_FORGET_PLAN, of=game, which=plan)


def forget_account(tx: Transaction, player: PlayerId, addresses: Iterable[str], at: datetime) -> bool:
    """Erase an account with its sessions, and the requests to its addresses. Return whether there was anything to erase."""
    tx.run(_FORGET_WHY, who=player)
    tx.run(_FORGET_ASKED, who=player)
    sessions.end_all(tx, player)
    for address in addresses:
        tx.run(_FORGET_ADDRESS, key=people.fold_case(address))
        sessions.forget_mailbox(tx, address)
    # no name and no address begins with =, so both are free again
    if tx.run(_FORGET_PLAYER, who=player, key=f"={player}", no=False, at=stamp(at)):
        return True
    tx.run(_TO_WIPE, who=player)
    return False


def wiped(tx: Transaction, at: datetime) -> None:
    """Note that nothing of all who were erased is left in the files of the database."""
    tx.run(_WIPED, at=stamp(at))


def unwiped(conn: Transaction) -> list[PlayerId]:
    """Return the erased players of whom something may be left in the files of the database."""
    return [PlayerId(number) for (number,) in conn.rows(_UNWIPED)]


def erasures(conn: Transaction) -> int:
    """Return how many players were ever erased."""
    row = conn.row(_ERASURES)
    return row[0] if row else 0


def _came(row: tuple[Any, ...]) -> Came:
    number, status, sender, recipient, writer, outcome, error, raw = row
    return Came(number, status, sender, recipient, writer, outcome, error, bytes(raw))


def _stored(text: str | None) -> str | None:
    return None if text is None else plain(text)
