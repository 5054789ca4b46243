"""The tables of a season, and who is in which division because of the last one."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from turnserver.ids import PlayerId
from turnserver.league.divisions import Move, Seat, Why, next_season
from turnserver.league.events import Division, FinalLine, FinalTable
from turnserver.league.formats.knockout import Bracket, Cup, bracket
from turnserver.league.scoring.record import Record
from turnserver.league.scoring.sheets import Sheets, sheets_of
from turnserver.league.scoring.standings import Given, Standing, Table, table, without
from turnserver.league.scoring.tiebreaks import TieBreak, figure
from turnserver.league.settings import CUPS, Format, place_points, scoring, tiers
from turnserver.league.state import LeagueState, Season


def record_of(season: Season, division: Division) -> Record:
    """What was paired in a division, those included who are not in its table any more."""
    return Record(division.players, [fixture.encounter for fixture in season.of(division)])


def starts(division: Division) -> Mapping[PlayerId, Fraction]:
    """The points that the players of a division began with."""
    return {player: Fraction(text) for player, text in zip(division.players, division.start, strict=True)}


def _taken(season: Season) -> Mapping[PlayerId, Sequence[Fraction]]:
    return {line: [given.points for given in penalties] for line, penalties in season.penalties.items()}


def sheets(state: LeagueState, season: Season, division: Division) -> Sheets:
    """The sheets of a division without those who are struck."""
    counted = without(record_of(season, division), season.struck)
    points, places = scoring(state.settings), place_points(state.settings)
    return sheets_of(counted, points, state.settings.pairing, places, starts(division), penalties=_taken(season))


def division_table(state: LeagueState, season: Season, division: Division) -> Table:
    """The table of a division as it stands, with the lots and playoffs there have been; in a cup, whoever is not out yet has place 1.

    On a ladder, the order is the table, and whoever has left it shares the place behind the last.
    """
    if state.settings.format in CUPS:
        return _by_bracket(state, season, division)
    if state.settings.format is Format.LADDER:
        found = sheets(state, season, division)
        last = len(season.order) + 1
        places = [*enumerate(season.order, 1), *((last, player) for player in season.withdrawn)]
        return Table(tuple(Standing(place, player, (figure(found, TieBreak.POINTS, player),)) for place, player in places), ())
    lots = [season.lots.get(division.name, ())]
    playoffs = season.playoffs.get(division.name, ())
    return table(sheets(state, season, division), state.settings.tie_breaks, _given(playoffs), _given(lots))


def bracket_of(state: LeagueState, season: Season, division: Division) -> Bracket:
    """The bracket of a division of a cup, whose players are two or more, the first of them seeded first."""
    settings = state.settings
    losses = 2 if settings.format is Format.DOUBLE_KNOCKOUT else 1
    cup = Cup(losses=losses, third_place=settings.third_place, replays=settings.replays, drawn=settings.cup_draw)
    lots = season.cup_lots.get(division.name, {})
    return bracket(record_of(season, division), cup, scoring(settings), withdrawn=season.withdrawn, lots=lots)


def _by_bracket(state: LeagueState, season: Season, division: Division) -> Table:
    places = bracket_of(state, season, division).places if len(division.players) > 1 else {}
    best = {player: places[player].best if player in places else 1 for player in division.players}
    found = sheets(state, season, division)
    order = sorted(division.players, key=lambda player: best[player])
    return Table(tuple(Standing(best[player], player, (figure(found, TieBreak.POINTS, player),)) for player in order), ())


def _given(groups: Sequence[Sequence[PlayerId]]) -> Given:
    """The figures of players who have been put in order: in a group of three, 3 for the best, then 2 and 1."""
    return {player: Fraction(len(group) - at) for group in groups for at, player in enumerate(group)}


def final_table(season: Season, division: Division, found: Table) -> FinalTable:
    """A table as it is kept. A line belongs to whoever played it to the end."""
    return FinalTable(division=division.name, tier=division.tier, lines=tuple(_line(season, each) for each in found.standings))


def _line(season: Season, standing: Standing) -> FinalLine:
    points = next(one.value for one in standing.figures if one.tie_break is TieBreak.POINTS)
    left = standing.player in season.withdrawn
    return FinalLine(place=standing.place, player=season.who(standing.player), points=str(points), left=left)


def planned(state: LeagueState, entered: Sequence[PlayerId]) -> tuple[Move, ...]:
    """Everybody's move if these are the players of the next season: those of the last one, and new ones in order of strength."""
    found = tiers(state.settings, len(entered))
    was = {line.player: final.tier for final in state.last for line in final.lines}
    merit = {line.player: Fraction(line.points) for final in state.last for line in final.lines}
    tables = _seated(state.last, len(found))
    moves = next_season(
        found,
        tables,
        new=[player for player in entered if player not in was],
        leaving=was.keys() - set(entered),
        by_admin={player: min(tier, len(found)) for player, tier in state.moved.items()},
        merit=merit,
    )
    return tuple(_from(move, was.get(move.player, 0)) for move in moves)


def _seated(last: Sequence[FinalTable], lowest: int) -> Mapping[Seat, tuple[PlayerId, ...]]:
    """The tables of a season by tier and division. Who was below the `lowest` tier that there is now follows its first division."""
    tables: dict[Seat, tuple[PlayerId, ...]] = {}
    for final in last:
        if final.tier <= lowest:
            tables[Seat(final.tier, 1 + sum(seat.tier == final.tier for seat in tables))] = tuple(line.player for line in final.lines)
    below = sorted((final.tier, at, line.player) for final in last if final.tier > lowest for at, line in enumerate(final.lines))
    if below:
        tables[Seat(lowest, 1)] += tuple(player for *_, player in below)
    return tables


def _from(move: Move, tier: int) -> Move:
    """A move of somebody who was in that tier, which there may be no more."""
    if move.before is None or move.before.tier == tier:
        return move
    why = Why.MOVES_UP if move.why is Why.STAYS else move.why
    return move._replace(before=move.before._replace(tier=tier), why=why)
