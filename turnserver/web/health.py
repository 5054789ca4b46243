"""The questions of whatever watches a process, at an address that the public does not reach: is it alive, can it work, what has it done."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from turnserver.errors import ClockWrong, DatabaseFull, StoreError
from turnserver.play.state import Status
from turnserver.service.service import Service
from turnserver.store.games import views
from turnserver.store.incidents import health
from turnserver.store.mail import inbox, outbox
from turnserver.web.counts import Counts
from turnserver.web.server import WebServer

METRICS = "text/plain; version=0.0.4; charset=utf-8"
FULL: Final = timedelta(minutes=1)
"""So long a process is not ready after the database's disk had no room for a write. Small rows may go in where a mail does not."""


def health_server(service: Service, counts: Counts) -> WebServer | None:
    """Return a server at the address of the settings, None if they have none. Raise ConfigError if the address cannot be had."""
    # The last colon, since an IPv6 address has others.
    host, _, port = service.settings.web.health.rpartition(":")
    choose = "Each process needs a web.health of its own; empty, it has none."
    what = "/healthz, /readyz and /metrics"
    return WebServer(application(service, counts), host.strip("[]"), int(port), choose=choose, what=what) if port else None


def application(service: Service, counts: Counts) -> Starlette:
    """Return the three pages. `counts` are those of the pages that this process serves."""
    full: tuple[DatabaseFull, datetime] | None = None

    def note(error: DatabaseFull) -> None:
        nonlocal full
        full = error, service.clock()

    def require_room() -> None:
        if full is not None and service.clock() - full[1] < FULL:
            raise full[0]

    # the minute begins with the write, whenever somebody asks
    service.db.when_full = note

    def ready(_: Request) -> Response:
        try:
            health.require_ready(service.db)
            require_room()
            service.upkeep.require_clock()
        except (StoreError, ClockWrong) as error:
            return PlainTextResponse(f"{error}\n", 503)
        return PlainTextResponse("ready\n")

    def metrics(_: Request) -> Response:
        try:
            return Response("".join(f"{line}\n" for line in (*_work(service), *counts.lines())), media_type=METRICS)
        except StoreError as error:
            return PlainTextResponse(f"{error}\n", 503)

    # Asks nothing of the database: starting a process anew mends no database.
    alive = Route("/healthz", lambda _: PlainTextResponse("alive\n"))
    return Starlette(routes=[alive, Route("/readyz", ready), Route("/metrics", metrics)])


def _work(service: Service) -> Iterator[str]:
    with service.db.read() as conn:
        games, incoming, leaving = views.count_games(conn), inbox.counts(conn), outbox.counts(conn)
    yield "# HELP turnserver_games Games by their stage."
    yield "# TYPE turnserver_games gauge"
    yield from (f'turnserver_games{{stage="{status}"}} {games.get(status, 0)}' for status in Status)
    yield "# HELP turnserver_mails_waiting Mails that are still to be handled or sent."
    yield "# TYPE turnserver_mails_waiting gauge"
    yield f'turnserver_mails_waiting{{box="inbox"}} {incoming.get("new", 0)}'
    yield f'turnserver_mails_waiting{{box="outbox"}} {leaving.get("queued", 0)}'
