"""Pages on loopback by the `http.server` of the standard library: a thread for each connection, for one person at one machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from turnserver.errors import ConfigError
from turnserver.web.exchange import LOOPBACK, MOST_BYTES, Answer, Request

_SECONDS: Final = 30.0


class LoopbackServer:
    """Serves a page on loopback. It listens at once, and answers while `serving`."""

    def __init__(self, port: int) -> None:
        """Take a port; 0 takes a free one. Raises ConfigError if the port is taken."""
        try:
            self._server = _Server((LOOPBACK, port), _Handler)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else error
            raise ConfigError(f"The page cannot be served at {LOOPBACK} port {port}: {reason}. Choose another with --port") from error

    @property
    def address(self) -> str:
        """Return the URL to type into a browser."""
        return f"http://{LOOPBACK}:{self._server.server_port}/"

    @contextmanager
    def serving(self, answer: Answer) -> Iterator[None]:
        """Serve a page from `with` to its end."""
        self._server.answer = answer
        thread = Thread(target=self._server.serve_forever, args=(0.1,), name="page", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    answer: Answer


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "turnserver"
    sys_version = ""
    timeout = _SECONDS

    def do_GET(self) -> None:  # http.server's name
        self._reply()

    def do_POST(self) -> None:  # http.server's name
        self._reply()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited
        """Say nothing: the page asks every second."""

    def _reply(self) -> None:
        own = frozenset(f"{name}:{self.server.server_port}" for name in (LOOPBACK, "localhost"))
        body = self._body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.answer(Request(self.command, self.path, headers, body, own))
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.type)
        self.send_header("Content-Length", str(len(reply.body)))
        if body is None:
            self.send_header("Connection", "close")  # the rest of what the client sends is not read
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        return self.rfile.read(int(length)) if length.isdecimal() and int(length) <= MOST_BYTES else None
