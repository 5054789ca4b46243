"""The table of a division with all of its results, as data. Texts, pictures, pages and exports are made from it, and add no words.

The modules beside this one make mails and terminal output (`text`), pictures (`svg`) and files (`exports`, `trf`); `web` makes pages.
`explanations` says how a player's figures came about. All words are sentences, so everything made of them can be translated.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from turnserver.ids import GameId, PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.seating import seat_begins
from turnserver.league.presentation.words import (
    FIRST,
    HALF_BYE,
    MARKS,
    RUNNING,
    SHORT,
    SIGNS,
    TIE_BREAKS,
    ZERO_BYE,
    division_told,
    line_told,
    points_told,
)
from turnserver.league.scoring.marks import ON_THE_BOARD, Mark
from turnserver.league.scoring.ratings import Rating
from turnserver.league.scoring.record import PlayRecord
from turnserver.league.scoring.sheets import LineKind, Sheets
from turnserver.league.scoring.standings import Open, Standing, Table, counted, division_table, final_table, planned, sheets
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import FIXED, WITHOUT_POINTS, Format
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import joined, listing, say

OUTSIDE: Final = frozenset({TieBreak.LOTS, TieBreak.PLAYOFF})
"""Tie-breaks whose figures are no more than an order, so that they have no column."""

LATEST: Final = 8
"""The number of a player's games that are shown on a ladder."""

NOBODY_RATED: Final[Mapping[PlayerId, Rating]] = MappingProxyType({})


class Layout(StrEnum):
    """The meaning of a column of cells: an opponent, a round, or one of the latest games."""

    BY_OPPONENT = "by opponent"
    BY_ROUND = "by round"
    LATEST = "latest"
    """The games that began last, the newest first; on a ladder, where rounds say little."""


class Zone(StrEnum):
    """The tier change of a line if the season ended as it stands."""

    UP = "up"
    DOWN = "down"


ARROWS: Final = MappingProxyType({Zone.UP: "↑", Zone.DOWN: "↓"})


class Cell(NamedTuple):
    """A player's part in one game, or a bye.

    `opponents` are numbers of lines of the table. `mark` is None while the game is played. At a table of more than two there is a `place`.
    A bye may have been `asked` for. `seat_begins` is False if chance decided who moved first.
    """

    round: int
    opponents: tuple[int, ...]
    seat: int
    mark: Mark | None
    place: int | None
    points: Fraction
    game: GameId | None = None
    asked: bool = False
    seat_begins: bool = True

    @property
    def sign(self) -> str:
        """The mark for the player in one or two characters; three for a place at a table that was lost on time."""
        if self.mark is None:
            return RUNNING
        if self.asked:
            return HALF_BYE if self.points else ZERO_BYE
        if self.place is None or self.mark not in ON_THE_BOARD:
            return SIGNS[self.mark]
        return f"{self.place}." + "t" * (self.mark is Mark.TIMEOUT)

    @property
    def against(self) -> str:
        """The numbers of the opponents, with commas between them."""
        return ",".join(map(str, self.opponents))

    @property
    def is_first(self) -> bool:
        """True if the player moved first. False where a seat does not say so."""
        return self.seat == 1 and self.seat_begins and bool(self.opponents)


class Heading(NamedTuple):
    """The heading of a column of figures, and its meaning."""

    tie_break: TieBreak
    short: str
    long: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a crosstable.

    `number` is its position, by which others name it as their opponent. Its `place` is another number if it `shares` the place with lines
    before it. `start` are the points that the player began with, and `penalty` those that were taken away. `cells` are one a column, each
    with all games that belong there. `figures` are one a heading, None if the player has none.
    """

    number: int
    place: int
    shares: bool
    player: PlayerId
    name: str
    rating: Rating | None
    start: Fraction
    penalty: Fraction
    cells: tuple[tuple[Cell, ...], ...]
    figures: tuple[Fraction | None, ...]
    zone: Zone | None
    has_left: bool


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The table of the `division` of that name.

    `columns` are headings of cells. `signs` are those that stand in the table, with meanings. `notes` are sentences to be shown below it.
    """

    division: str
    title: str
    standing: str
    layout: Layout
    columns: tuple[str, ...]
    headings: tuple[Heading, ...]
    lines: tuple[TableLine, ...]
    signs: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    @property
    def shares(self) -> bool:
        """True if some place is shared, so that the numbers of lines are not all places."""
        return any(line.shares for line in self.lines)

    @property
    def starts(self) -> bool:
        """True if somebody began with points."""
        return any(line.start for line in self.lines)


