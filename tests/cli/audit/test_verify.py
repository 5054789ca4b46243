"""`audit verify` and `events`: a log that is whole passes; whatever was done to it by hand is named."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import pytest

from tests.cases import for_each
from tests.cli.club import ADA, BOB, Club
from tests.cli.typed import declared, typed
from turnserver import resources
from turnserver.cli.audit.group import AuditReport
from turnserver.play import commands as c
from turnserver.rules import Seat
from turnserver.store.log import log

COLUMNS = "position, stream, version, type, schema, at, actor, cause, ordinal, data"


class Burglar:
    """Somebody who can write into the database file, for as long as they are in."""

    def __init__(self, club: Club) -> None:
        self.connection = sqlite3.connect(club.directory / "club.db", isolation_level=None)
        self._triggers = self.connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in self._triggers:
            self.connection.execute(f"DROP TRIGGER {name}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Put the triggers back, and go."""
        for _, made in self._triggers:
            self.connection.execute(made)
        self.connection.close()

    def change(self, stream: str, version: int, old: str, new: str) -> None:
        """Replace something in an event's data."""
        (data,) = self.connection.execute("SELECT data FROM event WHERE stream = ? AND version = ?", (stream, version)).fetchone()
        assert old in data
        self.connection.execute("UPDATE event SET data = ? WHERE stream = ? AND version = ?", (data.replace(old, new), stream, version))

    def cover_up(self, stream: str) -> None:
        """Compute every hash of a stream anew, as nobody can who does not also own all mailboxes."""
        before = ""
        for *envelope, version in self.connection.execute(
            f"SELECT {COLUMNS}, version FROM event WHERE stream = ? ORDER BY version",  # noqa: S608  # our own columns
            (stream,),
        ).fetchall():
            before = log.chain(before, tuple(envelope))
            self.connection.execute("UPDATE event SET hash = ? WHERE stream = ? AND version = ?", (before, stream, version))

    def run(self, statement: str) -> None:
        self.connection.execute(statement)


def an_illegal_move_covered_up(burglar: Burglar) -> None:
    burglar.change("game-1", 6, '"e3"', '"a1"')
    burglar.cover_up("game-1")


def who_begins_covered_up(burglar: Burglar) -> None:
    burglar.change("game-3", 4, '"to_move":1', '"to_move":2')
    burglar.cover_up("game-3")


def an_event_removed(burglar: Burglar) -> None:
    burglar.run("DELETE FROM event WHERE stream = 'game-1' AND version = 6")


def a_game_removed(burglar: Burglar) -> None:
    burglar.run("PRAGMA foreign_keys = OFF")
    burglar.run("DELETE FROM game WHERE id = 2")


def no_json(burglar: Burglar) -> None:
    burglar.change("game-2", 1, "{", "[")
    burglar.cover_up("game-2")


FORGED: dict[str, tuple[Callable[[Burglar], None], str, int | None, str]] = {
    "a move": (lambda burglar: burglar.change("game-1", 6, '"e3"', '"e2"'), "game-1", 6, "the hash does not fit"),
    "an illegal move, covered up": (an_illegal_move_covered_up, "game-1", 6, "the turn is not legal"),
    "who begins, covered up": (who_begins_covered_up, "game-3", 4, "seat 2 is to move next, by the rules seat 1"),
    "an event removed": (an_event_removed, "game-1", 7, "is missing"),
    "a game removed": (a_game_removed, "game-2", None, "the game has no row"),
    "no JSON, covered up": (no_json, "game-2", None, "the game cannot be played again"),
}


