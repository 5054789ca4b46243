"""A crosstable as lines of text that a mail or a terminal can show.

If the table is too wide, it loses in this order: ratings, long names, figures from the right. At last the cells stand in tables of their
own.
"""

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from turnserver.league.presentation.crosstable import ARROWS, Cell, Crosstable, Layout, TableLine
from turnserver.league.presentation.words import FIRST, VULGAR, points_told
from turnserver.text import Laid

COLUMNS: Final = 76
"""The width of a line of text in a mail."""

ITSELF: Final = "■"
"""The sign where a player's line meets the player's own column."""

SHORTEST: Final = 8
"""The shortest length to which longer names are cut."""

GAP: Final = "  "


def text(table: Crosstable, width: int = COLUMNS) -> str:
    """Return the lines of the table below a line of headings, no wider than `width`, which is 40 or more."""
    return Laid(table, partial(_text, width))


def legend(table: Crosstable, width: int = COLUMNS) -> str:
    """Return the meanings of the table's signs and headings, and its notes, in lines no wider than `width`."""
    return Laid(table, partial(_legend, width))


def width_of(words: str) -> int:
    """Return how many columns of a terminal the words take."""
    if words.isascii():
        return len(words)
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in words)


def cut(words: str, width: int) -> str:
    """Return words in at most `width` columns. Words that are cut end in an ellipsis."""
    if width_of(words) <= width:
        return words
    while width_of(words) > width - 1:
        words = words[:-1]
    return words.rstrip() + "…"


def fitted(words: str, width: int, *, right: bool = False) -> str:
    """Return words in exactly `width` columns: cut, or with blanks behind them, before them if they are to stand at the `right`."""
    told = cut(words, width)
    blanks = " " * (width - width_of(told))
    return blanks + told if right else told + blanks


def filled(entries: Sequence[str], width: int) -> Iterator[str]:
    """Yield the entries with commas between them, as many on a line as fit."""
    line = ""
    for entry in entries:
        if line and width_of(f"{line}, {entry},") > width:
            yield f"{line},"
            line = ""
        line = f"{line}, {entry}" if line else entry
    if line:
        yield line


class _Column(NamedTuple):
    """A column of a text: its heading and the entries below it, all of one width, with so many blanks before it."""

    heading: str
    entries: tuple[str, ...]
    gap: str = GAP


Columns: TypeAlias = tuple[_Column, ...]


class _Plan(NamedTuple):
    """The part of a table that is shown: ratings or none, the length of names, the number of figures."""

    ratings: bool
    name: int
    figures: int


def _text(width: int, table: Crosstable) -> str:
    plan = _chosen(table, width)
    if plan is not None:
        return _rows(_columns(table, plan))
    return "\n\n".join(_rows(columns) for columns in _blocks(table, width))


def _chosen(table: Crosstable, width: int) -> _Plan | None:
    return next((plan for plan in _plans(table) if _width(_columns(table, plan)) <= width), None)


def _columns(table: Crosstable, plan: _Plan) -> Columns:
    return (*_names(table, plan), *_cells(table), *_figures(table, plan))


def _plans(table: Crosstable) -> Iterator[_Plan]:
    longest = max((width_of(line.name) for line in table.lines), default=0)
    figures = len(table.headings)
    yield _Plan(ratings=True, name=longest, figures=figures)
    for name in (longest, 24, 16, 12):
        yield _Plan(ratings=False, name=min(name, longest), figures=figures)
    for fewer in range(figures - 1, 0, -1):
        yield _Plan(ratings=False, name=min(12, longest), figures=fewer)
    yield _Plan(ratings=False, name=min(SHORTEST, longest), figures=min(figures, 1))


def _blocks(table: Crosstable, width: int) -> Iterator[Columns]:
    """Yield the table without its cells, then the cells in as many parts as it takes."""
    plan = _of_figures(table, width)
    yield (*_names(table, plan), *_figures(table, plan))
    # in tables of their own, cells need names to be read by, but nothing more
    names = _names(table, plan._replace(ratings=False, name=min(plan.name, 12)))
    block = names
    for column in _cells(table):
        if _width((*block, column)) > width:
            yield block
            block = names
        block = (*block, column._replace(gap=GAP) if block == names else column)
    yield block


def _of_figures(table: Crosstable, width: int) -> _Plan:
    # the last plan is taken even if it does not fit
    *plans, last = _plans(table)
    return next((plan for plan in plans if _width((*_names(table, plan), *_figures(table, plan))) <= width), last)


