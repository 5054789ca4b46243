"""A season at tables of four over a real database: what games of more than two are to their league, and the league to them."""

from collections.abc import Mapping

import pytest

from tests.service.leagues.league_world import ADMIN, FOUR, begin, do, number, resign, season, sound, state, sweep
from tests.service.world import World
from turnserver.ids import GameId, LeagueId
from turnserver.league.commands import CloseSeason, OpenLeague, Withdraw
from turnserver.league.events import DecidedBy
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings
from turnserver.league.state import Fixture, Phase
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.state import Status

TABLES = Settings(format=Format.TABLES, rounds=1)


def opened(world: World, game: str, options: Mapping[str, str | int | bool], settings: Settings = TABLES) -> LeagueId:
    """A league at one table, whose first season has begun."""
    world.add("Dan", "dan@example.org")
    world.settle()
    command = OpenLeague("Tables", game, options, settings)
    league = world.service.leagues.open(command, actor=ADMIN, cause="test:open")
    begin(world, league)
    return league


def only(world: World, league: LeagueId) -> Fixture:
    (fixture,) = season(world, league).fixtures
    return fixture


def game(world: World, league: LeagueId) -> GameId:
    found = only(world, league).game
    assert found is not None
    return found


def places(world: World, league: LeagueId) -> dict[str, int]:
    fixture = only(world, league)
    return {name: fixture.places[fixture.players.index(number(world, name))] for name in FOUR}


def test_whoever_leaves_first_is_last(any_world: World) -> None:
    world = any_world
    league = opened(world, "sneaky-octopuses", {"players": 4})
    for name in ("Cleo", "Ada", "Dan"):
        resign(world, game(world, league), number(world, name))
    sweep(world)
    assert places(world, league) == {"Bob": 1, "Dan": 2, "Ada": 3, "Cleo": 4}
    assert only(world, league).by is DecidedBy.GAME
    assert season(world, league).phase is Phase.CLOSED
    points = {line.player: line.points for line in state(world, league).last[0].lines}
    assert points == {number(world, name): worth for name, worth in zip(("Bob", "Dan", "Ada", "Cleo"), "3210", strict=True)}
    assert sound(world)


def test_partners_win_and_lose_together(world: World) -> None:
    league = opened(world, "tako-judo", {"variant": "teams"})
    one, _, partner, _ = only(world, league).players
    for player in (one, partner):
        resign(world, game(world, league), player)
    sweep(world)
    assert (only(world, league).marks, only(world, league).places) == ((Mark.LOSS, Mark.WIN) * 2, (3, 1, 3, 1))


def test_who_withdraws_leaves_the_table_and_the_others_play_on(any_world: World) -> None:
    world = any_world
    league = opened(world, "sneaky-octopuses", {"players": 4})
    running = game(world, league)
    do(world, league, Withdraw(number(world, "Bob")))
    assert world.state(running).status is Status.RUNNING
    assert world.state(running).seat_of(number(world, "Bob")) in world.state(running).left
    assert only(world, league).marks == ()
    for name in ("Ada", "Cleo"):
        resign(world, running, number(world, name))
    sweep(world)
    assert places(world, league) == {"Dan": 1, "Cleo": 2, "Ada": 3, "Bob": 4}
    assert [line.left for line in state(world, league).last[0].lines] == [False, False, False, True]
    assert sound(world)


def test_a_withdrawal_may_end_the_game(world: World) -> None:
    league = opened(world, "sneaky-octopuses", {"players": 4})
    running = game(world, league)
    for name in ("Cleo", "Ada"):
        resign(world, running, number(world, name))
    do(world, league, Withdraw(number(world, "Dan")))
    assert world.state(running).status is Status.ENDED
    sweep(world)
    assert places(world, league) == {"Bob": 1, "Dan": 2, "Ada": 3, "Cleo": 4}


def test_whoever_has_left_the_game_may_withdraw(world: World) -> None:
    league = opened(world, "sneaky-octopuses", {"players": 4})
    resign(world, game(world, league), number(world, "Ada"))
    do(world, league, Withdraw(number(world, "Ada")))
    assert world.state(game(world, league)).status is Status.RUNNING


@pytest.mark.parametrize("name", ["Ada", "Dan"])
def test_a_season_that_is_closed_early_ends_its_tables(world: World, name: str) -> None:
    league = opened(world, "sneaky-octopuses", {"players": 4})
    resign(world, game(world, league), number(world, name))
    do(world, league, CloseSeason("spring"))
    result = world.state(game(world, league)).result
    assert result is not None
    assert (result.outcome, result.by) == (Outcome.VOID, EndedBy.ANNULMENT)
    assert set(only(world, league).marks) == {Mark.NO_RESULT}
