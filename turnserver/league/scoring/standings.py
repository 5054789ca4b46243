"""The table of a division: places, the figures that decide them, and the players who still have to be parted.

The order of tie-breaks is fixed before a season begins (C.07, 4.1). They are asked one after another, each only for players whom the ones
before have not parted (4.2).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.divisions import TierDivision, TierMove, Why, next_season
from turnserver.league.events import Division, FinalLine, FinalTable
from turnserver.league.formats.knockout import Bracket, Cup, bracket
from turnserver.league.scoring.record import PlayRecord
from turnserver.league.scoring.sheets import Sheets, sheets_of
from turnserver.league.scoring.tiebreaks import AMONG_TIED, Figure, TieBreak, Tiers, figure, given, head_to_head, split
from turnserver.league.settings import CUPS, Format, place_points, scoring, tiers
from turnserver.league.state import LeagueState, Season

Given: TypeAlias = Mapping[PlayerId, Fraction]
"""Figures from outside, of lots or playoffs. The higher is the better."""

NOTHING_GIVEN: Final[Given] = MappingProxyType({})


class Standing(NamedTuple):
    """A line of the table: the place, which several may share, and the player's figures: points, then in the order of tie-breaks.

    There is one figure for each tie-break, with two exceptions. Tie-breaks between tied players give none to a player who was not tied.
    Games between tied players give several if some of them had to be compared again.
    """

    place: int
    player: PlayerId
    figures: tuple[Figure, ...]

    def explain(self, tie_break: TieBreak) -> tuple[Figure, ...]:
        """Return the player's figures for a tie-break, which show how they came about."""
        return tuple(found for found in self.figures if found.tie_break is tie_break)


class Open(NamedTuple):
    """Players who share a place until there are playoffs or lots between them. They are tied for that place and for those that follow."""

    tie_break: TieBreak
    place: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of a table from the top, and its open places. Players whom nothing parts share a place, in the order of the record."""

    standings: tuple[Standing, ...]
    open: tuple[Open, ...]


def table(sheets: Sheets, order: Sequence[TieBreak], playoffs: Given = NOTHING_GIVEN, lots: Given = NOTHING_GIVEN) -> Table:
    """Return the table by points and then by an order of tie-breaks.

    Tied players stay tied and are `open` if a playoff or lots should part them and the figure of one of them is missing. Equal figures part
    nobody: with them, players for whom a playoff is not worth the while go on to the tie-breaks that follow.
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


class _Parting:
    """Players while they are parted: the tiers so far from the top, the figures, and the figures that are missing."""

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
        """Return all figures of a player, in the order of tie-breaks."""
        found = (self._tied[player, at] or [self._own[player, at]] for at in range(len(self._order)) if self._has(player, at))
        return tuple(one for each in found for one in each)

    def part(self, tied: tuple[PlayerId, ...], at: int) -> None:
        """Add the tiers of the tied players, by the tie-breaks from that index on."""
        if len(tied) < 2 or at == len(self._order):
            self.tiers.extend([tied] if tied else [])
            return
        tiers = self._parted(tied, at)
        # the figures of a playoff or of lots are still to come
        if tiers is None:
            self.open |= dict.fromkeys(tied, self._order[at])
            self.tiers.append(tied)
            return
        for tier in tiers:
            self.part(tier, at + 1)

    def _has(self, player: PlayerId, at: int) -> bool:
        return (player, at) in self._own or (player, at) in self._tied

    def _parted(self, tied: tuple[PlayerId, ...], at: int) -> Tiers | None:
        """Return the tied players parted by one tie-break. None if its figures are not there yet."""
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


def record_of(season: Season, division: Division, *, seat_begins: bool = True) -> PlayRecord:
    """Return everything that was paired in a division, also for players who are not in its table any more."""
    return PlayRecord(division.players, [fixture.encounter for fixture in season.of(division)], seat_begins=seat_begins)


def counted(season: Season, division: Division) -> PlayRecord:
    """Return what counts in the table of a division: everything but struck players and their games.

    Players are struck only where pairings are fixed. Elsewhere their opponents would seem to have stayed away.
    """
    players = [line for line in division.players if line not in season.struck]
    return PlayRecord(players, [one.encounter for one in season.of(division) if season.struck.isdisjoint(one.players)])


def starts(division: Division) -> Mapping[PlayerId, Fraction]:
    """Return the points that the players of a division began with."""
    return {player: Fraction(text) for player, text in zip(division.players, division.start, strict=True)}


def _taken(season: Season) -> Mapping[PlayerId, Sequence[Fraction]]:
    return {line: [given.points for given in penalties] for line, penalties in season.penalties.items()}


