"""The table of mutants fits the tree: whoever changes a text that a mutant needs is told its name here, and carries it over."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutants.run import Outcome, Verdict, copy_tree, try_out
from tests.mutants.table import ROOT, Mutant, NotFoundError, chosen, covering, exists, place, table

MUTANTS = table()
FEWEST = 100


def test_there_are_enough_of_them_each_with_a_name_of_its_own() -> None:
    assert len(MUTANTS) >= FEWEST
    assert [name for name, times in Counter(mutant.name for mutant in MUTANTS).items() if times > 1] == []


def fault(mutant: Mutant) -> str:
    """Return the reason why a mutant cannot be tried; empty if it can."""
    try:
        compile(place(mutant).changed, mutant.name, "exec")
    except (NotFoundError, SyntaxError) as error:
        return str(error)
    return ", ".join(test for test in mutant.tests if not exists(test)) if mutant.tests else "it has no tests"


def test_the_text_of_each_is_found_once_and_its_tests_exist() -> None:
    assert {mutant.name: says for mutant in MUTANTS if (says := fault(mutant))} == {}


def test_none_of_them_names_what_is_not_there(tmp_path: Path) -> None:
    """Else tests would fail for want of a name, and not because of what the mutant breaks."""
    for number, each in enumerate(MUTANTS):
        (tmp_path / f"{number}.py").write_text(f"# {each.name}\n{place(each).changed}", "utf-8")
    undefined = ("--isolated", "--no-cache", "--select", "F821", "--output-format", "concise")
    looked = subprocess.run([sys.executable, "-m", "ruff", "check", *undefined, str(tmp_path)], capture_output=True, text=True, check=False)
    assert looked.returncode == 0, looked.stdout


TREE = {
    "turnserver/__init__.py": "",
    "turnserver/play/turns.py": "def next_turn(turn):\n    return turn + 1\n",
    "turnserver/league/rounds.py": "def next_round(number):\n    return number + 1\n",
    "tests/test_turns.py": dedent("""
        from turnserver.play.turns import next_turn

        def test_turns():
            assert next_turn(1) == 2

        def test_nothing():
            pass
    """),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A program of three files with a test."""
    for name, text in TREE.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    plugin = tmp_path / "tree/tests/mutants/from_here.py"
    plugin.parent.mkdir()
    shutil.copyfile(ROOT / "tests/mutants/from_here.py", plugin)
    return copy_tree(tmp_path / "copy", tmp_path / "tree")


def mutant(text: str, becomes: str, test: str = "tests/test_turns.py", room: str = "play", survives: str = "") -> Mutant:
    return Mutant("a mutant", room, text, becomes, (test,), survives)


@pytest.mark.parametrize(
    ("tried", "verdict", "is_good"),
    [
        pytest.param(mutant("return turn + 1", "return turn + 2"), Verdict.KILLED, True, marks=pytest.mark.long),
        (mutant("return turn + 1", "return turn + 2", "tests/test_turns.py::test_nothing"), Verdict.SURVIVED, False),
        (mutant("return turn + 1", "return 1 + turn", survives="it is the same sum"), Verdict.SURVIVED, True),
        (mutant("return turn + 1", "return turn + 2", survives="it is the same sum"), Verdict.KILLED, False),
        pytest.param(
            mutant("return turn + 1", "return turn + 2", "tests/test_turns.py::test_other"), Verdict.BROKEN, False, marks=pytest.mark.long
        ),
        (mutant("return turn + 1", "return turn +"), Verdict.BROKEN, False),
        pytest.param(mutant("def next_turn", "def last_turn"), Verdict.BROKEN, False, marks=pytest.mark.long),
        (mutant("return turn - 1", "return turn + 2"), Verdict.NOT_FOUND, False),
    ],
)
def test_what_becomes_of_a_mutant(tree: Path, tried: Mutant, verdict: Verdict, *, is_good: bool) -> None:
    outcome: Outcome = try_out(tree, tried)
    assert (outcome.verdict, outcome.is_good) == (verdict, is_good), outcome.why
    assert (tree / "turnserver/play/turns.py").read_text() == TREE["turnserver/play/turns.py"]


@pytest.mark.parametrize(
    ("tried", "where"),
    [
        (mutant("turn + 1", ""), "turnserver/play/turns.py"),
        (mutant("turn + 1", "", room="league"), "turnserver/play/turns.py"),
        (mutant("+ 1", ""), "turnserver/play/turns.py"),
        (mutant("+ 1", "", room="mail"), "its text occurs 2 times in turnserver"),
        (mutant("turn", ""), "its text occurs 4 times in turnserver/play"),
        (mutant("+ 3", ""), "its text occurs nowhere in turnserver"),
    ],
)
def test_a_text_is_found_in_its_room_and_else_anywhere(tree: Path, tried: Mutant, where: str) -> None:
    try:
        found = str(place(tried, tree).path)
    except NotFoundError as error:
        found = str(error)
    assert found == where


@pytest.mark.parametrize(
    ("argument", "there"),
    [
        ("tests", True),
        ("tests/test_turns.py", True),
        ("tests/test_turns.py::test_turns", True),
        ("tests/test_turns.py::test_turns[1]", True),
        ("tests/test_turns.py::test_turn", False),
        ("tests/test_rounds.py", False),
        ("tests/test_rounds.py::test_turns", False),
    ],
)
def test_a_related_test_that_is_not_there_is_noticed(tree: Path, argument: str, *, there: bool) -> None:
    assert exists(argument, tree) is there


def test_what_is_run_and_which_are_chosen() -> None:
    wide = ["tests/play", "tests/play/test_turns.py", "tests/a.py::test_b[c]", "tests/a.py::test_b", "tests/a.py::test_bc"]
    assert covering(wide) == ["tests/a.py::test_b", "tests/a.py::test_bc", "tests/play"]
    clocks = chosen(MUTANTS, [], ["play/clock"])
    assert {each.room for each in clocks} == {"play/clock"}
    assert chosen(MUTANTS, [clocks[0].name], ["play"]) == clocks[:1]
