"""Checkpoints as the service makes them: when, by whom, out of what, and never of a log that is not the one that was signed before."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from tests.service.leagues.league_world import begin, lose_all, open_league, season, sweep
from tests.service.leagues.test_leagues_killed import at_once
from tests.service.upkeep.checkpointed import ORIGIN, published, settings, sound, stored, tamper, with_audit, write_key
from tests.service.world import World
from turnserver.errors import ConfigError, LogRewritten, StoreError
from turnserver.league.settings import Settings as LeagueSettings
from turnserver.league.state import Phase
from turnserver.proof import checkpoint, note
from turnserver.proof.note import verification_key
from turnserver.service.upkeep.checkpoints import ASKED, DUE, SEASON
from turnserver.store.log import checkpoints, log
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", settings=settings(tmp_path))
    db.close()


def size(world: World) -> int:
    with world.service.db.read() as conn:
        return log.last_position(conn)


def grow(world: World) -> int:
    """Another game is opened; gives how long the log is then."""
    world.open()
    return size(world)


def test_the_first_sweep_makes_one_and_then_one_comes_a_day(world: World, tmp_path: Path) -> None:
    world.service.upkeep.sweep()
    first = size(world)
    assert sound(world, tmp_path) == [first]
    grow(world)
    world.wait(hours=23)
    world.service.upkeep.sweep()
    assert sound(world, tmp_path) == [first]
    world.wait(hours=2)
    world.service.upkeep.sweep()
    second = size(world)
    assert sound(world, tmp_path) == [first, second]
    world.wait(days=3)
    quiet = size(world)
    world.service.upkeep.sweep()  # what a sweep itself does to games comes before it
    third = size(world)
    assert sound(world, tmp_path) == ([first, second, third] if third > second else [first, second])
    assert quiet <= third
    assert {one.reason for one in stored(world)} == {DUE}


def test_a_log_that_does_not_grow_gets_no_second_one(world: World, tmp_path: Path) -> None:
    for _ in range(3):
        world.service.upkeep.sweep()
        world.wait(days=2)
    assert sound(world, tmp_path) == [size(world)]
    assert not world.service.upkeep.checkpoints.make().new


def test_on_demand_there_is_one_at_once(world: World, tmp_path: Path) -> None:
    sizes = []
    for _ in range(3):
        sizes.append(grow(world))
        made = world.service.upkeep.checkpoints.make()
        assert (made.new, made.stored.reason, made.stored.at) == (True, ASKED, world.now)
    assert sound(world, tmp_path) == sizes


def test_one_of_an_empty_log(world: World, tmp_path: Path) -> None:
    empty = Database.create_or_upgrade(f"sqlite:///{tmp_path / 'empty.db'}")
    service = type(world.service)(empty, world._settings)
    service.upkeep.sweep()
    with empty.read() as conn:
        assert checkpoints.last(conn) is None  # nothing is due before anything happened
    assert service.upkeep.checkpoints.make().stored.note.startswith(f"{ORIGIN}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")
    empty.close()


def test_the_end_of_a_season_makes_one(world: World, tmp_path: Path) -> None:
    with_audit(world, replace(world._settings.audit, checkpoint_hours=0))
    league = open_league(world, LeagueSettings(next_days=0, entry_days=0))
    begin(world, league)
    world.service.upkeep.sweep()
    assert stored(world) == []
    lose_all(world, league)
    while season(world, league).phase is not Phase.ENTRIES:
        world.wait(minutes=2)
        sweep(world)
    (made,) = stored(world)
    assert made.reason == SEASON
    with world.service.db.read() as conn:
        assert not checkpoints.season_closed(conn, made.size)
        assert checkpoints.season_closed(conn, 0)
    world.restart()
    world.wait(days=30)
    world.service.upkeep.sweep()
    assert len(stored(world)) == 1
    assert sound(world, tmp_path) == [made.size]


def test_workers_at_once_make_one_together(world: World, tmp_path: Path) -> None:
    workers = [world.another_process() for _ in range(3)]
    for _ in range(5):
        grow(world)
        before = len(stored(world))
        at_once(workers)
        for worker in workers:
            worker.upkeep.sweep()  # whoever was slower has the files to look after
        assert len(stored(world)) == before + 1
        world.wait(hours=25)
    sound(world, tmp_path)


def test_workers_asked_at_once_give_the_same_one(world: World, tmp_path: Path) -> None:
    grow(world)
    ready = Barrier(4)

    def ask(_: int) -> str:
        service = world.another_process()
        ready.wait()
        return service.upkeep.checkpoints.make().stored.note

    with ThreadPoolExecutor(4) as pool:
        notes = set(pool.map(ask, range(4)))
    assert len(notes) == 1
    assert sound(world, tmp_path) == [size(world)]


def test_without_its_key_everything_else_goes_on(world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with_audit(world, replace(world._settings.audit, key_files=(tmp_path / "missing.pem",)))
    game = world.open()
    for _ in range(3):
        world.wait(days=2)
        world.service.upkeep.sweep()
    said = [record.message for record in caplog.records if record.levelno == logging.ERROR]
    assert len(said) == 1
    assert "missing.pem is missing. `turnserver init` makes it" in said[0]
    assert world.state(game).deadline is not None
    assert stored(world) == []
    with pytest.raises(ConfigError, match="missing"):
        world.service.upkeep.checkpoints.make()
    write_key(tmp_path / "missing.pem")
    world.service.upkeep.sweep()
    assert sound(world, tmp_path) == [size(world)]


def test_without_keys_there_are_none(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with_audit(world, replace(world._settings.audit, key_files=()))
    world.service.upkeep.sweep()
    assert (stored(world), caplog.records) == ([], [])
    with pytest.raises(ConfigError, match="names no key"):
        world.service.upkeep.checkpoints.make()


def test_what_could_not_be_published_is_published_later(world: World, tmp_path: Path) -> None:
    in_the_way = tmp_path / "published"
    in_the_way.write_bytes(b"")
    world.service.upkeep.sweep()
    grow(world)
    with pytest.raises(ConfigError, match=r"audit\.publish"):
        world.service.upkeep.checkpoints.make()
    in_the_way.unlink()
    world.service.upkeep.sweep()
    assert sound(world, tmp_path) != []


def test_what_a_dead_process_has_not_published_the_next_one_does(world: World, tmp_path: Path) -> None:
    for _ in range(3):
        grow(world)
        world.service.upkeep.checkpoints.make()
    for file in (tmp_path / "published").iterdir():
        file.unlink()
    world.service.upkeep.sweep()
    world.restart()
    world.service.upkeep.sweep()
    sound(world, tmp_path)


def test_keys_are_rotated_in_three_steps(world: World, tmp_path: Path) -> None:
    """Both sign for a while; then the old one only verifies; whoever knows either can follow all the way."""
    old, new = (str(write_key(tmp_path / "same.pem", seed).verification_key()) for seed in (1, 2))
    first = world.service.upkeep.checkpoints.make().stored
    with_audit(world, settings(tmp_path, seeds=(1, 2)).audit)
    both = world.service.upkeep.checkpoints.make()
    assert (both.new, both.stored.size) == (True, first.size)  # the same tree, signed by one more
    assert published(tmp_path) == {f"{first.size}.checkpoint": both.stored.note}
    with_audit(world, settings(tmp_path, seeds=(2,), retired=(1,)).audit)
    grow(world)
    last = world.service.upkeep.checkpoints.make().stored
    signers = {
        one.size: [str(key) for key in note.verify(one.note, map(verification_key, (old, new))).signers] for one in (both.stored, last)
    }
    assert signers == {both.stored.size: [old, new], last.size: [new]}


def test_no_key_signs_beside_one_that_is_not_known_here(world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As on a second machine. An admin may say that the other key is lost: then the log has to lead to what it signed."""
    world.service.upkeep.checkpoints.make()
    with_audit(world, settings(tmp_path, seeds=(2,), publish=False).audit)
    grow(world)
    world.wait(days=2)
    world.service.upkeep.sweep()
    [said] = [record.message for record in caplog.records if record.levelno == logging.ERROR]
    assert "Copy its file" in said
    with pytest.raises(ConfigError, match=r"only club.example/turnserver\+[0-9a-f]{8}\. Copy its file"):
        world.service.upkeep.checkpoints.make()
    assert len(stored(world)) == 1
    made = world.service.upkeep.checkpoints.make(lost_key=True).stored
    assert checkpoint.verify(made.note, [write_key(tmp_path / "same.pem", 2).verification_key()]).size == size(world)


