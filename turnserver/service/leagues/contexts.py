"""The facts that mails about leagues need, read from the log: a league at some moment, all leagues, and the league of a game."""

from dataclasses import replace
from threading import Lock
from typing import Final

from turnserver.config import Settings, Web
from turnserver.errors import DatabaseBusy
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded, Version, league_stream
from turnserver.league import events as e
from turnserver.league.evolve import evolve, fold
from turnserver.league.state import LeagueState, Phase
from turnserver.mail.outbound.context import DIGEST_DIGITS, LeagueContext, LeagueGame
from turnserver.service.fold_cache import FoldCache
from turnserver.service.leagues.folds import history, known
from turnserver.store.leagues import views as leagues
from turnserver.store.leagues.views import Called, Meeting
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.web import visibility

REMEMBERED: Final = 50
"""A round has many mails about the same moment, one after another, while players look at other leagues."""

GAMES_REMEMBERED: Final = 5_000


def sees(conn: Transaction, web: Web, player: PlayerId, league: LeagueId, state: LeagueState) -> bool:
    """Return whether a player may see a league by mail: as on its page, and in any case while they may decide whether to enter."""
    if player in known(state) or (state.season is not None and state.season.phase is Phase.ENTRIES):
        return True
    with conn.session() as session:
        return visibility.league(session, player, web, league) is not None


class LeagueContexts:
    """Gathers the facts about leagues that mails and pages need. Reads, but writes nothing. Threads may share it."""

    def __init__(self, settings: Settings) -> None:
        """Keep `settings`, whose time control is for leagues without one."""
        self._settings = settings
        self._moments = FoldCache[tuple[LeagueId, Version, int], LeagueContext](REMEMBERED)
        self._games: dict[GameId, tuple[LeagueId, LeagueGame] | None] = {}
        self._called: dict[LeagueId, Called] = {}
        # Held while the places of games and the names of their leagues are read: these belong together.
        self._lock = Lock()

    def at(self, conn: Transaction, league: LeagueId, version: Version, since: int) -> LeagueContext:
        """Return the league at a version, and what happened since another. Raises NotFound."""
        # A moment of the past never changes, so what is remembered of it holds for good.
        known = self._moments.get((league, version, since))
        return known if known is not None else self._made(history(conn, league)[:version], league, since)

    def every(self, conn: Transaction, player: PlayerId | None = None) -> tuple[LeagueContext, ...]:
        """Return all leagues as they are, or those that a player is in, without those that are archived."""
        listed = [one for one in leagues.listed(conn, player) if not one.archived]
        known = {one.id: self._moments.get((one.id, one.version, one.version)) for one in listed}
        # All histories come in one statement, so it is made even if a single league is not remembered.
        rows = leagues.histories(conn) if None in known.values() else {}
        return tuple(at if at is not None else self._made(rows[league], league, len(rows[league])) for league, at in known.items())

    def _made(self, rows: list[Recorded[e.LeagueEvent]], league: LeagueId, since: int) -> LeagueContext:
        events = [row.event for row in rows]
        before = fold(events[:since]) if since else None
        state = fold(events[since:], before)
        time = state.time or self._settings.play.time
        began = max((at for at, event in enumerate(events[:since]) if isinstance(event, e.SeasonStarted)), default=since)
        made = LeagueContext(
            league=league,
            state=state,
            before=before,
            events=tuple(events[since:]),
            actors=tuple(row.actor for row in rows[since:]),
            earlier=tuple(events[began:since]),
            time=time,
            digest=rows[-1].hash.hex()[:DIGEST_DIGITS],
        )
        self._moments.put((league, state.version, since), made)
        return made

    def game(self, conn: Transaction, game: GameId) -> LeagueGame | None:
        """Return the place of a game in its league, or None if it belongs to no league. Raises DatabaseBusy."""
        if not self._lock.acquire(timeout=self._settings.database.busy_timeout_seconds):
            raise DatabaseBusy("another thread is reading of leagues for longer than the busy timeout")
        try:
            return self._game(conn, game)
        finally:
            self._lock.release()

    def _game(self, conn: Transaction, game: GameId) -> LeagueGame | None:
        if game in self._games and (found := self._games[game]) is not None:
            self._look(conn, found[0])
        # The place of a game changes with the divisions alone, so None is remembered too.
        if game not in self._games:
            if len(self._games) >= GAMES_REMEMBERED:
                self._games.clear()
            meeting = leagues.meeting_of(conn, game)
            if meeting is not None:
                self._look(conn, meeting.league)
            place = None if meeting is None else _place(history(conn, meeting.league), meeting)
            self._games[game] = None if meeting is None or place is None else (meeting.league, place)
        found = self._games[game]
        return None if found is None else replace(found[1], league=self._called[found[0]].name)

    def _look(self, conn: Transaction, league: LeagueId) -> None:
        """Learn what a league is called, and forget the places of its games if its divisions have changed."""
        known, now = self._called.get(league), leagues.called(conn, league)
        if known is not None and known.version < now.version:
            newer = log.load(conn, league_stream(league), after=known.version)
            if any(isinstance(row.event, e.SeasonDivided) for row in newer):
                self._games = {game: one for game, one in self._games.items() if one is None or one[0] != league}
        self._called[league] = now


def names(conn: Transaction, about: LeagueContext) -> dict[PlayerId, str]:
    """Return the name of every player whom a mail about a league may mention."""
    players = known(about.state) | (known(about.before) if about.before is not None else set())
    return people.names(conn, sorted(players))


def _place(rows: list[Recorded[e.LeagueEvent]], meeting: Meeting) -> LeagueGame | None:
    state: LeagueState | None = None
    for row in rows:
        if isinstance(row.event, e.SeasonAnnounced) and row.event.season > meeting.season:
            break
        state = evolve(state, row.event)
    season = state.season if state is not None else None
    if state is None or season is None or meeting.meeting > len(season.fixtures):
        return None
    fixture = season.fixtures[meeting.meeting - 1]
    if fixture.challenger is not None:
        return LeagueGame(league=state.name, season=season.number, round=0)
    # A season with one division has no name for it.
    division = fixture.division if len(season.divisions) > 1 else ""
    return LeagueGame(league=state.name, season=season.number, round=fixture.round, division=division)
