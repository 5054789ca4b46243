"""Opening, creating, upgrading, refusing; and what a transaction promises."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from sqlalchemy import event, make_url, text

from tests.cases import for_each
from tests.store.scene import ADA, BOB, GAME, RUNNING, STREAM, add_players, append, day
from tests.terms import three_days
from turnserver.errors import (
    ConfigError,
    Conflict,
    DatabaseBusy,
    DatabaseMissing,
    DatabaseReplaced,
    DatabaseUnavailable,
    StoreError,
    TurnserverError,
    WrongRevision,
)
from turnserver.ids import Burden, PlayerId, Version
from turnserver.play.events import ClockFrozen, FreezeKind, SubstituteSeated
from turnserver.play.reliability import Tally
from turnserver.rules import Seat
from turnserver.store import migrations
from turnserver.store.games import views
from turnserver.store.log import database as module
from turnserver.store.log import log, secrets, tables
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.statement import Statement
from turnserver.store.people import accounts as people


def execute(database: Database, statement: str) -> None:
    with database.write() as tx:
        tx.run(Statement(text(statement)))


def test_init_creates_everything_and_again_changes_nothing(empty_url: str) -> None:
    database = Database.create_or_upgrade(empty_url)
    known = append(database, STREAM, RUNNING, cause="cli:1")
    database.close()

    database = Database.create_or_upgrade(empty_url)
    with database.write() as tx:
        assert log.load(tx, STREAM) == known
        assert log.last_position(tx) == len(known)
        assert log.next_number(tx, "game") == 1
    database.close()


def test_the_migrated_tables_are_those_of_the_model(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, tables.METADATA) == []


def test_what_games_have_waited_for_mail_is_counted_from_the_log(database: Database, database_url: str) -> None:
    """The days count for the player who had the seat; a substitute has it from then on, and other freezes are none of that."""
    held = ClockFrozen(number=1, kind=FreezeKind.UNDELIVERED, seat=Seat(2), begins=day(1), ends=day(4), clock=three_days(day(1)))
    taken = SubstituteSeated(seat=Seat(2), player=PlayerId(3), zone="UTC", rating=Burden.SEAT, reason="r", clock=three_days(day(1)))
    others = (replace(held, kind=FreezeKind.OUTAGE, seat=None), replace(held, kind=FreezeKind.VACATION))
    history = (*RUNNING, held, replace(held, number=2), *others, taken, replace(held, number=5))
    with database.write() as tx:
        add_players(tx)
        people.add_player(tx, PlayerId(3), "Cleo", "cleo@example.org", "UTC", day(0))
    append(database, STREAM, history, cause="cli:1")
    execute(database, "INSERT INTO reliability (player, turns, in_time, flags, graces) VALUES (2, 7, 6, 1, 0)")
    execute(database, "ALTER TABLE reliability DROP COLUMN waits")
    execute(database, "ALTER TABLE heartbeat DROP COLUMN sure_position")  # which later revisions have added, as the next
    execute(database, "ALTER TABLE heartbeat DROP COLUMN doubted_at")
    execute(database, "DROP INDEX inbox_sharing")
    execute(database, "ALTER TABLE inbox DROP COLUMN bytes_of")
    execute(database, "ALTER TABLE player DROP COLUMN receipts")
    execute(database, "ALTER TABLE player DROP COLUMN subjects")
    execute(database, "DROP TABLE form")
    execute(database, "DROP TABLE note")
    execute(database, "DROP TABLE visibility")
    execute(database, "DROP INDEX player_pseudonym")
    for name in ("session", "sign_in"):
        execute(database, f"DROP TABLE {name}")
    for column in ("calendar_edition", "public", "pseudonym", "pseudonym_key"):
        execute(database, f"ALTER TABLE player DROP COLUMN {column}")
    execute(database, "UPDATE alembic_version SET version_num = '0002'")
    upgraded = Database.create_or_upgrade(database_url)
    with upgraded.read() as conn:
        assert views.every_tally(conn) == {BOB: Tally(7, 6, 1, 0, 2), PlayerId(3): Tally(waits=1)}
    upgraded.close()


def test_the_program_asks_for_the_newest_revision() -> None:
    assert ScriptDirectory.from_config(migrations.configuration()).get_current_head() == module.REVISION
    assert module.REVISION in migrations.known()


@pytest.mark.parametrize("opening", [Database.connect, Database.create_or_upgrade])
def test_newer_tables_are_refused(database: Database, database_url: str, opening: object) -> None:
    execute(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(WrongRevision, match=r"9999|newer"):
        opening(database_url)  # type: ignore[operator]


def test_older_tables_are_refused_until_they_are_upgraded(database: Database, database_url: str) -> None:
    execute(database, "UPDATE alembic_version SET version_num = '0004'")
    with pytest.raises(WrongRevision, match="run `turnserver init`"):
        Database.connect(database_url)


def test_tables_without_a_revision_are_not_ours(database: Database, database_url: str) -> None:
    execute(database, "DELETE FROM alembic_version")
    with pytest.raises(DatabaseMissing):
        Database.connect(database_url)


@pytest.mark.parametrize(
    ("found", "needed", "known", "advice"),
    [
        ("0001", "0002", {"0001", "0002"}, "run `turnserver init`"),
        ("0003", "0002", {"0001", "0002"}, "update turnserver"),
    ],
)
def test_a_wrong_revision_comes_with_advice(found: str, needed: str, known: set[str], advice: str) -> None:
    sentence = module.wrong_revision(found, needed, known)
    assert advice in sentence
    assert found in sentence
    assert needed in sentence


def test_connecting_creates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(DatabaseMissing, match="turnserver init"):
        Database.connect(f"sqlite:///{path}")
    assert list(tmp_path.iterdir()) == []


class Unusable(NamedTuple):
    """A file or directory that stands where the database should be."""

    name: str
    content: bytes | None
    error: type[TurnserverError]


@pytest.mark.parametrize(
    "case",
    [
        Unusable("an empty file", b"", DatabaseMissing),
        Unusable("something else", b"Dear Ada,\n" * 100, StoreError),
        Unusable("a directory", None, DatabaseMissing),
    ],
    ids=lambda case: case.name,
)
def test_other_files_are_refused_and_left_alone(tmp_path: Path, case: Unusable) -> None:
    path = tmp_path / "odd.db"
    if case.content is None:
        path.mkdir()
    else:
        path.write_bytes(case.content)
    with pytest.raises(case.error) as caught:
        Database.connect(f"sqlite:///{path}")
    assert type(caught.value) is case.error
    assert case.content is None or path.read_bytes() == case.content


def test_a_file_cannot_be_created_where_there_is_no_directory(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot create"):
        Database.create_or_upgrade(f"sqlite:///{tmp_path}/none/new.db")


def test_what_is_no_database_is_not_made_one(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear Ada,\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Database.create_or_upgrade(f"sqlite:///{path}")
    assert path.read_bytes() == b"Dear Ada,\n" * 100


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    Database.create_or_upgrade(f"sqlite:///{path}").close()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600  # noqa: PTH116  # one way is enough


def test_a_postgresql_without_tables_or_without_the_database_is_missing(empty_postgresql_url: str) -> None:
    with pytest.raises(DatabaseMissing, match="turnserver init"):
        Database.connect(empty_postgresql_url)
    with pytest.raises(DatabaseMissing, match="does not exist"):
        Database.connect(empty_postgresql_url.replace("/test_", "/none_"))


def test_a_postgresql_that_is_not_there_cannot_be_reached(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        Database.connect(f"postgresql://nobody@/none?host={tmp_path}")
    assert not isinstance(caught.value, DatabaseMissing)


def test_a_role_that_postgresql_does_not_know_is_no_missing_database(empty_postgresql_url: str) -> None:
    with pytest.raises(StoreError, match='role "nobody" does not exist') as caught:
        Database.connect(empty_postgresql_url.replace("//postgres:", "//nobody:"))
    assert not isinstance(caught.value, DatabaseMissing)


@for_each("url", ["", "turnserver.db", "mysql://localhost/x", "sqlite://", "sqlite:///:memory:", "oracle+nothing://x"])
@for_each("opening", [Database.connect, Database.create_or_upgrade])
def test_other_urls_are_a_mistake_in_the_configuration(url: str, opening: object) -> None:
    with pytest.raises(ConfigError, match=r"database\.url"):
        opening(url)  # type: ignore[operator]


def test_who_switches_sqlite_to_write_ahead_waits_for_who_writes(sqlite_url: str) -> None:
    database = Database(make_url(sqlite_url), 5.0)
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN IMMEDIATE")

        @event.listens_for(database.engine, "connect")
        def _watch(driver: sqlite3.Connection, _: object) -> None:
            driver.set_trace_callback(lambda statement: other.rollback() if statement == "BEGIN IMMEDIATE" else None)

        opened = database._particular.settle(database.engine)
    assert opened.is_there()
    opened.close()
    database.close()


def test_sqlite_is_told_to_be_durable_and_strict(sqlite_url: str) -> None:
    database = Database.connect(sqlite_url, busy_timeout_seconds=7.0)
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1, "busy_timeout": 7000}
    with database.read() as conn:
        assert {name: conn.rows(Statement(text(f"PRAGMA {name}")))[0][0] for name in wanted} == wanted
    database.close()


DURABLE = {"sqlite": Statement(text("PRAGMA synchronous")), "postgresql": Statement(text("SHOW synchronous_commit"))}


def durability(database: Database, tx: Transaction) -> object:
    """Return the engine's setting for how a commit waits for the disk."""
    return tx.rows(DURABLE[database.engine.dialect.name])[0][0]


