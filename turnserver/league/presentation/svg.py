"""A crosstable as an SVG picture: wide enough to be read when a phone shows it as wide as it is, in the colours of the boards.

Wins are blue and losses red, besides the signs that say so. The picture has its own background, so that it looks the same on a dark page.
"""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.league.presentation.crosstable import ARROWS, Cell, Crosstable, Layout, TableLine, Zone
from turnserver.league.presentation.text import cut, filled, width_of
from turnserver.league.presentation.words import points_told
from turnserver.league.scoring.marks import WON, Mark
from turnserver.league.scoring.sheets import DEFAULTED
from turnserver.rules import svg
from turnserver.text import Laid

ROW: Final = 46.0
"""The height of a line; other lengths are in the same unit."""
MARGIN: Final = 24.0
TITLE: Final = 30.0
WORDS: Final = 24.0
SMALL: Final = 18.0
LETTERS: Final = 24
"""The letters of a name that are shown at most."""
NARROWEST: Final = 480.0
LETTER: Final = 0.57
"""The average width of a letter of the legend for a font size of 1. Wider text is set smaller."""

PAPER: Final = "#fbf8f1"
BARE: Final = "#f3ecdd"
EDGE: Final = "#d8ccb4"
INK: Final = "#33291e"
FAINT: Final = "#7d6e50"
WON_FILL: Final = "#cfe2f3"
LOST_FILL: Final = "#f6d9cf"
ZONES: Final = MappingProxyType({Zone.UP: "#0a67b2", Zone.DOWN: "#d6401f"})


def draw(table: Crosstable) -> str:
    """Return the whole picture: title, table, and below it the meanings of its signs."""
    return Laid(table, _draw)


class _Widths(NamedTuple):
    """The widths of the columns; 0 for a missing one."""

    number: float
    place: float
    name: float
    arrow: float
    rating: float
    start: float
    cell: float
    figure: float


def _draw(table: Crosstable) -> str:
    widths = _widths(table)
    inner = sum(widths[:6]) + len(table.columns) * widths.cell + len(table.headings) * widths.figure
    # a narrow table still needs room for title and legend
    room = max(inner, NARROWEST)
    top = MARGIN + 2 * ROW
    foot = top + (len(table.lines) + 1) * ROW
    legend = _legend(table, room)
    parts = [
        svg.text((MARGIN, MARGIN + 0.4 * ROW), table.title, TITLE, anchor="start", room=room, fill=INK),
        svg.text((MARGIN, MARGIN + 1.2 * ROW), table.standing, SMALL + 2, anchor="start", room=room, fill=FAINT),
        *_headings(table, widths, top),
    ]
    for at, line in enumerate(table.lines):
        parts += _line(table, line, widths, top + (at + 1) * ROW, inner)
    parts.append(svg.rect(MARGIN, top + ROW, inner, len(table.lines) * ROW, fill="none", stroke=EDGE, stroke_width=2))
    for at, words in enumerate(legend):
        y = foot + (at + 1) * 1.4 * SMALL
        parts.append(svg.text((MARGIN, y), words, SMALL, anchor="start", room=room, fill=FAINT))
    height = foot + (len(legend) + 0.5) * 1.4 * SMALL + MARGIN
    return svg.document(room + 2 * MARGIN, height, PAPER, *parts, title=table.title)


def _widths(table: Crosstable) -> _Widths:
    lines = table.lines
    letters = max((width_of(line.name) for line in lines), default=0)
    signs = max((len(_signs(cells)) for line in lines for cells in line.cells), default=1)
    figures = [points_told(value) for line in lines for value in line.figures if value is not None]
    longest = max(map(len, (*figures, *(heading.short for heading in table.headings))), default=0)
    opponents = _room(table)
    return _Widths(
        number=0.62 * WORDS * len(str(len(lines))) + 14,
        place=0.62 * WORDS * (1 + len(str(len(lines)))) + 6 if table.shares else 0,
        name=0.58 * WORDS * min(letters, LETTERS) + 20,
        arrow=28 if any(line.zone for line in lines) else 0,
        rating=130 if any(line.rating for line in lines) else 0,
        start=60 if table.starts else 0,
        cell=max(ROW, 0.62 * WORDS * signs + 20) + opponents,
        figure=0.62 * WORDS * max(longest, 3) + 18,
    )


