"""A report on a league and its games for an admin. `league.scoring.fairness` describes what is looked for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from turnserver.errors import NotFound
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.league.events import DecidedBy
from turnserver.league.formats.formats import broken_promises
from turnserver.league.formats.seating import seat_begins
from turnserver.league.scoring.fairness import USUAL, Ending, Finding, FirstMoves, Forced, fitting, report
from turnserver.league.scoring.ratings import RatingPoint, month_began
from turnserver.league.scoring.ratings import ratings as fold
from turnserver.league.scoring.results import MeetingPlayed, played, seasons
from turnserver.league.settings import scoring
from turnserver.league.state import LeagueState, Season
from turnserver.play.events import EndedBy
from turnserver.service.leagues.folds import history
from turnserver.store.games import views
from turnserver.store.leagues import ratings as kept
from turnserver.store.log.database import Transaction


class Report(NamedTuple):
    """Findings in `games` games that are over.

    The findings about moving first concern `season`, or no season if it is None. A game of at most `short` turns counted as short.
    """

    season: int | None
    games: int
    short: int
    findings: tuple[Finding, ...]


def look_into(conn: Transaction, league: LeagueId, season: int | None = None) -> Report:
    """Look into all games of a league and the first moves of its latest season; or into those of one season. Raises NotFound.

    Where chance decides who begins, first moves are not looked at.
    """
    events = [row.event for row in history(conn, league)]
    known = {each.number: (state, each) for state, each in seasons(events)}
    if season is not None and season not in known:
        raise NotFound(f"League {league} has had no season {season}.")
    if not known:
        return Report(None, 0, USUAL.short, ())
    number = season or max(known)
    state, latest = known[number]
    over = _over(conn, [one for one in played(events) if season in (None, one.season.number)])
    endings = [one.ending for one in over]
    # Games that were given up are what is looked for, so only those that were played out tell how long a game is.
    limits = fitting([one.ending.turns for one in over if one.played_out])
    encounters = [fixture.encounter for fixture in latest.fixtures if not fixture.void]
    found = report(encounters, endings, scoring(state.settings), limits, at_once=state.settings.at_once)
    findings = [one for one in found if seat_begins(state) or not isinstance(one, FirstMoves)]
    return Report(number, len(endings), limits.short, (*findings, *_forced(state, latest)))


def _forced(state: LeagueState, season: Season) -> Iterator[Forced]:
    for division in season.divisions:
        for number in range(1, season.paired.get(division.name, 0) + 1):
            for breach, fixture in broken_promises(state, season, division, number):
                players = tuple(map(season.who, fixture.players))
                yield Forced(breach, number, players, () if fixture.game is None else (fixture.game,))


class _Over(NamedTuple):
    """A game that ended at an instant, and whether by its rules."""

    at: datetime
    game: GameId
    ending: Ending
    played_out: bool


def _over(conn: Transaction, games: Iterable[MeetingPlayed]) -> list[_Over]:
    """Return the games that are over, in the order in which they ended, without those that a withdrawal has ended."""
    found: list[_Over] = []
    histories: dict[tuple[str, PlayerId], tuple[RatingPoint, ...]] = {}
    for one in games:
        fixture = one.fixture
        # A game that ended because a player withdrew says nothing about how the player ends other games.
        if fixture.at is not None and fixture.by is not DecidedBy.WITHDRAWAL:
            row = views.game_row(conn, one.game)
            # It is about whoever sat there at the end, who may be a substitute.
            encounter = replace(fixture.encounter, players=row.players)
            key = one.state.game
            for player in row.players:
                if (key, player) not in histories:
                    histories[key, player] = kept.history(conn, key, player)
            due = _expected(key, row.players, fixture.at, [histories[key, player] for player in row.players])
            ending = Ending(encounter, one.game, row.turn - 1, row.ended_by == EndedBy.RESIGNATION, due)
            found.append(_Over(fixture.at, one.game, ending, row.ended_by == EndedBy.RULES))
    return sorted(found, key=lambda each: each[:2])


def _expected(key: str, players: Sequence[PlayerId], at: datetime, histories: Sequence[Sequence[RatingPoint]]) -> float | None:
    """Return the score that the first of two players was to get, by the ratings from before the month of the game.

    Return None for a game of more players, and if one of the two had no rating yet.
    """
    # A month is rated as a whole, so moments of the same month may know this result already.
    began = month_began(at)
    last = [next((moment for moment in reversed(history) if moment.at < began), None) for history in histories]
    before = {player: moment for player, moment in zip(players, last, strict=True) if moment is not None}
    if len(players) != 2 or len(before) != 2:
        return None
    return fold(key, (), before=before).expected([[player] for player in players], at)[0]
