"""A fresh club for each test, copied from one that was made once."""

from pathlib import Path

import pytest

from tests.cli.club import Club, copied, found


@pytest.fixture(scope="session")
def club_template(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club that is copied."""
    return found(tmp_path_factory.mktemp("club"))


@pytest.fixture
def club(club_template: Club, tmp_path: Path) -> Club:
    """A club with three players and three games; see `tests.cli.club`."""
    return copied(club_template, tmp_path)