def _names(table: Crosstable, plan: _Plan) -> Columns:
    """Return the columns before the cells."""
    lines = table.lines
    found = [_right("", [str(line.number) for line in lines], gap="")]
    if table.shares:
        found.append(_right("", [f"={line.place}" if line.shares else "" for line in lines], gap=" "))
    found.append(_left("", [cut(line.name, plan.name) for line in lines], gap=" "))
    if any(line.zone for line in lines):
        found.append(_left("", [ARROWS[line.zone] if line.zone else "" for line in lines], gap=" "))
    if plan.ratings and any(line.rating for line in lines):
        ratings = [line.rating for line in lines]
        found.append(_right("", [f"{one.rating:.0f}±{one.deviation:.0f}" if one else "" for one in ratings]))
    if table.starts:
        found.append(_points("+", [points_told(line.start) for line in lines]))
    return tuple(found)


def _cells(table: Crosstable) -> Columns:
    """Return one column for each of the table. Columns of opponents are all of one width."""
    at = range(len(table.columns))
    if table.layout is Layout.BY_OPPONENT:
        entries = [[_against(line, column) for line in table.lines] for column in at]
        widest = max((width_of(entry) for column in entries for entry in column), default=0)
        return tuple(_left(table.columns[column].ljust(widest), entries[column], " " if column else GAP) for column in at)
    numbers = max([len(str(len(table.lines))), *(len(cell.against) for line in table.lines for games in line.cells for cell in games)])
    rounds = [[_in_round(line.cells[column], numbers) for line in table.lines] for column in at]
    return tuple(_left(table.columns[column].rjust(numbers), rounds[column], " " if column else GAP) for column in at)


def _against(line: TableLine, at: int) -> str:
    return ITSELF if at + 1 == line.number else "".join(cell.sign for cell in line.cells[at])


def _in_round(cells: Sequence[Cell], numbers: int) -> str:
    """Return all that a player had in a round: opponent, a dot if the player moved first, and the sign. A replay adds only its sign."""
    told = []
    for _, games in groupby(cells, key=lambda cell: cell.opponents):
        first, *again = games
        dot = FIRST if first.is_first else " "
        told.append(f"{first.against:>{numbers}}{dot}{first.sign}{''.join(cell.sign for cell in again)}")
    return " ".join(told)


def _figures(table: Crosstable, plan: _Plan) -> Columns:
    shown = table.headings[: plan.figures]
    columns = ([line.figures[at] for line in table.lines] for at in range(len(shown)))
    return tuple(
        _points(heading.short, ["" if value is None else points_told(value) for value in values])
        for heading, values in zip(shown, columns, strict=True)
    )


def _points(heading: str, entries: Sequence[str]) -> _Column:
    # whole points stand below whole points, as long as fractions are one character
    parted = any(entry.endswith(tuple(VULGAR.values())) for entry in entries)
    return _right(heading, [entry + " " * (parted and not entry.endswith(tuple(VULGAR.values()))) for entry in entries])


def _right(heading: str, entries: Sequence[str], gap: str = GAP) -> _Column:
    return _left(heading, entries, gap, right=True)


def _left(heading: str, entries: Sequence[str], gap: str = GAP, *, right: bool = False) -> _Column:
    width = max(map(width_of, (heading, *entries)))
    above, *below = (fitted(words, width, right=right) for words in (heading, *entries))
    return _Column(above, tuple(below), gap)


def _width(columns: Columns) -> int:
    return sum(width_of(column.gap + column.heading) for column in columns)


def _rows(columns: Columns) -> str:
    heading = "".join(column.gap + column.heading for column in columns)
    rows = zip(*([column.gap + entry for entry in column.entries] for column in columns), strict=True)
    return "\n".join(line.rstrip() for line in (heading, *map("".join, rows)) if line.strip())


def _legend(width: int, table: Crosstable) -> str:
    # the legend explains only the figures for which there is room at that width
    shown = table.headings[: (_chosen(table, width) or _of_figures(table, width)).figures]
    headings = [f"{heading.short}: {heading.long}" for heading in shown]
    signs = [f"{sign} {meaning}" for sign, meaning in table.signs]
    notes = [line for note in table.notes for line in textwrap.wrap(note, width)]
    return "\n".join([*filled(headings, width), *filled(signs, width), *notes])
