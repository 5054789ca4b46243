"""A clock that cannot be right decides nothing; an admin hears what to type."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.service.pages.test_turns import link
from tests.service.world import BEGIN, PEOPLE, SITE, World
from turnserver.config import ImapAccount, Settings, Site
from turnserver.errors import ClockWrong, DatabaseBusy
from turnserver.mail.inbound.phrases import Move
from turnserver.outside import system_running
from turnserver.play.events import TurnPlayed
from turnserver.play.state import Status
from turnserver.service.service import Service
from turnserver.service.upkeep.plausible_clock import AHEAD, BEHIND
from turnserver.store.incidents import outages
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox

ADMIN = "admin@club.example"
ASKED = b"From: ada@example.org\nTo: turns@club.example\nMessage-ID: <1@x>\n\nhelp\n"


@pytest.fixture
def world(database: Database, tmp_path: Path) -> World:
    one = World(database, tmp_path / "mail", settings=Settings(site=Site(address=SITE, admin=ADMIN)))
    one.service.upkeep.sweep()
    return one


def waiting(world: World) -> dict[str, int]:
    """The mails of the inbox by status."""
    with world.service.db.read() as conn:
        return inbox.counts(conn)


@pytest.mark.parametrize("step", [-BEHIND, timedelta(0), AHEAD], ids=str)
def test_a_clock_that_may_be_right_is_believed(world: World, step: timedelta) -> None:
    world.now += step
    world.service.mail.receive(ASKED, SITE, PEOPLE["Ada"], "test")
    assert world.service.mail.read_inbox().handled == 1
    assert not world.mails(ADMIN)


@pytest.mark.parametrize("step", [timedelta(hours=-2), timedelta(days=-4000), timedelta(days=366), timedelta(days=400)], ids=str)
def test_by_a_clock_that_cannot_be_right_nothing_is_decided(world: World, step: timedelta) -> None:
    game = world.open()
    world.service.upkeep.sweep()
    before, known = world.service.games.history(game), waiting(world)
    world.service.mail.receive(ASKED, SITE, PEOPLE["Ada"], "test")
    world.now += step
    for _ in range(3):
        assert not any(any(each) for each in world.service.tick()[:2])
        with pytest.raises(ClockWrong, match="turnserver confirm-clock"):
            world.service.mail.receive(ASKED.replace(b"<1@", b"<2@"), SITE, PEOPLE["Ada"], "test")
        world.restart()
    assert world.service.games.history(game) == before
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
    assert world.service.upkeep.sweep().credited == 0


def test_nothing_is_played_on_a_page_by_a_clock_that_cannot_be_right(world: World) -> None:
    game = world.open()
    world.service.upkeep.sweep()
    page = link(world, game, "Ada")
    world.now += timedelta(days=400)
    before = world.service.games.history(game)
    with pytest.raises(ClockWrong):
        world.service.pages.turns.act(page, [Move("a1")], "one form")
    assert world.service.games.history(game) == before


def test_no_mail_comes_after_it_was_read(world: World) -> None:
    """It came while the clock was fast, and was read once an admin had confirmed the one that was put right."""
    game = world.open()
    world.answer("Ada", "a1", settle=False)
    world.now -= timedelta(hours=2)
    world.service.upkeep.confirm_clock()
    world.service.mail.read_inbox()
    *_, played = world.service.games.history(game)
    assert isinstance(played.event, TurnPlayed)
    assert played.event.received_at == played.at == world.now


@pytest.mark.parametrize("step", [timedelta(hours=-2), timedelta(days=400)], ids=str)
def test_an_admin_has_the_last_word(world: World, step: timedelta) -> None:
    """Time that has passed since the last sign of life is given back; nobody loses on time for it."""
    game = world.open()
    world.service.upkeep.sweep()
    world.now += step
    assert world.service.upkeep.confirm_clock() == world.now
    world.service.mail.receive(ASKED, SITE, PEOPLE["Ada"], "test")
    assert world.service.mail.read_inbox().handled == 1
    assert world.service.upkeep.sweep().credited == 0  # the reader has given it back before
    state = world.state(game)
    assert state.status is Status.RUNNING
    assert state.deadline is not None
    assert state.deadline > world.now
    with world.service.db.read() as conn:
        assert outages.last_beat(conn) == world.now
    world.answer("Ada", "a1")
    assert world.state(game).turn == 2


def fails_once(tell: Callable[[ClockWrong | None, datetime], None]) -> Callable[[ClockWrong | None, datetime], None]:
    """The database is busy the first time."""
    tries = count()

    def telling(error: ClockWrong | None, now: datetime) -> None:
        if next(tries) == 0:
            raise DatabaseBusy("busy")
        tell(error, now)

    return telling


class Running:
    """A service whose process counts the time that passes, whatever the clock says."""

    def __init__(self, world: World, database: Database) -> None:
        self.world, self.seconds, self._database = world, 0.0, database
        self.begin()

    def begin(self, **imap: ImapAccount) -> None:
        """Begin anew, as a process does that knows nothing of the one before."""
        self.service = Service(
            self._database,
            Settings(site=Site(address=SITE, admin=ADMIN), imap=imap),
            clock=lambda: self.world.now,
            running=lambda: self.seconds,
            lot=tuple,
            transport=self.world.way_out,
        )

    def passes(self, time: timedelta) -> None:
        self.world.now += time
        self.seconds += time.total_seconds()

    def decides(self) -> bool:
        """Return whether it sweeps and takes mail."""
        takes = self.takes()
        with self.service.db.read() as conn:
            assert (outages.last_beat(conn) == self.world.now) == takes
        return takes

    def takes(self) -> bool:
        """Sweep, and return whether it takes mail."""
        self.service.upkeep.sweep()
        try:
            self.service.mail.receive(ASKED.replace(b"<1@", f"<{self.seconds}@".encode()), SITE, PEOPLE["Ada"], "test")
        except ClockWrong:
            return False
        return True


@pytest.fixture
def running(sqlite_url: str, tmp_path: Path) -> Iterator[Running]:
    """A service on SQLite, since the server of the other engine knows what time it really is."""
    database = Database.connect(sqlite_url)
    one = Running(World(database, tmp_path / "mail", settings=Settings(site=Site(address=SITE, admin=ADMIN))), database)
    assert one.decides()
    one.passes(timedelta(seconds=15))
    assert one.decides()
    yield one
    database.close()


STEPS = [timedelta(minutes=16), timedelta(days=3), timedelta(days=59), timedelta(minutes=-16), timedelta(days=-3)]


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_a_clock_that_is_set_while_the_service_runs_decides_nothing(running: Running, step: timedelta) -> None:
    running.world.now += step
    for _ in range(3):
        running.passes(timedelta(seconds=15))
        assert not running.decides()
    running.service.mail.send_outbox()
    [told] = running.world.mails(ADMIN)
    assert "turnserver confirm-clock" in str(told)
    running.world.now -= step
    running.passes(timedelta(seconds=15))
    assert running.decides()


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_an_admin_confirms_what_the_clock_was_set_to(running: Running, step: timedelta) -> None:
    running.world.now += step
    assert not running.decides()
    running.world.service.upkeep.confirm_clock()  # another process
    for _ in range(3):
        running.passes(timedelta(seconds=15))
        assert running.decides()


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_a_process_that_begins_while_the_clock_is_wrong_decides_nothing(running: Running, step: timedelta) -> None:
    """By its own count it could not tell: what the process before it has found out, or what has happened already, tells it."""
    running.world.now += step
    assert not running.decides()
    running.begin()
    for _ in range(3):
        running.passes(timedelta(seconds=15))
        assert not running.decides()
    running.world.now -= step
    running.begin()
    running.passes(timedelta(seconds=15))
    assert running.decides()


@pytest.mark.parametrize("restarted", [False, True])
def test_a_clock_that_is_right_again_leaves_no_doubt_while_a_mailbox_is_closed(running: Running, restarted: bool) -> None:
    """No sweep beats meanwhile, and the process that found it ahead may be gone."""
    closed = ImapAccount(host="imap.example.org", username="turns", password="secret")  # noqa: S106  # of nothing
    running.begin(closed=closed)
    assert running.takes()
    running.world.now += timedelta(hours=2)
    assert not running.takes()
    running.world.now -= timedelta(hours=2)
    if restarted:
        running.begin(closed=closed)
    running.passes(timedelta(minutes=1))
    assert running.takes()
    running.passes(timedelta(hours=3))
    running.begin(closed=closed)
    assert running.takes()


def test_a_clock_that_is_behind_leaves_no_doubt(running: Running) -> None:
    """What has happened already tells every process, for as long as it lies ahead and no longer."""
    running.world.now -= timedelta(hours=1)
    running.begin()
    assert not running.decides()
    running.passes(timedelta(hours=2))
    running.begin()
    assert running.decides()


def test_the_first_instant_of_a_clock_that_is_ahead_stays_noted(running: Running) -> None:
    """The sentence names it, however often processes begin."""
    running.world.now += timedelta(hours=2)
    assert not running.decides()
    found = running.world.now
    for _ in range(2):
        running.passes(timedelta(minutes=1))
        running.begin()
        assert not running.decides()
    with running.service.db.read() as conn:
        assert outages.signs(conn, running.world.now).doubted == found


def test_whoever_could_not_be_told_of_a_wrong_clock_is_told_at_the_next_look(running: Running) -> None:
    running.world.now += timedelta(hours=2)
    guard = running.service.upkeep.guard
    guard._tell = fails_once(guard._tell)
    with pytest.raises(DatabaseBusy):
        running.decides()
    assert not running.decides()
    running.service.mail.send_outbox()
    assert len(running.world.mails(ADMIN)) == 1


@pytest.mark.parametrize("step", [BEHIND, -BEHIND, timedelta(seconds=1)], ids=str)
def test_a_clock_may_be_set_by_little(running: Running, step: timedelta) -> None:
    for _ in range(3):
        running.world.now += step
        running.passes(timedelta(hours=1))
        assert running.decides()


def test_a_time_without_sweeps_is_no_step_of_the_clock(running: Running) -> None:
    running.passes(timedelta(days=3))
    assert running.decides()


def test_the_time_that_a_machine_runs_goes_on() -> None:
    before = system_running()
    assert 0 <= system_running() - before < 60
