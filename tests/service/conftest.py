"""Worlds on SQLite for most tests, and on both engines for those that the engine could break."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.world import World
from turnserver.store.database import Database


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A fresh world over SQLite."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail")
    db.close()


@pytest.fixture
def any_world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A fresh world over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail")
    db.close()
