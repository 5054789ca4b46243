"""Deciding about what a director approves before it holds: the pairings of a round, and the final tables."""

from collections.abc import Iterable
from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.league import events as e
from turnserver.league.closing import stand
from turnserver.league.commands import Approve
from turnserver.league.deadlines import moved
from turnserver.league.guards import division_of, running
from turnserver.league.pairing import by_round, round_deadline
from turnserver.league.scoring.lots import Drawing
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say


def approve(state: LeagueState, command: Approve, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Let games begin that wait for a director, and let final tables stand. Refuses (`nothing_to_approve`) if nothing waits, or (`paused`).

    The deadlines of a round count from now.
    """
    season = state.season
    if season is not None and season.phase is Phase.CLOSED and not season.cancelled:
        # of two directors, the second may answer a mail about a table that the first has approved
        message = say("Nothing waits for approval here: season {n} is over, and its table stands.", n=season.number)
        raise NotAllowed("nothing_to_approve", message)
    season = running(state)
    if season.paused_at is not None:
        raise NotAllowed("paused", say("Season {n} is paused. Resume it first.", n=season.number))
    named = None if command.division is None else division_of(season, command.division).name
    those = [one for one in waiting_for_approval(season) if named in (None, one.division) and command.round in (None, one.round)]
    events = _approved(state, those, now)
    if not events and command == Approve():
        events = stand(state, season, now, lots)
    if not events:
        raise NotAllowed("nothing_to_approve", say("Nothing waits for approval here."))
    return events


def approve_waiting(state: LeagueState, season: Season, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Let the games begin whose time for an approval is over, if any."""
    those = (one for one in waiting_for_approval(season) if one.held_until is not None and one.held_until <= now)
    return _approved(state, those, now)


def waiting_for_approval(season: Season) -> tuple[Fixture, ...]:
    """Return the meetings whose games wait for a director."""
    return tuple(one for one in season.fixtures if one.held and not one.marks)


def _approved(state: LeagueState, fixtures: Iterable[Fixture], now: datetime) -> tuple[e.LeagueEvent, ...]:
    those = tuple(fixtures)
    rounds = tuple(e.RoundApproved(division=name, round=at, meetings=numbers) for (name, at), numbers in by_round(those).items())
    # Where all rounds begin with the season, they begin with the approval now.
    begun = [(one.number, round_deadline(state.settings, now, one.round, now)) for one in those]
    deadlines = tuple(moved(state.settings, number, deadline, now) for number, deadline in begun if deadline is not None)
    return (*rounds, *((e.DeadlinesMoved(deadlines=deadlines, reason=""),) if deadlines else ()))
