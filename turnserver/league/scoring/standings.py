"""The table of a division: who has which place, by which figures, and who still has to be parted from whom.

The order of tie-breaks is fixed before a season begins (C.07, 4.1). They are asked one after another, each only for those whom the ones
before have not parted (4.2).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.scoring.record import Part, Record
from turnserver.league.scoring.sheets import Sheets
from turnserver.league.scoring.tiebreaks import AMONG_TIED, Figure, TieBreak, Tiers, figure, given, head_to_head, split

Given: TypeAlias = Mapping[PlayerId, Fraction]
"""Figures from outside, of lots or playoffs: the higher is the better."""

NOTHING_GIVEN: Final[Given] = MappingProxyType({})


class Standing(NamedTuple):
    """A line of the table: the place, which several may share, and the player's figures: his points, then in the order of tie-breaks.

    There is one figure a tie-break; but none of those tie-breaks that are for players who are tied if he was not, and several for his games
    against those he was tied with if some of them had to be compared again.
    """

    place: int
    player: PlayerId
    figures: tuple[Figure, ...]

    def explain(self, tie_break: TieBreak) -> tuple[Figure, ...]:
        """How the player's figures for a tie-break came about."""
        return tuple(found for found in self.figures if found.tie_break is tie_break)


class Open(NamedTuple):
    """These players share a place until there are playoffs or lots between them; they are tied for it and for those that follow."""

    tie_break: TieBreak
    place: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of a table from the top, and what is open in it. Players whom nothing parts share a place, in the order of the record."""

    standings: tuple[Standing, ...]
    open: tuple[Open, ...]


class Row(NamedTuple):
    """A row of a crosstable: a cell for each row, with the player's games against whoever that row is about, and one for byes."""

    standing: Standing
    cells: tuple[tuple[Part, ...], ...]
    byes: tuple[Part, ...]


def table(sheets: Sheets, order: Sequence[TieBreak], playoffs: Given = NOTHING_GIVEN, lots: Given = NOTHING_GIVEN) -> Table:
    """The table by points and then by an order of tie-breaks.

    If it comes to playoffs or lots and the figure of somebody who is tied is missing, those who are tied stay so, and are `open`. Equal
    figures part nobody: with them, players for whom a playoff is not worth the while go on to the tie-breaks that follow.
    """
    parting = _Parting(sheets, (TieBreak.POINTS, *order), {TieBreak.PLAYOFF: playoffs, TieBreak.LOTS: lots})
    parting.part(sheets.players, 0)
    standings: list[Standing] = []
    unparted: list[Open] = []
    for tier in parting.tiers:
        place = len(standings) + 1
        standings.extend(Standing(place, player, parting.figures(player)) for player in tier)
        unparted.extend(Open(parting.open[player], place, tier) for player in tier[:1] if player in parting.open)
    return Table(tuple(standings), tuple(unparted))


def without(record: Record, players: Collection[PlayerId]) -> Record:
    """The record as if some players had not been there: neither they nor their games are in it.

    For who withdraws before he has played half of his games where pairings are fixed. Where they are not, whoever met him would seem to
    have stayed away.
    """
    return Record(
        [player for player in record.players if player not in players],
        [encounter for encounter in record.encounters if not any(player in players for player in encounter.players)],
    )


def crosstable(record: Record, found: Table) -> tuple[Row, ...]:
    """Everybody against everybody, in the order of the table; a cell has all games of the two, a larger table in each of its cells."""
    rows = []
    for standing in found.standings:
        against: defaultdict[PlayerId, list[Part]] = defaultdict(list)
        parts = record.parts(standing.player)
        for part in parts:
            for opponent in part.opponents:
                against[opponent].append(part)
        cells = tuple(tuple(against[other.player]) for other in found.standings)
        rows.append(Row(standing, cells, tuple(part for part in parts if not part.opponents)))
    return tuple(rows)


def by_round(record: Record, found: Table) -> tuple[tuple[Standing, tuple[tuple[Part, ...], ...]], ...]:
    """The lines of the table, each with a cell a round: what the player had in it, which is nothing if he was not there."""
    rounds = max((encounter.round for encounter in record.encounters), default=0)
    return tuple(
        (
            standing,
            tuple(tuple(part for part in record.parts(standing.player) if part.round == number) for number in range(1, rounds + 1)),
        )
        for standing in found.standings
    )


class _Parting:
    """Players while they are parted: the tiers so far, from the top, the figures, and what those lack who could not be parted."""

    def __init__(self, sheets: Sheets, order: Sequence[TieBreak], outside: Mapping[TieBreak, Given]) -> None:
        self._sheets = sheets
        self._order = order
        self._outside = outside
        self._own = {
            (player, at): figure(sheets, tie_break, player)
            for at, tie_break in enumerate(order)
            if tie_break not in AMONG_TIED
            for player in sheets.players
        }
        self._tied: defaultdict[tuple[PlayerId, int], list[Figure]] = defaultdict(list)
        self.tiers: list[tuple[PlayerId, ...]] = []
        self.open: dict[PlayerId, TieBreak] = {}

    def figures(self, player: PlayerId) -> tuple[Figure, ...]:
        """All figures of a player, in the order of tie-breaks."""
        found = (self._tied[player, at] or [self._own[player, at]] for at in range(len(self._order)) if self._has(player, at))
        return tuple(one for each in found for one in each)

    def part(self, tied: tuple[PlayerId, ...], at: int) -> None:
        """Add the tiers of those who are tied, by the tie-breaks from that index on."""
        if len(tied) < 2 or at == len(self._order):
            self.tiers.extend([tied] if tied else [])
            return
        tiers = self._parted(tied, at)
        if tiers is None:
            self.open |= dict.fromkeys(tied, self._order[at])
            self.tiers.append(tied)
            return
        for tier in tiers:
            self.part(tier, at + 1)

    def _has(self, player: PlayerId, at: int) -> bool:
        return (player, at) in self._own or (player, at) in self._tied

    def _parted(self, tied: tuple[PlayerId, ...], at: int) -> Tiers | None:
        """Those who are tied by one tie-break; None if its figures are not there yet."""
        tie_break = self._order[at]
        if tie_break is TieBreak.HEAD_TO_HEAD:
            tiers, applied = head_to_head(self._sheets, tied)
            for player, found in applied:
                self._tied[player, at].append(found)
            return tiers
        if tie_break not in AMONG_TIED:
            return split(tied, {player: self._own[player, at] for player in tied})
        outside = self._outside[tie_break]
        if any(player not in outside for player in tied):
            return None
        figures = {player: given(tie_break, player, tied, outside[player]) for player in tied}
        for player, found in figures.items():
            self._tied[player, at].append(found)
        return split(tied, figures)
