"""The pages of leagues: everything that their templates show, from a league as its reader may see it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Annotated, Final, NamedTuple

from turnserver import games
from turnserver.config import Site
from turnserver.ids import GameId
from turnserver.league.events import Division
from turnserver.league.presentation import trf
from turnserver.league.presentation.bracket import BracketRound, bracket_rounds
from turnserver.league.presentation.crosstable import ARROWS, Cell, Crosstable, TableLine, Zone, crosstable
from turnserver.league.presentation.explanations import Explanation, explain_lines
from turnserver.league.presentation.schedule import coming
from turnserver.league.presentation.words import FIRST, PHASES, points_told
from turnserver.league.scoring.marks import WON, Mark
from turnserver.league.scoring.sheets import DEFAULTED
from turnserver.league.settings import CUPS
from turnserver.league.state import Fixture, Phase, Season
from turnserver.mail.outbound.context import LeagueContext, Stranger, unsent
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import deadline_time, language
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import Fact
from turnserver.mail.outbound.telling.events import name_of
from turnserver.mail.outbound.writing.leagues import season_told
from turnserver.service.pages.public import PublicLeague, PublicLeagues
from turnserver.store.log.tables import LeagueRow as Stored
from turnserver.text import say
from turnserver.web.game.page import player_address
from turnserver.web.league.files import OF_SEASON, divisions_of
from turnserver.web.pages import Link

TEMPLATE: Final = "page/league.html.j2"
LIST: Final = "page/leagues.html.j2"
MOST_EXPLAINED: Final = 24
"""The number of lines of a table that one page explains. A longer table explains the line that is asked for."""


class Asked(NamedTuple):
    """The part of a season that an address asks for: a division by its name, and the player whose line is to be explained.

    A table of up to `most` lines explains all of them.
    """

    division: str = ""
    explain: int = 0
    most: int = MOST_EXPLAINED


@dataclass(frozen=True, slots=True)
class TableParts:
    """A crosstable, and what its template needs to write it."""

    table: Annotated[Crosstable, "the table, as `league/presentation/crosstable.py` describes it"]
    arrows: Annotated[Mapping[Zone, str], "the sign of each zone that a line may stand in"]
    first: Annotated[str, "the sign of a player who moved first"]
    points: Annotated[Callable[[Fraction], str], "writes points as people do: `2½`"]
    outcome: Annotated[Callable[[Sequence[Cell]], str], "`won` or `lost` if all games of a cell came to that, else empty"]
    game: Annotated[Callable[[GameId | None], str], "the address of a game; empty if the reader may not see it"]


def table_parts(table: Crosstable, game: Callable[[GameId | None], str] = lambda _: "") -> TableParts:
    """Return a table to be written. `game` gives the address of a game, empty for one that is not to be linked."""
    return TableParts(table, ARROWS, FIRST, points_told, _outcome, game)


def _outcome(games: Sequence[Cell]) -> str:
    # All games of a pair share a cell, which has one colour or none.
    found = {"won" if game.mark in WON else "lost" if game.mark in DEFAULTED else "" for game in games}
    return found.pop() if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A league in the list of all."""

    name: Annotated[str, "what it is called"]
    address: Annotated[str, "the address of its page"]
    game: Annotated[str, "the game that is played"]
    situation: Annotated[str, "the season and how far it has come; empty if there was none yet"]


@dataclass(frozen=True, slots=True)
class LeaguesPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    leagues: Annotated[tuple[LeagueRow, ...], "the leagues that the reader may see"]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of the standings."""

    place: Annotated[str, "the place"]
    name: Annotated[str, "whose line it is, as the reader may read it"]
    page: Annotated[str, "the address of the player's page; empty if there is none to see"]
    points: Annotated[str, "the points; empty in a cup and on a ladder"]
    played: Annotated[str, "how many games they come from; empty where there are no points"]
    zone: Annotated[str, "an arrow if the line would go up or down a tier now"]
    explained: Annotated[tuple[Explanation, ...], "how the place and each figure came about; none if `explain` leads there"]
    explain: Annotated[str, "the address of a page that explains the line; empty if this one does"]
    anchor: Annotated[str, "the line's name within the page"]


@dataclass(frozen=True, slots=True)
class PairRow:
    """A meeting."""

    text: Annotated[str, "who meets, or how it ended, as a phrase"]
    game: Annotated[Link | None, "its game; none if there is none yet, or if the reader may not see it"]
    until: Annotated[str, "until when it is to be over; empty if it is, or if that is not fixed"]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of a division."""

    heading: Annotated[str, "which round it is"]
    open: Annotated[bool, "whether some game of it is not over"]
    pairs: Annotated[tuple[PairRow, ...], "its meetings"]


