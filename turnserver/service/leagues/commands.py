"""The requests that a player's mail makes of a league: to enter, leave, check in, challenge for a place, or ask how it stands."""

from contextlib import suppress
from datetime import datetime
from typing import assert_never

from turnserver.errors import NotAllowed, Refusal
from turnserver.ids import LeagueId, PlayerId, Version, league_stream
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.state import Season
from turnserver.mail.inbound import phrases as p
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.notices import league as league_notices
from turnserver.service.leagues import repository as service
from turnserver.service.leagues.contexts import sees
from turnserver.service.leagues.folds import LeagueAt, LeagueDecision
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say


def decide(
    tx: Transaction, known: service.Leagues, person: Person, phrase: p.LeagueDeed | p.Challenge, arrived_at: datetime
) -> LeagueDecision:
    """Decide a league command that a person has sent, at the instant at which the mail arrived. Raises Refusal."""
    league = leagues.find(tx, phrase.league)
    at = known.load(tx, league)
    # At its arrival, since the sweep of leagues waits for mail that arrived in time.
    return known.decide(league, at, _command(tx, known, at, person, phrase), arrived_at)


def before_leaving(planned: LeagueDecision, person: Person) -> Notice | None:
    """Return the mail that asks a person whether they really leave, if that decision is that they leave a season that has begun."""
    left = next((event for event in planned.own if isinstance(event, e.PlayerWithdrawn)), None)
    if left is None or planned.before is None:
        return None
    return league_notices.leaving(person.id, planned.league, planned.before.version, struck=left.struck)


def still_asked(tx: Transaction, known: service.Leagues, answered: OutboxItem, person: Person, now: datetime) -> Notice | None:
    """Return the notice with the question about a league that a mail of ours asked a person, if it is still open; else None."""
    asked, league = question_of(answered)
    if league is None or answered.player != person.id:
        return None
    at = known.load(tx, league)
    season = at.stored.season
    if asked == MailKind.LEAGUE_READY and season is not None and season.asks(person.id):
        return league_notices.ready_check(person.id, league, at.stored.version)
    if asked == MailKind.LEAGUE_LEAVING:
        with suppress(Refusal):
            return before_leaving(known.decide(league, at, c.Withdraw(person.id), now), person)
    return None


def question_of(answered: OutboxItem) -> tuple[str, LeagueId | None]:
    """Return the kind of mail that asked the question which a mail of ours leaves open, and the league that it is about, if any."""
    return answered.detail.get("asked", answered.kind), answered.league or answered.detail.get("league")


def refuse_past(conn: Transaction, answered: OutboxItem) -> None:
    """Refuse (`earlier_season`) what answers a question of ours about a season after which the league has announced another one."""
    asked_by, league = question_of(answered)
    if league is None or asked_by not in (MailKind.LEAGUE_LEAVING, MailKind.LEAGUE_READY):
        return
    # A mail about a game that asks a league's question once more has the version of the game.
    version = answered.version if answered.league is not None else None
    asked = Version(version or answered.detail["version"])
    since = log.load(conn, league_stream(league), after=asked)
    if any(isinstance(row.event, e.SeasonAnnounced) for row in since):
        key = f"league-{league}"
        message = say(
            "The mail that you answered asked about an earlier season. For the present one, write {ready} or {leave}.",
            ready=say("ready {league}", league=key),
            leave=say("leave {league}", league=key),
        )
        raise NotAllowed("earlier_season", message)


def _command(tx: Transaction, known: service.Leagues, at: LeagueAt, person: Person, phrase: p.LeagueDeed | p.Challenge) -> c.LeagueCommand:
    match phrase:
        case p.Join():
            return known.entry(tx, at, person)
        case p.Leave():
            return c.Withdraw(person.id)
        case p.Ready(round=number, asked=asked):
            # Whoever has asked for a bye says so when they want to play after all.
            away = number is not None or (not asked and _has_bye(at.state.season, person.id))
            return c.DropBye(person.id, number) if away else c.Confirm(person.id)
        case p.Bye(worthless=worthless, round=number):
            return c.AskBye(person.id, number, "0" if worthless else None)
        case p.Challenge(opponents=(name,)):
            return c.Challenge(person.id, people.player_called(tx, name).id)
        case p.Challenge():
            raise NotAllowed("one_opponent", say("On a ladder you challenge one player at a time. Name one."))
        case _:
            assert_never(phrase)


def _has_bye(season: Season | None, player: PlayerId) -> bool:
    """Return whether a player has asked for a bye, and is not asked by us whether they are there."""
    if season is None or season.asks(player):
        return False
    line = season.plays_as(player) if season.divisions else player
    return any(who == line for who, _ in season.byes)


def answer(tx: Transaction, known: service.Leagues, player: PlayerId, phrase: p.LeagueQuestion) -> Notice:
    """Return the answer to a question. Raises NotFound for an unknown league, and NotAllowed (`not_shown`) for one that only others see."""
    match phrase:
        case p.Table(league=name):
            league = leagues.find(tx, name)
            # The letter is written from the log, so its version is that of the log, without news of games that are still to be written.
            state = known.load(tx, league).stored
            if not sees(tx, known.settings.web, player, league, state):
                raise NotAllowed("not_shown", say("Only those who play in {league} see its table.", league=state.name))
            return league_notices.table(player, league, state.version)
        case p.Leagues():
            return Notice(MailKind.LEAGUES, player)
        case _:
            assert_never(phrase)
