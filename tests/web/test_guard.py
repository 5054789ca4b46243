"""The laws of every page, asked as browsers, other sites, programs and nuisances do."""

import logging
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import pytest

from tests.cases import for_each
from tests.web.serving import URL, Answer, Few, few
from turnserver import resources
from turnserver.web import static
from turnserver.web.guard import HEADERS, Rates

HTML = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture(scope="module")
def shared() -> Iterator[Few]:
    with few() as served:
        yield served


class Case(NamedTuple):
    """A request, what it is answered with, and some of the words."""

    method: str
    path: str
    status: int
    says: str
    headers: dict[str, str] = {}  # noqa: RUF012  # nobody changes it
    body: bytes = b""


OURS = {"Sec-Fetch-Site": "same-origin"}
PUBLIC = {"Host": "club.example"}
REFUSED = {
    "nothing there": Case("GET", "/nothing", 404, "nothing at this address"),
    "nothing in words of our own": Case("GET", "/raises/missing", 404, "There is no game 7 here."),
    "refused": Case("GET", "/raises/refusal", 400, "It is not your turn."),
    "in words of the page": Case("GET", "/raises/conflict", 409, "Somebody else was first."),
    "no form here": Case("POST", "/", 405, "cannot be done here", OURS),
    "nothing to see here": Case("GET", "/anywhere", 405, "cannot be done here"),
    "no looking without the rest": Case("HEAD", "/anywhere", 405, ""),
    "another method": Case("PUT", "/form/a", 405, "cannot be done here", OURS),
    "too long": Case("POST", "/form/a", 413, "too long", OURS, b"x" * 101),
    "too long, in pieces": Case("POST", "/form/a", 413, "too long", {**OURS, "Transfer-Encoding": "chunked"}, b"65\r\n" + b"x" * 101),
    "no form": Case("POST", "/form/a", 400, "cannot be done", OURS, b"a=\xff"),
    "no form either": Case("POST", "/form/a", 400, "cannot be done", OURS, b"a=%ff"),
    "a form of another site": Case("POST", "/form/a", 403, "our page", {"Sec-Fetch-Site": "cross-site"}),
    "a form of another name of the domain": Case("POST", "/form/a", 403, "our page", {"Sec-Fetch-Site": "same-site"}),
    "a form of another site that says ours": Case(
        "POST", "/form/a", 403, "our page", {**PUBLIC, "Sec-Fetch-Site": "cross-site", "Origin": "https://club.example"}
    ),
    "a form of another site in an old browser": Case("POST", "/form/a", 403, "our page", {"Origin": "https://evil.example"}),
    "a form of ours without TLS": Case("POST", "/form/a", 403, "our page", {**PUBLIC, "Origin": "http://club.example"}),
    "a form of nowhere": Case("POST", "/form/a", 403, "our page", {"Origin": "null"}),
    "a form of a program": Case("POST", "/form/a", 403, "our page"),
    "another host": Case("GET", "/", 421, "no other name is answered", {"Host": "evil.example"}),
    "a host that begins with ours": Case("GET", "/", 421, "no other name is answered", {"Host": "club.example.evil.example"}),
    "another port": Case("GET", "/", 421, "no other name is answered", {"Host": "localhost:1"}),
    "no host": Case("GET", "/", 421, "no other name is answered", {"Host": ""}),
    "a form for another host": Case("POST", "/form/a", 421, "no other name is answered", {**OURS, "Host": "evil.example"}),
    "broken": Case("GET", "/raises/unforeseen", 503, "our fault"),
    "broken as foreseen": Case("GET", "/raises/config", 503, "our fault"),
    "no file": Case("GET", "/static/style.css", 404, "nothing at this address"),
    "a file beside": Case("GET", "/static/..%2Fwords.html.j2", 404, "nothing at this address"),
}


@pytest.mark.parametrize("accept", ["*/*", HTML])
@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_refuses_in_words_and_does_nothing(shared: Few, case: Case, accept: str) -> None:
    answer = shared.ask(case.method, case.path, case.body or None, **case.headers, Accept=accept)
    assert (answer.status, case.says in answer.text) == (case.status, True)
    assert answer.headers["content-type"] == ("text/html; charset=utf-8" if accept == HTML else "text/plain; charset=utf-8")
    assert "swordfish" not in answer.text
    assert {name: answer.headers[name.lower()] for name in HEADERS} == HEADERS
    assert shared.done == []


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_looking_never_acts(shared: Few, method: str) -> None:
    """Link scanners ask for every address in a mail."""
    answer = shared.ask(method, "/form/a", "a=1", **OURS)
    assert (answer.status, answer.text.startswith("shown")) == (200, method == "GET")
    assert shared.done == []


@pytest.mark.parametrize(("path", "allowed"), [("/", {"GET", "HEAD"}), ("/form/a", {"GET", "HEAD", "POST"}), ("/anywhere", {"POST"})])
def test_says_which_methods_there_are(shared: Few, path: str, allowed: set[str]) -> None:
    assert set(shared.ask("PUT", path).headers["allow"].split(", ")) == allowed


