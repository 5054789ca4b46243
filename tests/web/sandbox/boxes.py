"""A sandbox at work over the club of the command line, and requests to its page."""

import http.client
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from tests.cli.club import RUNNING, Club
from tests.web.serving import unattended
from turnserver.cli.session import Outside
from turnserver.config import reading
from turnserver.service.service import Service
from turnserver.web.app import guarded
from turnserver.web.sandbox.desk import YOURS, Desk, new_site, service_into
from turnserver.web.sandbox.mails import Captured
from turnserver.web.sandbox.page import SandboxPages
from turnserver.web.server import LOOPBACK, WebServer

OURS = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
"""The headers of a form of the page itself."""


class Page(NamedTuple):
    """An answer of the pages."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return unescape(self.body.decode())


class Box(NamedTuple):
    """A sandbox at work."""

    desk: Desk
    service: Service
    port: int

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Page:
        return asked(self.port, method, path, body, **headers)

    def newest(self, name: str) -> Captured:
        """A player's newest mail about the running game."""
        return next(mail for mail in self.desk.capture.list() if mail.name == name and f"[Take {RUNNING}]" in mail.subject)

    def phones(self, path: str = "/") -> list[str]:
        """Return whose phones a page shows."""
        return re.findall(r'<section aria-label="Mails of (\w+)">', self.ask("GET", path).text)

    def answer(self, number: str, text: str, to: str = "") -> Page:
        return self.send(f"/mails/{number}/answer", words=text, to=to)

    def send(self, path: str, **fields: str) -> Page:
        """Send a form as a browser does."""
        return self.ask("POST", path, urlencode(fields).encode(), **OURS)


def asked(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> Page:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    page = Page(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    connection.close()
    return page


@contextmanager
def opened(club: Club, outside: Outside | None = None) -> Iterator[Box]:
    """The sandbox over a club that is there."""
    world = outside or club.outside
    with (
        service_into(club.directory / "caught", reading.load(club.config, {}), world.clock, world.lot) as service,
        at_work(service, Desk(service, club.directory / "caught")) as box,
    ):
        yield box


@contextmanager
def new(directory: Path, players: Sequence[str] = YOURS, house: Sequence[str] = ()) -> Iterator[Box]:
    """The sandbox over a site of its own."""
    maildir = directory / "mails"
    with (
        service_into(maildir, new_site(directory / "turnserver.toml")) as service,
        at_work(service, Desk(service, maildir, players=players, house=house)) as box,
    ):
        yield box


@contextmanager
def at_work(service: Service, desk: Desk) -> Iterator[Box]:
    with desk, unattended(WebServer(guarded(SandboxPages(desk).routes(), "", "en"), LOOPBACK, 0, choose="")) as server:
        desk.work()
        yield Box(desk, service, server.port)
