"""Keys of the service and secrets of games and leagues, by name and version.

They are made elsewhere: this package has no source of chance.
"""

from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from turnserver.errors import BadOption
from turnserver.ids import Stream
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, missing_row_into, optional_instant, stamp
from turnserver.store.log.tables import SecretRow

REPLY = "reply"
"""The key of reply addresses. It can be replaced."""

MESSAGE_ID = "message-id"
"""The key of our Message-IDs. It is replaced when history was lost and never else: the same request must give the same Message-ID."""

IDENTITY = "identity"
"""No key, but random bytes by which a process knows this database from every other: see `Database`. A copy has the same ones."""


class KeyVersion(NamedTuple):
    """One version of a key. `made_at` is None for the first one."""

    version: int
    made_at: datetime | None


_secrets = table(SecretRow)
_secret = _secrets.c
_ADD = Statement(missing_row_into(_secrets))
_ALL = Statement(select(_secret.version, _secret.value).where(_secret.name == bindparam("which")).order_by(_secret.version))
_VERSIONS = Statement(select(_secret.version, _secret.made_at).where(_secret.name == bindparam("which")).order_by(_secret.version))
_DROP = Statement(delete(_secrets).where(_secret.name == bindparam("which"), _secret.version <= bindparam("upto")))


def keys(conn: Transaction, name: str) -> dict[int, bytes]:
    """Return every version of a key, the oldest first; the last one is for new signatures, the others still verify old ones."""
    return {version: bytes(value) for version, value in conn.rows(_ALL, which=name)}


def ensure(tx: Transaction, name: str, fresh: bytes) -> None:
    """Keep `fresh` as version 1 of a key that has none yet."""
    if not tx.rows(_VERSIONS, which=name):
        tx.run(_ADD, name=name, version=1, value=fresh, made_at=None)


def keep(tx: Transaction, stream: Stream, secret: bytes) -> None:
    """Keep the secret of a game or league that is being opened, in the transaction that logs the commitment to it."""
    tx.run(_ADD, name=stream, version=1, value=secret, made_at=None)


def of_stream(conn: Transaction, stream: Stream) -> bytes | None:
    """Return the secret that a game rolls from, or a league draws lots from; None if there is none."""
    return next(iter(keys(conn, stream).values()), None)


def versions(conn: Transaction, name: str) -> list[KeyVersion]:
    """Return the versions of a key that count, the oldest first."""
    return [KeyVersion(version, optional_instant(made_at)) for version, made_at in conn.rows(_VERSIONS, which=name)]


def rotate(tx: Transaction, name: str, fresh: bytes, now: datetime) -> int:
    """Keep `fresh` as the newest version of a key and return its number. If another process rotates at once, only one of them adds."""
    version = max(keys(tx, name), default=0) + 1
    # if another process adds the same version first, its key stays and this one is not used
    tx.run(_ADD, name=name, version=version, value=fresh, made_at=stamp(now))
    return version


def retire(tx: Transaction, name: str, upto: int) -> list[int]:
    """Remove the versions of a key up to that number, and return which they were. Raises BadOption if the newest is among them."""
    known = list(keys(tx, name))
    if not known or upto >= known[-1]:
        raise BadOption(f"Version {upto} cannot be retired: of the versions {', '.join(map(str, known))} the last one is in use.")
    tx.run(_DROP, which=name, upto=upto)
    return [version for version in known if version <= upto]


def superseded(known: list[KeyVersion], before: datetime) -> int:
    """Return the highest version of a key that was replaced before that instant; 0 if none was."""
    return max((old.version for old, new in pairwise(known) if new.made_at is not None and new.made_at < before), default=0)