def crosstable(
    state: LeagueState,
    season: Season,
    division: Division,
    names: Mapping[PlayerId, str],
    ratings: Mapping[PlayerId, Rating] = NOBODY_RATED,
) -> Crosstable:
    """Return the table of a division as it stands, in a league in `state`. `ratings` stand beside the names of those who have one."""
    return _Making(state, season, division, names, ratings).table()


class _Making:
    """Makes a division's crosstable."""

    def __init__(
        self, state: LeagueState, season: Season, division: Division, names: Mapping[PlayerId, str], ratings: Mapping[PlayerId, Rating]
    ) -> None:
        self.state, self.season, self.division, self.ratings = state, season, division, ratings
        self.record = counted(season, division)
        self.sheets = sheets(state, season, division)
        self.found = division_table(state, season, division)
        self.names = {line: line_told(season, line, names) for line in division.players}
        self.numbers = {standing.player: at for at, standing in enumerate(self.found.standings, 1)}
        self.layout = _layout(state.settings.format)

    def table(self) -> Crosstable:
        """Return the whole table."""
        cells = {player: tuple(_cells(self.state, self.record, self.sheets, player, self.numbers)) for player in self.numbers}
        # byes that are worth nothing, as in a round robin, need no column
        byes = any(not cell.opponents and cell.points for own in cells.values() for cell in own)
        if self.layout is Layout.BY_OPPONENT and not byes:
            cells = {player: tuple(cell for cell in own if cell.opponents) for player, own in cells.items()}
        rounds = max((cell.round for own in cells.values() for cell in own), default=0)
        most = max(map(len, cells.values()), default=0)
        last = {Layout.BY_OPPONENT: len(self.numbers), Layout.BY_ROUND: rounds, Layout.LATEST: min(most, LATEST)}[self.layout]
        columns = [*range(1, last + 1), *([0] if byes and self.layout is Layout.BY_OPPONENT else [])]
        headings = tuple(self._headings())
        zones = zones_of(self.state, self.season)
        lines = tuple(self._line(each, cells[each.player], columns, headings, zones) for each in self.found.standings)
        return Crosstable(
            division=self.division.name,
            title=division_told(self.state, self.season, self.division),
            standing=self._standing(rounds),
            layout=self.layout,
            columns=tuple(str(column) if column else SIGNS[Mark.BYE] for column in columns),
            headings=headings,
            lines=lines,
            signs=tuple(_signs(lines, self.layout)),
            notes=tuple(self._notes()),
        )

    def _line(
        self,
        standing: Standing,
        own: Sequence[Cell],
        columns: Sequence[int],
        headings: Sequence[Heading],
        zones: Mapping[PlayerId, Zone],
    ) -> TableLine:
        line, who = standing.player, self.season.who(standing.player)
        by_column: defaultdict[int, list[Cell]] = defaultdict(list)
        # counted from the latest, as the columns of a ladder are; within a column the cells keep their order
        for number, cell in enumerate(reversed(own), 1):
            by_opponent = cell.opponents or (0,)
            for column in {Layout.BY_OPPONENT: by_opponent, Layout.BY_ROUND: (cell.round,), Layout.LATEST: (number,)}[self.layout]:
                by_column[column].insert(0, cell)
        return TableLine(
            number=self.numbers[line],
            place=standing.place,
            shares=sum(other.place == standing.place for other in self.found.standings) > 1,
            player=line,
            name=self.names[line],
            rating=self.ratings.get(who),
            start=self.sheets.start(line),
            penalty=self._penalty(line),
            cells=tuple(tuple(by_column[column]) for column in columns),
            figures=tuple(_value(standing, heading.tie_break) for heading in headings),
            zone=zones.get(who),
            has_left=line in self.season.withdrawn,
        )

    def _headings(self) -> Iterator[Heading]:
        # a tie-break has a column only if somebody has figures for it; lots and playoffs never have one
        if self.state.settings.format in WITHOUT_POINTS:
            return
        for tie_break in (TieBreak.POINTS, *self.state.settings.tie_breaks):
            if tie_break not in OUTSIDE and any(each.explain(tie_break) for each in self.found.standings):
                yield Heading(tie_break, SHORT[tie_break], TIE_BREAKS[tie_break])

    def _standing(self, rounds: int) -> str:
        if self.season.cancelled:
            return say("The season was cancelled, so this table counts for nothing.")
        if self.season.phase is Phase.CLOSED:
            again = sum(one.division == self.division.name for one in self.season.reopened)
            if again:
                return say(
                    "The season is over, but {n} game goes on again, so the table isn't final.",
                    "The season is over, but {n} games go on again, so the table isn't final.",
                    n=again,
                )
            return say("Final table.")
        games = [one for one in self.record.encounters if len(one.players) > 1]
        by_round = self.layout is Layout.BY_ROUND
        if by_round:
            games = [one for one in games if one.round == rounds]
        if not games:
            return say("No games yet.")
        over = sum(one.is_over for one in games)
        if by_round:
            told = say("Round {round}, games finished: {over} of {games}.", round=rounds, over=over, games=len(games))
        else:
            told = say("Games finished: {over} of {games}.", over=over, games=len(games))
        return joined(" ", [told, *waiting(self.season.of(self.division))])

    def _notes(self) -> Iterator[str]:
        if self.layout is Layout.LATEST:
            yield say("Each player's latest games are shown, newest first.")
        left = [player for player in self.numbers if player in self.season.withdrawn]
        if left:
            yield say("{names} has withdrawn.", "{names} have withdrawn.", names=self._listed(left), n=len(left))
        struck = [player for player in self.division.players if player in self.season.struck]
        if struck:
            yield say(
                "{names} withdrew before half of the games were played, so those games aren't in the table.",
                "{names} withdrew before half of their games were played, so those games aren't in the table.",
                names=self._listed(struck),
                n=len(struck),
            )
        for player in self.numbers:
            if penalty := self._penalty(player):
                yield say("Taken from {name} as a penalty: {points}.", name=self.names[player], points=points_told(penalty))
        for tie_break, players in _decided(self.found):
            if tie_break is TieBreak.LOTS:
                yield say("Lots decided between {names}.", names=self._listed(players))
            else:
                yield say("A playoff decided between {names}.", names=self._listed(players))
        for unparted in self.found.open:
            yield self._open(unparted)
        if len(self.season.divisions) > 1 and self.season.phase is Phase.RUNNING:
            yield from nobody_moves(self.state)

    def _open(self, unparted: Open) -> str:
        names = self._listed(unparted.players)
        if unparted.tie_break is TieBreak.LOTS:
            return say("{names} share place {place}; lots decide at the end.", names=names, place=unparted.place)
        return say("{names} share place {place}; a playoff decides at the end.", names=names, place=unparted.place)

    def _penalty(self, line: PlayerId) -> Fraction:
        return sum(self.sheets.penalties(line), Fraction(0))

    def _listed(self, players: Sequence[PlayerId]) -> str:
        return listing([self.names[player] for player in players], "and")


