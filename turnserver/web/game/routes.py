"""The addresses of a game. All of them only show, and each asks anew whether the visitor may see the game."""

from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from turnserver.ids import GameId
from turnserver.records import jsonform, writing
from turnserver.service.pages.public import PublicGame, nothing_to_see
from turnserver.service.service import Service
from turnserver.web import pages
from turnserver.web.game import history
from turnserver.web.game.page import TEMPLATE, Wanted, drawn, game_page, moment_of, reel
from turnserver.web.routes import numbered, page, whole
from turnserver.web.turn.routes import SVG_POLICY
from turnserver.web.visitor import visitor

FOR_A_WHILE: Final = "private, max-age=600"
"""The time that a browser keeps a board whose address names the turns that led to it. Lists name none, and show the newest board."""


def routes(service: Service) -> list[Route]:
    """Return the routes of games."""
    shown = _GameRoutes(service)
    return [
        page("/games/{number}", get=shown.page),
        page("/games/{number}/board.svg", get=shown.board),
        page("/games/{number}/replay.json", get=shown.reel),
        page("/games/{number}/history", get=shown.history),
        page("/games/{number}/chance", get=shown.chance),
        page("/games/{number}/record.txt", get=shown.text),
        page("/games/{number}/record.json", get=shown.json),
    ]


class _GameRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._site = service.settings.site

    def page(self, request: Request) -> Response:
        sight, root = self._seen(request), request.scope["root_path"]
        made = game_page(sight, self._site, _wanted(request), address=_address(request), root=root)
        return self._html(request, TEMPLATE, made, sight)

    def board(self, request: Request) -> Response:
        sight, wanted = self._seen(request), _wanted(request)
        part = request.query_params.get("part", "")
        svg = drawn(sight.state.game, moment_of(sight, wanted), flip=wanted.flip, language_key=sight.reader.language, part=part)
        headers = {"Content-Security-Policy": SVG_POLICY} | ({"Cache-Control": FOR_A_WHILE} if "v" in request.query_params else {})
        return Response(svg, media_type="image/svg+xml", headers=headers)

    def reel(self, request: Request) -> Response:
        headers = {"Cache-Control": FOR_A_WHILE}
        return Response(reel(self._seen(request), _wanted(request)), media_type="application/json", headers=headers)

    def history(self, request: Request) -> Response:
        sight, number = self._seen(request), request.query_params.get("page", "1")
        shown = whole(number) or 0
        made = history.history_page(sight, self._site, shown, address=_address(request, "/history"))
        return self._html(request, history.TEMPLATE, made, sight)

    def chance(self, request: Request) -> Response:
        sight = self._seen(request)
        return self._html(request, history.CHANCE, history.chance_page(sight, self._site, address=_address(request, "/chance")), sight)

    def text(self, request: Request) -> Response:
        sight = self._seen(request)
        return _file(writing.write(sight.record), f"game-{sight.id}.txt", "text/plain; charset=utf-8")

    def json(self, request: Request) -> Response:
        sight = self._seen(request)
        return _file(jsonform.write(sight.record), f"game-{sight.id}.json", "application/json")

    def _seen(self, request: Request) -> PublicGame:
        return self._service.pages.public.game(visitor(self._service, request), GameId(numbered(request, nothing_to_see())))

    @staticmethod
    def _html(request: Request, template: str, made: object, sight: PublicGame) -> Response:
        return HTMLResponse(pages.render(template, made, sight.reader.language, request.scope["root_path"]), HTTPStatus.OK)


def _wanted(request: Request) -> Wanted:
    asked = request.query_params
    return Wanted(asked.get("turn", ""), flip=asked.get("flip", "") == "1")


def _address(request: Request, below: str = "") -> str:
    return request.url.path.removesuffix(below)


def _file(content: str, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
