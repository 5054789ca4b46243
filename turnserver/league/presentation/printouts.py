"""Printouts of a division, to hang up or to hand out: pairing sheet, wall chart, crosstable and standings, as rows of text.

The rows are laid out as lines of text here, as CSV here too, and as a page in `turnserver.web.printouts`.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from turnserver.errors import NotFound
from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.seating import seat_begins
from turnserver.league.presentation.crosstable import Cell, Crosstable, Layout, cells_by_round, crosstable, waiting
from turnserver.league.presentation.exports import as_csv, harmless
from turnserver.league.presentation.text import GAP, fitted, width_of
from turnserver.league.presentation.words import FIRST, SIGNS, division_told, line_told, points_told
from turnserver.league.settings import WITHOUT_POINTS, Format
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.text import joined, say

WIDTH: Final = 80
"""The columns of a printout as text."""

SHORTEST: Final = 12
"""The shortest length to which names are cut before columns go into a block of their own."""

_NAMES: Final = 2
"""The columns that each block of a printout begins with: a number and a name."""


class Kind(StrEnum):
    """The kinds of printouts."""

    PAIRINGS = "pairings"
    CHART = "chart"
    CROSSTABLE = "crosstable"
    STANDINGS = "standings"


class Column(NamedTuple):
    """The heading of a column, whether its entries stand at the `right`, and whether they are `names`, which may be cut."""

    heading: str
    right: bool = False
    names: bool = False


@dataclass(frozen=True, slots=True)
class Printout:
    """A printout of a division: what it shows in `title` and `about`, its table, and `notes` to stand below it."""

    division: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def printout(  # noqa: PLR0917  # what, of which division, and how names and instants are told
    kind: Kind,
    state: LeagueState,
    season: Season,
    division: Division,
    names: Mapping[PlayerId, str],
    when: Callable[[datetime], str],
    number: int | None = None,
) -> Printout:
    """Return a printout of a division. `number` is the round of a pairing sheet, by default the latest; `when` tells an instant.

    Raises NotFound for a round that is not paired.
    """
    if kind is Kind.PAIRINGS:
        return _pairings(state, season, division, names, when, number)
    table = crosstable(state, season, division, names)
    if kind is Kind.CHART:
        return _chart(state, season, division, table, names)
    cells = kind is Kind.CROSSTABLE
    rows = tuple(_table_rows(table, cells=cells))
    return Printout(
        division=division.name,
        title=table.title,
        about=table.standing,
        columns=(
            Column(say("Place"), right=True),
            Column(say("Player"), names=True),
            *_start_column(table),
            *(Column(column) for column in table.columns if cells),
            *(Column(heading.short, right=True) for heading in table.headings),
        ),
        rows=rows,
        notes=tuple(_notes(table, rows, cells=cells)),
    )


def _pairings(  # noqa: PLR0917  # as above
    state: LeagueState,
    season: Season,
    division: Division,
    names: Mapping[PlayerId, str],
    when: Callable[[datetime], str],
    number: int | None,
) -> Printout:
    fixtures = season.of(division)
    shown = max((one.round for one in fixtures), default=0) if number is None else number
    met = sorted((one for one in fixtures if one.round == shown), key=lambda one: (len(one.players) < 2, one.number))
    if not met and state.settings.format is Format.LADDER and number is None:
        raise NotFound(say("Nobody has challenged anybody on this ladder yet, so there are no pairings."))
    if not met:
        raise NotFound(say("Round {round} of this division is not paired yet.", round=shown or 1))
    seats = max(2, *(len(one.players) for one in met))
    # a ladder counts months as rounds
    of_ladder = state.settings.format is Format.LADDER
    heading = (
        say("Challenges of month {month} of the season.", month=shown) if of_ladder else say("Pairings of round {round}.", round=shown)
    )
    return Printout(
        division=division.name,
        title=division_told(state, season, division),
        about=joined(" ", [heading, *waiting(met)]),
        columns=(
            Column(say("Board"), right=True),
            *(Column(say("Seat {number}", number=seat), names=True) for seat in range(1, seats + 1)),
            Column(say("Result")),
            Column(say("Game"), right=True),
            Column(say("Until")),
        ),
        rows=tuple(_pairing(season, one, at, seats, names, when) for at, one in enumerate(met, 1)),
        notes=(say("Seat 1 moves first."),) if seat_begins(state) else (),
    )


def _pairing(  # noqa: PLR0917  # a meeting, and how it is told
    season: Season, fixture: Fixture, board: int, seats: int, names: Mapping[PlayerId, str], when: Callable[[datetime], str]
) -> tuple[str, ...]:
    told = [line_told(season, line, names) for line in fixture.players]
    if len(told) < 2:
        told.append(say("bye"))
    if fixture.places:
        result = " ".join(f"{place}." for place in fixture.places)
    else:
        result = " : ".join(SIGNS[mark] for mark in fixture.marks) if len(fixture.players) > 1 else ""
    until = when(fixture.deadline) if fixture.deadline is not None and not fixture.marks else ""
    return (str(board), *told, *[""] * (seats - len(told)), result, str(fixture.game or ""), until)


def _chart(state: LeagueState, season: Season, division: Division, table: Crosstable, names: Mapping[PlayerId, str]) -> Printout:
    """Return the wall chart: players by their pairing numbers, and for each round the opponent's number, the first move and the result."""
    by_round = cells_by_round(state, season, division)
    rounds = max((number for own in by_round.values() for number in own), default=0)
    lines = {line.player: line for line in table.lines}
    scores = state.settings.format not in WITHOUT_POINTS
    ratings = dict(zip(division.players, division.ratings, strict=False))
    rows = []
    for at, player in enumerate(division.players, 1):
        # a player who was struck is in no table
        if player not in by_round:
            continue
        own, rating = by_round[player], ratings.get(player)
        told = [" ".join(_by_number(one) for one in own.get(number, ())) for number in range(1, rounds + 1)]
        known = "" if rating is None else f"{rating:.0f}"
        start = (points_told(lines[player].start),) if table.starts else ()
        score = (points_told(lines[player].figures[0] or Fraction(0)),) if scores else ()
        rows.append((str(at), line_told(season, player, names), known, *start, *told, *score))
    shown = tuple(rows)
    if state.settings.format is Format.LADDER:
        meaning = say("In each month of the season: the numbers of the opponents and the results.")
    else:
        meaning = say("In each round: the number of the opponent and the result.")
    return Printout(
        division=division.name,
        title=table.title,
        about=table.standing,
        columns=(
            Column(say("No"), right=True),
            Column(say("Player"), names=True),
            Column(say("Rating"), right=True),
            *_start_column(table),
            *(Column(str(each)) for each in range(1, rounds + 1)),
            *((Column(say("Points"), right=True),) if scores else ()),
        ),
        rows=shown,
        notes=(
            joined(" ", [meaning, *([say("{sign} moved first.", sign=FIRST)] if seat_begins(state) else [])]),
            *_signs(table, shown, told=FIRST),
        ),
    )


