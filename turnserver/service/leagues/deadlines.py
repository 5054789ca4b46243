"""The sweep of leagues: carry over the results of games, do what is due, open games.

Leagues are judged by the same horizon as clocks: the latest instant up to which every mail that counts has been handled. So an entry
counts if it arrived in time, and a game is over if a mail that arrived in time ended it.

An outage moves no dates of a league. The clocks of its games get the lost time back, but rounds and seasons are announced dates, and
players and other rounds have planned by them. After a round that an outage made too short, an admin is asked as usual, or may correct
what the deadline has decided. The admin hears of every outage by mail.
"""

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from turnserver.errors import AlreadyDone, NotAllowed, Refusal, SecretLost, StoreError
from turnserver.ids import LeagueId, Version
from turnserver.league.commands import AttachGame
from turnserver.league.course import due
from turnserver.league.pairing import openable
from turnserver.league.state import Fixture, Phase
from turnserver.mail.outbound.telling.league_report import Matter
from turnserver.service.games import new_games
from turnserver.service.leagues.folds import LeagueAt
from turnserver.service.leagues.games import opening
from turnserver.service.leagues.reports import meeting, told
from turnserver.service.leagues.repository import Leagues
from turnserver.service.request import Request
from turnserver.store.leagues import views as rows
from turnserver.store.leagues.views import Meeting
from turnserver.store.log.database import Transaction
from turnserver.text import say

logger = logging.getLogger(__name__)

TRY_AGAIN: Final = timedelta(hours=1)
"""The wait before games that could not be opened are tried again, if nothing happens in the league before."""

_AT_ONCE: Final = 1_000
"""The number of due leagues that one round looks at."""


class LeagueWatch:
    """The sweep of leagues. Several processes may each run one: the version of a league's stream admits one decision."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues
        self._ledger = leagues.ledger

    def sweep(self, horizon: datetime, now: datetime) -> int:
        """Carry over results of games, do what was due at the `horizon`, and open games. Return how much was done."""
        with self._ledger.db.read() as conn:
            looked = {*rows.changed(conn), *rows.due_leagues(conn, horizon, _AT_ONCE)}
        done = sum(_tried(league, partial(self._go_on, league, horizon, now)) for league in sorted(looked))
        # Looked up only now: a round that was paired just before has its games opened at once.
        with self._ledger.db.read() as conn:
            opening = rows.opening_leagues(conn, now)
        return done + sum(_tried(league, partial(self._open_games, league, now)) for league in opening)

    def _go_on(self, league: LeagueId, horizon: datetime, now: datetime) -> int:
        def work(tx: Transaction) -> int:
            at = self._leagues.load(tx, league)
            when = due(at.state)
            command = self._leagues.due(tx, at) if when is not None and when <= horizon else None
            try:
                decision = self._leagues.decide(league, at, command, horizon)
            except NotAllowed:  # nothing is due after all
                decision = self._leagues.decide(league, at, None, horizon)
            # A game whose change is no news to the league is written all the same: that takes its flag away, so nobody looks again.
            if not decision.events and not decision.heard.games:
                return 0
            # Reports about games that come too late leave the version as it is, so the cause names the newest game too.
            newest = ".".join(map(str, decision.heard.games[-1])) if decision.heard.games else ""
            self._leagues.write(tx, decision, Request("service", f"job:league:{at.stored.version}:{newest}", now))
            return 1

        return self._ledger.attempt(work)

    def _open_games(self, league: LeagueId, now: datetime) -> int:
        """Open all games of a league that are to be opened, each in a transaction of its own. One that cannot be holds up no other."""
        done, held = 0, set[int]()
        while True:
            with self._ledger.db.read() as conn:
                at = self._leagues.load(conn, league)
                waiting = [one.number for one in _openable(at, held)]
            opened = [number for number in waiting if self._opened(league, number, now, held)]
            done += len(opened)
            # Nobody waits for a game that is held, so one that was held just now may let others be opened.
            if not opened and not held.intersection(waiting):
                break
        if held or not done:
            self._ledger.attempt(lambda tx: rows.postpone(tx, league, at.stored.version, now + TRY_AGAIN))
        return done

    def _opened(self, league: LeagueId, number: int, now: datetime, held: set[int]) -> bool:
        try:
            return self._ledger.attempt(partial(self._open, league, number, now, held))
        except Refusal as refused:
            held.add(number)
            # The refusal has ended the transaction of the game, so the report has one of its own.
            self._ledger.attempt(partial(self._report, league, number, refused.message, now))
        return False

    def _open(self, league: LeagueId, number: int, now: datetime, held: set[int], tx: Transaction) -> bool:
        at = self._leagues.load(tx, league)
        season, fixture = at.state.season, next((one for one in _openable(at, held) if one.number == number), None)
        if season is None or fixture is None:
            return False  # another process was first, or somebody has withdrawn
        request = Request("service", f"job:open:{season.number}:{number}:{at.stored.version}", now)
        game = new_games.begin(tx, self._ledger, opening(at.state, season, fixture, self._leagues.settings, request), request)
        decision = self._leagues.decide(league, at, AttachGame(number, game.game), now)
        self._leagues.write_opening(tx, decision, game, Meeting(league, season.number, number), request)
        return True

    def _report(self, league: LeagueId, number: int, why: str, now: datetime, tx: Transaction) -> None:
        at = self._leagues.load(tx, league)
        admin, season = self._leagues.settings.site.admin, at.state.season
        if season is not None:
            items = [meeting(tx, season, season.fixtures[number - 1]), (say("Reason"), why)]
            # Without a version in it, so the report comes once, however often the game is tried.
            request = Request("service", f"job:unopened:{season.number}:{number}", now)
            reports = told(tx, league, at.stored, Matter.UNOPENED, items, admin)
            self._ledger.post.queue(tx, reports, request, league=(league, Version(0)))


def _openable(at: LeagueAt, held: Collection[int]) -> tuple[Fixture, ...]:
    season = at.state.season
    return openable(at.state, season, held) if season is not None and season.phase is Phase.RUNNING else ()


def _tried(league: LeagueId, act: Callable[[], int]) -> int:
    # A league that cannot be loaded is logged and must not hold up the others.
    try:
        return act()
    except AlreadyDone:
        return 0  # another process was first
    except NotAllowed as refused:
        logger.warning("league %s cannot go on: %s", league, refused)
    except SecretLost:
        logger.exception("league %s cannot go on", league)
    except StoreError:
        raise
    except Exception:  # whatever is wrong with one league, the others go on
        logger.exception("league %s cannot be looked at", league)
    return 0
