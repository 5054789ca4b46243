"""A command line imports the files of its own command alone."""

import os
import subprocess
import sys

import pytest

from tests.cases import for_each
from tests.cli.club import Club
from tests.shortened import shortened
from turnserver.cli.commands import COMMANDS
from turnserver.cli.imported import Command, Imported, only_told

ASKS = """
import sys
from turnserver.cli import main
sys.argv = ["turnserver", *"{line}".split()]
try:
    main()
finally:
    print(*sorted(name.removeprefix("turnserver.cli.") for name in sys.modules if name.startswith("turnserver.cli.")), sep="\\n")
"""


def test_names_are_known_before_anything_is_imported() -> None:
    commands = Imported({"gone": "no.such:thing"})
    assert list(commands) == ["gone"]
    with pytest.raises(ModuleNotFoundError):
        commands["gone"]


def test_a_command_is_made_once() -> None:
    commands = Imported(COMMANDS)
    assert commands["games"] is commands["games"]
    assert commands["league"].commands["list"] is commands["league"].commands["list"]
    with pytest.raises(KeyError):
        commands["nothing"]


@pytest.mark.parametrize(
    ("line", "imported", "left_out"),
    shortened(
        [
            ("games", {"game", "game.catalogue"}, {"league", "audit", "mail", "player", "doctor"}),
            ("--help", {"app", "commands"}, {"operate", "demo", "game", "league", "audit", "mail", "player", "doctor"}),
            ("league presets", {"league.group", "league.new"}, {"league.report", "audit", "mail", "doctor"}),
        ],
        first=2,
    ),
)
def test_a_line_imports_its_own_command(line: str, imported: set[str], left_out: set[str]) -> None:
    command = [sys.executable, "-c", ASKS.replace("{line}", line)]
    found = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n"))
    assert imported <= found
    assert found & left_out == set()


@pytest.mark.parametrize(
    ("noun", "listed"), shortened([("game", "Ada (Red)"), ("player", "ada@example.org"), ("league", "There are no leagues")])
)
def test_a_list_reads_rows_without_a_service(noun: str, listed: str, club: Club) -> None:
    asks = ASKS.replace("{line}", f"{noun} list").replace("turnserver.cli.", "turnserver.")
    environment = {**os.environ, "TURNSERVER_CONFIG": str(club.config)}
    printed = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True, env=environment).stdout
    assert listed in printed
    assert not {"service", "service.service", "mail.outbound.compose"} & {*printed.split("\n")}


@for_each("name", [name for name, what in COMMANDS.items() if isinstance(what, Command) or what.place])
def test_the_line_of_help_is_that_of_the_command(name: str) -> None:
    assert Imported(COMMANDS)[name].help.split("\n\n")[0] == only_told(COMMANDS)[name].help
