"""Positions up to which mailboxes have been read over IMAP, the messages fetched from them, and the processes that read them.

A message is known by its place: account (see `account_of`), folder, UIDVALIDITY and UID (RFC 3501, section 2.3.1.1). UIDs only ever
rise, so a folder needs one number, `next_uid`, and the few places above it whose messages are stored but not yet marked and moved.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, case, delete, exists, literal_column, null, or_, select, union, update

from turnserver.errors import NotFound
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, missing_row_into, optional_instant, stamp
from turnserver.store.log.tables import FetchedRow, InboxRow, MailboxRow, OutboxRow, ReaderRow

_NEW = table(InboxRow).c.status == literal_column("'new'")
_QUEUED = table(OutboxRow).c.status == literal_column("'queued'")
_HELD = ((table(InboxRow), _NEW), (table(OutboxRow), _QUEUED))
_readers = table(ReaderRow)

_HOLDERS = Statement(
    union(
        *(
            select(mails.c.lease_owner).where(waits, mails.c.lease_until.is_not(None), mails.c.lease_owner.is_not(None))
            for mails, waits in _HELD
        ),
        select(_readers.c.lease_owner).where(_readers.c.lease_owner.is_not(None)),
    )
)
_END = tuple(
    # who held it stays in the row: a mail that somebody died with may have left
    Statement(
        update(mails).where(waits, mails.c.lease_owner == bindparam("whose"), mails.c.lease_until.is_not(None)).values(lease_until=null())
    )
    for mails, waits in _HELD
)
_LET_GO_READERS = Statement(
    update(_readers).where(_readers.c.lease_owner == bindparam("whose")).values(lease_until=null(), lease_owner=null())
)


def lease_holders(conn: Transaction) -> list[str]:
    """Return the processes that hold waiting mails or mailboxes, whether or not the lease has run out."""
    return [owner for (owner,) in conn.rows(_HOLDERS)]


def end_leases(tx: Transaction, owner: str) -> int:
    """End all leases that `owner` holds, and return the number of rows."""
    return sum(tx.run(statement, whose=owner) for statement in (*_END, _LET_GO_READERS))


MAILDIR = "maildir"
"""The account of a maildir, whose folder is its path. It has no numbers."""

MOVING = timedelta(days=1)
"""The longest time that mail may lie in a section's new account or in a new maildir, unread by us, and count all the same."""


def account_of(section: str, username: str, host: str) -> str:
    """Return the name under which rows know the account of a section: with another login or on another host, it is another account."""
    return f"{section} {username}@{host}"


class Place(NamedTuple):
    """The place of a message; no other message ever lies there."""

    account: str
    folder: str
    uidvalidity: int
    uid: int


class Mailbox(msgspec.Struct, frozen=True):
    """A folder and how far it has been read.

    Everything below `next_uid` is done with. From `sure_uid` on every message counts; below it, where messages lay when the folder was
    first seen or renumbered, only those that came after `began_at`. By `read_at` everything that had arrived was stored.
    """

    account: str
    folder: str
    began_at: datetime
    uidvalidity: int | None
    next_uid: int
    sure_uid: int
    read_at: datetime


class Trouble(NamedTuple):
    """The number of failures in a row to read an account, and when it is tried again."""

    failures: int = 0
    retry_at: datetime | None = None


_mailboxes, _fetched_table = table(MailboxRow), table(FetchedRow)
_box, _fetched, _reader = _mailboxes.c, _fetched_table.c, _readers.c
_HERE = (_box.account == bindparam("account_")) & (_box.folder == bindparam("folder_"))
_NUMBERED = _box.uidvalidity == bindparam("validity")
_IN_HAND = (_fetched.account == bindparam("account_")) & (_fetched.folder == bindparam("folder_"))
_THIS_READER = _reader.account == bindparam("account_")
_COLUMNS = (_box.account, _box.folder, _box.began_at, _box.uidvalidity, _box.next_uid, _box.sure_uid, _box.read_at)

