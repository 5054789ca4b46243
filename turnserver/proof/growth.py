"""Proofs that a log only grew, as texts: what c2sp.org/tlog-witness has a log send to a witness (the request body of add-checkpoint).

The size of the old tree, the path, an empty line and the checkpoint of the new tree. The old root is not in it: whoever checks has it, from
a checkpoint that he got back then.
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
_LONGEST = 63


@dataclass(frozen=True, slots=True)
class Growth:
    """The tree of `old` leaves is the beginning of that of the `checkpoint`, a signed note."""

    old: int
    path: tuple[bytes, ...]
    checkpoint: str

    def __str__(self) -> str:
        """The text to keep; `parse` reads it."""
        return "\n".join([f"{_OLD}{self.old}", *(b64encode(each).decode() for each in self.path), "", self.checkpoint])


def is_growth(text: str) -> bool:
    """Whether a text means to be such a proof."""
    return text.startswith(_OLD)


def parse(text: str) -> Growth:
    """The proof of a text. Raises MalformedProof; whether the checkpoint is one, `verify` says."""
    above, gap, note = text.partition("\n\n")
    first, *lines = above.split("\n")
    if not first.startswith(_OLD) or not gap:
        raise MalformedProof("This is not a proof of growth: it does not begin with the old size, or has no checkpoint.")
    path = tuple(decoded(line) for line in lines)
    if len(path) > _LONGEST or any(len(each) != HASH_BYTES for each in path):
        raise MalformedProof("The path of this proof is not made of hashes, or longer than that of any tree.")
    return Growth(checkpoint.number(first.removeprefix(_OLD)), path, note)


def verify(proof: Growth, old: Checkpoint, keys: Iterable[VerificationKey]) -> Checkpoint:
    """The checkpoint whose tree is proved to have grown out of the old one, which has been verified.

    Raises MalformedProof, also for the checkpoint of another log, NotSigned or WrongSignature for the new one, NotProved if it does not
    follow on the old one.
    """
    new = checkpoint.verify(proof.checkpoint, keys, old.origin)
    if proof.old != old.size:
        raise NotProved(f"The proof begins at {proof.old} events, and the old checkpoint is of {old.size}.")
    if not consistent(old.size, old.root, new.size, new.root, proof.path):
        raise NotProved(f"This does not prove that the log of {old.size} events is the beginning of that of {new.size}.")
    return new
