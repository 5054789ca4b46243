"""The addresses of leagues. All of them only show, and each asks anew whether the visitor may see the league."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver.ids import LeagueId
from turnserver.service.pages.public import PublicLeague, nothing_to_see
from turnserver.service.service import Service
from turnserver.web import pages
from turnserver.web.league import files
from turnserver.web.league.page import LIST, TEMPLATE, Asked, league_page, leagues_page
from turnserver.web.routes import download, numbered, page, whole
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
        *(page(f"{season}/{one.name}", get=partial(shown.file, one)) for one in files.OF_SEASON),
        page(f"{season}/divisions/{{division}}/report.trf", get=shown.trf),
    ]


class _LeagueRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._site = service.settings.site

    def list(self, request: Request) -> Response:
        found, root = self._service.pages.public.leagues(visitor(self._service, request)), request.scope["root_path"]
        return pages.answer(request, LIST, leagues_page(found, self._site, root=root), found.reader.language)

    def page(self, request: Request) -> Response:
        sight, root = self._seen(request), request.scope["root_path"]
        explain = request.query_params.get("explain", "")
        made = league_page(sight, self._site, Asked(request.path_params.get("division", ""), whole(explain) or 0), root=root)
        return pages.answer(request, TEMPLATE, made, sight.reader.language)

    def file(self, one: files.SeasonFile, request: Request) -> Response:
        sight = self._seen(request)
        return _file(one.content(sight), sight, one.name, one.kind)

    def trf(self, request: Request) -> Response:
        sight, division = self._seen(request), request.path_params["division"]
        return _file(files.report(sight, division), sight, f"{division}.trf", "text/plain; charset=utf-8")

    def _seen(self, request: Request) -> PublicLeague:
        number = LeagueId(numbered(request, nothing_to_see()))
        season = numbered(request, nothing_to_see(), "season") if "season" in request.path_params else None
        return self._service.pages.public.league(visitor(self._service, request), number, season)


def _file(content: str | bytes, sight: PublicLeague, name: str, kind: str) -> Response:
    season = sight.state.season.number if sight.state.season is not None else 0
    return download(content, f"league-{sight.id}-season-{season}-{name}", kind)
