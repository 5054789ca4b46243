"""A command line imports the files of its own command alone."""

import subprocess
import sys

import pytest

from turnserver.cli.app import COMMANDS
from turnserver.cli.imported import Imported

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
    [
        ("games", {"game", "game.catalogue"}, {"league", "audit", "mail", "player", "doctor"}),
        ("league presets", {"league.group", "league.new"}, {"league.report", "audit", "mail", "doctor"}),
    ],
)
def test_a_line_imports_its_own_command(line: str, imported: set[str], left_out: set[str]) -> None:
    command = [sys.executable, "-c", ASKS.replace("{line}", line)]
    found = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n"))
    assert imported <= found
    assert found & left_out == set()
