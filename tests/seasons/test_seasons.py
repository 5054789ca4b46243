"""A small league over two seasons, counted again by a reader of JSON who knows nothing of the program. `make seasons` plays a large one."""

from pathlib import Path

import pytest

from tests.seasons.the_league import Played
from tests.shortened import shortened

SEEDS = shortened([1, 2, 3])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seasons", shortened([1, 2]))
def test_tables_are_what_the_games_came_to(tmp_path: Path, seed: int, seasons: int) -> None:
    played = Played(str(tmp_path / "seasons.db"), 3, seed)
    try:
        played.run(seasons)
        assert played.problems() == []
        assert played.figures["seasons"] == seasons
    finally:
        played.close()
