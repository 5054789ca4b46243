"""Leagues over a real database: seasons from their opening to the final table, and what league and games do to each other."""

from tests.service.league_world import (
    FOUR,
    begin,
    lose_all,
    open_league,
    season,
    sound,
    state,
    sweep,
)
from tests.service.world import World
from turnserver.league.state import Phase
from turnserver.play.state import Status


def test_a_round_robin_of_four_from_its_opening_to_the_final_table(any_world: World) -> None:
    world = any_world
    league = open_league(world)
    found = begin(world, league)
    games = [fixture.game for fixture in found.fixtures]
    assert len(games) == len(set(games)) == 6
    assert None not in games
    for fixture in found.fixtures:
        assert fixture.game is not None
        game = world.state(fixture.game)
        assert (game.players, game.status) == (fixture.players, Status.RUNNING)
        assert (game.terms.void_turns, game.terms.reopen_hours) == (0, 0)
    lose_all(world, league)
    sweep(world)
    final = state(world, league)
    assert season(world, league).phase is Phase.CLOSED
    [table] = final.last
    assert [(line.player, line.points) for line in table.lines] == [(1, "3"), (2, "2"), (3, "1"), (4, "0")]
    assert world.service.leagues.names(final) == dict(enumerate(FOUR, start=1))
    assert sound(world)
    assert [row.version for row in world.service.leagues.listed()] == [final.version]
