"""Keys of the service and secrets of games, by name and version. They are made elsewhere: this package has no source of chance."""

from sqlalchemy import Executable, bindparam, select

from turnserver.envelope import GameId, game_stream
from turnserver.store.database import Transaction, table
from turnserver.store.statement import Inserting, Statement
from turnserver.store.tables import SecretRow

_secrets = table(SecretRow)
_secret = _secrets.c


def _add(insert_into: Inserting) -> Executable:
    return insert_into(_secrets).values({column.name: bindparam(column.name) for column in _secrets.columns}).on_conflict_do_nothing()


_ADD = Statement(_add)
_ALL = Statement(select(_secret.version, _secret.value).where(_secret.name == bindparam("which")).order_by(_secret.version))


def keys(conn: Transaction, name: str) -> dict[int, bytes]:
    """Every version of a key, the oldest first; the last one is for new signatures, the others still verify old ones."""
    return {version: bytes(value) for version, value in conn.rows(_ALL, which=name)}


def ensure(tx: Transaction, name: str, fresh: bytes) -> None:
    """Keep `fresh` as version 1 of a key that has none yet."""
    tx.run(_ADD, name=name, version=1, value=fresh)


def keep(tx: Transaction, game: GameId, secret: bytes) -> None:
    """Keep the secret of a game that is being opened; part of the transaction that logs what it commits to."""
    tx.run(_ADD, name=game_stream(game), version=1, value=secret)


def of_game(conn: Transaction, game: GameId) -> bytes | None:
    """The secret that a game rolls from; None if there is none."""
    return next(iter(keys(conn, game_stream(game)).values()), None)


def rotate(tx: Transaction, name: str, fresh: bytes) -> int:
    """Keep `fresh` as the newest version of a key and return its number; if another process rotates at once, only one of them adds."""
    version = max(keys(tx, name), default=0) + 1
    tx.run(_ADD, name=name, version=version, value=fresh)
    return version
