"""Crosstables as a page for a browser: one file that needs nothing else, without scripts. A wide table is pushed aside, and says so."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Final

from turnserver.ids import GameId
from turnserver.league.presentation import svg
from turnserver.league.presentation.crosstable import ARROWS, Cell, Crosstable, Zone
from turnserver.league.presentation.words import FIRST, points_told
from turnserver.league.scoring.marks import WON
from turnserver.league.scoring.sheets import DEFAULTED
from turnserver.mail.outbound.language import ENGLISH, language
from turnserver.web import pages

TEMPLATE: Final = "page/crosstables.html.j2"

COLOURS: Final = MappingProxyType(
    {
        "paper": svg.PAPER,
        "ink": svg.INK,
        # darker than in pictures: small figures stand on coloured rows here
        "faint": "#6b5d42",
        "edge": svg.EDGE,
        "bare": svg.BARE,
        "won": svg.WON_FILL,
        "lost": svg.LOST_FILL,
        "up": svg.ZONES[Zone.UP],
        "down": svg.ZONES[Zone.DOWN],
    }
)

DARK: Final = MappingProxyType(
    {
        "paper": "#141513",
        "ink": "#ecebe6",
        "faint": "#a3a198",
        "edge": "#4a4c45",
        "bare": "#21231f",
        "won": "#1c3d55",
        "lost": "#54302a",
        "up": "#8ec5ee",
        "down": "#f0a090",
    }
)


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


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    """The variables of the template."""

    tables: Annotated[Sequence[TableParts], "the tables"]
    colours: Annotated[Mapping[str, str], "those of pictures, by name"]
    dark: Annotated[Mapping[str, str], "the same for dark screens"]


def page(tables: Sequence[Crosstable], language_key: str = ENGLISH) -> str:
    """Return a whole page in a language with these tables, one below the other."""
    told = tuple(table_parts(table) for table in language(language_key).told(tuple(tables)))
    return pages.render(TEMPLATE, CrosstablePage(told, COLOURS, DARK), language_key)


def _outcome(games: Sequence[Cell]) -> str:
    # All games of a pair share a cell, which has one colour or none.
    found = {"won" if game.mark in WON else "lost" if game.mark in DEFAULTED else "" for game in games}
    return found.pop() if len(found) == 1 else ""
