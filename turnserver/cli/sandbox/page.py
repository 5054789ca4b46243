"""The page of the sandbox and what it asks for, served on loopback to a browser on the same machine.

Nobody else is to use it, so a request counts only if it was meant for this very address (a name that somebody else resolves to loopback is
not), and an answer only if it comes from the page itself. What mails say is data here: the page shows it as text, and their HTML in a
frame that may run nothing and load nothing.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated, Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from turnserver.cli.output import show
from turnserver.errors import NotFound, Refusal, TurnserverError
from turnserver.web import pages

_NAME: Final = re.compile(r"[0-9a-f]{40}")
"""How the maildir transport names its files, less their ending."""
_CID: Final = re.compile(r"cid:([^\"'\s>]+)")
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/gif"})


class Captured(msgspec.Struct, frozen=True):
    """A mail in a list. `news` is how its text begins: mails of one game share their subject."""

    id: str
    name: str
    address: str
    subject: str
    news: str
    at: datetime


class Header(msgspec.Struct, frozen=True):
    """A header as it was sent, unfolded."""

    name: str
    value: str


class Opened(Captured, frozen=True):
    """A mail that is looked at. `files` are the names of its attachments, in order."""

    text: str
    source: str
    headers: list[Header]
    files: list[str]
    rendered: bool


class Capture:
    """The mails of one maildir. Threads may share it."""

    def __init__(self, maildir: Path) -> None:
        """Nothing is read, and nothing has to be there, before it is asked for."""
        self._new = maildir / "new"
        self._known: dict[tuple[int, str], Captured] = {}

    def list(self) -> list[Captured]:
        """Return every mail, the newest first."""
        places = sorted(self._places(), reverse=True)
        # A mail never changes, so each is parsed once; mails that were removed are forgotten.
        self._known = {place: self._known.get(place) or _summary(place[1], self.message(place[1])) for place in places}
        return list(self._known.values())

    def message(self, number: str) -> EmailMessage:
        """Return a mail, parsed. Raises NotFound."""
        return message_from_bytes(self.raw(number), policy=policy.default)

    def raw(self, number: str) -> bytes:
        """Return a mail to the byte, less what the maildir put on top of it. Raises NotFound."""
        # The name comes from a request: nothing but a file name of the transport may become part of a path.
        if _NAME.fullmatch(number) is None:
            raise NotFound("There is no such mail.")
        try:
            _return_path, _delivered_to, mail = (self._new / f"{number}.turnserver").read_bytes().split(b"\n", 2)
        except FileNotFoundError as error:
            raise NotFound(f"There is no mail {number} any more.") from error
        return mail

    def open(self, number: str) -> Opened:
        """Return everything about a mail but its HTML. Raises NotFound."""
        mail, source = self.message(number), self.raw(number).decode("utf-8", "replace")
        summary = _summary(number, mail)
        return Opened(
            **msgspec.structs.asdict(summary),
            text=_text(mail),
            source=source,
            headers=[Header(name, " ".join(value.split())) for name, value in mail.raw_items()],
            files=[part.get_filename("attachment") for part in mail.iter_attachments()],
            rendered=mail.get_body(("html",)) is not None,
        )

    def html(self, number: str) -> str:
        """Return the HTML of a mail with its pictures inside of it; empty if there is none. Raises NotFound."""
        mail = self.message(number)
        body = mail.get_body(("html",))
        pictures = {str(part["Content-ID"]).strip("<> "): part for part in mail.walk() if part["Content-ID"]}
        return _CID.sub(lambda match: _inside(pictures.get(match[1])), body.get_content()) if body else ""

    def attachment(self, number: str, index: int) -> tuple[str, bytes]:
        """Return the name and the content of an attachment. Raises NotFound."""
        parts = list(self.message(number).iter_attachments())
        if index >= len(parts):
            raise NotFound(f"This mail has {len(parts)} attachments.")
        content = parts[index].get_payload(decode=True)
        return parts[index].get_filename("attachment"), content if isinstance(content, bytes) else b""

    def message_ids(self) -> set[str]:
        """Return the Message-ID of every mail."""
        return {str(self.message(name)["Message-ID"]).strip() for _, name in self._places()}

    def _places(self) -> Iterator[tuple[int, str]]:
        for path in self._new.glob("*.turnserver"):
            if _NAME.fullmatch(path.stem):
                try:
                    yield path.stat().st_mtime_ns, path.stem
                # Somebody has removed the mail since the directory was read.
                except FileNotFoundError:
                    continue


def _summary(number: str, mail: EmailMessage) -> Captured:
    to = mail["To"].addresses[0]
    _marker, _, text = _text(mail).partition("\n\n")
    news = " ".join(text.strip().partition("\n\n")[0].split())
    return Captured(number, to.display_name or to.addr_spec, to.addr_spec, str(mail["Subject"]), news, mail["Date"].datetime)


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return body.get_content() if body else ""


def _inside(part: EmailMessage | None) -> str:
    # The frame loads nothing, so a picture that is missing or of another type is an empty one.
    if part is None or part.get_content_type() not in _PICTURES:
        return "data:,"
    return f"data:{part.get_content_type()};base64,{b64encode(part.get_content()).decode()}"


LOOPBACK: Final = "127.0.0.1"
TEMPLATE: Final = "page/sandbox.html.j2"
_FRAME: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
_NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class SandboxPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    nonce: Annotated[str, "what the page's own style and script carry, so that no others are obeyed"]
    most: Annotated[int, "how many characters an answer may have"]


class Answered(msgspec.Struct, frozen=True):
    """An answer that was sent from the page, and what came of it."""

    text: str
    outcome: str


class Posted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data that the page sends."""

    text: str


