"""Deciding about deadlines of meetings that an admin moves."""

from collections.abc import Iterator
from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import MoveDeadlines
from turnserver.league.guards import changing, fixture_of, running, undecided, within_reach
from turnserver.league.pairing import reminder
from turnserver.league.settings import Settings
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.text import say


def move_deadlines(state: LeagueState, command: MoveDeadlines, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Move the deadlines of meetings that are not over, and remind their players in time of the new ones.

    Refuses (`nothing_open`) no meetings, (`decided`) one with a result, (`bad_instant`) a deadline that has passed or is out of reach, and
    (`as_it_is`) the deadlines that the meetings have.
    """
    season = running(state)
    if not command.deadlines:
        raise NotAllowed("nothing_open", say("None of these games is open with a deadline that could be moved."))
    for number, deadline in command.deadlines.items():
        undecided(fixture_of(season, number))
        if deadline is not None and deadline <= now:
            raise NotAllowed("bad_instant", say("That deadline would be in the past. Choose a later time."))
        if deadline is not None:
            within_reach(deadline)
    changing(same=all(season.fixtures[number - 1].deadline == deadline for number, deadline in command.deadlines.items()))
    deadlines = tuple(moved(state.settings, number, deadline, now) for number, deadline in sorted(command.deadlines.items()))
    return (e.DeadlinesMoved(deadlines=deadlines, reason=command.reason),)


def moved(settings: Settings, meeting: int, deadline: datetime | None, now: datetime) -> e.MovedDeadline:
    """Return the new deadline of a meeting, with the reminder of it."""
    return e.MovedDeadline(meeting=meeting, deadline=deadline, remind_at=reminder(settings, deadline, now))


def still_open(
    season: Season, *, division: str | None = None, number: int | None = None, player: PlayerId | None = None, meeting: int | None = None
) -> Iterator[Fixture]:
    """Yield the meetings without a result: all, or those of a division, a round, a player, or the one with that number."""
    for one in season.fixtures:
        named = division in (None, one.division) and number in (None, one.round) and meeting in (None, one.number)
        if not one.marks and named and (player is None or player in map(season.who, one.players)):
            yield one
