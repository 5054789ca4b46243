"""The figures as a table for people and as JSON for machines."""

import json
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

import turnserver
from tests.bench.measure import Figure

_VERDICTS = {True: "met", False: "MISSED", None: ""}


def table(figures: Iterable[Figure]) -> Table:
    """One line a figure: what was measured, what it is held against, their ratio, and the budget."""
    made = Table("what", "measured", "against", "that took", "ratio", "budget", "")
    for column in (1, 3, 4, 5):
        made.columns[column].justify = "right"
    for figure in figures:
        made.add_row(
            figure.what,
            _amount(figure.measured, figure.unit),
            figure.against,
            "" if figure.baseline is None else _amount(figure.baseline, figure.unit),
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            _budget(figure),
            _VERDICTS[figure.met],
        )
    return made


def show(figures: Sequence[Figure]) -> None:
    """Print the table, at the width it needs when the output is no terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(table(figures))


def write(figures: Iterable[Figure], path: Path) -> None:
    """Write the figures, and on what they were measured, to a file."""
    content = {
        "turnserver": turnserver.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "figures": [figure.as_json() for figure in figures],
    }
    path.write_text(json.dumps(content, indent=2) + "\n", "utf-8")


def _amount(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def _budget(figure: Figure) -> str:
    if figure.budget is None:
        return ""
    return f"{figure.budget.most:g} {figure.unit}" if figure.budget.absolute else f"{figure.budget.most:g}"