class SandboxDesk(Protocol):
    """The functions of the service that the page calls."""

    capture: Capture
    site: str
    most: int
    trouble: str

    def answer(self, number: str, text: str) -> Answered:
        """Answer a mail as its recipient and have the answer handled. Raises NotFound, and Refusal for an answer that cannot be sent."""

    def answers(self) -> Mapping[str, list[Answered]]:
        """Return the answers to each mail, the oldest first."""


class Reply(NamedTuple):
    """The answer to a request."""

    status: HTTPStatus
    type: str
    body: bytes
    policy: str = _NOTHING
    file: str = ""


class SandboxServer(ThreadingHTTPServer):
    """Serves one desk on loopback; port 0 takes a free one. Raises OSError if the port is taken."""

    daemon_threads = True

    def __init__(self, desk: SandboxDesk, port: int) -> None:
        """Listen at once, and serve from `serve_forever` on."""
        super().__init__((LOOPBACK, port), _Handler)
        self.desk = desk
        self.hosts = frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))

    @property
    def address(self) -> str:
        """Return the URL to type into a browser."""
        return f"http://{LOOPBACK}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: SandboxServer
    protocol_version = "HTTP/1.1"
    server_version = "turnserver"
    sys_version = ""
    timeout = _SECONDS

    def do_GET(self) -> None:  # http.server's name
        """Show something."""
        self._reply(self._seen)

    def do_POST(self) -> None:  # http.server's name
        """Send an answer."""
        self._reply(self._sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited
        """Say nothing: the page asks every second."""

    def _reply(self, made: Callable[[], Reply]) -> None:
        host = self.headers.get("Host", "")
        try:
            # Another name that resolves to loopback could make a page of another site read this one (DNS rebinding).
            if host not in self.server.hosts:
                reply = _words(HTTPStatus.MISDIRECTED_REQUEST, f"This is {self.server.address}, and no other name is answered.")
            else:
                reply = made()
        except NotFound as error:
            reply = _words(HTTPStatus.NOT_FOUND, str(error))
        except TurnserverError as error:
            reply = _words(HTTPStatus.BAD_REQUEST, str(error))
        self.send_response(reply.status)
        headers = {
            "Content-Type": reply.type,
            "Content-Length": str(len(reply.body)),
            "Content-Security-Policy": reply.policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        if reply.file:
            headers["Content-Disposition"] = f'attachment; filename="{re.sub(r"[^A-Za-z0-9._-]", "_", reply.file)}"'
        if reply.status >= HTTPStatus.BAD_REQUEST:
            headers["Connection"] = "close"  # what the client still sends is not read
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    def _seen(self) -> Reply:
        desk, url = self.server.desk, urlsplit(self.path)
        match [unquote(part) for part in url.path.strip("/").split("/")]:
            case [""]:
                nonce = token_urlsafe(16)
                rendered = pages.render(TEMPLATE, SandboxPage(desk.site, nonce, desk.most))
                return Reply(HTTPStatus.OK, "text/html; charset=utf-8", rendered.encode(), _page_policy(nonce))
            case ["mails"]:
                return self._mails(parse_qs(url.query).get("known", [""])[0])
            case ["mails", number]:
                return _json(desk.capture.open(number))
            case ["mails", number, "rendered"]:
                return Reply(HTTPStatus.OK, "text/html; charset=utf-8", desk.capture.html(number).encode(), _FRAME)
            case ["mails", number, "source"]:
                return Reply(HTTPStatus.OK, "application/octet-stream", desk.capture.raw(number), file=f"{number}.eml")
            case ["mails", number, "files", index] if index.isdecimal():
                name, content = desk.capture.attachment(number, int(index))
                return Reply(HTTPStatus.OK, "application/octet-stream", content, file=name or "attachment")
            case _:
                raise NotFound("There is nothing at this address.")

    def _mails(self, known: str) -> Reply:
        """Return the list, or no content if the page knows this list already."""
        desk = self.server.desk
        listed = {"mails": desk.capture.list(), "answers": desk.answers(), "trouble": desk.trouble}
        version = sha256(show.as_json(listed)).hexdigest()[:16]
        if known == version:
            return Reply(HTTPStatus.NO_CONTENT, "text/plain", b"")
        return _json({"version": version, **listed})

    def _sent(self) -> Reply:
        match [unquote(part) for part in urlsplit(self.path).path.strip("/").split("/")]:
            case ["mails", number, "answer"]:
                return _json(self.server.desk.answer(number, self._posted().text))
            case _:
                raise NotFound("There is nothing at this address.")

    def _posted(self) -> Posted:
        """Return the data that the page sent. Raises Refusal for a request from a page of another site."""
        own = {None, *(f"http://{host}" for host in self.server.hosts)}
        # A form of another site cannot send JSON without asking first, and a script of another site names its origin.
        if self.headers.get_content_type() != "application/json" or self.headers.get("Origin") not in own:
            raise Refusal("foreign", "Only the page itself can send answers.")
        length = self.headers.get("Content-Length", "")
        # A character has at most four bytes in UTF-8; the rest is for the JSON around it.
        most = 4 * self.server.desk.most + 1000
        if not length.isdecimal() or int(length) > most:
            raise Refusal("too_long", f"An answer may have {self.server.desk.most} characters.")
        try:
            return msgspec.json.decode(self.rfile.read(int(length)), type=Posted)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise Refusal("unreadable", "This is not what the page sends.") from error


def _page_policy(nonce: str) -> str:
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; connect-src 'self'; frame-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _json(value: Any) -> Reply:  # noqa: ANN401  # whatever msgspec can write
    return Reply(HTTPStatus.OK, "application/json", show.as_json(value))


def _words(status: HTTPStatus, text: str) -> Reply:
    return Reply(status, "text/plain; charset=utf-8", text.encode())
