"""Deciding about places of a season that has begun: players leave, come back, and others take their places."""

from collections.abc import Iterator
from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.deadlines import moved
from turnserver.league.entering import waiting
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import missing_meetings, schedule
from turnserver.league.formats.ladder_decisions import has_room, next_joins
from turnserver.league.guards import line_of, running, season_of
from turnserver.league.pairing import add_meetings, given_up, time_up
from turnserver.league.settings import FIXED, Pace, scoring
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say


def withdraw(state: LeagueState, command: c.Withdraw, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Let a player leave the season.

    If everybody meets everybody and the player has not played half of their games on the board, they are struck from the table, and their
    other games have no result. Otherwise they forfeit their other games. A game of more than two that has begun goes on: the others play it
    to its end, as when somebody resigns, and the player gets the place that follows from it. A player on the waiting list only leaves that
    list. On a ladder whoever has challenged the player gets their place, and the first of the waiting list joins. Refuses
    (`not_in_season`) a player who is not there.
    """
    season = season_of(state)
    begun = season.phase is Phase.RUNNING
    entries = waiting(state, season) if begun else [entry.player for entry in season.entries]
    if command.player in entries:
        return (e.EntryWithdrawn(player=command.player),)
    line = season.plays_as(command.player) if begun else None
    if line is None:
        raise NotAllowed("not_in_season", say("You aren't in season {n}, so there is nothing to leave.", n=season.number))
    # a player who withdraws later is not struck, so that their opponents are not worse off than those who met them before
    struck = state.settings.format in FIXED and _is_early(state, season, line)
    ended = [fixture for fixture in season.fixtures if line in fixture.players and _ends(fixture)]
    results = [given_up(fixture, [line], now, [line] if struck else ()) for fixture in ended]
    left = e.PlayerWithdrawn(player=line, struck=struck, at=now)
    # whoever is off a ladder cannot lose a place there any more
    events: tuple[e.LeagueEvent, ...] = (*results, left) if season.climb is not None and command.results_first else (left, *results)
    return (*events, *next_joins(fold(events, state), waiting(state, season), now))


def _ends(fixture: Fixture) -> bool:
    # a begun game of more than two goes on without the player
    return not fixture.marks and (fixture.game is None or len(fixture.players) == 2)


def _is_early(state: LeagueState, season: Season, line: PlayerId) -> bool:
    """Return whether a player has played less than half of their games against the players who are in the table."""
    division = next(each for each in season.divisions if line in each.players)
    paired = season.paired.get(division.name, 0)
    # games that never take place are no part of the half: those of struck players and, left out by `schedule`, of barred pairs
    own = [one for one in season.of(division) if line in one.players and len(one.players) == 2 and season.struck.isdisjoint(one.players)]
    to_come = [one for one in schedule(state, season, division) if one.round > paired and line in one.players and len(one.players) == 2]
    played = scoring(state.settings).played
    over = [fixture for fixture in own if fixture.marks and played.issuperset(fixture.marks)]
    return 2 * len(over) < len(own) + len(to_come)


def come_back(state: LeagueState, command: c.ReturnPlayer, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Undo a withdrawal from a running season.

    All finished games of the line count again. Of the meetings that the withdrawal has decided, those asked for are played after all. A
    deadline that has passed meanwhile is set anew, as if the round began now. An opponent who has left since forfeits instead. Refuses
    (`not_withdrawn`) a player who has not left, (`season_full`) a ladder without room, and (`not_by_withdrawal`) any other meeting.
    """
    season = running(state)
    return _returned(state, season, _left_line(season, command.player), command, now)


def _left_line(season: Season, player: PlayerId) -> PlayerId:
    line = next((line for line in season.withdrawn if player in (line, season.who(line))), None)
    if line is None:
        message = say("Player {number} hasn't withdrawn from season {n}, so there is nothing to undo.", number=player, n=season.number)
        raise NotAllowed("not_withdrawn", message)
    return line


def _returned(
    state: LeagueState, season: Season, line: PlayerId, command: c.ReturnPlayer | c.SubstitutePlayer, now: datetime
) -> tuple[e.LeagueEvent, ...]:
    if season.climb is not None and not has_room(state, season, now):
        raise NotAllowed("season_full", say("Season {n} is full. Try again when somebody has left it.", n=season.number))
    decided = {one.number: one for one in season.fixtures if one.by is e.DecidedBy.WITHDRAWAL and line in one.players and not one.void}
    asked = command.meetings
    for number in asked or ():
        if number not in decided:
            raise NotAllowed("not_by_withdrawal", say("Meeting {number} wasn't decided by this withdrawal.", number=number))
    others = frozenset(season.withdrawn) - {line}
    wanted = [one for one in decided.values() if (_in_time(state, season, one, now) if asked is None else one.number in asked)]
    # whoever has left since would not come to these, so they are decided the other way round
    absent = [one for one in decided.values() if not others.isdisjoint(one.players)]
    again = [one for one in wanted if one not in absent]
    meetings = tuple(sorted(one.number for one in (*again, *absent)))
    events: list[e.LeagueEvent] = [e.PlayerReturned(player=line, meetings=meetings, reason=command.reason)]
    events += (given_up(one, others, now, season.struck & others) for one in absent)
    late = [one.number for one in again if one.deadline is not None and one.deadline <= now]
    if late:
        # by earlier rules, such a meeting is due at once where rounds have no time of their own
        until = now if state.settings.rules < 3 and not state.settings.round_days else time_up(state.settings, now)
        deadlines = tuple(moved(state.settings, number, until, now) for number in late)
        events.append(e.DeadlinesMoved(deadlines=deadlines, reason=command.reason))
    return (*events, *(_missed(fold(events, state), line, now) if command.missed else ()))


def _missed(state: LeagueState, line: PlayerId, now: datetime) -> Iterator[e.LeagueEvent]:
    """Yield the meetings of a line in rounds that were paired without it, where everybody meets everybody."""
    season = running(state)
    if state.settings.format not in FIXED:
        return
    division = next(each for each in season.divisions if line in each.players)
    missing = [one for one in missing_meetings(state, season, division) if line in one.players]
    yield from add_meetings(state, season, division, missing, now)


def _in_time(state: LeagueState, season: Season, fixture: Fixture, now: datetime) -> bool:
    """Return whether a meeting can still be played in time: before its deadline, and before a later round was paired by its result."""
    latest = state.settings.pace is Pace.TOGETHER or season.climb is not None or fixture.round == season.paired.get(fixture.division)
    return latest and (fixture.deadline is None or now < fixture.deadline)


def substitute(state: LeagueState, command: c.SubstitutePlayer, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Let somebody else play on, or the player again. A place whose player has withdrawn is filled, as `come_back` does it.

    Refuses (`not_in_season`) a player who is not there, (`plays_already`) a substitute who is or was in the season, and (`nobody_waits`) an
    empty waiting list.
    """
    season = running(state)
    is_free = season.plays_as(command.player) is None and any(command.player in (line, season.who(line)) for line in season.withdrawn)
    line = _left_line(season, command.player) if is_free else line_of(season, command.player)
    coming = command.substitute if command.substitute is not None else next(iter(waiting(state, season)), None)
    if coming is None:
        raise NotAllowed("nobody_waits", say("Nobody is on the waiting list. Name a substitute."))
    there = {player for division in season.divisions for player in division.players} | season.acted
    # a player may come back to their own line, and nobody comes into a second one
    if coming == command.player or (coming in there and coming != line):
        message = say("The substitute is in this season already. Find somebody who isn't.")
        raise NotAllowed("plays_already", message)
    event = e.PlayerSubstituted(player=line, substitute=coming, rating=command.rating, reason=command.reason)
    if not is_free:
        return (event,)
    returned, *games = _returned(state, season, line, command, now)
    return (returned, event, *games)
