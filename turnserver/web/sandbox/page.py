"""The page of `turnserver try`: a phone for each player, with the mails they got and a box to answer the open one.

Nobody else is to use it, so a request counts only if it was meant for this very address (a name that somebody else resolves to loopback is
not), and a form only if it comes from the page itself. What mails say is data here: the page shows it as text, and their HTML in a
frame that may run nothing and load nothing. A tap on one of its links leads to the page itself, with the words of the link in the box.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from secrets import compare_digest, token_urlsafe
from typing import Annotated, Final, NamedTuple, Protocol
from urllib.parse import urlencode

from turnserver.errors import NotAllowed, NotFound, Refusal, TurnserverError
from turnserver.web import pages
from turnserver.web.exchange import Reply, Request
from turnserver.web.sandbox.mails import Capture, Captured, Opened

TEMPLATE: Final = "page/sandbox.html.j2"
MOST_CHARACTERS: Final = 20_000
MOST_PHONES: Final = 2
MOST_LISTED: Final = 30
SHOWS: Final = ("mail", "text", "headers", "source")
HTML: Final = "text/html; charset=utf-8"
FRAME: Final = "allow-top-navigation-by-user-activation"
"""What a mail may do: lead the page elsewhere when somebody taps a link."""
_FRAME_POLICY: Final = f"sandbox {FRAME}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
_NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"


class Answered(NamedTuple):
    """An answer that was sent from the page, and what came of it."""

    text: str
    outcome: str


class SandboxDesk(Protocol):
    """The functions of the service that the page calls."""

    capture: Capture
    site: str
    trouble: str
    first: tuple[str, ...]
    """The addresses whose phones are shown unless others are asked for."""

    @property
    def games(self) -> Mapping[str, str]:
        """Return the games that can be opened here, their titles by their keys."""

    def open(self, key: str) -> None:
        """Open a game. Raises Refusal."""

    def answer(self, number: str, text: str, to: str = "") -> Answered:
        """Answer a mail as its recipient, and have the answer handled. It goes where the mail wants it, or `to` an address in it.

        Raises NotFound, and Refusal for an answer that cannot be sent.
        """

    def answers(self, number: str) -> Sequence[Answered]:
        """Return the answers to a mail, the oldest first."""


@dataclass(frozen=True, slots=True)
class Phone:
    """One player's mails. The variables of the template describe it."""

    name: Annotated[str, "the player"]
    address: Annotated[str, "the address of the player"]
    mails: Annotated[Sequence[Captured], "the newest mails, the newest first, each with `id`, `subject`, `news` and `at`"]
    mail: Annotated[Opened, "the open mail, which has `text`, `headers`, `source`, `files` and `rendered` besides"]
    shows: Annotated[str, "which side of it is shown: `mail`, `text`, `headers` or `source`"]
    answers: Annotated[Sequence[Answered], "the answers to it, each with `text` and `outcome`"]
    sent: Annotated[Sequence[Answered], "the answer that was sent just now, to another mail; empty if there is none"]
    words: Annotated[str, "what stands in the box"]
    to: Annotated[str, "where the answer goes; empty if to where the mail wants it"]
    chosen: Annotated[bool, "if somebody has opened this mail or tapped a link in it"]
    refused: Annotated[str, "why the answer cannot be sent; empty if it can"]


@dataclass(frozen=True, slots=True)
class SandboxPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    nonce: Annotated[str, "what the page's own style and script carry, so that no others are obeyed"]
    key: Annotated[str, "what the page's own forms carry, so that no others are obeyed"]
    version: Annotated[str, "which mails the page shows; another one once there are more"]
    most: Annotated[int, "how many characters an answer may have"]
    frame: Annotated[str, "what the frame of a mail may do"]
    phones: Annotated[Sequence[Phone], "the players whose mails are shown"]
    others: Annotated[Mapping[str, str], "the other players who have mails, the names by the addresses"]
    games: Annotated[Mapping[str, str], "the games that can be opened, the titles by the keys; empty if none can be opened here"]
    trouble: Annotated[str, "what went wrong; empty if nothing did"]


@dataclass(frozen=True, slots=True)
class Box:
    """The view that a request asks for: a mail, the words in its box, and what was sent or refused just now."""

    mail: str = ""
    who: str = ""
    shows: str = SHOWS[0]
    words: str = ""
    to: str = ""
    sent: str = ""
    refused: str = ""


