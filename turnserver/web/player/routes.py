"""The address of a player. It only shows, and asks anew whether the visitor may see the player."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver.ids import PlayerId
from turnserver.service.pages.public import nothing_to_see
from turnserver.service.service import Service
from turnserver.web import pages
from turnserver.web.player.page import TEMPLATE, player_page
from turnserver.web.routes import numbered, page, whole
from turnserver.web.visitor import visitor


def routes(service: Service) -> list[Route]:
    """Return the routes of players."""

    def show(request: Request) -> Response:
        number, before = PlayerId(numbered(request, nothing_to_see())), request.query_params.get("before", "")
        sight = service.pages.public.player(visitor(service, request), number, whole(before))
        made = player_page(sight, service.settings.site, root=request.scope["root_path"])
        return pages.answer(request, TEMPLATE, made, sight.reader.language)

    return [page("/players/{number}", get=show)]
