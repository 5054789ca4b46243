"""Proofs of inclusion that verify offline (c2sp.org/tlog-proof@v1): index, path and checkpoint in one text, kept as `*.tlog-proof`."""

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from turnserver.errors import MalformedProof, NotProved
from turnserver.proof import checkpoint
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import HASH_BYTES, included
from turnserver.proof.note import VerificationKey, decoded

_FIRST = "c2sp.org/tlog-proof@v1"
_EXTRA = "extra "
_INDEX = "index "
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class TlogProof:
    """A statement that the leaf at `index`, counted from 0, is in the tree of the `checkpoint`, a signed note.

    `path` holds the hashes from leaf to root. Nothing proves `extra`.
    """

    index: int
    path: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __str__(self) -> str:
        """Return the text to keep; `parse` reads it."""
        extra = [] if self.extra is None else [_EXTRA + b64encode(self.extra).decode()]
        hashes = [b64encode(each).decode() for each in self.path]
        return "\n".join([_FIRST, *extra, f"{_INDEX}{self.index}", *hashes, "", self.checkpoint])


def parse(text: str) -> TlogProof:
    """Return the proof in a text. Raise MalformedProof for any other text. `verify` checks the checkpoint."""
    above, gap, note = text.partition("\n\n")
    first, *lines = above.split("\n")
    if first != _FIRST or not gap:
        raise MalformedProof(f"This is not a proof of inclusion: it does not begin with {_FIRST}, or has no checkpoint.")
    extra = decoded(lines.pop(0).removeprefix(_EXTRA)) if lines and lines[0].startswith(_EXTRA) else None
    if not lines or not lines[0].startswith(_INDEX):
        raise MalformedProof("A proof of inclusion says which index the leaf has; this one does not.")
    index = checkpoint.number(lines[0].removeprefix(_INDEX))
    path = tuple(decoded(line) for line in lines[1:])
    if len(path) > _LONGEST or any(len(each) != HASH_BYTES for each in path):
        raise MalformedProof("The path of this proof is not made of hashes, or longer than that of any tree.")
    return TlogProof(index, path, note, extra)


def verify(proof: TlogProof, data: bytes, keys: Iterable[VerificationKey], origin: str | None = None) -> Checkpoint:
    """Return the checkpoint, if the proof shows that a leaf with this data stands in its tree.

    Raise MalformedProof, NotSigned or WrongSignature for its checkpoint, NotProved if the path does not lead from the leaf to its root.
    """
    tree = checkpoint.verify(proof.checkpoint, keys, origin)
    if not included(data, proof.index, tree.size, proof.path, tree.root):
        raise NotProved(f"This does not prove that {data.hex()} stands at index {proof.index} of the log of {tree.size}.")
    return tree
