"""The report of a process about itself to whatever watches it."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from tests.service.world import SITE
from tests.web.serving import asked
from turnserver.config import Settings, Site
from turnserver.errors import DatabaseFull
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement
from turnserver.web.counts import Counts
from turnserver.web.health import FULL, application
from turnserver.web.server import LOOPBACK, WebServer

_FAILS = Statement(text("DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$"))


def test_a_process_whose_database_had_no_room_a_moment_ago_is_not_ready(postgresql_url: str) -> None:
    """Small rows go on finding room between those that are there."""
    now = datetime(2026, 11, 1, tzinfo=UTC)
    db = Database.connect(postgresql_url)
    service = Service(db, Settings(site=Site(address=SITE, admin="admin@club.example")), clock=lambda: now)
    server = WebServer(application(service, Counts()), LOOPBACK, 0, choose="")
    server.start()
    try:
        assert asked(server.port, "GET", "/readyz").status == 200
        with suppress(DatabaseFull), db.write() as tx:
            tx.run(_FAILS)
        found = [asked(server.port, "GET", "/readyz") for _ in range(2)]
        assert [(one.status, one.text) for one in found] == [(503, "the database cannot be written: could not extend file\n")] * 2
        now += FULL + timedelta(seconds=1)
        assert asked(server.port, "GET", "/readyz").status == 200
        # nobody asks until the minute is over
        with suppress(DatabaseFull), db.write() as tx:
            tx.run(_FAILS)
        now += FULL + timedelta(seconds=1)
        assert asked(server.port, "GET", "/readyz").status == 200
    finally:
        server.stop()
        db.close()
