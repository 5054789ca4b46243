"""Outages of the mail server, of the scheduler, or of one of two processes. Time is told, never waited for."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import msgspec
import pytest

from tests.jobs.serving import configured, loaded
from tests.jobs.sink import Sink
from tests.terms import PLAIN
from turnserver.ids import GameId, PlayerId
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.play import events as e
from turnserver.play.commands import Accept, PlayTurn
from turnserver.play.state import Status
from turnserver.rules import Seat
from turnserver.service.mailroom.dispatch import Sent
from turnserver.service.service import Service
from turnserver.service.upkeep.deadlines import SETTLE, SweepCounts
from turnserver.store.log.database import Database
from turnserver.store.mail import outbox

pytestmark = pytest.mark.engines

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
ADA, BOB = PlayerId(1), PlayerId(2)
RED, BLUE = Seat(1), Seat(2)
SITE = "turns@club.example"


class Down:
    """A service whose mail server is down at first, with a clock to turn."""

    def __init__(self, directory: Path, url: str) -> None:
        self.sink = Sink()
        settings = loaded(configured(directory, url, self.sink.port, outgoing={"retry_seconds": [60, 600]}))
        Service.initialise(settings).db.close()
        self.now = BEGIN
        self.service = Service(Database.connect(url), settings, clock=lambda: self.now)
        self.service.people.add("Ada", "ada@example.org", actor="admin:test", cause="test:ada")

    @property
    def row(self) -> outbox.OutboxItem:
        with self.service.db.read() as conn:
            return outbox.get(conn, 1)


@pytest.fixture
def down(tmp_path: Path, sqlite_url: str) -> Iterator[Down]:
    down = Down(tmp_path, sqlite_url)
    yield down
    down.service.db.close()


def test_mail_waits_for_the_mail_server_and_is_sent_once_it_is_back(down: Down) -> None:
    assert down.service.tick().sent == Sent(retried=1)
    row = down.row
    assert (row.status, row.attempts, row.next_at) == ("queued", 0, BEGIN + timedelta(seconds=60))
    assert "cannot be reached" in (row.last_error or "")
    with down.sink:
        down.now += timedelta(seconds=59)
        assert down.service.tick().sent == Sent()
        down.now += timedelta(seconds=1)
        assert down.service.tick().sent == Sent(sent=1)
        assert down.service.tick().sent == Sent()
        assert len(down.sink.wait(1)) == 1
    assert (down.row.status, down.row.last_error) == ("sent", None)


def test_after_the_last_try_a_mail_is_dead_until_somebody_tries_again(down: Down) -> None:
    for _ in range(9):  # while nobody answers, nothing is tried
        assert down.service.tick().sent == Sent(retried=1)
        down.now += timedelta(seconds=60)
    with down.sink:
        down.sink.refused["ada@example.org"] = "451 4.7.1 try again later"
        for wait in (60, 600, 1):
            down.service.tick()
            down.now += timedelta(seconds=wait)
        assert (down.row.status, down.row.attempts) == ("dead", 3)
        down.sink.refused.clear()
        assert down.service.tick().sent == Sent()
        down.service.mail.retry(1)
        assert down.service.tick().sent == Sent(sent=1)
        down.sink.wait(1)


class Pair:
    """Two processes' services over one database, with a game of Take that Ada begins, and a clock to turn."""

    def __init__(self, url: str, directory: Path) -> None:
        self.now = BEGIN
        settings = msgspec.structs.replace(loaded(configured(directory, url, 25)), play=PLAIN)
        Service.initialise(settings).db.close()
        self.services = [
            Service(
                Database.connect(url), settings, clock=lambda: self.now, lot=tuple, transport=lambda: MaildirTransport(directory / "mail")
            )
            for _ in range(2)
        ]
        one = self.services[0]
        for name in ("Ada", "Bob"):
            one.people.add(name, f"{name.lower()}@example.org", actor="admin:test", cause=f"test:{name}")
            one.people.choose(name, [("mail", "text")], actor="admin:test", cause=f"test:text:{name}")
        self.game: GameId = one.games.open(
            "take", {"size": 3}, ["Ada", "Bob"], order=e.SeatOrder.GIVEN, actor="admin:test", cause="test:open"
        ).game
        for player in (ADA, BOB):
            one.games.handle(self.game, Accept(player, self.now), actor=f"player-{player}", cause=f"test:accept:{player}")
        self.deadline = BEGIN + timedelta(days=3)
        self.sweep()

    def play(self, player: PlayerId, text: str) -> None:
        self.services[0].games.handle(self.game, PlayTurn(player, self.now, text), actor=f"player-{player}", cause=f"test:{text}")

    def sweep(self) -> SweepCounts:
        """Both sweep in the same moment; gives what they did together."""
        together = Barrier(2)

        def one(service: Service) -> SweepCounts:
            together.wait()
            return service.upkeep.sweep()

        with ThreadPoolExecutor(2) as threads:
            done = list(threads.map(one, self.services))
        return SweepCounts(*map(sum, zip(*done, strict=True)))

    def awake_until(self, then: datetime) -> None:
        """Let time pass with a beat often enough that nothing counts as an outage; nothing falls due on the way, and mail leaves."""
        self.services[0].mail.send_outbox()
        while self.now < then:
            self.now = min(then, self.now + timedelta(minutes=30))
            self.services[0].upkeep.sweep()

    def happened(self, kind: type[e.GameEvent]) -> list[e.GameEvent]:
        return [row.event for row in self.services[1].games.history(self.game) if isinstance(row.event, kind)]


