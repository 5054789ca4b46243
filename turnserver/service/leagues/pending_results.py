"""What games have come to, as a league hears of it.

A result goes to the league as soon as somebody writes to it, and the sweep sees to it that somebody does. What the league itself has
decided, by a withdrawal, a deadline or an admin, stands, whatever becomes of the game afterwards. What a game has brought follows the game
for as long as its season is the latest one: the game may be reopened, or lose its result, also after the season has closed.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from turnserver.ids import LeagueId, Recorded
from turnserver.league.commands import CarryResult, ReopenResult
from turnserver.league.decide import decide
from turnserver.league.events import DecidedBy, LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.verdicts import Verdict, alike, ended
from turnserver.league.state import Fixture, LeagueState
from turnserver.play.events import EndedBy, GameEvent, Outcome, SeatLeft, TurnTimedOut
from turnserver.play.state import GameState
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.folds import Heard
from turnserver.store.games import views
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction


def heard(conn: Transaction, ledger: Ledger, league: LeagueId, state: LeagueState, lots: Lots) -> Heard:
    """What has become of the games of a league that it has not heard of yet."""
    found: list[LeagueEvent] = []
    games, too_late = [], []
    for game, meeting in leagues.changed_in(conn, league).items():
        row, now = views.game_row(conn, game), ledger.load(conn, game).state
        games.append((game, now.version))
        season = state.season
        if season is None or season.number != meeting.season:
            too_late.append(game)
            continue
        fixture = season.fixtures[meeting.meeting - 1]
        if fixture.game not in (None, game):
            too_late.append(game)
            continue
        verdict = verdict_of(now, ledger.history(conn, game, now.version)) if now.result is not None else None
        for command in _commands(fixture, verdict, row.ended_at or row.opened_at):
            events = decide(state, command, row.opened_at, lots)
            state = fold(events, state)
            found += events
    return Heard(tuple(found), tuple(games), tuple(too_late))


def _commands(fixture: Fixture, verdict: Verdict | None, at: datetime) -> Iterator[CarryResult | ReopenResult]:
    """What is to be done about a meeting because its game has come to that `at` an instant, or goes on."""
    by_game = fixture.by is DecidedBy.GAME
    if (fixture.marks and not by_game) or fixture.verdict == (verdict or Verdict(())):
        return
    if by_game:
        yield ReopenResult(fixture.number)
    if verdict is not None:
        yield CarryResult(fixture.number, verdict.marks, at, verdict.places)


def verdict_of(state: GameState, history: Sequence[Recorded[GameEvent]]) -> Verdict:
    """What a game that has ended was to its seats. What an admin has annulled is told from what never had a result."""
    result = state.result
    if result is None or result.outcome is Outcome.VOID:
        annulled = result is not None and result.by is EndedBy.ANNULMENT
        return alike(state.players, Mark.ANNULLED if annulled else Mark.NO_RESULT)
    left = [row.event.seat for row in history if isinstance(row.event, SeatLeft) and row.event.seat in state.left]
    lost = frozenset(state.seats).difference(result.winners) if result.by is EndedBy.TIME else state.left
    late = {row.event.seat for row in history if isinstance(row.event, TurnTimedOut)} & lost
    return ended(state.game.rules.teams, result.winners, scores=result.scores, left=left, late=late)
