"""Trouble that is nobody's fault at the keyboard: each kind is one sentence, and never a traceback that nobody asked for."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.cli.club import Club
from turnserver.cli.app import app
from turnserver.cli.session import Outside

PROGRAM = Path(sys.executable).with_name("turnserver")


def no_file(club: Club) -> None:
    (club.directory / "club.db").unlink()


def no_tables(club: Club) -> None:
    no_file(club)
    sqlite3.connect(club.directory / "club.db").close()


def not_a_database(club: Club) -> None:
    (club.directory / "club.db").write_bytes(b"Dear club, this is a letter and no database at all. " * 200)


def from_the_future(club: Club) -> None:
    with closing(sqlite3.connect(club.directory / "club.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


def configured(text: str) -> Callable[[Club], None]:
    def write(club: Club) -> None:
        club.config.write_bytes(text.encode("latin-1"))

    return write


def directory_for_a_file(club: Club) -> None:
    club.config.unlink()
    club.config.mkdir()


TROUBLE: dict[str, tuple[Callable[[Club], None], str]] = {
    "no database": (no_file, "turnserver init"),
    "no tables": (no_tables, "turnserver init"),
    "not a database": (not_a_database, "database"),
    "newer tables": (from_the_future, "9999"),
    "no such setting": (configured("[site]\nnmae = 'club'"), "There is no setting site.nmae. Did you mean site.name?"),
    "bad value": (
        configured("[play]\ngrace_hours = 999"),
        "play.grace_hours must be a whole number from 0 to 720, not 999.",
    ),
    "no TOML": (configured("time is 3d"), "is not valid TOML"),
    "no text": (configured("[site]\nname = '\xff'"), "is not UTF-8 text"),
    "no file": (directory_for_a_file, "no configuration file"),
}


def said(result: Result) -> str:
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith("turnserver: ")
    assert result.stderr.endswith((".\n", "?\n", "`\n"))
    return result.stderr


@pytest.mark.parametrize(("trouble", "fragment"), TROUBLE.values(), ids=TROUBLE)
@pytest.mark.parametrize("line", ["player list", "game show 1", "player add Dan dan@example.org"])
def test_is_one_sentence(club: Club, trouble: Callable[[Club], None], fragment: str, line: str) -> None:
    trouble(club)
    assert fragment in said(club.run(line))


def test_a_locked_database_can_be_looked_at_but_not_changed(club: Club) -> None:
    other = sqlite3.connect(club.directory / "club.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "Bob" in club.printed("player list")
    assert "database" in said(club.run("player add Dan dan@example.org"))
    other.execute("ROLLBACK")
    other.close()
    assert "Dan is player 4" in club.printed("player add Dan dan@example.org")


@pytest.mark.parametrize("wanted", ["", "1"], ids=["not asked for", "asked for"])
def test_what_nobody_foresaw(club: Club, wanted: str) -> None:
    broken = Outside(clock=lambda: 1 // 0)  # type: ignore[return-value,arg-type]  # a clock that breaks
    env = {"TURNSERVER_CONFIG": str(club.config), "TURNSERVER_TRACEBACK": wanted}
    result = CliRunner().invoke(app, ["game", "list"], env=env, obj=broken)
    assert result.exit_code == 1
    assert "Unexpected error (ZeroDivisionError: " in result.stderr
    assert "TURNSERVER_TRACEBACK=1" in result.stderr
    assert ("Traceback" in result.stderr) == bool(wanted)


BEYOND = "9" * 23
"""More than a column holds."""


@pytest.mark.parametrize(
    "line", ["mail inbox show", "audit mail game-1", "audit prove game-1", "audit checkpoint show", "audit checkpoint prove 1"]
)
def test_no_number_is_too_large_to_be_looked_for(club: Club, line: str) -> None:
    result = club.run(f"{line} {BEYOND}")
    assert (result.exit_code != 0, "Unexpected error" in result.stderr) == (True, False), result.stderr


@pytest.mark.parametrize("line", ["player show Łukasz", "player list"])
def test_a_letter_that_the_terminal_lacks_is_written_by_its_number(club: Club, line: str) -> None:
    club.printed("player add Łukasz lukasz@example.org")
    env = {"TURNSERVER_CONFIG": str(club.config)}
    result = CliRunner(charset="latin-1").invoke(app, line.split(), env=env, obj=club.outside)
    assert (result.exit_code, "\\u0141ukasz" in result.stdout) == (0, True), result.output


def test_the_installed_program(club: Club) -> None:
    done = subprocess.run([PROGRAM, "player", "show", "Zoe"], cwd=club.directory, capture_output=True, text=True, check=False)
    says = 'turnserver: There is nobody here with the number, name or address "Zoe".\n'
    assert (done.returncode, done.stdout, done.stderr) == (1, "", says)


@pytest.mark.parametrize("line", ["game record 1", "game list", "game list --json", "--help"])
def test_a_reader_who_has_seen_enough_is_no_trouble(club: Club, line: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run([PROGRAM, *line.split()], cwd=club.directory, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (141, "")


_INTERRUPTED = """
import sys
from turnserver.cli import main

class Interrupts:
    def find_spec(self, name, *_):
        if name == "turnserver.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
main()
"""


def test_who_interrupts_while_the_program_is_loaded_reads_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
