"""The acts of those who direct a league, by mail: a line, read as the league stands, becomes the command that it asks for."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.errors import NotAllowed
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import rights
from turnserver.league.deadlines import still_open
from turnserver.league.guards import running, with_table
from turnserver.league.state import LeagueState
from turnserver.mail.inbound.phrases import Direct
from turnserver.service.leagues.folds import LeagueAt, LeagueDecision
from turnserver.service.leagues.meetings import decided
from turnserver.service.leagues.repository import Leagues
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say


def decide(tx: Transaction, known: Leagues, person: Person, direction: Direct, now: datetime) -> LeagueDecision:
    """Decide what a person directs in a league, now, as an admin's command is.

    Refuses (`no_right`) whoever has no role that allows it. Raises NotFound for an unknown league, player or meeting, and other Refusals.
    """
    league = leagues.find(tx, direction.league)
    at = known.load(tx, league)
    if person.id not in at.state.roles:
        # Before anything is looked up, so that nobody learns of the league what is not theirs to know.
        message = say("You don't direct {league}, so nothing has changed. If you should, ask the admin.", league=at.state.name)
        raise NotAllowed("no_right", message)
    command = _COMMANDS[direction.act](_Asked(tx, known, at, direction))
    rights.require(at.state, person.id, command)
    return known.decide(league, at, command, now)


class _Asked(NamedTuple):
    """A direction, and the league that it is about."""

    tx: Transaction
    known: Leagues
    at: LeagueAt
    direction: Direct

    @property
    def state(self) -> LeagueState:
        return self.at.state

    @property
    def words(self) -> tuple[str, ...]:
        return self.direction.words

    @property
    def reason(self) -> str:
        return self.direction.reason

    def player(self, number: int = 0) -> PlayerId:
        """Return the player whom a word names. Raises NotFound."""
        return people.find_player(self.tx, self.words[number]).id


def _result(asked: _Asked) -> c.LeagueCommand:
    *named, how = asked.words
    fixture, verdict = decided(asked.tx, asked.state.name, with_table(asked.state), named, how)
    return c.SetResult(fixture.number, verdict.marks, asked.reason, verdict.places)


def _extend(asked: _Asked) -> c.LeagueCommand:
    number, hours = asked.words
    those = still_open(running(asked.state), meeting=int(number) if number else None)
    later = {one.number: one.deadline + timedelta(hours=int(hours)) for one in those if one.deadline is not None}
    return c.MoveDeadlines(later, asked.reason)


def _playoff(asked: _Asked) -> c.LeagueCommand:
    season, players = running(asked.state), [asked.player(at) for at in range(1, len(asked.words))]
    # Places are those of lines: whoever plays on for somebody is named by that player's.
    return c.DecidePlayoff(asked.words[0], tuple(season.plays_as(player) or player for player in players))


_COMMANDS: Final[Mapping[str, Callable[[_Asked], c.LeagueCommand]]] = MappingProxyType(
    {
        "result": _result,
        "extend": _extend,
        "playoff": _playoff,
        "approve": lambda _: c.Approve(),
        "remind": lambda _: c.Remind(),
        "enter": lambda one: one.known.entry(one.tx, one.at, people.find_player(one.tx, one.words[0]), by_admin=True),
        "withdraw": lambda one: c.Withdraw(one.player()),
        "return": lambda one: c.ReturnPlayer(one.player(), one.reason),
        "substitute": lambda one: c.SubstitutePlayer(one.player(), one.player(1), Burden.SEAT, one.reason),
        "open": lambda one: c.AnnounceSeason(None, one.known.ratings(one.tx, one.state)),
        "start": lambda one: c.StartSeason(one.known.ratings(one.tx, one.state)),
        "pause": lambda one: c.PauseSeason(one.reason),
        "resume": lambda one: c.ResumeSeason(one.reason),
    }
)
"""By the keys of `mail.inbound.directions.ACTS`."""
