"""`turnserver league show` about many leagues asks the database as often as about few."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from tests.cli.club import Club, copied
from turnserver.config import reading
from turnserver.ids import LeagueId
from turnserver.play.commands import Resign
from turnserver.service.service import Service
from turnserver.store.log.database import Database


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Yield what SQLite is asked from now on."""
    asked: list[str] = []

    def trace(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        connection.set_trace_callback(asked.append)

    event.listen(Pool, "connect", trace)
    yield asked
    event.remove(Pool, "connect", trace)


def found(club: Club) -> Service:
    settings = reading.load(club.config, {})
    return Service(Database.connect(settings.database.url), settings, clock=lambda: club.now, lot=tuple)


@pytest.fixture
def club(club_template: Club, tmp_path: Path) -> Club:
    return copied(club_template, tmp_path)


def running(club: Club, *names: str) -> None:
    """More leagues of three players with their games open."""
    for name in names:
        club.printed(f"league add {name} --game take --set ready_hours=0")
        for line in (f"league open {name}", f"league enter {name} Ada Bob Cleo", f"league start {name} --yes"):
            club.printed(line)
    club.printed("tick")


@pytest.mark.parametrize("line", ["league show", "league show --json"])
def test_as_many_statements_for_six_leagues_as_for_two(club: Club, statements: list[str], line: str) -> None:
    running(club, "One", "Two")
    counts = []
    for more in ([], ["Three", "Four", "Five", "Six"]):
        running(club, *more)
        statements.clear()
        club.printed(line)
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 30


def test_all_leagues_are_as_each_of_them_is(club: Club) -> None:
    running(club, "One", "Two")
    service = found(club)
    season = service.leagues.state(LeagueId(1)).season
    assert season
    game, player = next((one.game, one.players[0]) for one in season.fixtures if one.game is not None)
    service.games.handle(game, Resign(player, club.now), actor=f"player-{player}", cause="mail:1")
    states = service.leagues.states()
    service.db.close()
    fresh = found(club)
    assert states == {LeagueId(number): fresh.leagues.state(LeagueId(number)) for number in (1, 2)}
    assert any(fixture.marks for state in states.values() if state.season for fixture in state.season.fixtures)
    fresh.db.close()
    each = [club.json(f"league show {number} --json") for number in (1, 2)]
    assert club.json("league show --json") == [one for (one,) in each]  # type: ignore[misc,has-type]