CONNECTIONS = 6
"""More than a process leaves open."""


def durabilities(database: Database) -> list[object]:
    """The same for all connections that are open, and some."""
    with ExitStack() as stack:
        return [durability(database, conn) for conn in [stack.enter_context(database.read()) for _ in range(CONNECTIONS)]]


def test_a_hasty_write_alone_does_not_wait_for_the_disk(database: Database) -> None:
    """No other transaction does without, also on the same connection, and also after one that failed."""
    found = []
    with database.hasty_write() as tx:
        people.add_player(tx, ADA, "Ada", "ada@example.org", "UTC", day(0))
        found.append(durability(database, tx))
    found += durabilities(database)
    with suppress(ZeroDivisionError), database.hasty_write() as tx:
        people.add_player(tx, BOB, "Bob", "bob@example.org", "UTC", day(0))
        raise ZeroDivisionError
    found += durabilities(database)
    usual, hasty = (2, 1) if database.engine.dialect.name == "sqlite" else ("on", "off")
    assert found == [hasty, *[usual] * 2 * CONNECTIONS]
    with database.read() as conn:
        assert [player.name for player in people.list_players(conn)] == ["Ada"]


def test_a_hasty_write_that_cannot_begin_leaves_the_next_one_durable(sqlite_url: str) -> None:
    database = Database.connect(sqlite_url, busy_timeout_seconds=0.01)
    other = Database.connect(sqlite_url)
    with other.write(), pytest.raises(DatabaseBusy), database.hasty_write():
        pass
    assert set(durabilities(database)) == {2}
    other.close()
    database.close()


