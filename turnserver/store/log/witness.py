"""Looking for events by the first digits of their hashes, in one pass over the whole log that works every hash out anew."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from turnserver.ids import Position
from turnserver.proof.merkle import Frontier, leaf
from turnserver.store.log import checkpoints
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Transaction

_EMPTY: Final = Frontier(0, ())
NEAR: Final = 5
"""How many events are named whose hash is nearly what was looked for."""


class Looked(NamedTuple):
    """What a pass over the log has shown.

    `found` are the positions for each of the digests, `near` those whose hash differs from it in one digit. The log has so many `events`,
    and their tree this `root`; `holds` says whether it grew out of that of the newest `checkpoint`. `unfit` are the positions of events
    whose hash is not that of their row.
    """

    found: Mapping[str, Sequence[Position]]
    near: Mapping[str, Sequence[Position]]
    events: int
    root: bytes
    checkpoint: Stored | None
    holds: bool
    unfit: frozenset[Position]


def look(conn: Transaction, digests: Sequence[str]) -> Looked:
    """Look for the events whose hashes begin with these, in small hexadecimal digits. Raises LogRewritten if a position is missing."""
    found: dict[str, list[Position]] = {digest: [] for digest in digests}
    near: dict[str, list[Position]] = {digest: [] for digest in digests}
    checkpoint, tree, unfit, holds = checkpoints.last(conn), _EMPTY, set[Position](), False
    for one in checkpoints.leaves(conn):
        tree = tree.append(leaf(one.hash))
        if not one.fits:
            unfit.add(one.position)
        if checkpoint is not None and checkpoint.size == tree.size:
            holds = tree.root() == checkpoint.root
        text = one.hash.hex()
        for digest in digests:
            if text.startswith(digest):
                found[digest].append(one.position)
            elif len(near[digest]) < NEAR and _is_near(text, digest):
                near[digest].append(one.position)
    return Looked(found, near, tree.size, tree.root(), checkpoint, holds, frozenset(unfit))


def _is_near(text: str, digest: str) -> bool:
    """Whether one digit differs. One half is the same then, and that is asked first, since it costs little."""
    size, half = len(digest), len(digest) // 2
    alike = text.startswith(digest[:half]) or text[half:size] == digest[half:]
    return alike and sum(one != other for one, other in zip(text, digest, strict=False)) == 1