class SandboxPages:
    """All pages of one desk. Threads may share them."""

    def __init__(self, desk: SandboxDesk) -> None:
        """Show the mails of `desk`, and hand it what is answered."""
        self._desk = desk
        self._key = token_urlsafe(16)

    def __call__(self, request: Request) -> Reply:
        """Answer a request; see `exchange.Answer`."""
        try:
            # Another name that resolves to loopback could make a page of another site read this one (DNS rebinding).
            if request.headers.get("host", "") not in request.own:
                reply = _words(HTTPStatus.MISDIRECTED_REQUEST, "This page has another address, and no other name is answered.")
            else:
                reply = self._sent(request) if request.method == "POST" else self._seen(request)
        except NotFound as error:
            reply = _words(HTTPStatus.NOT_FOUND, str(error))
        except TurnserverError as error:
            reply = _words(HTTPStatus.BAD_REQUEST, str(error))
        always = {
            "Content-Security-Policy": _NOTHING,
            "X-Content-Type-Options": "nosniff",
            # The forms of the page say where they come from, to the page alone.
            "Referrer-Policy": "same-origin",
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        return reply._replace(headers={**always, **reply.headers})

    def _seen(self, request: Request) -> Reply:
        capture, query = self._desk.capture, request.query
        match request.path:
            case [""]:
                shows = query.get("show", "")
                fields = {name: query.get(name, "") for name in ("mail", "who", "words", "to", "sent")}
                return self._page(Box(shows=shows if shows in SHOWS else SHOWS[0], **fields))
            case ["news"]:
                return _words(HTTPStatus.OK, self._version(capture.list()))
            case ["mails", number, "rendered"]:
                return Reply(HTTPStatus.OK, HTML, capture.html(number).encode(), {"Content-Security-Policy": _FRAME_POLICY})
            case ["mails", number, "source"]:
                return _file(f"{number}.eml", capture.raw(number))
            case ["mails", number, "files", index] if index.isdecimal():
                name, content = capture.attachment(number, int(index))
                return _file(name or "attachment", content)
            case _:
                raise NotFound("There is nothing at this address.")

    def _sent(self, request: Request) -> Reply:
        form = self._form(request)
        match request.path:
            case ["mails", number, "answer"]:
                words, to = form.get("words", "").replace("\r\n", "\n"), form.get("to", "")
                try:
                    self._desk.answer(number, words, to)
                except NotAllowed as error:
                    return self._page(Box(mail=number, words=words[:MOST_CHARACTERS], to=to, refused=str(error)), HTTPStatus.BAD_REQUEST)
                return _go(f"/?{urlencode({'sent': number})}")
            case ["games"]:
                self._desk.open(form.get("game", ""))
                return _go("/")
            case _:
                raise NotFound("There is nothing at this address.")

    def _form(self, request: Request) -> dict[str, str]:
        """Return the fields that the page sent. Raises Refusal for a form of another site."""
        if request.body is None:
            raise Refusal("too_long", f"An answer may have {MOST_CHARACTERS} characters.")
        try:
            form = request.form
        except UnicodeDecodeError as error:
            raise Refusal("unreadable", "This is not what the page sends.") from error
        # A browser names the site that a form comes from, and no other site can know the key.
        own = {"", *(f"http://{host}" for host in request.own)}
        if request.headers.get("origin", "") not in own or not compare_digest(form.get("key", "").encode(), self._key.encode()):
            raise Refusal("foreign", "Only the page itself can send this. If turnserver was started again, load the page anew.")
        return form

    def _page(self, box: Box, status: HTTPStatus = HTTPStatus.OK) -> Reply:
        desk, mails, nonce = self._desk, self._desk.capture.list(), token_urlsafe(16)
        people = {mail.address: mail.name for mail in mails}
        shown = self._shown(box, mails)
        page = SandboxPage(
            site=desk.site,
            nonce=nonce,
            key=self._key,
            version=self._version(mails),
            most=MOST_CHARACTERS,
            frame=FRAME,
            phones=[self._phone(box, address, [mail for mail in mails if mail.address == address]) for address in shown],
            others={address: people[address] for address in sorted(people, key=lambda one: people[one]) if address not in shown},
            games=desk.games,
            trouble=desk.trouble,
        )
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; connect-src 'self'; "
            "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )
        return Reply(status, HTML, pages.render(TEMPLATE, page).encode(), {"Content-Security-Policy": policy})

    def _shown(self, box: Box, mails: Sequence[Captured]) -> list[str]:
        """Return the addresses whose phones are shown: those asked for, then the first ones, or whoever got the newest mails."""
        owners = {mail.id: mail.address for mail in mails}
        if box.mail and box.mail not in owners:
            raise NotFound("There is no such mail.")
        asked = [owners.get(box.mail, ""), owners.get(box.sent, ""), box.who]
        usual = self._desk.first or tuple(owners.values())
        shown = list(dict.fromkeys(address for address in (*asked, *usual) if address in owners.values()))
        # In the same order again, so that no phone changes its place because of a tap.
        return sorted(shown[: len(self._desk.first) or MOST_PHONES])

    def _phone(self, box: Box, address: str, mails: Sequence[Captured]) -> Phone:
        desk = self._desk
        chosen = any(mail.id == box.mail for mail in mails)
        opened = box.mail if chosen else mails[0].id
        sent = desk.answers(box.sent)[-1:] if any(mail.id == box.sent for mail in mails) and box.sent != opened else ()
        return Phone(
            name=mails[0].name,
            address=address,
            mails=mails[:MOST_LISTED],
            mail=desk.capture.open(opened),
            shows=box.shows if chosen else SHOWS[0],
            answers=desk.answers(opened),
            sent=sent,
            words=box.words if chosen else "",
            to=box.to if chosen else "",
            chosen=chosen,
            refused=box.refused if chosen else "",
        )

    def _version(self, mails: Sequence[Captured]) -> str:
        return sha256("\n".join((self._desk.trouble, *(mail.id for mail in mails))).encode()).hexdigest()[:16]


def _go(address: str) -> Reply:
    return Reply(HTTPStatus.SEE_OTHER, headers={"Location": address})


def _file(name: str, content: bytes) -> Reply:
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    return Reply(HTTPStatus.OK, "application/octet-stream", content, {"Content-Disposition": f'attachment; filename="{safe}"'})


def _words(status: HTTPStatus, text: str) -> Reply:
    return Reply(status, body=text.encode())
