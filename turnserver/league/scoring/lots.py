"""Lots that anybody can check: what is drawn in a season follows from a secret that was committed to when the season was announced."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from turnserver.ids import PlayerId


class Drawing(Protocol):
    """Where the lots of a league come from: its secret, or whatever is known of that afterwards."""

    def of(self, season: int) -> str:
        """The secret of a season in hexadecimal."""

    def commitment(self, season: int) -> str:
        """What is told of that secret beforehand."""

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """The players in the order that the lots of a season give them for a purpose."""


@dataclass(frozen=True, slots=True)
class Lots:
    """Lots of a league, from 32 secret bytes.

    Each season has a secret of its own, of which the league's cannot be found out: the SHA-256 of the league's and `season N`.
    """

    secret: bytes = field(repr=False)

    def of(self, season: int) -> str:
        """The secret of a season in hexadecimal, told when it is over."""
        return sha256(self.secret + f"season {season}".encode()).hexdigest()

    def commitment(self, season: int) -> str:
        """What is told beforehand: the SHA-256 of the bytes of the season's secret."""
        return commitment(self.of(season))

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """The players in the order that the lots give them; for each `purpose` it is another one."""
        return draw(self.of(season), purpose, players)


def commitment(secret: str) -> str:
    """The SHA-256 of the bytes of a season's secret, both in hexadecimal."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def draw(secret: str, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
    """The players by the SHA-256 of `SECRET PURPOSE PLAYER`, the least first."""
    return tuple(sorted(players, key=lambda player: sha256(f"{secret} {purpose} {player}".encode()).digest()))
