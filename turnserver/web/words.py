"""Short pages of words, for whatever cannot be answered otherwise: HTML for people, one line of text for programs."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from turnserver.errors import NotFound, Refusal
from turnserver.mail.outbound.language import language
from turnserver.text import say
from turnserver.web import pages

TEMPLATE: Final = "page/words.html.j2"

Asking: TypeAlias = Callable[[Request], Awaitable[bool]]
"""Finds out whether whoever sent a request would see more if they signed in."""


@dataclass(frozen=True, slots=True)
class WordsPage:
    """The variables of the template."""

    headline: Annotated[str, "what happened"]
    text: Annotated[str, "what it means, and what to do"]
    sign_in: Annotated[str, "where to sign in, if that may show more; else empty"] = ""


_SAID: Final = {
    400: (say("That cannot be done."), say("This is not what the page sends. Load the page anew and try again.")),
    403: (
        say("This did not come from our page."),
        say("Only the page itself can send this. Load it anew and press the button there."),
    ),
    404: (say("There is nothing at this address."), say("Check that it is complete, or open the link of a newer mail.")),
    405: (say("That cannot be done here."), say("This address does not take such a request.")),
    413: (say("That is too long."), say("Send less, and try again.")),
    421: (say("This page has another address, and no other name is answered."), say("Open it by the link of a mail.")),
    429: (say("You asked too often."), say("Nothing is wrong. Wait a minute, then try again.")),
    503: (say("That didn't work."), say("This is our fault. Try again in a few minutes.")),
}


def words(
    request: Request, status: int, text: str = "", headers: Mapping[str, str] | None = None, *, offers_sign_in: bool = False
) -> Response:
    """Return a short page about a status, with a sentence of its own if `text` is one, and perhaps with the way to sign in."""
    headline, usual = _SAID.get(status, _SAID[400 if status < 500 else 503])
    key = request.state.language
    if _is_browser(request):
        root = request.scope["root_path"]
        sign_in = f"{root}/sign-in?to={quote(request.url.path.removeprefix(root))}" if offers_sign_in else ""
        return pages.answer(request, TEMPLATE, language(key).told(WordsPage(headline, text or usual, sign_in)), key, status, headers)
    told = language(key).told((headline, text or usual))
    return PlainTextResponse(f"{' '.join(told)}\n", status, headers)


def worded(may_sign_in: Asking) -> Callable[[Request, Exception], Coroutine[Any, Any, Response]]:
    """Return what makes the page for an error that a page or the router raised."""

    async def answer(request: Request, error: Exception) -> Response:
        status, own, headers = _said_by(error)
        # the same for what there is not and for what is not for strangers, so that neither can be told from the other
        offers = status == HTTPStatus.NOT_FOUND and _is_browser(request) and await may_sign_in(request)
        return words(request, status, own, headers, offers_sign_in=offers)

    return answer


def _said_by(error: Exception) -> tuple[int, str, Mapping[str, str] | None]:
    """Return the status of an error, its own words if it has any, and the headers that go along."""
    match error:
        case HTTPException():
            own = "" if error.detail == HTTPStatus(error.status_code).phrase else error.detail
            return error.status_code, own, error.headers
        case NotFound():
            return 404, error.message, None
        case Refusal():
            return 400, error.message, None
        case _:
            return 503, "", None


def _is_browser(request: Request) -> bool:
    # Programs do not ask for HTML, such as a mail program that unsubscribes its reader.
    return "text/html" in request.headers.get("accept", "")
