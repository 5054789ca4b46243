"""Proofs that a log only grew, as texts, in the form that a log sends to a witness (c2sp.org/tlog-witness: the body of add-checkpoint).

A proof holds the size of the old tree, the path, an empty line and the checkpoint of the new tree. It does not hold the old root: the
person who checks has it, from an earlier checkpoint.
"""

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from turnserver.errors import MalformedProof, NotProved
from turnserver.proof import checkpoint
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import HASH_BYTES, consistent
from turnserver.proof.note import VerificationKey, decoded

_OLD = "old "
# the specification allows no more hashes (c2sp.org/tlog-witness)
_LONGEST = 63


@dataclass(frozen=True, slots=True)
class Growth:
    """A statement that the tree of `old` leaves is the beginning of the tree of the `checkpoint`, a signed note."""

    old: int
    path: tuple[bytes, ...]
    checkpoint: str

    def __str__(self) -> str:
        """Return the text to keep; `parse` reads it."""
        return "\n".join([f"{_OLD}{self.old}", *(b64encode(each).decode() for each in self.path), "", self.checkpoint])


def is_growth(text: str) -> bool:
    """Return whether a text begins like such a proof."""
    return text.startswith(_OLD)


def parse(text: str) -> Growth:
    """Return the proof in a text. Raise MalformedProof for any other text. `verify` checks the checkpoint."""
    above, gap, note = text.partition("\n\n")
    first, *lines = above.split("\n")
    if not first.startswith(_OLD) or not gap:
        raise MalformedProof("This is not a proof of growth: it does not begin with the old size, or has no checkpoint.")
    path = tuple(decoded(line) for line in lines)
    if len(path) > _LONGEST or any(len(each) != HASH_BYTES for each in path):
        raise MalformedProof("The path of this proof is not made of hashes, or longer than that of any tree.")
    return Growth(checkpoint.number(first.removeprefix(_OLD)), path, note)


def verify(proof: Growth, old: Checkpoint, keys: Iterable[VerificationKey]) -> Checkpoint:
    """Return the new checkpoint, if the proof shows that its tree grew out of the old one. The old one has been verified before.

    Raise MalformedProof, also for the checkpoint of another log, NotSigned or WrongSignature for the new one, NotProved if it does not
    follow on the old one.
    """
    new = checkpoint.verify(proof.checkpoint, keys, old.origin)
    if proof.old != old.size:
        raise NotProved(f"The proof begins at {proof.old} events, and the old checkpoint is of {old.size}.")
    if not consistent(old.size, old.root, new.size, new.root, proof.path):
        raise NotProved(f"This does not prove that the log of {old.size} events is the beginning of that of {new.size}.")
    return new
