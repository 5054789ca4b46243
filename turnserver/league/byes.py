"""Deciding about byes that players ask for before a round is paired, also before the season begins."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import AskBye, DropBye
from turnserver.league.formats.formats import rounds_due
from turnserver.league.guards import line_of, season_of
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import SWISS, scoring
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.text import listing, say


class ByesOf(NamedTuple):
    """The byes that a line has asked for, or may ask for, in the rounds after those that are `paired`; before the start, of a player."""

    season: Season
    line: PlayerId
    paired: int
    last: int

    @property
    def coming(self) -> tuple[int, ...]:
        """The rounds to come in which the line has one."""
        return tuple(byes_to_come(self.season, self.line))

    @property
    def free(self) -> tuple[int, ...]:
        """The rounds to come in which it may have one."""
        return tuple(number for number in range(self.paired + 1, self.last + 1) if number not in self.coming)


def ask_bye(state: LeagueState, command: AskBye) -> tuple[e.LeagueEvent, ...]:
    """Leave a player out of a round that is to come, the first one that can be chosen if none is named.

    Refuses (`no_byes`) formats without pairings by standing, (`not_in_season`) somebody who is not there, (`no_such_round`) and
    (`round_paired`) a round that does not come or is paired, (`has_bye`) a second one in it, and (`bad_points`) points that are more than a
    draw.
    """
    of = byes_of(state, command.player)
    number = of.paired + 1 if command.round is None else command.round
    if of.paired >= of.last:
        raise NotAllowed("no_such_round", say("All rounds of season {n} are paired, so no bye can be asked for.", n=of.season.number))
    if number > of.last:
        message = say("There is no round {round}. A bye can be asked for in {rounds}.", round=number, rounds=rounds_told(of.free))
        raise NotAllowed("no_such_round", message)
    if number <= of.paired:
        message = say(
            "Round {round} is paired already, so it is too late for a bye. It can be asked for in {rounds}.",
            round=number,
            rounds=rounds_told(of.free),
        )
        raise NotAllowed("round_paired", message)
    if number in of.coming:
        message = say('You have a bye in round {round} already. To play after all, write "ready" and the league\'s name.', round=number)
        raise NotAllowed("has_bye", message)
    draw = scoring(state.settings).points[Mark.DRAW]
    worth = _usual(of, number, draw) if command.worth is None else Fraction(command.worth)
    if worth not in (0, draw):
        raise NotAllowed("bad_points", say("A bye that was asked for is worth a draw or nothing."))
    return (e.ByeAsked(player=of.line, round=number, worth=str(worth), reason=command.reason),)


def drop_bye(state: LeagueState, command: DropBye) -> tuple[e.LeagueEvent, ...]:
    """Pair a player after all. Refuses as `ask_bye` does, and (`no_bye`) if none was asked for."""
    of = byes_of(state, command.player)
    number = command.round if command.round is not None else next(iter(of.coming), None)
    if not of.coming:
        raise NotAllowed("no_bye", say("No bye was asked for in a round that is to come."))
    if number is None or number not in of.coming:
        message = say("No bye was asked for in round {round}, but in {rounds}.", round=number or 0, rounds=rounds_told(of.coming))
        raise NotAllowed("no_bye", message)
    return (e.ByeDropped(player=of.line, round=number, reason=command.reason),)


def byes_of(state: LeagueState, player: PlayerId) -> ByesOf:
    """Return the byes of a player. Refuses as `ask_bye` does."""
    season = season_of(state)
    if state.settings.format not in SWISS:
        raise NotAllowed("no_byes", say("Byes can be asked for in Swiss and McMahon events only."))
    if season.phase is Phase.RUNNING:
        line = line_of(season, player)
        division = next(each for each in season.divisions if line in each.players)
        return ByesOf(season, line, season.paired.get(division.name, 0), rounds_due(state, season, division))
    if not any(entry.player == player for entry in season.entries):
        raise NotAllowed("not_in_season", say("You aren't in season {n}. Enter it first.", n=season.number))
    # with few players there will be fewer rounds
    return ByesOf(season, player, 0, state.settings.rounds)


def byes_to_come(season: Season, line: PlayerId) -> Mapping[int, Fraction]:
    """Return the rounds that are not paired yet in which a line has asked for a bye, in order, with its points."""
    paired = next((season.paired.get(each.name, 0) for each in season.divisions if line in each.players), 0)
    return {number: worth for (player, number), worth in sorted(season.byes.items()) if player == line and number > paired}


def rounds_told(rounds: Iterable[int]) -> str:
    """Return `round 4` or `rounds 2, 3 and 5`; `no round` for none."""
    words = [str(one) for one in rounds]
    return say("round {rounds}", "rounds {rounds}", rounds=listing(words, "and"), n=len(words)) if words else say("no round")


def _usual(of: ByesOf, number: int, draw: Fraction) -> Fraction:
    had = any(player == of.line and worth for (player, _), worth in of.season.byes.items())
    return Fraction(0) if had or number == of.last else draw
