"""Deciding about byes that players ask for before a round is paired."""

from fractions import Fraction

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import AskBye, DropBye
from turnserver.league.formats.formats import rounds_due
from turnserver.league.guards import line_of, running
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import SWISS, scoring
from turnserver.league.state import LeagueState, Season
from turnserver.text import say


def ask_bye(state: LeagueState, command: AskBye) -> tuple[e.LeagueEvent, ...]:
    """Leave a player out of a round that is to come.

    Refuses (`no_byes`) formats without pairings by standing, (`not_in_season`) somebody who is not there, (`no_such_round`) and
    (`round_paired`) a round that does not come or is paired, (`has_bye`) a second one in it, and (`bad_points`) points that are more than a
    draw.
    """
    season, line, paired, last = _asked(state, command.player)
    number = paired + 1 if command.round is None else command.round
    if number > last:
        raise NotAllowed(
            "no_such_round", say("The last round of season {n} is round {last}. No later one comes.", n=season.number, last=last)
        )
    if number <= paired:
        raise NotAllowed("round_paired", say("Round {round} is paired already, so it is too late for a bye.", round=number))
    if (line, number) in season.byes:
        message = say('You have a bye in round {round} already. To play after all, write "ready" and the league\'s name.', round=number)
        raise NotAllowed("has_bye", message)
    draw = scoring(state.settings).points[Mark.DRAW]
    worth = _usual(season, line, number, last, draw) if command.worth is None else Fraction(command.worth)
    if worth not in (0, draw):
        raise NotAllowed("bad_points", say("A bye that was asked for is worth a draw or nothing."))
    return (e.ByeAsked(player=line, round=number, worth=str(worth), reason=command.reason),)


def drop_bye(state: LeagueState, command: DropBye) -> tuple[e.LeagueEvent, ...]:
    """Pair a player after all. Refuses as `ask_bye` does, and (`no_bye`) if none was asked for."""
    season, line, paired, _ = _asked(state, command.player)
    coming = sorted(number for player, number in season.byes if player == line and number > paired)
    number = command.round if command.round is not None else next(iter(coming), None)
    if number is None or number not in coming:
        raise NotAllowed("no_bye", say("No bye was asked for in a round that is to come."))
    return (e.ByeDropped(player=line, round=number, reason=command.reason),)


def _asked(state: LeagueState, player: PlayerId) -> tuple[Season, PlayerId, int, int]:
    """Return the season, the line, the latest paired round of its division, and the last round."""
    season = running(state)
    if state.settings.format not in SWISS:
        raise NotAllowed("no_byes", say("Byes can be asked for in Swiss and McMahon events only."))
    line = line_of(season, player)
    division = next(each for each in season.divisions if line in each.players)
    return season, line, season.paired.get(division.name, 0), rounds_due(state, season, division)


def _usual(season: Season, line: PlayerId, number: int, last: int, draw: Fraction) -> Fraction:
    had = any(player == line and worth for (player, _), worth in season.byes.items())
    return Fraction(0) if had or number == last else draw