def sheets(state: LeagueState, season: Season, division: Division) -> Sheets:
    """Return the sheets of a division without the struck players."""
    record, points, places = counted(season, division), scoring(state.settings), place_points(state.settings)
    return sheets_of(record, points, state.settings.pairing, places, starts(division), penalties=_taken(season))


def division_table(state: LeagueState, season: Season, division: Division) -> Table:
    """Return the table of a division as it stands, with its lots and playoffs.

    In a cup, a player who may still win it has place 1, and a player who plays for the third place has place 3. On a ladder, the order
    is the table, and players who have left it share the place behind the last.
    """
    if state.settings.format in CUPS:
        return _by_bracket(state, season, division)
    if state.settings.format is Format.LADDER:
        found = sheets(state, season, division)
        last = len(season.order) + 1
        # players who have left share the place behind the last
        places = [*enumerate(season.order, 1), *((last, player) for player in season.withdrawn)]
        return Table(tuple(Standing(place, player, (figure(found, TieBreak.POINTS, player),)) for place, player in places), ())
    lots = [season.lots.get(division.name, ())]
    playoffs = season.playoffs.get(division.name, ())
    return table(sheets(state, season, division), state.settings.tie_breaks, _given(playoffs), _given(lots))


def bracket_of(state: LeagueState, season: Season, division: Division) -> Bracket:
    """Return the bracket of a division of a cup. Its first player is seeded first."""
    settings = state.settings
    cup = Cup(
        losses=2 if settings.format is Format.DOUBLE_KNOCKOUT else 1,
        third_place=settings.third_place,
        replays=settings.replays,
        drawn=settings.cup_draw,
        third_apart=settings.rules > 1,
    )
    lots = season.cup_lots.get(division.name, {})
    return bracket(record_of(season, division), cup, scoring(settings), withdrawn=season.withdrawn, lots=lots)


def _by_bracket(state: LeagueState, season: Season, division: Division) -> Table:
    places = bracket_of(state, season, division).places
    # place 1 for all who may still win
    best = {player: places[player].best if player in places else 1 for player in division.players}
    found = sheets(state, season, division)
    order = sorted(division.players, key=lambda player: best[player])
    return Table(tuple(Standing(best[player], player, (figure(found, TieBreak.POINTS, player),)) for player in order), ())


def _given(groups: Sequence[Sequence[PlayerId]]) -> Given:
    # in a group of three: 3 for the best, then 2 and 1
    return {player: Fraction(len(group) - at) for group in groups for at, player in enumerate(group)}


def final_table(season: Season, division: Division, found: Table) -> FinalTable:
    """Return a table in its stored form. A line belongs to the player who played it to the end."""
    return FinalTable(division=division.name, tier=division.tier, lines=tuple(_line(season, each) for each in found.standings))


def _line(season: Season, standing: Standing) -> FinalLine:
    points = next(one.value for one in standing.figures if one.tie_break is TieBreak.POINTS)
    left = standing.player in season.withdrawn
    return FinalLine(place=standing.place, player=season.who(standing.player), points=str(points), left=left)


def planned(state: LeagueState, entered: Sequence[PlayerId]) -> tuple[TierMove, ...]:
    """Return everybody's move if these are the players of the next season. New players are in order of strength."""
    found = tiers(state.settings, len(entered))
    was = {line.player: final.tier for final in state.last for line in final.lines}
    merit = {line.player: Fraction(line.points) for final in state.last for line in final.lines}
    tables = _seated(state.last, len(found))
    moves = next_season(
        found,
        tables,
        new=[player for player in entered if player not in was],
        leaving=was.keys() - set(entered),
        # there may be fewer tiers than when the admin said it
        by_admin={player: min(tier, len(found)) for player, tier in state.moved.items()},
        merit=merit,
    )
    return tuple(_from(move, was.get(move.player, 0)) for move in moves)


def _seated(last: Sequence[FinalTable], lowest: int) -> Mapping[TierDivision, tuple[PlayerId, ...]]:
    """Return the tables of a season by tier and division. Players from below the `lowest` present tier follow its first division."""
    tables: dict[TierDivision, tuple[PlayerId, ...]] = {}
    for final in last:
        if final.tier <= lowest:
            tables[TierDivision(final.tier, 1 + sum(seat.tier == final.tier for seat in tables))] = tuple(
                line.player for line in final.lines
            )
    below = sorted((final.tier, at, line.player) for final in last if final.tier > lowest for at, line in enumerate(final.lines))
    if below:
        tables[TierDivision(lowest, 1)] += tuple(player for *_, player in below)
    return tables


def _from(move: TierMove, tier: int) -> TierMove:
    """Return a move of somebody who was in that tier, which may not exist any more."""
    if move.before is None or move.before.tier == tier:
        return move
    why = Why.MOVES_UP if move.why is Why.STAYS else move.why
    return move._replace(before=move.before._replace(tier=tier), why=why)
