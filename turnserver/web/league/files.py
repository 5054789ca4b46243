"""The season of a league as files for other programs."""

from turnserver.league.presentation import trf
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.exports import as_json, lines_csv, results_csv
from turnserver.league.state import Season
from turnserver.service.pages.public import PublicLeague, nothing_to_see
from turnserver.web.league.page import divisions_of


def tables(sight: PublicLeague) -> str:
    """Return the standings of all divisions as CSV. Raises NotFound if the season has not begun, as all of these do."""
    season = begun(sight)
    return lines_csv([crosstable(sight.state, season, one, sight.people.names) for one in season.divisions])


def results(sight: PublicLeague) -> str:
    """Return all meetings as CSV."""
    return results_csv(sight.state, begun(sight), sight.people.names)


def everything(sight: PublicLeague) -> bytes:
    """Return the whole season as JSON."""
    return as_json(sight.state, begun(sight), sight.people.names)


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
