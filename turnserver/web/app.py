"""All pages of the public in one application: the table of their families."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.routing import BaseRoute

from turnserver.errors import Refusal
from turnserver.service.service import Service
from turnserver.web import calendar, club, sign_in, static, unsubscribe, visitor
from turnserver.web.colours import COLOURS, colours
from turnserver.web.counts import Counts
from turnserver.web.game import routes as game
from turnserver.web.guard import Guard
from turnserver.web.league import routes as league
from turnserver.web.me import routes as me
from turnserver.web.player import routes as player
from turnserver.web.routes import page
from turnserver.web.rules import routes as rules
from turnserver.web.server import WebServer
from turnserver.web.turn import routes as turn
from turnserver.web.words import Asking, worded

Family: TypeAlias = Callable[[Service], Sequence[BaseRoute]]
"""Makes the routes of pages that belong together; see `turnserver.web.routes`."""

FAMILIES: Final[tuple[Family, ...]] = (
    *(unsubscribe.routes, calendar.routes, sign_in.routes, me.routes, turn.routes),
    *(club.routes, game.routes, league.routes, player.routes, rules.routes),
)


def public_server(service: Service, counts: Counts, acted: Callable[[], None] = lambda: None) -> WebServer:
    """Return a server of all pages at the address of the settings, which counts requests. Raise ConfigError if it cannot be had.

    `acted` is called when a form was carried out, and may have left a mail to be sent.
    """
    web = service.settings.web
    choose = "Choose another one as web.host and web.port."
    return WebServer(application(service, counts, acted), web.host, web.port, choose=choose, proxies=web.proxies)


def application(service: Service, counts: Counts, acted: Callable[[], None] = lambda: None) -> Guard:
    """Return the application with all pages of a service; see `public_server`."""
    routes = [route for family in FAMILIES for route in family(service)]
    web = service.settings.web
    asking = partial(visitor.may_sign_in, service)
    return guarded(routes, web.url, service.settings.site.language, counts, acted, colour=web.colour, may_sign_in=asking)


async def _never(_: Request) -> bool:
    return False


def guarded(
    routes: Sequence[BaseRoute],
    url: str,
    language: str,
    counts: Counts | None = None,
    acted: Callable[[], None] = lambda: None,
    *,
    colour: str = "",
    may_sign_in: Asking = _never,
) -> Guard:
    """Return an application with these routes and the files that pages load; see `Guard`.

    `may_sign_in` finds out who is offered to sign in where there is nothing to see for them.
    """
    handlers = dict.fromkeys((HTTPException, Refusal, Exception), worded(may_sign_in))
    files = (page(COLOURS, get=lambda _: colours(colour)), page("/static/{name}", get=static.show))
    router = Starlette(routes=[*routes, *files], exception_handlers=handlers)
    # a form that is sent to another address would come without its fields
    router.router.redirect_slashes = False
    # what is secret in a page is another text each time, so how well it packs gives nothing away
    return Guard(GZipMiddleware(router), url, language, counts or Counts(), acted)
