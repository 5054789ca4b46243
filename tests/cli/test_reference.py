"""The reference says what the commands are, and every command says what it does."""

import re

from typer.testing import CliRunner

from tests.cli.typed import COMMANDS
from turnserver.cli.app import app
from turnserver.tools import command_reference as reference
from turnserver.tools import manual

EXPECTED = {
    "": "init serve tick demo doctor games",
    "player ": "add import list show set",
    "game ": "open list show board history replay record import cancel result retract reopen credit substitute",
    "mail ": "receive inbox outbox resend",
    "mail inbox ": "list show retry",
    "mail outbox ": "list show retry",
    "audit ": "verify",
    "events ": "check",
}


def test_the_file_is_made_from_the_commands() -> None:
    written = reference.FILE.read_text(encoding="utf-8")
    assert written == reference.reference(app), "run `make docs`"


def test_the_manual_page_and_the_scripts_of_shells_are_made_from_the_commands() -> None:
    made = {"turnserver.1": manual.page(app), **{name: manual.script(shell) for shell, name in manual.SCRIPTS.items()}}
    written = {name: (manual.SHARE / name).read_text(encoding="utf-8") for name in made}
    assert written == made, "run `make docs`"


def test_no_command_is_missing() -> None:
    expected = {f"turnserver {group}{name}" for group, names in EXPECTED.items() for name in names.split()}
    assert expected <= {one.path for one in COMMANDS}


def test_every_command_and_every_parameter_is_explained() -> None:
    assert [one.path for one in COMMANDS if not one.help.endswith(".")] == []
    parameters = [(one.path, name, text) for one in COMMANDS for name, text in one.parameters]
    assert [(path, name) for path, name, text in parameters if not text.partition(" [")[0].endswith((".", ";"))] == []


def test_values_have_names_and_no_types() -> None:
    shown = [(one.path, name) for one in COMMANDS for name, _ in one.parameters]
    types = re.compile(r"<(?:path|bool|boolean|text|str|int|integer|float|number)>", re.IGNORECASE)
    assert [(path, name) for path, name in shown if types.search(name)] == []


def test_json_is_offered_where_it_is_declared() -> None:
    declared = {one.path for one in COMMANDS if one.shape is not None}
    assert {one.path for one in COMMANDS if "--json" in {name for name, _ in one.parameters}} == declared


def test_every_key_is_explained() -> None:
    keys = [(shape.__name__, name, text) for shape in reference.shapes(COMMANDS) for name, _, text in reference.keys(shape)]
    assert [(shape, name) for shape, name, text in keys if not text] == []


def test_what_is_listed_or_shown_is_printed_for_programs_too() -> None:
    without = {one.path.removeprefix("turnserver ") for one in COMMANDS if one.path.split()[-1] in {"list", "show", "status", "history"}}
    assert without - {one.path.removeprefix("turnserver ") for one in COMMANDS if one.shape is not None} == set()


def test_structures_that_are_printed_have_names_of_their_own() -> None:
    names = [shape.__name__ for shape in reference.shapes(COMMANDS)]
    assert len(names) == len(set(names))


def test_a_flag_has_no_type() -> None:
    helped = CliRunner().invoke(app, ["game", "list", "--help"], env={"COLUMNS": "80"}).stdout
    assert "--json" in helped
    assert "bool" not in helped
