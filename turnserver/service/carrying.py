"""What games have come to, as a league hears of it.

A result goes to the league as soon as somebody writes to it, and the sweep sees to it that somebody does. What the league itself has
decided, by a withdrawal, a deadline or an admin, stands, whatever becomes of the game afterwards. What a game has brought follows the game
for as long as its season is the latest one: the game may be reopened, or lose its result, also after the season has closed.
"""

import logging
from collections.abc import Iterator

from turnserver.envelope import LeagueId, Version
from turnserver.errors import Refusal
from turnserver.league.commands import CarryResult, ReopenResult
from turnserver.league.decide import decide
from turnserver.league.events import DecidedBy, LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.lots import Lots
from turnserver.league.marks import Mark
from turnserver.league.state import Fixture, LeagueState
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.state import Status
from turnserver.rules import Seat
from turnserver.service.league_folds import Heard
from turnserver.store import leagues, views
from turnserver.store.database import Transaction
from turnserver.store.views import GameSummary

logger = logging.getLogger(__name__)


def heard(conn: Transaction, league: LeagueId, state: LeagueState, lots: Lots) -> Heard:
    """What has become of the games of a league that it has not heard of yet."""
    found: list[LeagueEvent] = []
    games, too_late = [], []
    for game, meeting in leagues.changed_in(conn, league).items():
        row = views.game_row(conn, game)
        games.append((game, Version(row.version)))
        season = state.season
        if season is None or season.number != meeting.season:
            too_late.append(game)
            continue
        for command in _commands(season.fixtures[meeting.meeting - 1], row):
            try:
                events = decide(state, command, row.ended_at or row.opened_at, lots)
            except Refusal:
                logger.exception("game %s cannot be carried to league %s", game, league)
                too_late.append(game)
                break
            state = fold(events, state)
            found += events
    return Heard(tuple(found), tuple(games), tuple(too_late))


def _commands(fixture: Fixture, row: GameSummary) -> Iterator[CarryResult | ReopenResult]:
    """What is to be done about the result of a meeting because its game is as it is now."""
    if fixture.marks and fixture.by is not DecidedBy.GAME:
        return
    marks = marks_of(row) if row.status is Status.ENDED else ()
    if marks == fixture.marks:
        return
    if fixture.marks:
        yield ReopenResult(fixture.number)
    if marks and row.ended_at is not None:
        yield CarryResult(fixture.number, marks, row.ended_at)


def marks_of(row: GameSummary) -> tuple[Mark, ...]:
    """What a game that has ended was to each of its seats. What an admin has annulled is told from what never had a result."""
    match row.outcome:
        case Outcome.WON:
            on_time = row.ended_by == EndedBy.TIME
            won, lost = (Mark.WIN_ON_TIME, Mark.TIMEOUT) if on_time else (Mark.WIN, Mark.LOSS)
            return tuple(won if Seat(seat) in row.winners else lost for seat in range(1, len(row.players) + 1))
        case Outcome.DRAWN:
            return (Mark.DRAW,) * len(row.players)
        case _:
            return (Mark.ANNULLED if row.ended_by == EndedBy.ANNULMENT else Mark.NO_RESULT,) * len(row.players)
