"""Confirming an address and rotating the keys, killed with SIGKILL at every statement, and done by two processes at once."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from threading import Barrier, Lock
from typing import NamedTuple, TypeVar

import pytest

from tests.processes import start
from tests.service.mailroom.letters import key_of, letter, outcomes, post, reply_address, world_over
from tests.service.world import PEOPLE, SITE, World
from turnserver.config import Settings, Site
from turnserver.errors import BadOption
from turnserver.ids import player_stream
from turnserver.mail.format.tokens import verify
from turnserver.play.events import PlayerEdited, PlayerRegistered
from turnserver.service.keys import ReplyKeys, Rotated
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox
from turnserver.store.people import confirmations

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

T = TypeVar("T")

EVE, NEW = "eve@example.net", "ada@example.com"
OPEN = Site(address=SITE, registration="open")

STATEMENTS = 12
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""

RACES = 8


class Trace(NamedTuple):
    """The rows: accounts, events about registered and edited ones, who has the new address, what waits, mails that say it is done."""

    accounts: int
    registered: int
    edited: int
    moved: bool
    waits: bool
    told: int


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """Anybody can join, on each engine in turn."""
    with world_over(database_url, tmp_path, site=OPEN) as one:
        yield one


def trace(world: World, told: str) -> Trace:
    """Look at what a dead process left behind; the log has to be whole."""
    people = world.service.people.everybody()
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        events = [row.event for person in people for row in log.load(conn, player_stream(person.id))]
        waits = confirmations.pending(conn, 1, world.now)
    return Trace(
        len(people),
        sum(isinstance(event, PlayerRegistered) for event in events),
        sum(isinstance(event, PlayerEdited) for event in events),
        NEW in [person.address for person in people],
        waits is not None,
        sum(mail.kind == told for mail in world.outbox()),
    )


def killed_everywhere(world: World, url: str, question: EmailMessage, told: str, raw: Path) -> list[Trace]:
    """Confirm in one life after the other; what each of them left, and at last what the one did that was let live."""
    address, sender = reply_address(question), question["To"].addresses[0].addr_spec
    raw.write_bytes(letter(sender, "confirm", {"To": address}, number=9))
    seen: list[Trace] = []
    end = "killed"
    with start("mail", url, str(world.directory), address, sender, str(raw), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            end = process.hear()
            seen.append(trace(world, told))
    assert end == "done"
    assert len(seen) > STATEMENTS
    return seen


@pytest.mark.long
def test_an_account_is_confirmed_once_wherever_its_process_is_killed(world: World, database_url: str, tmp_path: Path) -> None:
    """Every life ends with nothing done or everything; in the end there is one account more, with one welcome."""
    post(world, letter(EVE, "join Eve"), sender=EVE)
    nothing = trace(world, "welcome")
    seen = killed_everywhere(world, database_url, world.mails(EVE)[-1], "welcome", tmp_path / "confirm.eml")
    everything = Trace(nothing.accounts + 1, nothing.registered + 1, 0, moved=False, waits=False, told=nothing.told + 1)
    assert list(dict.fromkeys(seen)) == [nothing, everything]
    assert [mail["Message-ID"].partition(".")[0] for mail in world.mails(EVE)] == ["<confirm", "<welcome"]
    assert world.service.people.find("Eve").confirmed_at is not None


@pytest.mark.long
def test_a_new_address_is_confirmed_once_wherever_its_process_is_killed(world: World, database_url: str, tmp_path: Path) -> None:
    """The old address holds until everything is done; then the new one does, and has been told once."""
    world.open()
    world.service.people.edit("Ada", address=NEW, actor="admin:test", cause="test:new")
    world.settle()
    nothing = trace(world, "address")
    seen = killed_everywhere(world, database_url, world.mails(NEW)[-1], "address", tmp_path / "confirm.eml")
    assert list(dict.fromkeys(seen)) == [nothing, nothing._replace(edited=1, moved=True, waits=False, told=nothing.told + 1)]
    assert [mail["Message-ID"].partition(".")[0] for mail in world.mails(NEW)] == ["<new_address", "<address"]


@pytest.mark.long
def test_keys_are_rotated_as_a_whole_wherever_the_process_is_killed(world: World, database_url: str) -> None:
    """At every moment there is exactly one key, and it signs and verifies; none comes twice with another value."""
    seen: list[dict[int, bytes]] = [keys_of(world)]
    end = "killed"
    with start("rotate", database_url, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen)))
            end = process.hear()
            seen.append(keys_of(world))
    assert end == "done"
    assert {len(keys) for keys in seen} == {1}
    versions = [next(iter(keys)) for keys in seen]
    assert versions == sorted(versions)
    assert versions[0] == versions[1] == 1
    assert list(dict.fromkeys(versions)) == list(range(1, versions[-1] + 1))
    assert len({value for keys in seen for value in keys.values()}) == versions[-1]
    world.service.people.add("Eve", EVE, actor="admin:test", cause="test:eve")
    world.settle()
    world.answer(EVE, "games", sender=EVE)
    assert outcomes(world)[-1] == "answered"


def keys_of(world: World) -> dict[int, bytes]:
    return dict(ReplyKeys(world.service.db).items())


@contextmanager
def two_processes(world: World, url: str) -> Iterator[list[Service]]:
    """Each over a connection of its own, with a memory of its own."""
    workers = [Service(Database.connect(url), Settings(site=OPEN), clock=lambda: world.now, transport=world.way_out) for _ in range(2)]
    yield workers
    for worker in workers:
        worker.db.close()


def at_once(workers: list[Service], do: Callable[[Service], T]) -> list[T]:
    """Let each do the same thing, in the same moment."""
    together = Barrier(len(workers))

    def begin(worker: Service) -> T:
        together.wait(30)
        return do(worker)

    with ThreadPoolExecutor(len(workers)) as pool:
        return list(pool.map(begin, workers))


def read_one_each(workers: list[Service], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets one mail out of the inbox, and neither begins with theirs before the other one has theirs."""
    claim, lock, together = inbox.claim, Lock(), Barrier(len(workers))

    def claim_one(db: Database, now: datetime, _limit: int, lease: timedelta, owner: str) -> list[inbox.InboxItem]:
        with lock:
            items = claim(db, now, 1, lease, owner)
        together.wait(30)
        return items

    with monkeypatch.context() as patched:
        patched.setattr(inbox, "claim", claim_one)
        at_once(workers, lambda worker: worker.mail.read_inbox())


