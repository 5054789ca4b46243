"""The report of a Swiss event as FIDE's Tournament Report File, version 2026, for programs that check pairings and tie-breaks.

The format is that of the FIDE Handbook, C.02.03, Annexure A (https://handbook.fide.com/files/handbook/TRF26.pdf, applied from 1 September
2025); its records `001` with the players are as in the version of 2016. Columns are counted from 1, lines end in CR and LF, and lines that
begin with `###` are comments.

Two things are ours: the first player has White, or seat 1 where chance decides who begins, and ratings are those with which players
entered. The report ends before the first round with a game that is not over. Points that do not follow from results are abnormal points
(record `299`), which change the points in the standings. The ranks count all of it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from itertools import count
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.formats import rounds_due
from turnserver.league.formats.seating import seat_begins
from turnserver.league.presentation.crosstable import Cell, Crosstable, TableLine, cells_by_round, crosstable
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import WITHOUT_POINTS, Format, scoring
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.text import say

CODES: Final[Mapping[Mark, str]] = MappingProxyType(
    {
        Mark.WIN: "1",
        Mark.WIN_ON_TIME: "1",
        Mark.DRAW: "=",
        Mark.LOSS: "0",
        Mark.TIMEOUT: "0",
        Mark.WIN_BY_FORFEIT: "+",
        Mark.FORFEIT: "-",
    }
)
"""Results of games between two players. All others are rounds without a game."""

BYES: Final = ("Z", "H", "F")
"""The codes of rounds without a game: of zero, half a point and a full point. `U`, the paired bye, may stand once in a round."""

POINTS_OF: Final = MappingProxyType({"1": "W", "+": "W", "F": "W", "=": "D", "H": "D", "0": "L", "-": "A", "Z": "A", "U": "P"})
"""The points of record 162 that belong to each result."""

ABNORMAL: Final = MappingProxyType({"1": "W", "=": "D", "0": "L"})
"""The types of record 299 that differ from the result's name."""

TIE_BREAKS: Final[Mapping[TieBreak, str]] = MappingProxyType(
    {
        TieBreak.HEAD_TO_HEAD: "DE",
        TieBreak.SONNEBORN_BERGER: "SB",
        TieBreak.BUCHHOLZ: "BH",
        TieBreak.BUCHHOLZ_CUT_1: "BH/C1",
        TieBreak.BUCHHOLZ_MEDIAN_1: "BH/M1",
        TieBreak.PROGRESSIVE: "PS",
        TieBreak.KOYA: "KS",
        TieBreak.WINS: "WIN",
        TieBreak.GAMES_WON: "WON",
        TieBreak.GAMES_AS_SECOND: "BPG",
        TieBreak.WINS_AS_SECOND: "BWG",
    }
)
"""The names in FIDE's regulations (C.07) for the tie-breaks that are theirs, as the TieBreakServer of FIDE's Technical Commission reads
them (https://github.com/TEC-FIDE/TieBreakServer, `tiebreak.py`, `compute_tiebreak`; behind a slash its README's cut C and median M)."""

TYPES: Final = MappingProxyType(
    {
        Format.SWISS: "Individual: Swiss-System",
        Format.MCMAHON: "Individual: McMahon",
        Format.ROUND_ROBIN: "Individual: Round-Robin",
        Format.DOUBLE_ROUND_ROBIN: "Individual: Double Round-Robin",
        Format.KNOCKOUT: "Individual: Knock-Out",
        Format.DOUBLE_KNOCKOUT: "Individual: Double Knock-Out",
    }
)
"""The formats that are played in rounds by two at a time, and what record 092 calls them."""


class TrfReport(NamedTuple):
    """A report: its `text`, and sentences about facts that the format, or a program that reads it, cannot hold."""

    text: str
    remarks: tuple[str, ...]


