"""Links to sign in by, and the browsers in which players are signed in. Of both, only the SHA-256 of the secret is kept.

Pages read them through a `Session` of sqlmodel; whatever changes them runs in the transaction of its request.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

import sqlmodel
from sqlalchemy import bindparam, delete, literal_column, select, update
from sqlmodel import Session, col

from turnserver.ids import PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, missing_row_into, stamp
from turnserver.store.log.tables import SessionRow, SignInRow
from turnserver.store.people.accounts import address_key

LASTS: Final = timedelta(days=90)
"""The time that a session lasts after it was last used."""

COUNTED: Final = timedelta(days=1)
"""The time that a link is remembered after it was made, so that the links to one mailbox can be counted."""

_SEEN_EVERY: Final = timedelta(days=1)
"""The exactness with which the last use of a session is known."""

_links = table(SignInRow)
_link = _links.c
_sessions = table(SessionRow)
_session = _sessions.c

_USE = Statement(
    update(_links)
    .where(_link.token == bindparam("which"), _link.used_at.is_(None), _link.expires_at > bindparam("now"))
    .values(used_at=bindparam("now"))
)
_UNUSED = Statement(
    # a link without a player counts too, or the count would tell which addresses players have
    select(_link.made_at)
    .where(_link.mailbox == bindparam("which"), _link.made_at > bindparam("since"), _link.used_at.is_(None))
    .order_by(_link.made_at)
)
_ISSUE, _BEGIN = Statement(missing_row_into(_links)), Statement(missing_row_into(_sessions))
_OWNER = Statement(select(_session.player).where(_session.token == bindparam("which"), _session.expires_at > bindparam("now")))
_SEEN = Statement(
    update(_sessions)
    .where(_session.token == bindparam("which"), _session.expires_at > bindparam("now"), _session.seen_at <= bindparam("before"))
    .values(seen_at=bindparam("now"), expires_at=bindparam("until"))
)
_END = Statement(delete(_sessions).where(_session.token == bindparam("which"), _session.player == bindparam("who")))
_LEAVE = Statement(delete(_sessions).where(_session.token == bindparam("which")))
_END_ALL = Statement(delete(_sessions).where(_session.player == bindparam("who")))
_RECALL = Statement(delete(_links).where(_link.player == bindparam("who")))
_FORGET_MAILBOX = Statement(delete(_links).where(_link.mailbox == bindparam("which")))
_FORGET_SESSIONS = Statement(delete(_sessions))
_FORGET_LINKS = Statement(delete(_links))
_EXPIRED = Statement(select(_session.token).where(_session.expires_at <= bindparam("now")).limit(literal_column("1")))
_UNCOUNTED = Statement(select(_link.token).where(_link.made_at <= bindparam("before")).limit(literal_column("1")))
_ERASE_EXPIRED = Statement(delete(_sessions).where(_session.expires_at <= bindparam("now")))
_ERASE_UNCOUNTED = Statement(delete(_links).where(_link.made_at <= bindparam("before")))


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


def issue(  # noqa: PLR0917  # the columns of a row, in their order
    tx: Transaction, link: str, player: PlayerId | None, address: str, now: datetime, expires_at: datetime
) -> None:
    """Keep a link for the player who has an address, or that nobody has it."""
    tx.run(
        _ISSUE,
        token=digest(link),
        player=player,
        mailbox=_mailbox(address),
        made_at=stamp(now),
        expires_at=stamp(expires_at),
        used_at=None,
    )


def unused(conn: Transaction, address: str, since: datetime) -> list[datetime]:
    """Return when links were made for an address since an instant and not used, the oldest first, whether or not anybody has it."""
    return [instant(made_at) for (made_at,) in conn.rows(_UNUSED, which=_mailbox(address), since=stamp(since))]


def use(tx: Transaction, link: str, now: datetime) -> bool:
    """Use a link up. Return False if it is used, too old or unknown: of all who try, one is told True."""
    return tx.run(_USE, which=digest(link), now=stamp(now)) == 1


def link_row(session: Session, link: str) -> SignInRow | None:
    """Return the row of a link, None if there is none."""
    return session.get(SignInRow, digest(link))


def begin(tx: Transaction, secret: str, player: PlayerId, browser: str, now: datetime) -> None:
    """Have a player be signed in by a secret."""
    at = stamp(now)
    tx.run(_BEGIN, token=digest(secret), player=player, made_at=at, seen_at=at, expires_at=stamp(now + LASTS), browser=browser)


def owner(conn: Transaction, secret: str, now: datetime) -> PlayerId | None:
    """Return the player who is signed in by a secret, in a transaction; None if nobody is."""
    row = conn.row(_OWNER, which=digest(secret), now=stamp(now))
    return PlayerId(row[0]) if row else None


def alive(session: Session, secret: str, now: datetime) -> SessionRow | None:
    """Return the session of a secret, None if there is none any more."""
    found = session.get(SessionRow, digest(secret))
    return found if found is not None and found.expires_at > stamp(now) else None


def of_player(session: Session, player: PlayerId, now: datetime) -> list[SessionRow]:
    """Return the sessions of a player, the last used first."""
    theirs = sqlmodel.select(SessionRow).where(SessionRow.player == player, SessionRow.expires_at > stamp(now))
    return list(session.exec(theirs.order_by(col(SessionRow.seen_at).desc(), col(SessionRow.made_at).desc())))


def seen(tx: Transaction, secret: str, now: datetime) -> None:
    """Note that a session is used, at most once a day."""
    tx.run(_SEEN, which=digest(secret), now=stamp(now), before=stamp(now - _SEEN_EVERY), until=stamp(now + LASTS))


def end(tx: Transaction, player: PlayerId, token: str) -> bool:
    """End the session of a player that is kept under a digest. Return False if it is none of theirs."""
    return tx.run(_END, which=token, who=player) == 1


def leave(tx: Transaction, secret: str) -> None:
    """End the session of a secret, if there is one."""
    tx.run(_LEAVE, which=digest(secret))


def end_all(tx: Transaction, player: PlayerId) -> None:
    """End all sessions of a player, and have none of their links sign anybody in."""
    tx.run(_END_ALL, who=player)
    tx.run(_RECALL, who=player)


def forget_mailbox(tx: Transaction, address: str) -> None:
    """Forget that links were made for an address."""
    tx.run(_FORGET_MAILBOX, which=_mailbox(address))


def forget_all(tx: Transaction) -> None:
    """End every session, and have no link sign anybody in: after the database was put back, those may be among them that had ended."""
    tx.run(_FORGET_SESSIONS)
    tx.run(_FORGET_LINKS)


def any_expired(conn: Transaction, now: datetime) -> bool:
    """Return whether there is something for `erase_expired` to do."""
    return conn.row(_EXPIRED, now=stamp(now)) is not None or conn.row(_UNCOUNTED, before=stamp(now - COUNTED)) is not None


def erase_expired(tx: Transaction, now: datetime) -> None:
    """Forget sessions that are over, and links that need not be counted any more."""
    tx.run(_ERASE_EXPIRED, now=stamp(now))
    tx.run(_ERASE_UNCOUNTED, before=stamp(now - COUNTED))


def _mailbox(address: str) -> str:
    return digest(address_key(address))
