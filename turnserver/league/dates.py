"""Deciding about dates of a season that an admin moves: of its entries and its start, and of the rounds to come."""

from datetime import datetime, timedelta

from turnserver.errors import NotAllowed
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.entering import entries_until
from turnserver.league.formats.formats import planned_begin, rounds_due
from turnserver.league.formats.ladder_decisions import challenges_end
from turnserver.league.guards import before_start, changing, running, within_reach
from turnserver.league.settings import Format
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.text import say


def move_season(state: LeagueState, command: c.MoveSeason, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Move the end of entries and the start of a season that has not begun. A ready check goes on until the start.

    Refuses (`bad_instant`) dates in the past or in the wrong order, no start in a ready check, and (`as_it_is`) no change.
    """
    season = before_start(state)
    if season.phase is Phase.READY_CHECK:
        until, starts = season.entries_until, command.starts_at
        if starts is None or starts <= now:
            raise NotAllowed("bad_instant", say("The ready check ends with the start. Choose a later time for it."))
        before = season.ready_until
    else:
        until, starts = entries_until(state, c.AnnounceSeason(command.entries_until, starts_at=command.starts_at), now), command.starts_at
        before = season.starts_at
    changing(same=(until, starts) == (season.entries_until, before))
    return (e.SeasonMoved(entries_until=until, starts_at=starts, reason=command.reason),)


def move_rounds(state: LeagueState, command: c.MoveRounds, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Move the dates of rounds that are not paired, or the end of a ladder's challenges.

    Refuses (`no_dates`) a season without such dates, (`rounds_follow`) one whose rounds each begin when the one before is over, and
    (`bad_instant`) dates in the past or out of reach, or no move at all.
    """
    season = running(state)
    dates = coming_dates(state, season)
    if not dates:
        # A ladder has no rounds that wait for one another.
        if state.settings.format is not Format.LADDER and any(
            season.paired.get(one.name, 0) < rounds_due(state, season, one) for one in season.divisions
        ):
            raise NotAllowed(
                "rounds_follow",
                say(
                    "Each round of season {n} begins when the one before is over, so no dates can be moved. Its games have deadlines that "
                    "can be.",
                    n=season.number,
                ),
            )
        raise NotAllowed(
            "no_dates",
            say("Season {n} has no dates to come. Its games have deadlines that can be moved.", n=season.number),
        )
    if not command.later or (command.later < timedelta(0) and min(dates) + command.later <= now):
        raise NotAllowed("bad_instant", say("That would be in the past, or no change. Choose a later time."))
    within_reach(max(dates) + command.later)
    return (e.RoundsMoved(seconds=round(command.later.total_seconds()), reason=command.reason),)


def coming_dates(state: LeagueState, season: Season) -> tuple[datetime, ...]:
    """Return the dates that the season has by its plan: of the next round of each division, or the end of a ladder's challenges."""
    if state.settings.format is Format.LADDER:
        ends = challenges_end(state, season)
        return (ends,) if ends is not None and not season.ended else ()
    if not state.settings.round_every:
        return ()
    numbers = ((division, season.paired.get(division.name, 0) + 1) for division in season.divisions)
    return tuple(planned_begin(state, season, number) for division, number in numbers if number <= rounds_due(state, season, division))
