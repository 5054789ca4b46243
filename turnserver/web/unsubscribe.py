"""The page behind `List-Unsubscribe` (RFC 8058): a mail program posts to it, a person sees a button.

Looking changes nothing, because programs that check links look at them too; only a POST does, and it needs nothing but the address. The
server is for a web server in front of it, which speaks HTTPS and is the one that the public reaches.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Thread
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit
from uuid import uuid4

from turnserver.errors import ConfigError
from turnserver.service import Service
from turnserver.web import pages

logger = logging.getLogger(__name__)

TEMPLATE: Final = "page/unsubscribe.html.j2"
MOST_AT_ONCE: Final = 32
"""Requests that are being answered at a time; further connections wait, so that nobody can make us start threads without end."""

MOST_BYTES: Final = 10_000
_PATH: Final = re.compile(r".*/unsubscribe/([0-9A-Za-z-]{1,100})/?")
_SECONDS: Final = 15.0
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@dataclass(frozen=True, slots=True)
class Page:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    player: Annotated[str, "the player whose address was opened; empty if nobody's was"]
    state: Annotated[Literal["ask", "done", "unknown", "trouble"], "`ask`, `done`, `unknown` (the address is none of ours) or `trouble`"]


class Unsubscriptions:
    """Serves the page, in threads of its own, between `start` and `stop`."""

    def __init__(self, service: Service) -> None:
        """Bind to what the settings say. Raises ConfigError if that cannot be done."""
        web = service.settings.web
        try:
            self._server = _Server((web.host, web.port), service)
        except OSError as error:
            raise ConfigError(
                f"The page for unsubscribing cannot be served at web.host {web.host}, web.port {web.port}: {error}"
            ) from error
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="unsubscribe page", daemon=True)

    @property
    def port(self) -> int:
        """The port that it got."""
        return int(self._server.server_address[1])

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Finish what is under way."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that closing the server waits for the requests under way

    def __init__(self, address: tuple[str, int], service: Service) -> None:
        self.service = service
        self._room = BoundedSemaphore(MOST_AT_ONCE)
        super().__init__(address, _Request)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  # what socketserver gives
        self._room.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  # see above
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401, ARG002  # see above
        """A client that goes away in the middle of something is no news."""
        logger.debug("a request broke off")


class _Request(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SECONDS  # between two bytes
    server_version = "turnserver"
    sys_version = ""
    protocol_version = "HTTP/1.0"  # one request a connection; the web server in front keeps those of the public alive
    error_message_format = "%(code)d %(message)s\n"
    error_content_type = "text/plain"

    def do_GET(self) -> None:
        self._answer(lambda service, token: "ask" if service.unsubscriber(token) else "unknown")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        self.rfile.read(int(length))  # what it says does not matter: `List-Unsubscribe=One-Click`, or the button's nothing
        self._answer(lambda service, token: "done" if service.unsubscribe(token, cause=f"web:{uuid4().hex}") else "unknown")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in http.server
        """Nothing: addresses hold tokens, and the web server in front has a log of its own."""

    def _answer(self, act: Callable[[Service, str], Literal["ask", "done", "unknown"]]) -> None:
        service, found = self.server.service, _PATH.fullmatch(urlsplit(self.path).path)
        state: Literal["ask", "done", "unknown", "trouble"] = "unknown"
        player, language = "", service.settings.site.language
        try:
            if found:
                state = act(service, found[1])
                person = service.unsubscriber(found[1])
                player, language = (person.name, person.preferences.language) if person else (player, language)
        except Exception:  # whatever went wrong, the person is told, and the admin finds it in the log
            logger.exception("somebody could not be unsubscribed")
            state = "trouble"
        page = pages.render(TEMPLATE, Page(service.settings.site.name, player, state), language).encode()
        status = {"unknown": HTTPStatus.NOT_FOUND, "trouble": HTTPStatus.SERVICE_UNAVAILABLE}.get(state, HTTPStatus.OK)
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)
