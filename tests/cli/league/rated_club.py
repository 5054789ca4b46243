"""A club with a league whose games are given up, one after another, months apart."""

from datetime import timedelta

from tests.cli.club import Club
from turnserver.config import reading
from turnserver.ids import LeagueId
from turnserver.league.commands import OpenLeague
from turnserver.league.settings import Format, Settings
from turnserver.league.state import Fixture
from turnserver.play.commands import Resign
from turnserver.service.service import Service
from turnserver.store.log.database import Database


def play(club: Club, *winners: str, days: int = 31) -> LeagueId:
    """Ada, Bob and Cleo play a double round robin of Take, whose first games each go to one of its players by resignation at once.

    Where neither player of a game is the next winner, the first of them resigns. So many `days` lie between them.
    """
    settings = reading.load(club.config, {})
    db = Database.connect(settings.database.url)
    service = Service(db, settings, clock=lambda: club.now, lot=tuple, entropy=lambda count: bytes(range(count)))
    names = {person.id: person.name for person in service.people.everybody()}
    league = _begun(service, club)
    wanted = [*winners]
    while wanted:
        club.now += timedelta(days=days)
        fixture = _next(service, league)
        loser = next(player for player in fixture.players if names[player] != wanted[0])
        assert fixture.game is not None
        service.games.handle(fixture.game, Resign(loser, club.now), actor=f"player-{loser}", cause=f"test:{fixture.game}")
        _sweep(service, club)
        wanted.pop(0)
    service.db.close()
    return league


def _begun(service: Service, club: Club) -> LeagueId:
    leagues = service.leagues
    settings = Settings(format=Format.DOUBLE_ROUND_ROBIN)
    league = leagues.open(OpenLeague("Take Winter", "take", {"size": 2}, settings, "no limit"), actor="admin:test", cause="test:open")
    leagues.announce(league, None, actor="admin:test", cause="test:announce")
    for name in ("Ada", "Bob", "Cleo"):
        leagues.enter(league, name, by_admin=True, actor="admin:test", cause=f"test:{name}")
    leagues.start(league, actor="admin:test", cause="test:start")
    _sweep(service, club)
    return league


def _next(service: Service, league: LeagueId) -> Fixture:
    season = service.leagues.state(league).season
    assert season is not None
    return next(fixture for fixture in season.fixtures if fixture.game is not None and not fixture.marks)


def _sweep(service: Service, club: Club) -> None:
    club.now += timedelta(minutes=5)
    for _ in range(20):
        service.upkeep.sweep()
