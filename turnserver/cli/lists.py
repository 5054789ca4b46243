"""Lists in files of an admin: people as a spreadsheet saves them, or players, a line each."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from turnserver import files
from turnserver.errors import BadOption, NotFound, WrongLines
from turnserver.mail.outbound.language import counted
from turnserver.service.people.importing import PersonLine
from turnserver.store.people.accounts import Person

COLUMNS: Final = ("name", "address", "zone", "language")
"""The columns of a list of people. Each line has the first two; the others may be missing, all of them or in a line."""

DELIMITERS: Final = ",;\t"
"""The characters that may stand between the cells of a line: spreadsheets write the semicolon where numbers have a decimal comma."""


class Row(NamedTuple):
    """A line of a file that is not empty: its number and its cells."""

    line: int
    cells: tuple[str, ...]


def people(path: Path) -> list[PersonLine]:
    """Return the people in a file whose first line names columns, each with what is wrong with the line as a line.

    Raises BadOption, WrongLines and OSError.
    """
    return _people(_rows(path), COLUMNS[:2])


def players(path: Path, find: Callable[[str], Person]) -> list[Person]:
    """Return the players in a file: a number, name or address on each line, or a list as `people` reads it.

    Raises BadOption, WrongLines and OSError.
    """
    rows = _rows(path)
    if {_key(cell) for cell in rows[0].cells} & {*COLUMNS[:2]}:
        lines = _people(rows, ())
        named: Mapping[int, Sequence[str]] = {one.line: (one.address or one.name,) for one in lines}
        faults: Mapping[int, Sequence[str]] = {one.line: one.faults for one in lines}
    else:
        named = {row.line: row.cells for row in rows}
        faults = {row.line: ["There is to be one player on a line."] for row in rows if len(row.cells) > 1}
    return [those[0] for those in _found(named, faults, find).values()]


def tables(path: Path, find: Callable[[str], Person]) -> dict[int, list[Person]]:
    """Return the players of a game on each line, by its number, with commas or semicolons between them.

    Raises BadOption, WrongLines and OSError.
    """
    return _found({row.line: row.cells for row in _rows(path)}, {}, find)


def _found(
    named: Mapping[int, Sequence[str]], known: Mapping[int, Sequence[str]], find: Callable[[str], Person]
) -> dict[int, list[Person]]:
    """Find the players named on each line. Raises WrongLines with all that is wrong, first what is `known` to be wrong with a line."""
    found, wrong = dict[int, list[Person]](), dict[int, list[str]]()
    for line, names in named.items():
        faults = [*known.get(line, ())]
        for name in names:
            try:
                found.setdefault(line, []).append(find(name))
            except NotFound as error:
                faults.append(error.message)
        if faults:
            wrong[line] = faults
    if wrong:
        raise WrongLines(wrong)
    return found


def _people(rows: Sequence[Row], needed: Sequence[str]) -> list[PersonLine]:
    heading, lines = rows[0], rows[1:]
    columns = [_key(cell) for cell in heading.cells]
    unknown = [cell for cell, key in zip(heading.cells, columns, strict=True) if key not in COLUMNS]
    twice = sorted({key for key in columns if columns.count(key) > 1})
    missing = [name for name in needed if name not in columns]
    if unknown or twice or missing:
        faults = [f"Nobody knows the column {cell!r}." for cell in unknown] + [f"The column {key} stands there twice." for key in twice]
        # Whoever forgot the heading would hear of each of its cells.
        faults = [f"There is no column {' and no column '.join(missing)}."] if missing else faults
        raise WrongLines(
            {heading.line: [*faults, f"The first line names the columns: {', '.join(COLUMNS)}, the last two if there are any."]}
        )
    # Some programs leave empty cells at the end of a line away.
    return [
        PersonLine(
            row.line,
            **{"name": "", "address": "", **dict(zip(columns, row.cells, strict=False))},
            # Whoever reads the line finds what else is wrong in it, and all is told together.
            faults=(f"It has {counted(len(row.cells), 'cell')}, and the first line names {counted(len(columns), 'column')}.",)
            if len(row.cells) > len(columns)
            else (),
        )
        for row in lines
    ]


def _rows(path: Path) -> list[Row]:
    """Return the lines of a file, at least one. Raises BadOption, WrongLines and OSError."""
    try:
        text = files.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadOption(f"The file {path} isn't in UTF-8. In a spreadsheet, save it as `CSV UTF-8`.") from error
    first = text.lstrip().partition("\n")[0]
    # The one that is there most often, as another one may stand in a cell.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=first.count), strict=True)
    found, line = list[Row](), 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            # Spreadsheets write empty cells where another line is longer.
            while stripped and not stripped[-1]:
                stripped.pop()
            if stripped:
                found.append(Row(line, tuple(stripped)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise WrongLines({line: [f"Its quotation marks do not match, or something is wrong with it: {error}."]}) from error
    if not found:
        raise BadOption(f"The file {path} is empty.")
    return found


def _key(cell: str) -> str:
    return " ".join(cell.casefold().split())