def test_a_reference_to_nobody_is_refused(database: Database) -> None:
    with pytest.raises(StoreError), database.write() as tx:
        people.say(tx, GAME, ADA, day(0), "hello")


def test_a_block_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.write() as tx:
            people.add_player(tx, ADA, "Ada", "ada@example.org", "UTC", day(0))
            log.append(tx, STREAM, Version(0), RUNNING, at=day(0), actor="a", cause="c", previous=None)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.read() as conn:
        assert people.list_players(conn) == []
        assert log.load(conn, STREAM) == []
        assert log.last_position(conn) == 0


def test_a_reader_sees_one_moment(database: Database) -> None:
    with database.read() as conn:
        assert log.load(conn, STREAM) == []
        append(database, STREAM, RUNNING, cause="c")
        assert log.load(conn, STREAM) == []
        assert log.last_position(conn) == 0
    with database.read() as conn:
        assert log.last_position(conn) == len(RUNNING)


@pytest.fixture
def impatient(database_url: str) -> Iterator[Database]:
    """A database that waits for locks no longer than it takes to notice them."""
    database = Database.connect(database_url, busy_timeout_seconds=0.01)
    yield database
    database.close()


@pytest.fixture
def impatient_sqlite(sqlite_url: str) -> Iterator[Database]:
    """The same on SQLite only."""
    database = Database.connect(sqlite_url, busy_timeout_seconds=0.01)
    yield database
    database.close()