@pytest.mark.parametrize("publish", [True, False])
@pytest.mark.parametrize(
    ("statements", "problem"),
    [
        (["DELETE FROM event WHERE position > 3", "UPDATE counter SET value = 3 WHERE name = 'position'"], "has only 3: history was lost"),
        (["UPDATE checkpoint SET root = '00' WHERE id = 1"], "was changed"),
        (["UPDATE checkpoint SET size = 2 WHERE id = 1"], "was changed"),
        (["UPDATE checkpoint SET note = 'x' WHERE id = 1"], "was changed"),
        (["UPDATE checkpoint SET root = 'x' WHERE id = 1"], "was changed"),
        (["DELETE FROM event WHERE position = (SELECT MAX(position) FROM event) - 1"], "is missing"),
        (["UPDATE event SET hash = 'x' WHERE position = (SELECT MAX(position) FROM event)"], "is none"),
    ],
)
def test_nothing_is_signed_that_does_not_follow_on_what_was_signed(
    world: World, tmp_path: Path, statements: list[str], problem: str, *, publish: bool
) -> None:
    with_audit(world, settings(tmp_path, publish=publish).audit)
    grow(world)
    world.service.upkeep.checkpoints.make()
    grow(world)
    tamper(world.service.db, *statements)
    with pytest.raises(LogRewritten, match=problem):
        world.service.upkeep.checkpoints.make()
    world.wait(days=2)
    world.service.upkeep.checkpoints.follow()  # and the sweep goes on
    assert len(published(tmp_path)) == publish


