"""The fate of outbox rows when mail cannot leave."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Self

import pytest

from tests.service.world import BEGIN, SITE
from turnserver.config import Outgoing, Settings, Site
from turnserver.errors import PermanentFailure, Refused, TemporaryFailure, TurnserverError, Unanswered
from turnserver.mail.transport.outgoing import transport_for
from turnserver.service import keys
from turnserver.service.service import Service
from turnserver.service.upkeep import processes
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox, outbox

MAILS = 3


def attempts(db: Database) -> Counter[tuple[str, int]]:
    """Count the mails by their status and their number of attempts."""
    with db.read() as conn:
        return Counter((mail.status, mail.attempts) for mail in outbox.list_outbox(conn))


def test_a_closed_way_out_costs_no_mail_an_attempt(database: Database, tmp_path: Path) -> None:
    """Round after round one mail finds it closed and the rest wait; when it is open again, all of them leave."""
    outgoing = Outgoing(transport="maildir", maildir=tmp_path / "mail" / "box")
    (tmp_path / "mail").write_text("a file where a directory should be")
    with database.write() as tx:
        keys.ensure(tx, lambda count: b"k" * count)
    now = BEGIN
    settings = Settings(site=Site(address=SITE), outgoing=outgoing)
    service = Service(database, settings, clock=lambda: now, transport=lambda: transport_for(outgoing))
    for number in range(MAILS):
        service.people.add(f"Member {number}", f"p{number}@example.org", actor="admin:test", cause=f"test:{number}")
    for _ in range(MAILS):
        assert service.mail.send_outbox() == (0, 1, 0)
        assert attempts(database) == Counter({("queued", 0): MAILS})
    assert service.mail.send_outbox() == (0, 0, 0)
    (tmp_path / "mail").unlink()
    now += timedelta(seconds=outgoing.retry_seconds[0])
    assert service.mail.send_outbox() == (MAILS, 0, 0)
    assert len(list((tmp_path / "mail" / "box" / "new").iterdir())) == MAILS


class Scripted:
    """A way out that does to each mail what the test says, and takes it if that is nothing."""

    def __init__(self) -> None:
        self.fate: Callable[[str], TurnserverError | None] = lambda _: None
        self.taken: list[str] = []

    def send(self, mail: bytes, envelope_from: str, recipient: str) -> str:
        del mail, envelope_from
        if error := self.fate(recipient):
            raise error
        self.taken.append(recipient)
        return "250 taken"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Killed(BaseException):
    """Ends a process as SIGKILL would, as far as the database can tell: nothing is said of what it had in hand."""


class Post:
    """A service with some players whose welcomes wait to be sent, the clock of the test, and a way out."""

    def __init__(self, database: Database, players: int = MAILS, **outgoing: object) -> None:
        with database.write() as tx:
            keys.ensure(tx, lambda count: b"k" * count)
        self.database, self.now, self.way_out = database, BEGIN, Scripted()
        self.settings = Settings(site=Site(address=SITE, admin="admin@club.example"), outgoing=Outgoing(**outgoing))  # type: ignore[arg-type]
        self.service = self.process()
        for number in range(players):
            self.service.people.add(f"Member {number}", f"p{number}@example.org", actor="admin:test", cause=f"test:{number}")

    def process(self) -> Service:
        """A new process over the same database."""
        return Service(self.database, self.settings, clock=lambda: self.now, transport=lambda: self.way_out)

    def mails(self) -> list[outbox.OutboxItem]:
        """All of them, the oldest first."""
        with self.database.read() as conn:
            return outbox.list_outbox(conn)[::-1]


def test_a_mail_waits_longer_after_each_failure_and_is_dead_after_the_last(database: Database) -> None:
    waits = (60, 300, 1800)
    post = Post(database, 1, retry_seconds=waits)
    post.way_out.fate = lambda _: TemporaryFailure("451 greylisted")
    for tries, seconds in enumerate(waits, 1):
        assert post.service.mail.send_outbox() == (0, 1, 0)
        [mail] = post.mails()
        assert (mail.attempts, mail.next_at, mail.status) == (tries, post.now + timedelta(seconds=seconds), "queued")
        post.now = mail.next_at - timedelta(seconds=1)
        assert post.service.mail.send_outbox() == (0, 0, 0)
        post.now = mail.next_at
    assert post.service.mail.send_outbox() == (0, 0, 1)
    assert [(mail.status, mail.attempts) for mail in post.mails()] == [("dead", len(waits) + 1)]


def test_a_batch_ends_with_its_lease(database: Database) -> None:
    """Another process may have the rest by then. What was not tried is free at once and as if it had never been taken."""
    post = Post(database, lease_seconds=60)

    def slow(_: str) -> None:
        post.now += timedelta(seconds=30)

    post.way_out.fate = slow
    assert post.service.mail.send_outbox() == (2, 0, 0)
    assert [(mail.status, mail.attempts, mail.begun) for mail in post.mails()][2] == ("queued", 0, 0)
    assert post.process().mail.send_outbox() == (1, 0, 0)


def test_a_server_that_is_silent_for_one_mail_holds_up_the_others_once(database: Database) -> None:
    """Each round waits for it once; the mail on which it hangs goes behind the others."""
    post = Post(database, retry_seconds=(60,))
    post.way_out.fate = lambda recipient: Unanswered("timed out") if recipient == "p0@example.org" else None
    assert post.service.mail.send_outbox() == (0, 1, 0)
    assert attempts(database) == Counter({("queued", 0): 2, ("queued", 1): 1})
    assert post.service.mail.send_outbox() == (2, 0, 0)


def test_a_server_that_stays_silent_is_waited_for_once_a_round_at_last_attempts_too(database: Database) -> None:
    post = Post(database, retry_seconds=())
    post.way_out.fate = lambda _: Unanswered("timed out")
    assert post.service.mail.send_outbox() == (0, 0, 1)
    assert attempts(database) == Counter({("queued", 0): 2, ("dead", 1): 1})


def test_who_is_asked_to_stop_finishes_the_mail_in_hand(database: Database) -> None:
    """The others are free at once, and as if they had never been taken."""
    post = Post(database)
    post.way_out.fate = lambda _: post.service.mail.dispatcher.stop()
    assert post.service.mail.send_outbox() == (1, 0, 0)
    assert [(mail.status, mail.attempts, mail.begun) for mail in post.mails()][1:] == [("queued", 0, 0)] * 2
    post.way_out.fate = lambda _: None
    assert post.process().mail.send_outbox() == (2, 0, 0)


def test_processes_that_die_use_up_no_attempts(database: Database) -> None:
    """Eight die with mails in hand, then the server greylists once; in the end everything has left."""
    post = Post(database, 5, retry_seconds=(60,))

    def die(_: str) -> None:
        raise Killed

    post.way_out.fate = die
    for _ in range(8):
        with pytest.raises(Killed):
            post.process().mail.send_outbox()
        post.now += timedelta(seconds=post.settings.outgoing.lease_seconds)
    assert attempts(database) == Counter({("queued", 0): 5})
    greylisted: set[str] = set()

    def greylist(recipient: str) -> TurnserverError | None:
        new = recipient not in greylisted
        greylisted.add(recipient)
        return TemporaryFailure("451 greylisted") if new else None

    post.way_out.fate = greylist
    for _ in range(20):
        post.service.mail.send_outbox()
    post.now += timedelta(seconds=60)
    for _ in range(20):
        post.service.mail.send_outbox()
    assert attempts(database) == Counter({("sent", 2): 5})


def test_a_mail_that_kills_the_process_holds_up_no_other_and_is_given_up(database: Database) -> None:
    post = Post(database, 5, max_deaths=4)
    poison = "p1@example.org"

    def die(recipient: str) -> None:
        if recipient == poison:
            raise Killed

    post.way_out.fate = die
    others: list[int] = []
    while poison not in post.way_out.taken and len(others) < 100:
        try:
            while any(post.process().mail.send_outbox()):
                pass
        except Killed:
            others.append(len(post.way_out.taken))
            post.now += timedelta(seconds=post.settings.outgoing.lease_seconds)
        else:
            break
    assert others == [1, 1, 4, 4]  # from the third life on it is known, and all the others go first
    [dead] = [mail for mail in post.mails() if mail.status == "dead"]
    assert (dead.id, dead.last_error) == (2, "the process ended 4 times while this mail was being sent")
    post.service.mail.retry(dead.id)
    assert [mail.begun for mail in post.mails() if mail.id == dead.id] == [0]


@pytest.mark.parametrize(
    ("error", "hears"),
    [
        (TemporaryFailure("451 later"), []),
        (PermanentFailure("cannot be written"), ["given up"]),
        (Refused("no", "552 5.2.2 mailbox full", recipient=True), ["given up"]),
        (Refused("no", "550 5.7.1 policy", recipient=False), ["provider"]),
        (Refused("no", "554 5.6.0 bad content", recipient=False), ["provider"]),
        (Refused("no", "550 5.1.1 no such user", recipient=True), ["unreachable"]),
    ],
    ids=["later", "cannot be written", "full", "policy", "content", "no such address"],
)
def test_the_admin_hears_of_a_mail_about_a_game_that_was_given_up(database: Database, error: TurnserverError, hears: list[str]) -> None:
    """Once a day for a player, and of what is behind it where that is known."""
    post = Post(database, 2)
    while any(post.service.mail.send_outbox()):
        pass
    for game in range(3):
        players = ["Member 0", "Member 1"]
        post.service.games.open("take", {"size": 2}, players, actor="admin:test", cause=f"test:open:{game}")
    post.way_out.fate = lambda recipient: error if recipient == "p1@example.org" else None
    while any(post.service.mail.send_outbox()):
        pass
    reports = [mail for mail in post.mails() if mail.kind == "admin_report"]
    assert [report.detail["about"] for report in reports] == hears
    if hears == ["given up"]:
        first = next(mail.id for mail in post.mails() if mail.status == "dead")
        text = post.service.mail.render(reports[0].id).mail.text
        assert "A mail to Member 1 about game 1 was given up." in text
        assert f"turnserver mail outbox retry {first}" in text
        assert str(error) in text


def held_by(name: str, url: str) -> None:
    """Hold what there is, in a process that is killed before it says what came of it."""
    database = Database.connect(url)
    post = Post(database, 2)
    post.service.mail.receive(b"From: p0@example.org\nMessage-ID: <1@x>\n\nhelp\n", SITE, None, "test")
    inbox.claim(database, post.now, 9, timedelta(minutes=2), name)
    outbox.claim(database, post.now, 9, timedelta(minutes=2), name)
    os.kill(os.getpid(), signal.SIGKILL)


def test_who_starts_takes_over_what_a_killed_process_held(database: Database, database_url: str) -> None:
    child = os.fork()
    if child == 0:
        held_by(processes.new_name(), database_url)
    os.waitpid(child, 0)
    post = Post(database, 0)
    assert post.service.mail.read_inbox() == (0, 0)
    assert post.service.mail.send_outbox() == (0, 0, 0)
    done = post.service.tick()
    assert (done.handled.handled, done.sent.sent) == (1, 3)


@pytest.mark.engines
def test_what_others_hold_is_theirs(database: Database) -> None:
    """Claims stay with living processes, with those of other machines, and under names that say nothing."""
    post = Post(database, 3)
    boot, number, began, one = processes.new_name().split("/")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        living = [
            f"{boot}/{number}/{began}/{one}",
            f"{boot}/{other.pid}/{processes._began(other.pid)}/x",
            f"another:1/{number}/1/x",
            "d41d8cd98f00b204e9800998ecf8427e",
            "",
        ]
        assert [processes.has_died(name) for name in living] == [False] * len(living)
        outbox.claim(database, post.now, 9, timedelta(minutes=2), living[0])
        assert processes.take_over(database) == 0
        assert post.service.tick().sent.sent == 0
        other.communicate(b"\n")
    assert processes.has_died(living[1])
    assert processes.has_died(f"{boot}/{number}/1{began}/x")  # the number was given out again
