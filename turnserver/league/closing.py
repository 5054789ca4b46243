"""Deciding how a season ends: lots and playoffs for places that are open, the final tables, and the events that follow."""

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import is_over, over_at
from turnserver.league.guards import division_of, fitting, fixture_of, in_table, played, running, undecided, with_table
from turnserver.league.pairing import approved_by_itself, ask_admin, late, recorded
from turnserver.league.scoring.lots import Drawing
from turnserver.league.scoring.record import alike
from turnserver.league.scoring.standings import Open, division_table, final_table
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import POINTS, WITHOUT_POINTS, Approval
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.text import say

AFTERWARDS: Final = "the game came to this after the end of the season"
"""The reason for changed tables of a season that is over."""


def carry(state: LeagueState, command: c.CarryResult) -> tuple[e.LeagueEvent, ...]:
    """Record the result of a game, also in a season that is over: a game may be reopened, or its result annulled.

    Refuses (`decided`) if there is a result already, and (`bad_result`) marks and places that are no result.
    """
    season = played(state)
    fixture = fixture_of(season, command.meeting, parted=True)
    undecided(fixture)
    # the tables of that season change with this result, so the event says why
    reason = AFTERWARDS if season.phase is Phase.CLOSED else ""
    return (recorded(fixture.number, fitting(state, fixture, command), command.at, e.DecidedBy.GAME, reason),)


def reopen(state: LeagueState, command: c.ReopenResult) -> tuple[e.LeagueEvent, ...]:
    """Take back the result of a game that goes on. Refuses (`not_by_game`) a result that did not come from the game."""
    fixture = fixture_of(played(state), command.meeting, parted=True)
    if fixture.by is not e.DecidedBy.GAME:
        message = say("Meeting {number} has no game result to take back.", number=fixture.number)
        raise NotAllowed("not_by_game", message)
    return (e.ResultReopened(meeting=fixture.number),)