@pytest.mark.parametrize(("forge", "stream", "version", "says"), FORGED.values(), ids=FORGED)
def test_what_was_forged_is_named(club: Club, forge: Callable[[Burglar], None], stream: str, version: int | None, says: str) -> None:
    with Burglar(club) as burglar:
        (position,) = burglar.connection.execute(
            "SELECT position FROM event WHERE stream = ? AND version = ?", (stream, version)
        ).fetchone() or (None,)
        forge(burglar)
    result = typed(club, "audit verify --json")
    assert result.exit_code == 1
    audit = declared(result.stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    named = [found for found in audit.findings if (found.position, found.stream, found.version) == (position, stream, version)]
    assert [found for found in named if says in found.problem] != [], audit
    shown = typed(club, "audit verify")
    assert shown.exit_code == 1
    assert stream in shown.stdout
    assert f"{len(audit.findings)} thing" in shown.stdout


def test_a_roll_of_a_running_game_is_checked_with_the_secret_that_is_kept(club: Club) -> None:
    """Nobody else can: what the game has committed to is told at its end."""
    club.printed("game open tako Ada Bob --order given")
    club.ask(4, c.Accept(ADA, club.now), c.Accept(BOB, club.now))
    assert typed(club, "audit verify").exit_code == 0
    with Burglar(club) as burglar:
        (data,) = burglar.connection.execute("SELECT data FROM event WHERE stream = 'game-4' AND version = 4").fetchone()
        rolled = json.loads(data)["rolls"][0]
        other = (rolled["value"] + 1) % rolled["below"]
        outcome = f'"outcome":"{rolled["outcome"]}","value":'
        burglar.change("game-4", 4, f"{outcome}{rolled['value']}", f"{outcome}{other}")
        burglar.cover_up("game-4")
    audit = declared(typed(club, "audit verify --json").stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    assert f"draw 1 gave {other}, by the secret {rolled['value']}" in [found.problem for found in audit.findings]


def test_a_vacation_that_is_longer_than_was_declared_is_named(club: Club) -> None:
    club.printed("player vacation Ada --days 5")
    assert typed(club, "audit verify").exit_code == 0
    with Burglar(club) as burglar:
        (version,) = burglar.connection.execute(
            "SELECT version FROM event WHERE stream = 'player-1' AND type = 'player.vacation_declared'"
        ).fetchone()
        burglar.change("player-1", version, '"ends":"2026-03-06', '"ends":"2026-03-04')
        burglar.cover_up("player-1")
    audit = declared(typed(club, "audit verify --json").stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    assert [(found.stream, found.problem) for found in audit.findings] == [("game-1", "player 1 has declared no such vacation")]


def test_a_secret_that_is_not_kept_is_missed(club: Club) -> None:
    """Without it any roll of a running game could be changed, and every hash after it."""
    club.printed("game open tako Ada Bob --order given")
    with Burglar(club) as burglar:
        burglar.run("DELETE FROM secret WHERE name = 'game-4'")
    audit = declared(typed(club, "audit verify --json").stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    assert [(found.stream, found.version) for found in audit.findings] == [("game-4", 1)]
    assert "not kept" in audit.findings[0].problem


def test_a_whole_log_passes(club: Club) -> None:
    with closing(sqlite3.connect(club.directory / "club.db")) as connection, connection:
        (events,) = connection.execute("SELECT count(*) FROM event").fetchone()
    connection.close()
    assert typed(club, "audit verify").stdout == f"{events} events and 3 games were checked: everything is as it was written.\n"
    assert declared(typed(club, "audit verify --json").stdout, "audit verify") == AuditReport(events, 3, 0, [], [])


ODD = {
    "in the future": ("2099-01-01T12:00:00.000000Z", "it is of 2099-01-01T12:00:00.000000Z, which is still to come"),
    "years before": ("2020-01-01T12:00:00.000000Z", "and the event before it in the log of 2026-03-01T12:00:00.000000Z"),
}


@pytest.mark.parametrize(("at", "says"), ODD.values(), ids=ODD)
def test_what_a_clock_that_was_set_may_have_left_is_told_and_is_no_fault(club: Club, at: str, says: str) -> None:
    with Burglar(club) as burglar:
        burglar.connection.execute("UPDATE event SET at = ? WHERE stream = 'player-2'", (at,))
        burglar.cover_up("player-2")
    audit = declared(typed(club, "audit verify --json").stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    assert audit.findings == []
    assert [says in one.problem for one in audit.odd_instants if one.stream == "player-2"] == [True]
    shown = typed(club, "audit verify")
    assert shown.exit_code == 0
    assert "everything is as it was written" in shown.stdout
    assert "player-2" in shown.stdout


def test_a_whole_log_passes_on_postgresql(club: Club, postgresql_url: str) -> None:
    club.config.write_text(club.config.read_text().replace("sqlite:///club.db", postgresql_url))
    for line in ("init", "player add Ada ada@example.org", "player add Bob bob@example.org", "game open take Ada Bob"):
        assert typed(club, line).exit_code == 0
    assert declared(typed(club, "audit verify --json").stdout, "audit verify") == AuditReport(3, 1, 0, [], [])


def test_the_catalogue_holds(club: Club) -> None:
    result = typed(club, "events check")
    assert (result.exit_code, result.stdout) == (0, f"Everything in {resources.events_dir()} holds.\n")
    assert json.loads(typed(club, "events check --json").stdout) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The program and its catalogue somewhere else, where they may be damaged."""
    root = resources.events_dir().parent
    for name in ("turnserver", "events"):
        shutil.copytree(root / name, tmp_path / name)
    return tmp_path


def events(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the copy."""
    program = (sys.executable, "-c", "from turnserver.cli import main; main()", "events", *words)
    return subprocess.run(program, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_what_does_not_hold_is_named_and_what_is_generated_can_be_written_again(copy: Path) -> None:
    schema = copy / "events" / "schema" / "game.turn_played.v1.json"
    schema.write_text("{}", encoding="utf-8")
    found = events(copy, "check", "--json")
    listed: Any = json.loads(found.stdout)
    assert (found.returncode, "schema/game.turn_played.v1.json" in {problem["path"] for problem in listed}) == (1, True), found
    assert events(copy, "write").returncode == 0
    assert events(copy, "check").returncode == 0


@pytest.mark.long
@for_each("word", ("check", "write"))
def test_a_field_without_a_meaning_is_named(copy: Path, word: str) -> None:
    schemas = copy / "turnserver" / "store" / "catalogue" / "schemas.py"
    schemas.write_text(schemas.read_text("utf-8").replace('        "winners": ', '        "losers": '), "utf-8")
    found = events(copy, word)
    assert (found.returncode, "the field 'winners' has no meaning" in found.stdout, found.stderr) == (1, True, "")


def test_a_plan_is_checked_with_the_text_that_is_kept(club: Club) -> None:
    """Every turn that it has played is what it says; and it is what its digest commits to, until it is erased."""
    club.printed("game open take Ada Bob --order given --option size=5")
    club.ask(4, c.Accept(ADA, club.now), c.Accept(BOB, club.now), c.LayPlan(BOB, club.now, "if c3 then b2", bytes(32)))
    club.ask(4, c.PlayTurn(ADA, club.now, "c3"), c.AnswerByPlan(Seat(2), "if c3 then b2", bytes(32)))
    assert typed(club, "audit verify").exit_code == 0
    with Burglar(club) as burglar:
        burglar.run("UPDATE plan SET text = 'if c3 then b1'")
    audit = declared(typed(club, "audit verify --json").stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    problems = [(found.stream, found.version, found.problem) for found in audit.findings]
    assert problems == [
        ("game-4", 5, "the text that is kept of the plan is not what its digest commits to"),
        ("game-4", 7, "it was played by plan, but the plan says b1"),
    ]
    with Burglar(club) as burglar:
        burglar.run("DELETE FROM plan")
    assert typed(club, "audit verify").exit_code == 0