def report(
    state: LeagueState, season: Season, division: Division, names: Mapping[PlayerId, str], *, rated: Collection[PlayerId] | None = None
) -> TrfReport:
    """Return the report of a division after its last round that is over.

    The ratings are those of all players, or only of those in `rated`; the others have 0, as players without a rating do.
    Refuses (`no_trf`) events without rounds, and those of more than two at a table. Refuses (`not_in_columns`) points that the
    format has no columns for.
    """
    if state.settings.format not in TYPES:
        raise NotAllowed("no_trf", say("TRF is for games of two that are played in rounds. Choose another format."))
    at = _open_round(season, division)
    # A game that is still played cannot be told. The format takes a blank result for `Z`, a round of absence, and bbpPairings
    # (`src/fileformats/trf.cpp`, `readPlayer`) refuses a blank or a `Z` beside an opponent. So rounds, points and ranks are as they were
    # before, and a comment says so.
    told = season if at is None else _before(season, division, at)
    table = crosstable(state, told, division, names)
    worth = _worth(state)
    games, beside = _in_columns(division, cells_by_round(state, told, division))
    last = max((number for own in games.values() for number in own), default=0)
    rounds = {line.player: [_round(games[line.player].get(at), worth) for at in range(1, last + 1)] for line in table.lines}
    ratings = {entry.player: entry.rating for entry in season.entries if rated is None or entry.player in rated}
    rows = sorted((_row(division, line, ratings, rounds[line.player]) for line in table.lines), key=lambda row: row.seed)
    _one_bye_a_round(rows, worth)
    # without points there is nothing that they could differ from
    abnormal = [*_abnormal(rows, worth)] if state.settings.format not in WITHOUT_POINTS else []
    remarks = tuple(_remarks(at, abnormal, beside, colours=seat_begins(state)))
    lines = [
        *(f"### {remark}" for remark in remarks),
        *_head(state, told, division, table, worth),
        *(_player(row, worth) for row in rows),
        *abnormal,
    ]
    return TrfReport("".join(f"{line}\r\n" for line in lines), remarks)


def _open_round(season: Season, division: Division) -> int | None:
    return min((one.round for one in season.of(division) if not one.encounter.is_over), default=None)


def _before(season: Season, division: Division, at: int) -> Season:
    # the report ends before the first round with a running game
    return replace(season, fixtures=tuple(one for one in season.fixtures if one.division != division.name or one.round < at))


def _remarks(at: int | None, abnormal: Sequence[str], beside: int, *, colours: bool) -> Iterator[str]:
    if not colours:
        yield "Chance decides who begins in this game, so the colours are seats: w is seat 1, and b is seat 2."
    if beside:
        yield f"A player has one game a round in TRF, so games that were played beside others stand in rounds from {beside} on."
    if at is not None:
        after = f"stands after round {at - 1}" if at > 1 else "has no rounds yet"
        yield f"Round {at} is not over, and TRF cannot hold a running game. The report {after}."
    if abnormal:
        yield "Some points do not follow from results. They are in records 299, which bbpPairings does not read."


class _Round(NamedTuple):
    """A player's round: opponent and colour if there was an opponent, the code, and the points."""

    opponent: int
    colour: str
    code: str
    points: Fraction


class _TrfPlayer(NamedTuple):
    """A player: the starting rank, the line, the rating, and the rounds."""

    seed: int
    line: TableLine
    rating: float
    rounds: list[_Round]


def _worth(state: LeagueState) -> Mapping[str, Fraction]:
    """Return the points of record 162. A player who is not there has none. Forfeits with points are abnormal."""
    points = scoring(state.settings).points
    marks = {"W": Mark.WIN, "D": Mark.DRAW, "L": Mark.LOSS, "P": Mark.BYE}
    return {symbol: points[mark] for symbol, mark in marks.items()} | {"A": Fraction(0)}


def _row(division: Division, line: TableLine, ratings: Mapping[PlayerId, float], rounds: list[_Round]) -> _TrfPlayer:
    return _TrfPlayer(division.players.index(line.player) + 1, line, ratings.get(line.player, 0.0), rounds)


def _in_columns(
    division: Division, cells: Mapping[PlayerId, Mapping[int, Sequence[Cell]]]
) -> tuple[Mapping[PlayerId, Mapping[int, Cell]], int]:
    """Return one game or bye a round for each player, and the first round of games for which there was no room in their own; 0 for none."""
    placed: dict[PlayerId, dict[int, Cell]] = {player: {} for player in cells}
    beside: list[dict[PlayerId, Cell]] = []
    for player, own in cells.items():
        seed = division.players.index(player) + 1
        for number in sorted(own):
            for cell in own[number]:
                # each game comes up with its first player
                if cell.opponents and cell.opponents[0] < seed:
                    continue
                sides = {player: cell}
                for other in (division.players[at - 1] for at in cell.opponents):
                    sides[other] = next(one for one in cells[other][number] if (one.opponents, one.seat) == ((seed,), 3 - cell.seat))
                if any(number in placed[side] for side in sides):
                    beside.append(sides)
                else:
                    _place(placed, sides, number)
    last = max((number for own in placed.values() for number in own), default=0)
    for sides in beside:
        _place(placed, sides, next(at for at in count(last + 1) if not any(at in placed[side] for side in sides)))
    return placed, last + 1 if beside else 0


def _place(placed: Mapping[PlayerId, dict[int, Cell]], sides: Mapping[PlayerId, Cell], number: int) -> None:
    for player, cell in sides.items():
        placed[player][number] = cell


