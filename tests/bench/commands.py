"""The cost of a command beside the libraries that it cannot do without, each in a process of its own: `--version`, `--help`, `game list`.

A list reads rows of tables that sqlmodel declares, so it is held against what that takes; SQLAlchemy alone is given besides.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Final

from tests.bench.club import Club
from tests.bench.measure import Budget, Figure, alternate
from tests.bench.scale import Scale

BUDGET: Final = Budget(1.5)
LIBRARIES: Final = "import typer, rich.console, rich.panel, rich.table"
"""The libraries with which any command prints, and reads its line."""

FLOORS: Final = {
    "libraries": LIBRARIES,
    # typer draws help with more of rich, and with a reader of Markdown
    "drawing": f"{LIBRARIES}, typer.rich_utils",
    "sqlalchemy": f"{LIBRARIES}, sqlalchemy",
    "tables": f"{LIBRARIES}, turnserver.store.log.database",
}
LINES: Final = {"version": "--version", "help": "--help", "list": "game list"}
SAYS: Final = {"version": "turnserver ", "help": "Commands", "list": "Ada"}
"""The text that a line must have printed."""


def commands(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Processor time of whole processes, that of starting Python included on both sides."""
    path = directory / "commands.db"
    club = Club.found(path)
    club.open()
    club.service.db.close()
    config = directory / "commands.toml"
    config.write_text(f'[site]\naddress = "turns@club.example"\n\n[database]\nurl = "sqlite:///{path}"\n', encoding="utf-8")
    program = (sys.executable, "-m", "turnserver", "--config", str(config))
    sides = {
        **{name: partial(_seconds, (sys.executable, "-c", code), "") for name, code in FLOORS.items()},
        **{name: partial(_seconds, (*program, *line.split()), SAYS[name]) for name, line in LINES.items()},
    }
    measured = alternate(scale.rounds, sides)
    for name, floor, against, budget in (
        ("version", "libraries", "importing typer and rich", BUDGET),
        ("help", "drawing", "importing what typer draws help with", BUDGET),
        ("list", "tables", "importing typer, rich and the tables", BUDGET),
        ("list", "sqlalchemy", "importing typer, rich and SQLAlchemy", None),
    ):
        yield Figure(
            f"command.{name}" if budget else f"command.{name}.{floor}",
            f"`turnserver {LINES[name]}`",
            "ms",
            measured.typical(name) * 1e3,
            against,
            measured.typical(floor) * 1e3,
            measured.ratio(name, floor),
            budget,
        )


def _seconds(command: Sequence[str], says: str) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = getrusage(RUSAGE_CHILDREN)
    if says not in printed:
        raise AssertionError(f"{' '.join(command)} printed {printed!r}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
