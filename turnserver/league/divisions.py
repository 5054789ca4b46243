"""Divisions: the tier of each player next season, and the reason.

Tiers are numbered from 1 at the top; each has one division or several side by side. At each boundary some players go up and as many go
down. A player who leaves and would have had to go down counts as one of those. Free places are filled from the tier below, best first; if
nobody is left there, with players who would have to go down. An admin's word comes before all that. So every tier but the last keeps its
size as long as there are players. The last takes all who remain, in as many divisions as it needs.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId


class Why(StrEnum):
    """Why a player is in a tier."""

    STAYS = "stays"
    PROMOTED = "promoted"
    RELEGATED = "relegated"
    MOVES_UP = "moves up into a free place"
    KEEPS = "keeps his place, which nobody could take"
    MAKES_ROOM = "makes room"
    """The player would have stayed or gone up, but an admin has put somebody there, or the tier has become smaller."""
    BY_ADMIN = "by an admin"
    NEW = "new"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier of `divisions` side by side with `size` players each. `moves` players go down, and as many of the next tier come up.

    There is no second division before each has `least` players.
    """

    size: int
    divisions: int = 1
    moves: int = 0
    least: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError for a tier without players, and for more moves than players."""
        if self.size < 1 or self.divisions < 1 or not 0 <= self.moves <= self.room:
            raise ValueError("a tier has a division and a player at least, and no more moves than players")

    @property
    def room(self) -> int:
        """The number of players in the tier."""
        return self.size * self.divisions


_Placed: TypeAlias = "tuple[PlayerId, Why]"


class TierDivision(NamedTuple):
    """A division of a tier, both counted from 1."""

    tier: int
    division: int


class TierMove(NamedTuple):
    """A player's place before and after the move, None for no place, and the reason."""

    player: PlayerId
    before: TierDivision | None
    after: TierDivision | None
    why: Why


NOBODY: Final[Mapping[PlayerId, int]] = MappingProxyType({})
NO_MERIT: Final[Mapping[PlayerId, Fraction]] = MappingProxyType({})


def next_season(
    tiers: Sequence[Tier],
    tables: Mapping[TierDivision, Sequence[PlayerId]],
    *,
    new: Sequence[PlayerId] = (),
    leaving: AbstractSet[PlayerId] = frozenset(),
    by_admin: Mapping[PlayerId, int] = NOBODY,
    merit: Mapping[PlayerId, Fraction] = NO_MERIT,
) -> tuple[TierMove, ...]:
    """Return everybody's move: the next season's divisions from the top, and at the end the players who leave.

    `tables` are the final orders of the season, empty before the first; `new` players are in order of strength. `by_admin` puts players in
    tiers, before everything else; others make room, the last promoted first. Players of divisions side by side are compared by place, then
    by `merit`, such as the share of points, then by division. A tier's players are dealt to its divisions back and forth, those from above
    first, so that none is much stronger. Raises ValueError for a tier that does not exist, and for a player twice.
    """
    everybody = [player for table in tables.values() for player in table] + list(new)
    if len(set(everybody)) != len(everybody):
        raise ValueError("a player is in two divisions, or new though already in one")
    if not {seat.tier for seat in tables} | set(by_admin.values()) <= set(range(1, len(tiers) + 1)):
        raise ValueError(f"the tiers are 1 to {len(tiers)}")
    before = {player: seat for seat, table in tables.items() for player in table}
    ranked = [_ranked(tables, number + 1, merit) for number in range(len(tiers))]
    # an admin may have named players who are not in the season, or leave it
    counted = {player: tier for player, tier in by_admin.items() if player in everybody and player not in leaving}
    moves = list[TierMove]()
    for at, members in enumerate(_Placing(tiers, ranked, new, leaving, counted).placed()):
        divisions = _divisions(tiers[at], len(members), is_last=at == len(tiers) - 1)
        dealt = sorted(_dealt(members, divisions), key=lambda one: one[1])
        moves += (TierMove(player, before.get(player), TierDivision(at + 1, division), why) for player, division, why in dealt)
    return (*moves, *(TierMove(player, before.get(player), None, Why.LEAVES) for player in everybody if player in leaving))


def _ranked(tables: Mapping[TierDivision, Sequence[PlayerId]], tier: int, merit: Mapping[PlayerId, Fraction]) -> list[PlayerId]:
    lines = [
        (place, -merit.get(player, Fraction(0)), seat.division, player)
        for seat, table in tables.items()
        if seat.tier == tier
        for place, player in enumerate(table)
    ]
    return [player for *_, player in sorted(lines)]