def set_result(state: LeagueState, command: c.SetResult, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Record or correct a result for an admin, also in a season that is over.

    Refuses (`bad_result`) marks and places that are no result, and (`same_result`) the result that is there already.
    """
    fixture = fixture_of(with_table(state), command.meeting)
    verdict = fitting(state, fixture, command)
    if fixture.verdict == verdict:
        raise NotAllowed("same_result", say("Meeting {number} has that result already.", number=fixture.number))
    if fixture.marks:
        return (e.ResultCorrected(meeting=fixture.number, marks=verdict.marks, reason=command.reason, places=verdict.places),)
    return (recorded(fixture.number, verdict, now, e.DecidedBy.ADMIN, command.reason),)


def is_played(state: LeagueState, season: Season) -> bool:
    """Return whether all divisions have played everything."""
    return all(is_over(state, season, division) for division in season.divisions)


def playoffs_due(state: LeagueState, season: Season) -> tuple[tuple[e.Division, Open], ...]:
    """Return the places for which playoffs are due, once everything else is played."""
    if TieBreak.PLAYOFF not in state.settings.tie_breaks:
        return ()
    tables = [(division, division_table(state, season, division)) for division in season.divisions]
    return tuple((division, one) for division, table in tables for one in table.open if one.tie_break is TieBreak.PLAYOFF)


def close_if_played(state: LeagueState, season: Season, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Close the season if everything is played and no playoff is due. Otherwise return no events.

    If a director approves the tables, ask for that first, and close at the end of the time for it.
    """
    if not is_played(state, season) or playoffs_due(state, season):
        return ()
    if Approval.TABLE in state.settings.approve and not season.tables_held:
        drawn, _ = _final(state, season, lots)
        return (*drawn, e.TablesHeld(approved_at=approved_by_itself(state.settings, now)))
    ends = closes_at(season)
    return () if ends is None or ends > now else _closed(state, season, now, lots)


def closes_at(season: Season) -> datetime | None:
    """Return when a season in which everything is played is over, or asks a director. None if it waits for one without an end."""
    return season.tables_held_until if season.tables_held else over_at(season.fixtures, season.began)


def stand(state: LeagueState, season: Season, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Close a season whose tables wait for a director. Return no events for any other."""
    return _closed(state, season, now, lots) if season.tables_held and is_played(state, season) else ()


def _left_open(season: Season, reason: str, now: datetime) -> tuple[e.ResultRecorded, ...]:
    """Return the end of all unfinished games, without a result. `CLOSING` is how `reopen_season` finds these meetings again."""
    return tuple(
        recorded(fixture.number, alike(fixture.players), now, e.DecidedBy.CLOSING, reason)
        for fixture in season.fixtures
        if not fixture.marks
    )


def cancel(state: LeagueState, command: c.CancelSeason, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Call off a season that has begun. Finished games stay as they are, the others end without a result."""
    season = running(state)
    return (*_left_open(season, command.reason, now), e.SeasonCancelled(reason=command.reason, secret=lots.of(season.number)))


def close(state: LeagueState, command: c.CloseSeason, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Close the season early. Refuses (`playoff_due`) while a place still needs a playoff."""
    season = running(state)
    left = _left_open(season, command.reason, now)
    after = fold(left, state)
    events = _closed(after, running(after), now, lots)
    if not events:
        raise NotAllowed("playoff_due", say("Some players are tied and have to play it out. Enter the order of that playoff first."))
    return (*left, *events)


def _closed(state: LeagueState, season: Season, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Return the end of a season: the lots that are asked for, and the final tables. Nothing while a playoff is due."""
    if playoffs_due(state, season):
        return ()
    drawn, tables = _final(state, season, lots)
    days = state.settings.next_days
    next_at = None if days is None else now + timedelta(days=days)
    return (*drawn, e.SeasonClosed(tables=tables, secret=lots.of(season.number), next_at=next_at))


def _final(state: LeagueState, season: Season, lots: Drawing) -> tuple[tuple[e.LotsDrawn, ...], tuple[e.FinalTable, ...]]:
    """Return the lots that are still asked for, and the tables with them."""
    tables = [division_table(state, season, division) for division in season.divisions]
    # One draw orders the whole division. So players who are tied only after a correction need no second draw.
    drawn = tuple(
        e.LotsDrawn(division=division.name, players=lots.drawn(season.number, f"places in {division.name}", division.players))
        for division, table in zip(season.divisions, tables, strict=True)
        if any(one.tie_break is TieBreak.LOTS for one in table.open)
    )
    # lots part players, so the tables are made once more with them
    if drawn:
        season = fold(drawn, state).season or season
        tables = [division_table(state, season, division) for division in season.divisions]
    return drawn, tuple(final_table(season, division, table) for division, table in zip(season.divisions, tables, strict=True))


def penalize(state: LeagueState, command: c.Penalize) -> tuple[e.LeagueEvent, ...]:
    """Take points from a line of a table, or give them back.

    The points count for places only, not for pairing, and not for the figures of opponents. Refuses (`no_points`) where places do not come
    from points, (`bad_points`) a number that is not whole or half, zero, or more given back than was taken, and (`not_in_season`) a player
    who is in no table.
    """
    season = with_table(state)
    if state.settings.format in WITHOUT_POINTS:
        raise NotAllowed("no_points", say("Places don't come from points here. Correct a result instead."))
    line = in_table(season, command.player)
    points = Fraction(command.points) if POINTS.fullmatch(command.points) else Fraction(0)
    if not points or (2 * points).denominator > 1:
        raise NotAllowed("bad_points", say("That isn't a penalty. Write whole or half points, such as 1 or 1/2."))
    taken = sum((given.points for given in season.penalties.get(line, ())), Fraction(0))
    if taken + points < 0:
        raise NotAllowed("bad_points", say("Only {points} were taken from this player. You can't give back more.", points=str(taken)))
    return (e.PenaltyGiven(player=line, points=str(points), reason=command.reason),)


def with_tables(state: LeagueState, events: tuple[e.LeagueEvent, ...], lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Return the events with the corrected tables that they cause, if the season is over. Its playoffs are not played again."""
    after = fold(events, state)
    season = played(after)
    if season.phase is not Phase.CLOSED or season.cancelled:
        return events
    drawn, tables = _final(after, season, lots)
    return (*events, *drawn, e.TablesCorrected(tables=tables))


def reopen_season(state: LeagueState, command: c.ReopenSeason, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Continue the last season, if no other was announced since.

    Deadlines stay. The season's lots are known by now and stay. Refuses (`not_closed`) if no season is over, and (`nothing_open`) if
    everything was played.
    """
    season = state.season
    if season is None or season.phase is not Phase.CLOSED:
        raise NotAllowed(
            "not_closed", say("There is no closed season. Only the last one can be reopened, and only before the next is announced.")
        )
    # the games of these were annulled when the season was closed; all other results stand
    left = tuple(fixture.number for fixture in season.fixtures if fixture.by is e.DecidedBy.CLOSING)
    reopened = e.SeasonReopened(meetings=left, reason=command.reason)
    after = fold([reopened], state)
    again = running(after)
    if is_played(after, again) and not season.cancelled:
        raise NotAllowed("nothing_open", say("Every game of season {n} is over. Correct a result if one is wrong.", n=season.number))
    # nobody could play while the season was closed, so a deadline of that time judges nobody: an admin decides
    return (reopened, *ask_admin(late(again, now)))


def decide_playoff(state: LeagueState, command: c.DecidePlayoff) -> tuple[e.LeagueEvent, ...]:
    """Record the order after a playoff. Refuses (`no_playoff`) players among whom none is due."""
    season = running(state)
    division = division_of(season, command.division)
    # until everything is played, others may still be tied for the same place
    due = playoffs_due(state, season) if is_played(state, season) else ()
    if not any(where == division and sorted(one.players) == sorted(command.players) for where, one in due):
        message = say("There is no playoff between these players. Name everybody who is tied for a place once all other games are over.")
        raise NotAllowed("no_playoff", message)
    return (e.PlayoffDecided(division=division.name, players=command.players),)
