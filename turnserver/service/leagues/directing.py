"""The acts of those who direct a league, by mail: a line, read as the league stands, becomes the command that it asks for."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.errors import NotAllowed
from turnserver.ids import Burden, LeagueId, PlayerId, actor, league_stream
from turnserver.league import commands as c
from turnserver.league import rights
from turnserver.league.deadlines import still_open
from turnserver.league.events import WordsSent
from turnserver.league.guards import running
from turnserver.league.state import LeagueState
from turnserver.league.words import LONGEST
from turnserver.mail.inbound.directions import WRITING
from turnserver.mail.inbound.phrases import Direct
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices.league import words_sent
from turnserver.service.leagues.folds import LeagueAt, LeagueDecision
from turnserver.service.leagues.meetings import decided, meeting
from turnserver.service.leagues.repository import Leagues
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say

DAY: Final = timedelta(days=1)
LETTERS_A_DAY: Final = 3
"""How often somebody may write to players of a league by mail within a day."""


def decide(tx: Transaction, known: Leagues, person: Person, direction: Direct, now: datetime) -> LeagueDecision:
    """Decide what a person directs in a league, now, as an admin's command is.

    Refuses (`no_right`) whoever has no role that allows it, and (`no_reason_kept`) a reason that the log would not have. Raises NotFound
    for an unknown league, player or meeting, and other Refusals.
    """
    league = leagues.find(tx, direction.league)
    at = known.load(tx, league)
    if person.id not in at.state.roles:
        # Before anything is looked up, so that nobody learns of the league what is not theirs to know.
        message = say("You don't direct {league}, so nothing has changed. If you should, ask the admin.", league=at.state.name)
        raise NotAllowed("no_right", message)
    command = _COMMANDS[direction.act](_Asked(tx, known, league, at, person, direction, now))
    rights.require(at.state, person.id, command)
    try:
        decision = known.decide(league, at, command, now)
    except NotAllowed as refused:
        raise _to_organiser(refused, tx, at.state, direction) from refused
    if direction.reason and not any(getattr(event, "reason", "") == direction.reason for event in decision.own):
        # The mail about their role promises that players read it.
        message = say("No reason is kept for that, so nobody would read yours, and nothing has changed. Send the line without it.")
        raise NotAllowed("no_reason_kept", message)
    return decision


def _to_organiser(refused: NotAllowed, tx: Transaction, state: LeagueState, direction: Direct) -> NotAllowed:
    """Return a refusal in words for an organiser: it is about somebody else, and nobody is to be asked but the admin."""
    n = state.seasons
    words: Mapping[str, str] = {"season_running": say("Season {n} has begun already.", n=n)}
    if direction.act in _OF_PLAYER:
        words = _about(people.find_player(tx, direction.words[0]).name, n)
    return NotAllowed(refused.code, words[refused.code]) if refused.code in words else refused


def _about(name: str, n: int) -> Mapping[str, str]:
    """Return the words of refusals about a player of that name in season `n`, by their codes."""
    built_on = say("Games of season {n} follow from the entry of {player}, so it stays. Withdraw them instead.", n=n, player=name)
    return {
        "already_entered": say("{player} is in season {n} already.", player=name, n=n),
        "not_in_season": say("{player} isn't in season {n}, or has left it.", player=name, n=n),
        "not_withdrawn": say("{player} hasn't left season {n} since it began, so there is nothing to undo.", player=name, n=n),
        "season_running": say("Season {n} has begun. Ask the admin whether {player} can still come in.", n=n, player=name),
        "entries_closed": say("Entries for season {n} are closed. Ask the admin whether {player} can still come in.", n=n, player=name),
        "not_late": say("{player} was in season {n} from its start. Withdraw them instead.", player=name, n=n),
        "has_played": built_on,
        "sits_with_others": built_on,
        "is_built_on": built_on,
    }


def letters(decision: LeagueDecision, direction: Direct, writer: PlayerId) -> tuple[Notice, ...]:
    """Return the mails with the words of a direction, the writer's own copy among them. None for a direction that writes to nobody."""
    sent = next((event for event in decision.own if isinstance(event, WordsSent)), None)
    if sent is None:
        return ()
    mails = words_sent(sent, _letter(direction))
    return mails if writer in sent.players else (*mails, replace(mails[0], player=writer))


