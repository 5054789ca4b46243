"""A fresh club for each test, copied from one that was made once."""

from pathlib import Path

import pytest

from tests.cli.club import Club, copied, found
from tests.cli.league.league_club import with_leagues


@pytest.fixture(scope="session")
def club_template(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club that is copied."""
    return found(tmp_path_factory.mktemp("club"))


@pytest.fixture
def club(club_template: Club, tmp_path: Path) -> Club:
    """A club with three players and three games; see `tests.cli.club`."""
    return copied(club_template, tmp_path)


@pytest.fixture(scope="session")
def leagues_template(club_template: Club, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club with leagues that is copied."""
    return with_leagues(copied(club_template, tmp_path_factory.mktemp("leagues")))


@pytest.fixture
def leagues(leagues_template: Club, tmp_path: Path) -> Club:
    """The club with its leagues; see `tests.cli.league.league_club`."""
    club = copied(leagues_template, tmp_path)
    club.now, club.entropy = leagues_template.now, leagues_template.entropy
    return club
