"""The rules that hold for every page: who may ask under which name, how often, and what each answer says to the browser.

The guard stands in front of the router. What depends on the page, such as who may send its form, `page` in `routes.py` asks of it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from turnserver.errors import StoreError
from turnserver.trouble import Trouble
from turnserver.web.counts import Counts
from turnserver.web.server import LOOPBACKS
from turnserver.web.words import words

logger = logging.getLogger(__name__)

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = MappingProxyType(
    {
        "Content-Security-Policy": POLICY,
        # An address may hold a token, which caches, other sites and search engines must not learn.
        "Cache-Control": "no-store",
        # With none, browsers would not tell us either that a form is ours: those from before 2023 say it in `Origin` alone.
        "Referrer-Policy": "same-origin",
        "X-Robots-Tag": "noindex",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
)
"""The headers of every answer, unless its page says otherwise."""

MOST_AT_ONCE: Final = 8
"""The number of requests that have a thread, and so a connection to the database, at a time."""
PATIENCE: Final = 5.0
"""The seconds for which a request waits for a thread before it is sent away."""


class Rates:
    """Counts how often somebody asks: a burst at first, then so many times a second. Forgets those who were quiet for long enough."""

    def __init__(self, burst: int, per_second: float, most: int = 10_000) -> None:
        """Allow a `burst` and then `per_second` to each of the `most` that are kept in mind."""
        self._burst, self._pause, self._most = burst, 1 / per_second, most
        # The generic cell rate algorithm: for each, the instant at which the whole burst is there again.
        self._full_at: dict[str, float] = {}

    def wait(self, who: str, now: float) -> float:
        """Count a request. Return 0, or the seconds after which the next one is allowed."""
        full_at = max(self._full_at.pop(who, now), now)
        late = full_at - now - (self._burst - 1) * self._pause
        self._full_at[who] = full_at if late > 0 else full_at + self._pause
        if len(self._full_at) > self._most:
            # whoever asked last stands last
            del self._full_at[next(iter(self._full_at))]
        return max(late, 0.0)


class Guard:
    """The application that a server serves: a router, and what every request to it has to pass."""

    def __init__(self, app: ASGIApp, url: str, language: str, counts: Counts, acted: Callable[[], None]) -> None:
        """Guard `app`, which people reach at `url`; empty if only by loopback. Refusals are in `language`.

        `acted` is called when a form was carried out, and may have left a mail to be sent.
        """
        public = urlsplit(url)
        self._language = language
        self.counts = counts
        self._app = app
        self._acted = acted
        self._root = public.path.rstrip("/")
        self._host = public.netloc.lower().removesuffix(":443")
        # A club evening has one address for everybody.
        self.addresses = Rates(burst=300, per_second=10)
        # Each touch of a board asks for a page and a picture.
        self.tokens = Rates(burst=240, per_second=4)
        # Each may send a mail to somebody who did not ask for it.
        self.sign_ins = Rates(burst=10, per_second=1 / 360)
        self._trouble = Trouble(logger, "pages that need the database cannot be shown", monotonic)
        self._proxy_told = False
        self._needy: set[tuple[str, str]] = set()
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self.patience = PATIENCE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by ASGI."""
        began, status = monotonic(), 0

        async def sealed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        # The web server in front may pass the path of our address on or leave it out.
        path = scope["path"] if scope["path"] != self._root else f"{self._root}/"
        scope.update(path=path, root_path=self._root, guard=self, state={"route": "", "language": self._language})
        self.counts.begin()
        try:
            await (self._refusal(Request(scope)) or self._app)(scope, receive, sealed)
        except ClientDisconnect:
            logger.debug("a request broke off")
        # The router has answered already, in words; nobody but the admin is to learn more.
        except StoreError as error:
            self._needy.add((scope["method"], scope["state"]["route"]))
            self._trouble.failed(error)
        except Exception:
            logger.exception("%s broke down", scope["state"]["route"] or "a page")
        else:
            # some pages need no database, so that they can be shown tells nothing
            if status == HTTPStatus.OK and (scope["method"], scope["state"]["route"]) in self._needy:
                self._needy.clear()
                self._trouble.works()
        finally:
            self.counts.end(scope["state"]["route"], status, monotonic() - began)
        if scope["method"] == "POST" and 0 < status < HTTPStatus.BAD_REQUEST:
            # Once the answer is out: mails that are sent now must not hold it up.
            self._acted()

    def count_token(self, token: str) -> None:
        """Raise HTTPException if the token was used too often."""
        # What stands for it is short, however long a text somebody sends, and one for every spelling.
        key = sha256(token.lower().encode("utf-8", "surrogateescape")).hexdigest()
        if token and (late := self.tokens.wait(key, monotonic())):
            raise HTTPException(429, headers={"Retry-After": str(ceil(late))})

    def count_sign_in(self, request: Request) -> None:
        """Raise HTTPException if somebody asks for links to sign in by too often."""
        client = request.client.host if request.client else ""
        if client not in LOOPBACKS and (late := self.sign_ins.wait(_network(client), monotonic())):
            raise HTTPException(429, headers={"Retry-After": str(ceil(late))})

    def require_same_site(self, request: Request) -> None:
        """Raise HTTPException unless a form comes from a page of ours."""
        own = f"https://{self._host}" if self._is_public(request) else f"http://{request.headers['host']}"
        # Browsers before 2023 know only the second, and without a page that leads here they say neither.
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if site not in ("same-origin", "none") and (site is not None or origin != own):
            raise HTTPException(403)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold one of the threads. Raise HTTPException if none is free in time."""
        try:
            async with asyncio.timeout(self.patience):
                await self._places.acquire()
        except TimeoutError as error:
            raise HTTPException(503, headers={"Retry-After": "60"}) from error
        try:
            yield
        finally:
            self._places.release()

    def _refusal(self, request: Request) -> ASGIApp | None:
        """Return the answer to a request for a name that is not ours, or from somebody who asks too often."""
        # Another name that resolves to us could make a page of another site read ours (DNS rebinding).
        if not self._is_public(request) and not _is_local(request):
            return words(request, 421)
        client = request.client.host if request.client else ""
        self._tell_of_proxy(request, client)
        # A web server in front that does not say for whom it asks would be taken for somebody who asks for everybody.
        late = self.addresses.wait(_network(client), monotonic()) if client not in LOOPBACKS else 0
        return words(request, 429, headers={"Retry-After": str(ceil(late))}) if late else None

    def _tell_of_proxy(self, request: Request, client: str) -> None:
        """Log the first request that says for whom it asks and is not believed. Anybody may send one, so there is one line a process."""
        # a web server may have added a header of its own to one that came
        if self._proxy_told or not (said := ",".join(request.headers.getlist("x-forwarded-for"))):
            return
        # where the web server is believed, the client is somebody whom it has named
        if client not in said:
            self._proxy_told = True
            advice = "if that is your web server, name it in web.proxies: until then all its visitors count as one"
            logger.warning("X-Forwarded-For of a request from %s is not believed; %s", client, advice)

    def _is_public(self, request: Request) -> bool:
        return bool(self._host) and request.headers.get("host", "").lower().removesuffix(":443") == self._host


def guard_of(request: Request) -> Guard:
    """Return the guard that a request has passed."""
    guard: Guard = request.scope["guard"]
    return guard


def _is_local(request: Request) -> bool:
    """Return whether a request names the socket that it came by, as a browser on this machine does and a web server in front of us may."""
    host, port = request.scope["server"]
    names = {f"[{name}]" if ":" in name else name for name in (*LOOPBACKS, "localhost", host)}
    return request.headers.get("host", "").lower() in {f"{name}:{port}" for name in names}


def _network(client: str) -> str:
    """Return what stands for a client: an IPv4 address, or the network that one customer has by IPv6."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    return str(ip_network((int(address), 64), strict=False)) if isinstance(address, IPv6Address) else client
