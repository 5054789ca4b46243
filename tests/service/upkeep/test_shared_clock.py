"""Of several machines on one PostgreSQL, the one whose clock differs from the server's decides nothing; the others go on."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from tests.service.world import SITE
from tests.web.serving import asked
from turnserver.config import Settings, Site
from turnserver.errors import ClocksDiffer
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.outside import system_clock, system_running
from turnserver.service import keys
from turnserver.service.service import Service
from turnserver.service.upkeep.standing import standing
from turnserver.store.incidents import outages
from turnserver.store.log.database import Database
from turnserver.store.log.log import APART
from turnserver.store.log.tables import OutageRow
from turnserver.web.counts import Counts
from turnserver.web.health import application
from turnserver.web.server import LOOPBACK, WebServer

ASKED = b"From: ada@example.org\nTo: turns@club.example\nMessage-ID: <1@x>\n\nhelp\n"
OFF = [timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(minutes=-1), timedelta(days=-1)]


class Machine:
    """A machine that serves a database by its own clock."""

    def __init__(self, url: str, directory: Path) -> None:
        self.db = Database.connect(url)
        self.mails = directory
        self.ahead = timedelta(0)
        self.service = Service(
            self.db,
            Settings(site=Site(address=SITE, admin="admin@club.example")),
            clock=lambda: system_clock() + self.ahead,
            running=system_running,
            transport=lambda: MaildirTransport(directory),
        )
        with self.db.write() as tx:
            keys.ensure(tx, lambda count: b"k" * count)

    def worked(self) -> datetime | None:
        """Work for a round, and return when somebody last did."""
        self.service.tick()
        with self.db.read() as conn:
            return outages.last_beat(conn)

    def ready(self) -> int:
        """Return how it answers at /readyz."""
        server = WebServer(application(self.service, Counts()), LOOPBACK, 0, choose="")
        server.start()
        try:
            return asked(server.port, "GET", "/readyz").status
        finally:
            server.stop()

    def commands(self) -> list[str]:
        """Return what an admin is to type about the clock."""
        service = self.service
        found = standing(service.ledger, service.leagues, service.settings, service.upkeep.guard, service.clock())
        return [one.command for one in found.tasks if one.about == "Clock"]


@pytest.fixture
def machines(postgresql_url: str, tmp_path: Path) -> Iterator[tuple[Machine, Machine]]:
    """Two machines with one database and the time of its server, of which the first has worked."""
    one, other = (Machine(postgresql_url, tmp_path / name) for name in ("one", "other"))
    assert one.worked() is not None
    yield one, other
    one.db.close()
    other.db.close()


@pytest.mark.parametrize("ahead", OFF, ids=str)
def test_a_machine_with_another_time_decides_nothing_and_stops_nobody(
    machines: tuple[Machine, Machine], ahead: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    right, wrong = machines
    wrong.ahead = ahead
    before = right.worked()
    with caplog.at_level(logging.WARNING):
        assert [wrong.worked() for _ in range(3)] == [before] * 3
    [said] = [record for record in caplog.records if record.name.startswith("turnserver")]
    assert (said.levelname, said.getMessage().count(" UTC")) == ("CRITICAL", 2)
    for refused in (lambda: wrong.service.mail.receive(ASKED, SITE, "ada@example.org", "test"), wrong.service.upkeep.confirm_clock):
        with pytest.raises(ClocksDiffer, match="set the one that is wrong"):
            refused()
    assert (wrong.ready(), wrong.commands()) == (503, ["timedatectl status"])
    [told] = [path.read_text() for path in (wrong.mails / "new").iterdir()]
    assert "confirm-clock" not in told

    after = right.worked()
    assert before is not None
    assert after is not None
    assert before < after
    with right.db.session() as session:
        assert session.exec(select(OutageRow)).all() == []
    assert (right.ready(), right.commands()) == (200, [])
    wrong.ahead = timedelta(0)
    assert wrong.worked() != after


def test_nobody_writes_an_event_from_the_future(machines: tuple[Machine, Machine]) -> None:
    """An admin may work at a machine that serves nobody, and whose clock is wrong; all others would then be behind the log."""
    right, wrong = machines
    wrong.ahead = timedelta(hours=1)
    with pytest.raises(ClocksDiffer, match="Nothing has changed"):
        wrong.service.people.add("Ada", "ada@example.org", actor="admin:x", cause="1")
    assert right.service.people.everybody() == []
    assert right.service.people.add("Ada", "ada@example.org", actor="admin:x", cause="1").name == "Ada"


@pytest.mark.parametrize("ahead", [APART / 2, -APART / 2], ids=str)
def test_clocks_may_differ_by_little(machines: tuple[Machine, Machine], ahead: timedelta) -> None:
    _, other = machines
    other.ahead = ahead
    other.worked()
    assert other.service.mail.receive(ASKED, SITE, "ada@example.org", "test")
    assert (other.ready(), other.commands()) == (200, [])


def test_a_question_that_waits_for_the_database_is_no_difference(machines: tuple[Machine, Machine]) -> None:
    """The instant is as old as the question by the time that the server answers."""
    one, _ = machines
    began = one.service.clock() - 3 * APART
    with one.db.read() as conn:
        one.service.upkeep.guard.require_agreement(outages.signs(conn, began))
