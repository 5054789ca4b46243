"""A world whose admin hears of what their leagues come to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.leagues.league_world import ADMINS
from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.config import Jobs, Site
from turnserver.config import Settings as Configuration
from turnserver.store.log.database import Database


@pytest.fixture
def admin_world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world whose admin gets reports, and where a week without a sweep is no outage."""
    db = Database.connect(sqlite_url)
    calm = Configuration(site=Site(address=SITE, admin=ADMINS), play=PLAIN, jobs=Jobs(outage_minutes=10_080))
    yield World(db, tmp_path / "mail", settings=calm)
    db.close()