ALLOWED = {
    "a browser": ("/form/a", OURS),
    "a browser whose page was opened from a bookmark": ("/form/a", {"Sec-Fetch-Site": "none"}),
    "a browser by a name": ("/form/a", {**PUBLIC, **OURS}),
    "an old browser": ("/form/a", {**PUBLIC, "Origin": "https://club.example"}),
    "an old browser that names the port": ("/form/a", {"Host": "Club.Example:443", "Origin": "https://club.example"}),
    "an old browser on this machine": ("/form/a", {"Host": "localhost:{port}", "Origin": "http://localhost:{port}"}),
    "by IPv6": ("/form/a", {"Host": "[::1]:{port}", **OURS}),
    "a browser that hides where it was": ("/form/a", {**OURS, "Origin": "null"}),
    "a mail program": ("/anywhere", {}),
    "a mail program in a browser": ("/anywhere", {"Sec-Fetch-Site": "cross-site", "Origin": "https://mail.example"}),
}


@pytest.mark.parametrize(("path", "headers"), ALLOWED.values(), ids=ALLOWED)
def test_takes_forms_of_our_own_pages(shared: Few, path: str, headers: dict[str, str]) -> None:
    given = {name: value.format(port=shared.server.port) for name, value in headers.items()}
    assert shared.ask("POST", path, "a=1&b=%C3%A4&a=2&c=", **given).text == "done"
    assert shared.done.pop() == {"a": "1", "b": "ä", "c": ""}


@pytest.mark.parametrize("path", ["/", "/turns", "/turns/", "/turns/form/a", "/form/a"])
def test_the_path_of_our_address_may_be_passed_on_or_left_out(shared: Few, path: str) -> None:
    assert shared.ask("GET", path).text == "shown to 127.0.0.1"


def test_a_page_may_say_otherwise(shared: Few) -> None:
    headers = shared.ask("GET", "/own").headers
    assert (headers["cache-control"], headers["content-security-policy"]) == ("max-age=60", "sandbox")
    assert headers["referrer-policy"] == "same-origin"


def test_no_answer_says_which_program_it_is_of(shared: Few) -> None:
    assert "server" not in shared.ask("GET", "/").headers


def test_words_are_in_the_language_of_the_site() -> None:
    with few(language="de") as served:
        page = served.ask("GET", "/nothing", Accept=HTML).text
        assert '<html lang="de">' in page
        assert "Unter dieser Adresse ist nichts." in page
        assert "Unter dieser Adresse ist nichts." in served.ask("GET", "/nothing").text
        assert "Eine Partie 7 gibt es hier nicht." in served.ask("GET", "/raises/missing").text


