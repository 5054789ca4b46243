"""A small league over two seasons, counted again by a reader of JSON who knows nothing of the program. `make seasons` plays a large one."""

from pathlib import Path

import pytest

from tests.seasons.the_league import Played
from tests.shortened import shortened

SEEDS = shortened([1, 2, 3])


@pytest.mark.parametrize("seed", SEEDS)
def test_tables_are_what_the_games_came_to(tmp_path: Path, seed: int) -> None:
    played = Played(str(tmp_path / "seasons.db"), 3, seed)
    try:
        played.run(2)
        assert played.problems() == []
        assert played.figures["seasons"] == 2
    finally:
        played.close()
