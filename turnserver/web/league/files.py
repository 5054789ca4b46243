"""The season of a league as files for other programs."""

from collections.abc import Callable
from typing import Final, NamedTuple

from turnserver.errors import NotFound
from turnserver.league.events import Division
from turnserver.league.presentation import trf
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.exports import as_json, lines_csv, results_csv
from turnserver.league.state import Season
from turnserver.service.pages.public import PublicLeague, nothing_to_see
from turnserver.text import say


def _tables(sight: PublicLeague) -> str:
    season = begun(sight)
    return lines_csv([crosstable(sight.state, season, one, sight.people.names) for one in season.divisions])


def _results(sight: PublicLeague) -> str:
    return results_csv(sight.state, begun(sight), sight.people.names)


def _everything(sight: PublicLeague) -> bytes:
    return as_json(sight.state, begun(sight), sight.people.names)


class SeasonFile(NamedTuple):
    """A file of a whole season: its name, what a link to it says, its media type, and what makes it.

    `content` raises NotFound if the season has not begun.
    """

    name: str
    says: str
    kind: str
    content: Callable[[PublicLeague], str | bytes]


OF_SEASON: Final = (
    SeasonFile("tables.csv", say("tables (CSV)"), "text/csv; charset=utf-8", _tables),
    SeasonFile("results.csv", say("results (CSV)"), "text/csv; charset=utf-8", _results),
    SeasonFile("season.json", say("everything (JSON)"), "application/json", _everything),
)


def report(sight: PublicLeague, name: str) -> str:
    """Return a division as FIDE's TRF, with the ratings of those who have a page, where everybody sees them.

    Raises NotFound if there is no division of that name, or if its format has no such report.
    """
    season = begun(sight)
    if sight.state.settings.format not in trf.TYPES:
        raise nothing_to_see()
    (division,) = divisions_of(sight, name)
    return trf.report(sight.state, season, division, sight.people.names, rated=sight.people.with_page).text


def begun(sight: PublicLeague) -> Season:
    """Return the season of a league. Raises NotFound if it has not begun."""
    season = sight.state.season
    if season is None or not season.divisions:
        raise nothing_to_see()
    return season


def divisions_of(sight: PublicLeague, name: str) -> tuple[Division, ...]:
    """Return the division of that name, or all if it is empty. Raises NotFound."""
    found = sight.state.season.divisions if sight.state.season is not None else ()
    chosen = tuple(one for one in found if name in ("", one.name))
    if not chosen:
        raise NotFound(say("There is no such division in this season, or it has not begun yet."))
    return chosen