@pytest.fixture
def pair(database_url: str, tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(database_url, tmp_path)
    yield pair
    for service in pair.services:
        service.db.close()


def test_the_reminder_is_sent_once(pair: Pair) -> None:
    pair.awake_until(pair.deadline - timedelta(days=1))
    assert pair.happened(e.PlayerReminded) == []
    pair.now += SETTLE
    assert pair.sweep() == SweepCounts(acted=1)
    assert pair.sweep() == SweepCounts()
    assert pair.happened(e.PlayerReminded) == [e.PlayerReminded(seat=RED, turn=1, marks=("24h",), remind_at=None)]
    with pair.services[0].db.read() as conn:
        assert [mail.player for mail in outbox.list_outbox(conn) if mail.kind == "reminder"] == [ADA]


def test_the_flag_falls_once(pair: Pair) -> None:
    pair.play(ADA, "a1")
    pair.play(BOB, "e1")
    pair.awake_until(pair.deadline)
    assert pair.happened(e.TurnTimedOut) == []
    pair.now += SETTLE
    assert pair.sweep() == SweepCounts(acted=1)
    assert pair.sweep() == SweepCounts()
    assert pair.happened(e.TurnTimedOut) == [e.TurnTimedOut(seat=RED, turn=3, deadline=pair.deadline)]
    assert pair.happened(e.GameEnded) == [e.GameEnded(outcome=e.Outcome.WON, by=e.EndedBy.TIME, winners=(BLUE,), reason="")]


@pytest.mark.parametrize("away", [timedelta(hours=1), timedelta(days=10)], ids=["shorter than the turn", "longer than the turn"])
def test_an_outage_costs_nobody_any_time(pair: Pair, away: timedelta) -> None:
    """Both find the gap at once; the clock gets it back once, and runs out so much later."""
    pair.now += away
    assert pair.sweep().credited == 1
    assert pair.sweep() == SweepCounts()
    state = pair.services[1].games.state(pair.game)
    assert (state.status, state.deadline) == (Status.RUNNING, pair.deadline + away)
    assert [event.ends - event.begins for event in pair.happened(e.ClockFrozen) if isinstance(event, e.ClockFrozen) and event.ends] == [
        away
    ]


def test_a_short_gap_is_no_outage(pair: Pair) -> None:
    pair.now += timedelta(minutes=30)
    assert pair.sweep() == SweepCounts()
    assert pair.services[0].games.state(pair.game).deadline == pair.deadline


def test_the_sweep_waits_for_mail_that_came_in_time(pair: Pair) -> None:
    """Mail stored before the deadline holds every flag up until it is handled, and counts by its arrival."""
    pair.awake_until(pair.deadline - timedelta(minutes=1))
    service = pair.services[0]
    service.mail.receive(b"From: somebody@example.org\r\n\r\nhelp", SITE, "somebody@example.org", "lmtp")
    pair.awake_until(pair.deadline + timedelta(hours=5))
    assert pair.sweep() == SweepCounts()
    assert pair.happened(e.TurnTimedOut) == []
    service.mail.read_inbox()
    assert pair.sweep() == SweepCounts(acted=1)
    assert len(pair.happened(e.TurnTimedOut)) == 1


def test_two_who_read_and_send_at_once_do_nothing_twice(pair: Pair) -> None:
    """Each mail is handled by one of them and each answer sent by one."""
    for number in range(4):
        raw = f"From: ada@example.org\r\nMessage-ID: <{number}@example.org>\r\n\r\nhelp".encode()
        pair.services[number % 2].mail.receive(raw, SITE, "ada@example.org", "lmtp")
    works: list[Callable[[], tuple[int, ...]]] = [
        *(service.mail.read_inbox for service in pair.services),
        *(service.mail.send_outbox for service in pair.services),
    ]
    for pass_ in (works[:2], works[2:]):
        with ThreadPoolExecutor(2) as threads:
            for done in [threads.submit(work) for work in pass_]:
                done.result()
    with pair.services[0].db.read() as conn:
        helped = [mail for mail in outbox.list_outbox(conn, limit=1000) if mail.kind == "help"]
        assert outbox.counts(conn).keys() == {"sent"}
    assert len(helped) == 4
