"""Deciding what becomes of the games of a player who leaves a season, and who goes on in his place."""

from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league.commands import SubstitutePlayer, Withdraw
from turnserver.league.entering import waiting
from turnserver.league.events import DecidedBy, EntryWithdrawn, LeagueEvent, PlayerSubstituted, PlayerWithdrawn, ResultRecorded
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import schedule
from turnserver.league.formats.ladder_decisions import next_joins
from turnserver.league.guards import line_of, running, season_of
from turnserver.league.scoring.verdicts import alike, forfeited
from turnserver.league.settings import FIXED, scoring
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say


def withdraw(state: LeagueState, command: Withdraw, now: datetime) -> tuple[LeagueEvent, ...]:
    """Let a player leave.

    Where everybody meets everybody and he has not played half of his games on the board, he is struck from the table, and his other games
    have no result; else he forfeits them. A game of more than two that has begun goes on: the others play it to its end, as when somebody
    resigns, and he has the place that he has then. Whoever is on the waiting list only leaves that; the first
    on it joins a ladder in his place. Refuses (`not_in_season`) whoever is not there.
    """
    season = season_of(state)
    if season.phase is not Phase.RUNNING:
        if not any(entry.player == command.player for entry in season.entries):
            raise NotAllowed("not_in_season", say("You have not entered season {n}. There is nothing to withdraw.", n=season.number))
        return (EntryWithdrawn(player=command.player),)
    if command.player in waiting(state, season):
        return (EntryWithdrawn(player=command.player),)
    line = line_of(season, command.player)
    struck = state.settings.format in FIXED and _is_early(state, season, line)
    events: tuple[LeagueEvent, ...] = (
        PlayerWithdrawn(player=line, struck=struck, at=now),
        *(_given_up(fixture, line, now, struck=struck) for fixture in season.fixtures if line in fixture.players and _ends(fixture)),
    )
    return (*events, *next_joins(fold(events, state), waiting(state, season), now))


def _ends(fixture: Fixture) -> bool:
    """Whether it has no result yet, and has one as soon as one of its players leaves."""
    return not fixture.marks and (fixture.game is None or len(fixture.players) == 2)


def _given_up(fixture: Fixture, line: PlayerId, now: datetime, *, struck: bool) -> ResultRecorded:
    marks, places = alike(fixture.players) if struck else forfeited(fixture.players, [line])
    return ResultRecorded(meeting=fixture.number, marks=marks, places=places, at=now, by=DecidedBy.WITHDRAWAL)


def _is_early(state: LeagueState, season: Season, line: PlayerId) -> bool:
    """Whether a player has played less than half of the games that he has against those who are in the table."""
    division = next(each for each in season.divisions if line in each.players)
    paired = season.paired.get(division.name, 0)
    own = [one for one in season.of(division) if line in one.players and len(one.players) == 2 and season.struck.isdisjoint(one.players)]
    to_come = [one for one in schedule(state, season, division) if one.round > paired and line in one.players and len(one.players) == 2]
    played = scoring(state.settings).played
    over = [fixture for fixture in own if fixture.marks and played.issuperset(fixture.marks)]
    return 2 * len(over) < len(own) + len(to_come)


def substitute(state: LeagueState, command: SubstitutePlayer) -> tuple[LeagueEvent, ...]:
    """Let somebody else play on, or the player himself again.

    Refuses (`not_in_season`) if the player is not there, (`plays_already`) if the other one is or was, (`nobody_waits`) if the first of an
    empty waiting list is to come in.
    """
    season = running(state)
    line = line_of(season, command.player)
    coming = command.substitute if command.substitute is not None else next(iter(waiting(state, season)), None)
    if coming is None:
        raise NotAllowed("nobody_waits", say("Nobody is on the waiting list. Name a substitute."))
    there = {player for division in season.divisions for player in division.players} | season.acted
    if coming == command.player or (coming in there and coming != line):
        told = say("The substitute is in this season already. Find somebody who is not.")
        raise NotAllowed("plays_already", told)
    return (PlayerSubstituted(player=line, substitute=coming, rating=command.rating, reason=command.reason),)