def test_a_database_that_somebody_else_holds_is_busy(impatient: Database, database_url: str) -> None:
    other: sqlite3.Connection | psycopg.Connection
    if database_url.startswith("sqlite"):
        other = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        other = psycopg.connect(database_url.replace("+psycopg", ""))
        other.execute("UPDATE counter SET value = value")
    with closing(other):
        with pytest.raises(DatabaseBusy):
            append(impatient, STREAM, RUNNING, cause="c")
        with impatient.read() as conn:
            assert log.load(conn, STREAM) == []
    append(impatient, STREAM, RUNNING, cause="c")


def test_who_only_read_so_far_holds_the_file_already(sqlite_url: str, impatient_sqlite: Database) -> None:
    database = Database.connect(sqlite_url)
    with database.write() as tx:
        assert log.load(tx, STREAM) == []
        with pytest.raises(DatabaseBusy):
            append(impatient_sqlite, STREAM, RUNNING, cause="a")
        log.append(tx, STREAM, Version(0), RUNNING, at=day(0), actor="a", cause="b", previous=None)
    database.close()


def test_a_thread_that_holds_the_file_makes_it_busy_for_the_others(sqlite_url: str) -> None:
    database = Database.connect(sqlite_url, busy_timeout_seconds=0.01)
    with database.write(), pytest.raises(DatabaseBusy, match="another thread"), database.write():
        pass
    with database.write():
        pass
    database.close()


def test_a_process_without_a_free_connection_is_busy(impatient: Database) -> None:
    with pytest.raises(DatabaseBusy, match="connection"), ExitStack() as held:
        [held.enter_context(impatient.read()) for _ in range(100)]


def test_of_two_that_wait_for_each_other_one_has_to_start_over(postgresql_url: str) -> None:
    database = Database.connect(postgresql_url)
    both_hold = Barrier(2)

    def take(first: str, second: str) -> str:
        try:
            with database.write() as tx:
                log.next_number(tx, first)
                both_hold.wait()
                log.next_number(tx, second)
        except Conflict:
            return "starts over"
        return "done"

    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(take, ("game", "player"), ("player", "game")))
    assert sorted(ends) == ["done", "starts over"]
    database.close()


def test_a_server_that_was_restarted_is_found_again(postgresql_url: str, postgresql_server: str) -> None:
    database = Database.connect(postgresql_url)
    known = append(database, STREAM, RUNNING[:1], cause="a")
    with psycopg.connect(postgresql_server, autocommit=True) as admin:
        name = database.engine.url.database
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
    append(database, STREAM, RUNNING[1:2], cause="b", after=known)
    database.close()


