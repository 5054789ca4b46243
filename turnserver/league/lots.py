"""Lots that anybody can check: what is drawn in a season follows from a secret that was committed to when the season was announced."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from turnserver.envelope import PlayerId


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
        return sha256(bytes.fromhex(self.of(season))).hexdigest()

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """The players in the order that the lots give them; for each `purpose` it is another one."""
        return draw(self.of(season), purpose, players)


def draw(secret: str, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
    """The players by the SHA-256 of `SECRET PURPOSE PLAYER`, the least first."""
    return tuple(sorted(players, key=lambda player: sha256(f"{secret} {purpose} {player}".encode()).digest()))
