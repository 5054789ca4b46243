r"""Printing: tables and facts for people, JSON for programs.

Everything that goes into a table is plain text: names and notes that people wrote can neither colour nor move anything on the screen.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from turnserver.mail.outbound.language import one_line, record_time, time_left, until
from turnserver.text import escaped, in_english, steady

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of a table for people.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the players and the history.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Write to this file instead of the terminal.")
]

LONGEST_CELL = 2000

WHOLE = frozenset({"No", "Name", "Player", "To", "At", "Queued", "Arrived"})
"""The headings of columns whose cells stay on one line if there is room: names, numbers and instants."""

SHORTEST = 8
"""The width below which no column goes that has longer words."""

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def emits(shape: Any) -> Callable[[F], F]:  # noqa: ANN401  # a type expression such as list[Player]
    """Declare what a command prints with --json: a msgspec structure whose fields have descriptions, or a list of it.

    `turnserver.tools.command_reference` documents the declared shape, and a test holds the output to it.
    """

    def declare(command: F) -> F:
        command.json_shape = shape  # type: ignore[attr-defined]  # typer keeps the attributes of the functions that it wraps
        return command

    return declare


def confirm(question: str, *, yes: bool) -> None:
    """Ask whether to go on, and end the command without a yes; with --yes nobody is asked. The standard output is left to --json."""
    if not yes:
        typer.confirm(steady(question), abort=True, err=True)


def json(value: object) -> None:
    """Print a value as indented JSON; instants are written in UTC as `2026-11-24T08:00:00Z`."""
    typer.echo(msgspec.json.format(as_json(value), indent=2))


def as_json(value: object) -> bytes:
    """Return a value as JSON, with every sentence in it in English, and nothing in it that steers a terminal."""
    return escaped(msgspec.json.encode(value, enc_hook=in_english))


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str | tuple[str, ...]]],
    *,
    right: Container[str] = (),
    empty: str = "There are none.",
    note: str = "",
) -> None:
    """Print a table as wide as the screen allows, with `note` below it; the columns named in `right` hold numbers.

    A tuple in a row is a cell of several lines. Without rows print the sentence `empty`.
    """
    # All cells are cleaned first: mails of strangers are among them, and a terminal obeys control characters.
    lines = [[cell(content) for content in row] for row in rows]
    if not lines:
        typer.echo(empty)
        return
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    # Two blanks stand between columns.
    widths = _widths(headings, lines, Console().width - 2 * (len(headings) - 1))
    for heading, width in zip(headings, widths, strict=True):
        grid.add_column(heading, width=width, justify="right" if heading in right else "left", overflow="fold")
    for line in lines:
        grid.add_row(*line)
    _print(grid)
    if note:
        typer.echo(f"\n{note}")


def _widths(headings: Sequence[str], lines: Sequence[Sequence[Text]], room: int) -> list[int]:
    """Return the widths of columns, which fit into so much room if they can.

    The library takes room from the widest columns, however long their words are, and would break names. Here the names of people and
    instants stay on one line if there is room for that, and words stay whole; long addresses, hashes and paths are broken before a name is.
    """
    texts = [[heading, *(line for row in lines for line in row[at].plain.split("\n"))] for at, heading in enumerate(headings)]
    most = [max(map(cell_len, column)) for column in texts]
    words = [max((cell_len(word) for text in column for word in text.split()), default=0) for column in texts]
    whole = [long if heading in WHOLE else word for heading, long, word in zip(headings, most, words, strict=True)]
    broken = [word if heading in WHOLE else min(word, SHORTEST) for heading, word in zip(headings, words, strict=True)]
    least, widest = next(((least, most) for least in (whole, words) if sum(least) <= room), (broken, words))
    return _shared(least, widest, room)


def _shared(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Return widths between `least` and `most` that use up the room, those that could be wider being equally wide."""
    widths = list(least)
    for level in range(1, max(most) + 1):
        wider = [min(long, max(short, level)) for short, long in zip(least, most, strict=True)]
        if sum(wider) > room:
            break
        widths = wider
    return widths


def facts(pairs: Iterable[tuple[str, str]]) -> None:
    """Print what belongs to one thing, a line for each name and value; values that are empty are left out."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in pairs:
        if value:
            grid.add_row(cell(name), cell(value))
    _print(grid)


def words(text: str) -> None:
    """Print a sentence or more, filled to the width of the screen."""
    _print(cell(text))


def progress(items: Sequence[T]) -> Iterator[T]:
    """Go through something that takes a while, with a bar on the standard error if that is a terminal."""
    console = Console(stderr=True)
    yield from track(items, console=console, description="", transient=True, disable=not console.is_terminal)


def cell(content: str | tuple[str, ...]) -> Text:
    """Return text from anywhere, each string on one line, without markup and without control characters."""
    lines = (content,) if isinstance(content, str) else content
    return Text("\n".join(one_line(line, LONGEST_CELL) for line in lines))


class Times(NamedTuple):
    """The way instants are written: in the zone of the site, beside their distance from `now`."""

    zone: str
    now: datetime

    def at(self, instant: datetime | None) -> str:
        """Return `2026-11-24 08:00` in the site's zone; nothing for no instant."""
        return "" if instant is None else record_time(instant, self.zone)

    def full(self, instant: datetime | None) -> str:
        """Return `2026-11-24 08:00 (Europe/Berlin)`; nothing for no instant."""
        return "" if instant is None else f"{self.at(instant)} ({self.zone})"

    def due(self, deadline: datetime | None) -> str:
        """Return ` by 2026-11-24 08:00 (Europe/Berlin), in 2 days 23 hours`; nothing for no deadline."""
        return "" if deadline is None else f" by {self.full(deadline)}, {until(deadline, self.now)}"

    def left(self, deadline: datetime | None) -> str:
        """Return `2 days 23 hours left`, or that the time is up; nothing for no deadline."""
        if deadline is None:
            return ""
        return f"{time_left(deadline - self.now)} left" if deadline > self.now else "the time is up"

    @property
    def note(self) -> str:
        """Return the line under a table of instants that names their zone."""
        return f"Times are in {self.zone}."


def _print(what: Table | Text) -> None:
    # rich fills short lines with blanks, which scripts would have to strip.
    console = Console(highlight=False)
    with console.capture() as printed:
        console.print(what)
    typer.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))
