"""An application of pages served over HTTP by uvicorn, in a thread of its own.

uvicorn waits for slow clients without end. Here a client has some seconds to send a whole request and to take its answer, and when there
are too many connections, a new one takes the place of the one that has been sending its request for the longest time. So silent clients
shut nobody out. The public reaches this server through a web server in front of it, which speaks HTTPS.
"""

import asyncio
import os
import socket
from collections.abc import Sequence
from threading import Thread
from time import monotonic
from typing import Final, Self

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from turnserver.errors import ConfigError

LOOPBACK: Final = "127.0.0.1"
LOOPBACKS: Final = (LOOPBACK, "::1")
SECONDS: Final = 15.0
"""The longest time for a request to be sent, for an answer to be taken, and between two requests on one connection."""
MOST_CONNECTIONS: Final = 256
_BUSY: Final = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class WebServer:
    """Serves an application between `start` and `stop`, or from `with` to its end. It has its port before."""

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        *,
        choose: str,
        what: str = "Pages",
        proxies: Sequence[str] = LOOPBACKS,
        seconds: float = SECONDS,
        most: int = MOST_CONNECTIONS,
    ) -> None:
        """Take a port; 0 takes a free one. Clients have `seconds`, and `most` may be connected. `proxies` are believed whom they speak for.

        Raise ConfigError if the address cannot be had; `choose` says how to name another one, `what` what is served.
        """
        try:
            family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            # Here and not in the thread, so that a port that is taken becomes a sentence for the admin.
            self._socket = socket.create_server(address[:2], family=family, backlog=4 * MOST_CONNECTIONS)
        except OSError as error:
            # errors of name resolution have negative numbers, and a text of their own
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
            raise ConfigError(f"{what} cannot be served at {host} port {port}: {reason}. {choose}") from error
        self.port = int(self._socket.getsockname()[1])
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"
        config = _Config(
            app,
            http=_Connection,
            ws="none",
            lifespan="off",
            loop="asyncio",
            # addresses hold tokens, so no request is logged; the web server in front has a log of its own
            access_log=False,
            log_config=None,
            log_level="error",
            server_header=False,
            forwarded_allow_ips=list(proxies),
            backlog=4 * MOST_CONNECTIONS,
            # the deadline below ends idle connections too
            timeout_keep_alive=int(seconds) + 1,
        )
        config.seconds, config.most = seconds, most
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, args=([self._socket],), name="pages", daemon=True)

    @property
    def connections(self) -> int:
        """The number of clients that are connected."""
        return len(self._server.server_state.connections)

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Finish the requests under way, without waiting for clients that have not sent all yet."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Config(uvicorn.Config):
    """The settings of uvicorn, and what its connections have beside these."""

    seconds: float
    most: int


class _Connection(H11Protocol):
    """A connection with a deadline whenever it is the client's turn: to send a request, or to take what was sent."""

    config: _Config
    cycle: RequestResponseCycle | None  # type: ignore[assignment]  # None at first, whatever uvicorn says
    _since: float = 0.0
    _deadline: asyncio.TimerHandle | None = None

    @property
    def is_asking(self) -> bool:
        """True while no whole request is there that is not answered yet."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._wait_for_client()
        # Whoever waits for an answer keeps the place: the work for them is under way.
        if len(self.connections) > self.config.most:
            others = [one for one in self.connections if isinstance(one, _Connection) and one is not self and one.is_asking]
            if others:
                min(others, key=lambda one: one._since).transport.abort()  # noqa: SLF001  # of the same class
            else:
                transport.write(_BUSY)
                transport.close()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        self._wait_for_client()
        # the next request may have come already, whole or in part
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_client()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._rest()

    def shutdown(self) -> None:
        """Close the connection, after its answer if a whole request is there."""
        if self.cycle is not None and not self.cycle.response_complete and self.cycle.more_body:
            self.transport.abort()
        else:
            super().shutdown()

    def _look(self) -> None:
        if not self.is_asking:
            self._rest()

    def _wait_for_client(self) -> None:
        self._rest()
        self._since = monotonic()
        self._deadline = self.loop.call_later(self.config.seconds, self.transport.abort)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
