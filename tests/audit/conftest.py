"""A club whose games are there for every test, and its bundles."""

from pathlib import Path

import pytest

from tests.audit.bundle import bundles
from tests.cli import club as clubs
from tests.cli.club import Club


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club that no test changes."""
    club = clubs.found(tmp_path_factory.mktemp("audited"))
    bundles.with_chance(club)
    return club


@pytest.fixture(scope="session")
def of_dice(template: Club) -> bytes:
    """The bundle of a game with rolls that has ended."""
    return bundles.exported(template, bundles.DICE)


@pytest.fixture(scope="session")
def of_all(template: Club) -> bytes:
    """The bundle of the whole log."""
    return bundles.exported(template, "all")


@pytest.fixture
def club(template: Club, tmp_path: Path) -> Club:
    """A club of one's own."""
    return clubs.copied(template, tmp_path)
