"""A hostile mail on the page of `turnserver try`, in a real browser: it runs nothing and loads nothing, also when its links are tapped."""

import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import SMTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import Browser, expect

from tests.cli.club import Club
from tests.web.browsing import in_a_browser, mail_of
from tests.web.sandbox.boxes import Box
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.web.server import LOOPBACK

pytestmark = in_a_browser


class _Trap(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        PATHS.append(self.path)
        self.send_response(204)
        self.end_headers()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited
        pass


PATHS: list[str] = []
"""The addresses that were asked for elsewhere."""


@contextmanager
def elsewhere() -> Iterator[str]:
    """Another site, which a mail wants to load things from."""
    server = ThreadingHTTPServer((LOOPBACK, 0), _Trap)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://{LOOPBACK}:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def hostile(site: str) -> bytes:
    """A mail that tries everything from every place where the page shows something of it."""
    script = f"""<script>fetch('{site}/script');document.title='owned'</script>"""
    image = f"""<img src="{site}/image" onerror="document.title='owned'">"""
    frame = f"""<iframe src="{site}/frame"></iframe><meta http-equiv="refresh" content="0;url={site}/refresh">"""
    style = f"""<style>@import url({site}/style); body {{ background: url({site}/background) }}</style>"""
    form = f"""<form action="{site}/form" target="_top"><input autofocus onfocus="this.form.submit()"><button>Submit</button></form>"""
    links = f"""<p><a href="{site}/link">Elsewhere</a> <a href="javascript:document.title='owned'">Run</a>
        <a target="_top" href="javascript:document.title='owned'">Run above</a>
        <a href="mailto:&quot;&gt;{script}?body={script}">Write</a></p>"""
    message = EmailMessage(policy=SMTP)
    message["From"] = "turns@club.example"
    message["To"] = "eve@example.org"
    message["Reply-To"] = "turns@club.example"
    message["Subject"] = script + image
    message["Date"] = "Sun, 01 Mar 2026 12:00:00 +0000"
    message["Message-ID"] = "<1@club.example>"
    message.set_content(f"{script}\n{image}\n")
    message.add_alternative(f"<html><head>{style}</head><body>{links}{script}{image}{frame}{form}</body></html>", subtype="html")
    message.add_attachment(script.encode(), "text", "html", filename=f"{script}.html")
    name = f"=?utf-8?b?{b64encode((script + image).encode()).decode()}?= <eve@example.org>"
    return message.as_bytes().replace(b"To: eve@example.org", f"To: {name}".encode(), 1)


def test_a_hostile_mail_runs_nothing_and_loads_nothing(club: Club, box: Box, browser: Browser) -> None:
    with elsewhere() as site, browser.new_page() as tab:
        with MaildirTransport(club.directory / "caught") as transport:
            transport.send(hostile(site), "turns@club.example", "eve@example.org")
        shown = next(mail for mail in box.desk.capture.list() if mail.address == "eve@example.org")
        address = f"http://{LOOPBACK}:{box.port}/?mail={shown.id}"
        for words in ("Elsewhere", "Run", "Run above", "Submit"):
            # anew for each: the frame may be empty after a tap, since a page that may not be shown there was asked for
            tab.goto(address)
            mail_of(tab, "<script>").get_by_text(words, exact=True).click()
        tab.goto(address)
        mail_of(tab, "<script>").get_by_role("link", name="Write").click()
        expect(tab.locator("textarea:focus")).to_have_value(re.compile("<script>fetch"))
        for shows in ("text", "headers", "source"):
            tab.goto(f"{address}&show={shows}")
            assert tab.title() == "turnserver: try it"
            assert tab.locator("section script, section img").count() == 0
    assert PATHS == []
