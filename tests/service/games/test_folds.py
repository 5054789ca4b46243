"""The cache of folded games."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from tests.service.world import World
from turnserver.games import find
from turnserver.ids import GameId, game_stream
from turnserver.play.commands import CheckClock
from turnserver.play.decide import decide
from turnserver.service.fold_cache import FoldCache
from turnserver.service.games.folds import GameAt, Games
from turnserver.store.log import log

OPENING = 4
"""Events of a game in which nothing was played."""


def event_cache(most: int) -> FoldCache[GameId, GameAt]:
    """Return a cache like that of the service, for so many events."""
    return FoldCache(most, lambda at: at.state.version)


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
    cache = event_cache(most)
    loaded = Games(cache, find)
    with world.service.db.read() as conn:
        for number in looked_at:
            assert loaded.load(conn, games[number - 1]).state.version == OPENING
    assert [number for number, game in enumerate(games, start=1) if cache.get(game)] == remembered


def test_a_game_that_goes_on_counts_with_all_its_events(world: World) -> None:
    first, second = world.open(), world.open()
    cache = event_cache(2 * OPENING)
    loaded = Games(cache, find)
    for game, version in ((first, OPENING), (second, OPENING)):
        with world.service.db.read() as conn:
            assert loaded.load(conn, game).state.version == version
    world.answer("Ada", "a1", mail=next(mail for mail in reversed(world.mails("Ada")) if f"{second}" in mail["Subject"]))
    with world.service.db.read() as conn:
        assert loaded.load(conn, second).state.version == OPENING + 1
    assert (cache.get(first) is None, cache.get(second) is None) == (True, False)


def test_what_is_appended_meanwhile_is_seen_by_the_same_transaction(world: World) -> None:
    game, games = world.open(), world.service.ledger.games
    with world.service.db.write() as tx:
        before = games.load(tx, game)
        assert before.state.deadline is not None
        events = tuple(decide(before.state, CheckClock(), before.state.deadline + timedelta(days=9)))
        log.append(tx, game_stream(game), before.state.version, events, at=world.now, actor="t", cause="t", previous=before.head)
        assert games.load(tx, game).state.version == before.state.version + len(events) > before.state.version
