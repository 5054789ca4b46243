"""The calendar of a player at its secret address, for calendar programs that ask for it again and again."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver.service.service import Service
from turnserver.web.routes import page

TYPE: Final = "text/calendar; charset=utf-8"
FRESH: Final = "private, max-age=900"
"""Nobody but the program that asks may keep it, and for less time than a reminder comes ahead of a deadline."""


def routes(service: Service) -> Sequence[Route]:
    """Return the route of calendars."""

    def show(request: Request) -> Response:
        from turnserver.mail.outbound.calendar import feed  # noqa: PLC0415  # its library takes long to load, and few want it

        # No session is asked for: calendar programs have none, so the address itself is the right to read.
        found = service.pages.calendars.see(request.path_params["token"])
        return Response(feed(found.about, found.turns), media_type=TYPE, headers={"Cache-Control": FRESH})

    return [page("/calendar/{token}.ics", get=show)]
