"""Proof that leagues are what their rules make of them, and that leagues and their games tell the same.

Each knows the other by its number only, so whoever changes the one history has not changed the other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from turnserver import games as catalogue
from turnserver.audit.league.claims import Claim, Moment, claims
from turnserver.audit.league.recheck import Objection, recheck
from turnserver.errors import TurnserverError
from turnserver.ids import GameId, LeagueId, Recorded, Version, game_stream, league_stream
from turnserver.league.events import GameAttached, LeagueEvent, SeasonAnnounced
from turnserver.league.evolve import fold
from turnserver.play.events import GameEvent
from turnserver.play.evolve import Find, evolve
from turnserver.play.state import GameState, Status
from turnserver.store.leagues import views as kept_leagues
from turnserver.store.leagues.views import Meeting
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database
from turnserver.store.log.verify import Finding

History: TypeAlias = Sequence[Recorded[GameEvent]]
Games: TypeAlias = Callable[[GameId], History | None]
"""The history of a game: empty if there is no such game, None if it is not at hand."""


def verify(db: Database, league: LeagueId, find: Find = catalogue.find) -> Iterator[Finding]:
    """What is wrong with a league: by its own rules, beside its games, and where these are kept."""
    stream = league_stream(league)
    try:
        with db.read() as conn:
            rows: list[Recorded[LeagueEvent]] = log.load(conn, stream)
            secret = keyring.of_stream(conn, stream)
            kept = kept_leagues.games_of(conn, league)
        found = list(recheck(rows, secret))
        if not found:  # otherwise nobody can say what it should tell of its games
            found = [*misplaced(league, rows, kept), *crosscheck(rows, lambda game: _history(db, game), find)]
            state = fold(row.event for row in rows)
            with db.read() as conn:
                found += [Objection(state.version, problem) for problem in kept_leagues.differences(conn, league, state, rows[0].at)]
    except TurnserverError as error:
        yield Finding(None, stream, None, f"the league cannot be checked: {error}")
        return
    for version, problem in found:
        yield Finding(rows[version - 1].position, stream, version, problem)


def crosscheck(history: Iterable[Recorded[LeagueEvent]], games: Games, find: Find = catalogue.find) -> Iterator[Objection]:
    """What a league says that its games do not: who plays in them, what they came to and when, and whose turn it was at a deadline.

    Games that are not at hand are left out. The history is one that `recheck` has nothing against.
    """
    said = dict[GameId, list[Claim]]()
    for game, claim in claims(tuple(history)):
        said.setdefault(game, []).append(claim)
    for game, about in sorted(said.items()):
        rows = games(game)
        if rows is None:
            continue
        try:
            for claim in about:
                problem = _problem(claim, list(_moments(rows, claim, find)))
                if problem is not None:
                    yield Objection(claim.version, f"game {game} {problem}")
        except TurnserverError as error:
            yield Objection(about[0].version, f"game {game} cannot be looked at: {error}")


def misplaced(league: LeagueId, history: Iterable[Recorded[LeagueEvent]], kept: Mapping[GameId, Meeting]) -> Iterator[Objection]:
    """The games that are `kept` elsewhere than the history of their league says, and those that it does not know."""
    season, version, known = 0, Version(0), set[GameId]()
    for row in history:
        version = row.version
        if isinstance(row.event, SeasonAnnounced):
            season = row.event.season
        elif isinstance(row.event, GameAttached):
            game, meeting = row.event.game, row.event.meeting
            known.add(game)
            if kept.get(game) != Meeting(league, season, meeting):
                yield Objection(version, f"game {game} is not kept as the game of meeting {meeting} of season {season}")
    for game in sorted(kept.keys() - known):
        yield Objection(version, f"game {game} is kept as one of this league, which does not know it")


def _problem(claim: Claim, moments: Sequence[Moment]) -> str | None:
    """What is wrong with a claim at all of these moments; it may have been made at any of them."""
    if not moments:
        return "was not there"
    problems = [claim.wrong(moment) for moment in moments]
    return None if None in problems else problems[-1]


def _moments(rows: History, claim: Claim, find: Find) -> Iterator[Moment]:
    """The game as it was when the claim was made, and before that as far back as the claim may have been made."""
    state: GameState | None = None
    now: Moment | None = None
    for number, row in enumerate(rows, 1):
        if row.position >= claim.before or row.cause == claim.apart:
            break
        if now is not None and claim.since is not None and row.position >= claim.since:
            yield now
        was_over = state is not None and state.status is Status.ENDED
        ended_at = now.ended_at if now is not None and was_over else row.at
        state = evolve(state, row.event, find)
        now = Moment(state, rows[:number], ended_at if state.status is Status.ENDED else None)
    if now is not None:
        yield now


def _history(db: Database, game: GameId) -> History:
    with db.read() as conn:
        rows: list[Recorded[GameEvent]] = log.load(conn, game_stream(game))
    return rows
