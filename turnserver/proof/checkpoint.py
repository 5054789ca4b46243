"""Checkpoints (c2sp.org/tlog-checkpoint): a signed note about a log at some size, in three lines: origin, size, root."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnserver.errors import MalformedProof
from turnserver.proof import note
from turnserver.proof.merkle import HASH_BYTES
from turnserver.proof.note import SigningKey, VerificationKey


class Checkpoint(NamedTuple):
    """A statement that the tree of the log called `origin` has this root at this size."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """Return the text that is signed; `parse` reads it."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def sign(checkpoint: Checkpoint, keys: Sequence[SigningKey]) -> str:
    """Return the checkpoint as a note signed by each of the keys. Raise MalformedProof for an origin that cannot stand in one line."""
    text = str(checkpoint)
    # an origin with a line feed would read as other lines
    if parse(text) != checkpoint:
        raise MalformedProof(f"{checkpoint.origin!r} cannot be the origin of checkpoints.")
    return note.sign(text, keys)


def parse(text: str) -> Checkpoint:
    """Return the checkpoint in a note's text. Lines beyond the third are ignored. Raise MalformedProof if the text is no checkpoint."""
    lines = text.removesuffix("\n").split("\n")
    if not text.endswith("\n") or len(lines) < 3 or not all(lines):
        raise MalformedProof("This is not a checkpoint: the lines origin, size and root.")
    root = note.decoded(lines[2])
    if len(root) != HASH_BYTES:
        raise MalformedProof(f"{lines[2]!r} in a checkpoint is not the root of a tree.")
    return Checkpoint(lines[0], number(lines[1]), root)


def verify(text: str, keys: Iterable[VerificationKey], origin: str | None = None) -> Checkpoint:
    """Return the checkpoint of the log called `origin`, if at least one of the keys has signed it.

    A key speaks for the log that it is named after. Without an `origin`, the checkpoint has to be of such a log. Raise MalformedProof, also
    for the checkpoint of another log, NotSigned or WrongSignature.
    """
    read = note.verify(text, keys)
    found = parse(read.text)
    logs = {key.name for key in read.signers} if origin is None else {origin}
    if found.origin not in logs:
        raise MalformedProof(f"This is a checkpoint of the log {found.origin}, not of {' or '.join(sorted(logs))}.")
    return found


def number(text: str) -> int:
    """Return a number in decimal without leading zeroes.

    Raise MalformedProof for other text, or for 20 digits: no log has more than 2**63 leaves.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 20 and str(int(text)) == text):
        raise MalformedProof(f"{text!r} is not a number.")
    return int(text)
