"""A backup is sound or is not there; a restored database is the old one or the new one, at every moment."""

import gzip
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.club import NOON, Club
from tests.cli.typed import MAILDIR, configure, declared, service_of, typed
from tests.processes import start
from turnserver.cli.audit.group import LossReport
from turnserver.cli.backups import Backup, RestoredBackup
from turnserver.cli.status import ServiceStatus
from turnserver.errors import BadOption, StoreError
from turnserver.store.incidents import backup as copies
from turnserver.store.incidents import restorations
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

FEWEST_TOUCHES = 8


class Seen(NamedTuple):
    """A database: how many games it has, how often it was restored, and what is wrong with it."""

    games: int
    restorations: int
    wrong: tuple[object, ...] = ()


def look(path: Path) -> Seen:
    """Look at a copy, so that nothing beside the file is touched."""
    copy = path.with_name("looked-at")
    shutil.copyfile(path, copy)
    with closing(Database.connect(f"sqlite:///{copy}")) as database, database.read() as conn:
        return Seen(len(audit.begun(conn).games), len(restorations.every(conn)), tuple(audit.verify(conn)))


def unpack(path: Path) -> Path:
    plain = path.with_name("plain.db")
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    return plain


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Somebody who writes all the time."""
    stop = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            while not stop.is_set():
                connection.execute("UPDATE player SET zone = zone")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def left_behind(directory: Path) -> list[str]:
    return [path.name for path in directory.glob(".turnserver-*")]


def test_a_backup_under_writers(club: Club) -> None:
    with writing(club.directory / "club.db"):
        printed = typed(club, "backup {dir}/x.gz --json").stdout
    made = declared(printed, "backup")
    assert isinstance(made, Backup)
    assert look(unpack(Path(made.file))) == Seen(3, 0)
    assert (club.directory / "x.gz").stat().st_mode & 0o777 == 0o600
    assert left_behind(club.directory) == []
    assert made.also == [str(club.config), str(club.directory / "checkpoint.pem")]


def test_a_backup_says_what_else_to_keep(club: Club) -> None:
    configure(club, '\n[dkim]\nkey_files = ["s1.pem"]\n')
    assert str(club.directory / "s1.pem") in typed(club, "backup {dir}/x.gz").stdout


def test_backups_in_turn(club: Club) -> None:
    places = club.directory / "backups"
    places.mkdir()
    (places / "turnserver-notes.gz").touch()
    for hour in (1, 2, 3):
        club.now = club.now.replace(hour=hour)
        assert typed(club, "backup {dir}/backups --keep 2").exit_code == 0
    kept = ["turnserver-20260301T020000Z.db.gz", "turnserver-20260301T030000Z.db.gz", "turnserver-notes.gz"]
    assert sorted(path.name for path in places.iterdir()) == kept


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("backup {dir}/club.db", "The file {dir}/club.db exists already and was not changed."),
        ("backup {dir}/no/where.gz", "Nothing can be written in {dir}/no: No such file or directory."),
        ("backup {dir}/x.gz --keep 3", "--keep needs a directory, and {dir}/x.gz does not exist."),
        ("backup {dir}/club.db --keep 3", "--keep needs a directory, and {dir}/club.db isn't one."),
        ("backup ''", "Name a new file for the backup, or a directory; `.` is this one."),
        ("backup {dir}/bk/", "There is no directory {dir}/bk/."),
        ("restore {dir}/turnserver.toml", "There is a database {dir}/club.db already; with --replace it stays beside the restored one."),
        ("restore {dir}/turnserver.toml --replace", "{dir}/turnserver.toml is no backup: it holds no SQLite database."),
    ],
)
def test_what_cannot_be_done_is_said(club: Club, line: str, says: str) -> None:
    before = (club.directory / "club.db").read_bytes()
    done = typed(club, line)
    assert (done.exit_code, done.stderr) == (1, f"turnserver: {says.format(dir=club.directory)}\n")
    assert (club.directory / "club.db").read_bytes() == before
    assert left_behind(club.directory) == []


def edited(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TRIGGER event_no_update")
    connection.execute("UPDATE event SET actor = 'player-2' WHERE position = 5")


def orphaned(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO chat (game, player, at, text) VALUES (99, 1, '2026-03-01T12:00:00Z', 'boo')")


def rewound(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE counter SET value = 1 WHERE name = 'game'")


@pytest.mark.parametrize(
    ("damage", "says"),
    [(edited, "the hash does not fit"), (orphaned, "refers to nothing in game"), (rewound, "the counter game stands at 1")],
)
def test_what_is_not_sound_is_neither_backed_up_nor_restored(club: Club, damage: Callable[[sqlite3.Connection], None], says: str) -> None:
    sound = club.directory / "sound.db"
    shutil.copyfile(club.directory / "club.db", sound)
    with closing(sqlite3.connect(club.directory / "club.db", isolation_level=None)) as connection:
        damage(connection)
    done = typed(club, "backup {dir}/x.gz")
    assert done.exit_code == 1
    assert says in done.stderr
    assert not (club.directory / "x.gz").exists()
    shutil.copyfile(club.directory / "club.db", club.directory / "damaged.db")
    shutil.copyfile(sound, club.directory / "club.db")
    restored = typed(club, "restore {dir}/damaged.db --replace")
    assert f"{club.directory}/damaged.db is damaged: " in restored.stderr
    assert says in restored.stderr
    assert look(club.directory / "club.db") == Seen(3, 0)


def test_a_backup_that_lost_its_end(club: Club) -> None:
    typed(club, "backup {dir}/x.gz")
    path = club.directory / "x.gz"
    path.write_bytes(path.read_bytes()[:-100])
    done = typed(club, "restore {dir}/x.gz --replace")
    assert done.exit_code == 1
    assert "is damaged" in done.stderr


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def another_programs(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE a (b)")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (half, "{} is damaged: database disk image is malformed."),
        (another_programs, "{} is no backup: it holds another program's database."),
    ],
)
def test_what_is_no_backup_is_named(club: Club, spoil: Callable[[Path], None], says: str) -> None:
    backup = club.directory / "backup.db"
    shutil.copyfile(club.directory / "club.db", backup)
    spoil(backup)
    done = typed(club, "restore {dir}/backup.db --replace")
    assert (done.exit_code, done.stderr) == (1, f"turnserver: {says.format(backup)}\n")


def test_a_directory_without_room_is_named(club: Club) -> None:
    (club.directory / "room").mkdir()
    with pytest.raises(BadOption, match=f"not enough room in {club.directory}"), copies.room(club.directory, club.now):
        Path("/dev/full").write_bytes(b"a backup")
    with pytest.raises(StoreError, match=f"cannot be copied into {club.directory}: "):
        copies.copied(club.directory / "none.db", club.directory / "room" / "copy.db", 1.0)


def test_a_restored_database(club: Club) -> None:
    typed(club, "backup {dir}/x.gz")
    club.printed("game open take Ada Bob")
    done = declared(typed(club, "restore {dir}/x.gz --replace --json").stdout, "restore")
    assert isinstance(done, RestoredBackup)
    assert done.replaced == str(club.directory / "club.db.20260301T120000Z")
    assert look(club.directory / "club.db") == Seen(3, 1)
    assert look(Path(done.replaced)) == Seen(4, 0)
    assert (club.directory / "club.db").stat().st_mode & 0o777 == 0o600
    assert "everything is as it was written" in club.printed("audit verify")


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("worked", [True, False])
def test_a_restore_is_no_work_of_the_service(club: Club, worked: bool, times: int) -> None:
    """Not even a second one; and work afterwards is told as ever."""
    if worked:
        swept(club)
    for number in range(times):
        club.printed(f"backup {{dir}}/{number}.gz")
        club.now += timedelta(minutes=1)
        club.printed(f"restore {{dir}}/{number}.gz --replace")
    at = club.now
    club.now += timedelta(minutes=1)
    told = f"not since the restore at {at + timedelta(hours=1):%Y-%m-%d %H:%M} (Europe/Berlin)"
    found = declared(club.printed("status --json"), "status")
    assert isinstance(found, ServiceStatus)
    assert (found.worked_at, found.restored_at) == ((NOON, at) if worked else (None, None))
    assert (told in " ".join(club.printed("status").split())) is worked
    assert ("obody has looked at them since the database was restored at" in typed(club, "doctor").stdout) is worked
    swept(club)
    assert "Last looked at" in typed(club, "doctor").stdout
    assert club.value("status", "restored_at") is None


def swept(club: Club) -> None:
    """Have the service work."""
    service = service_of(club)
    service.upkeep.sweep()
    service.db.close()


def test_what_is_in_use_is_not_replaced(club: Club) -> None:
    """Even by a process that does nothing at present."""
    typed(club, "backup {dir}/x.gz")
    with closing(sqlite3.connect(club.directory / "club.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT count(*) FROM event").fetchall()
        done = typed(club, "restore {dir}/x.gz --replace")
    assert done.exit_code == 1
    assert "is in use by another process" in done.stderr
    assert look(club.directory / "club.db") == Seen(3, 0)


def test_the_log_of_a_database_that_is_gone_is_not_played_into_the_restored_one(club: Club) -> None:
    typed(club, "backup {dir}/x.gz")
    with closing(sqlite3.connect(club.directory / "club.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE player SET name = 'Eve', name_key = 'eve' WHERE id = 1")
        connection.commit()
        (club.directory / "kept-wal").write_bytes((club.directory / "club.db-wal").read_bytes())
    (club.directory / "club.db").unlink()
    (club.directory / "kept-wal").rename(club.directory / "club.db-wal")
    assert typed(club, "restore {dir}/x.gz").exit_code == 0
    assert "Ada" in club.printed("player list")
    assert (club.directory / "club.db.20260301T120000Z-wal").exists()


def test_restoring_over_a_file_that_is_no_database_any_more(club: Club) -> None:
    typed(club, "backup {dir}/x.gz")
    (club.directory / "club.db").write_bytes(b"\x00" * 8192)
    assert typed(club, "restore {dir}/x.gz --replace").exit_code == 0
    assert look(club.directory / "club.db") == Seen(3, 1)


def test_a_database_that_runs_was_not_just_restored(club: Club) -> None:
    typed(club, "tick")
    done = typed(club, "restored")
    assert (done.exit_code, done.stderr.startswith("turnserver: The service runs on this database")) == (1, True)


def test_what_was_signed_and_published_shows_what_is_lost(club: Club) -> None:
    configure(club, f'{MAILDIR}\n[audit]\npublish = "{club.directory}/published"\n')
    typed(club, "init")
    typed(club, "backup {dir}/x.gz")
    last = club.json("backup {dir}/again.gz --json")["events"]  # type: ignore[index]
    club.printed("game open take Ada Bob")
    service = service_of(club)
    size = service.upkeep.checkpoints.make().stored.size
    service.db.close()
    typed(club, "restore {dir}/x.gz --replace")
    assert size > last
    typed(club, "tick")
    found = declared(typed(club, "audit loss --json").stdout, "audit loss")
    assert isinstance(found, LossReport)
    assert [one.what for one in found.losses] == [f"events {last + 1} to {size}"]
    assert [(one.said, one.lost, one.told) for one in found.restorations] == [(True, True, True)]
    assert f"events {last + 1} to {size}" in typed(club, "audit loss").stdout
    assert "1 thing that happened is lost" in typed(club, "doctor").stdout


def killed(club: Club, line: str, after: Callable[[], object]) -> list[object]:
    """Return what `after` finds after each life that was killed one touch of a file later than the one before, until one was not."""
    seen: list[object] = []
    end = "killed"
    with start(str(club.directory), *line.format(dir=club.directory).split(), module="tests.cli.service.mortal_files") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            end = process.hear()
            seen.append(after())
    assert end == "done"
    assert len(seen) > FEWEST_TOUCHES
    return seen


def in_this_order(seen: list[object], *states: object) -> None:
    """Each of the states was seen, and once there was a later one, no earlier one any more."""
    assert [one for index, one in enumerate(seen) if index == 0 or seen[index - 1] != one] == list(states)


@pytest.mark.long
def test_a_backup_killed_anywhere_is_whole_or_not_there(club: Club) -> None:
    target = club.directory / "x.gz"
    in_this_order(killed(club, "backup {dir}/x.gz", lambda: look(unpack(target)) if target.exists() else None), None, Seen(3, 0))


@pytest.mark.long
def test_a_restoration_killed_anywhere_leaves_the_old_or_the_new_database(club: Club) -> None:
    typed(club, "backup {dir}/x.gz")
    club.printed("game open take Ada Bob")
    seen = killed(club, "restore {dir}/x.gz --replace", lambda: look(club.directory / "club.db"))
    in_this_order(seen, Seen(4, 0), Seen(3, 1))
    assert Seen(4, 0) in [look(path) for path in club.directory.glob("club.db.2026*") if not path.name.endswith(("-wal", "-shm"))]
