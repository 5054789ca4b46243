"""The sandbox: what is sent is caught and can be answered, by this machine alone, and nothing that a mail says does anything."""

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import pytest

from tests.cli.club import RUNNING, Club, copied
from tests.cli.typed import configure, typed
from tests.jobs.serving import TURNSERVER, environment
from turnserver.cli.sandbox.command import Sandbox, service_into
from turnserver.cli.sandbox.page import LOOPBACK
from turnserver.cli.session import Outside, Session
from turnserver.ids import GameId
from turnserver.service.service import Service
from turnserver.store.mail import inbox

CHROMIUM = shutil.which("chromium")
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
PATIENCE_SECONDS = 60.0
"""Much longer than anything here takes: only a failing test waits so long."""
HOSTILE = """<script>owned()</script><img src=x onerror="owned()">"""


class Page(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Box(NamedTuple):
    """A sandbox at work."""

    sandbox: Sandbox
    service: Service
    maildir: Path
    port: int

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Page:
        return asked(self.port, method, path, body, **headers)

    def mails(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("GET", "/mails").json["mails"]
        return found

    def newest(self, name: str) -> str:
        """A player's newest mail about the running game."""
        return next(str(mail["id"]) for mail in self.mails() if mail["name"] == name and f"[Take {RUNNING}]" in mail["subject"])

    def answer(self, number: str, text: str) -> Page:
        return self.ask("POST", f"/mails/{number}/answer", json.dumps({"text": text}).encode(), **{"Content-Type": "application/json"})


def asked(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> Page:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    page = Page(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    connection.close()
    return page


def until(condition: Callable[[], bool]) -> None:
    """Ask again and again until it is so."""
    patience = monotonic() + PATIENCE_SECONDS
    while not condition():
        assert monotonic() < patience


@contextmanager
def ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Nobody waits for a process for ever if a test fails."""
    try:
        yield
    finally:
        process.kill()


@pytest.fixture
def box(club: Club) -> Iterator[Box]:
    """The club's sandbox, all of whose mails have been sent."""
    yield from opened(club)


def opened(club: Club, outside: Outside | None = None) -> Iterator[Box]:
    maildir = club.directory / "caught"
    service = service_into(maildir, Session(club.config, outside or club.outside))
    with Sandbox(service, maildir, 0) as sandbox:
        sandbox.work()
        yield Box(sandbox, service, maildir, int(sandbox.address.rpartition(":")[2].strip("/")))
    service.db.close()


def test_lists_every_mail_that_was_sent_and_nothing_twice(box: Box) -> None:
    first = box.ask("GET", "/mails").json
    assert len(first["mails"]) == box.service.mail.mails_written()
    assert {mail["name"] for mail in first["mails"]} == {"Ada", "Bob", "Cleo"}
    assert all(mail["subject"] and mail["news"] and not mail["news"].startswith("==") for mail in first["mails"])
    assert box.ask("GET", f"/mails?known={first['version']}").status == 204
    box.service.people.add("Dan", "dan@example.org", actor="admin:test", cause="test:dan")
    box.sandbox.work()
    again = box.ask("GET", f"/mails?known={first['version']}").json
    assert [mail["name"] for mail in again["mails"]] == ["Dan", *(mail["name"] for mail in first["mails"])]


@pytest.mark.parametrize(("language", "news"), [("English", "Welcome to turnserver, Dan."), ("Deutsch", "Willkommen bei turnserver, Dan.")])
def test_lists_what_a_mail_says_first_in_its_language(box: Box, language: str, news: str) -> None:
    box.service.people.add("Dan", "dan@example.org", language=language, actor="admin:test", cause="test:dan")
    box.sandbox.work()
    assert box.ask("GET", "/mails").json["mails"][0]["news"] == news


def test_shows_a_mail_in_every_form(box: Box) -> None:
    number = box.newest("Bob")
    shown = box.ask("GET", f"/mails/{number}").json
    assert (shown["name"], shown["address"], shown["rendered"], shown["files"]) == ("Bob", "bob@example.org", True, [])
    assert shown["text"].startswith("== Write above")
    names = [header["name"] for header in shown["headers"]]
    assert {"From", "To", "Reply-To", "Subject", "Message-ID"} <= set(names)
    assert "Return-Path" not in names
    source = box.ask("GET", f"/mails/{number}/source")
    assert source.body.decode() == shown["source"]
    assert source.headers["content-disposition"] == f'attachment; filename="{number}.eml"'
    html = box.ask("GET", f"/mails/{number}/rendered").body.decode()
    assert 'src="data:image/png;base64,' in html
    assert "cid:" not in html


def test_an_answer_is_handled_like_any_mail_that_comes(box: Box) -> None:
    number = box.newest("Bob")
    before = len(box.mails())
    reply_to = next(header["value"] for header in box.ask("GET", f"/mails/{number}").json["headers"] if header["name"] == "Reply-To")
    assert box.answer(number, "e2\nsay Wohl gespielt, schön!").json == {"text": "e2\nsay Wohl gespielt, schön!", "outcome": "carried out"}
    assert box.service.games.state(GameId(RUNNING)).line.turns[-1].text == "e2"
    with box.service.db.read() as conn:
        (row,) = inbox.list_inbox(conn)
        raw = inbox.get(conn, row.id).raw.decode()
    assert (row.source, row.sender, row.recipient) == ("sandbox", "bob@example.org", re.findall(r"<(.+)>", reply_to)[0])
    assert "\nIn-Reply-To: <" in raw.replace("\r", "")
    assert "> ==" in raw
    assert len(box.mails()) > before
    assert box.ask("GET", "/mails").json["answers"] == {number: [{"text": "e2\nsay Wohl gespielt, schön!", "outcome": "carried out"}]}


def test_an_answer_that_is_refused_says_so_and_the_answer_to_it_comes(box: Box) -> None:
    before = len(box.mails())
    assert box.answer(box.newest("Bob"), "e2\nresign").json["outcome"].startswith("refused: ")
    assert (len(box.mails()), box.mails()[0]["name"]) == (before + 1, "Bob")


def test_the_same_words_twice_are_two_answers(box: Box) -> None:
    number = box.newest("Bob")
    outcomes = [box.answer(number, "e2").json["outcome"] for _ in range(2)]
    assert (outcomes[0], outcomes[1].startswith("refused: ")) == ("carried out", True)


class Case(NamedTuple):
    """A request that is turned down, and the words that it gets."""

    method: str
    path: str
    body: bytes | None
    headers: dict[str, str]
    status: int
    says: str


def test_what_protects_the_service_from_strangers_does_not_hinder(club: Club) -> None:
    configure(club, '\n[incoming]\nanswers_per_day = 0\nmails_per_hour = 1\nauthserv_id = "mx.club.example"\nauthentication = "require"\n')
    for box in opened(club):
        before = len(box.mails())
        outcomes = [box.answer(box.newest("Bob"), words).json["outcome"] for words in ("show", "e2")]
        assert outcomes == ["answered", "carried out"]
        assert len(box.mails()) > before + 1


JSON = {"Content-Type": "application/json"}
TEXT = b'{"text": "e2"}'
REFUSED = {
    "another host": Case("GET", "/mails", None, {"Host": "turns.example.org"}, 421, "no other name is answered"),
    "another host answers": Case(
        "POST", "/mails/{id}/answer", TEXT, JSON | {"Host": "turns.example.org"}, 421, "no other name is answered"
    ),
    "another port": Case("GET", "/mails", None, {"Host": "127.0.0.1:1"}, 421, "no other name is answered"),
    "a form": Case(
        "POST",
        "/mails/{id}/answer",
        b"text=e2",
        {"Content-Type": "application/x-www-form-urlencoded"},
        400,
        "Only the page itself",
    ),
    "plain text": Case("POST", "/mails/{id}/answer", TEXT, {"Content-Type": "text/plain"}, 400, "Only the page itself"),
    "another site": Case("POST", "/mails/{id}/answer", TEXT, JSON | {"Origin": "http://turns.example.org"}, 400, "Only the page itself"),
    "another page here": Case("POST", "/mails/{id}/answer", TEXT, JSON | {"Origin": "http://127.0.0.1:1"}, 400, "Only the page itself"),
    "no site": Case("POST", "/mails/{id}/answer", TEXT, JSON | {"Origin": "null"}, 400, "Only the page itself"),
    "nothing written": Case("POST", "/mails/{id}/answer", b'{"text": " \\n"}', JSON, 400, "Write something first."),
    "too much": Case("POST", "/mails/{id}/answer", json.dumps({"text": "x" * 20_001}).encode(), JSON, 400, "may have 20000 characters"),
    "far too much": Case("POST", "/mails/{id}/answer", b"x" * 200_000, JSON, 400, "may have 20000 characters"),
    "no length": Case("POST", "/mails/{id}/answer", None, JSON | {"Content-Length": "-1"}, 400, "may have 20000 characters"),
    "no JSON": Case("POST", "/mails/{id}/answer", b"e2", JSON, 400, "not what the page sends"),
    "other JSON": Case("POST", "/mails/{id}/answer", b'{"text": 7}', JSON, 400, "not what the page sends"),
    "not UTF-8": Case("POST", "/mails/{id}/answer", b'{"text": "\xff"}', JSON, 400, "not what the page sends"),
    "half a character": Case("POST", "/mails/{id}/answer", b'{"text": "\\ud800"}', JSON, 400, "not what the page sends"),
    "no such mail": Case("POST", f"/mails/{'0' * 40}/answer", TEXT, JSON, 404, "There is no mail 0000"),
    "no such mail to see": Case("GET", f"/mails/{'0' * 40}", None, {}, 404, "There is no mail 0000"),
    "a file": Case("GET", "/mails/..%2F..%2Fturnserver/source", None, {}, 404, "There is no such mail."),
    "another file": Case("GET", "/../turnserver.toml", None, {}, 404, "There is nothing at this address."),
    "no attachment": Case("GET", "/mails/{id}/files/0", None, {}, 404, "0 attachments"),
    "no number": Case("GET", "/mails/{id}/files/-1", None, {}, 404, "There is nothing at this address."),
    "answer to nothing": Case("POST", "/mails", TEXT, JSON, 404, "There is nothing at this address."),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, club_template: Club) -> Iterator[Box]:
    """A sandbox for tests that change nothing."""
    yield from opened(copied(club_template, tmp_path_factory.mktemp("sandbox")))


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_refuses(shared: Box, case: Case) -> None:
    before = shared.ask("GET", "/mails").json
    refused = shared.ask(case.method, case.path.format(id=shared.newest("Bob")), case.body, **case.headers)
    assert (refused.status, refused.headers["content-type"]) == (case.status, "text/plain; charset=utf-8")
    assert case.says in refused.body.decode()
    assert shared.service.mail.inbox_waiting() == 0
    assert shared.ask("GET", "/mails").json == before


def test_names_on_this_machine_are_answered(shared: Box) -> None:
    assert shared.ask("GET", "/", Host=f"localhost:{shared.port}").status == 200


def test_needs_nothing_from_elsewhere_and_obeys_nobody_else(shared: Box) -> None:
    page = shared.ask("GET", "/")
    text = page.body.decode()
    assert re.findall(r"""\b(?:src|href)="[^"]|url\(|@import|//[\w.-]+\.\w{2,}/""", text) == ['href="d']  # the empty icon, as a data URI
    (nonce,) = set(re.findall(r'nonce="([\w-]+)"', text))
    assert f"script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert nonce not in shared.ask("GET", "/").body.decode()
    frame = shared.ask("GET", f"/mails/{shared.newest('Bob')}/rendered").headers["content-security-policy"]
    assert frame.startswith("sandbox; default-src 'none';")


def test_what_goes_wrong_is_shown_and_the_page_goes_on(club: Club) -> None:
    configure(club, '\n[dkim]\nkey_files = ["s1.pem"]\n')
    for box in opened(club):
        listed = box.ask("GET", "/mails").json
        assert (listed["mails"], "s1.pem cannot be read" in listed["trouble"]) == ([], True)
        assert typed(club, "mail dkim-key --selector s1").exit_code == 0
        box.sandbox.work()
        listed = box.ask("GET", "/mails").json
        assert (len(listed["mails"]), listed["trouble"]) == (box.service.mail.mails_written(), "")


def test_what_nobody_foresaw_is_shown_too_and_the_page_goes_on(club: Club) -> None:
    hours = [club.now.hour]
    broken = replace(club.outside, clock=lambda: club.now.replace(hour=hours[0]))
    for box in opened(club, broken):
        hours[0] = 99
        box.sandbox.work()
        assert box.ask("GET", "/mails").json["trouble"] == "ValueError: hour must be in 0..23"
        hours[0] = club.now.hour
        box.sandbox.work()
        assert box.ask("GET", "/mails").json["trouble"] == ""


def test_a_port_that_is_taken_is_named(club: Club) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        result = typed(club, f"mail sandbox --port {taken.getsockname()[1]}")
    assert (result.exit_code, "Choose another with --port" in result.stderr) == (1, True), result.output


def test_asks_before_it_takes_the_mails_of_real_players(club: Club) -> None:
    configure(club, '\n[outgoing]\ntransport = "maildir"\nmaildir = "leaving"\n')
    assert typed(club, "tick").exit_code == 0
    result = typed(club, "mail sandbox --port 0 --directory caught", b"n\n")
    assert (result.exit_code, "left another way" in result.stderr) == (1, True), result.output
    assert not (club.directory / "caught").exists()


def test_the_real_program_does_the_work_of_the_service_and_stops_when_told(club: Club) -> None:
    """Nothing is asked on a new database; what another command queues is sent by itself; the temporary directory is gone in the end."""
    club.config.write_text(club.config.read_text().replace("busy_timeout_seconds = 0.1", ""))  # the two have to wait for each other
    command = [*TURNSERVER, "--config", str(club.config), "mail", "sandbox", "--port", "0"]
    with (
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment(), text=True, bufsize=1) as process,
        ended(process),
    ):
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.fullmatch(r"The sandbox is at http://127\.0\.0\.1:(\d+)/ and mails are kept in (\S+); Ctrl-C ends it\.\n", said)
        assert found is not None, said
        port, maildir = int(found[1]), Path(found[2])
        added = typed(club, "player add Dan dan@example.org")
        assert added.exit_code == 0, added.output
        until(lambda: "Dan" in [mail["name"] for mail in asked(port, "GET", "/mails").json["mails"]])
        assert maildir.is_dir()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not maildir.exists()
