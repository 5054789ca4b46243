"""A page and the server that shows it, apart from each other: a page answers requests, and knows nothing of sockets or threads.

`turnserver.web.http_server` is the server of today. Another one has to keep the same two promises, and no page changes.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

LOOPBACK: Final = "127.0.0.1"
MOST_BYTES: Final = 200_000
"""The longest body that a page gets to see."""


class Request(NamedTuple):
    """A request as it came; names of headers are in lower case. `body` is None if it is longer than `MOST_BYTES` or of no known length.

    `own` are the names under which the server serves, such as `127.0.0.1:8025`.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | None
    own: frozenset[str]

    @property
    def path(self) -> list[str]:
        """Return the parts of the path; [""] for the root."""
        return [unquote(part) for part in urlsplit(self.target).path.strip("/").split("/")]

    @property
    def query(self) -> dict[str, str]:
        """Return the first value of each parameter behind the question mark."""
        return _first(urlsplit(self.target).query)

    @property
    def form(self) -> dict[str, str]:
        """Return the first value of each field of a form that was sent. Raises UnicodeDecodeError."""
        return _first((self.body or b"").decode())


class Reply(NamedTuple):
    """The answer to a request; `headers` come beside those that the type and the length of the body give."""

    status: HTTPStatus
    type: str = "text/plain; charset=utf-8"
    body: bytes = b""
    headers: Mapping[str, str] = MappingProxyType({})


Answer = Callable[[Request], Reply]
"""A page: it answers every request. Several threads may ask at once."""


class PageServer(Protocol):
    """A server that has its port already, and serves one page while `serving`."""

    @property
    def address(self) -> str:
        """Return the URL to type into a browser."""

    def serving(self, answer: Answer) -> AbstractContextManager[object]:
        """Serve a page from `with` to its end."""


def _first(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
