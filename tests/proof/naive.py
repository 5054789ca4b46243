"""Trees as the definitions in RFC 6962 read: recursive, over lists that are all there, and slow."""

from collections.abc import Sequence
from hashlib import sha256


def root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = _split(len(leaves))
    return sha256(b"\x01" + root(leaves[:k]) + root(leaves[k:])).digest()


def path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n]) of section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = _split(len(leaves))
    if index < k:
        return [*path(index, leaves[:k]), root(leaves[k:])]
    return [*path(index - k, leaves[k:]), root(leaves[:k])]


def proof(old: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PROOF(m, D[n]) of section 2.1.2."""
    return _subproof(old, leaves, known=True)


def _subproof(old: int, leaves: Sequence[bytes], *, known: bool) -> list[bytes]:
    if old == len(leaves):
        return [] if known else [root(leaves)]
    k = _split(len(leaves))
    if old <= k:
        return [*_subproof(old, leaves[:k], known=known), root(leaves[k:])]
    return [*_subproof(old - k, leaves[k:], known=False), root(leaves[:k])]


def _split(size: int) -> int:
    """The largest power of two below a size."""
    k = 1
    while k * 2 < size:
        k *= 2
    return k
