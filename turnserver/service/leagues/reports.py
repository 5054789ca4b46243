"""Reports to an admin about decisions in a league: matters that wait for the admin, and results that cannot be carried over any more."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from turnserver.ids import GameId, PlayerId, player_of
from turnserver.league.closing import is_played, playoffs_due
from turnserver.league.events import PlayerWithdrawn, RoundHeld, RoundOverdue, RoundPaired, SeasonDropped, TablesCorrected, TablesHeld
from turnserver.league.formats.formats import broken_promises
from turnserver.league.formats.swiss import Breach
from turnserver.league.guards import division_of
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.telling.league_report import Matter, league_report
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.service.request import Request
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people


def reports(conn: Transaction, decision: LeagueDecision, request: Request, admin: str) -> Iterator[Notice]:
    """Yield the reports to the `admin` about a decision. Yield none if `admin` is empty."""
    if not admin:
        return
    for matter, items in _matters(conn, decision, request):
        if items:
            yield league_report(admin, decision.league, decision.after.name, matter, items)


def _matters(conn: Transaction, decision: LeagueDecision, request: Request) -> Iterator[tuple[Matter, Sequence[tuple[str, str]]]]:
    season = decision.after.season
    if season is not None:
        overdue = [number for event in decision.own if isinstance(event, RoundOverdue) for number in event.meetings]
        yield Matter.OVERDUE, [meeting(conn, season, season.fixtures[number - 1]) for number in overdue]
        yield (
            Matter.FORCED,
            [item for event in decision.own if isinstance(event, RoundPaired) for item in _forced(conn, decision.after, season, event)],
        )
        waits = [number for event in decision.own if isinstance(event, RoundHeld) for number in event.meetings]
        yield Matter.PAIRED, [meeting(conn, season, season.fixtures[number - 1]) for number in waits]
        yield Matter.PLAYED, [("Season", str(season.number)) for event in decision.own if isinstance(event, TablesHeld)]
        # Told when it becomes due, and not again by every decision until it is decided.
        yield Matter.PLAYOFF, [] if _ties(decision.before) else [(where, _names(conn, tied)) for where, tied in _ties(decision.after)]
        # An admin who withdraws somebody knows of it.
        left = [event.player for event in decision.own if isinstance(event, PlayerWithdrawn)] if player_of(request.actor) else []
        yield Matter.WITHDRAWN, [("Player", _names(conn, [season.who(line)])) for line in left]
    # An admin who drops a season knows of it.
    if request.actor == "service":
        yield Matter.DROPPED, [("Players", event.reason) for event in decision.own if isinstance(event, SeasonDropped)]
    # Only corrections that follow from games: an admin who corrects a result knows of it.
    if any(isinstance(event, TablesCorrected) for event in decision.heard.events):
        yield Matter.AFTERWARDS, [_game(conn, game) for game, _ in decision.heard.games if game not in decision.heard.too_late]
    yield Matter.TOO_LATE, [_game(conn, game) for game in decision.heard.too_late]


_FORCED: Final[Mapping[Breach, str]] = MappingProxyType(
    {
        Breach.REMATCH: "they have met before",
        Breach.SECOND_BYE: "not the first point without a game",
        Breach.CLASH: "both are due the same move, first or second",
    }
)


def _forced(conn: Transaction, state: LeagueState, season: Season, event: RoundPaired) -> Iterator[tuple[str, str]]:
    for breach, fixture in broken_promises(state, season, division_of(season, event.division), event.round):
        label, who = meeting(conn, season, fixture)
        yield label, f"{who}: {_FORCED[breach]}"


def meeting(conn: Transaction, season: Season, fixture: Fixture) -> tuple[str, str]:
    """Return a meeting for a report: its number, and who meets, in which round and game."""
    where = f"round {fixture.round} of division {fixture.division}" + (f", game {fixture.game}" if fixture.game is not None else "")
    return f"Meeting {fixture.number}", f"{_names(conn, map(season.who, fixture.players))}, {where}"


def _game(conn: Transaction, game: GameId) -> tuple[str, str]:
    where = leagues.meeting_of(conn, game)
    return f"Game {game}", f"season {where.season}, meeting {where.meeting}" if where else ""


def _ties(state: LeagueState | None) -> list[tuple[str, tuple[PlayerId, ...]]]:
    season = state.season if state is not None else None
    if state is None or season is None or season.phase is not Phase.RUNNING or not is_played(state, season):
        return []
    return [(f"Division {division.name}", one.players) for division, one in playoffs_due(state, season)]


def _names(conn: Transaction, players: Iterable[PlayerId]) -> str:
    return ", ".join(people.player(conn, player).name for player in players)