class _Asked(NamedTuple):
    """A direction by a person, and the league that it is about."""

    tx: Transaction
    known: Leagues
    league: LeagueId
    at: LeagueAt
    person: Person
    direction: Direct
    now: datetime

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
    fixture, verdict = decided(asked.tx, asked.league, asked.state, named, how)
    return c.SetResult(fixture.number, verdict.marks, asked.reason, verdict.places)


def _extend(asked: _Asked) -> c.LeagueCommand:
    *named, hours = asked.words
    season = running(asked.state)
    those = still_open(season, meeting=meeting(asked.tx, asked.league, asked.state.name, season, named).number if named else None)
    later = {one.number: one.deadline + timedelta(hours=int(hours)) for one in those if one.deadline is not None}
    return c.MoveDeadlines(later, asked.reason)


def _playoff(asked: _Asked) -> c.LeagueCommand:
    season, players = running(asked.state), [asked.player(at) for at in range(1, len(asked.words))]
    # Places are those of lines: whoever plays on for somebody is named by that player's.
    return c.DecidePlayoff(asked.words[0], tuple(season.plays_as(player) or player for player in players))


def _mail(asked: _Asked) -> c.LeagueCommand:
    division, number, _ = asked.words
    words = _letter(asked.direction)
    if len(words) > LONGEST:
        message = say("Your words have {n} characters, and {most} fit into a mail. Shorten them.", n=len(words), most=LONGEST)
        raise NotAllowed("words_too_long", message)
    rows = log.load(asked.tx, league_stream(asked.league))
    mine = (row for row in rows if row.actor == actor(asked.person.id) and isinstance(row.event, WordsSent))
    if sum(row.at > asked.now - DAY for row in mine) >= LETTERS_A_DAY:
        message = say(
            "You have written to players of {league} {n} times within a day. Write again tomorrow.",
            league=asked.state.name,
            n=LETTERS_A_DAY,
        )
        raise NotAllowed("words_a_day", message)
    return c.SendWords(sha256(words.encode()).hexdigest(), division or None, int(number) if number else None)


def _letter(direction: Direct) -> str:
    """Return the words that are written to players. Marks that nobody sees, which mail programs leave, are no part of them."""
    spaced = "".join(" " if letter.isspace() and letter != "\n" else letter for letter in direction.words[-1])
    return "".join(letter for letter in spaced if letter.isprintable() or letter == "\n").strip()


_COMMANDS: Final[Mapping[str, Callable[[_Asked], c.LeagueCommand]]] = MappingProxyType(
    {
        "result": _result,
        "extend": _extend,
        "playoff": _playoff,
        "approve": lambda _: c.Approve(),
        "remind": lambda _: c.Remind(),
        WRITING: _mail,
        "enter": lambda one: one.known.entry(one.tx, one.at, people.find_player(one.tx, one.words[0]), by_admin=True),
        "withdraw": lambda one: c.Withdraw(one.player()),
        "return": lambda one: c.ReturnPlayer(one.player(), one.reason),
        "remove": lambda one: c.UndoAdmission(one.player(), one.reason),
        "substitute": lambda one: c.SubstitutePlayer(one.player(), one.player(1), Burden.SEAT, one.reason),
        "open": lambda one: c.AnnounceSeason(None, one.known.ratings(one.tx, one.state)),
        "start": lambda one: c.StartSeason(one.known.ratings(one.tx, one.state)),
        "pause": lambda one: c.PauseSeason(one.reason),
        "resume": lambda one: c.ResumeSeason(one.reason),
    }
)
"""By the keys of `mail.inbound.directions.ACTS`."""

_OF_PLAYER: Final = frozenset({"enter", "withdraw", "return", "remove", "substitute"})
"""The acts whose first word names a player."""