_BEGIN = Statement(missing_row_into(_mailboxes))
_TAKE = Statement(missing_row_into(_fetched_table))
_ENROL = Statement(missing_row_into(_readers))
_GET = Statement(select(*_COLUMNS).where(_HERE))
_OF_SECTION = Statement(select(_box.read_at).where(_box.account.like(bindparam("accounts")), _box.folder == bindparam("folder_")))
_OF_MAILDIRS = Statement(select(_box.read_at).where(_box.account == MAILDIR))
_ADOPT, _ADOPT_FETCHED = (
    Statement(
        update(rows)
        .where(rows.c.account == bindparam("section_"), rows.c.folder == bindparam("folder_"))
        .values(account=bindparam("account_"))
    )
    for rows in (_mailboxes, _fetched_table)
)
_ALL = Statement(select(*_COLUMNS).order_by(_box.account, _box.folder))
_RENUMBER = Statement(
    update(_mailboxes)
    .where(
        _HERE,
        or_(
            _box.uidvalidity.is_(None),
            ~_NUMBERED,
            _box.next_uid > bindparam("sure"),
            _box.sure_uid > bindparam("sure"),
            exists().where(_IN_HAND, _fetched.uid >= bindparam("sure")),
        ),
    )
    .values(uidvalidity=bindparam("validity"), next_uid=literal_column("1"), sure_uid=bindparam("sure"))
)
# it changes nothing, but holds the row until the commit, so `advance` cannot pass the message meanwhile
_STILL_AHEAD = Statement(update(_mailboxes).where(_HERE, _NUMBERED, _box.next_uid <= bindparam("uid_")).values(next_uid=_box.next_uid))
_ADVANCE = Statement(update(_mailboxes).where(_HERE, _NUMBERED, _box.next_uid < bindparam("next_")).values(next_uid=bindparam("next_")))
_READ = Statement(
    update(_mailboxes)
    # a maildir's UIDVALIDITY is null in the row, and to the caller
    .where(
        _HERE,
        _box.uidvalidity.is_not_distinct_from(bindparam("validity")),
        # an instant that lies ahead was written by a clock that was ahead
        or_(_box.read_at < bindparam("at"), _box.read_at > bindparam("now")),
    )
    .values(read_at=bindparam("at"))
)
_PLACES = Statement(select(_fetched.uid).where(_IN_HAND, _fetched.uidvalidity == bindparam("validity")))
_PASS = Statement(delete(_fetched_table).where(_IN_HAND, _fetched.uidvalidity == bindparam("validity"), _fetched.uid < bindparam("next_")))
_FORGET = Statement(delete(_fetched_table).where(_IN_HAND))
_HOLD = Statement(
    update(_readers)
    .where(
        _THIS_READER,
        or_(_reader.lease_owner.is_(None), _reader.lease_owner == bindparam("owner"), _reader.lease_until <= bindparam("now")),
    )
    .values(lease_owner=bindparam("owner"), lease_until=bindparam("until"))
)
_LET_GO = Statement(
    update(_readers).where(_THIS_READER, _reader.lease_owner == bindparam("owner")).values(lease_owner=null(), lease_until=null())
)
_TROUBLE = Statement(select(_reader.failures, _reader.retry_at).where(_THIS_READER))
_EVER = stamp(datetime.min.replace(tzinfo=UTC))
_SET_BACK = (
    Statement(update(_mailboxes).where(_box.read_at > bindparam("now")).values(read_at=bindparam("now"))),
    Statement(
        update(_mailboxes)
        .where(_box.began_at > bindparam("now"))
        # mail that lay in a maildir at the first look was handled then, so all that lies there now came later
        .values(began_at=case((_box.account == MAILDIR, literal_column(f"'{_EVER}'")), else_=bindparam("now")))
    ),
    Statement(update(_readers).where(_reader.retry_at > bindparam("now")).values(retry_at=null())),
    Statement(update(_readers).where(_reader.lease_until > bindparam("now")).values(lease_owner=null(), lease_until=null())),
)
_FAILED = Statement(update(_readers).where(_THIS_READER).values(failures=bindparam("failures_"), retry_at=bindparam("at")))


def watch(tx: Transaction, account: str, folder: str, now: datetime) -> None:
    """Begin to read a folder `now`, unless that was begun before."""
    at = stamp(now)
    tx.run(_BEGIN, account=account, folder=folder, began_at=at, uidvalidity=None, next_uid=1, sure_uid=1, read_at=at)


def watch_for(tx: Transaction, section: str, account: str, folder: str, now: datetime) -> None:
    """Begin to read a folder of a section's account, unless that was begun before.

    If the section had another account, that may be the same one under another name, or its mail may go to this one by now. So reading
    begins where the other one was last read, if that was not long ago.
    """
    if began_at(tx, account, folder) is not None:
        return
    # rows of earlier versions know the section alone, and its account is taken for the one of today
    if tx.run(_ADOPT, section_=section, account_=account, folder_=folder):
        tx.run(_ADOPT_FETCHED, section_=section, account_=account, folder_=folder)
        return
    _watch_after(tx, account, folder, tx.rows(_OF_SECTION, accounts=account_of(section, "%", "%"), folder_=folder), now)


def watch_maildir(tx: Transaction, path: str, now: datetime) -> None:
    """Begin to collect from a maildir, unless that was begun before.

    Where another one was collected from, that begins where it was last read, as with the accounts of a section: mail may lie there since.
    """
    if began_at(tx, MAILDIR, path) is None:
        _watch_after(tx, MAILDIR, path, tx.rows(_OF_MAILDIRS), now)


def _watch_after(tx: Transaction, account: str, folder: str, read_at: Iterable[tuple[Any, ...]], now: datetime) -> None:
    """Begin to read a folder where those that it follows were last read, but no more than `MOVING` before now."""
    read = [instant(at) for (at,) in read_at]
    watch(tx, account, folder, min(now, max(*read, now - MOVING)) if read else now)