def asked(world: World, kind: str, number: int) -> EmailMessage:
    """A question whether an address is right: of somebody who joins, or of Ada, who moves."""
    sender = f"{kind}{number}@example.net"
    if kind == "eve":
        post(world, letter(sender, f"join Eve{number}", number=number), sender=sender)
    else:
        world.service.people.edit("Ada", address=sender, actor="admin:test", cause=f"test:{number}")
        world.settle()
    return world.mails(sender)[-1]


@pytest.mark.parametrize(("kind", "done"), [("eve", "registered player"), ("ada", "address confirmed")], ids=["account", "address"])
def test_what_two_processes_confirm_at_once_is_confirmed_once(
    world: World, database_url: str, kind: str, done: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two answers to one question: one of them confirms, and the other finds that there is nothing left to confirm."""
    world.open()
    ends: Counter[str] = Counter()
    with two_processes(world, database_url) as workers:
        for number in range(RACES):
            question = asked(world, kind, number)
            address, sender = reply_address(question), question["To"].addresses[0].addr_spec
            for copy in range(2):
                raw = letter(sender, "confirm", {"To": address}, number=100 + 2 * number + copy)
                world.service.mail.receive(raw, address, sender, "test")
            read_one_each(workers, monkeypatch)
            ends += Counter(outcome.rstrip(" 0123456789") for outcome in outcomes(world)[-2:])
    assert ends == {done: RACES, "refused: nothing_to_confirm": RACES}
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []


def test_two_processes_that_rotate_at_once_lose_no_key(world: World, database_url: str) -> None:
    """All that was signed before, between and after verifies as long as its key was not retired."""
    signed = [key_of(world.welcomes[name]) for name in PEOPLE]
    with two_processes(world, database_url) as workers:
        for _ in range(RACES):
            before = keys_of(world)
            rotated: list[Rotated] = at_once(workers, lambda worker: worker.mail.rotate_key())
            after = keys_of(world)
            assert {version: after[version] for version in before} == before
            assert max(one.version for one in rotated) == max(after)
            assert sorted(after) == list(range(1, max(after) + 1))
        newest = max(keys_of(world))
        at_once(workers, lambda worker: retiring(worker, newest))
    assert min(keys_of(world)) > newest
    assert [verify(keys_of(world), text) for text in signed] == [None] * len(signed)


def retiring(worker: Service, version: int) -> None:
    """Retire a key and all before it, unless somebody else has done so."""
    with suppress(BadOption):
        worker.mail.rotate_key(retire=version)
