"""The addresses of the rules. Whoever looks at them is asked for nothing, and nothing is kept: the board to try is all in its address."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver import games
from turnserver.errors import NotFound
from turnserver.service.service import Service
from turnserver.text import say
from turnserver.web import pages
from turnserver.web.routes import drawing, page
from turnserver.web.rules.page import LIST, TEMPLATE, Tried, drawn, games_page, rules_page
from turnserver.web.visitor import visitor

FOR_A_DAY: Final = "private, max-age=86400"
"""The time that a browser keeps a picture: its address says all that it shows."""


def routes(service: Service) -> list[Route]:
    """Return the routes of the rules."""
    shown = _RulesRoutes(service)
    return [
        page("/rules", get=shown.list),
        page("/rules/{game}", get=shown.page),
        page("/rules/{game}/board.svg", get=shown.board),
    ]


class _RulesRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._site = service.settings.site

    def list(self, request: Request) -> Response:
        """Show all games."""
        spoken = self._language(request)
        return pages.answer(request, LIST, games_page(self._site, spoken, root=request.scope["root_path"]), spoken)

    def page(self, request: Request) -> Response:
        """Show the rules of a game and the board to try."""
        tried, spoken = _tried(request), self._language(request)
        made = rules_page(request.path_params["game"], tried, self._site, spoken, root=request.scope["root_path"])
        return pages.answer(request, TEMPLATE, made, spoken)

    def board(self, request: Request) -> Response:
        """Draw the board that an address says, or the part that is asked for."""
        tried = _tried(request)
        return drawing(drawn(tried, self._language(request), request.query_params.get("part", "")), FOR_A_DAY)

    def _language(self, request: Request) -> str:
        return self._service.pages.public.reader(visitor(self._service, request)).language


def _tried(request: Request) -> Tried:
    key = request.path_params["game"]
    if key not in games.CATALOGUE:
        raise NotFound(say("There is no such game here. Open the list of all games instead."))
    return Tried.read(key, parse_qsl(request.url.query))
