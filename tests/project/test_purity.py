"""No clock and no source of chance is below the service; rules and games import the standard library alone.

Import-linter sees which module imports which; these checks read the code for what it cannot see.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.cases import for_each

PACKAGE = Path(__file__).parents[2] / "turnserver"
ABOVE = ("cli", "web", "jobs", "service", "outside")
BELOW = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0].removesuffix(".py") not in ABOVE)
PURE = [path for path in BELOW if path.relative_to(PACKAGE).parts[0] in ("rules", "games")]

CLOCKS_AND_CHANCE = (
    "apscheduler",
    "asyncio.sleep",
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "email.utils.formatdate",
    "email.utils.localtime",
    "email.utils.make_msgid",
    "os.getrandom",
    "os.urandom",
    "random",
    "secrets",
    "sqlalchemy.func.current_timestamp",
    "sqlalchemy.func.now",
    "sqlalchemy.func.random",
    "time",
    "uuid.uuid1",
    "uuid.uuid4",
)
ENGINES_OWN = ("current_timestamp", "datetime('now", "julianday('now", "now()", "random()", "randomblob(", "strftime('%s", "unixepoch(")


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that imports bind anywhere in the module, each with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def dotted(node: ast.AST, names: dict[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(value=value, attr=attr):
            whole = dotted(value, names)
            return whole and f"{whole}.{attr}"
        case _:
            return ""


def impurities(source: str) -> set[str]:
    """The clocks and sources of chance that the code names, and those of the databases in its texts."""
    tree = ast.parse(source)
    names = dict(imported(tree))
    used = set(names.values()) | {dotted(node, names) for node in ast.walk(tree)}
    found = {entry for entry in CLOCKS_AND_CHANCE for name in used if f"{name}.".startswith(f"{entry}.")}
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node.value.lower()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    ]
    return found | {entry for entry in ENGINES_OWN if any(entry in text for text in texts)}


def foreign(source: str) -> set[str]:
    """Return what the code imports besides the standard library and turnserver, by its topmost name."""
    roots = {target.split(".")[0] for _, target in imported(ast.parse(source))}
    return roots - set(sys.stdlib_module_names) - {"turnserver"}


@for_each(
    ("source", "expected"),
    [
        ("from datetime import datetime\ndatetime.now()", {"datetime.datetime.now"}),
        ("from datetime import datetime as D\nclock = D.utcnow", {"datetime.datetime.utcnow"}),
        ("import datetime as d\nd.date.today()", {"datetime.date.today"}),
        ("import time", {"time"}),
        ("def f():\n    from time import monotonic", {"time"}),
        ("from random import Random", {"random"}),
        ("import os\nos.urandom(8)", {"os.urandom"}),
        ("from uuid import uuid4", {"uuid.uuid4"}),
        ("from sqlalchemy import func\nfunc.now()", {"sqlalchemy.func.now"}),
        ("'''Since when: CURRENT_TIMESTAMP.'''\nsql = 'VALUES (CURRENT_TIMESTAMP)'", {"current_timestamp"}),
        ("'''The random() of SQLite is not used, nor now().'''", set()),
        ("from datetime import datetime, time\ndatetime.fromisoformat('2026-01-01')\ntime(0)", set()),
        ("import os\nos.fsync(3)\nrandom = 4\nrandom.real", set()),
    ],
)  # fmt: skip
def test_the_reader_finds_clocks_and_chance(source: str, expected: set[str]) -> None:
    assert impurities(source) == expected


def test_no_clock_and_no_chance_below_the_service() -> None:
    found = {str(path.relative_to(PACKAGE)): impurities(path.read_text("utf-8")) for path in BELOW}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_reader_finds_foreign_imports() -> None:
    assert foreign("import re, msgspec\nfrom turnserver import rules\nfrom jinja2.sandbox import SandboxedEnvironment") == {
        "msgspec",
        "jinja2",
    }


def test_rules_and_games_need_the_standard_library_only() -> None:
    found = {str(path.relative_to(PACKAGE)): foreign(path.read_text("utf-8")) for path in PURE}
    assert {path: names for path, names in found.items() if names} == {}
