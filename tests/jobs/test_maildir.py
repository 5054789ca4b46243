"""A maildir and deadlines: mail that waits there may be a move, whether or not it can be read."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from tests.jobs.sink import LOOPBACK
from tests.service.mailroom.letters import key_of, letter
from tests.service.world import BEGIN, PEOPLE, World
from turnserver.config import ImapAccount, Incoming, Settings
from turnserver.errors import ClockWrong, ConfigError, MailboxClosed
from turnserver.ids import GameId
from turnserver.jobs import collect_maildir, fetch_mail
from turnserver.mail.transport import maildir
from turnserver.play.state import Status
from turnserver.service.service import Service
from turnserver.service.upkeep.standing import standing
from turnserver.store.log.database import Database
from turnserver.store.mail import mailboxes

DEADLINE = BEGIN + timedelta(days=3)
HOUR = timedelta(hours=1)
STEP = timedelta(minutes=25)
"""Shorter than an outage."""


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world whose mail comes into a maildir."""
    for name in ("new", "cur", "tmp"):
        (tmp_path / "in" / name).mkdir(parents=True)
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail", Incoming(maildir=str(tmp_path / "in")))
    db.close()


def live(world: World, hours: float) -> None:
    """Time passes until so long after the deadline, with the rounds that cron does."""
    until = DEADLINE + hours * HOUR
    while world.now < until:
        world.now = min(world.now + STEP, until)
        with suppress(ConfigError, MailboxClosed):
            collect_maildir(world.service)
        world.service.tick()


def game_with_a_move_in(world: World, new: Path) -> GameId:
    """A game whose first move is put into the maildir half an hour before its deadline."""
    game = world.open()
    live(world, -0.5)
    file = new / "move"
    file.write_bytes(letter(PEOPLE["Ada"], f"key {key_of(world.mails('Ada')[-1])}\r\na1", number=1))
    os.utime(file, (world.now.timestamp(), world.now.timestamp()))
    return game


def refuse(path: Path) -> None:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def unread(world: World) -> list[str]:
    """What `status` says of mail that waits to be fetched."""
    service = world.service
    found = standing(service.ledger, service.leagues, service.settings, service.upkeep.guard, world.now).tasks
    return [task.says.partition(" has not been read for ")[0] for task in found if task.about in ("Mailbox", "Service")]


@pytest.mark.parametrize(("where", "name"), [(maildir, "_opened"), (Path, "iterdir")], ids=["a mail", "the folder"])
def test_mail_that_cannot_be_read_holds_up_deadlines(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: object, name: str
) -> None:
    """Its time is given back, `status` names the maildir, and the move counts once it can be read."""
    game = game_with_a_move_in(world, tmp_path / "in" / "new")
    with monkeypatch.context() as patched:
        patched.setattr(where, name, refuse)
        live(world, 0.2)
        assert unread(world) == [f"The maildir {tmp_path / 'in'}"]
        live(world, 9)
        assert world.state(game).status is Status.RUNNING
    live(world, 9.1)
    assert world.state(game).line.length == 1
    assert unread(world) == []
    live(world, 9.1 + 6 * 24)
    assert world.state(game).status is Status.ENDED


@pytest.mark.parametrize(
    ("look", "settings"),
    [
        (collect_maildir, lambda new: Settings(incoming=Incoming(maildir=str(new.parent)))),
        (fetch_mail, lambda _: Settings(imap={"one": ImapAccount(host=LOOPBACK, port=1, username="ada", password="ada")})),  # noqa: S106
    ],
)
def test_a_clock_that_is_ahead_looks_for_no_mail(
    world: World, tmp_path: Path, look: Callable[[Service], object], settings: Callable[[Path], Settings]
) -> None:
    """It would say that mail was read which is yet to come."""
    service = Service(world._db, settings(tmp_path / "in" / "new"), clock=lambda: world.now, running=lambda: 0.0, lot=tuple)
    service.upkeep.sweep()
    world.now += HOUR
    with pytest.raises(ClockWrong):
        look(service)
    with service.db.read() as conn:
        assert mailboxes.every(conn) == []


def test_a_mail_dated_ahead_that_cannot_be_read_holds_up_deadlines(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a move, and came at any time since the last look."""
    game = game_with_a_move_in(world, tmp_path / "in" / "new")
    ahead = (DEADLINE + 5 * HOUR).timestamp()
    os.utime(tmp_path / "in" / "new" / "move", (ahead, ahead))
    monkeypatch.setattr(maildir, "_opened", refuse)
    live(world, 2)
    assert world.state(game).status is Status.RUNNING
    assert unread(world) == [f"The maildir {tmp_path / 'in'}"]


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize("put", [a_folder, a_link_to_nothing, os.mkfifo])
def test_what_cannot_be_mail_holds_up_nothing(world: World, tmp_path: Path, put: Callable[[Path], None]) -> None:
    game = world.open()
    put(tmp_path / "in" / "new" / "odd")
    live(world, 1)
    assert world.state(game).status is Status.ENDED
    assert unread(world) == []


def test_a_maildir_that_is_none_holds_up_deadlines(world: World, tmp_path: Path) -> None:
    game = world.open()
    live(world, -1)
    (tmp_path / "in" / "cur").rmdir()
    live(world, 1)
    assert world.state(game).status is Status.RUNNING
    assert unread(world) == [f"The maildir {tmp_path / 'in'}"]
