"""The addresses of a game. All of them only show, and each asks anew whether the visitor may see the game."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver.ids import GameId
from turnserver.records import jsonform, writing
from turnserver.service.pages.public import PublicGame, nothing_to_see
from turnserver.service.service import Service
from turnserver.web import pages
from turnserver.web.game import history
from turnserver.web.game.page import TEMPLATE, Wanted, drawn, game_page, moment_of, reel
from turnserver.web.routes import FOR_A_WHILE, download, drawing, numbered, page, whole
from turnserver.web.visitor import visitor


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
        return pages.answer(request, TEMPLATE, made, sight.reader.language)

    def board(self, request: Request) -> Response:
        sight, wanted = self._seen(request), _wanted(request)
        part = request.query_params.get("part", "")
        svg = drawn(sight.state.game, moment_of(sight, wanted), flip=wanted.flip, language_key=sight.reader.language, part=part)
        return drawing(svg, FOR_A_WHILE if "v" in request.query_params else "")

    def reel(self, request: Request) -> Response:
        headers = {"Cache-Control": FOR_A_WHILE}
        return Response(reel(self._seen(request), _wanted(request)), media_type="application/json", headers=headers)

    def history(self, request: Request) -> Response:
        sight, number = self._seen(request), request.query_params.get("page", "1")
        shown = whole(number) or 0
        made = history.history_page(sight, self._site, shown, address=_address(request, "/history"))
        return pages.answer(request, history.TEMPLATE, made, sight.reader.language)

    def chance(self, request: Request) -> Response:
        sight = self._seen(request)
        made = history.chance_page(sight, self._site, address=_address(request, "/chance"))
        return pages.answer(request, history.CHANCE, made, sight.reader.language)

    def text(self, request: Request) -> Response:
        sight = self._seen(request)
        return download(writing.write(sight.record), f"game-{sight.id}.txt", "text/plain; charset=utf-8")

    def json(self, request: Request) -> Response:
        sight = self._seen(request)
        return download(jsonform.write(sight.record), f"game-{sight.id}.json", "application/json")

    def _seen(self, request: Request) -> PublicGame:
        return self._service.pages.public.game(visitor(self._service, request), GameId(numbered(request, nothing_to_see())))


def _wanted(request: Request) -> Wanted:
    asked = request.query_params
    return Wanted(asked.get("turn", ""), flip=asked.get("flip", "") == "1")


def _address(request: Request, below: str = "") -> str:
    return request.url.path.removesuffix(below)
