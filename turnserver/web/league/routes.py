"""The addresses of leagues. All of them only show, and each asks anew whether the visitor may see the league."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from turnserver.ids import LeagueId
from turnserver.league.presentation import trf
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.exports import as_json, lines_csv, results_csv
from turnserver.league.state import Season
from turnserver.service.pages.public import PublicLeague, nothing_to_see
from turnserver.service.service import Service
from turnserver.web import pages
from turnserver.web.league.page import LIST, SWISS, TEMPLATE, Asked, divisions_of, league_page, leagues_page
from turnserver.web.routes import numbered, page, whole
from turnserver.web.visitor import visitor


def routes(service: Service) -> list[Route]:
    """Return the routes of leagues."""
    shown = _LeagueRoutes(service)
    season = "/leagues/{number}/seasons/{season}"
    return [
        page("/leagues", get=shown.list),
        page("/leagues/{number}", get=shown.page),
        page(season, get=shown.page),
        page(f"{season}/divisions/{{division}}", get=shown.page),
        page(f"{season}/tables.csv", get=shown.tables),
        page(f"{season}/results.csv", get=shown.results),
        page(f"{season}/season.json", get=shown.json),
        page(f"{season}/divisions/{{division}}/report.trf", get=shown.trf),
    ]


class _LeagueRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._site = service.settings.site

    def list(self, request: Request) -> Response:
        found, root = self._service.public_pages.leagues(visitor(self._service, request)), request.scope["root_path"]
        return HTMLResponse(pages.render(LIST, leagues_page(found, self._site, root=root), found.reader.language, root))

    def page(self, request: Request) -> Response:
        sight, root = self._seen(request), request.scope["root_path"]
        explain = request.query_params.get("explain", "")
        made = league_page(sight, self._site, Asked(request.path_params.get("division", ""), whole(explain) or 0), root=root)
        return HTMLResponse(pages.render(TEMPLATE, made, sight.reader.language, root))

    def tables(self, request: Request) -> Response:
        sight, season = self._begun(request)
        made = [crosstable(sight.state, season, one, sight.people.names) for one in season.divisions]
        return _file(lines_csv(made), sight, "tables.csv", "text/csv; charset=utf-8")

    def results(self, request: Request) -> Response:
        sight, season = self._begun(request)
        return _file(results_csv(sight.state, season, sight.people.names), sight, "results.csv", "text/csv; charset=utf-8")

    def json(self, request: Request) -> Response:
        sight, season = self._begun(request)
        return _file(as_json(sight.state, season, sight.people.names), sight, "season.json", "application/json")

    def trf(self, request: Request) -> Response:
        sight, season = self._begun(request)
        if sight.state.settings.format not in SWISS:
            raise nothing_to_see()
        (division,) = divisions_of(sight, request.path_params["division"])
        report = trf.report(sight.state, season, division, sight.people.names)
        return _file(report.text, sight, f"{division.name}.trf", "text/plain; charset=utf-8")

    def _seen(self, request: Request) -> PublicLeague:
        number = LeagueId(numbered(request, nothing_to_see()))
        season = numbered(request, nothing_to_see(), "season") if "season" in request.path_params else None
        return self._service.public_pages.league(visitor(self._service, request), number, season)

    def _begun(self, request: Request) -> tuple[PublicLeague, Season]:
        """Return a league whose season has begun. Raises NotFound if it has not."""
        sight = self._seen(request)
        season = sight.state.season
        if season is None or not season.divisions:
            raise nothing_to_see()
        return sight, season


def _file(content: str | bytes, sight: PublicLeague, name: str, kind: str) -> Response:
    season = sight.state.season.number if sight.state.season is not None else 0
    disposition = f'attachment; filename="league-{sight.id}-season-{season}-{name}"'
    return Response(content, media_type=kind, headers={"Content-Disposition": disposition})
