"""Lots that anybody can check: every draw of a season follows from a secret that was committed to when the season was announced."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from turnserver.ids import PlayerId


class Drawing(Protocol):
    """The source of a league's lots: its secret, or the part of it that is known afterwards."""

    def of(self, season: int) -> str:
        """Return the secret of a season in hexadecimal."""

    def commitment(self, season: int) -> str:
        """Return the commitment to the secret of a season."""

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """Return the players in the order that the lots of a season give them for a purpose."""


@dataclass(frozen=True, slots=True)
class Lots:
    """The lots of a league, from 32 secret bytes.

    Each season has a secret of its own: the SHA-256 of the league's secret and `season N`. The league's secret cannot be found out from it.
    """

    secret: bytes = field(repr=False)

    def of(self, season: int) -> str:
        """Return the secret of a season in hexadecimal. It is told when the season is over."""
        return sha256(self.secret + f"season {season}".encode()).hexdigest()

    def commitment(self, season: int) -> str:
        """Return the commitment, which is told beforehand: the SHA-256 of the bytes of the season's secret."""
        return commitment(self.of(season))

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """Return the players in the order that the lots give them. Each `purpose` has another order."""
        return draw(self.of(season), purpose, players)


def commitment(secret: str) -> str:
    """Return the SHA-256 of the bytes of a season's secret, both in hexadecimal."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def draw(secret: str, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
    """Return the players by the SHA-256 of `SECRET PURPOSE PLAYER`, the least first."""
    # A purpose is part of what is hashed. With another wording `audit verify` would draw other lots than the log has.
    return tuple(sorted(players, key=lambda player: sha256(f"{secret} {purpose} {player}".encode()).digest()))
