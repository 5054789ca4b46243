"""A clock that cannot be right decides nothing; an admin hears what to type."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.service.world import BEGIN, PEOPLE, SITE, World
from turnserver.config import Settings, Site
from turnserver.errors import ClockWrong
from turnserver.play.state import Status
from turnserver.service.plausible import AHEAD, BEHIND
from turnserver.store import inbox, outages
from turnserver.store.database import Database

ADMIN = "admin@club.example"
ASKED = b"From: ada@example.org\nTo: turns@club.example\nMessage-ID: <1@x>\n\nhelp\n"


@pytest.fixture
def world(database: Database, tmp_path: Path) -> World:
    one = World(database, tmp_path / "mail", settings=Settings(site=Site(address=SITE, admin=ADMIN)))
    one.service.sweep()
    return one


def waiting(world: World) -> dict[str, int]:
    """The mails of the inbox by status."""
    with world.service.db.read() as conn:
        return inbox.counts(conn)


@pytest.mark.parametrize("step", [-BEHIND, timedelta(0), AHEAD], ids=str)
def test_a_clock_that_may_be_right_is_believed(world: World, step: timedelta) -> None:
    world.now += step
    world.service.receive(ASKED, SITE, PEOPLE["Ada"], "test")
    assert world.service.read_inbox().handled == 1
    assert world.mails(ADMIN) == []


@pytest.mark.parametrize("step", [timedelta(hours=-2), timedelta(days=-4000), timedelta(days=366), timedelta(days=400)], ids=str)
def test_by_a_clock_that_cannot_be_right_nothing_is_decided(world: World, step: timedelta) -> None:
    game = world.open()
    world.service.sweep()
    before, known = world.service.history(game), waiting(world)
    world.service.receive(ASKED, SITE, PEOPLE["Ada"], "test")
    world.now += step
    for _ in range(3):
        assert not any(any(each) for each in world.service.tick()[:2])
        with pytest.raises(ClockWrong, match="turnserver confirm-clock"):
            world.service.receive(ASKED.replace(b"<1@", b"<2@"), SITE, PEOPLE["Ada"], "test")
        world.restart()
    assert world.service.history(game) == before
    assert waiting(world) == {**known, "new": 1}
    with world.service.db.read() as conn:
        assert outages.unsettled(conn) == []
        assert outages.last_beat(conn) == BEGIN
    [told] = world.mails(ADMIN)
    assert told["Subject"].endswith("The clock of the machine cannot be right")
    assert "turnserver confirm-clock" in str(told)

    world.now -= step
    world.settle()
    assert waiting(world) == {"done": known.get("done", 0) + 1}
    assert world.service.sweep().credited == 0


@pytest.mark.parametrize("step", [timedelta(hours=-2), timedelta(days=400)], ids=str)
def test_an_admin_has_the_last_word(world: World, step: timedelta) -> None:
    """Time that has passed since the last sign of life is given back; nobody loses on time for it."""
    game = world.open()
    world.service.sweep()
    world.now += step
    assert world.service.confirm_clock() == world.now
    world.service.receive(ASKED, SITE, PEOPLE["Ada"], "test")
    assert world.service.read_inbox().handled == 1
    assert world.service.sweep().credited == 0  # the reader has given it back before
    state = world.state(game)
    assert state.status is Status.RUNNING
    assert state.deadline is not None
    assert state.deadline > world.now
    with world.service.db.read() as conn:
        assert outages.last_beat(conn) == world.now
    world.answer("Ada", "a1")
    assert world.state(game).turn == 2
