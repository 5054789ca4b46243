"""Deciding about words to the players of a season, of a division or of a round."""

from typing import Final

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import SendWords
from turnserver.league.guards import division_of, season_of
from turnserver.league.state import LeagueState, Season
from turnserver.text import say

LONGEST: Final = 4_000
"""The most characters of words to many: about two pages."""


def send_words(state: LeagueState, command: SendWords) -> tuple[e.WordsSent]:
    """Send words to those players who have not had the same ones in this season.

    Refuses (`no_season`) a league without a season, (`season_not_begun`) a division or a round of a season that has not begun,
    (`no_readers`) words to nobody, and (`told_already`) words that everybody had. Raises NotFound for an unknown division.
    """
    season = state.season or season_of(state)
    readers = _readers(season, command)
    if not readers:
        raise NotAllowed("no_readers", say("Nobody plays there, so there is nobody to write to."))
    left = readers - season.told.get(command.digest, frozenset())
    if not left:
        raise NotAllowed("told_already", say("All of them have had these words. Change them to write something else."))
    return (e.WordsSent(players=tuple(sorted(left)), digest=command.digest, division=command.division, round=command.round),)


def _readers(season: Season, command: SendWords) -> frozenset[PlayerId]:
    if season.started_at is None:
        if command.division is not None or command.round is not None:
            message = say("Season {n} hasn't begun, so it has no divisions and rounds yet. Write to all who have entered.", n=season.number)
            raise NotAllowed("season_not_begun", message)
        return frozenset(entry.player for entry in season.entries)
    divisions = season.divisions if command.division is None else (division_of(season, command.division),)
    lines = {line for division in divisions for line in division.players}
    if command.round is not None:
        met = (one for division in divisions for one in season.of(division) if one.round == command.round)
        lines &= {line for one in met for line in one.players}
    return frozenset(season.who(line) for line in lines if line not in season.withdrawn)
