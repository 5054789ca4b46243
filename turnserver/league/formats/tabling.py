"""The tables of the next round of a season: as they were scheduled, or evened anew once players have left or are not to meet."""

from functools import cache

from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.multiseat import MOST, Teams, next_tables, schedule
from turnserver.league.formats.seating import teams_of
from turnserver.league.scoring.record import Encounter
from turnserver.league.state import LeagueState, Season


def tables_of_round(state: LeagueState, season: Season, division: Division, number: int) -> tuple[Encounter, ...]:
    """Who sits where in round `number` of a division, which is its next, and who has a bye.

    As long as everybody is there and the rounds before are those of the schedule, it is the next of the schedule. Otherwise those who are
    left sit with whom they have met least, and `barred` pairs at no table.
    """
    before = [fixture.encounter for fixture in season.of(division)]
    barred = frozenset(pair for pair in state.barred if pair <= frozenset(division.players))
    if not barred and frozenset(season.withdrawn).isdisjoint(division.players) and len(division.players) <= MOST:
        planned = _planned(division.players, state.settings.rounds, state.settings.seats, teams_of(state))
        if [one.players for one in planned if one.round < number] == [one.players for one in before]:
            return tuple(one for one in planned if one.round == number)
    there = [player for player in division.players if player not in season.withdrawn]
    return next_tables(number, there, before, state.settings.seats, barred=barred, teams=teams_of(state))


@cache
def _planned(players: tuple[PlayerId, ...], rounds: int, size: int, teams: Teams) -> tuple[Encounter, ...]:
    return schedule(players, rounds, (size,), teams)
