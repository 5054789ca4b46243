"""The public page, asked as a mail program, a browser and a nuisance would."""

import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.service.world import PEOPLE, SITE, World
from tests.terms import PLAIN
from tests.web.serving import unattended
from turnserver.config import Incoming, Settings, Site, Web
from turnserver.errors import ConfigError
from turnserver.jobs import Server
from turnserver.store.log.database import Database
from turnserver.web.app import public_server
from turnserver.web.counts import Counts
from turnserver.web.health import health_server

URL = "https://club.example/turns"


class Served(NamedTuple):
    """A world and its page."""

    world: World
    port: int

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[HTTPResponse, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response, text

    def path(self, name: str = "Bob") -> str:
        """The path behind the web server that stands in the player's mails."""
        listed = str(self.world.welcomes[name]["List-Unsubscribe"]).partition(f"<{URL}")[2]
        return listed.removesuffix(">")

    def subscribed(self, name: str = "Bob") -> bool:
        return self.world.service.people.find(name).preferences.subscribed


@pytest.fixture
def site(sqlite_url: str, tmp_path: Path) -> Iterator[Served]:
    """A service with a page on a free port."""
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=PLAIN, web=Web(url=URL, port=0)))
    with unattended(public_server(world.service, Counts())) as server:
        yield Served(world, server.port)
    db.close()


def test_one_click(site: Served) -> None:
    """RFC 8058, 3.1: a POST with that body, without cookies or anything else, and no redirect in answer."""
    response, text = site.ask("POST", site.path(), "List-Unsubscribe=One-Click", Content_Type="application/x-www-form-urlencoded")
    assert (response.status, response.getheader("Location")) == (200, None)
    assert "sends you no more mail" in text
    assert not site.subscribed()
    assert site.subscribed("Ada")
    site.world.settle()
    assert "You have unsubscribed." in site.world.text("Bob")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_looking_changes_nothing(site: Served, method: str) -> None:
    response, text = site.ask(method, site.path())
    assert response.status == 200
    assert ('<form method="post">' in text) == (method == "GET")
    assert site.subscribed()


def test_the_button_does_it_and_again_changes_nothing(site: Served) -> None:
    for _ in range(2):
        assert "sends you no more mail" in site.ask("POST", site.path(), "")[1]
    site.world.settle()
    assert len(site.world.mails("Bob")) == 2
    assert not site.subscribed()


def test_a_path_before_it_and_capitals_do_not_matter(site: Served) -> None:
    assert site.ask("POST", "/turns" + site.path().replace("/unsubscribe/", "/x/unsubscribe/") + "?utm=1")[0].status == 200
    assert not site.subscribed()
    token = site.path("Ada").rpartition("/")[2]
    assert site.ask("POST", f"/unsubscribe/{token.upper()}/")[0].status == 200
    assert not site.subscribed("Ada")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_is_no_address_of_ours_is_nobody(site: Served, method: str) -> None:
    token = site.path().rpartition("/")[2]
    reply = site.world.welcomes["Bob"]["Reply-To"].addresses[0].addr_spec.partition("@")[0].partition("+")[2]
    for path, nothing in {
        "/unsubscribe/": False,
        f"/unsubscribe/{token[:-1]}a": False,
        f"/unsubscribe/{reply}": False,
        f"/unsubscribe/{token}/more": False,
        "/%00": True,
        f"/{token}": True,
    }.items():
        response, text = site.ask(method, path)
        assert response.status == 404
        assert ("There is nothing at this address." if nothing else "There is nobody here.") in text
    assert all(site.subscribed(name) for name in PEOPLE)