def _headings(table: Crosstable, widths: _Widths, top: float) -> Iterator[str]:
    y = top + ROW / 2
    left = MARGIN + sum(widths[:6])
    if table.starts:
        yield svg.text((left - widths.start / 2, y), "+", SMALL, fill=FAINT)
    for at, column in enumerate(table.columns):
        yield svg.text((left + (at + 0.5) * widths.cell, y), column, SMALL, fill=FAINT)
    left += len(table.columns) * widths.cell
    for at, heading in enumerate(table.headings):
        yield svg.text((left + (at + 0.5) * widths.figure, y), heading.short, SMALL, room=widths.figure - 8, fill=FAINT)


def _line(table: Crosstable, line: TableLine, widths: _Widths, y: float, inner: float) -> Iterator[str]:
    middle = y + ROW / 2
    number, place, name, arrow, _, start, cells = (MARGIN + x for x in accumulate(widths[:6], initial=0.0))
    yield svg.rect(MARGIN, y, inner, ROW, fill=BARE if line.number % 2 else PAPER)
    ink = FAINT if line.has_left else INK
    yield svg.text((place - 6, middle), str(line.number), SMALL, anchor="end", fill=FAINT)
    if line.shares:
        yield svg.text((name - 4, middle), f"={line.place}", SMALL, anchor="end", fill=FAINT)
    yield svg.text((name + 6, middle), cut(line.name, LETTERS), WORDS, anchor="start", room=widths.name - 12, fill=ink)
    if line.zone is not None:
        yield svg.rect(number, y, 5, ROW, fill=ZONES[line.zone])
        yield svg.text((arrow + widths.arrow / 2, middle), ARROWS[line.zone], WORDS, fill=ZONES[line.zone])
    if line.rating is not None:
        told = f"{line.rating.rating:.0f}±{line.rating.deviation:.0f}"
        yield svg.text((start - 10, middle), told, SMALL, anchor="end", room=widths.rating - 14, fill=FAINT)
    if table.starts:
        yield svg.text((cells - widths.start / 2, middle), points_told(line.start), WORDS, fill=ink)
    for at, games in enumerate(line.cells):
        yield from _cell(table, games, cells + at * widths.cell, y, widths.cell, itself=_is_itself(table, line, at))
    left = cells + len(line.cells) * widths.cell
    for at, value in enumerate(line.figures):
        if value is not None:
            yield svg.text((left + (at + 0.5) * widths.figure, middle), points_told(value), WORDS, room=widths.figure - 8, fill=ink)


def _is_itself(table: Crosstable, line: TableLine, at: int) -> bool:
    return table.layout is Layout.BY_OPPONENT and at + 1 == line.number


def _cell(table: Crosstable, games: Sequence[Cell], x: float, y: float, width: float, *, itself: bool) -> Iterator[str]:
    """Yield one cell, coloured if all of its games came to the same."""
    inset = 2.0
    fills = {_fill(game.mark) for game in games}
    if itself:
        yield svg.rect(x + inset, y + inset, width - 2 * inset, ROW - 2 * inset, fill=EDGE, rx=4)
        return
    if len(fills) == 1 and (fill := fills.pop()):
        yield svg.rect(x + inset, y + inset, width - 2 * inset, ROW - 2 * inset, fill=fill, rx=4)
    if not games:
        return
    middle, centre = y + ROW / 2, x + width / 2
    if room := _room(table):
        opponent = games[0].against
        yield svg.text((x + room, middle), opponent, SMALL, anchor="end", fill=FAINT)
        if games[0].is_first:
            yield svg.circle((x + room - 0.3 * SMALL * len(opponent), y + ROW - 8), 3, fill=INK)
        centre = x + room + (width - room) / 2
    yield svg.text((centre, middle), _signs(games), WORDS, room=width - 8, fill=INK)


def _room(table: Crosstable) -> float:
    """Return the width of the opponents in a cell. Zero if the column names the opponent."""
    if table.layout is Layout.BY_OPPONENT:
        return 0.0
    longest = max((len(game.against) for line in table.lines for games in line.cells for game in games), default=0)
    return 0.62 * SMALL * max(longest, len(str(len(table.lines)))) + 12


def _signs(games: Sequence[Cell]) -> str:
    return " ".join(game.sign for game in games)


def _fill(mark: Mark | None) -> str:
    if mark in WON:
        return WON_FILL
    return LOST_FILL if mark in DEFAULTED else ""


def _legend(table: Crosstable, room: float) -> list[str]:
    letters = int(room / LETTER / SMALL)
    headings = [f"{heading.short}: {heading.long}" for heading in table.headings]
    signs = [f"{sign} {meaning}" for sign, meaning in table.signs]
    return [*filled(headings, letters), *filled(signs, letters), *(line for note in table.notes for line in textwrap.wrap(note, letters))]
