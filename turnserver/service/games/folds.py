"""Games as folded from their events, remembered so that a game that is looked at often is not folded again from its beginning."""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from turnserver.ids import GameId
from turnserver.play.chance import Chance, commitment
from turnserver.play.state import GameState


class GameAt(NamedTuple):
    """A game as folded from its events so far, the hash of the last event, and the source of its rolls, or None if it has none."""

    state: GameState
    head: bytes
    chance: Chance | None = None

    @property
    def waits_for_secret(self) -> bool:
        """Return whether the game is not over and the secret that it committed to is missing. The secret may be restored at any time."""
        needed = self.state.commitment if self.state.result is None else None
        return needed is not None and (self.chance is None or commitment(self.chance.secret) != needed)


class Folds:
    """A cache of the games looked at last. Threads may share it: a remembered game was true once, and at worst is not the newest."""

    def __init__(self, most: int) -> None:
        """Remember games of no more than `most` events in all."""
        self._games: OrderedDict[GameId, GameAt] = OrderedDict()
        self._events = 0
        self._most = most
        self._lock = Lock()

    def get(self, game: GameId) -> GameAt | None:
        """Return the remembered fold of a game, or None. The game then counts as the one looked at last."""
        with self._lock:
            at = self._games.get(game)
            if at is not None:
                self._games.move_to_end(game)
            return at

    def remember(self, game: GameId, at: GameAt) -> None:
        """Cache a folded game, and evict those beyond the limit that were not looked at for the longest time."""
        with self._lock:
            before = self._games.pop(game, None)
            self._games[game] = at
            self._events += at.state.version - (before.state.version if before else 0)
            while self._events > self._most:
                _, dropped = self._games.popitem(last=False)
                self._events -= dropped.state.version
