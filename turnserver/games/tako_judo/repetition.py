"""Counting how often positions have come up (ruling 6), cheaply, in a value that never changes.

No move of Tako Judo is irreversible, so every position since an octopus was last exhausted has to be kept. They lie in a fixed
number of small heaps: to look one up, or to add one, touches a single heap, and a long game costs hardly more per move than a short one.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

Past: TypeAlias = tuple[tuple[int, ...], ...]

NONE: Final[Past] = ()
"""What stands for the past of a game in which nobody counts."""

FRESH: Final[Past] = ((),) * 61
"""No positions yet. The number of heaps is prime so that keys spread over all of them."""


def key(size: int, *, mover: int, heads: Sequence[int], arms: Sequence[int], bans: Sequence[tuple[int, int] | None]) -> int:
    """A number that two positions with the same octopuses exhausted share if and only if they count as the same."""
    found = mover
    for head, tentacles, ban in zip(heads, arms, bans, strict=True):
        start, end = ban or (0, 0)
        found = (found << size * size | tentacles) << 21 | head << 14 | start << 7 | end
    return found


def count(past: Past, position: int) -> int:
    """How often the position with that key has come up."""
    return past[position % len(past)].count(position)


def add(past: Past, position: int) -> Past:
    """The past with one occurrence more."""
    heap = position % len(past)
    return (*past[:heap], (*past[heap], position), *past[heap + 1 :])