def test_what_breaks_is_told_to_the_admin_without_its_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with few() as served:
        served.ask("GET", "/raises/unforeseen?secret")
        # it is told once the answer is out
        served.server.stop()
    (record,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert record.getMessage() == "/raises/{what} broke down"
    assert "swordfish" in str(record.exc_info)
    assert "secret" not in caplog.text


def test_a_database_that_is_down_is_told_once_and_so_is_its_return(caplog: pytest.LogCaptureFixture) -> None:
    with few() as served:
        paths = ("/raises/database", static.address("style.css"), "/", "/raises/database", "/raises/nothing")
        assert [served.ask("GET", path).status for path in paths] == [503, 200, 200, 503, 200]
        served.server.stop()
    what = "pages that need the database cannot be shown"
    assert [(one.getMessage().partition("; the last")[0], one.exc_info) for one in caplog.records] == [
        (f"{what}: another process holds the rows; while that goes on, it is counted and not told again", False),
        (f"{what}: works again, after 2 failures", None),
    ]


def forwarded(served: Few, chain: str, path: str = "/") -> Answer:
    return served.ask("GET", path, X_Forwarded_For=chain)


@for_each(
    ("proxies", "chain", "client"),
    [
        (["127.0.0.1"], "203.0.113.7", "203.0.113.7"),
        (["127.0.0.1"], "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (["127.0.0.1", "198.51.100.0/24"], "203.0.113.7, 198.51.100.1", "203.0.113.7"),
        (["192.0.2.1"], "203.0.113.7", "127.0.0.1"),
    ],
)
def test_believes_its_own_web_server_and_nobody_else(proxies: list[str], chain: str, client: str) -> None:
    with few(proxies=proxies) as served:
        assert forwarded(served, chain).text == f"shown to {client}"


@for_each(
    ("proxies", "asked", "told"),
    [
        (["192.0.2.1"], ["203.0.113.7", "203.0.113.8"], ["127.0.0.1"]),
        (["192.0.2.1"], ["", ""], []),
        (["127.0.0.1"], ["203.0.113.7", "2001:db8::1", "[2001:db8::1]:99"], []),
        (["127.0.0.1", "198.51.100.0/24"], ["203.0.113.7, 198.51.100.1"], []),
    ],
)
def test_says_once_of_whom_it_believes_nothing(
    caplog: pytest.LogCaptureFixture, proxies: list[str], asked: list[str], told: list[str]
) -> None:
    caplog.clear()
    with few(proxies=proxies) as served:
        assert {forwarded(served, chain).status for chain in asked} == {200}
    advice = "if that is your web server, name it in web.proxies: until then all its visitors count as one"
    assert caplog.messages == [f"X-Forwarded-For of a request from {peer} is not believed; {advice}" for peer in told]


def test_believes_its_own_web_server_that_adds_a_header_to_one_of_a_visitor(caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    with few(proxies=["127.0.0.1"]) as served:
        found = served.ask("GET", "/", X_Forwarded_For="198.51.100.9", x_forwarded_for="203.0.113.7")
    assert (found.text, caplog.messages) == ("shown to 203.0.113.7", [])


def test_limits_how_often_an_address_may_ask() -> None:
    with few() as served:
        served.guard.addresses = Rates(burst=3, per_second=0.01)
        network = "2001:db8:1:2"
        for client in ("203.0.113.7", network):
            hosts = [client] * 3 if ":" not in client else [f"{network}::{number}" for number in range(3)]
            assert [forwarded(served, host).status for host in hosts] == [200] * 3
            late = forwarded(served, hosts[-1] if ":" not in client else f"{network}:ffff::1")
            assert (late.status, 90 < int(late.headers["retry-after"]) <= 100) == (429, True)
            assert "too often" in late.text
        assert forwarded(served, "203.0.113.8").status == 200
        assert forwarded(served, "2001:db8:1:3::1").status == 200
        # what a web server on this machine does not say for anybody is not counted
        assert {served.ask("GET", "/").status for _ in range(5)} == {200}


def test_limits_how_often_a_token_may_be_used() -> None:
    with few() as served:
        served.guard.tokens = Rates(burst=3, per_second=0.01)
        answers = [served.ask(method, "/form/a", **OURS).status for method in ("GET", "POST", "HEAD", "POST", "GET")]
        assert answers == [200, 200, 200, 429, 429]
        assert len(served.done) == 1
        assert served.ask("GET", "/form/b").status == 200
        cookie = {"Cookie": "other=b; token=a"}
        assert [served.ask("GET", "/kept", **headers).status for headers in (cookie, {}, {"Cookie": "token=c"})] == [429, 200, 200]
        # one that anybody can make up does not hide the one that is used too often, whichever of them opens the page
        made_up = ["session=a; token=d", "session=e; token=a"]
        assert [served.ask("GET", "/kept", Cookie=cookies).status for cookies in made_up] == [429, 429]


def test_a_rate_comes_back_with_time_and_forgets_whoever_was_quiet() -> None:
    rates = Rates(burst=2, per_second=0.5, most=2)
    assert [rates.wait("a", 0.0) for _ in range(3)] == [0, 0, 2]
    assert [rates.wait("a", second) for second in (1.5, 2.0, 2.0, 100.0, 100.0, 100.0)] == [0.5, 0, 2, 0, 0, 2]
    rates.wait("b", 100.0)
    rates.wait("c", 100.0)
    assert rates.wait("a", 100.0) == 0


def test_the_style_is_kept_for_ever_and_is_another_when_it_changes(shared: Few) -> None:
    page = shared.ask("GET", "/nothing", Accept=HTML).text
    (address,) = [part.partition('"')[0] for part in page.split('href="')[1:] if "style" in part.partition('"')[0]]
    assert address.startswith(f"{URL.removeprefix('https://club.example')}/static/style-")
    style = shared.ask("GET", address)
    assert (style.status, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert style.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "min-height: 44px" in style.text


def test_a_copy_that_an_editor_left_beside_the_style_hurts_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copytree(resources.templates_dir() / "page" / "static", tmp_path / "page" / "static")
    (folder / "style.css~").touch()
    (folder / "old.css").mkdir()
    monkeypatch.setattr(resources, "templates_dir", lambda: tmp_path)
    files = static._files.__wrapped__()
    assert sorted(file.name for file in files.values()) == ["chance.js", "replay.js", "style.css", "turn.js"]


def test_counts_requests_by_route_and_status() -> None:
    with few() as served:
        for path in ("/form/secret", "/form/other", "/nothing", "/raises/missing"):
            served.ask("GET", path)
        # requests are counted once their answers are out
        served.server.stop()
    assert [line for line in served.guard.counts.lines() if "_count" in line] == [
        'turnserver_request_seconds_count{route="",status="404"} 1',
        'turnserver_request_seconds_count{route="/form/{token}",status="200"} 2',
        'turnserver_request_seconds_count{route="/raises/{what}",status="404"} 1',
    ]
