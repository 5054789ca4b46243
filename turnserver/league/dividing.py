"""Deciding about divisions of a season that runs: players move between them, and divisions are split and merged.

All of it is one act: the divisions are made anew, and whatever two players of one division have played stays. A meeting of two who are in
different divisions now is none any more. Where everybody meets everybody, it falls away, and those who are together meet as well. Elsewhere
both keep its points, as a bye.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import Divide
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import missing_meetings
from turnserver.league.guards import changing, division_of, line_of, running
from turnserver.league.late_entries import place_in_order
from turnserver.league.pairing import add_meetings, not_coming
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter
from turnserver.league.scoring.standings import sheets
from turnserver.league.settings import FIXED, WITHOUT_POINTS
from turnserver.league.state import LeagueState, Season
from turnserver.text import say

NAME: Final = re.compile(r"(?P<tier>[1-9][0-9]?)(\.[1-9][0-9]?)?")
"""A name of a division."""


def divide(state: LeagueState, command: Divide, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Put players into other divisions, with the meetings or byes that follow.

    Refuses (`no_divisions`) cups and ladders, (`not_in_season`) somebody who is not there, (`as_it_is`) no move, (`too_few`) a division
    that would be too small, and, where rounds follow from standings, (`other_round`) divisions that are not in the same round. Raises
    NotFound for a division that is in no tier.
    """
    season = running(state)
    if state.settings.format in WITHOUT_POINTS:
        raise NotAllowed("no_divisions", say("In this format, divisions stay as they are once the season has begun."))
    moves = {line_of(season, player): name for player, name in command.moves.items()}
    now_in = {line: division.name for division in season.divisions for line in division.players}
    moves = {line: name for line, name in moves.items() if now_in[line] != name}
    changing(same=not moves)
    divided = e.SeasonDivided(divisions=_divisions(state, season, moves), reason=command.reason)
    _fits(state, season, divided.divisions, moves)
    after = fold([divided], state)
    events: list[e.LeagueEvent] = [divided]
    for division in divided.divisions:
        follow = _follow(state, after, division.name, now)
        events += follow
        after = fold(follow, after)
    return tuple(events)


def _divisions(state: LeagueState, season: Season, moves: Mapping[PlayerId, str]) -> tuple[e.Division, ...]:
    found = {division.name: division for division in season.divisions}

    def put(line: PlayerId, home: e.Division, name: str) -> None:
        at = home.players.index(line)
        target = found.get(name) or e.Division(name=name, tier=_tier(season, name), players=(), start=(), ratings=())
        place = place_in_order(state, target, home.ratings[at])
        found[home.name] = found[home.name].without(line)
        found[name] = target.with_line(line, place, home.start[at], home.ratings[at])

    for line, name in moves.items():
        put(line, next(division for division in season.divisions if line in division.players), name)
    # whoever has left goes with the last of the others
    for division in season.divisions:
        here, moved = found[division.name], [name for line, name in moves.items() if line in division.players]
        if not moved or any(line not in season.withdrawn for line in here.players):
            continue
        for line in here.players:
            put(line, here, moved[-1])
    return tuple(sorted((one for one in found.values() if one.players), key=lambda one: (one.tier, _number(one.name))))


def _tier(season: Season, name: str) -> int:
    found = NAME.fullmatch(name)
    tier = int(found["tier"]) if found is not None else 0
    return tier if tier in {division.tier for division in season.divisions} else division_of(season, name).tier


def _number(name: str) -> int:
    return int(name.partition(".")[2] or 1)


def _fits(state: LeagueState, season: Season, divisions: Sequence[e.Division], moves: Mapping[PlayerId, str]) -> None:
    least = state.settings.seats
    before = {division.name: division.players for division in season.divisions}
    for division in divisions:
        if division.players != before.get(division.name) and sum(line not in season.withdrawn for line in division.players) < least:
            message = say("Division {name} would have too few players: it needs {n}.", name=division.name, n=least)
            raise NotAllowed("too_few", message)
    if state.settings.format in FIXED:
        return
    names = {division.name for division in season.divisions if any(line in moves for line in division.players)}
    names |= set(moves.values()).intersection(season.paired)
    if len({season.paired.get(name, 0) for name in names}) > 1:
        raise NotAllowed("other_round", say("These divisions are not in the same round. Wait until they are."))


def _follow(before: LeagueState, state: LeagueState, name: str, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Return the meetings that are missing in a division, or the byes in the place of those that are none any more."""
    season = running(state)
    division = division_of(season, name)
    if state.settings.format not in FIXED:
        return tuple(add_meetings(state, season, division, _byes(before, season, division), now))
    # a bye is worth nothing there, so nobody misses one
    missing = [one for one in missing_meetings(state, season, division) if len(one.players) > 1]
    added = tuple(add_meetings(state, season, division, missing, now))
    return (*added, *(result for event in added for result in not_coming(season, event.meetings, now)))


def _byes(before: LeagueState, season: Season, division: e.Division) -> Iterator[Encounter]:
    """Yield a bye for each meeting that a player of a division has lost by the change: for the points that it brought, or a full one."""
    was = running(before)
    points = {
        (line, one.round): one.points for each in was.divisions for line in each.players for one in sheets(before, was, each).lines(line)
    }
    for one in season.fixtures:
        lost = one.void and not was.fixtures[one.number - 1].void
        for line in one.players if lost else ():
            if line in division.players and line not in season.withdrawn:
                worth: Fraction | None = points[line, one.round] if one.parted else None
                yield Encounter(one.round, (line,), (Mark.BYE,), worth=worth)
