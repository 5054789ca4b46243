"""Signing in: a field for an address, a mail with a link, and a page with one button behind it.

Programs that check links ask for the link too, so looking at it does nothing. It is exchanged for a cookie at once, as that of a turn is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from turnserver.errors import NotFound, Refusal
from turnserver.mail.outbound.language import language
from turnserver.service.pages.sessions import WITHIN
from turnserver.service.service import Service
from turnserver.store.people.accounts import Person
from turnserver.text import say
from turnserver.web import pages, visitor
from turnserver.web.guard import guard_of
from turnserver.web.routes import form, is_ours, keep, page
from turnserver.web.visitor import HOME, SIGN_IN

TEMPLATE: Final = "page/sign_in.html.j2"
COOKIE: Final = "sign-in"
MOST_BYTES: Final = 5_000
_OURS: Final = re.compile(r"(?:/[0-9a-z][0-9a-z.-]{0,40}){1,4}(?:\?[0-9A-Za-z=&%+;._-]{0,80})?")
"""Pages of ours that somebody may be led to after signing in: no other site, and nothing that acts."""

State: TypeAlias = Literal["ask", "out", "sent", "confirm"]


@dataclass(frozen=True, slots=True)
class SignInPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    state: Annotated[State, "`ask` for an address, also after signing `out`; a mail was `sent`; `confirm` that somebody signs in"]
    player: Annotated[str, "the player whom the button signs in; when asking, the one who is signed in; may be empty"]
    refusal: Annotated[str, "why something did not work; empty if nothing was tried"]
    email: Annotated[str, "the address that was typed"]
    to: Annotated[str, "the page to go to afterwards; empty for the player's own"]
    nonce: Annotated[str, "what the form carries, so that it is carried out once"]
    minutes: Annotated[int, "for how many minutes a link works"]


def routes(service: Service) -> Sequence[Route]:
    """Return the routes for signing in."""
    shown = _SignInRoutes(service)
    return [
        page(SIGN_IN, get=shown.ask, post=shown.send, most_bytes=MOST_BYTES),
        page(f"{SIGN_IN}/confirm", get=shown.confirm, post=shown.sign_in, most_bytes=MOST_BYTES, cookie=COOKIE),
        page(f"{SIGN_IN}/{{token}}", get=shown.enter),
    ]


class _SignInRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service

    def ask(self, request: Request) -> Response:
        """Show the field for an address, or say that a mail was sent."""
        state: State = "sent" if "sent" in request.query_params else "out" if "out" in request.query_params else "ask"
        return self._shown(request, state)

    def send(self, request: Request) -> Response:
        """Have a link mailed, if it is the address of a player. The answer is the same if it is not."""
        guard_of(request).count_sign_in(request)
        fields = form(request)
        try:
            self._service.pages.sessions.ask(fields.get("email", ""), _to(fields.get("to", "")), _nonce(fields))
        except Refusal as refused:
            return self._shown(request, "ask", refused.message, email=fields.get("email", ""), to=_to(fields.get("to", "")), status=400)
        return RedirectResponse(f"{request.url.path}?sent=1", 303)

    def enter(self, request: Request) -> Response:
        """Exchange a link for a cookie."""
        # a cookie takes nothing else
        if not request.path_params["token"].isascii():
            raise HTTPException(404)
        to = _to(request.query_params.get("to", ""))
        path = f"{request.scope['root_path']}{SIGN_IN}"
        answer = RedirectResponse(f"{path}/confirm" + (f"?to={quote(to)}" if to else ""), 303)
        keep(self._service, answer, COOKIE, request.path_params["token"], path=path, lasts=WITHIN)
        return answer

    def confirm(self, request: Request) -> Response:
        """Show the button that signs in."""
        try:
            person = self._service.pages.sessions.invitee(request.cookies.get(COOKIE, ""))
        except Refusal as refused:
            return self._shown(request, "ask", refused.message, status=404)
        return self._shown(request, "confirm", person=person)

    def sign_in(self, request: Request) -> Response:
        """Sign in: begin a session, and lead to where the player wanted to go."""
        fields, known = form(request), visitor.secret(request)
        try:
            browser = browser_of(request.headers.get("user-agent", ""))
            secret = self._service.pages.sessions.sign_in(request.cookies.get(COOKIE, ""), _nonce(fields), browser, instead=known)
        except Refusal as refused:
            return self._shown(request, "ask", refused.message, to=_to(fields.get("to", "")), status=409)
        answer = RedirectResponse(f"{request.scope['root_path']}{_to(fields.get('to', '')) or HOME}", 303)
        visitor.keep(self._service, request, answer, secret)
        return answer

    def _shown(  # noqa: PLR0917  # what the page says
        self,
        request: Request,
        state: State,
        refusal: str = "",
        person: Person | None = None,
        email: str = "",
        to: str | None = None,
        status: int = 200,
    ) -> Response:
        site, spoken = self._service.settings.site, person
        if spoken is None and (known := visitor.visitor(self._service, request)) is not None:
            spoken = self._service.people.find(str(known))
        told = language(spoken.preferences.language if spoken else site.language)
        shown = SignInPage(
            site=site.name,
            state=state,
            player=spoken.name if spoken else "",
            refusal=told.told(refusal),
            email=email,
            to=_to(request.query_params.get("to", "")) if to is None else to,
            nonce=token_urlsafe(18),
            minutes=int(WITHIN.total_seconds()) // 60,
        )
        return pages.answer(request, TEMPLATE, shown, told.key, status)


# In this order: iPhones also name Mac OS X, and Android names Linux.
_SYSTEMS: Final = ("iPhone", "iPad", "Android", "Windows", "Mac OS X", "CrOS", "Linux")
_BROWSERS: Final = MappingProxyType(
    {
        # Without a slash: it is Edg on a desk, EdgA and EdgiOS on phones.
        "Edg": "Edge",
        "OPR/": "Opera",
        "Firefox/": "Firefox",
        "FxiOS/": "Firefox",
        "CriOS/": "Chrome",
        "Chrome/": "Chrome",
        "Safari/": "Safari",
    }
)
"""The words by which browsers name themselves, those first that say the names of others too."""


def browser_of(user_agent: str) -> str:
    """Return a browser and its system in a few words, by what it says of itself; empty if it says nothing that is known."""
    browser = next((told for sign, told in _BROWSERS.items() if sign in user_agent), "")
    system = next((system for system in _SYSTEMS if system in user_agent), "")
    return f"{browser}, {system}" if browser and system else browser or system


def _to(text: str) -> str:
    """Return the path of a page of ours, empty for any other text."""
    return text if _OURS.fullmatch(text) else ""


def _nonce(fields: dict[str, str]) -> str:
    """Return the nonce of a form. Raises NotFound if it is none of ours."""
    if not is_ours(fields):
        raise NotFound(say("This form is not one of ours. Load the page anew and try again."))
    return fields["nonce"]