@pytest.mark.parametrize(("length", "status"), [("10001", b" 413 "), ("-1", b" 400 "), ("1e3", b" 400 "), ("\u0663", b" 400 ")])
def test_a_body_that_is_too_long_is_not_read(site: Served, length: str, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as client:
        client.sendall(f"POST {site.path()} HTTP/1.1\r\nHost: club.example\r\nContent-Length: {length}\r\n\r\n".encode())
        assert status in client.recv(100)
    assert site.subscribed()


@pytest.mark.parametrize("sent", ["Host: club.example\r\nContent-Length: 5\r\n\r\nList", "Host: club.example\r\n"])
def test_half_a_request_does_nothing(site: Served, sent: str) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as client:
        client.sendall(f"POST {site.path()} HTTP/1.1\r\n{sent}".encode())
        client.shutdown(socket.SHUT_WR)
        client.recv(100)
    assert site.ask("GET", site.path())[0].status == 200
    assert site.subscribed()


def test_nobody_can_frame_or_store_it_and_it_loads_nothing(site: Served) -> None:
    response, text = site.ask("GET", site.path())
    assert "default-src 'none'" in str(response.getheader("Content-Security-Policy"))
    assert "frame-ancestors 'none'" in str(response.getheader("Content-Security-Policy"))
    assert response.getheader("Cache-Control") == "no-store"
    assert response.getheader("Referrer-Policy") == "same-origin"
    assert "http" not in text.replace("https", "http").partition("<body>")[2]
    assert "bob@example.org" not in text


def test_it_is_in_the_language_of_the_player(site: Served) -> None:
    site.world.service.people.choose("Bob", [("language", "de")], actor="admin:test", cause="test:german")
    assert '<html lang="en">' in site.ask("GET", site.path("Ada"))[1]
    assert "There is nobody here." in site.ask("GET", "/unsubscribe/")[1]
    for method, sentence in (("GET", "Bob, die Partien, die du spielst, gehen weiter"), ("POST", "mit dem Wort &#34;bestellen&#34;")):
        text = site.ask(method, site.path(), "")[1]
        assert '<html lang="de">' in text
        assert sentence in text.replace("\u201e", "&#34;").replace("\u201c", "&#34;")


def test_a_name_is_text(site: Served) -> None:
    site.world.service.people.edit("Bob", name="<b>Bob</b>", actor="admin:test", cause="test:name")
    assert "&lt;b&gt;Bob&lt;/b&gt;, games that you play go on" in site.ask("GET", site.path())[1]


def test_a_taken_port_is_one_sentence(site: Served) -> None:
    service = site.world.service
    service.settings = Settings(site=Site(address=SITE), play=PLAIN, web=Web(url=URL, port=site.port))
    with pytest.raises(ConfigError, match=rf"port {site.port}: Address already in use\. Choose another one as web\.host and web\.port"):
        public_server(service, Counts())


def test_a_taken_port_of_what_watches_is_not_said_to_be_that_of_pages(site: Served) -> None:
    service = site.world.service
    service.settings = Settings(site=Site(address=SITE), play=PLAIN, web=Web(health=f"127.0.0.1:{site.port}"))
    said = rf"^/healthz, /readyz and /metrics cannot be served at 127.0.0.1 port {site.port}: Address already in use\. Each process"
    with pytest.raises(ConfigError, match=said):
        health_server(service, Counts())


def test_serve_serves_it(sqlite_url: str, tmp_path: Path) -> None:
    """From start to stop, if the settings name a public address."""
    server, world = served_by_serve(sqlite_url, tmp_path, Web(url=URL, port=0))
    server.start()
    assert server.pages is not None
    served = Served(world, server.pages.port)
    assert served.ask("POST", served.path())[0].status == 200
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        served.ask("GET", served.path())


@pytest.mark.parametrize("web", [Web(port=0), Web(url=URL, port=0, serve=False)])
def test_serve_leaves_it_to_others(sqlite_url: str, tmp_path: Path, web: Web) -> None:
    assert served_by_serve(sqlite_url, tmp_path, web)[0].pages is None


def served_by_serve(sqlite_url: str, directory: Path, web: Web) -> tuple[Server, World]:
    settings = Settings(site=Site(address=SITE), play=PLAIN, incoming=Incoming(lmtp_port=0), web=web)
    world = World(Database.connect(sqlite_url), directory / "mail", settings=settings)
    return Server(world.service), world
