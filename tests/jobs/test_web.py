"""`turnserver web` and what watches it: real processes that serve pages, over either database, and say how they are."""

import re
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.jobs.serving import TURNSERVER, Serving, configured, environment, loaded, serving
from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS
from tests.web.serving import Answer, asked
from turnserver.service.service import Service

URL = "https://club.example/turns"


class Site(NamedTuple):
    """A configured database with a player, and where that player unsubscribes."""

    path: Path
    service: Service
    unsubscribe: str


class Pages(NamedTuple):
    """A process at work, and the ports of its pages and of its health."""

    process: Serving
    port: int
    health: int

    def healthy(self, path: str) -> Answer:
        return asked(self.health, "GET", path, Host="prometheus.example")


@contextmanager
def made(database_url: str, tmp_path: Path) -> Iterator[Site]:
    path = configured(tmp_path, database_url, 1, web={"url": URL, "port": 0, "health": ""}, outgoing={"transport": "maildir"})
    service = Service.initialise(loaded(path))
    service.people.add("Ada", "ada@example.org", actor="admin:test", cause="test:ada")
    (address,) = re.findall(rf"<{URL}(/unsubscribe/[^>]+)>", service.mail.render(1).mail.raw.decode())
    yield Site(path, service, address)
    service.db.close()


@pytest.fixture
def site(sqlite_url: str, tmp_path: Path) -> Iterator[Site]:
    with made(sqlite_url, tmp_path) as site:
        yield site


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def pages(site: Site) -> Iterator[Pages]:
    health = free_port()
    with serving(site.path, command="web", TURNSERVER_WEB__HEALTH=f"{LOOPBACK}:{health}") as process:
        found = re.search(rf"pages are at {URL}, which is to be passed on to http://127\.0\.0\.1:(\d+)/", process.wait("pages are at"))
        assert found is not None
        yield Pages(process, int(found[1]), health)


@pytest.mark.parametrize("database_url", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"], indirect=True)
@pytest.mark.engines
def test_any_number_of_processes_serve_the_pages_and_say_how_they_are(database_url: str, tmp_path: Path) -> None:
    with made(database_url, tmp_path) as site, ExitStack() as processes:
        first, second = (processes.enter_context(pages(site)) for _ in range(2))
        for one in (first, second):
            check_what_it_says(site, one)
        assert asked(first.port, "POST", site.unsubscribe).status == 200
        assert not site.service.people.find("Ada").preferences.subscribed
        assert "sends you no more mail" in asked(second.port, "POST", site.unsubscribe).text
        assert [one.process.stop() for one in (first, second)] == [0, 0]


def check_what_it_says(site: Site, served: Pages) -> None:
    """See that a process says how it is and what it has done, and nobody's secret."""
    assert asked(served.port, "GET", site.unsubscribe).status == 200
    assert [asked(served.port, "GET", path).status for path in ("/nothing", "/healthz", "/metrics")] == [404] * 3
    assert (served.healthy("/healthz").text, served.healthy("/readyz").text) == ("alive\n", "ready\n")
    # A request is counted a moment after its answer was sent.
    while "turnserver_requests_under_way 0" not in (metrics := served.healthy("/metrics")).text:
        pass
    assert metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    for line in (
        'turnserver_games{stage="running"} 0',
        'turnserver_mails_waiting{box="outbox"} 1',
        'turnserver_request_seconds_count{route="/unsubscribe/{token:path}",status="200"} 1',
        'turnserver_request_seconds_count{route="",status="404"} 3',
    ):
        assert line in metrics.text.splitlines()
    token = site.unsubscribe.rpartition("/")[2]
    assert token not in metrics.text + "".join(served.process.log)


@pytest.mark.long
def test_serve_says_so_too_and_leaves_the_pages_to_others_if_told(site: Site) -> None:
    health = free_port()
    with serving(site.path, TURNSERVER_WEB__HEALTH=f"{LOOPBACK}:{health}", TURNSERVER_WEB__SERVE="false") as served:
        assert served.port
        assert asked(health, "GET", "/readyz").status == 200
        assert served.stop() == 0
        assert "pages are at" not in "".join(served.log)


@pytest.mark.long
def test_is_not_ready_for_other_tables(site: Site, tmp_path: Path) -> None:
    with pages(site) as served:
        with closing(sqlite3.connect(tmp_path / "turnserver.db")) as conn, conn:
            conn.execute("UPDATE alembic_version SET version_num = '0001'")
        answer = served.healthy("/readyz")
        assert (answer.status, "is at revision 0001" in answer.text) == (503, True)
        assert served.healthy("/healthz").status == 200


@pytest.mark.long
def test_ends_when_the_database_is_gone(site: Site, tmp_path: Path) -> None:
    with pages(site) as served:
        (tmp_path / "turnserver.db").rename(tmp_path / "elsewhere.db")
        assert served.process.process.wait(PATIENCE_SECONDS) == 3


@pytest.mark.long
def test_finishes_what_is_under_way(site: Site, tmp_path: Path) -> None:
    """A request that waits for the database when SIGTERM comes is answered."""
    with pages(site) as served, closing(sqlite3.connect(tmp_path / "turnserver.db", isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with socket.create_connection((LOOPBACK, served.port), timeout=PATIENCE_SECONDS) as client:
            client.sendall(f"POST {site.unsubscribe} HTTP/1.1\r\nHost: club.example\r\n\r\n".encode())
            while "turnserver_requests_under_way 1" not in served.healthy("/metrics").text:
                pass
            served.process.process.send_signal(signal.SIGTERM)
            served.process.wait("SIGTERM: finishing what is under way")
            holder.execute("ROLLBACK")
            assert b" 200 " in client.recv(100)
        assert served.process.process.wait(PATIENCE_SECONDS) == 0
    assert not site.service.people.find("Ada").preferences.subscribed


# What the first two say is seen without a process by the tests of the command and of its pages.
@pytest.mark.long
@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"TURNSERVER_WEB__URL": ""}, "web.url is empty, so there are no pages."),
        ({"TURNSERVER_WEB__PORT": "taken"}, "Address already in use. Choose another one as web.host and web.port."),
        ({"TURNSERVER_WEB__HEALTH": "127.0.0.1:taken"}, "in use. Each process needs a web.health of its own; empty, it has none."),
        ({"TURNSERVER_WEB__HEALTH": "8027"}, "TURNSERVER_WEB__HEALTH must be a host and a port, such as 127.0.0.1:8027"),
        ({"TURNSERVER_WEB__HEALTH": "127.0.0.1:65536"}, "TURNSERVER_WEB__HEALTH must be a host and a port"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(site: Site, environ: dict[str, str], says: str) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        given = {name: value.replace("taken", str(taken.getsockname()[1])) for name, value in environ.items()}
        command = [*TURNSERVER, "--config", str(site.path), "web"]
        done = subprocess.run(command, capture_output=True, text=True, env={**environment(), **given}, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert says in done.stderr
