"""The service's keys: made once, and read again before they are used, so that every process notices a new one."""

from collections.abc import ItemsView, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from turnserver.errors import BadOption
from turnserver.outside import RandomBytes
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database, Transaction

KEY_BYTES = 32


def ensure(tx: Transaction, entropy: RandomBytes) -> None:
    """Make every key that is missing, and an identity of the database."""
    for name in (keyring.REPLY, keyring.MESSAGE_ID, keyring.IDENTITY):
        keyring.ensure(tx, name, entropy(KEY_BYTES))


class Rotated(NamedTuple):
    """The version of the key that signs from now on, and the versions that do not count any more."""

    version: int
    retired: tuple[int, ...]


def rotate(tx: Transaction, entropy: RandomBytes, now: datetime, *, retire: int = 0, retire_days: int | None = None) -> Rotated:
    """Sign reply addresses with a new key from now on. Old keys still verify their signatures.

    Versions up to `retire` do not, nor do versions that were replaced more than `retire_days` ago. Raises BadOption if there is no
    version `retire`.
    """
    known = keyring.versions(tx, keyring.REPLY)
    if retire and retire not in [one.version for one in known]:
        numbers = ", ".join(str(one.version) for one in known)
        raise BadOption(f"There is no key version {retire} to retire. The versions are: {numbers}.")
    version = keyring.rotate(tx, keyring.REPLY, entropy(KEY_BYTES), now)
    upto = max(retire, 0 if retire_days is None else keyring.superseded(known, now - timedelta(days=retire_days)))
    return Rotated(version, tuple(keyring.retire(tx, keyring.REPLY, upto)) if upto else ())


class ReplyKeys(Mapping[int, bytes]):
    """The keys of reply addresses by version, as they were when they were last read. Threads may share it."""

    def __init__(self, db: Database) -> None:
        """Read them from `db`."""
        self._db = db
        self._keys: dict[int, bytes] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read them again."""
        with self._db.read() as conn:
            self.read(conn)

    def read(self, conn: Transaction) -> None:
        """Read them again in a transaction."""
        self._keys = keyring.keys(conn, keyring.REPLY)

    def items(self) -> ItemsView[int, bytes]:
        """Return all keys of one moment, even if another thread reads them again meanwhile."""
        return self._keys.items()

    def __getitem__(self, version: int) -> bytes:
        return self._keys[version]

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
