"""The news of games that their league has not heard of yet, and what a game has come to for those who played it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from turnserver.ids import LeagueId, Recorded
from turnserver.league import commands as c
from turnserver.league.decide import decide
from turnserver.league.events import DecidedBy, LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Verdict, alike, ended
from turnserver.league.state import Fixture, LeagueState
from turnserver.play import events as e
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.folds import GameNews
from turnserver.store.games import views
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction


def heard(conn: Transaction, ledger: Ledger, league: LeagueId, state: LeagueState, lots: Lots) -> GameNews:
    """Return the news of those games of a league that the league has not heard of yet."""
    found: list[LeagueEvent] = []
    games, too_late = [], []
    for game, meeting in leagues.changed_in(conn, league).items():
        row, now = views.game_row(conn, game), ledger.games.load(conn, game).state
        games.append((game, now.version))
        season = state.season
        if season is None or season.number != meeting.season:
            too_late.append(game)
            continue
        fixture = season.fixtures[meeting.meeting - 1]
        # A season that goes on after all has new games in the place of those that its end had annulled.
        if fixture.game not in (None, game):
            too_late.append(game)
            continue
        verdict = verdict_of_game(now, ledger.games.history(conn, game, now.version)) if now.result is not None else None
        for command in _commands(fixture, verdict, row.ended_at or row.opened_at):
            events = decide(state, command, row.opened_at, lots)
            state = fold(events, state)
            found += events
    return GameNews(tuple(found), tuple(games), tuple(too_late))


def _commands(fixture: Fixture, verdict: Verdict | None, at: datetime) -> Iterator[c.CarryResult | c.ReopenResult]:
    """Yield the commands that update a meeting to the `verdict` of its game at an instant. The verdict is None while the game goes on."""
    by_game = fixture.by is DecidedBy.GAME
    # What a deadline, an admin or a withdrawal has decided stands, whatever becomes of the game.
    if (fixture.marks and not by_game) or fixture.verdict == (verdict or Verdict(())):
        return
    if by_game:
        yield c.ReopenResult(fixture.number)
    if verdict is not None:
        yield c.CarryResult(fixture.number, verdict.marks, at, verdict.places)


def verdict_of_game(state: GameState, history: Sequence[Recorded[e.GameEvent]]) -> Verdict:
    """Return the verdict of a game for each of its seats. A game that an admin has annulled is kept apart from one without a result."""
    result = state.result
    if result is None or result.outcome is e.Outcome.VOID:
        annulled = result is not None and result.by is e.EndedBy.ANNULMENT
        return alike(state.players, Mark.ANNULLED if annulled else Mark.NO_RESULT)
    # In the order of their leaving: whoever leaves first is last.
    left = [entry.seat for entry in state.line.entries if isinstance(entry, e.SeatLeft)]
    lost = frozenset(state.seats).difference(result.winners) if result.by is e.EndedBy.TIME else state.left
    late = {seat for seat, by_time in _went(history).items() if by_time} & lost
    return ended(state.game.rules.teams, result.winners, scores=result.scores, left=left, late=late)


def _went(history: Sequence[Recorded[e.GameEvent]]) -> dict[Seat, bool]:
    """Return whether each seat that gave the game up or ran out of time last did so by its time."""
    gone = (row.event for row in history if isinstance(row.event, e.TurnTimedOut | e.SeatResigned))
    return {event.seat: isinstance(event, e.TurnTimedOut) for event in gone}
