"""Checkpoints of the log: made when they are due, when a season ends and on demand, each growing out of the one before.

A log must never sign two checkpoints that contradict each other. So a new one extends the tree of the last one, if we signed that, and must
agree with all published ones. If the log contradicts them, nothing is signed any more.
The row in the table is what counts: its number admits one process, and files are written from it as often as necessary.
"""

import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from turnserver import files
from turnserver.config import Settings
from turnserver.errors import AlreadyHandled, ConfigError, LogError, LogRewritten, MalformedProof, NotProved, NotSigned, ProofError
from turnserver.outside import Clock
from turnserver.proof import checkpoint, note
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import Frontier, leaf
from turnserver.proof.note import SigningKey, VerificationKey, verification_key
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Database, Transaction

_NAME = re.compile(r"(0|[1-9][0-9]{0,18})\.checkpoint")


class Published(NamedTuple):
    """A file and the size that its name tells."""

    path: Path
    size: int


def name(size: int) -> str:
    """Return the file name of the checkpoint of this size."""
    return f"{size}.checkpoint"


def listed(directory: str) -> list[Published]:
    """Return the checkpoints in the directory by size; none if there is no directory. Raises ConfigError if it cannot be read."""
    try:
        found = [(path, _NAME.fullmatch(path.name)) for path in Path(directory).iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(f"The directory {directory} of audit.publish cannot be read: {error.strerror}.") from error
    return sorted((Published(path, int(named[1])) for path, named in found if named), key=lambda each: each.size)


def read(path: Path) -> str:
    """Return the text of a file that holds a note or a proof. Raises MalformedProof, naming it, if it cannot be one."""
    try:
        return files.read(path).decode()
    except OSError as error:
        raise MalformedProof(f"The file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise MalformedProof(f"The file {path} is not UTF-8 text.") from error


def write(directory: str, notes: Iterable[tuple[int, str]]) -> None:
    """Write checkpoints by their sizes, each of them whole or not at all; one of the same size is replaced. Raises ConfigError."""
    try:
        Path(directory).mkdir(exist_ok=True)
        for size, note in notes:
            _replace(Path(directory, name(size)), note.encode())
    except OSError as error:
        raise ConfigError(f"The directory {directory} of audit.publish cannot be written to: {error.strerror}.") from error


def _replace(path: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            # The temporary file is private, and checkpoints are for everybody.
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        # Readers see the old file or the new one, and never a part of one.
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    files.settle(path.parent)


def signing(settings: Settings) -> list[SigningKey]:
    """Return the keys of the settings, each named after the log. Raises ConfigError for one that cannot be used."""
    return [SigningKey(settings.origin, read_key(path)) for path in settings.audit.key_files]


def verifying(settings: Settings) -> list[VerificationKey]:
    """Return every key whose signatures count: those that sign, as far as they are there, and those that did. Raises ConfigError."""
    there = [SigningKey(settings.origin, read_key(path)) for path in settings.audit.key_files if path.exists()]
    return [*(key.verification_key() for key in there), *map(verification_key, settings.audit.verification_keys)]


def require_known(last: Stored | None, settings: Settings) -> None:
    """Raise ConfigError if no key of the settings has signed the newest checkpoint: another key would then begin to sign beside its own."""
    wrong = fault(last, verifying(settings)) if last is not None else None
    if isinstance(wrong, NotSigned):
        raise ConfigError(
            f"Nothing more is signed here. {wrong} Copy its file to the place that audit.key_files names, "
            "or put its verification key into audit.verification_keys. If both are lost: `turnserver audit checkpoint add --lost-key`."
        )


def read_key(path: Path) -> Ed25519PrivateKey:
    """Return the private key in a PEM file. Raises ConfigError, naming the file, if there is none for Ed25519."""
    where = f"audit.key_files: {path}"
    try:
        key = load_pem_private_key(files.read(path), password=None)
    except FileNotFoundError as error:
        raise ConfigError(f"{where} is missing. `turnserver init` makes it; until then there are no checkpoints.") from error
    except OSError as error:
        raise ConfigError(f"{where} cannot be read: {error.strerror}. There are no checkpoints without it.") from error
    except TypeError as error:
        raise ConfigError(f"{where} is protected by a password, and nobody is there to type it in.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(f"{where} has no private key in PEM form; `turnserver audit key add` makes one.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(f"{where} is not an Ed25519 key, and only those sign checkpoints.")
    return key


def make(path: Path) -> None:
    """Write a new key to a file that was not there, and that nobody else may read. Raises OSError; FileExistsError if it was there."""
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    files.write_new(path, pem)


def make_missing(settings: Settings, last: Stored | None) -> list[Path]:
    """Make every key of the settings that is missing, and return the files.

    Raises ConfigError for a key that cannot be written, and makes none if an unknown one has signed the `last` checkpoint.
    """
    made: list[Path] = []
    if not all(path.exists() for path in settings.audit.key_files):
        require_known(last, settings)
    for path in settings.audit.key_files:
        try:
            if not path.exists():
                make(path)
                made.append(path)
        except FileExistsError:
            continue  # another process was first
        except OSError as error:
            raise ConfigError(
                f"The key for checkpoints, {path}, cannot be written: {error.strerror}. "
                "Name a place in audit.key_files that the service may write to, and run `turnserver init` again."
            ) from error
    return made


logger = logging.getLogger(__name__)

ASKED, DUE, SEASON = "asked", "due", "season"
"""The reason for a checkpoint: somebody asked for it, the last one was old, a season had ended."""


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

    def make(self, why: str = ASKED, *, lost_key: bool = False) -> Made:
        """Make and return a checkpoint of the log as it is now, or return the last one if it says the same with the signatures of all keys.

        Raises ConfigError if there is no key or, but for a `lost_key`, if none that is known here has signed the last one. Raises
        LogRewritten if the log has changed since it was last signed.
        """
        while True:
            try:
                made = self._make(lambda _conn, _last, _size: why, lost_key=lost_key)
            # Another process was faster. The next look finds the checkpoint that it made.
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
            # Files are looked for after each checkpoint, and not at every sweep.
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

    def _make(self, why: Callable[[Transaction, Stored | None, int], str | None], *, lost_key: bool = False) -> Made | None:
        """Make one if `why` gives a reason. Raises AlreadyHandled if another process has made one meanwhile."""
        with self._db.read() as conn:
            last, size = checkpoints.last(conn), log.last_position(conn)
            reason = why(conn, last, size)
            if reason is None:
                return None
            if not lost_key:
                require_known(last, self._settings)
            keys = signing(self._settings)
            if not keys:
                raise ConfigError("The setting audit.key_files names no key, so there are no checkpoints.")
            tree = self._grown(conn, last, size)
            if last is not None and last.size == size and _signed_by_all(last, keys, self._settings.origin):
                return Made(last, new=False)
        signed = checkpoint.sign(Checkpoint(self._settings.origin, size, tree.root()), keys)
        # All hashing is done by now. The number of the row admits one of several processes that got this far.
        with self._db.write() as tx:
            made = checkpoints.add(tx, last, at=self._clock(), reason=reason, tree=tree, note=signed)
        return Made(made, new=True)

    def _why(self, conn: Transaction, last: Stored | None, size: int) -> str | None:
        """Return why a checkpoint is to be made now; None if it is not."""
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
        """Return the tree of the log at this size. Raises LogRewritten if one that was signed before is not on its way."""
        keys = verifying(self._settings)
        signed = self._signed(keys)
        tree = Frontier()
        if last is not None:
            if (wrong := fault(last, keys)) is None:
                tree = last.tree
            elif isinstance(wrong, NotSigned):  # by a key that was lost; then the log itself has to lead there
                signed[last.size] = last.root
            else:
                raise LogRewritten(f"the newest checkpoint, of {last.size} events, was changed: {wrong}")
        longest = max(tree.size, *signed) if signed else tree.size
        if longest > size:
            raise LogRewritten(f"there is a signed checkpoint of {longest} events, and the log has only {size}: history was lost")
        # All signed sizes are compared in one pass over the hashes.
        for known in sorted({*(each for each in signed if each >= tree.size), size}):
            tree = tree.extend(map(leaf, checkpoints.hashes(conn, tree.size, known)))
            if signed.get(known, tree.root()) != tree.root():
                raise LogRewritten(f"the first {known} events are not the ones any more that were signed")
        return tree

    def _signed(self, keys: list[VerificationKey]) -> dict[int, bytes]:
        found: dict[int, bytes] = {}
        for file in listed(self._settings.audit.publish) if self._settings.audit.publish else ():
            try:
                said = checkpoint.verify(read(file.path), keys, self._settings.origin)
            except ProofError:
                continue  # nothing that we have said; `audit verify` looks at all of them
            found[said.size] = said.root
        return found

    def _publish_missing(self) -> None:
        # The process that made a checkpoint may have died before it wrote the file.
        if self._settings.audit.publish:
            there = {file.size for file in listed(self._settings.audit.publish)}
            with self._db.read() as conn:
                self._publish([each for each in checkpoints.every(conn) if each.size not in there])

    def _publish(self, made: list[Stored]) -> None:
        if self._settings.audit.publish and made:
            write(self._settings.audit.publish, [(each.size, each.note) for each in made])


def fault(stored: Stored, keys: Iterable[VerificationKey]) -> ProofError | None:
    """Return the fault of a stored checkpoint; None if it is as one of the keys has signed it."""
    try:
        said = checkpoint.verify(stored.note, keys)
    except ProofError as error:
        return error
    # A tree of this size has one kept subtree for each bit that is set.
    full = len(stored.tree.hashes) == stored.size.bit_count()
    if not full or said[1:] != (stored.size, stored.root) or stored.tree.root() != stored.root:
        return NotProved("What stands beside the signed note is not what the note says.")
    return None


def _signed_by_all(last: Stored, keys: list[SigningKey], origin: str) -> bool:
    wanted = {key.verification_key() for key in keys}
    try:
        read = note.verify(last.note, wanted)
    except ProofError:
        return False
    return set(read.signers) == wanted and checkpoint.parse(read.text) == Checkpoint(origin, last.size, last.root)
