"""Proofs for people who do not trust the service: that an event stands in a signed checkpoint, and that one checkpoint grew out of another.

The data of a leaf is the hash of an event. A proof of inclusion carries, as its extra data, the very bytes whose SHA-256 that is: so it
shows what happened, and nobody has to ask us for it.
"""

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turnserver.errors import LogRewritten, MalformedProof, NotAllowed, NotFound
from turnserver.ids import Stream, Version
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.growth import Growth
from turnserver.proof.merkle import consistency, consistent, inclusions
from turnserver.proof.tlog_proof import TlogProof
from turnserver.store.log import checkpoints
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Transaction

FIELDS = ("position", "stream", "version", "type", "schema", "at", "actor", "cause", "ordinal", "data")


class Shown(msgspec.Struct, frozen=True):
    """An event as the bytes tell it that its hash is made of."""

    position: Annotated[int, Meta(description="its place in the whole log")]
    stream: Annotated[str, Meta(description="its stream, such as game-17")]
    version: Annotated[int, Meta(description="its place in the stream")]
    type: Annotated[str, Meta(description="what happened, such as game.turn_played")]
    at: Annotated[str, Meta(description="when")]
    actor: Annotated[str, Meta(description="who did it")]
    data: Annotated[str, Meta(description="the event's data, JSON as text")]


def inclusion(conn: Transaction, stream: Stream, version: Version) -> TlogProof:
    """That an event stands in the smallest checkpoint that has it.

    Raises NotFound if there is no such event, NotAllowed if no checkpoint has it yet, LogRewritten if it does not stand there any more.
    """
    found = checkpoints.preimage(conn, stream, version)
    if found is None:
        raise NotFound(f"There is no event {stream} {version}.")
    position, content = found
    stored = checkpoints.covering(conn, position)
    if stored is None:
        raise NotAllowed("not_covered", f"No checkpoint has {stream} {version} yet; `turnserver audit checkpoint new` makes one.")
    tree = inclusions([position - 1], checkpoints.hashes(conn, 0, stored.size))
    leaf = next(checkpoints.hashes(conn, position - 1, position))
    if tree.root != stored.root or sha256(content).digest() != leaf:
        raise LogRewritten(f"the log is not the one any more that the checkpoint of {stored.size} events was made of, so nothing proves it")
    return TlogProof(position - 1, tree.paths[position - 1], stored.note, content)


def growth(conn: Transaction, old: Checkpoint, new: Stored) -> Growth:
    """That the tree of an old checkpoint is the beginning of that of a new one.

    Raises NotAllowed if the old one is larger, LogRewritten if it is not.
    """
    if old.size > new.size:
        raise NotAllowed("not_older", f"The checkpoint of {old.size} events is not older than that of {new.size}.")
    path = consistency(old.size, checkpoints.hashes(conn, 0, new.size))
    if not consistent(old.size, old.root, new.size, new.root, path):
        raise LogRewritten(f"the log of {new.size} events did not grow out of that of {old.size}, so nothing proves that it did")
    return Growth(old.size, path, new.note)


def shown(content: bytes) -> Shown:
    """What the bytes tell that an event's hash is made of. Raises MalformedProof if they are not such bytes."""
    _, _, line = content.partition(b"\n")
    try:
        values: dict[str, Any] = dict(zip(FIELDS, msgspec.json.decode(line), strict=True))
        return msgspec.convert(values, Shown)
    except (msgspec.DecodeError, TypeError, ValueError) as error:
        raise MalformedProof("The extra data of this proof is not the event that was logged.") from error
