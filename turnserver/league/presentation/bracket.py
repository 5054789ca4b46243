"""The bracket of a cup: its rounds with their ties, as data for a page and as lines of text that a terminal can show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.knockout import BracketTie, Branch, Side, Vacancy
from turnserver.league.presentation.text import COLUMNS, filled, fitted, width_of
from turnserver.league.presentation.words import MARKS, RUNNING, SIGNS, line_told
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter
from turnserver.league.scoring.standings import bracket_of
from turnserver.league.settings import Format
from turnserver.league.state import LeagueState, Season
from turnserver.text import Laid, say

GOES_ON: Final = "→"
NOBODY_YET: Final = "?"


@dataclass(frozen=True, slots=True)
class BracketSide:
    """A side of a tie: the seed, the name, the player's sign for each game, and whether they go on."""

    seed: str
    name: str
    signs: str
    goes_on: bool


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round, or the part of it that is in one branch: its ties, each with its sides."""

    heading: str
    ties: tuple[tuple[BracketSide, ...], ...]


def bracket(state: LeagueState, season: Season, division: Division, names: Mapping[PlayerId, str], width: int = COLUMNS) -> str:
    """Return the bracket of a division of a cup, in lines no wider than `width`, which is 40 or more.

    A tie has a line for each side, with the seed before the name; a bye has no second line. Ties whose players are not known yet are left
    out. The result is empty if there is only one player.
    """
    return Laid(bracket_rounds(state, season, division, names), partial(_bracket_text, width))


def bracket_rounds(
    state: LeagueState, season: Season, division: Division, names: Mapping[PlayerId, str]
) -> tuple[tuple[BracketRound, ...], tuple[tuple[str, str], ...]]:
    """Return the rounds of the bracket that `bracket` lays out as text, and the signs in it with their meanings."""
    ties = bracket_of(state, season, division).ties
    drawing = _Drawing(state.settings.format, season, division, names, next((tie for tie in ties if tie.branch is Branch.FINAL), None))
    rounds = tuple(drawing.part(tuple(group)) for _, group in groupby(ties, key=lambda tie: (tie.round, tie.branch)))
    return rounds, tuple(_signs(ties))


class _Drawing:
    """A bracket whose ties are made into rows."""

    def __init__(self, form: Format, season: Season, division: Division, names: Mapping[PlayerId, str], final: BracketTie | None) -> None:
        self.form, self.final = form, final
        self.seeds = {player: at for at, player in enumerate(division.players, 1)}
        self.names = {player: line_told(season, player, names) for player in division.players}

    def part(self, ties: Sequence[BracketTie]) -> BracketRound:
        """Return a round of a branch."""
        rows = tuple(tuple(self._row(tie, side) for side in tie.sides if side is not Vacancy.EVER) for tie in ties if tie.players)
        return BracketRound(self._heading(ties), rows)

    def _heading(self, ties: Sequence[BracketTie]) -> str:
        number, branch = ties[0].round, ties[0].branch
        if branch is Branch.FINAL:
            return say("Final") if ties[0] == self.final else say("Final, once again")
        if branch is Branch.THIRD:
            return say("Third place")
        if self.form is Format.DOUBLE_KNOCKOUT:
            if branch is Branch.LOWER:
                return say("Round {round}, after one loss", round=number)
            return say("Round {round}, without a loss", round=number)
        return say("Semifinals") if len(ties) == 2 else say("Round {round}", round=number)

    def _row(self, tie: BracketTie, side: Side) -> BracketSide:
        if isinstance(side, Vacancy):
            return BracketSide("", NOBODY_YET, "", goes_on=False)
        signs = " ".join(_sign(game, side) for game in tie.games)
        return BracketSide(str(self.seeds[side]), self.names[side], signs, goes_on=tie.winner == side)


def _sign(game: Encounter, player: PlayerId) -> str:
    return SIGNS[game.marks[game.players.index(player)]] if game.marks else RUNNING


def _signs(ties: Sequence[BracketTie]) -> Iterator[tuple[str, str]]:
    """Yield the signs that stand in a bracket, with their meanings."""
    games = [game for tie in ties for game in tie.games]
    marks = {mark for game in games for mark in game.marks}
    if any(tie.winner in tie.players for tie in ties):
        yield GOES_ON, say("goes through, or wins the cup")
    yield from ((SIGNS[mark], MARKS[mark]) for mark in Mark if mark in marks)
    if not all(game.marks for game in games):
        yield RUNNING, say("not over yet")


def _bracket_text(width: int, told: tuple[Sequence[BracketRound], Sequence[tuple[str, str]]]) -> str:
    parts, signs = told
    rows = [row for part in parts for tie in part.ties for row in tie]
    if not rows:
        return ""
    seeds, results = (max(map(width_of, words)) for words in ([row.seed for row in rows], [row.signs for row in rows]))
    # six blanks and an arrow stand around the columns, and names have what is left
    name = min(max(width_of(row.name) for row in rows), width - seeds - results - 7)
    lines: list[str] = []
    for part in parts:
        if part.ties:
            lines += ["", part.heading] if lines else [part.heading]
        for at, tie in enumerate(part.ties):
            lines += [""] if at else []
            lines += [_line(row, seeds, name, results) for row in tie]
    return "\n".join([*lines, "", *filled([f"{sign} {meaning}" for sign, meaning in signs], width)]).rstrip()


def _line(row: BracketSide, seeds: int, name: int, results: int) -> str:
    return f"  {row.seed:>{seeds}} {fitted(row.name, name)}  {row.signs:<{results}} {GOES_ON if row.goes_on else ''}".rstrip()
