"""The way to declare a page: a path, a function that shows it, and a function that acts when its form is sent.

    def routes(service: Service) -> Sequence[Route]:
        return [page("/turn/{token}", get=show, post=play)]

Both functions take a `Request` and return a `Response`. They are plain functions that may read the database: each call has a thread. GET
and HEAD never reach `post`. Raise `Refusal`, `NotFound` or `HTTPException` to answer with a short page of words.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Final, TypeAlias
from urllib.parse import parse_qs

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver.errors import Refusal
from turnserver.service.mailroom.answers import TOO_MANY
from turnserver.service.service import Service
from turnserver.web.guard import guard_of

Handler: TypeAlias = Callable[[Request], Response]

_NONCE: Final = re.compile(r"[0-9A-Za-z_-]{16,64}")
"""The field of each form by which it is carried out once. All forms of one page may have the same."""

SESSION: Final = "session"
"""The cookie of whoever is signed in; see `turnserver.web.visitor`."""

FOR_A_WHILE: Final = "private, max-age=600"
"""The time that a browser keeps a board whose address names the turns that led to it. Lists name none, and show the newest board."""

_SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""A picture has its colours for dark screens in a style sheet of its own. It may do and load nothing."""

_DIGITS: Final = 9
"""The length of the largest number: a column holds a little more than that."""
MOST_BYTES: Final = 200_000
"""The longest body of a request, unless a page wants less."""


def page(
    path: str,
    *,
    get: Handler | None = None,
    post: Handler | None = None,
    from_anywhere: bool = False,
    most_bytes: int = MOST_BYTES,
    cookie: str = "",
) -> Route:
    """Return a route whose GET and HEAD call `get` and whose POST calls `post`.

    Tokens are limited in their rate: the parameter named `token`, the value of that `cookie` and that of a session.
    With `from_anywhere`, another site or a program may send the form too: only for an address that is itself the right to do it.
    """
    handlers = {method: handler for method, handler in (("GET", get), ("HEAD", get), ("POST", post)) if handler is not None}

    async def answer(request: Request) -> Response:
        guard, handler = guard_of(request), handlers[request.method]
        request.state.route = path
        # Each of them: what opens nothing is made up at will, and must not hide what does.
        for token in {str(request.path_params.get("token", "")), request.cookies.get(cookie, ""), request.cookies.get(SESSION, "")}:
            guard.count_token(token)
        if request.method == "POST":
            if not from_anywhere:
                guard.require_same_site(request)
            request.state.body = await _body(request, most_bytes)
        # Only now: whoever sends a form slowly takes no thread.
        async with guard.place():
            return await run_in_threadpool(handler, request)

    return Route(path, answer, methods=list(handlers))


def form(request: Request) -> dict[str, str]:
    """Return the first value of each field of the form that was sent. Raise HTTPException if it is none."""
    try:
        fields = parse_qs(request.state.body.decode(), keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise HTTPException(400) from error
    return {name: values[0] for name, values in fields.items()}


def is_ours(fields: Mapping[str, str]) -> bool:
    """Return whether a form has the nonce that those of our pages have."""
    return _NONCE.fullmatch(fields.get("nonce", "")) is not None


def drawing(svg: str, kept: str) -> Response:
    """Return a picture as an answer that a browser keeps for a time; it is asked for each time if `kept` is empty."""
    headers = {"Content-Security-Policy": _SVG_POLICY} | ({"Cache-Control": kept} if kept else {})
    return Response(svg, media_type="image/svg+xml", headers=headers)


def download(content: str | bytes, name: str, kind: str) -> Response:
    """Return a file that a browser is to save under a name."""
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def keep(service: Service, answer: Response, name: str, value: str, *, path: str, lasts: timedelta) -> None:
    """Have the browser keep a cookie for the pages below a path. No script reads it."""
    secure = service.settings.web.url.startswith("https:")
    # With `strict`, browsers would withhold it after a link in a mail that is read on another site.
    answer.set_cookie(name, value, path=path, httponly=True, secure=secure, samesite="lax", max_age=int(lasts.total_seconds()))


def refused_status(refusal: Refusal) -> int:
    """Return the status of a page that shows why its form was refused."""
    return HTTPStatus.TOO_MANY_REQUESTS if refusal.code == TOO_MANY else HTTPStatus.CONFLICT


def request_key(fields: Mapping[str, str]) -> str:
    """Return the idempotency key of a form with a nonce: a form that is sent again has the same, any other form of its page another one."""
    # The nonce is kept nowhere, so that nobody who reads the log finds out by trying what a form said.
    # `then` only says which page to show afterwards: with and without it a form asks for the same.
    said = sorted((name, text) for name, text in fields.items() if name not in {"nonce", "then"})
    digest = hmac.digest(fields["nonce"].encode(), msgspec.json.encode(said), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")


def whole(text: str) -> int | None:
    """Return the number that a part of an address is, None if it is none that anything of ours can have."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def numbered(request: Request, refusal: Refusal, name: str = "number") -> int:
    """Return the number of that name in the path of an address. Raise the refusal for a text that is none."""
    number = whole(request.path_params[name])
    if number is None:
        raise refusal
    return number


async def _body(request: Request, most_bytes: int) -> bytes:
    """Return the whole body. Raise HTTPException if it is too long, without reading the rest."""
    length = request.headers.get("content-length", "0")
    body = bytearray()
    # h11 has let nothing but a number through.
    if int(length) > most_bytes:
        raise HTTPException(413)
    # A body in chunks does not say its length before.
    async for chunk in request.stream():
        body += chunk
        if len(body) > most_bytes:
            raise HTTPException(413)
    return bytes(body)
