"""Deciding about pauses of a season."""

from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.league import events as e
from turnserver.league.commands import PauseSeason, ResumeSeason
from turnserver.league.deadlines import moved
from turnserver.league.guards import running
from turnserver.league.state import LeagueState
from turnserver.text import say


def pause(state: LeagueState, command: PauseSeason, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Pause a season. On a ladder nobody can be challenged, and nobody is idle meanwhile. Refuses (`paused`) a season that is paused."""
    season = running(state)
    if season.paused_at is not None:
        raise NotAllowed("paused", say("Season {n} is paused already.", n=season.number))
    return (e.SeasonPaused(at=now, reason=command.reason),)


def resume(state: LeagueState, command: ResumeSeason, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Go on with a paused season. Deadlines that had not passed move by its length. Refuses (`not_paused`) any other season."""
    season = running(state)
    since = season.paused_at
    if since is None:
        raise NotAllowed("not_paused", say("Season {n} isn't paused, so there is nothing to resume.", n=season.number))
    deadlines = tuple(
        moved(state.settings, one.number, one.deadline + (now - since), now)
        for one in season.fixtures
        if not one.marks and not one.overdue and one.deadline is not None and one.deadline > since
    )
    resumed = e.SeasonResumed(at=now, reason=command.reason)
    return (resumed, e.DeadlinesMoved(deadlines=deadlines, reason="")) if deadlines else (resumed,)
