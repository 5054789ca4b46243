"""The cache of folded games."""

from collections.abc import Sequence

import pytest

from tests.service.world import World
from turnserver.games import find
from turnserver.service.games.folds import FoldCache, Games

OPENING = 4
"""Events of a game in which nothing was played."""


@pytest.mark.parametrize(
    ("most", "looked_at", "remembered"),
    [
        (3 * OPENING, [1, 2, 3], [1, 2, 3]),
        (3 * OPENING - 1, [1, 2, 3], [2, 3]),
        (3 * OPENING - 1, [1, 2, 1, 3], [1, 3]),
        (3 * OPENING - 1, [1, 1, 2, 2], [1, 2]),
        (OPENING - 1, [1, 2], []),
    ],
)
def test_the_games_looked_at_last_are_remembered(world: World, most: int, looked_at: Sequence[int], remembered: Sequence[int]) -> None:
    games = [world.open() for _ in range(3)]
    cache = FoldCache(most)
    loaded = Games(cache, find)
    with world.service.db.read() as conn:
        for number in looked_at:
            assert loaded.load(conn, games[number - 1]).state.version == OPENING
    assert [number for number, game in enumerate(games, start=1) if cache.get(game)] == remembered


def test_a_game_that_goes_on_counts_with_all_its_events(world: World) -> None:
    first, second = world.open(), world.open()
    cache = FoldCache(2 * OPENING)
    loaded = Games(cache, find)
    for game, version in ((first, OPENING), (second, OPENING)):
        with world.service.db.read() as conn:
            assert loaded.load(conn, game).state.version == version
    world.answer("Ada", "a1", mail=next(mail for mail in reversed(world.mails("Ada")) if f"{second}" in mail["Subject"]))
    with world.service.db.read() as conn:
        assert loaded.load(conn, second).state.version == OPENING + 1
    assert (cache.get(first) is None, cache.get(second) is None) == (True, False)