def _start_column(table: Crosstable) -> tuple[Column, ...]:
    # not `+`, which is the sign of a win
    return (Column(say("Start"), right=True),) if table.starts else ()


def _table_rows(table: Crosstable, *, cells: bool) -> Iterator[tuple[str, ...]]:
    for line in table.lines:
        figures = ("" if value is None else points_told(value) for value in line.figures)
        games = (" ".join(_game(table, one) for one in each) for each in line.cells) if cells else ()
        start = (points_told(line.start),) if table.starts else ()
        yield (str(line.place), line.name, *start, *games, *figures)


def _game(table: Crosstable, game: Cell) -> str:
    return game.sign if table.layout is Layout.BY_OPPONENT else _by_number(game)


def _by_number(game: Cell) -> str:
    return f"{game.against}{FIRST if game.is_first else '='}{game.sign}" if game.opponents else game.sign


def _notes(table: Crosstable, rows: Sequence[Sequence[str]], *, cells: bool) -> Iterator[str]:
    if table.headings:
        yield joined(", ", [say("{short}: {long}", short=heading.short, long=heading.long) for heading in table.headings])
    if cells:
        yield from _signs(table, rows)
    yield from table.notes


def _signs(table: Crosstable, rows: Sequence[Sequence[str]], told: str = "") -> Iterator[str]:
    """Yield the signs of a table with their meanings: those that stand in `rows`, but the one that is `told` otherwise."""
    text = "\n".join(cell for row in rows for cell in row)
    shown = [say("{sign} {meaning}", sign=sign, meaning=meaning) for sign, meaning in table.signs if sign in text and sign != told]
    if shown:
        yield joined(", ", shown)


def as_text(shown: Printout, width: int = WIDTH) -> str:
    """Return a printout as lines of at most `width` columns: long names are cut, and columns that do not fit follow in blocks below."""
    return "\n".join(line.rstrip() for line in (shown.title, shown.about, *_laid(shown, width), *_below(shown.notes, width))) + "\n"


def _laid(shown: Printout, width: int) -> Iterator[str]:
    rows = ([column.heading for column in shown.columns], *shown.rows)
    widths = [max(map(width_of, entries)) for entries in zip(*rows, strict=True)]
    # names give way before columns do
    flexible = [at for at, column in enumerate(shown.columns) if column.names]
    while sum(widths) + len(GAP) * (len(widths) - 1) > width and any(widths[at] > SHORTEST for at in flexible):
        widest = max(flexible, key=lambda at: widths[at])
        widths[widest] -= 1
    for block in _blocks(widths, width):
        yield ""
        for entries in rows:
            yield GAP.join(fitted(entries[at], widths[at], right=shown.columns[at].right) for at in block)


def _blocks(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """Yield the columns of each block: those with number and name first, and as many others as fit."""
    block = [*range(_NAMES)]
    for at in range(_NAMES, len(widths)):
        if len(block) > _NAMES and sum(widths[each] + len(GAP) for each in block) + widths[at] > width:
            yield block
            block = [*range(_NAMES)]
        block.append(at)
    yield block


def _below(notes: Sequence[str], width: int) -> Iterator[str]:
    for at, note in enumerate(notes):
        if not at:
            yield ""
        yield from textwrap.wrap(str(note), width)


def as_rows(shown: Sequence[Printout]) -> str:
    """Return printouts as CSV: their divisions in the first column, and a line of headings for each that has others than the one before."""
    rows: list[list[str]] = []
    heads: tuple[Column, ...] = ()
    for one in shown:
        if one.columns != heads:
            rows.append(["division", *(column.heading for column in one.columns)])
            heads = one.columns
        rows += [[one.division, *map(harmless, row)] for row in one.rows]
    return as_csv(rows)
