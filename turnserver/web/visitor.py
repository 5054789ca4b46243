"""The visitor of a page: the player who is signed in, if anybody is. The cookie of a session goes to all pages of ours."""

from typing import Final
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from turnserver.ids import PlayerId
from turnserver.service.service import Service
from turnserver.store.people.sessions import LASTS
from turnserver.web import routes
from turnserver.web.guard import guard_of
from turnserver.web.routes import SESSION

SIGN_IN: Final = "/sign-in"
HOME: Final = "/me"


def secret(request: Request) -> str:
    """Return the secret of the session that a request belongs to; empty if it has none."""
    return request.cookies.get(SESSION, "")


def visitor(service: Service, request: Request) -> PlayerId | None:
    """Return the player who is signed in, None if nobody is. Changes nothing."""
    kept = secret(request)
    return service.pages.sessions.player(kept) if kept else None


async def may_sign_in(service: Service, request: Request) -> bool:
    """Return whether nobody is signed in, so that somebody may. A session that is over counts for nothing."""
    if not secret(request):
        return True
    try:
        async with guard_of(request).place():
            return await run_in_threadpool(visitor, service, request) is None
    except HTTPException:
        # No thread is free, and the answer is no reason to fail.
        return False


def sign_in_first(request: Request) -> HTTPException:
    """Return the error to raise for a page that shows more to somebody who is signed in: they sign in, and come back to it."""
    root, query = request.scope["root_path"], f"?{request.url.query}" if request.url.query else ""
    return HTTPException(303, headers={"Location": f"{root}{SIGN_IN}?to={quote(request.url.path.removeprefix(root) + query)}"})


def keep(service: Service, request: Request, answer: Response, secret: str) -> None:
    """Have the browser keep the secret of a session, for as long as that lasts unused."""
    routes.keep(service, answer, SESSION, secret, path=_path(request), lasts=LASTS)


def forget(request: Request, answer: Response) -> None:
    """Have the browser forget the session."""
    answer.delete_cookie(SESSION, path=_path(request))


def _path(request: Request) -> str:
    return request.scope["root_path"] or "/"
