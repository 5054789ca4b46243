"""The page behind `List-Unsubscribe` (RFC 8058): a mail program posts to it, a person sees a button.

A GET changes nothing, because programs that check links send it too. Only a POST unsubscribes, and it needs nothing except the address.
The public reaches this server through a web server in front of it, which speaks HTTPS.
"""

import logging
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit
from uuid import uuid4

from turnserver.errors import ConfigError
from turnserver.service.service import Service
from turnserver.web import pages

logger = logging.getLogger(__name__)

TEMPLATE: Final = "page/unsubscribe.html.j2"
MOST_AT_ONCE: Final = 32
"""The number of requests that are answered at a time, so that nobody can make us start threads without end.

A further connection takes the place of the one that has been sending its request for the longest time. So silent clients shut nobody out.
If all requests are complete and being answered, the connection waits for `PATIENCE` seconds and is then sent away.
"""

PATIENCE: Final = 1.0
SECONDS: Final = 15.0
"""The longest time for a request, and the longest silence of a client in it."""

MOST_BYTES: Final = 10_000
_PATH: Final = re.compile(r".*/unsubscribe/([0-9A-Za-z-]{1,100})/?")
_BUSY: Final = b"HTTP/1.0 503 Service Unavailable\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n"
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    # The address of the page holds a token, which caches, other sites and search engines must not learn.
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@dataclass(frozen=True, slots=True)
class UnsubscribePage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    player: Annotated[str, "the player whose address was opened; empty if nobody's was"]
    state: Annotated[Literal["ask", "done", "unknown", "trouble"], "`ask`, `done`, `unknown` (the address is none of ours) or `trouble`"]


class Unsubscriptions:
    """The server of the page, in threads of its own, between `start` and `stop`."""

    def __init__(self, service: Service, seconds: float = SECONDS) -> None:
        """Bind to the address of the settings. A request may take `seconds`. Raise ConfigError if the address cannot be bound."""
        web = service.settings.web
        try:
            self._server = _Server((web.host, web.port), service, seconds)
        except OSError as error:
            raise ConfigError(
                f"The page for unsubscribing cannot be served at web.host {web.host}, web.port {web.port}: {error}"
            ) from error
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="unsubscribe page", daemon=True)

    @property
    def port(self) -> int:
        """The port that the server got."""
        return int(self._server.server_address[1])

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Finish the requests under way, without waiting for clients that have not sent all yet."""
        self._server.shutdown()
        self._thread.join()
        self._server.stop_reading()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that closing the server waits for the requests under way
    request_queue_size = 4 * MOST_AT_ONCE  # what does not fit is tried again by the client's system, a second later

    def __init__(self, address: tuple[str, int], service: Service, seconds: float) -> None:
        self.service = service
        self._seconds = seconds
        self._room = BoundedSemaphore(MOST_AT_ONCE)
        self._open: dict[socket.socket, float] = {}
        self._asking: dict[socket.socket, None] = {}  # those that have not said all yet, the earliest first
        self._lock = Lock()
        super().__init__(address, _Request)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  # what socketserver gives
        if not self._takes_a_place():
            with suppress(OSError):
                request.recv(MOST_BYTES, socket.MSG_DONTWAIT)  # what lies there unread would undo the answer
            with suppress(OSError):
                request.send(_BUSY, socket.MSG_DONTWAIT)
            self.shutdown_request(request)
            return
        with self._lock:
            self._open[request] = monotonic() + self._seconds
            self._asking[request] = None
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  # see above
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)
                self._asking.pop(request, None)
            self._room.release()

    def has_asked(self, request: socket.socket) -> None:
        """Keep the place of a client that has sent its whole request: no further connection may take it."""
        with self._lock:
            self._asking.pop(request, None)

    def _takes_a_place(self) -> bool:
        """Return whether there is room for one more, if need be after closing the connection that has been asking for the longest time."""
        if self._room.acquire(blocking=False):
            return True
        with self._lock:
            earliest = next(iter(self._asking), None)
            if earliest is not None:
                del self._asking[earliest]
        if earliest is not None:
            with suppress(OSError):  # it has gone by itself
                earliest.shutdown(socket.SHUT_RDWR)
        # The thread of the closed connection gives its place back in a moment.
        return self._room.acquire(timeout=PATIENCE)

    def service_actions(self) -> None:
        """Close the connections whose time is over. Called ten times a second."""
        now = monotonic()
        self._shut(socket.SHUT_RDWR, lambda until: until <= now)

    def stop_reading(self) -> None:
        """End the reading of all requests. Requests that are complete are still answered."""
        self._shut(socket.SHUT_RD, lambda _: True)

    def _shut(self, how: int, is_meant: Callable[[float], bool]) -> None:
        with self._lock:
            meant = [one for one, until in self._open.items() if is_meant(until)]
        for one in meant:
            with suppress(OSError):  # it has gone by itself
                one.shutdown(how)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401, ARG002  # see above
        """Log an aborted request at debug level: it is no news."""
        logger.debug("a request broke off")


class _Request(BaseHTTPRequestHandler):
    server: _Server
    timeout = SECONDS
    server_version = "turnserver"
    sys_version = ""
    protocol_version = "HTTP/1.0"  # one request a connection; the web server in front keeps those of the public alive
    error_message_format = "%(code)d %(message)s\n"
    error_content_type = "text/plain"

    def do_GET(self) -> None:
        self._answer(lambda service, token: "ask" if service.people.unsubscriber(token) else "unknown")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        body = self.rfile.read(int(length))  # what it says does not matter: `List-Unsubscribe=One-Click`, or the button's nothing
        if len(body) < int(length):
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        self._answer(lambda service, token: "done" if service.people.unsubscribe(token, cause=f"web:{uuid4().hex}") else "unknown")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in http.server
        """Log nothing: addresses hold tokens, and the web server in front has a log of its own."""

    def _answer(self, act: Callable[[Service, str], Literal["ask", "done", "unknown"]]) -> None:
        self.server.has_asked(self.connection)
        service, found = self.server.service, _PATH.fullmatch(urlsplit(self.path).path)
        state: Literal["ask", "done", "unknown", "trouble"] = "unknown"
        player, language = "", service.settings.site.language
        try:
            if found:
                state = act(service, found[1])
                person = service.people.unsubscriber(found[1])
                player, language = (person.name, person.preferences.language) if person else (player, language)
        except Exception:  # whatever went wrong, the person is told, and the admin finds it in the log
            logger.exception("somebody could not be unsubscribed")
            state = "trouble"
        page = pages.render(TEMPLATE, UnsubscribePage(service.settings.site.name, player, state), language).encode()
        status = {"unknown": HTTPStatus.NOT_FOUND, "trouble": HTTPStatus.SERVICE_UNAVAILABLE}.get(state, HTTPStatus.OK)
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)
