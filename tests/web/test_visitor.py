"""The visitor of a page is known by a cookie that only our pages get and no script reads."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tests.service.pages.test_sessions import everything
from tests.service.signing import signed_in
from tests.service.world import SITE, Chance, World
from tests.terms import PLAIN
from tests.web.serving import URL, asked, unattended
from turnserver.config import Settings, Site, Web
from turnserver.store.log.database import Database
from turnserver.store.people.sessions import digest
from turnserver.web import visitor
from turnserver.web.app import guarded
from turnserver.web.routes import page
from turnserver.web.server import LOOPBACK, WebServer


class Door(NamedTuple):
    """A world, and the port of a page that tells who asks for it."""

    world: World
    port: int

    def says(self, **headers: str) -> str:
        return asked(self.port, "GET", "/who", **headers).text


@pytest.fixture(params=[URL, ""])
def door(request: pytest.FixtureRequest, sqlite_url: str, tmp_path: Path) -> Iterator[Door]:
    """A page at an address for everybody, and at one for this machine alone."""
    db = Database.connect(sqlite_url)
    world = World(
        db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=PLAIN, web=Web(url=request.param)), entropy=Chance()
    )

    def who(asking: Request) -> Response:
        return PlainTextResponse(str(visitor.visitor(world.service, asking)))

    def enter(asking: Request) -> Response:
        answer = PlainTextResponse("")
        visitor.keep(world.service, asking, answer, "the secret")
        return answer

    def leave(asking: Request) -> Response:
        answer = PlainTextResponse("")
        visitor.forget(asking, answer)
        return answer

    routes = [page("/who", get=who), page("/enter", get=enter), page("/leave", get=leave)]
    with unattended(WebServer(guarded(routes, request.param, "en"), LOOPBACK, 0, choose="")) as server:
        yield Door(world, server.port)
    db.close()


def test_a_page_knows_who_is_signed_in(door: Door) -> None:
    secret = signed_in(door.world, "Bob")
    bob = door.world.service.people.find("Bob").id
    assert door.says(Cookie=f"session={secret}") == str(bob)
    for other in ("", "session=", f"session={secret[:-1]}", f"session={digest(secret)}", f"turn={secret}"):
        assert door.says(Cookie=other) == "None"
    door.world.service.pages.sessions.end(bob, digest(secret))
    assert door.says(Cookie=f"session={secret}") == "None"


def test_the_cookie_is_for_all_of_our_pages_and_for_no_script(door: Door) -> None:
    secure = bool(door.world.service.settings.web.url)
    kept, gone = (asked(door.port, "GET", path).headers["set-cookie"] for path in ("/enter", "/leave"))
    for part in ("session=", "HttpOnly", "SameSite=lax", f"Path={'/turns' if secure else '/'};", "Max-Age=7776000"):
        assert part in f"{kept};"
    assert ("Secure" in kept) is secure
    assert "Max-Age=0" in gone
    assert f"Path={'/turns' if secure else '/'};" in gone


def test_looking_who_asks_changes_nothing(door: Door) -> None:
    secret = signed_in(door.world, "Ada")
    before = everything(door.world)
    door.world.wait(days=30)
    assert door.says(Cookie=f"session={secret}") != "None"
    assert everything(door.world) == before
