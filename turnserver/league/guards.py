"""Guards: conditions of commands to a league. Each returns the thing that it checks, or refuses and says what to do instead."""

from datetime import datetime
from typing import Final

from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import PlayerId
from turnserver.league.commands import CarryResult, SetResult
from turnserver.league.events import Division
from turnserver.league.formats.seating import teams_of
from turnserver.league.scoring.record import Verdict, fits
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say

LAST_YEAR: Final = 8999
"""The last year that an instant may lie in. Time is added to it later and told in zones, and the calendar ends with the year 9999."""


def season_of(state: LeagueState) -> Season:
    """Return the season that is announced or running. Refuses (`no_season`) if there is none."""
    if state.season is None or state.season.phase is Phase.CLOSED:
        raise NotAllowed("no_season", say("This league has no season now. Wait until the next one is announced."))
    return state.season


def between_seasons(state: LeagueState) -> None:
    """Refuse (`season_open`) while a season is not over."""
    season = state.season
    if season is not None and season.phase is not Phase.CLOSED:
        raise NotAllowed("season_open", say("Season {n} is not over yet. Close it, or drop it if it has not begun.", n=season.number))


def before_start(state: LeagueState) -> Season:
    """Return the season before its start. Refuses (`season_running`) a season that has begun."""
    season = season_of(state)
    if season.phase is Phase.RUNNING:
        raise NotAllowed("season_running", say("Season {n} has begun. Wait for the next one, or ask the organisers.", n=season.number))
    return season


def running(state: LeagueState) -> Season:
    """Return the running season. Refuses (`season_not_begun`) a season that has not begun."""
    season = season_of(state)
    if season.phase is not Phase.RUNNING:
        raise NotAllowed("season_not_begun", say("Season {n} hasn't begun yet. That can be done once it has.", n=season.number))
    return season


def played(state: LeagueState) -> Season:
    """Return the season that runs, or is over with no other announced since.

    Refuses (`season_stands`) a season that has not begun and whose announcement has made the results before it final, else as `running`.
    """
    season = state.season
    if season is not None and season.phase is Phase.CLOSED:
        return season
    if season is not None and season.phase is not Phase.RUNNING and state.last:
        message = say(
            "Season {n} has no games yet. The results of the season before it stand: they could be changed until season {n} was announced.",
            n=season.number,
        )
        raise NotAllowed("season_stands", message)
    return running(state)


def with_table(state: LeagueState) -> Season:
    """Return the season as `played` does. Refuses (`season_cancelled`) one that was called off and has no table."""
    season = played(state)
    if season.cancelled:
        raise NotAllowed("season_cancelled", say("Season {n} was cancelled and has no table. Reopen it first.", n=season.number))
    return season


def fixture_of(season: Season, number: int, *, parted: bool = False) -> Fixture:
    """Return the meeting of that number; also one of two who are in different divisions now, if `parted`. Raises NotFound."""
    if not 1 <= number <= len(season.fixtures):
        raise NotFound(say("There is no meeting {number} in this season. The last one is {n}.", number=number, n=len(season.fixtures)))
    fixture = season.fixtures[number - 1]
    if fixture.parted and not parted:
        raise NotFound(say("There is no meeting {number} any more: its players are in different divisions.", number=number))
    if fixture.void and not fixture.parted:
        raise NotFound(say("There is no meeting {number} any more: its round, its divisions or an entry was undone.", number=number))
    return fixture


def division_of(season: Season, name: str) -> Division:
    """Return the division of that name. Raises NotFound."""
    for division in season.divisions:
        if division.name == name:
            return division
    names = ", ".join(division.name for division in season.divisions)
    raise NotFound(say("There is no division '{name}' in this season. The divisions are {names}.", name=name[:20], names=names))


def line_of(season: Season, player: PlayerId) -> PlayerId:
    """Return the line of the table that the player has. Refuses (`not_in_season`) a player without one."""
    line = season.plays_as(player)
    if line is None:
        message = say("Player {number} isn't in season {n}, or has left it already.", number=player, n=season.number)
        raise NotAllowed("not_in_season", message)
    return line


def in_table(season: Season, player: PlayerId) -> PlayerId:
    """Return the line of a table that the player has or had to the end. Refuses (`not_in_season`) a player without one."""
    lines = (line for division in season.divisions for line in division.players if line not in season.struck)
    for line in lines:
        if season.who(line) == player:
            return line
    raise NotAllowed(
        "not_in_season", say("Player {number} isn't in any table of season {n}. Name somebody who is.", number=player, n=season.number)
    )


def undecided(fixture: Fixture) -> None:
    """Refuse (`decided`) a meeting that has a result."""
    if fixture.marks:
        message = say("Meeting {number} has a result already. The organisers can correct it.", number=fixture.number)
        raise NotAllowed("decided", message)


def fitting(state: LeagueState, fixture: Fixture, command: CarryResult | SetResult) -> Verdict:
    """Return the verdict of a command. Refuses (`bad_result`) marks and places that do not go together, or a result for a bye."""
    verdict = Verdict(command.marks, command.places)
    size = len(fixture.players)
    if size == 1:
        raise NotAllowed("bad_result", say("Meeting {number} is a bye, and a bye has no other result.", number=fixture.number))
    if fits(fixture.players, verdict, teams_of(state) if size > 2 else ()):
        return verdict
    if size == 2:
        raise NotAllowed(
            "bad_result", say("These results don't fit together. Give one for each player, such as win and loss, or draw and draw.")
        )
    message = say(
        "These places don't fit together. Give each of the {n} players a place from 1 on; "
        "those who share one, such as partners, get the same.",
        n=size,
    )
    raise NotAllowed("bad_result", message)


def within_reach(at: datetime) -> None:
    """Refuse (`bad_instant`) an instant after `LAST_YEAR`."""
    if at.year > LAST_YEAR:
        raise NotAllowed("bad_instant", say("That would be thousands of years away. Choose an earlier time."))


def changing(*, same: bool) -> None:
    """Refuse (`as_it_is`) a command after which everything would be the same."""
    if same:
        raise NotAllowed("as_it_is", say("That is how it is already. Nothing has changed."))
