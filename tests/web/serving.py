"""A server of a few pages on loopback, and clients that speak to it as browsers, programs and nuisances do."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from turnserver.errors import ConfigError, DatabaseBusy, NotFound, Refusal
from turnserver.text import say
from turnserver.web.app import guarded
from turnserver.web.guard import Guard
from turnserver.web.routes import form, page
from turnserver.web.server import LOOPBACK, WebServer

URL = "https://club.example/turns"
PATIENCE_SECONDS = 30.0
"""Much longer than anything here takes: only a failing test waits so long."""


class Answer(NamedTuple):
    """An answer of the pages."""

    status: int
    headers: Mapping[str, str]
    text: str


class Few:
    """Some pages, and a server of them."""

    def __init__(self, **settings: Any) -> None:
        self.done: list[dict[str, str]] = []
        self.began, self.goes_on = Event(), Event()
        patience = settings.pop("patience", None)
        self.guard: Guard = guarded(self._routes(), URL, settings.pop("language", "en"))
        if patience is not None:
            self.guard.patience = patience
        self.server = WebServer(self.guard, LOOPBACK, 0, choose="", **settings)

    def ask(self, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
        """Send a request as a program does, and hang up."""
        return asked(self.server.port, method, path, body, **headers)

    def connected(self) -> socket.socket:
        """A client that says nothing yet."""
        return socket.create_connection((LOOPBACK, self.server.port), timeout=PATIENCE_SECONDS)

    def _routes(self) -> list[Any]:
        return [
            page("/", get=self._shown),
            page("/form/{token}", get=self._shown, post=self._act, most_bytes=100),
            page("/anywhere", post=self._act, from_anywhere=True),
            page("/kept", get=self._shown, cookie="token"),
            page("/own", get=lambda _: Response("", headers={"Cache-Control": "max-age=60", "Content-Security-Policy": "sandbox"})),
            page("/long", get=lambda _: Response(b"x" * 20_000_000)),
            page("/slow", get=self._slow, post=self._slow),
            page("/raises/{what}", get=self._raise),
        ]

    def _shown(self, request: Request) -> Response:
        return PlainTextResponse(f"shown to {request.client.host if request.client else ''}")

    def _act(self, request: Request) -> Response:
        self.done.append(form(request))
        return PlainTextResponse("done")

    def _slow(self, _: Request) -> Response:
        self.began.set()
        assert self.goes_on.wait(PATIENCE_SECONDS)
        return PlainTextResponse("at last")

    def _raise(self, request: Request) -> Response:
        what: str = request.path_params["what"]
        if what == "nothing":
            return PlainTextResponse("nothing")
        raise {
            "refusal": Refusal("no", "It is not your turn."),
            "missing": NotFound(say("There is no game {game} here.", game=7)),
            "config": ConfigError("the password is swordfish"),
            "database": DatabaseBusy("another process holds the rows"),
            "unforeseen": ValueError("the password is swordfish"),
            "conflict": HTTPException(409, "Somebody else was first."),
        }[what]


def asked(port: int, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
    connection = HTTPConnection(LOOPBACK, port, timeout=PATIENCE_SECONDS)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    found = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode())
    connection.close()
    return found


@contextmanager
def unattended(server: WebServer) -> Iterator[WebServer]:
    """Serve until the end, which nobody waits for: uvicorn looks ten times a second whether it shall stop, and then rests for a tenth."""
    server.start()
    try:
        yield server
    finally:
        Thread(target=server.stop).start()


@contextmanager
def few(**settings: Any) -> Iterator[Few]:
    """Serve a few pages. The settings are those of the server, `language`, and the guard's `patience`."""
    served = Few(**settings)
    with unattended(served.server):
        yield served
        served.goes_on.set()