def waiting(fixtures: Iterable[Fixture]) -> Iterator[str]:
    """Yield a sentence if the games of some of these meetings wait for an approval."""
    if n := sum(one.held and not one.marks for one in fixtures):
        yield say("{n} game begins once the organisers approve it.", "{n} games begin once the organisers approve them.", n=n)


def nobody_moves(state: LeagueState) -> Iterator[str]:
    """Yield a sentence if the divisions of a league, which a split has made, are of one tier."""
    if all(len(each.tiers) < 2 for each in (state.settings, state.for_next.settings)):
        yield say("Nobody goes up or down at the end: divisions are made anew for the next season.")


def zones_of(state: LeagueState, season: Season) -> Mapping[PlayerId, Zone]:
    """Return the players who would go up or down if the season ended as it stands and everybody else stayed.

    Players who have withdrawn do not stay.
    """
    if len(state.settings.tiers) < 2:
        return {}
    tables = tuple(final_table(season, division, division_table(state, season, division)) for division in season.divisions)
    staying = [line.player for table in tables for line in table.lines if not line.left]
    # nobody new: only those who stay are moved
    moves = [move for move in planned(replace(state, last=tables), staying) if move.before and move.after]
    up = {move.player: Zone.UP for move in moves if move.before and move.after and move.after.tier < move.before.tier}
    down = {move.player: Zone.DOWN for move in moves if move.before and move.after and move.after.tier > move.before.tier}
    return up | down