@dataclass(frozen=True, slots=True)
class DivisionPart:
    """A division, as a page shows it."""

    heading: Annotated[str, "its name; empty if it is the only one"]
    address: Annotated[str, "the address of a page of its own; empty on that page"]
    standing: Annotated[str, "how far it has come, as a sentence"]
    lines: Annotated[tuple[StandingRow, ...], "the standings"]
    table: Annotated[TableParts | None, "the crosstable; none on a page of several divisions, and in a cup"]
    bracket: Annotated[tuple[BracketRound, ...], "in a cup, the rounds with their ties"]
    signs: Annotated[tuple[tuple[str, str], ...], "the signs of the bracket with their meanings"]
    rounds: Annotated[tuple[RoundRow, ...], "the rounds, the newest first; none on a page of several divisions"]


@dataclass(frozen=True, slots=True)
class DateRow:
    """Something that is to happen."""

    when: Annotated[str, "the instant, in the reader's zone"]
    what: Annotated[str, "what happens, as a phrase"]


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    name: Annotated[str, "what the league is called"]
    title: Annotated[str, "the league and the season"]
    situation: Annotated[str, "how far the season has come, as a sentence"]
    entered: Annotated[tuple[Link, ...], "who has entered a season that has not begun; without an address if they have no page to see"]
    join: Annotated[str, "what a mail has to say to enter; empty if nobody can"]
    divisions: Annotated[tuple[DivisionPart, ...], "the divisions, or the one that was asked for"]
    dates: Annotated[tuple[DateRow, ...], "what is to happen, the soonest first"]
    facts: Annotated[tuple[Fact, ...], "how the league is played"]
    seasons: Annotated[tuple[Link, ...], "the other seasons, the newest first"]
    files: Annotated[tuple[Link, ...], "the season for other programs"]
    whole: Annotated[str, "the address of all divisions, on the page of one; else empty"]


def leagues_page(found: PublicLeagues, site: Site, *, root: str = "") -> LeaguesPage:
    """Return the list of leagues."""
    page = LeaguesPage(site.name, tuple(league_row(one, root) for one in found.leagues))
    return language(found.reader.language).told(page)


def league_row(row: Stored, root: str) -> LeagueRow:
    """Return the row of a league in a list."""
    now = say("season {n}, {phase}", n=row.season, phase=PHASES[Phase(row.phase)]) if row.phase else ""
    return LeagueRow(row.name, f"{root}/leagues/{row.id}", games.entry(row.game).title, now)


def league_page(sight: PublicLeague, site: Site, asked: Asked, *, root: str = "") -> LeaguePage:
    """Return the page of a season, or of one of its divisions. `root` is the path of our addresses. Raises NotFound if there is none."""
    state, season = sight.state, sight.state.season
    desk, making = desk_of(sight, site), _Making(sight, root)
    begun = season is not None and bool(season.divisions)
    if asked.division:
        divisions_of(sight, asked.division)
    page = LeaguePage(
        site=site.name,
        name=desk.name,
        title=desk.name if season is None else say("{league}, season {season}", league=desk.name, season=season.number),
        situation=season_told(desk, season),
        entered=tuple(making.entered()) if season is not None and not begun else (),
        join=say("join {key}", key=desk.key) if season is not None and season.phase is Phase.ENTRIES else "",
        divisions=tuple(making.divisions(desk, season, asked)) if season is not None and begun else (),
        dates=tuple(DateRow(deadline_time(one.at, sight.reader.zone), one.what) for one in coming(state, sight.people.names))
        if making.is_latest
        else (),
        facts=desk.facts(),
        seasons=tuple(making.seasons()),
        files=tuple(making.files(asked)) if begun else (),
        whole=making.address() if asked.division else "",
    )
    return language(sight.reader.language).told(page)


def desk_of(sight: PublicLeague, site: Site) -> LeagueDesk:
    """Return what a mail about the league would be written from, were it written to a stranger."""
    context = replace(
        unsent(MailKind.LEAGUE_TABLE, Stranger("", sight.reader.zone), site, sight.now, sight.reader.language),
        people=sight.people.names,
        league=LeagueContext(league=sight.id, state=sight.state, time=sight.time),
    )
    return LeagueDesk.of(context)


