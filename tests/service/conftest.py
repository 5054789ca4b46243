"""Worlds on SQLite for most tests, and on both engines for those that the engine could break."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.world import World
from turnserver.audit.league import leagues
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database


def wrong_in_leagues(db: Database) -> list[str]:
    """Return what an audit objects to in the leagues that a test has played."""
    with db.read() as conn:
        known = audit.begun(conn).leagues
    return [str(found) for league in known for found in leagues.verify(db, league)]


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A fresh world over SQLite."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail")
    assert wrong_in_leagues(db) == []
    db.close()


@pytest.fixture
def any_world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A fresh world over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail")
    assert wrong_in_leagues(db) == []
    db.close()
