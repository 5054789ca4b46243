"""The sandbox in a real browser: it is seen, read and answered there, and what mails and people say stays words."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Self

import pytest

from tests.cli.club import RUNNING, Club
from tests.cli.sandbox.test_sandbox import Box, opened
from turnserver.cli.sandbox.page import LOOPBACK
from turnserver.ids import GameId
from turnserver.mail.transport.outgoing import MaildirTransport

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")


class Between(ThreadingHTTPServer):
    """Stands between browser and sandbox, adds a script to the page, and notes the paths that were asked for."""

    daemon_threads = True

    def __init__(self, port: int, script: str) -> None:
        super().__init__((LOOPBACK, 0), _Passing)
        self.beyond, self.script = port, script
        self.paths: list[str] = []
        self._thread = Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Passing(BaseHTTPRequestHandler):
    server: Between

    def do_GET(self) -> None:
        self._pass()

    def do_POST(self) -> None:
        self._pass()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited
        pass

    def _pass(self) -> None:
        self.server.paths.append(self.path)
        place = f"{LOOPBACK}:{self.server.beyond}"
        headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Origin", "Connection")}
        if "Origin" in self.headers:
            headers["Origin"] = f"http://{place}"
        beyond = HTTPConnection(LOOPBACK, self.server.beyond)
        beyond.request(self.command, self.path, self.rfile.read(int(self.headers.get("Content-Length", 0))) or None, headers)
        answer = beyond.getresponse()
        body = answer.read()
        if self.path == "/":
            nonce = re.findall(rb'nonce="([^"]+)"', body)[0].decode()
            body = body.replace(b"</body>", f'<pre id="probe"></pre><script nonce="{nonce}">{self.server.script}</script></body>'.encode())
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name not in ("Content-Length", "Server", "Date"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        beyond.close()


def seen(directory: Path, address: str, width: int = 1200) -> str:
    """The document after its scripts have run, as a browser has it."""
    assert CHROMIUM is not None
    quiet = ("background-networking", "component-update", "sync", "gpu", "extensions")
    command = (
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        *(f"--disable-{what}" for what in quiet),
        "--disable-features=IsolateSandboxedIframes",
        "--no-first-run",
        f"--user-data-dir={directory / 'profile'}",
        f"--window-size={width},1000",
        "--virtual-time-budget=8000",
        "--dump-dom",
        address,
    )
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.fixture
def box(club: Club) -> Iterator[Box]:
    yield from opened(club)


ANSWER = """
const at = (id) => document.getElementById(id);
const told = { answers: [], list: [] };
const wait = (ready, then) => (ready() ? then() : setTimeout(() => wait(ready, then), 50));
const rows = () => [...document.querySelectorAll("#mails button")];
const write = (words) => { at("words").value = words; at("answer").requestSubmit(); };
const answers = () => [...at("answers").children].map((item) => item.textContent);
wait(() => rows().length, () => {
  told.list = rows().map((row) => row.querySelector(".who").textContent);
  rows().find((row) => /^Bob.*\\[Take 1\\]/.test(row.textContent)).click();
  wait(() => at("text").textContent, () => {
    told.as = at("as").textContent;
    told.text = at("text").textContent;
    told.frame = at("rendered").getAttribute("sandbox");
    told.visible = [...document.querySelectorAll("#rendered, #text, #headers, #source")].filter((one) => !one.hidden).map((one) => one.id);
    document.querySelector("[data-shows=source]").click();
    told.then = [...document.querySelectorAll("#rendered, #text, #headers, #source")].filter((one) => !one.hidden).map((one) => one.id);
    write(" ");
    wait(() => !at("refused").hidden, () => {
      told.refused = at("refused").textContent;
      write("e2\\nsay <b>Well</b> played");
      wait(() => answers().length, () => {
        told.answers = answers();
        told.empty = at("words").value;
        told.longer = rows().length - told.list.length;
        told.wide = document.documentElement.scrollWidth;
        told.room = innerWidth;
        at("probe").textContent = JSON.stringify(told);
      });
    });
  });
});
"""


@pytest.mark.parametrize("width", [390, 1200])
def test_a_mail_is_read_and_answered(box: Box, tmp_path: Path, width: int) -> None:
    with Between(box.port, ANSWER) as between:
        document = seen(tmp_path, f"http://{LOOPBACK}:{between.server_port}/", width)
    found = re.search(r'<pre id="probe">(.+?)</pre>', document)
    assert found is not None, document[-3000:]
    told: dict[str, Any] = json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    assert told["list"] == [mail["name"] for mail in box.mails()][-len(told["list"]) :]
    assert (told["as"], told["frame"], told["visible"], told["then"]) == ("Answer as Bob", "", ["rendered"], ["source"])
    assert told["text"].startswith("== Write above")
    assert told["refused"] == "Write something first."
    assert told["answers"] == ["e2\nsay <b>Well</b> playedcarried out"]
    assert (told["empty"], told["longer"] > 0) == ("", True)
    assert told["wide"] <= told["room"]
    assert box.service.games.state(GameId(RUNNING)).line.turns[-1].text == "e2"


def hostile(port: int) -> bytes:
    """A mail that tries everything from every place where the page shows something of it."""
    script = f"""<script>fetch('http://{LOOPBACK}:{port}/hit-script');document.title='owned'</script>"""
    image = f"""<img src="http://{LOOPBACK}:{port}/hit-image" onerror="document.title='owned'">"""
    frame = f"""<iframe src="http://{LOOPBACK}:{port}/hit-frame"></iframe><meta http-equiv="refresh" content="0;url=http://{LOOPBACK}:{port}/hit-refresh">"""
    style = f"""<style>@import url(/hit-style); body {{ background: url(http://{LOOPBACK}:{port}/hit-background) }}</style>"""
    form = f"""<form action="http://{LOOPBACK}:{port}/hit-form"><input autofocus onfocus="this.form.submit()"></form>"""
    message = EmailMessage(policy=SMTP)
    message["From"] = "turns@club.example"
    message["To"] = "eve@example.org"
    message["Reply-To"] = "turns@club.example"
    message["Subject"] = script + image
    message["Date"] = "Sun, 01 Mar 2026 12:00:00 +0000"
    message["Message-ID"] = "<1@club.example>"
    message.set_content(f"{script}\n{image}\n")
    message.add_alternative(f"<html><head>{style}</head><body>{script}{image}{frame}{form}<p>Here I am.</p></body></html>", subtype="html")
    message.add_attachment(script.encode(), "text", "html", filename=f"{script}.html")
    name = f"=?utf-8?b?{b64encode((script + image).encode()).decode()}?= <eve@example.org>"
    return message.as_bytes().replace(b"To: eve@example.org", f"To: {name}".encode(), 1)


LOADED = """
const frame = document.getElementById("rendered");
frame.addEventListener("load", () => { document.getElementById("probe").textContent += "loaded;"; });
"""


def test_a_hostile_mail_runs_nothing_and_loads_nothing(box: Box, tmp_path: Path) -> None:
    with Between(box.port, LOADED) as between:
        with MaildirTransport(box.maildir) as transport:
            transport.send(hostile(between.server_port), "turns@club.example", "eve@example.org")
        number = next(mail["id"] for mail in box.mails() if mail["address"] == "eve@example.org")
        document = seen(tmp_path, f"http://{LOOPBACK}:{between.server_port}/#{number}")
    assert f"/mails/{number}/rendered" in between.paths
    assert "loaded;" in document
    assert [path for path in between.paths if "hit" in path] == []
    assert "<title>turnserver: sandbox</title>" in document
    assert document.count("&lt;script&gt;fetch") >= 4  # subject twice, the name, the text
    assert "<script>fetch" not in document
    assert "hit-image&quot;" in document or 'hit-image"' in document
