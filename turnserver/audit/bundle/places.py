"""Whether the events of a bundle lie in the tree that its checkpoint states, each at its own place."""

from collections.abc import Iterator
from typing import IO, Final

import msgspec

from turnserver.audit.bundle.findings import Subject, Tally
from turnserver.audit.bundle.streams import wrong_with
from turnserver.errors import NoBundle
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import HASH_BYTES, Frontier, included, leaf
from turnserver.store.log import manifest
from turnserver.store.log.history import Row
from turnserver.store.log.manifest import Proof

_PAGE: Final = 1000

_read_proof = msgspec.json.Decoder(Proof).decode
_write_proof = msgspec.json.Encoder().encode


class Paths:
    """The places of events by the paths that lead from them to the root."""

    def __init__(self, tree: Checkpoint, lines: Iterator[bytes], tally: Tally) -> None:
        self._tree, self._lines, self._tally = tree, lines, tally

    def take(self, row: Row) -> None:
        """Check the place of an event. Raises NoBundle for a line that is no proof."""
        line = next(self._lines, b"")
        try:
            proof = _read_proof(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise NoBundle(f"{manifest.PROOFS} has no proof for position {row.position}: {error}") from error
        self._tally.checked[Subject.INCLUSION] += 1
        data, index = bytes.fromhex(row.hash), row.position - 1
        exact = proof.position == row.position and _write_proof(proof) + b"\n" == line
        if not exact or not included(data, index, self._tree.size, proof.path, self._tree.root):
            problem = "its path does not lead to the root that the checkpoint states"
            self._tally.add([wrong_with(row, Subject.INCLUSION, problem)])

    def finish(self) -> None:
        """Check that there is no proof too many."""
        if next(self._lines, None) is not None:
            self._tally.object(Subject.INCLUSION, f"{manifest.PROOFS} has more lines than there are events")


class Whole:
    """The places of all events there are. Their hashes are kept in a file, since they don't come in the order of their positions."""

    def __init__(self, events: int, tree: Checkpoint | None, older: bool, leaves: IO[bytes], tally: Tally) -> None:  # noqa: FBT001  # whether the checkpoint may be of fewer events
        self._events, self._tree, self._older, self._leaves, self._tally = events, tree, older, leaves, tally

    def take(self, row: Row) -> None:
        """Note the place of an event, unless another one has it."""
        if not 1 <= row.position <= self._events:
            self._tally.add([wrong_with(row, Subject.STREAMS, f"positions should run from 1 to {self._events}")])
            return
        self._leaves.seek(HASH_BYTES * (row.position - 1))
        if any(self._leaves.read(HASH_BYTES)):
            self._tally.add([wrong_with(row, Subject.STREAMS, f"position {row.position} is taken twice")])
        self._leaves.seek(HASH_BYTES * (row.position - 1))
        self._leaves.write(bytes.fromhex(row.hash))

    def finish(self) -> None:
        """Check that no place is empty and that the events come to the root of the checkpoint."""
        size = self._tree.size if self._tree is not None else self._events
        if size > self._events or (size < self._events and not self._older):
            self._tally.object(Subject.CHECKPOINT, f"it states a log of {size} events, and there are {self._events}")
        tree = Frontier()
        for first in range(0, self._events, _PAGE):
            page = self._page(first)
            if tree.size < size:
                tree = tree.extend(map(leaf, page[: size - tree.size]))
        if self._tree is not None:
            self._tally.checked[Subject.INCLUSION] = tree.size
            if (tree.size, tree.root()) != (size, self._tree.root):
                self._tally.object(Subject.INCLUSION, "the events do not come to the root that the checkpoint states")

    def _page(self, first: int) -> list[bytes]:
        """The hashes from an index on; what is missing is told."""
        self._leaves.seek(HASH_BYTES * first)
        count = min(_PAGE, self._events - first)
        held = self._leaves.read(HASH_BYTES * count).ljust(HASH_BYTES * count, b"\0")
        found = [held[at : at + HASH_BYTES] for at in range(0, len(held), HASH_BYTES)]
        for at, data in enumerate(found, start=first + 1):
            if not any(data):
                self._tally.object(Subject.STREAMS, f"no event stands at position {at}", at)
        return found
