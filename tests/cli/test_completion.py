"""Completion as bash asks for it, with and without a database."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.cli.club import CONFIG, Club
from turnserver.cli.app import app

PROGRAM = (sys.executable, "-c", "from turnserver.cli import main; main()")

TYPED = {
    "commands": ("turnserver pl", ["player"]),
    "subcommands": ("turnserver game re", ["result", "retract", "replay", "resume", "record", "reopen"]),
    "keys": ("turnserver game open t", ["take", "tako-judo", "tako"]),
    "keys of the catalogue": ("turnserver games ", ["take", "tako-judo", "tako", "okago", "sneaky-octopuses"]),
    "players": ("turnserver player show ", ["Ada", "Bob", "Cleo"]),
    "players by their first letters": ("turnserver game open take Ada B", ["Bob"]),
    "players of a filter": ("turnserver game list --player C", ["Cleo"]),
    "games": ("turnserver game show ", ["3", "2", "1"]),
    "games by their first digit": ("turnserver game retract 2", ["2"]),
    "options of a game": ("turnserver game open take --option v", ["variant=standard", "variant=high-churn"]),
    "options of another game": ("turnserver game open tako --option v", ["variant=standard", "variant=adept"]),
    "numbers": ("turnserver game open tako --option stake=", ["stake=5", "stake=7", "stake=11", "stake=15"]),
    "long ranges": ("turnserver game open sneaky-octopuses --option max", ["max_rounds=60"]),
    "statuses": ("turnserver game list --status ", ["inviting", "running", "ended"]),
    "versions of a game": ("turnserver game show 3 --at ", [f"v{version}" for version in range(1, 9)]),
    "versions by their first digits": ("turnserver game board game-1 --at 1", ["10", "1"]),
    "nothing fits": ("turnserver player show X", []),
}


def complete(typed: str, directory: Path) -> subprocess.CompletedProcess[str]:
    words = typed.split(" ")
    asked = {"_TURNSERVER_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    return subprocess.run(PROGRAM, cwd=directory, env={**os.environ, **asked}, capture_output=True, text=True, check=False)


def candidates(typed: str) -> Result:
    """Return what is completed, without the start of a process."""
    asked = {"_TURNSERVER_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split(" ")) - 1)}
    return CliRunner().invoke(app, [], prog_name="turnserver", env=asked)


@pytest.mark.parametrize(("typed", "expected"), TYPED.values(), ids=TYPED)
def test_candidates(club: Club, monkeypatch: pytest.MonkeyPatch, typed: str, expected: list[str]) -> None:
    monkeypatch.chdir(club.directory)
    done = candidates(typed)
    assert (sorted(done.stdout.split()), done.stderr) == (sorted(expected), "")


@pytest.mark.parametrize(
    "config", [None, CONFIG, "[site]\nnonsense = 1", "not toml at all ["], ids=["none", "no database", "bad", "broken"]
)
def test_without_a_database_there_are_no_candidates_and_no_noise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    if config is not None:
        (tmp_path / "turnserver.toml").write_text(config, encoding="utf-8")
    done = candidates("turnserver game show ")
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_the_real_program_makes_no_noise_either(tmp_path: Path) -> None:
    (tmp_path / "turnserver.toml").write_text("not toml at all [", encoding="utf-8")
    done = complete("turnserver game show ", tmp_path)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_the_real_program_completes_by_the_configuration_that_was_typed(club: Club, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = complete(f"turnserver --config {club.config} player show ", elsewhere)
    assert (sorted(done.stdout.split()), done.stderr) == (["Ada", "Bob", "Cleo"], "")


def test_shows_the_script_for_a_shell(tmp_path: Path) -> None:
    asked = {**os.environ, "_TURNSERVER_COMPLETE": "source_bash"}
    done = subprocess.run(PROGRAM, cwd=tmp_path, env=asked, capture_output=True, text=True, check=True)
    assert "complete -o default -F _turnserver_completion turnserver" in done.stdout