@pytest.mark.parametrize("after", [0, 2])
def test_a_published_one_stops_who_rolls_the_table_back_too(world: World, tmp_path: Path, after: int) -> None:
    """The table of checkpoints is as long as the backup was, so only the files know better; however far the log has grown since."""
    length = grow(world)
    world.service.upkeep.checkpoints.make()
    tamper(world.service.db, "DELETE FROM checkpoint", f"UPDATE event SET hash = '{'ab' * 32}' WHERE position = 2")  # noqa: S608  # tampering is SQL of our own
    for _ in range(after):
        grow(world)
    with pytest.raises(LogRewritten, match=f"the first {length} events are not the ones any more"):
        world.service.upkeep.checkpoints.make()
    (tmp_path / "published" / f"{length}.checkpoint").write_text("nothing that was signed", encoding="utf-8")
    assert world.service.upkeep.checkpoints.make().new  # audit verify complains of that file


@pytest.mark.parametrize(
    "statement", ["UPDATE checkpoint SET size = 1", "DELETE FROM checkpoint", "REPLACE INTO checkpoint SELECT * FROM checkpoint"]
)
def test_the_table_is_append_only(world: World, statement: str) -> None:
    world.service.upkeep.checkpoints.make()
    if "REPLACE" in statement and world.service.db.engine.dialect.name != "sqlite":
        statement = "TRUNCATE checkpoint"
    with pytest.raises(StoreError, match="checkpoints are for ever"), world.service.db.write() as tx:
        tx.run(Statement(text(statement)))
