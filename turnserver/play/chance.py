"""Chance that no one side can steer and everybody can check.

When a game with chance opens, 32 secret bytes are drawn, and the log gets their SHA-256. Each seat adds entropy on joining. After that all
rolls of the game are fixed, and nobody has chosen them: the drawer of the secret did not know the entropy, and the seats did not know the
secret. When the game has ended the secret is revealed. To work a roll out without this program:

- The *commitment* is the SHA-256 of the secret, in hexadecimal.
- The *key* is the HMAC-SHA256, under the secret, of lines parted by line feeds: `game <number of the game>`, and for each seat in order its
  entropy as it stands in the log, 64 hexadecimal digits, or an empty line for a seat that added none.
- *Draw* n (1, 2, ... through the whole game, turns that were taken back included) begins with the HMAC-SHA256, under the key, of the text
  `draw <n>`, read as an integer of 256 bits, most significant byte first. If it lies below the greatest multiple of `below` that is at most
  2**256, its remainder by `below` is the value. Otherwise it is thrown away, and `draw <n> again 1` is tried in the same way, then
  `draw <n> again 2`, and so on.
- The *outcome*: the steps that chance may take stand side by side in canonical order, each as wide as its weight; the value, counted from
  0, points at one of them. `below` is the sum of the weights.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate, count
from typing import Any, NamedTuple

from turnserver.ids import GameId
from turnserver.play.events import Rolled
from turnserver.rules import Choose, Over, Roll, Rules

SECRET_BYTES = 32

_RANGE = 2**256


@dataclass(frozen=True, slots=True)
class Chance:
    """The source of a game's rolls. `repr` hides the secret, so that it reaches no log line."""

    game: GameId
    secret: bytes = field(repr=False)

    def key(self, entropies: Sequence[str]) -> bytes:
        """Return the key of all rolls of the game; see `key`."""
        return key(self.secret, self.game, entropies)


class Settled(NamedTuple):
    """The rolls that chance decided, the position after them, and the next choice or roll there."""

    rolls: tuple[Rolled, ...]
    position: Any
    next: Choose | Over


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of the secret in hexadecimal, which binds the service to the secret without telling it."""
    return sha256(secret).hexdigest()


def key(secret: bytes, game: GameId, entropies: Sequence[str]) -> bytes:
    """Return the key of all rolls of a game, from its secret, its number, and the entropy of its seats, in seat order."""
    return _hmac(secret, "\n".join((f"game {game}", *entropies)))


def draw(key: bytes, number: int, below: int) -> int:
    """Draw `number` under a key: any of 0, 1, ..., `below` - 1, each exactly as likely as the others. `below` is at most 2**256."""
    # with weights below 2**53 a value is thrown away once in 2**203 draws, so the simplest rule that is exactly fair costs nothing
    usable = _RANGE - _RANGE % below
    texts = (f"draw {number} again {again}" if again else f"draw {number}" for again in count())
    return next(value for text in texts if (value := int.from_bytes(_hmac(key, text), "big")) < usable) % below


def pointed_at(weights: Sequence[int], value: int) -> int:
    """Return the index of the item that `value` points at, when items lie side by side, each as wide as its weight."""
    return next(index for index, end in enumerate(accumulate(weights)) if value < end)


def settle(rules: Rules[Any, Any], position: Any, key: bytes | None, made: int) -> Settled:  # noqa: ANN401  # whatever the rules use
    """Let chance decide until somebody must choose or the game is over; `made` draws were made before.

    `key` is None for a game without chance. Raises ValueError if that game rolls all the same.
    """
    # a roll may be followed by another one, for another seat too
    rolls: list[Rolled] = []
    while isinstance(here := rules.next(position), Roll):
        if key is None:
            raise ValueError("the rules ask for a roll, but the game's entry promises that there is none")
        number, below = made + len(rolls) + 1, sum(here.weights)
        value = draw(key, number, below)
        step = rules.steps(position)[pointed_at(here.weights, value)]
        rolls.append(Rolled(number=number, below=below, value=value, outcome=rules.format(position, step)))
        position = rules.apply(position, step)
    return Settled(tuple(rolls), position, here)


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
