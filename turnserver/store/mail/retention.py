"""The end of old mails' bytes: a mail that came keeps its row, with digest and length of its bytes; one that went keeps all but its text.

Nobody but people ever reads these bytes again: whether a mail is a copy is told by its identity, what it did stands in the log, and what a
mail of ours said can be rendered from there.
"""

from datetime import datetime
from itertools import takewhile
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, exists, func, literal_column, null, or_, select, update

from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, constants, stamp
from turnserver.store.log.tables import EventRow, GameRow, InboxRow, OutboxRow
from turnserver.store.people.erasing import digest

PAGE = 200
"""The number of rows that one look goes through."""

_came = table(InboxRow).c
_went = table(OutboxRow).c
_game = table(GameRow).c
_event = table(EventRow).c
_sharing = table(InboxRow).alias("sharing").c

_IS_DONE: Final[Any] = literal_column("'done'")
_SHARED_BY_ONE_THAT_WAITS = exists().where(_sharing.bytes_of == _came.id, _sharing.status != _IS_DONE)
_HAS_BYTES = (_came.status == _IS_DONE) & (func.length(_came.raw) > 0)
_OF_A_GAME_THAT_GOES_ON = exists().where(_game.id == _went.game, _game.status.in_(constants("inviting", "running")))


def _page(number: Any, at: Any, may_go: Any) -> Statement:  # noqa: ANN401  # columns and conditions of any kind
    chosen = select(number, at, may_go).where(number > bindparam("after"))
    return Statement(chosen.order_by(number).limit(bindparam("most")))


_CAME_PAGE = _page(_came.id, _came.received_at, _HAS_BYTES)
_WENT_PAGE = _page(_went.id, _went.created_at, _went.text.is_not(None))
_BYTES = Statement(select(_came.raw).where(_came.id == bindparam("which"), _HAS_BYTES, ~_SHARED_BY_ONE_THAT_WAITS))
_EMPTY = Statement(
    update(table(InboxRow))
    .where(or_(_came.id == bindparam("which"), _came.bytes_of == bindparam("which")))
    .values(raw=bindparam("nothing"), bytes_of=null(), erased=func.coalesce(_came.erased, bindparam("was")))
)
_TEXT = Statement(select(_went.text).where(_went.id == bindparam("which"), _went.text.is_not(None), ~_OF_A_GAME_THAT_GOES_ON))
_UNWRITE = Statement(
    update(table(OutboxRow)).where(_went.id == bindparam("which")).values(text=null(), erased=func.coalesce(_went.erased, bindparam("was")))
)
_SPACE = (
    Statement(select(func.coalesce(func.sum(func.length(_came.raw)), 0))),
    Statement(select(func.coalesce(func.sum(func.length(_went.text)), 0))),
    Statement(select(func.coalesce(func.sum(func.length(_event.data)), 0))),
)


_LEFT_OF_CAME = Statement(select(_came.erased).where(_came.id == bindparam("which"), _came.erased.is_not(None)))
_LEFT_OF_WENT = Statement(
    select(_went.erased).where(_went.id == bindparam("which"), _went.sent_at.is_not(None), func.coalesce(_went.text, "") == "")
)


class Remains(NamedTuple):
    """The rest of a mail's bytes, or of the text of one that was sent: their digest, or None if not even that is known."""

    digest: str | None

    def are_of(self, data: bytes) -> bool:
        """Return whether these are the bytes that were there."""
        return self.digest == digest(data)

    def __str__(self) -> str:
        """Return how many bytes there were, and their SHA-256."""
        if self.digest is None:
            return "nobody knows its digest"
        sha256, _, size = self.digest.partition(" ")
        return f"{size} bytes, SHA-256 {sha256}"


class Look(NamedTuple):
    """The numbers of old mails that may still have something to give up, and the number of the last mail that was looked at.

    It was the `last` one of all that are old, if there are no others.
    """

    old: tuple[int, ...]
    upto: int
    last: bool


class Space(NamedTuple):
    """Bytes of mails that came, characters of the texts of mails that went, and characters of events."""

    came: int
    went: int
    events: int


def came(conn: Transaction, after: int, before: datetime) -> Look:
    """Look at the next mails of the inbox after a number, as far as they came `before` an instant."""
    return _look(conn, _CAME_PAGE, after, before)


def went(conn: Transaction, after: int, before: datetime) -> Look:
    """Look at the next mails of the outbox after a number, as far as they were written `before` an instant."""
    return _look(conn, _WENT_PAGE, after, before)


def empty_came(tx: Transaction, number: int) -> None:
    """Keep only digest and length of a mail's bytes, unless it is still to be handled for one of its recipients."""
    row = tx.row(_BYTES, which=number)
    if row is not None:
        tx.run(_EMPTY, which=number, nothing=b"", was=digest(bytes(row[0])))


def empty_went(tx: Transaction, number: int) -> None:
    """Keep only digest and length of the text of a mail that went.

    If it is about a game that is not over, the text stays: whoever answers it may quote it without marks.
    """
    row = tx.row(_TEXT, which=number)
    if row is not None:
        tx.run(_UNWRITE, which=number, was=digest(row[0].encode()))


def left_of_came(conn: Transaction, number: int) -> Remains | None:
    """Return what is left of the bytes of a mail that came; None if they are there."""
    row = conn.row(_LEFT_OF_CAME, which=number)
    return Remains(row[0]) if row else None


def left_of_went(conn: Transaction, number: int) -> Remains | None:
    """Return what is left of the text of a mail that was sent; None if it is there, or if the mail has not been sent."""
    row = conn.row(_LEFT_OF_WENT, which=number)
    return Remains(row[0]) if row else None


def space(conn: Transaction) -> Space:
    """Return what mails and events take; looks at each of them, so it is for people who ask."""
    return Space(*(conn.rows(statement)[0][0] for statement in _SPACE))


def _look(conn: Transaction, page: Statement, after: int, before: datetime) -> Look:
    rows = conn.rows(page, after=after, most=PAGE)
    # one that is not old yet is looked at again, and the few behind it that came late and are older wait for it
    old = [(number, may_go) for number, _, may_go in takewhile(lambda row: row[1] < stamp(before), rows)]
    return Look(tuple(number for number, may_go in old if may_go), old[-1][0] if old else after, len(old) < PAGE)
