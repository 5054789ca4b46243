"""After a restoration each player is told once and gets the boards that wait, whoever tells: two processes, or one that was killed."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from tests.processes import start
from tests.service.upkeep.lost_world import LostWorld
from turnserver.ids import GameId
from turnserver.store.incidents import restorations
from turnserver.store.log.database import table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import RestorationRow
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem

pytestmark = pytest.mark.engines

SIZE = {"size": 3}
STATEMENTS = 60
"""At least so many are executed in telling two players of three games."""
_UNTOLD = Statement(table(RestorationRow).update().values(told=False))


@pytest.fixture
def restored(database_url: str, tmp_path: Path) -> Iterator[LostWorld]:
    """Ada is to move in a game, Bob in two others; both mails to Bob waited when the backup was made."""
    world = LostWorld(database_url, tmp_path / "mail")
    world.open(SIZE)
    for _ in range(2):
        world.wait(minutes=1)
        world.open(SIZE)
        world.answer("Ada", "a1", settle=False)
        world.service.mail.read_inbox()
    world.back_up(settle=False)
    world.put_back()
    yield world
    world.service.db.close()


def rows(world: LostWorld, name: str) -> list[OutboxItem]:
    """Return the mails queued to somebody since the restoration, the newest first."""
    with world.service.db.read() as conn:
        last = restorations.every(conn)[-1].mail
    number = world.service.people.find(name).id
    return [row for row in world.outbox() if row.id > last and row.player == number]


def told(world: LostWorld, name: str) -> Counter[tuple[str, GameId | None]]:
    """Count the mails that tell them of the restoration or of a turn and are not called off."""
    return Counter((row.kind, row.game) for row in rows(world, name) if row.kind in ("restored", "turn") and row.status != "called off")


WHOLE = {
    "Ada": {("restored", None): 1, ("turn", 1): 1},
    "Bob": {("restored", None): 1, ("turn", 2): 1, ("turn", 3): 1},
}


def check(world: LostWorld) -> None:
    """Each row says what became of its mail."""
    assert {name: told(world, name) for name in WHOLE} == WHOLE
    for name in WHOLE:
        came = {mail["Message-ID"].strip() for mail in world.mails(name)}
        assert came == {row.message_id for row in rows(world, name) if row.status != "called off"}


def test_who_finds_it_untold_that_another_has_told_tells_nobody(restored: LostWorld) -> None:
    """It began before that one had ended, or after that one had died just before the end."""
    restored.service.upkeep.sweep()
    with restored.service.db.write() as tx:
        tx.run(_UNTOLD)
    restored.another_process().upkeep.sweep()
    restored.settle()
    check(restored)


def test_several_processes_at_once_tell_once(restored: LostWorld) -> None:
    services = [restored.another_process() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        begun = [pool.submit(work) for service in services for work in (service.upkeep.sweep, service.mail.send_outbox)]
        for each in begun:
            each.result()
    restored.settle()
    check(restored)


@pytest.mark.parametrize("arrives", [True, False])
def test_a_mail_that_is_leaving_is_not_called_off(restored: LostWorld, *, arrives: bool) -> None:
    """It ends as sent or waits again, and the game is told anew in any case: nobody knows yet whether that mail arrives."""
    game = restored.service.games.open("take", SIZE, ["Bob", "Cleo"], actor="admin:test", cause="test:now").game
    db = restored.service.db
    held = outbox.claim(db, restored.now, 1, timedelta(minutes=2), "another")
    restored.service.upkeep.sweep()
    with db.write() as tx:
        for item in held:
            if arrives:
                outbox.sent(tx, item.id, "another", restored.now, "")
            else:
                outbox.release(tx, item.id, "another")
    restored.settle()
    statuses = {name: [row.status for row in rows(restored, name) if row.game == game] for name in ("Bob", "Cleo")}
    assert statuses == {"Bob": ["sent", "sent"], "Cleo": ["sent", "called off"]}


def test_a_mail_that_a_dead_process_may_have_sent_is_not_called_off(restored: LostWorld) -> None:
    game = restored.service.games.open("take", SIZE, ["Bob", "Cleo"], actor="admin:test", cause="test:now").game
    outbox.claim(restored.service.db, restored.now, 1, timedelta(minutes=2), "another")
    restored.wait(minutes=3)
    restored.service.upkeep.sweep()
    restored.settle()
    assert [row.status for row in rows(restored, "Bob") if row.game == game] == ["sent", "sent"]


def test_what_was_leaving_when_the_backup_was_made_is_called_off(database_url: str, tmp_path: Path) -> None:
    """The process that was sending it is gone, however long its lease lasts."""
    world = LostWorld(database_url, tmp_path / "mail")
    world.open(SIZE, accepted=False)
    world.answer("Ada", "accept")
    world.answer("Bob", "accept", settle=False)
    world.service.mail.read_inbox()
    (held,) = [item for item in outbox.claim(world.service.db, world.now, 10, timedelta(minutes=2), "another") if item.kind == "turn"]
    world.back_up(settle=False)
    world.put_back()
    world.go_on()
    assert [row.status for row in world.outbox() if row.id == held.id] == ["called off"]
    assert world.kinds("Ada").count("turn") == 1
    world.service.db.close()


@pytest.mark.long
def test_killed_at_every_statement_it_is_told_once(restored: LostWorld, database_url: str) -> None:
    ends: Counter[str] = Counter()
    restored.service.db.close()
    with start("sweep", database_url, str(restored.directory), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while not ends["done"]:
            process.say(str(ends.total() + 1))
            ends[process.hear()] += 1
            assert all(told(restored, name) in (Counter(), WHOLE[name]) for name in WHOLE)
            restored.service.db.close()
    assert set(ends) == {"done", "killed"}
    assert ends["killed"] > STATEMENTS
    restored.wait(days=1)
    restored.settle()
    check(restored)
