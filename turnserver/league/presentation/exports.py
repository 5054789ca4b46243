"""Tables and results as files for other programs: CSV for spreadsheets, and JSON. Words in them are English in every language.

Points are numbers with a decimal point in CSV, to four places where they are no finite decimal; in JSON they are exact text (`5/2`).
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from io import StringIO
from itertools import chain, islice, repeat, zip_longest
from typing import Final, Literal, TypeAlias

import msgspec

from turnserver.ids import GameId, PlayerId
from turnserver.league.events import DecidedBy, Division
from turnserver.league.presentation.crosstable import NOBODY_RATED, Cell, Crosstable, Layout, TableLine, crosstable
from turnserver.league.presentation.words import line_told, player_told
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.ratings import Rating
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import MOST_PLAYERS, Format
from turnserver.league.state import Fixture, LeagueState, Phase, Season

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The characters that a spreadsheet takes for the beginning of a formula."""

FORM: Final = 1
"""The version of the JSON form. A new number means that something has changed its meaning, or is gone."""


class RatingOut(msgspec.Struct, frozen=True, kw_only=True):
    """A rating with its deviation."""

    rating: float
    deviation: float


class LineOut(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a table. `number` is its position; `place` is shared with other lines if nothing parts them.

    `player` began the season in this line, and `plays` plays for it now. `start` are points to begin with, `penalty` those that were taken
    away. `figures` are by the names of tie-breaks, points among them, without tie-breaks that the line did not need. `zone` is the tier
    change of the line if the season ended as it stands.
    """

    number: int
    place: int
    player: PlayerId
    plays: PlayerId
    name: str
    rating: RatingOut | None
    start: str
    penalty: str
    figures: dict[TieBreak, str]
    zone: Literal["up", "down"] | None
    withdrawn: bool


class ResultOut(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting. `players` are lines of the table in seat order: the first moves first, unless chance decides it in the game.

    One player alone has a bye. `marks` and `places` are in the same order, and empty while there is no result. Only tables of more than two
    have `places`, and only a bye that its player asked for has its points as `worth`.
    """

    meeting: int
    round: int
    players: tuple[PlayerId, ...]
    marks: tuple[Mark, ...]
    places: tuple[int, ...]
    game: GameId | None
    deadline: datetime | None
    at: datetime | None
    by: DecidedBy | None
    worth: str | None


class DivisionOut(msgspec.Struct, frozen=True, kw_only=True):
    """A division with its table. `struck` are players who are not in the table, nor are their results."""

    name: str
    tier: int
    table: tuple[LineOut, ...]
    struck: tuple[PlayerId, ...]
    results: tuple[ResultOut, ...]


class SeasonOut(msgspec.Struct, frozen=True, kw_only=True):
    """A season of a league. `players` are the names of everybody in it, by their numbers as text."""

    form: int
    league: str
    game: str
    options: dict[str, str | int | bool]
    season: int
    phase: Phase
    format: Format
    tie_breaks: tuple[TieBreak, ...]
    points: dict[Mark, str]
    started_at: datetime | None
    players: dict[str, str]
    divisions: tuple[DivisionOut, ...]


def as_json(state: LeagueState, season: Season, names: Mapping[PlayerId, str], ratings: Mapping[PlayerId, Rating] = NOBODY_RATED) -> bytes:
    """Return a season as JSON with two blanks of indentation, in the form of `SeasonOut`. Instants are in UTC."""
    lines = [line for division in season.divisions for line in division.players]
    people = sorted({*lines, *season.acting.values()})
    found = SeasonOut(
        form=FORM,
        league=state.name,
        game=state.game,
        options=state.options,
        season=season.number,
        phase=season.phase,
        format=state.settings.format,
        tie_breaks=state.settings.tie_breaks,
        points=dict(state.settings.points),
        started_at=season.started_at,
        players={str(player): str(player_told(player, names)) for player in people},
        divisions=tuple(_division(state, season, division, names, ratings) for division in season.divisions),
    )
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def _division(
    state: LeagueState, season: Season, division: Division, names: Mapping[PlayerId, str], ratings: Mapping[PlayerId, Rating]
) -> DivisionOut:
    table = crosstable(state, season, division, names, ratings)
    return DivisionOut(
        name=division.name,
        tier=division.tier,
        table=tuple(_line(season, table, line) for line in table.lines),
        struck=tuple(player for player in division.players if player in season.struck),
        results=tuple(_result(fixture) for fixture in season.of(division)),
    )


def _line(season: Season, table: Crosstable, line: TableLine) -> LineOut:
    figures = zip(table.headings, line.figures, strict=True)
    return LineOut(
        number=line.number,
        place=line.place,
        player=line.player,
        plays=season.who(line.player),
        name=str(line.name),
        rating=RatingOut(rating=round(line.rating.rating, 1), deviation=round(line.rating.deviation, 1)) if line.rating else None,
        start=str(line.start),
        penalty=str(line.penalty),
        figures={heading.tie_break: str(value) for heading, value in figures if value is not None},
        zone=line.zone.value if line.zone else None,
        withdrawn=line.has_left,
    )


def _result(fixture: Fixture) -> ResultOut:
    return ResultOut(
        meeting=fixture.number,
        round=fixture.round,
        players=fixture.players,
        marks=fixture.marks,
        places=fixture.places,
        game=fixture.game,
        deadline=fixture.deadline,
        at=fixture.at,
        by=fixture.by,
        worth=None if fixture.worth is None else str(fixture.worth),
    )


def lines_csv(tables: Sequence[Crosstable]) -> str:
    """Return CSV with one line for each line of the tables, which are of the same season. Cells have the signs of a crosstable.

    Columns of cells are `against N`, where N is the number of a line, or `round N` or `game N`, with the numbers of opponents before the
    sign: `7=1`. (`7:1` is a time of day to a spreadsheet.)
    """
    # tables of one season may have different numbers of columns; all have the columns of the widest here
    cells = sorted({_column(table, at) for table in tables for at in range(len(table.columns))})
    breaks = list(dict.fromkeys(heading.tie_break for table in tables for heading in table.headings))
    head = ["division", "number", "place", "name", "rating", "deviation", "start", "penalty", *(told for _, told in cells), *breaks]
    rows = (_csv_line(table, line, cells, breaks) for table in tables for line in table.lines)
    return as_csv([[*head, "zone", "withdrawn"], *rows])


_Column: TypeAlias = tuple[int, str]
"""The order of a column of cells, and its heading."""


def _column(table: Crosstable, at: int) -> _Column:
    if table.layout is Layout.BY_ROUND:
        return at, f"round {at + 1}"
    if table.layout is Layout.LATEST:
        return at, f"game {at + 1}"
    # byes come after all opponents, whatever the size of the division
    return (at, f"against {at + 1}") if at < len(table.lines) else (MOST_PLAYERS, "bye")


def _csv_line(table: Crosstable, line: TableLine, cells: Sequence[_Column], breaks: Sequence[TieBreak]) -> Iterator[str]:
    figures = dict(zip((heading.tie_break for heading in table.headings), line.figures, strict=True))
    told = {_column(table, at): " ".join(_sign(table, game) for game in games) for at, games in enumerate(line.cells)}
    yield from (table.division, str(line.number), str(line.place), harmless(line.name))
    yield from (f"{line.rating.rating:.1f}", f"{line.rating.deviation:.1f}") if line.rating else ("", "")
    yield from (_decimal(line.start), _decimal(line.penalty))
    yield from (told.get(column, "") for column in cells)
    yield from (_decimal(figures.get(tie_break)) for tie_break in breaks)
    yield from (line.zone.value if line.zone else "", "yes" if line.has_left else "")


def _sign(table: Crosstable, game: Cell) -> str:
    return f"{game.against}={game.sign}" if game.opponents and table.layout is not Layout.BY_OPPONENT else game.sign


def results_csv(state: LeagueState, season: Season, names: Mapping[PlayerId, str]) -> str:
    """Return CSV with one line for each meeting of a season, the running ones included. The players stand in seat order.

    A bye that its player asked for has its points as `worth`; any other bye is worth what the settings say.
    """
    fixtures = [fixture for fixture in season.fixtures if not fixture.void]
    seats = max((len(fixture.players) for fixture in fixtures), default=2)
    head = ["league", "season", "division", "round", "meeting", "game", "at", "by", "worth"]
    head += [f"{what} {seat}" for seat in range(1, seats + 1) for what in ("player", "result", "place")]
    return as_csv([head, *(_csv_result(state, season, fixture, names, seats) for fixture in fixtures)])


def _csv_result(state: LeagueState, season: Season, fixture: Fixture, names: Mapping[PlayerId, str], seats: int) -> Iterator[str]:
    yield from (harmless(state.name), str(season.number), fixture.division, str(fixture.round), str(fixture.number))
    yield str(fixture.game or "")
    yield fixture.at.astimezone(UTC).isoformat(timespec="seconds") if fixture.at else ""
    yield fixture.by.value if fixture.by else ""
    yield _decimal(fixture.worth)
    for player, mark, place in _padded(fixture, seats):
        yield harmless(line_told(season, player, names)) if player is not None else ""
        yield mark or ""
        yield str(place or "")


def _padded(fixture: Fixture, seats: int) -> Iterator[tuple[PlayerId | None, Mark | None, int | None]]:
    found = zip_longest(fixture.players, fixture.marks, fixture.places)
    return islice(chain(found, repeat((None, None, None))), seats)


def as_csv(rows: Iterable[Iterable[str]]) -> str:
    """Return rows as CSV."""
    written = StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()


def _decimal(points: Fraction | None) -> str:
    # `2`, `2.5`, `0.3333`
    return "" if points is None else f"{float(points):.4f}".rstrip("0").rstrip(".")


def harmless(words: str) -> str:
    """Return words that no spreadsheet takes for a formula: names come from people."""
    return f"'{words}" if words.startswith(FORMULA) else str(words)