def test_a_connection_lost_in_a_transaction_loses_all_of_it_and_only_the_error_tells_it(
    postgresql_url: str, postgresql_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database.connect(postgresql_url)

    def interrupted() -> None:
        with database.write() as tx:
            log.append(tx, STREAM, Version(0), RUNNING, at=day(0), actor="a", cause="c", previous=None)
            with psycopg.connect(postgresql_server, autocommit=True) as admin:
                name = database.engine.url.database
                admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    with pytest.raises(StoreError):
        interrupted()
    assert caplog.messages == []
    append(database, STREAM, RUNNING, cause="c")
    database.close()


def identified(url: str, identity: bytes) -> Database:
    """A database as `Service.initialise` leaves it."""
    database = Database.create_or_upgrade(url)
    with database.write() as tx:
        secrets.ensure(tx, secrets.IDENTITY, identity)
    database.close()
    return Database.connect(url)


_LOOKS = "import sys; from turnserver.store.log.database import Database; Database.connect(sys.argv[1])"


def moved(path: Path, _other: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def deleted(path: Path, _other: Path) -> None:
    path.unlink()


def made_anew(path: Path, _other: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    identified(f"sqlite:///{path}", b"anew").close()


def renamed_over(path: Path, other: Path) -> None:
    other.replace(path)


@pytest.mark.parametrize("happens", [moved, deleted, made_anew, renamed_over], ids=lambda each: each.__name__)
def test_a_file_that_is_another_one_takes_no_write(tmp_path: Path, sqlite_url: str, happens: Callable[[Path, Path], None]) -> None:
    path, other = Path(sqlite_url.removeprefix("sqlite:///")), tmp_path / "other.db"
    identified(f"sqlite:///{other}", b"other").close()
    database = identified(sqlite_url, b"this")
    with database.read(), database.read():
        pass  # two connections wait in the pool
    happens(path, other)
    for _ in range(3):
        with pytest.raises(DatabaseReplaced, match="moved, deleted or replaced"), database.write() as tx:
            log.next_number(tx, "game")
    database.close()


def test_the_same_file_with_another_database_in_it_takes_no_write(tmp_path: Path, sqlite_url: str) -> None:
    """As when a number of an inode is given out again: no connection was open."""
    other = tmp_path / "other.db"
    identified(f"sqlite:///{other}", b"other").close()
    database = identified(sqlite_url, b"this")
    database.close()
    shutil.copyfile(other, sqlite_url.removeprefix("sqlite:///"))
    with pytest.raises(DatabaseReplaced), database.write() as tx:
        log.next_number(tx, "game")
    database.close()


@pytest.mark.parametrize("anew", [False, True], ids=["gone", "made anew by another process"])
def test_a_write_ahead_log_that_was_deleted_takes_no_write(sqlite_url: str, anew: bool) -> None:
    """Its contents are not lost, if whoever notices ends in order: who closes a database writes them into the file."""
    database = identified(sqlite_url, b"this")
    with database.read(), database.read():
        pass  # two connections that have never written wait in the pool
    with database.write() as tx:
        before = log.next_number(tx, "game")
    Path(f"{sqlite_url.removeprefix('sqlite:///')}-wal").unlink()
    if anew:
        subprocess.run([sys.executable, "-c", _LOOKS, sqlite_url], check=True)
    for _ in range(4):
        with pytest.raises(DatabaseReplaced, match="its write-ahead log"), database.write() as tx:
            log.next_number(tx, "game")
    database.close()
    database = Database.connect(sqlite_url)
    with database.write() as tx:
        assert log.next_number(tx, "game") == before + 1
    database.close()


def test_a_link_leads_to_the_write_ahead_log_too(tmp_path: Path, sqlite_url: str) -> None:
    identified(sqlite_url, b"this").close()
    link = tmp_path / "link" / "turnserver.db"
    link.parent.mkdir()
    link.symlink_to(sqlite_url.removeprefix("sqlite:///"))
    database = Database.connect(f"sqlite:///{link}")
    for number in (1, 2):
        with database.write() as tx:
            assert log.next_number(tx, "game") == number
    Path(f"{sqlite_url.removeprefix('sqlite:///')}-wal").unlink()
    with pytest.raises(DatabaseReplaced), database.write() as tx:
        log.next_number(tx, "game")
    database.close()


def test_a_log_that_ends_with_its_last_connection_begins_anew(sqlite_url: str) -> None:
    """A connection that could not be used is closed, perhaps the last one of a pool; the log stays all the same."""
    database = identified(sqlite_url, b"this")
    for _ in range(3):
        with suppress(RuntimeError), database.hasty_write() as tx:
            log.next_number(tx, "game")
            raise RuntimeError
    with database.write() as tx:
        assert log.next_number(tx, "game") == 1
    database.close()


@pytest.mark.parametrize("beginning", [0, 4096], ids=["no database", "damaged"])
def test_a_file_that_somebody_wrote_over_takes_no_write(sqlite_url: str, beginning: int) -> None:
    database = identified(sqlite_url, b"this")
    database.close()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    path.write_bytes(path.read_bytes()[:beginning] + b"x" * (path.stat().st_size - beginning))
    with pytest.raises(DatabaseReplaced, match="cannot be read"), database.write() as tx:
        log.next_number(tx, "game")
    database.close()


def test_a_database_that_was_found_damaged_takes_no_write_that_would_work(sqlite_url: str) -> None:
    database = identified(sqlite_url, b"this")
    with database.read() as conn:
        [(page, size)] = conn.rows(Statement(text("SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = 'chat'")))
    database.close()
    with Path(sqlite_url.removeprefix("sqlite:///")).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"x" * size)
    with database.write() as tx:
        log.next_number(tx, "game")
    with pytest.raises(DatabaseReplaced), database.read() as conn:
        conn.rows(Statement(text("SELECT text FROM chat")))
    with pytest.raises(DatabaseReplaced, match="cannot be read"), database.write() as tx:
        log.next_number(tx, "game")
    database.close()


@pytest.mark.parametrize("happens", [moved, made_anew, renamed_over], ids=lambda each: each.__name__)
def test_no_two_files_are_read_as_one(tmp_path: Path, sqlite_url: str, happens: Callable[[Path, Path], None]) -> None:
    path, other = Path(sqlite_url.removeprefix("sqlite:///")), tmp_path / "other.db"
    identified(f"sqlite:///{other}", b"other").close()
    database = identified(sqlite_url, b"this")
    happens(path, other)
    with ExitStack() as held:
        for _ in range(3):
            with pytest.raises(DatabaseReplaced):
                held.enter_context(database.read())
    database.close()


def test_text_is_kept_in_utf8(postgresql_server: str) -> None:
    with psycopg.connect(postgresql_server, autocommit=True) as admin:
        admin.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
        url = make_url(postgresql_server).set(database="ascii").render_as_string(hide_password=False)
        with pytest.raises(ConfigError, match="is in SQL_ASCII, and has to be in UTF8"):
            Database.create_or_upgrade(url)
        admin.execute("DROP DATABASE ascii")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("statement_timeout", "by a timeout that is set there"),
        # the system drops the server's last words if we write to it at the very moment in which it closes
        ("idle_in_transaction_session_timeout", "by a timeout that is set there|server closed the connection"),
    ],
)
def test_a_timeout_of_the_server_says_nothing_of_what_was_asked(postgresql_url: str, setting: str, told: str) -> None:
    database = Database.connect(postgresql_url)

    def asked() -> None:
        with database.write() as tx:
            tx.run(Statement(text(f"SET LOCAL {setting} = 1")))
            for _ in range(100):
                tx.rows(Statement(text("SELECT count(*) FROM generate_series(1, 100000)")))
                # longer than the server waits
                sum(range(1_000_000))

    with pytest.raises(DatabaseUnavailable, match=told):
        asked()
    database.close()


def test_another_database_under_the_same_name_takes_no_write(postgresql_url: str, postgresql_server: str) -> None:
    database = identified(postgresql_url, b"this")
    name = database.engine.url.database
    with psycopg.connect(postgresql_server, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {name}")
    identified(postgresql_url, b"other").close()
    with pytest.raises(DatabaseReplaced), database.write() as tx:
        log.next_number(tx, "game")
    database.close()
