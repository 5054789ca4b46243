"""The page behind `List-Unsubscribe` (RFC 8058): a mail program posts to it, a person sees a button.

A GET changes nothing, because programs that check links send it too. Only a POST unsubscribes, and it needs nothing except the address.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final, Literal, TypeAlias
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver.service.service import Service
from turnserver.web import pages
from turnserver.web.routes import page

logger = logging.getLogger(__name__)

TEMPLATE: Final = "page/unsubscribe.html.j2"
_TOKEN: Final = re.compile(r"([0-9A-Za-z-]{1,100})/?")
_PATHS: Final = ("/unsubscribe/{token:path}", "/{before:path}/unsubscribe/{token:path}")
"""The second is for mails of the time when `web.url` had another path."""

State: TypeAlias = Literal["ask", "done", "unknown", "trouble"]


@dataclass(frozen=True, slots=True)
class UnsubscribePage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    player: Annotated[str, "the player whose address was opened; empty if nobody's was"]
    state: Annotated[State, "`ask`, `done`, `unknown` (the address is none of ours) or `trouble`"]


def routes(service: Service) -> Sequence[Route]:
    """Return the routes of the page."""

    def ask(token: str) -> State:
        return "ask" if service.people.unsubscriber(token) else "unknown"

    def act(token: str) -> State:
        # Each request is one of its own: whoever has subscribed again may unsubscribe again by the same address.
        return "done" if service.people.unsubscribe(token, cause=f"web:{uuid4().hex}") else "unknown"

    # What is posted does not matter: `List-Unsubscribe=One-Click`, or the button's nothing; nor who posts it.
    get, post = partial(_answer, service, ask), partial(_answer, service, act)
    return [page(path, get=get, post=post, from_anywhere=True, most_bytes=10_000) for path in _PATHS]


def _answer(service: Service, act: Callable[[str], State], request: Request) -> Response:
    found = _TOKEN.fullmatch(request.path_params["token"])
    site, player, language = service.settings.site, "", service.settings.site.language
    state: State = "unknown"
    try:
        if found:
            state = act(found[1])
            person = service.people.unsubscriber(found[1])
            player, language = (person.name, person.preferences.language) if person else (player, language)
    except Exception:  # whatever went wrong, the person is told, and the admin finds it in the log
        logger.exception("somebody could not be unsubscribed")
        state = "trouble"
    status = {"unknown": HTTPStatus.NOT_FOUND, "trouble": HTTPStatus.SERVICE_UNAVAILABLE}.get(state, HTTPStatus.OK)
    return pages.answer(request, TEMPLATE, UnsubscribePage(site.name, player, state), language, status)
