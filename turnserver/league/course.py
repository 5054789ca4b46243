"""The course of a league: the things that are due, their instants, and the events that follow."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import GameId
from turnserver.league.approving import approve_waiting, waiting_for_approval
from turnserver.league.closing import close_if_played, closes_at, is_played, playoffs_due
from turnserver.league.commands import AnnounceSeason, CheckLeague
from turnserver.league.entering import announce, goes_on_at, start_by_itself
from turnserver.league.events import LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import lots_due, next_begins, over_at, strays
from turnserver.league.formats.ladder_decisions import instants, lapse
from turnserver.league.pairing import deserted, draw_lots, end_deserted, judge_late, pair_rounds, remind_slow, reminders, void_strays
from turnserver.league.scoring.lots import Drawing
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say


def due(state: LeagueState) -> datetime | None:
    """Return when a league is to be checked next, which may be past. None if nothing happens by itself."""
    season = state.season
    if season is None:
        return None
    match season.phase:
        case Phase.ENTRIES | Phase.READY_CHECK:
            return goes_on_at(state, season)
        case Phase.RUNNING if season.paused_at is not None:
            return None
        case Phase.RUNNING:
            return min(awaited(state, season), default=None)
        case Phase.CLOSED:
            return state.next_at
        case _:
            assert_never(season.phase)


def awaited(state: LeagueState, season: Season) -> Iterator[datetime]:
    """Yield the instants at which something is due by itself in a running season. Some may be past."""
    for fixture in season.fixtures:
        if fixture.deadline is not None and not fixture.marks and not fixture.overdue:
            yield fixture.deadline
    yield from (at for at, _ in reminders(season))
    yield from (fixture.held_until for fixture in waiting_for_approval(season) if fixture.held_until is not None)
    # an instant that is past for certain: there is nothing to wait for
    yield from (season.began for _ in deserted(season))
    yield from instants(state, season)
    for division in season.divisions:
        # due since the last game, so at once
        if lots_due(state, season, division) or strays(state, season, division):
            yield over_at(season.of(division), season.began)
        begins = next_begins(state, season, division)
        if begins is not None:
            yield begins
    if is_played(state, season) and not playoffs_due(state, season):
        ends = closes_at(season)
        if ends is not None:
            yield ends


def check(state: LeagueState, command: CheckLeague, now: datetime, lots: Drawing) -> tuple[LeagueEvent, ...]:
    """Return the events of everything that is due by now, one after another. Refuses (`nothing_due`) if nothing is due."""
    done = go_on(state, command, now, lots)
    if not done:
        raise NotAllowed("nothing_due", say("There is nothing to do in this league now."))
    return done


def go_on(state: LeagueState, command: CheckLeague, now: datetime, lots: Drawing) -> tuple[LeagueEvent, ...]:
    """Return the events of everything that is due by now; perhaps none."""
    done: list[LeagueEvent] = []
    # what one step decides may make another one due, also of a kind that was asked before
    while events := _step(state, command, now, lots):
        done += events
        state = fold(events, state)
    return tuple(done)


def _step(state: LeagueState, command: CheckLeague, now: datetime, lots: Drawing) -> tuple[LeagueEvent, ...]:
    season = state.season
    if season is None:
        return ()
    match season.phase:
        case Phase.ENTRIES | Phase.READY_CHECK:
            return start_by_itself(state, season, command.ratings, now, lots)
        case Phase.RUNNING if season.paused_at is not None:
            return ()
        case Phase.RUNNING:
            return (
                # The order matters. Deadlines come before reminders, so that nobody is reminded of a game that has just been judged. All
                # results come before lots and pairings, which are made from them. The end of the season comes last.
                judge_late(state, season, command, now)
                or remind_slow(season, now)
                or end_deserted(season, now)
                or void_strays(state, season, now)
                or draw_lots(state, season, lots)
                or approve_waiting(state, season, now)
                or pair_rounds(state, season, now, lots)
                or lapse(state, season, now)
                or close_if_played(state, season, now, lots)
            )
        case Phase.CLOSED:
            return _next(state, command, now, lots)
        case _:
            assert_never(season.phase)


def _next(state: LeagueState, command: CheckLeague, now: datetime, lots: Drawing) -> tuple[LeagueEvent, ...]:
    if state.next_at is None or state.next_at > now:
        return ()
    days = state.for_next.settings.entry_days
    # 0 days: the entries are open until an admin ends them
    until = now + timedelta(days=days) if days else None
    return announce(state, AnnounceSeason(until, command.ratings), now, lots)


def meeting_of(season: Season, game: GameId) -> Fixture | None:
    """Return the meeting that a game belongs to; None if it belongs to none."""
    return next((fixture for fixture in season.fixtures if fixture.game == game), None)
