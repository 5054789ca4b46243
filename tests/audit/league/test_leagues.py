"""Whatever a league and its games do not tell alike is found."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.service.leagues import league_world
from tests.service.world import World
from turnserver.audit.league.leagues import crosscheck, misplaced
from turnserver.ids import GameId, LeagueId, PlayerId, Position, Recorded
from turnserver.league import events as e
from turnserver.league.scoring.marks import Mark
from turnserver.play.events import GameEnded, GameEvent, GameOpened
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Database

Rows = list[Recorded[Any]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Rows, dict[GameId, Rows]]]:
    """What a league of four and its games tell, after the first game was resigned."""
    directory: Path = tmp_path_factory.mktemp("league")
    url = f"sqlite:///{directory}/league.db"
    Database.create_or_upgrade(url).close()
    db = Database.connect(url)
    world = World(db, directory / "mail")
    league = league_world.open_league(world)
    season = league_world.begin(world, league)
    first = league_world.meeting(world, league, "Ada", "Bob").game
    assert first is not None
    league_world.resign(world, first, league_world.number(world, "Ada"))
    league_world.sweep(world)
    games = {fixture.game: world.service.games.history(fixture.game) for fixture in season.fixtures if fixture.game is not None}
    rows: Rows = list(world.service.leagues.history(league))
    yield rows, games
    db.close()


def problems(rows: Rows, games: dict[GameId, Rows]) -> str:
    def history(game: GameId) -> Sequence[Recorded[GameEvent]] | None:
        return games.get(game, [])

    return " ".join(found.problem for found in crosscheck(rows, history))


def changed(rows: Rows, kind: type, change: Callable[[Any], Any]) -> Rows:
    """With the first event of a kind changed."""
    at = next(at for at, row in enumerate(rows) if isinstance(row.event, kind))
    return [*rows[:at], rows[at]._replace(event=change(rows[at].event)), *rows[at + 1 :]]


def test_they_tell_the_same(told: tuple[Rows, dict[GameId, Rows]]) -> None:
    rows, games = told
    assert any(isinstance(row.event, e.ResultRecorded) for row in rows)
    assert problems(rows, games) == ""
    assert list(crosscheck(rows, lambda _game: None)) == []


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (e.GameAttached, lambda event: replace(event, game=GameId(99)), "game 99 was not there"),
        (e.GameAttached, lambda event: replace(event, meeting=event.meeting + 1), "who meet"),
        (e.ResultRecorded, lambda event: replace(event, marks=event.marks[::-1]), "and not to"),
        (e.ResultRecorded, lambda event: replace(event, marks=(Mark.DRAW, Mark.DRAW)), "and not to draw-draw"),
        (e.ResultRecorded, lambda event: replace(event, at=event.at.replace(year=2020)), "came to that at"),
    ],
)
def test_a_league_that_tells_otherwise_is_found(
    told: tuple[Rows, dict[GameId, Rows]], kind: type, change: Callable[[Any], Any], says: str
) -> None:
    rows, games = told
    assert says in problems(changed(rows, kind, change), games)


def test_a_result_that_was_left_out_is_missed(told: tuple[Rows, dict[GameId, Rows]]) -> None:
    rows, games = told
    at = next(at for at, row in enumerate(rows) if isinstance(row.event, e.ResultRecorded))
    without = [*rows[:at], *rows[at + 1 :]]
    assert problems(without, games) == ""  # as if the game had ended at that very moment
    end = rows[-1]
    for number, event in enumerate(
        (e.PairBarred(players=(PlayerId(1), PlayerId(2))), e.PairAllowed(players=(PlayerId(1), PlayerId(2)))), 1
    ):
        without.append(end._replace(position=Position(end.position + number), cause=f"cli:{number}", event=event))
    assert "which the league has not heard of" in problems(without, games)


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (GameOpened, lambda event: replace(event, players=(PlayerId(3), PlayerId(4))), "is played by 3, 4, but it is"),
        (GameOpened, lambda event: replace(event, options={"size": 3}), "is not what is played in this league"),
        (GameEnded, lambda event: replace(event, winners=(3 - event.winners[0],)), "has come to"),
    ],
)
def test_a_game_that_tells_otherwise_is_found(
    told: tuple[Rows, dict[GameId, Rows]], kind: type, change: Callable[[Any], Any], says: str
) -> None:
    rows, games = told
    game = next(game for game, each in games.items() if any(isinstance(row.event, kind) for row in each))
    assert says in problems(rows, {**games, game: changed(games[game], kind, change)})


def test_games_are_kept_where_their_league_says(sqlite_url: str, tmp_path: Path) -> None:
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path / "mail")
    league = league_world.open_league(world)
    league_world.begin(world, league)
    rows = world.service.leagues.history(league)
    with world.service.db.read() as conn:
        kept = leagues.games_of(conn, league)
    db.close()
    assert list(misplaced(league, rows, kept)) == []
    game, meeting = next(iter(kept.items()))
    elsewhere = {**kept, game: meeting._replace(meeting=99), GameId(500): meeting._replace(league=LeagueId(1))}
    assert [found.problem for found in misplaced(league, rows, elsewhere)] == [
        f"game {game} is not kept as the game of meeting {meeting.meeting} of season 1",
        "game 500 is kept as one of this league, which does not know it",
    ]