def _round(game: Cell | None, worth: Mapping[str, Fraction]) -> _Round:
    """Return a round of a player. The number of the opponent is that of the pairing."""
    if game is None:
        return _without(Fraction(0), worth)
    if game.mark is Mark.BYE and not game.asked:
        return _Round(0, "-", "U", game.points)
    code = CODES.get(game.mark or Mark.NO_RESULT)
    if code is None:
        return _without(game.points, worth)
    return _Round(game.opponents[0], "w" if game.seat == 1 else "b", code, game.points)


def _without(points: Fraction, worth: Mapping[str, Fraction]) -> _Round:
    # There is no code for a game without a result, or whose result was taken back. So it is told as the bye that is worth as much.
    # absence if no code is worth as much
    code = next((code for code in BYES if worth[POINTS_OF[code]] == points), "Z")
    return _Round(0, "-", code, points)


def _one_bye_a_round(rows: Sequence[_TrfPlayer], worth: Mapping[str, Fraction]) -> None:
    # the code of a paired bye may stand once in a round; other byes become rounds without a game
    had = set[int]()
    for row in rows:
        for at, each in enumerate(row.rounds):
            if each.code == "U" and at in had:
                row.rounds[at] = _without(each.points, worth)
            elif each.code == "U":
                had.add(at)


def _head(state: LeagueState, season: Season, division: Division, table: Crosstable, worth: Mapping[str, Fraction]) -> Iterator[str]:
    # 012 name, 042 first day, 052 last day, 062 number of players, 092 type, 122 time control, 142 rounds, 152 initial colour, 162 points
    # for results, 212 order of the ranks. There is no 192: the format has a type for a Swiss event with rules of its own, but bbpPairings
    # refuses all types except FIDE's.
    yield f"012 {table.title}"
    yield f"042 {_day(season.began)}"
    if season.phase is Phase.CLOSED:
        yield f"052 {_day(max((one.at for one in season.of(division) if one.at is not None), default=season.began))}"
    yield f"062 {len(table.lines)}"
    yield f"092 {TYPES[state.settings.format]}"
    if state.time:
        yield f"122 {state.time}"
    if rounds := rounds_due(state, season, division):
        yield f"142 {rounds}"
    yield f"152 {'W' if season.odd_first else 'B'}"
    if worth != {"W": 1, "D": Fraction(1, 2), "L": 0, "A": 0, "P": 1}:
        yield "162  " + "    ".join(f"{symbol}{_points(points)}" for symbol, points in worth.items())
    yield "212 " + ",".join(["PTS", *(TIE_BREAKS[one] for one in state.settings.tie_breaks if one in TIE_BREAKS)])


def _player(row: _TrfPlayer, worth: Mapping[str, Fraction]) -> str:
    """Return record 001. Each field ends at its last column; names begin at their first."""
    name = " ".join(row.line.name.split())[:33]
    # Points in columns 81 to 84 are what follows from the codes of the rounds and record 162. Both bbpPairings (`validateScores`) and
    # FIDE's TieBreakServer (`gacrux/scoresystem.py`, `update_gamescore`) refuse a file in which they are anything else.
    points = _points(sum((worth[POINTS_OF[each.code]] for each in row.rounds), Fraction(0)))
    known = f"001 {row.seed:>4}      {name:<33} {round(row.rating):>4}"
    static = f"{known:<80}{points} {row.line.place:>4}"
    return static + "".join(f"  {each.opponent:04} {each.colour} {each.code}" for each in row.rounds)


def _abnormal(rows: Sequence[_TrfPlayer], worth: Mapping[str, Fraction]) -> Iterator[str]:
    """Yield records 299: the points that do not follow from the results."""
    # bbpPairings reads no record 299, and the server not in each of its versions. So there is one only where no code has the right worth,
    # and a comment says so.
    groups: defaultdict[tuple[int, str, Fraction], list[int]] = defaultdict(list)
    for row in rows:
        more = (row.line.figures[0] or Fraction(0)) - sum((each.points for each in row.rounds), Fraction(0))
        if more:
            # points to begin with, and penalties: they belong to no round, and so stand in the first
            groups[1, " ", more].append(row.seed)
        for at, each in enumerate(row.rounds, 1):
            if each.points != worth[POINTS_OF[each.code]]:
                groups[at, ABNORMAL.get(each.code, each.code), each.points].append(row.seed)
    for (at, kind, points), seeds in sorted(groups.items()):
        yield f"299 {kind}        {_points(points)}  {at:03}" + "".join(f" {seed:04}" for seed in seeds)


def _points(points: Fraction) -> str:
    """Return points in four columns, as `11.5`."""
    text = f"{float(points):4.1f}"
    if Fraction(text.strip()) != points or len(text) > 4:
        raise NotAllowed("not_in_columns", say("TRF has no columns for {points} points. Choose another format.", points=str(points)))
    return text


def _day(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y/%m/%d}"
