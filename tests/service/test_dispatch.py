"""Sending: once if it can be helped, under one Message-ID if it cannot, and never at the cost of the other mails."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Self

import pytest

from tests.service.world import PEOPLE, World
from turnserver.errors import PermanentFailure, TemporaryFailure
from turnserver.play.commands import Retract
from turnserver.service import Service
from turnserver.service.dispatch import Sent
from turnserver.store import outbox
from turnserver.store.database import Database

LEASE_SECONDS = 120


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Wire:
    """A mail server: `came` are the mails that it took, by Message-ID; `before` and `after` are called with each."""

    came: Counter[str] = field(default_factory=Counter)
    before: Callable[[EmailMessage, str], None] = lambda *_: None
    after: Callable[[EmailMessage, str], None] = lambda *_: None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def send(self, message: EmailMessage, _envelope_from: str, recipient: str) -> None:
        self.before(message, recipient)
        self.came[str(message["Message-ID"]).strip()] += 1
        self.after(message, recipient)


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world on each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail")
    db.close()


def process(world: World, wire: Wire) -> Service:
    """A process that sends over the wire."""
    return Service(world.service.db, world.service.settings, clock=lambda: world.now, transport=lambda: wire)


def queue(world: World, count: int) -> None:
    """So many mails that wait: questions of Ada's."""
    for number in range(count):
        world.answer("Ada", f"help\nsay {number}", mail=world.welcomes["Ada"], settle=False)
    while any(world.service.read_inbox()):
        pass


def waiting(world: World) -> dict[str, int]:
    with world.service.db.read() as conn:
        return outbox.counts(conn)


def test_killed_between_sending_and_noting_it(world: World) -> None:
    """The next process sends that mail once more, under the same Message-ID, when the lease has run out and not before."""
    queue(world, 1)
    wire = Wire(after=_die)
    with pytest.raises(Killed):
        process(world, wire).send_outbox()
    wire.after = lambda *_: None
    heir = process(world, wire)
    assert heir.send_outbox() == Sent()
    world.wait(seconds=LEASE_SECONDS)
    assert heir.send_outbox() == Sent(sent=1)
    assert list(wire.came.values()) == [2]


def _die(*_: object) -> None:
    raise Killed


def test_a_slow_mail_server_makes_nobody_send_twice(world: World) -> None:
    """What a process has not sent when its lease runs out it leaves to whoever claims it then."""
    queue(world, 6)
    wire = Wire(after=lambda *_: world.wait(seconds=50))
    one, other = process(world, wire), process(world, wire)
    assert one.send_outbox() == Sent(sent=3)
    assert other.send_outbox() == Sent(sent=3)
    assert one.send_outbox() == Sent()
    assert set(wire.came.values()) == {1}
    assert waiting(world) == {"sent": 9}


def test_a_mail_that_took_longer_than_its_lease(world: World) -> None:
    """Another process has sent it meanwhile: that cannot be undone, and the rest of the batch is none the worse."""
    queue(world, 2)
    wire = Wire()
    other = process(world, wire)

    def overtaken(*_: object) -> None:
        wire.before = lambda *_: None
        world.wait(seconds=LEASE_SECONDS)
        assert other.send_outbox() == Sent(sent=2)

    wire.before = overtaken
    assert process(world, wire).send_outbox() == Sent()
    assert sorted(wire.came.values()) == [1, 2]
    assert waiting(world) == {"sent": 5}


@pytest.mark.parametrize(("error", "status"), [(TemporaryFailure("later"), "queued"), (PermanentFailure("never"), "dead")])
def test_one_recipient_who_cannot_be_reached(world: World, error: Exception, status: str) -> None:
    """The others get theirs; his ends as dead at once, or waits and is tried again."""
    world.open_any("take", ["Ada", "Bob"], {"size": 2}, accepted=False)
    world.answer("Ada", "accept", settle=False)
    world.answer("Bob", "accept", settle=False)
    world.service.read_inbox()

    def refuse(_message: EmailMessage, recipient: str) -> None:
        if recipient == PEOPLE["Bob"]:
            raise error

    wire = Wire(before=refuse)
    assert process(world, wire).send_outbox().sent == 1
    assert waiting(world) == {"sent": 6, status: 1}
    wire.before = lambda *_: None
    world.wait(days=1)
    assert process(world, wire).send_outbox() == Sent(sent=int(status == "queued"))


def test_trying_ends(world: World) -> None:
    """After the last of the waits a mail is dead, visibly, with the last error; an admin can have it tried again."""
    queue(world, 1)
    down = Wire(before=_unreachable)
    tries = 0
    while waiting(world).get("queued"):
        tries += any(process(world, down).send_outbox())
        world.wait(hours=1)
    assert tries == len(world.service.settings.outgoing.retry_seconds) + 1
    with world.service.db.read() as conn:
        (dead,) = outbox.list_outbox(conn, "dead")
    assert dead.last_error == "TemporaryFailure: nobody is there"
    world.service.retry(dead.id)
    assert process(world, Wire()).send_outbox() == Sent(sent=1)


def _unreachable(*_: object) -> None:
    raise TemporaryFailure("nobody is there")


def test_a_mail_of_a_turn_that_was_played_since_shows_its_own_moment(world: World) -> None:
    """A turn mail that was held up says what it was queued to say, and its reply address is of that turn."""
    game = world.open()
    turn = world.mails("Ada")[-1]
    world.answer("Ada", "a1", settle=False)
    world.service.read_inbox()
    world.service.handle(game, Retract(1, "the board was wrong"), actor="admin:test", cause="test:retract")
    world.settle()
    stale, retracted = world.mails("Bob")[-2:]
    assert stale["Reply-To"] != retracted["Reply-To"]
    world.answer("Bob", "a2", mail=stale)
    assert world.outcome() == "done: refused: turn_already_played"
    world.answer("Ada", "a2", mail=turn)
    assert world.outcome() == "done: refused: turn_already_played"
    newest = [mail for mail in world.mails("Ada") if mail["Reply-To"] == world.mails("Ada")[-1]["Reply-To"]][-1]
    world.answer("Ada", "a2", mail=newest)
    assert world.state(game).line.turns[0].steps == ("a2",)
