"""The reference says what the commands are, and every command says what it does."""

import pytest

from turnserver.cli.app import app
from turnserver.tools import command_reference as reference

COMMANDS = reference.commands(app)

EXPECTED = {
    "": "init serve tick demo doctor games",
    "player ": "add list show edit",
    "game ": "open list show board history replay record import cancel adjudicate retract credit substitute",
    "mail ": "receive inbox outbox retry show",
    "audit ": "verify",
    "events ": "check",
}


def test_the_file_is_made_from_the_commands() -> None:
    written = reference.FILE.read_text(encoding="utf-8")
    assert written == reference.reference(app), "run `make docs`"


def test_no_command_is_missing() -> None:
    expected = {f"turnserver {group}{name}" for group, names in EXPECTED.items() for name in names.split()}
    assert expected <= {one.path for one in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.path)
def test_every_command_and_every_parameter_is_explained(command: reference.Documented) -> None:
    assert command.help.endswith(".")
    assert [name for name, text in command.parameters if not text.partition(" [")[0].endswith((".", ";"))] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.path)
def test_json_is_offered_where_it_is_declared(command: reference.Documented) -> None:
    assert (command.shape is not None) == ("--json" in {name for name, _ in command.parameters})


@pytest.mark.parametrize("shape", reference.shapes(COMMANDS), ids=lambda shape: shape.__name__)
def test_every_key_is_explained(shape: type) -> None:
    assert [name for name, _, text in reference.keys(shape) if not text] == []


def test_structures_that_are_printed_have_names_of_their_own() -> None:
    names = [shape.__name__ for shape in reference.shapes(COMMANDS)]
    assert len(names) == len(set(names))
