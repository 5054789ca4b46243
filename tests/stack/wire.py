"""A wire to a server that can be cut."""

import select
import socket
from contextlib import suppress
from threading import Thread
from typing import Self

from tests.jobs.sink import LOOPBACK

MUCH = 1 << 40


class Wire:
    """Passes on what the ends of a connection say, until the server has said `length` bytes, or `cut`; then both are cut off in mid-word.

    Listens from `with` to its end, for one connection after the other.
    """

    def __init__(self, port: int) -> None:
        """To the server on that port of this machine."""
        self.length = MUCH
        self.connections = 0
        self._target = port
        self._server = socket.create_server((LOOPBACK, 0))
        self.port: int = self._server.getsockname()[1]
        self._client: socket.socket | None = None
        self._thread = Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.close()

    def cut(self) -> None:
        """Cut the connection that there is. Nothing more comes through it once this returns."""
        assert self._client is not None
        self._client.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            self._client = client
            with suppress(OSError), client, socket.create_connection((LOOPBACK, self._target)) as server:
                self._pass_on(client, server)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        left = self.length
        while left:
            ready, _, _ = select.select([client, server], [], [])
            if client in ready:
                said = client.recv(65_536)
                server.sendall(said)
                if not said:
                    return
            if server in ready:
                said = server.recv(min(left, 65_536))
                client.sendall(said)
                left -= len(said)
                if not said:
                    return
