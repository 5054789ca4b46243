"""Deciding about results: those that games bring, and what an admin says."""

from datetime import datetime
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.league.commands import CarryResult, ReopenResult, SetResult
from turnserver.league.events import DecidedBy, LeagueEvent, ResultCorrected, ResultRecorded, ResultReopened
from turnserver.league.guards import fitting, fixture_of, played, undecided
from turnserver.league.state import LeagueState, Phase
from turnserver.text import say

AFTERWARDS: Final = "the game came to this after the end of the season"
"""Why the tables of a season that is over have changed."""


def carry(state: LeagueState, command: CarryResult) -> tuple[LeagueEvent, ...]:
    """Record what a game has brought, also in a season that is over: a game may be reopened, or its result annulled.

    Refuses (`decided`) if there is a result already, and (`bad_result`) what is none.
    """
    season = played(state)
    fixture = fixture_of(season, command.meeting)
    undecided(fixture)
    marks, places = fitting(state, fixture, command)
    reason = AFTERWARDS if season.phase is Phase.CLOSED else ""
    return (ResultRecorded(meeting=fixture.number, marks=marks, places=places, at=command.at, by=DecidedBy.GAME, reason=reason),)


def reopen(state: LeagueState, command: ReopenResult) -> tuple[LeagueEvent, ...]:
    """Take back what a game has brought, as it goes on. Refuses (`not_by_game`) any other result."""
    fixture = fixture_of(played(state), command.meeting)
    if fixture.by is not DecidedBy.GAME:
        told = say("Meeting {number} has no result of its game that could be taken back.", number=fixture.number)
        raise NotAllowed("not_by_game", told)
    return (ResultReopened(meeting=fixture.number),)


def set_result(state: LeagueState, command: SetResult, now: datetime) -> tuple[LeagueEvent, ...]:
    """Record or correct a result for an admin, also in a season that is over.

    Refuses (`bad_result`) what is none, and (`same_result`) what it is already.
    """
    fixture = fixture_of(played(state), command.meeting)
    verdict = fitting(state, fixture, command)
    marks, places = verdict
    reason = command.reason
    if fixture.verdict == verdict:
        raise NotAllowed("same_result", say("That is the result of meeting {number} already.", number=fixture.number))
    if fixture.marks:
        return (ResultCorrected(meeting=fixture.number, marks=marks, places=places, reason=reason),)
    return (ResultRecorded(meeting=fixture.number, marks=marks, places=places, at=now, by=DecidedBy.ADMIN, reason=reason),)