class _Making:
    """Makes the parts of a page of one league."""

    def __init__(self, sight: PublicLeague, root: str) -> None:
        self._sight = sight
        self._root = root
        self._names = sight.people.names

    @property
    def is_latest(self) -> bool:
        """True if the page shows the league as it is now."""
        season = self._sight.state.season
        return season is None or season.number == self._sight.seasons

    def address(self, season: int | None = None, division: str = "") -> str:
        """Return the address of a season, or of a division of it."""
        own = self._sight.state.season
        number = season or (own.number if own is not None else 0)
        league = f"{self._root}/leagues/{self._sight.id}"
        if division:
            return f"{league}/seasons/{number}/divisions/{division}"
        return league if number in (0, self._sight.seasons) else f"{league}/seasons/{number}"

    def seasons(self) -> Iterator[Link]:
        """Yield the other seasons."""
        own = self._sight.state.season
        for number in range(self._sight.seasons, 0, -1):
            if own is None or number != own.number:
                yield Link(say("Season {n}", n=number), self.address(number))

    def entered(self) -> Iterator[Link]:
        """Yield those who have entered a season that has not begun."""
        season = self._sight.state.season
        for entry in season.entries if season is not None else ():
            yield Link(name_of(entry.player, self._names), player_address(self._sight.people.with_page, entry.player, self._root))

    def files(self, asked: Asked) -> Iterator[Link]:
        """Yield the season for other programs."""
        season = self._sight.state.season
        number = season.number if season is not None else 0
        place = f"{self._root}/leagues/{self._sight.id}/seasons/{number}"
        yield from (Link(one.says, f"{place}/{one.name}") for one in OF_SEASON)
        if self._sight.state.settings.format in trf.TYPES:
            for division in divisions_of(self._sight, asked.division):
                yield Link(say("division {division} (FIDE's TRF)", division=division.name), f"{place}/divisions/{division.name}/report.trf")

    def divisions(self, desk: LeagueDesk, season: Season, asked: Asked) -> Iterator[DivisionPart]:
        """Yield the divisions of a season: all in short if there are several, or one with everything."""
        chosen = divisions_of(self._sight, asked.division)
        whole = len(season.divisions) == 1 or bool(asked.division)
        for division in chosen:
            yield self._division(desk, season, division, asked, whole=whole)

    def _division(self, desk: LeagueDesk, season: Season, division: Division, asked: Asked, *, whole: bool) -> DivisionPart:
        state, names = self._sight.state, self._names
        table = crosstable(state, season, division, names)
        cup = whole and state.settings.format in CUPS
        bracket, signs = bracket_rounds(state, season, division, names) if cup else ((), ())
        several = len(season.divisions) > 1
        return DivisionPart(
            heading=say("Division {division}", division=division.name) if several else "",
            address="" if whole else self.address(season.number, division.name),
            standing=table.standing,
            lines=tuple(self._lines(season, division, table, asked, whole=whole)),
            table=table_parts(table, self._game_address) if whole and not cup else None,
            bracket=bracket,
            signs=signs,
            rounds=tuple(self._rounds(desk, season, division)) if whole else (),
        )

    def _lines(self, season: Season, division: Division, table: Crosstable, asked: Asked, *, whole: bool) -> Iterator[StandingRow]:
        players = [line.player for line in table.lines]
        # An explanation names all games of its line, so a page with all of them grows with the square of the players.
        some = players if whole and len(players) <= asked.most else [player for player in players if whole and player == asked.explain]
        explained = explain_lines(self._sight.state, season, division, some, self._names) if some else {}
        own = self.address(season.number, division.name if len(season.divisions) > 1 else "")
        for line in table.lines:
            anchor = f"line-{line.player}"
            elsewhere = "" if line.player in explained or not whole else f"{own}?explain={line.player}#{anchor}"
            yield StandingRow(
                place=str(line.place),
                name=line.name,
                page=player_address(self._sight.people.with_page, season.who(line.player), self._root),
                points=(points := _points(table, line)),
                played=_played(line) if points else "",
                zone=ARROWS[line.zone] if line.zone else "",
                explained=explained.get(line.player, ()),
                explain=elsewhere,
                anchor=anchor,
            )

    def _rounds(self, desk: LeagueDesk, season: Season, division: Division) -> Iterator[RoundRow]:
        by_round = sorted(season.of(division), key=lambda one: (-one.round, one.number))
        for number, fixtures in groupby(by_round, key=lambda one: one.round):
            pairs = tuple(self._pair(desk, season, fixture) for fixture in fixtures)
            is_open = any(not one.marks for one in season.of(division) if one.round == number)
            # on a ladder it is a month of the season
            heading = say("Round {round}", round=number) if season.climb is None else say("Month {month}", month=number)
            yield RoundRow(heading, is_open, pairs)

    def _pair(self, desk: LeagueDesk, season: Season, fixture: Fixture) -> PairRow:
        text = desk.result(season, fixture) if fixture.marks else desk.pair(season, fixture)
        until = deadline_time(fixture.deadline, self._sight.reader.zone) if fixture.deadline is not None and not fixture.marks else ""
        address = self._game_address(fixture.game)
        return PairRow(text, Link(desk.game(fixture), address) if address else None, until)

    def _game_address(self, game: GameId | None) -> str:
        return f"{self._root}/games/{game}" if game in self._sight.games else ""


_NOT_PLAYED = frozenset({None, Mark.NO_RESULT, Mark.ANNULLED, Mark.BYE})


def _played(line: TableLine) -> str:
    number = sum(cell.mark not in _NOT_PLAYED for cells in line.cells for cell in cells)
    return say("{n} game", "{n} games", n=number)


def _points(table: Crosstable, line: TableLine) -> str:
    figures = line.figures[:1] if table.headings else ()
    return points_told(figures[0]) if figures and figures[0] is not None else ""
