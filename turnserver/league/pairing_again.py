"""Deciding about a round that an admin pairs anew, by hand or by the rules."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import PairAgain
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import barred_lines, swiss_round
from turnserver.league.guards import division_of, running
from turnserver.league.pairing import asked_byes, held, round_paired
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter
from turnserver.league.settings import SWISS, scoring
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say


def pair_again(state: LeagueState, command: PairAgain, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Take the latest round of a division back and pair it anew, with the pairs that are wanted.

    Pairs by hand may break every promise of a pairing but that a pair is barred. Refuses (`not_swiss`) other formats, (`no_round`) before
    the first round, (`round_begun`) a round of which a game is over, (`bad_pairs`) somebody twice, or three at a board, (`not_in_division`)
    somebody who is not there, and (`barred`).
    """
    season = running(state)
    if state.settings.format not in SWISS:
        raise NotAllowed("not_swiss", say("Only Swiss and McMahon rounds can be paired again. Here, the format says who meets."))
    division = division_of(season, command.division)
    number = season.paired.get(division.name, 0)
    if not number:
        raise NotAllowed("no_round", say("No round of division {division} is paired yet.", division=division.name))
    played = scoring(state.settings).played
    if any(one.round == number and one.marks and played.issuperset(one.marks) for one in season.of(division)):
        message = say("A game of round {round} is over, so the round stays. Correct results, or move deadlines instead.", round=number)
        raise NotAllowed("round_begun", message)
    back = e.RoundUnpaired(division=division.name, round=number, reason=command.reason)
    after = fold([back], state)
    season = running(after)
    wanted = tuple(_wanted(after, season, division, command, number))
    chosen = frozenset(player for one in wanted for player in one.players)
    encounters = (*wanted, *swiss_round(after, season, division, number, chosen))
    paired = round_paired(after, season, division, number, encounters, len(season.fixtures), now)
    return (back, paired, *asked_byes(after, season, division, paired, now), *held(after, paired, now))


def later_round(state: LeagueState, season: Season, fixture: Fixture) -> int | None:
    """Return the latest round that was paired by the result of a meeting of an earlier one, and stays. None if there is none."""
    latest = season.paired.get(fixture.division, 0)
    stays = state.settings.format in SWISS and season.phase is Phase.RUNNING and fixture.round < latest
    return latest if stays else None


def _wanted(state: LeagueState, season: Season, division: e.Division, command: PairAgain, number: int) -> Iterator[Encounter]:
    count = Counter(player for pair in command.pairs for player in pair)
    if any(times > 1 for times in count.values()) or not all(1 <= len(pair) <= 2 for pair in command.pairs):
        raise NotAllowed("bad_pairs", say("Every player can be in one pair. Name them two by two, and one alone for a bye."))
    barred = barred_lines(state, season, division)
    for pair in command.pairs:
        lines = tuple(_line(season, division, player) for player in pair)
        if frozenset(lines) in barred:
            raise NotAllowed("barred", say("The organisers have ruled out games between the two of you. Choose another player."))
        yield Encounter(number, lines, (Mark.BYE,) if len(lines) == 1 else ())


def _line(season: Season, division: e.Division, player: PlayerId) -> PlayerId:
    line = season.plays_as(player)
    if line is None or line not in division.players:
        message = say("Player {number} isn't in division {division}, or has left it.", number=player, division=division.name)
        raise NotAllowed("not_in_division", message)
    return line