class _Placing:
    """The tiers while they are filled from the top.

    `waiting` are the players of each tier who have no place yet, best first, and at the end the new ones. `fallen` are players who have to
    go on below, with the reason. `held` are players who would have gone up.
    """

    def __init__(
        self,
        tiers: Sequence[Tier],
        ranked: Sequence[Sequence[PlayerId]],
        new: Sequence[PlayerId],
        leaving: AbstractSet[PlayerId],
        by_admin: Mapping[PlayerId, int],
    ) -> None:
        self.tiers, self.by_admin = tiers, by_admin
        self.waiting = [[player for player in members if player not in leaving | by_admin.keys()] for members in (*ranked, new)]
        # the last of each table's order, whether or not they leave: a player who leaves from there has gone down
        self.zones = [frozenset(members[max(len(members) - tier.moves, 0) :]) for tier, members in zip(tiers, ranked, strict=True)]
        self.fallen = list[_Placed]()
        self.held = set[PlayerId]()

    def placed(self) -> list[list[_Placed]]:
        """Return the players of each tier: first those whom an admin has put there, then from above, those who stay, and from below."""
        return [*(self._tier(at) for at in range(len(self.tiers) - 1)), self._last()]

    def _tier(self, at: int) -> list[_Placed]:
        by_admin = self._by_admin(at)
        room = max(self.tiers[at].room - len(by_admin), 0)
        have = [*self.fallen, *((one, self._stays(one)) for one in self.waiting[at] if one not in self.zones[at])]
        # the last of `waiting` are the new players, whom nobody promotes
        below = self.waiting[at + 1] if at + 2 < len(self.waiting) else []
        up = [(one, Why.PROMOTED) for one in below[: self.tiers[at].moves]]
        down = [(one, Why.RELEGATED) for one in self.waiting[at] if one in self.zones[at]]
        # players from above and those who stay come before those who are promoted
        chosen = [*have, *up][:room]
        self.held.update(one for one, _ in up if one not in dict(chosen))
        # places that are still free
        chosen += [*self._spare(at, down, dict(up))][: room - len(chosen)]
        taken = dict(chosen)
        self.fallen = [*((one, Why.MAKES_ROOM) for one, _ in have[room:]), *(fallen for fallen in down if fallen[0] not in taken)]
        self.waiting[at].clear()
        self.waiting = [[one for one in members if one not in taken] for members in self.waiting]
        return [*by_admin, *chosen]

    def _last(self) -> list[_Placed]:
        at = len(self.tiers) - 1
        have = [*self.fallen, *((one, self._stays(one)) for one in self.waiting[at])]
        return [*self._by_admin(at), *have, *((one, Why.NEW) for one in self.waiting[-1])]

    def _by_admin(self, at: int) -> list[_Placed]:
        return [(one, Why.BY_ADMIN) for one, tier in self.by_admin.items() if tier == at + 1]

    def _stays(self, player: PlayerId) -> Why:
        return Why.MAKES_ROOM if player in self.held else Why.STAYS

    def _spare(self, at: int, down: Sequence[_Placed], up: Mapping[PlayerId, Why]) -> Iterator[_Placed]:
        """Yield the players who may have a free place of tier `at`, the next one first."""
        *lower, new = self.waiting[at + 1 :]
        for distance, members in enumerate(lower):
            yield from ((one, Why.MOVES_UP) for one in members if one not in up)
            # after the tier below, but before those further down
            if distance == 0:
                yield from ((one, Why.KEEPS) for one, _ in down)
        yield from ((one, Why.NEW) for one in new)


def _divisions(tier: Tier, players: int, *, is_last: bool) -> int:
    # as few divisions as have room for all, unless those would be smaller than the least
    needed = max(min(-(-players // tier.size), players // tier.least), 1)
    return needed if is_last else min(needed, tier.divisions)


def _dealt(players: Sequence[_Placed], divisions: int) -> Iterator[tuple[PlayerId, int, Why]]:
    for at, (player, why) in enumerate(players):
        # back and forth: 1 2 3, 3 2 1, 1 2 3
        row, column = divmod(at, divisions)
        yield player, 1 + (divisions - 1 - column if row % 2 else column), why
