"""The pages behind Caddy and nginx, set up by the files that we publish: https, real addresses, limits."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest
import trustme

from tests.web.serving import PATIENCE_SECONDS, Answer, Few, few
from turnserver import resources
from turnserver.web import static
from turnserver.web.server import LOOPBACK

pytestmark = pytest.mark.long

NAME = "club.example"
STRANGER = "127.0.0.2"
"""The address of a client, another one than that of the web server."""

CADDY = """{{
	admin off
	http_port {http}
	https_port {https}
"""
NGINX = """user root;
daemon off;
pid {directory}/nginx.pid;
error_log stderr;
events {{ }}
http {{
	access_log off;
	client_body_temp_path {directory}/body;
	proxy_temp_path {directory}/proxy;
	fastcgi_temp_path {directory}/fastcgi;
	uwsgi_temp_path {directory}/uwsgi;
	scgi_temp_path {directory}/scgi;
"""


class Front(NamedTuple):
    """A web server in front of a few pages."""

    http: int
    https: int
    trusted: ssl.SSLContext

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Ask by https, as somebody does who is no part of the machine."""
        connection = _Https(self.https, self.trusted)
        connection.request(method, path, body, {"Host": NAME, **{name.replace("_", "-"): value for name, value in headers.items()}})
        found = connection.getresponse()
        answer = Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read().decode("latin-1"))
        connection.close()
        return answer


class _Https(HTTPSConnection):
    """A connection to loopback that believes to be one to `NAME`."""

    def __init__(self, port: int, trusted: ssl.SSLContext) -> None:
        super().__init__(NAME, port, context=trusted, timeout=PATIENCE_SECONDS)
        self._trusted = trusted

    def connect(self) -> None:
        plain = socket.create_connection((LOOPBACK, self.port), timeout=self.timeout, source_address=(STRANGER, 0))
        self.sock = self._trusted.wrap_socket(plain, server_hostname=NAME)


@pytest.fixture(scope="module", params=["caddy", "nginx"])
def name(request: pytest.FixtureRequest) -> str:
    """The name of a web server that is on this machine."""
    if _program(request.param) is None:
        pytest.skip(f"there is no {request.param} on this machine")
    return str(request.param)


@pytest.fixture(scope="module")
def served() -> Iterator[Few]:
    with few() as served:
        yield served


@pytest.fixture(scope="module")
def front(name: str, served: Few, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with _before(served.server.port, name, tmp_path_factory.mktemp(name)) as front:
        yield front


def _program(name: str) -> str | None:
    return shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin:/sbin:/bin")


@contextmanager
def _before(behind: int, name: str, directory: Path) -> Iterator[Front]:
    """Run a web server before the pages at a port."""
    authority = trustme.CA()
    certificate = authority.issue_cert(NAME)
    certificate.private_key_pem.write_to_path(str(directory / "key.pem"))
    for part in certificate.cert_chain_pems:
        part.write_to_path(str(directory / "chain.pem"), append=True)
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    http, https = ports = _free(2)
    write = _caddy if name == "caddy" else _nginx
    with _running(write(_program(name) or name, directory, behind, http, https), directory, ports):
        yield Front(http, https, trusted)


def _caddy(program: str, directory: Path, behind: int, http: int, https: int) -> list[str]:
    published = (resources.config_dir() / "web/Caddyfile").read_text("utf-8")
    mine = f"{NAME} {{\n\ttls {directory}/chain.pem {directory}/key.pem"
    ours, ports = "{\n\tlog {", f"{CADDY.format(http=http, https=https)}\tlog {{"
    assert ours in published
    text = published.replace(ours, ports).replace(f"{NAME} {{", mine).replace("127.0.0.1:8026", f"127.0.0.1:{behind}")
    (directory / "Caddyfile").write_text(text, encoding="utf-8")
    return [program, "run", "--config", str(directory / "Caddyfile"), "--adapter", "caddyfile"]


def _nginx(program: str, directory: Path, behind: int, http: int, https: int) -> list[str]:
    text = (resources.config_dir() / "web/nginx.conf").read_text("utf-8")
    changes = {
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ": f"listen 127.0.0.1:{https} ",
        f"/etc/letsencrypt/live/{NAME}/fullchain.pem": f"{directory}/chain.pem",
        f"/etc/letsencrypt/live/{NAME}/privkey.pem": f"{directory}/key.pem",
        "127.0.0.1:8026": f"127.0.0.1:{behind}",
    }
    for published, mine in changes.items():
        assert published in text
        text = text.replace(published, mine)
    (directory / "nginx.conf").write_text(f"{NGINX.format(directory=directory)}{text}}}\n", encoding="utf-8")
    return [program, "-p", str(directory), "-c", str(directory / "nginx.conf"), "-e", "stderr"]


def _free(count: int) -> list[int]:
    taken = [socket.create_server((LOOPBACK, 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in taken]
    for one in taken:
        one.close()
    return ports


@contextmanager
def _running(command: list[str], directory: Path, ports: list[int]) -> Iterator[None]:
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(command, env={"HOME": str(directory), "PATH": "/usr/bin:/bin"}, stdout=log, stderr=log)
    try:
        for port in ports:
            patience = monotonic() + PATIENCE_SECONDS
            while not _listens(port):
                assert process.poll() is None, (directory / "log").read_text("utf-8")
                assert monotonic() < patience
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex((LOOPBACK, port)) == 0


def test_pages_come_by_https_and_who_asks_is_passed_on(front: Front) -> None:
    assert front.ask("GET", "/").text == f"shown to {STRANGER}"
    assert front.ask("GET", "/", X_Forwarded_For="203.0.113.9").text == f"shown to {STRANGER}"
    assert front.ask("GET", "/").headers["strict-transport-security"] == "max-age=31536000"


def test_forms_are_taken_from_our_own_pages_alone(front: Front, served: Few) -> None:
    assert front.ask("POST", "/form/a", b"a=1", Origin=f"https://{NAME}").status == 200
    assert front.ask("POST", "/form/a", b"a=2", Origin="https://evil.example").status == 403
    assert front.ask("POST", "/anywhere", b"a=3").status == 200
    assert served.done[-2:] == [{"a": "1"}, {"a": "3"}]


def test_bodies_are_limited_and_files_compressed(front: Front) -> None:
    ours = front.ask("POST", "/anywhere", b"x" * 300_000)
    assert (ours.status, ours.text.startswith("That is too long.")) == (413, True)
    style = front.ask("GET", static.address("style.css"), Accept_Encoding="gzip")
    assert (style.status, style.headers["content-encoding"]) == (200, "gzip")
    assert style.headers["cache-control"] == static.FOR_EVER


def test_another_name_is_not_answered(front: Front) -> None:
    assert "shown" not in front.ask("GET", "/", Host="evil.example").text


def test_http_leads_to_https(front: Front) -> None:
    connection = HTTPConnection(LOOPBACK, front.http, timeout=PATIENCE_SECONDS)
    connection.request("GET", "/form/a", headers={"Host": NAME})
    answer = connection.getresponse()
    assert answer.status in (301, 308)
    assert str(answer.getheader("Location")).startswith(f"https://{NAME}")
    connection.close()


def test_no_token_is_in_a_log_while_the_pages_are_down(name: str, tmp_path: Path) -> None:
    (behind,) = _free(1)
    with _before(behind, name, tmp_path) as front:
        assert front.ask("GET", "/turn/1-2-the-token", Referer=f"https://{NAME}/turn/1-2-the-token").status == 502
    written = [path for path in tmp_path.rglob("*") if path.is_file() and b"the-token" in path.read_bytes()]
    assert written == [], written[0].read_text("utf-8")
