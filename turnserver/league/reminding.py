"""Deciding when players are reminded of a round that is to be over soon."""

from collections.abc import Iterable
from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.league.commands import Remind
from turnserver.league.events import LeagueEvent, RoundReminded
from turnserver.league.guards import division_of, running
from turnserver.league.pairing import by_round
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.text import say


def reminders(season: Season) -> tuple[tuple[datetime, Fixture], ...]:
    """When players are going to be reminded of meetings that are not over."""
    open_now = (one for one in season.fixtures if not one.marks and not one.overdue)
    return tuple((one.remind_at, one) for one in open_now if one.remind_at is not None)


def remind_slow(season: Season, now: datetime) -> tuple[LeagueEvent, ...]:
    """Reminders of all rounds for which the time has come; nothing if there are none."""
    return _reminded(one for at, one in reminders(season) if at <= now)


def remind(state: LeagueState, command: Remind) -> tuple[LeagueEvent, ...]:
    """Reminders of everything that is not over, now. Refuses (`nothing_open`) if there is nothing."""
    season = running(state)
    named = None if command.division is None else division_of(season, command.division).name
    events = _reminded(one for one in season.fixtures if not one.marks and named in (None, one.division))
    if not events:
        raise NotAllowed("nothing_open", say("All games that have begun are over. There is nobody to remind."))
    return events


def _reminded(fixtures: Iterable[Fixture]) -> tuple[LeagueEvent, ...]:
    return tuple(RoundReminded(division=name, round=at, meetings=numbers) for (name, at), numbers in by_round(fixtures).items())
