"""While the database can do nothing, no mail is given up for it and none is sent twice; what has left is written down afterwards."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.service.mailroom.test_dispatch import MAILS, Scripted, attempts
from tests.service.world import BEGIN, SITE, World
from turnserver.config import Settings, Site
from turnserver.errors import ClocksDiffer, DatabaseUnavailable
from turnserver.outside import system_clock
from turnserver.service import keys
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

WAIT = 0.05
"""The seconds after which a statement stops to wait for somebody else."""

OFTEN = 8
"""More often than a mail is tried."""


@contextmanager
def locked(url: str, table: str, mode: str = "EXCLUSIVE") -> Iterator[None]:
    """Nobody else can write to a table; in SQLite to none. With the mode ACCESS EXCLUSIVE nobody can read it either."""
    with closing(Database.connect(url)) as other, other.write() as tx:
        if other.engine.dialect.name != "sqlite":
            tx.run(Statement(text(f"LOCK TABLE {table} IN {mode} MODE")))
        yield


def test_a_move_is_played_however_long_nothing_could_be_written(postgresql_url: str, tmp_path: Path) -> None:
    """Claiming it works all the time, and carrying it out does not: a disk that fills leaves room for the one and not for the other."""
    with closing(Database.connect(postgresql_url, WAIT)) as db:
        world = World(db, tmp_path / "mail")
        game = world.open()
        world.answer("Ada", "a1", settle=False)
        with locked(postgresql_url, "event"):
            for _ in range(OFTEN):
                with pytest.raises(DatabaseUnavailable):
                    world.service.mail.read_inbox()
                world.wait(minutes=3)
        world.settle()
        assert world.state(game).line.length == 1


def test_a_move_is_played_however_often_the_clock_was_wrong_when_it_was_carried_out(postgresql_url: str, tmp_path: Path) -> None:
    """The clock was set after somebody had looked at it, so each attempt comes from the future of the database's server."""
    with closing(Database.connect(postgresql_url)) as db:
        world = World(db, tmp_path / "mail")
        world.now = system_clock() + timedelta(hours=1)
        game = world.open()
        world.answer("Ada", "a1", settle=False)
        db.in_real_time = True
        for _ in range(OFTEN):
            with pytest.raises(ClocksDiffer):
                world.service.mail.read_inbox()
        db.in_real_time = False
        world.settle()
        assert world.state(game).line.length == 1


def test_a_mail_during_which_the_database_fails_does_not_hold_up_the_others(postgresql_url: str, tmp_path: Path) -> None:
    with closing(Database.connect(postgresql_url, WAIT)) as db:
        world = World(db, tmp_path / "mail")
        world.open()
        world.answer("Ada", "a1", settle=False)
        world.answer("Cleo", "games", settle=False)
        with locked(postgresql_url, "event"):
            for _ in range(2):
                with pytest.raises(DatabaseUnavailable):
                    world.service.mail.read_inbox()
            world.service.mail.send_outbox()
        assert "You have no games at present." in world.text("Cleo")


def test_what_has_left_is_not_sent_again_although_nothing_could_be_written(database_url: str) -> None:
    now, taken = BEGIN, Scripted()
    with closing(Database.connect(database_url, WAIT)) as db, ExitStack() as lock:
        with db.write() as tx:
            keys.ensure(tx, lambda count: b"k" * count)
        service = Service(db, Settings(site=Site(address=SITE)), clock=lambda: now, transport=lambda: taken)
        for number in range(MAILS):
            service.people.add(f"Member {number}", f"p{number}@example.org", actor="admin:test", cause=f"test:{number}")
        taken.fate = lambda _: lock.enter_context(locked(database_url, "outbox"))
        with pytest.raises(DatabaseUnavailable):
            service.mail.send_outbox()
        lock.close()
        taken.fate = lambda _: None
        now += timedelta(hours=1)
        assert service.mail.send_outbox() == (MAILS - 1, 0, 0)
        assert (sorted(taken.taken), attempts(db)) == ([f"p{number}@example.org" for number in range(MAILS)], {("sent", 1): MAILS})


def test_a_mail_that_cannot_be_drawn_now_holds_up_no_other_and_is_not_given_up(postgresql_url: str, tmp_path: Path) -> None:
    """Whoever draws the mail about the game has to read its events; a welcome has none."""
    with closing(Database.connect(postgresql_url, WAIT)) as db:
        world = World(db, tmp_path / "mail")
        world.service.games.open("take", {}, ["Ada", "Bob"], actor="admin:test", cause="test:open")
        world.service.people.add("Dan", "dan@example.org", actor="admin:test", cause="test:dan")
        with locked(postgresql_url, "event", "ACCESS EXCLUSIVE"):
            for _ in range(3 * OFTEN):  # more often than processes may end with it
                # a round that sends the welcome is followed by one that fails
                with suppress(DatabaseUnavailable):
                    world.service.mail.dispatcher.round()
                world.wait(hours=1)
            assert len(world.mails("dan@example.org")) == 1
        world.wait(hours=1)
        world.settle()
        assert {status for status, _ in attempts(db)} == {"sent"}
