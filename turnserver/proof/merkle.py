"""Merkle trees as in RFC 6962, section 2.1, over leaves that come in order and are read once.

A root needs memory for one hash in each level of the tree, and k inclusion paths need k times as much. Paths begin beside the leaf and end
below the root. Proofs are verified by the algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2, which describe the same tree.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

HASH_BYTES = 32


def leaf(data: bytes) -> bytes:
    """Return the hash of a leaf that holds `data`."""
    # leaves and nodes begin with different bytes, so that no node can be passed off as a leaf (RFC 6962, 2.1)
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node above two others."""
    return sha256(b"\x01" + left + right).digest()


class Frontier(NamedTuple):
    """The state from which a tree can grow: the roots of its full subtrees from left to right, one for each bit set in `size`."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def append(self, leaf_hash: bytes) -> "Frontier":
        """Return the tree with one more leaf."""
        return self.extend([leaf_hash])

    def extend(self, leaf_hashes: Iterable[bytes]) -> "Frontier":
        """Return the tree with these leaves added, each given by its hash."""
        size, hashes = self.size, list(self.hashes)
        for each in leaf_hashes:
            size += 1
            right, twins = each, size
            # each zero at the end of the new size is a full subtree that has found its right half
            while not twins & 1:
                right = sha256(b"\x01" + hashes.pop() + right).digest()
                twins >>= 1
            hashes.append(right)
        return Frontier(size, tuple(hashes))

    def root(self) -> bytes:
        """Return the root of the tree. The root of an empty tree is the SHA-256 of nothing."""
        if not self.hashes:
            return sha256(b"").digest()
        *others, root = self.hashes
        for left in reversed(others):
            root = node(left, root)
        return root


def root(leaves: Iterable[bytes]) -> bytes:
    """Return the root of the tree over the data of its leaves."""
    return Frontier().extend(map(leaf, leaves)).root()


class Inclusions(NamedTuple):
    """The size and root of a tree, and the path of each leaf that was asked for. A path proves that the leaf stands at that index."""

    size: int
    root: bytes
    paths: dict[int, tuple[bytes, ...]]


def inclusions(indices: Iterable[int], leaves: Iterable[bytes]) -> Inclusions:
    """Return the paths of the leaves at `indices`, counted from 0, in the tree over all `leaves`, which are data.

    Raise ValueError if the tree has no leaf at one of them.
    """
    paths: dict[int, list[bytes]] = {index: [] for index in indices}
    tree = _Tree()
    for index, data in enumerate(leaves):
        tree.grow(leaf(data), [paths[index]] if index in paths else [])
    beyond = [index for index in paths if not 0 <= index < tree.size]
    if beyond:
        raise ValueError(f"a tree of {tree.size} leaves has none at {beyond[0]}")
    return Inclusions(tree.size, tree.close(), {index: tuple(path) for index, path in paths.items()})


def consistency(old: int, leaves: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the proof that the tree over the first `old` leaves grew into the tree over all of them. `leaves` are data.

    The proof is empty if the old tree was empty or has not grown. Raise ValueError if there are fewer leaves than `old`.
    """
    tree = _Tree()
    path: list[bytes] = []
    for data in leaves:
        tree.grow(leaf(data), [])
        if tree.size == old:
            path += tree.watch(path)
    if not 0 <= old <= tree.size:
        raise ValueError(f"a tree of {tree.size} leaves never had {old}")
    unchanged = old in (0, tree.size)
    # the rest of the path is written here
    tree.close()
    return () if unchanged else tuple(path)


class _Tree:
    """A tree that grows leaf by leaf, and writes the paths of the watched subtrees while it grows."""

    def __init__(self) -> None:
        self.size = 0
        # the full subtrees and the paths that lead up from inside of each
        self._full: list[tuple[bytes, list[list[bytes]]]] = []

    def grow(self, hashed: bytes, paths: list[list[bytes]]) -> None:
        """Add one leaf. The path from it will be written to each of `paths`."""
        self.size += 1
        grown, twins = (hashed, paths), self.size
        while not twins & 1:
            grown = _joined(self._full.pop(), grown)
            twins >>= 1
        self._full.append(grown)

    def watch(self, path: list[bytes]) -> list[bytes]:
        """Begin to write `path` at the newest full subtree. Return the hash of that subtree unless it is the whole tree."""
        hashed, paths = self._full[-1]
        paths.append(path)
        return [hashed] if len(self._full) > 1 else []

    def close(self) -> bytes:
        """Return the root, and write all paths up to it. The tree cannot grow any more."""
        if not self._full:
            return sha256(b"").digest()
        *others, whole = self._full
        for left in reversed(others):
            whole = _joined(left, whole)
        return whole[0]


def _joined(
    left: tuple[bytes, list[list[bytes]]],
    right: tuple[bytes, list[list[bytes]]],
) -> tuple[bytes, list[list[bytes]]]:
    for path in left[1]:
        path.append(right[0])
    for path in right[1]:
        path.append(left[0])
    return node(left[0], right[0]), left[1] + right[1]


def included(data: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether `path` proves that a leaf with this data stands at `index` in the tree of this size and root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    here, last, hashed = index, size - 1, leaf(data)
    for beside in path:
        if last == 0:
            return False
        if here & 1 or here == last:
            hashed = node(beside, hashed)
            # at the right edge there are levels at which nothing stands beside it
            while not here & 1 and here != 0:
                here, last = here >> 1, last >> 1
        else:
            hashed = node(hashed, beside)
        here, last = here >> 1, last >> 1
    return last == 0 and hashed == root


def consistent(old_size: int, old_root: bytes, new_size: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Return whether `path` proves that the tree with the old root is the beginning of the tree with the new one (RFC 9162, 2.1.4.2).

    Equal sizes need equal roots. The empty tree is the beginning of every other. In both cases the path has to be empty.
    """
    if old_size == new_size:
        return not path and old_root == new_root
    if old_size == 0:
        return not path and new_size > 0 and old_root == sha256(b"").digest()
    if not 0 < old_size < new_size or not path:
        return False
    # if the old size is a power of two, the old tree is a subtree of the new one, and its root is left out of the path
    full = old_size & (old_size - 1) == 0
    first, *rest = (old_root, *path) if full else path
    here, last = old_size - 1, new_size - 1
    while here & 1:
        here, last = here >> 1, last >> 1
    old = new = first
    for beside in rest:
        if last == 0:
            return False
        if here & 1 or here == last:
            old, new = node(beside, old), node(beside, new)
            while not here & 1 and here != 0:
                here, last = here >> 1, last >> 1
        else:
            new = node(new, beside)
        here, last = here >> 1, last >> 1
    return last == 0 and old == old_root and new == new_root
