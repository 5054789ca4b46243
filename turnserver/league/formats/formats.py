"""The questions to a format: how many rounds a division has, who meets in the next one, and whether all is played.

A new format is added here first. What else differs by format (entering, leaving, tables, words) asks for `settings.format` itself.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import assert_never

from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.knockout import BracketTie, Lot, Vacancy
from turnserver.league.formats.multiseat import MOST, next_tables, table_schedule
from turnserver.league.formats.round_robin import scheduled
from turnserver.league.formats.seating import seat_begins, takes_turns, teams_of
from turnserver.league.formats.swiss import Breach, breaches, pair
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter, PlayRecord, Teams
from turnserver.league.scoring.standings import bracket_of, record_of, starts
from turnserver.league.settings import CUPS, FIXED, SWISS, Format, Pace, scoring
from turnserver.league.state import Fixture, LeagueState, Season


def tables_of_round(state: LeagueState, season: Season, division: Division, number: int) -> tuple[Encounter, ...]:
    """Return the tables of round `number` of a division, its next round, with seats and byes.

    While everybody is there and the earlier rounds agree with the schedule, the round is the next of the schedule. Otherwise the remaining
    players sit with those whom they have met least, and `barred` pairs at no table.
    """
    before = [fixture.encounter for fixture in season.of(division)]
    # by earlier rules, whoever had begun on a line was kept apart, and not who plays on it
    by_lines = frozenset(pair for pair in state.barred if pair <= frozenset(division.players))
    barred = barred_lines(state, season, division) if state.settings.rules > 2 else by_lines
    # a schedule that was left once, because somebody was missing, is not taken up again
    if not barred and frozenset(season.withdrawn).isdisjoint(division.players) and len(division.players) <= MOST:
        planned = _planned(division.players, state.settings.rounds, state.settings.seats, teams_of(state))
        if [one.players for one in planned if one.round < number] == [one.players for one in before]:
            return tuple(one for one in planned if one.round == number)
    there = [player for player in division.players if player not in season.withdrawn]
    return next_tables(number, there, before, state.settings.seats, barred=barred, teams=teams_of(state))


@cache
def _planned(players: tuple[PlayerId, ...], rounds: int, size: int, teams: Teams) -> tuple[Encounter, ...]:
    # the search takes about a second, and every round of the division asks for the same
    return table_schedule(players, rounds, size, teams)


def starting_scores(ratings: Mapping[PlayerId, float], bounds: Sequence[float]) -> Mapping[PlayerId, Fraction]:
    """Return the points that each player begins with: one for each of `bounds` that their rating reaches.

    So the bounds part the players into bands. A player below the lowest bound begins with nothing. The highest is the bar: all who reach it
    begin level. No bounds make it a plain Swiss event. The result is the `extra` of `swiss.pair`, and counts in the final table. Raises
    ValueError for bounds that do not rise.
    """
    if any(lower >= upper for lower, upper in pairwise(bounds)):
        raise ValueError("the bounds of the bands have to rise")
    return {player: Fraction(bisect_right(bounds, rating)) for player, rating in ratings.items()}


def rounds_due(state: LeagueState, season: Season, division: Division) -> int:
    """Return how many rounds a division has, as far as is known. A Swiss event has no more than everybody can play without a rematch.

    Players who withdraw, or are kept apart, may force a rematch all the same: see `broken_promises`. The rounds of a ladder are months, up
    to the latest one with a challenge.
    """
    size = len(division.players)
    match state.settings.format:
        case Format.ROUND_ROBIN | Format.DOUBLE_ROUND_ROBIN:
            return max((one.round for one in _everybody(state, season, division)), default=0)
        case Format.SWISS | Format.MCMAHON:
            # each player can meet `size - 1` others; with an odd number each has one round with a bye besides
            return min(state.settings.rounds, size - 1 + size % 2) if size > 1 else 0
        case Format.KNOCKOUT | Format.DOUBLE_KNOCKOUT:
            return max((tie.round for tie in bracket_of(state, season, division).ties), default=0)
        case Format.LADDER:
            return max((fixture.round for fixture in season.fixtures), default=0)
        case Format.TABLES:
            return state.settings.rounds if size >= state.settings.seats else 0
        case _:
            assert_never(state.settings.format)


def schedule(state: LeagueState, season: Season, division: Division) -> tuple[Encounter, ...]:
    """Return all encounters of a division where everybody meets everybody, without struck players and barred pairs."""
    barred = barred_lines(state, season, division)
    return tuple(
        one for one in _everybody(state, season, division) if season.struck.isdisjoint(one.players) and frozenset(one.players) not in barred
    )


def missing_meetings(state: LeagueState, season: Season, division: Division) -> tuple[Encounter, ...]:
    """Return the encounters of rounds that are paired, where everybody meets everybody, which there are not: somebody was not there then.

    It does not matter which of the two was to move first.
    """
    paired, known = season.paired.get(division.name, 0), Counter(frozenset(one.players) for one in season.of(division))
    found = []
    for one in schedule(state, season, division):
        if one.round <= paired and known[frozenset(one.players)]:
            known[frozenset(one.players)] -= 1
        elif one.round <= paired:
            found.append(one)
    return tuple(found)


def barred_lines(state: LeagueState, season: Season, division: Division) -> frozenset[frozenset[PlayerId]]:
    """Return the pairs of lines whose present players are not to meet."""
    # it is persons who are not to meet, and a substitute is another person than the one whose line it is
    lines = {season.who(line): line for line in division.players}
    return frozenset(frozenset(lines[player] for player in pair) for pair in state.barred if lines.keys() >= pair)


def _everybody(state: LeagueState, season: Season, division: Division) -> tuple[Encounter, ...]:
    """Return the schedule of a division. Those who came late stand behind the others in its order.

    The first of them takes the place of the bye if there is one, so nothing else changes. Everybody else who is late meets the others in
    their order, one in each round besides the games of that round; the last round has those who are left over.
    """
    first = sum(player not in season.late for player in division.players)
    whole = min(first + first % 2, len(division.players))
    return scheduled(division.players, whole, state.settings.format is Format.DOUBLE_ROUND_ROBIN)


def next_begins(state: LeagueState, season: Season, division: Division) -> datetime | None:
    """Return when the next round of a division may begin, which may be past. None while it waits for games, or if no more is to come."""
    if not may_go_on(state, season, division):
        return None
    dated = planned_begin(state, season, _next_number(state, season, division))
    scheduled = dated if state.settings.round_every else season.began
    return scheduled if state.settings.pace is Pace.TOGETHER else over_at(season.of(division), scheduled)


def planned_begin(state: LeagueState, season: Season, number: int) -> datetime:
    """Return when a round begins by the plan, where rounds begin at fixed distances."""
    return season.began + season.later_by + timedelta(days=state.settings.round_every) * (number - 1)


def over_at(fixtures: Iterable[Fixture], least: datetime) -> datetime:
    """Return when the last of these fixtures was over, or `least` if that is later."""
    return max([least, *(fixture.at for fixture in fixtures if fixture.at is not None)])


def _next_number(state: LeagueState, season: Season, division: Division) -> int:
    if state.settings.format in CUPS:
        return min(game.round for game in bracket_of(state, season, division).to_open)
    return season.paired.get(division.name, 0) + 1


def next_round(state: LeagueState, season: Season, division: Division) -> tuple[int, tuple[Encounter, ...]]:
    """Return the number of the next round, and its encounters. In a cup, replays come first."""
    number = _next_number(state, season, division)
    if state.settings.format in CUPS:
        return number, tuple(game for game in bracket_of(state, season, division).to_open if game.round == number)
    if state.settings.format in FIXED:
        return number, tuple(one for one in schedule(state, season, division) if one.round == number)
    if state.settings.format is Format.TABLES:
        return number, tables_of_round(state, season, division, number)
    return number, swiss_round(state, season, division, number)


def swiss_round(
    state: LeagueState, season: Season, division: Division, number: int, without: Collection[PlayerId] = ()
) -> tuple[Encounter, ...]:
    """Return the pairs of a round of a Swiss or McMahon division, of everybody who is there but those `without`.

    Whoever has asked for a bye is not paired.
    """
    away = season.withdrawn
    there = [player for player in division.players if player not in away and player not in without and (player, number) not in season.byes]
    if not there:
        return ()
    return pair(
        number,
        there,
        record_of(season, division, seat_begins=takes_turns(state)),
        scoring(state.settings),
        extra=starts(division),
        barred=barred_lines(state, season, division),
        odd_first=season.odd_first,
    )


def broken_promises(state: LeagueState, season: Season, division: Division, number: int) -> tuple[tuple[Breach, Fixture], ...]:
    """Return the promises that were not kept when round `number` of a Swiss event was paired, by meeting. Empty in other formats.

    Nobody is promised to move first or second in a game in which chance decides it.
    """
    if state.settings.format not in SWISS:
        return ()
    fixtures, points = season.of(division), scoring(state.settings)
    # as the round was paired, by what was known then
    earlier = [fixture.encounter for fixture in fixtures if fixture.round < number]
    before = PlayRecord(division.players, earlier, seat_begins=seat_begins(state))
    paired = [fixture for fixture in fixtures if fixture.round == number]
    found = [(breach, fixture) for fixture in paired for breach in breaches(fixture.encounter, before, points)]
    asked = [one for one in paired if len(one.players) > 1 and any((line, number) in season.byes for line in one.players)]
    return (*found, *((Breach.ASKED_BYE, fixture) for fixture in asked))


def may_go_on(state: LeagueState, season: Season, division: Division) -> bool:
    """Return whether the next round of a division can be paired once its time has come. On a ladder, no round ever is."""
    if state.settings.format is Format.LADDER or is_complete(state, season, division) or lots_due(state, season, division):
        return False
    return state.settings.pace is Pace.TOGETHER or all(fixture.marks for fixture in season.of(division))


def lots_due(state: LeagueState, season: Season, division: Division) -> tuple[Lot, ...]:
    """Return the lots that decide who goes on in a cup."""
    return bracket_of(state, season, division).to_draw if state.settings.format in CUPS else ()


def strays(state: LeagueState, season: Season, division: Division) -> tuple[Fixture, ...]:
    """Return the running games of a cup whose places others have to play for now, once all games of earlier rounds are over."""
    if state.settings.format not in CUPS:
        return ()
    going_on = [fixture for fixture in season.of(division) if not fixture.marks]
    # A later round may still change while an earlier one is played again. Only when the earlier ones are over is it clear who meets.
    first = min((fixture.round for fixture in going_on), default=0)
    settled = [fixture for fixture in going_on if fixture.round == first]
    astray = bracket_of(state, season, division).strays if settled else ()
    return tuple(fixture for fixture in settled if fixture.encounter in astray)


def undecided_ties(state: LeagueState, season: Season) -> tuple[tuple[BracketTie, Fixture | None], ...]:
    """Return the ties of a cup whose players are known and that nobody has won, each with its latest meeting unless a replay is due.

    A season that is over has some if a correction has others meet, or if it was closed early. Empty in other formats.
    """
    divisions = season.divisions if state.settings.format in CUPS else ()
    return tuple(
        (tie, next((one for one in reversed(season.of(division)) if one.encounter in tie.games and Mark.DRAW not in one.marks), None))
        for division in divisions
        for tie in bracket_of(state, season, division).ties
        if tie.is_open
    )


def is_complete(state: LeagueState, season: Season, division: Division) -> bool:
    """Return whether no more rounds of a division are to be paired: all are paired, or too few players are left.

    A ladder is complete when it takes no more challenges.
    """
    if state.settings.format is Format.LADDER:
        return season.ended
    if state.settings.format in CUPS:
        return all(tie.winner is not Vacancy.YET for tie in bracket_of(state, season, division).ties)
    if season.paired.get(division.name, 0) >= rounds_due(state, season, division):
        return True
    left = [player for player in division.players if player not in season.withdrawn]
    # a fixed schedule is paired to its end all the same: whoever is not there forfeits
    return state.settings.format not in FIXED and len(left) < state.settings.seats


def is_over(state: LeagueState, season: Season, division: Division) -> bool:
    """Return whether everything in a division is played."""
    return is_complete(state, season, division) and all(fixture.marks for fixture in season.of(division))
