"""Reports about decisions in a league, to those who direct it or to the admin: what waits for them, and results that come too late."""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from turnserver.ids import GameId, LeagueId, PlayerId, player_of
from turnserver.league.closing import is_played, playoffs_due
from turnserver.league.events import PlayerWithdrawn, RoundHeld, RoundOverdue, RoundPaired, SeasonDropped, TablesCorrected, TablesHeld
from turnserver.league.formats.formats import broken_promises, undecided_ties
from turnserver.league.formats.swiss import Breach
from turnserver.league.guards import division_of
from turnserver.league.rights import directors
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.telling.league_report import ROLES, Matter, duty, league_report
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.service.request import Request
from turnserver.store.leagues import views as leagues
from turnserver.store.leagues.views import Meeting
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say


def reports(conn: Transaction, decision: LeagueDecision, request: Request, admin: str) -> Iterator[Notice]:
    """Yield the reports about a decision, to those who direct the league or to the `admin`; see `told`."""
    for matter, items in _matters(conn, decision, request):
        if items:
            yield from told(conn, decision.league, decision.after, matter, items, admin)


def told(  # noqa: PLR0917  # a matter, and who may hear of it
    conn: Transaction, league: LeagueId, state: LeagueState, matter: Matter, items: Sequence[tuple[str, str]], admin: str
) -> Iterator[Notice]:
    """Yield the report of a matter to each director whose role allows a decision about it and who wants mail, or else to the `admin`.

    Yield nothing if `admin` is empty, and there is no such director.
    """
    readers = [player for player in directors(state, ROLES[matter]) if _reads(people.player(conn, player))]
    yield from (duty(player, league, state.version, matter, items) for player in readers)
    if admin and not readers:
        yield league_report(admin, league, state.name, matter, items)


def claimed(conn: Transaction, where: Meeting, state: LeagueState, claimant: str, words: str) -> Iterator[Notice]:
    """Yield the reports of a claim in the game of a meeting, with the `words` of the claimant, to those who direct its league."""
    season = state.season
    if season is not None and season.number == where.season:
        items = [meeting(conn, season, season.fixtures[where.meeting - 1]), (say("Claimed by"), claimant)]
        yield from told(conn, where.league, state, Matter.CLAIM, [*items, *([(say("Words"), words)] if words else [])], "")


def _reads(person: Person) -> bool:
    return person.erased_at is None and person.preferences.subscribed


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
        yield Matter.PLAYED, [(say("Season"), str(season.number)) for event in decision.own if isinstance(event, TablesHeld)]
        # Told when it becomes due, and not again by every decision until it is decided.
        yield Matter.PLAYOFF, [] if _ties(decision.before) else [(where, _names(conn, tied)) for where, tied in _ties(decision.after)]
        # Whoever withdraws somebody else knows of it.
        left = [season.who(event.player) for event in decision.own if isinstance(event, PlayerWithdrawn)]
        yield Matter.WITHDRAWN, [(say("Player"), _names(conn, [player])) for player in left if player == player_of(request.actor)]
    # An admin who drops a season knows of it.
    if request.actor == "service":
        yield Matter.DROPPED, [(say("Players"), event.reason) for event in decision.own if isinstance(event, SeasonDropped)]
    # Only corrections that follow from games: an admin who corrects a result knows of it.
    if any(isinstance(event, TablesCorrected) for event in decision.heard.events):
        games = [_game(conn, game) for game, _ in decision.heard.games if game not in decision.heard.too_late]
        yield Matter.AFTERWARDS, [*games, *_undecided(conn, decision.after)]
    yield Matter.TOO_LATE, [_game(conn, game) for game in decision.heard.too_late]


def _undecided(conn: Transaction, state: LeagueState) -> Iterator[tuple[str, str]]:
    season = state.season
    if season is not None:
        for tie, _ in undecided_ties(state, season):
            players = _names(conn, map(season.who, tie.players))
            yield say("Not decided now"), say("{players} in round {round}", players=players, round=tie.round)


def _forced(conn: Transaction, state: LeagueState, season: Season, event: RoundPaired) -> Iterator[tuple[str, str]]:
    for breach, fixture in broken_promises(state, season, division_of(season, event.division), event.round):
        label, who = meeting(conn, season, fixture)
        yield label, _breach(breach, who)


def _breach(breach: Breach, who: str) -> str:
    match breach:
        case Breach.REMATCH:
            return say("{meeting}: they have met before", meeting=who)
        case Breach.SECOND_BYE:
            return say("{meeting}: not the first point without a game", meeting=who)
        case Breach.CLASH:
            return say("{meeting}: both are due the same move, first or second", meeting=who)
        case Breach.ASKED_BYE:
            return say("{meeting}: paired by hand, although a bye was asked for", meeting=who)
        case _:
            assert_never(breach)


def meeting(conn: Transaction, season: Season, fixture: Fixture) -> tuple[str, str]:
    """Return a meeting for a report: its number, and who meets, in which round and game."""
    where: dict[str, str | int] = {
        "players": _names(conn, map(season.who, fixture.players)),
        "round": fixture.round,
        "division": fixture.division,
    }
    label = say("Meeting {number}", number=fixture.number)
    if fixture.game is None:
        return label, say("{players}, round {round} of division {division}", **where)
    return label, say("{players}, round {round} of division {division}, game {game}", **where, game=fixture.game)


def _game(conn: Transaction, game: GameId) -> tuple[str, str]:
    where, label = leagues.meeting_of(conn, game), say("Game {game}", game=game)
    return label, say("season {n}, meeting {meeting}", n=where.season, meeting=where.meeting) if where else ""


def _ties(state: LeagueState | None) -> list[tuple[str, tuple[PlayerId, ...]]]:
    season = state.season if state is not None else None
    if state is None or season is None or season.phase is not Phase.RUNNING or not is_played(state, season):
        return []
    return [
        (say("Division {division}", division=division.name), tuple(map(season.who, one.players)))
        for division, one in playoffs_due(state, season)
    ]


def _names(conn: Transaction, players: Iterable[PlayerId]) -> str:
    return ", ".join(people.player(conn, player).name for player in players)