def get(conn: Transaction, account: str, folder: str) -> Mailbox:
    """Return how far a folder has been read. Raises NotFound if it was never read."""
    row = conn.row(_GET, account_=account, folder_=folder)
    if row is None:
        raise NotFound(f"The folder {folder} of imap.{account} was never read.")
    return _mailbox(row)


def began_at(conn: Transaction, account: str, folder: str) -> datetime | None:
    """Return when reading a folder began; None if it never did."""
    row = conn.row(_GET, account_=account, folder_=folder)
    return _mailbox(row).began_at if row else None


def every(conn: Transaction) -> list[Mailbox]:
    """Return all folders that were ever read, also of accounts that are not configured any more."""
    return [_mailbox(row) for row in conn.rows(_ALL)]


def renumber(tx: Transaction, account: str, folder: str, uidvalidity: int, sure_uid: int) -> None:
    """Note the UIDVALIDITY of a folder. Known UIDs become void: all messages are looked at again, and from `sure_uid` on all count.

    `sure_uid` is the next UID that the folder will give. Changes nothing if the UIDVALIDITY and only UIDs below that were known already.
    """
    # UIDs mean nothing under another UIDVALIDITY (RFC 3501, 2.3.1.1), or when they are given a second time
    if tx.run(_RENUMBER, account_=account, folder_=folder, validity=uidvalidity, sure=sure_uid):
        tx.run(_FORGET, account_=account, folder_=folder)


def take(tx: Transaction, place: Place) -> bool:
    """Note that the message at `place` is stored, in the transaction that stores it.

    Return False if it was stored before: then do not store it.
    """
    is_ahead = tx.run(_STILL_AHEAD, account_=place.account, folder_=place.folder, validity=place.uidvalidity, uid_=place.uid)
    return bool(is_ahead and tx.run(_TAKE, **place._asdict()))


def in_hand(conn: Transaction, account: str, folder: str, uidvalidity: int) -> frozenset[int]:
    """Return the UIDs of messages that are stored and not below `next_uid` yet."""
    return frozenset(uid for (uid,) in conn.rows(_PLACES, account_=account, folder_=folder, validity=uidvalidity))


def advance(tx: Transaction, account: str, folder: str, uidvalidity: int, next_uid: int) -> None:
    """Note that every message below `next_uid` is stored, marked and moved, or does not count.

    Never goes back; void after a new UIDVALIDITY.
    """
    if tx.run(_ADVANCE, account_=account, folder_=folder, validity=uidvalidity, next_=next_uid):
        tx.run(_PASS, account_=account, folder_=folder, validity=uidvalidity, next_=next_uid)


def read_to_end(tx: Transaction, account: str, folder: str, uidvalidity: int | None, at: datetime, *, now: datetime) -> None:
    """Note that every message that had arrived in the folder `at` that instant is stored. A maildir has no UIDVALIDITY.

    Never goes back, unless a later instant than `now` was noted.
    """
    tx.run(_READ, account_=account, folder_=folder, validity=uidvalidity, at=stamp(at), now=stamp(now))


def set_back(tx: Transaction, now: datetime) -> None:
    """Forget instants after `now`, which is the right time: a clock that was ahead has written them, and folders are read at once.

    That ends leases that hold. A message is stored once all the same (`take`). In a maildir all mail counts from then on.
    """
    for statement in _SET_BACK:
        tx.run(statement, now=stamp(now))


def hold(tx: Transaction, account: str, owner: str, now: datetime, until: datetime) -> bool:
    """Make `owner` the only reader of the account, or let it be that for longer. False if another one is until later than `now`."""
    # does nothing if the row is there; the update after it decides who reads
    tx.run(_ENROL, account=account, lease_owner=None, lease_until=None, failures=0, retry_at=None)
    return bool(tx.run(_HOLD, account_=account, owner=owner, now=stamp(now), until=stamp(until)))


def let_go(tx: Transaction, account: str, owner: str) -> None:
    """Let another process read the account, if `owner` is the one that does."""
    tx.run(_LET_GO, account_=account, owner=owner)


def trouble(conn: Transaction, account: str) -> Trouble:
    """Return the trouble with reading the account; no failures if there is none."""
    row = conn.row(_TROUBLE, account_=account)
    return Trouble(row[0], optional_instant(row[1])) if row else Trouble()


def note_trouble(tx: Transaction, account: str, trouble: Trouble) -> None:
    """Remember the trouble with an account, for this process and others; `Trouble()` says that there is none any more."""
    tx.run(_ENROL, account=account, lease_owner=None, lease_until=None, failures=0, retry_at=None)
    tx.run(_FAILED, account_=account, failures_=trouble.failures, at=stamp(trouble.retry_at) if trouble.retry_at else None)


def _mailbox(row: tuple[Any, ...]) -> Mailbox:
    account, folder, began_at, uidvalidity, next_uid, sure_uid, read_at = row
    return Mailbox(account, folder, instant(began_at), uidvalidity, next_uid, sure_uid, instant(read_at))