def cells_by_round(state: LeagueState, season: Season, division: Division) -> Mapping[PlayerId, Mapping[int, Sequence[Cell]]]:
    """Return the games and byes of each player in the table by their rounds. Opponents are told by their pairing numbers."""
    numbers = {player: at for at, player in enumerate(division.players, 1)}
    record, found = counted(season, division), sheets(state, season, division)
    by_round: dict[PlayerId, dict[int, list[Cell]]] = {}
    for player in record.players:
        own = by_round.setdefault(player, {})
        for cell in _cells(state, record, found, player, numbers):
            own.setdefault(cell.round, []).append(cell)
    return by_round


def _cells(state: LeagueState, record: PlayRecord, found: Sheets, player: PlayerId, numbers: Mapping[PlayerId, int]) -> Iterator[Cell]:
    # a player's sheet has a line for each part that is over, in the same order
    lines = (line for line in found.lines(player) if line.kind is not LineKind.ABSENT)
    for part in record.parts(player):
        points = Fraction(0) if part.mark is None else next(lines).points
        yield Cell(
            part.round,
            tuple(numbers[other] for other in part.opponents),
            part.seat,
            part.mark,
            part.place,
            points,
            part.game,
            part.worth is not None,
            seat_begins(state),
        )


def _value(standing: Standing, tie_break: TieBreak) -> Fraction | None:
    # if a player was compared again with some of those they were tied with, the first figure is that with all of them
    return next((figure.value for figure in standing.explain(tie_break)), None)


def _decided(found: Table) -> Iterator[tuple[TieBreak, tuple[PlayerId, ...]]]:
    # one tuple a group, not one a player
    groups = {
        (figure.tie_break, figure.among): None for standing in found.standings for figure in standing.figures if figure.tie_break in OUTSIDE
    }
    yield from groups


def _layout(form: Format) -> Layout:
    if form is Format.LADDER:
        return Layout.LATEST
    return Layout.BY_OPPONENT if form in FIXED else Layout.BY_ROUND


def _signs(lines: Sequence[TableLine], layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the signs that stand in a table, with their meanings."""
    every = [cell for line in lines for cells in line.cells for cell in cells]
    marks = {mark for mark in Mark if any(cell.mark is mark and cell.sign == SIGNS[mark] for cell in every)}
    yield from ((SIGNS[mark], MARKS[mark]) for mark in Mark if mark in marks)
    if any(cell.sign == HALF_BYE for cell in every):
        yield HALF_BYE, say("half-point bye")
    if any(cell.sign == ZERO_BYE for cell in every):
        yield ZERO_BYE, say("zero-point bye")
    if any(cell.mark in ON_THE_BOARD and cell.place is not None for cell in every):
        yield "1.", say("place at the table")
    if any(cell.place is not None and cell.mark is Mark.TIMEOUT for cell in every):
        yield "t", MARKS[Mark.TIMEOUT]
    if any(cell.mark is None for cell in every):
        yield RUNNING, say("not over yet")
    if layout is not Layout.BY_OPPONENT and any(cell.is_first for cell in every):
        yield FIRST, say("moved first")
    zones = {line.zone for line in lines}
    if Zone.UP in zones:
        yield ARROWS[Zone.UP], say("promotion")
    if Zone.DOWN in zones:
        yield ARROWS[Zone.DOWN], say("relegation")
