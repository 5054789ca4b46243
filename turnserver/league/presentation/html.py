"""Crosstables as a page for a browser: one file that needs nothing else, without scripts, wide tables to be pushed aside on a phone."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from turnserver.league.presentation.crosstable import ARROWS, Cell, Crosstable, Layout, Line, Zone
from turnserver.league.presentation.svg import BARE, EDGE, FAINT, INK, LOST_FILL, PAPER, WON_FILL, ZONES
from turnserver.league.presentation.words import FIRST, points_told
from turnserver.league.scoring.marks import WON
from turnserver.league.scoring.sheets import DEFAULTED
from turnserver.text import Laid

STYLE: Final = f"""
:root {{ color-scheme: light; }}
body {{ margin: 0; padding: 16px; background: {PAPER}; color: {INK}; font: 16px/1.4 "DejaVu Sans", Verdana, sans-serif; }}
h1 {{ font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }}
section + section {{ margin-top: 32px; }}
.standing, .legend, th, .number, .rating, .opponent {{ color: {FAINT}; }}
.standing {{ margin: 0 0 12px; }}
.legend {{ margin: 8px 0 0; font-size: 14px; overflow-wrap: anywhere; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; border: 1px solid {EDGE}; }}
th {{ font-weight: normal; font-size: 14px; padding: 4px 8px; }}
td {{ padding: 5px 8px; text-align: center; white-space: nowrap; }}
tr:nth-child(odd) td {{ background: {BARE}; }}
td.name {{ text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 5em; max-width: 14em; }}
td.number, td.rating, .opponent {{ font-size: 13px; }}
.points {{ font-weight: bold; }}
tr td.won {{ background: {WON_FILL}; }}
tr td.lost {{ background: {LOST_FILL}; }}
tr td.itself {{ background: {EDGE}; }}
.left {{ color: {FAINT}; }}
.up {{ color: {ZONES[Zone.UP]}; }}
.down {{ color: {ZONES[Zone.DOWN]}; }}
"""

BADGE: Final = MappingProxyType({zone: f'<span class="{zone.value}">{arrow}</span>' for zone, arrow in ARROWS.items()})


def page(tables: Sequence[Crosstable], language: str = "en") -> str:
    """Return a whole page with these tables, one below the other. `language` is the BCP 47 name of the language in use."""
    return Laid(tuple(tables), lambda told: _page(told, language))


def _page(tables: Sequence[Crosstable], language: str) -> str:
    title = tables[0].title if tables else ""
    head = (
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        _tag("title", escape(title)),
        _tag("style", STYLE),
    )
    body = _tag("body", *(_tag("section", *_section(table)) for table in tables))
    return f"<!DOCTYPE html>\n<html lang={quoteattr(language)}>\n{_tag('head', *head)}\n{body}\n</html>\n"


def _section(table: Crosstable) -> Iterator[str]:
    yield _tag("h1", escape(table.title))
    yield _tag("p", escape(table.standing), class_="standing")
    rows = (_tag("tr", *_row(table, line)) for line in table.lines)
    whole = _tag("table", _tag("thead", _tag("tr", *_heads(table))), _tag("tbody", *rows))
    yield _tag("div", whole, class_="wide")
    headings = ", ".join(f"{heading.short}: {heading.long}" for heading in table.headings)
    signs = ", ".join(f"{sign} {meaning}" for sign, meaning in table.signs)
    yield from (_tag("p", escape(words), class_="legend") for words in (headings, signs, *table.notes) if words)


def _heads(table: Crosstable) -> Iterator[str]:
    yield from ("<th></th>", "<th></th>")
    if _has_ratings(table):
        yield "<th></th>"
    if table.starts:
        yield _tag("th", "+")
    yield from (_tag("th", escape(column)) for column in table.columns)
    yield from (_tag("th", escape(heading.short), title=heading.long) for heading in table.headings)


def _row(table: Crosstable, line: Line) -> Iterator[str]:
    place = f"{line.number} ={line.place}" if line.shares else str(line.number)
    yield _tag("td", place, class_="number")
    badge = f" {BADGE[line.zone]}" if line.zone else ""
    yield _tag("td", escape(line.name) + badge, class_="name left" if line.has_left else "name")
    if _has_ratings(table):
        rating = f"{line.rating.rating:.0f}±{line.rating.deviation:.0f}" if line.rating else ""
        yield _tag("td", rating, class_="rating")
    if table.starts:
        yield _tag("td", points_told(line.start))
    yield from (_cell(table, line, at) for at in range(len(line.cells)))
    for at, value in enumerate(line.figures):
        yield _tag("td", "" if value is None else points_told(value), class_="" if at else "points")


def _has_ratings(table: Crosstable) -> bool:
    return any(line.rating for line in table.lines)


def _cell(table: Crosstable, line: Line, at: int) -> str:
    games = line.cells[at]
    if table.layout is Layout.BY_OPPONENT and at + 1 == line.number:
        return _tag("td", class_="itself")
    told = escape(" ".join(game.sign for game in games))
    if table.layout is Layout.BY_OPPONENT or not games:
        return _tag("td", told, class_=_class(games))
    first = games[0]
    before = _tag("span", first.against + FIRST * first.is_first, class_="opponent") + " " if first.opponents else ""
    names = ", ".join(table.lines[number - 1].name for number in first.opponents)
    return _tag("td", before + told, class_=_class(games), title=names)


def _class(games: Sequence[Cell]) -> str:
    # a cell has a colour only if all of its games came to the same
    found = {"won" if game.mark in WON else "lost" if game.mark in DEFAULTED else "" for game in games}
    return found.pop() if len(found) == 1 else ""


def _tag(name: str, *content: str, **attributes: str) -> str:
    # the content is HTML already
    written = "".join(f" {key.rstrip('_')}={quoteattr(value)}" for key, value in attributes.items() if value)
    return f"<{name}{written}>{''.join(content)}</{name}>"
