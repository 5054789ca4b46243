"""What is different between two moments of a league: its facts, and who stands where in its tables."""

from collections.abc import Mapping
from typing import NamedTuple

from turnserver.cli.audit.shapes import TableMove
from turnserver.cli.league.group import LeagueFound
from turnserver.cli.league.show import next_told, phase_told, settings_told
from turnserver.cli.output import show
from turnserver.ids import PlayerId
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.words import points_told


class _Place(NamedTuple):
    division: str
    place: int
    points: str


def facts(found: LeagueFound, clock: show.Times) -> Mapping[str, str]:
    """What there is to compare of a league, by its names; the clock shows what it did then."""
    state, season, told = found.state, found.state.season, found.told
    return {
        "League": state.name,
        "Settings": settings_told(state.settings),
        "Now": phase_told(found),
        "Next": next_told(found, clock),
        "Entered": ", ".join([told.name(entry.player) for entry in season.entries]) if season else "",
        "Withdrawn": ", ".join([told.name(player) for player in season.withdrawn]) if season else "",
        "Playing for others": ", ".join([f"{told.name(who)} for {told.name(line)}" for line, who in season.acting.items()])
        if season
        else "",
        "Not to meet": "; ".join(told.all(sorted(pair)) for pair in sorted(state.barred, key=sorted)),
    }


def moves(before: LeagueFound, after: LeagueFound) -> list[TableMove]:
    """Whose place or points are not the same, or who is in one of the tables only, as the later one has it."""
    old, new = _places(before), _places(after)
    found = []
    for player in dict.fromkeys((*new, *old)):
        here, there = old.get(player), new.get(player)
        if here != there:
            found.append(
                TableMove(
                    player=player,
                    name=after.told.name(player),
                    division_before=here.division if here else None,
                    place_before=here.place if here else None,
                    points_before=here.points if here else None,
                    division_after=there.division if there else None,
                    place_after=there.place if there else None,
                    points_after=there.points if there else None,
                )
            )
    return found


def _places(found: LeagueFound) -> dict[PlayerId, _Place]:
    """Where everybody stands, table by table; nothing before a season has begun."""
    season = found.state.season
    places: dict[PlayerId, _Place] = {}
    for division in season.divisions if season is not None else ():
        for line in crosstable(found.state, found.season, division, found.names).lines:
            points = line.figures[0] if line.figures else None
            places[line.player] = _Place(division.name, line.place, "" if points is None else points_told(points))
    return places


def move_cells(move: TableMove) -> tuple[str, str, str]:
    """`Ada`, `2 -> 1`, `3 -> 4`."""
    far = move.division_before != move.division_after
    before = _place(move.division_before if far else None, move.place_before)
    after = _place(move.division_after if far else None, move.place_after)
    return move.name, _arrow(before, after), _arrow(move.points_before or "-", move.points_after or "-")


def _place(division: str | None, place: int | None) -> str:
    if place is None:
        return "-"
    return str(place) if division is None else f"{place} in {division}"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"
