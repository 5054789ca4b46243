"""Checkpoints of the log: made when they are due, when a season ends and on demand, each growing out of the one before.

A log must never sign two checkpoints that do not fit together. So a new one begins with the tree of the last one, if that was signed by
us, and everything that was published has to lie on its way; where the log has become another one, nothing is signed any more.
The row in the table is what counts: its number admits one process, and files are written from it as often as it takes.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import NamedTuple

from turnserver.config import Settings
from turnserver.errors import AlreadyHandled, ConfigError, LogError, LogRewritten, NotProved, NotSigned, ProofError
from turnserver.proof import checkpoint, note
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import Frontier, leaf
from turnserver.proof.note import SigningKey, VerificationKey
from turnserver.service.clock import Clock
from turnserver.service.upkeep import checkpoint_keys, publishing
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Database, Transaction

logger = logging.getLogger(__name__)

ASKED, DUE, SEASON = "asked", "due", "season"
"""Why a checkpoint was made: somebody asked for it, the last one was old, a season had ended."""


class Made(NamedTuple):
    """The newest checkpoint, and whether it had to be made."""

    stored: Stored
    new: bool


class Checkpoints:
    """The checkpoints of one database. Several processes may each keep them up: of two that make one at once, one does."""

    def __init__(self, db: Database, settings: Settings, clock: Clock) -> None:
        """Sign with the keys of the settings, which are read when they are needed."""
        self._db = db
        self._settings = settings
        self._clock = clock
        self._seen = 0  # up to here no season ended, or a checkpoint was made since
        self._complained = ""
        self._published = False

    def make(self, why: str = ASKED) -> Made:
        """The checkpoint of the log as it is now; the last one, if it says just that already with the signatures of all keys.

        Raises ConfigError if there is no key, LogRewritten if the log is not the one any more that was signed before.
        """
        while True:
            try:
                made = self._make(lambda _conn, _last, _size: why)
            except AlreadyHandled:
                continue
            if made is not None:
                self._publish_missing()
                self._publish([made.stored])  # one of the same size with fewer signatures may lie there
                return made

    def follow(self) -> None:
        """Make a checkpoint if one is due or a season has ended; see to it that all of them are published.

        Whatever is in the way is logged, once until it changes, and holds up nothing else. Raises StoreError.
        """
        audit = self._settings.audit
        if not audit.key_files:
            return
        try:
            if self._make(self._why) is not None:
                self._published = False
            if not self._published:
                self._publish_missing()
                self._published = True
            self._complained = ""
        except AlreadyHandled:
            pass  # another process was first
        except (ConfigError, LogError) as error:
            if str(error) != self._complained:
                logger.error("no checkpoint: %s", error)  # noqa: TRY400  # it says what is wrong
            self._complained = str(error)

    def _make(self, why: Callable[[Transaction, Stored | None, int], str | None]) -> Made | None:
        """Make one if `why` gives a reason. Raises AlreadyHandled if another process has made one meanwhile."""
        with self._db.read() as conn:
            last, size = checkpoints.last(conn), log.last_position(conn)
            reason = why(conn, last, size)
            if reason is None:
                return None
            keys = checkpoint_keys.signing(self._settings)
            if not keys:
                raise ConfigError("audit.key_files names no key, so there are no checkpoints.")
            tree = self._grown(conn, last, size)
            if last is not None and last.size == size and _signed_by_all(last, keys, self._settings.origin):
                return Made(last, new=False)
        signed = checkpoint.sign(Checkpoint(self._settings.origin, size, tree.root()), keys)
        with self._db.write() as tx:
            made = checkpoints.add(tx, last, at=self._clock(), reason=reason, tree=tree, note=signed)
        return Made(made, new=True)

    def _why(self, conn: Transaction, last: Stored | None, size: int) -> str | None:
        """Why a checkpoint is to be made now; None if it is not."""
        done = last.size if last else 0
        if size <= done:
            return None
        if checkpoints.season_closed(conn, max(done, self._seen)):
            return SEASON
        self._seen = size
        every = timedelta(hours=self._settings.audit.checkpoint_hours)
        due = every and (last is None or self._clock() - last.at >= every)
        return DUE if due else None

    def _grown(self, conn: Transaction, last: Stored | None, size: int) -> Frontier:
        """The tree of the log at this size. Raises LogRewritten if one that was signed before is not on its way."""
        keys = checkpoint_keys.verifying(self._settings)
        signed = self._signed(keys)
        tree = Frontier()
        if last is not None:
            if (wrong := fault(last, keys)) is None:
                tree = last.tree
            elif isinstance(wrong, NotSigned):  # by a key that nobody knows here any more; then the log itself has to lead there
                signed[last.size] = last.root
            else:
                raise LogRewritten(f"the newest checkpoint, of {last.size} events, was changed: {wrong}")
        longest = max(tree.size, *signed) if signed else tree.size
        if longest > size:
            raise LogRewritten(f"there is a signed checkpoint of {longest} events, and the log has only {size}: history was lost")
        for known in sorted({*(each for each in signed if each >= tree.size), size}):
            tree = tree.extend(map(leaf, checkpoints.hashes(conn, tree.size, known)))
            if signed.get(known, tree.root()) != tree.root():
                raise LogRewritten(f"the first {known} events are not the ones any more that were signed")
        return tree

    def _signed(self, keys: list[VerificationKey]) -> dict[int, bytes]:
        """The roots that lie published with a signature that counts, by size."""
        found: dict[int, bytes] = {}
        for file in publishing.listed(self._settings.audit.publish) if self._settings.audit.publish else ():
            try:
                said = checkpoint.verify(publishing.read(file.path), keys, self._settings.origin)
            except ProofError:
                continue  # nothing that we have said; `audit verify` looks at all of them
            found[said.size] = said.root
        return found

    def _publish_missing(self) -> None:
        """Write what is not there: the process that made a checkpoint may have died before it wrote the file."""
        if self._settings.audit.publish:
            there = {file.size for file in publishing.listed(self._settings.audit.publish)}
            with self._db.read() as conn:
                self._publish([each for each in checkpoints.every(conn) if each.size not in there])

    def _publish(self, made: list[Stored]) -> None:
        if self._settings.audit.publish and made:
            publishing.write(self._settings.audit.publish, [(each.size, each.note) for each in made])


def fault(stored: Stored, keys: Iterable[VerificationKey]) -> ProofError | None:
    """What is wrong with a stored checkpoint; None if it is as one of the keys has signed it."""
    try:
        said = checkpoint.verify(stored.note, keys)
    except ProofError as error:
        return error
    full = len(stored.tree.hashes) == stored.size.bit_count()
    if not full or said[1:] != (stored.size, stored.root) or stored.tree.root() != stored.root:
        return NotProved("What stands beside the signed note is not what the note says.")
    return None


def _signed_by_all(last: Stored, keys: list[SigningKey], origin: str) -> bool:
    """Whether each of the keys has signed this checkpoint of the log."""
    wanted = {key.verification_key() for key in keys}
    try:
        read = note.verify(last.note, wanted)
    except ProofError:
        return False
    return set(read.signers) == wanted and checkpoint.parse(read.text) == Checkpoint(origin, last.size, last.root)
