"""A cache of games, or of leagues, as folded from their events."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Fold = TypeVar("Fold")


class FoldCache(Generic[Key, Fold]):
    """A cache of the folds looked at last. Threads may share it: a cached fold was true once, and at worst is not the newest."""

    def __init__(self, most: int, size: Callable[[Fold], int] = lambda _: 1) -> None:
        """Keep folds of no more than `most` in all, each of which counts as its `size`."""
        self._folds: OrderedDict[Key, Fold] = OrderedDict()
        self._total = 0
        self._most = most
        self._size = size
        self._lock = Lock()

    def get(self, key: Key) -> Fold | None:
        """Return a cached fold, or None. It then counts as the one looked at last."""
        with self._lock:
            fold = self._folds.get(key)
            if fold is not None:
                self._folds.move_to_end(key)
            return fold

    def put(self, key: Key, fold: Fold) -> None:
        """Cache a fold, and evict those beyond the limit that were not looked at for the longest time."""
        with self._lock:
            before = self._folds.pop(key, None)
            self._folds[key] = fold
            self._total += self._size(fold) - (self._size(before) if before is not None else 0)
            while self._total > self._most:
                _, dropped = self._folds.popitem(last=False)
                self._total -= self._size(dropped)
