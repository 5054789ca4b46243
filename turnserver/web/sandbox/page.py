"""The page of `turnserver try`: a phone for each player, with the mails they got and a box to answer the open one.

What mails say is data here: the page shows it as text, and their HTML in a frame that may run nothing and load nothing. A tap on one of
its links leads to the page itself, with the words of the link in the box. Nobody else is to use the page; `Guard` sees to that.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Annotated, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from turnserver.errors import NotAllowed, NotFound
from turnserver.web import pages
from turnserver.web.routes import download, form, page
from turnserver.web.sandbox.desk import MOST_CHARACTERS, Answered, Desk
from turnserver.web.sandbox.mails import Captured, Opened

TEMPLATE: Final = "page/sandbox.html.j2"
MOST_PHONES: Final = 2
MOST_LISTED: Final = 30
SHOWS: Final = ("mail", "text", "headers", "source")
FRAME: Final = "allow-top-navigation-by-user-activation"
"""The only thing that a mail may do: lead the page elsewhere when somebody taps a link."""
_FRAME_POLICY: Final = f"sandbox {FRAME}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


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

    def __init__(self, desk: Desk) -> None:
        """Show the mails of `desk`, and hand it what is answered."""
        self._desk = desk

    def routes(self) -> Sequence[Route]:
        """Return the routes of the pages."""
        return [
            page("/", get=self._show),
            page("/news", get=lambda _: PlainTextResponse(self._version(self._desk.capture.list()))),
            page("/mails/{number}/rendered", get=self._rendered),
            page("/mails/{number}/source", get=self._source),
            page("/mails/{number}/files/{index:int}", get=self._file),
            page("/mails/{number}/answer", post=self._answer),
            page("/games", post=self._open),
        ]

    def _show(self, request: Request) -> Response:
        asked = request.query_params
        fields = {name: asked.get(name, "") for name in ("mail", "who", "words", "to", "sent")}
        return self._page(Box(shows=shows if (shows := asked.get("show", "")) in SHOWS else SHOWS[0], **fields))

    def _rendered(self, request: Request) -> Response:
        html = self._desk.capture.html(request.path_params["number"])
        return HTMLResponse(html, headers={"Content-Security-Policy": _FRAME_POLICY})

    def _source(self, request: Request) -> Response:
        number = request.path_params["number"]
        return _file(f"{number}.eml", self._desk.capture.raw(number))

    def _file(self, request: Request) -> Response:
        name, content = self._desk.capture.attachment(request.path_params["number"], request.path_params["index"])
        return _file(name or "attachment", content)

    def _answer(self, request: Request) -> Response:
        number, sent = request.path_params["number"], form(request)
        words, to = sent.get("words", "").replace("\r\n", "\n"), sent.get("to", "")
        try:
            self._desk.answer(number, words, to)
        except NotAllowed as error:
            return self._page(Box(mail=number, words=words[:MOST_CHARACTERS], to=to, refused=str(error)), HTTPStatus.BAD_REQUEST)
        return RedirectResponse(f"/?{urlencode({'sent': number})}", HTTPStatus.SEE_OTHER)

    def _open(self, request: Request) -> Response:
        self._desk.open(form(request).get("game", ""))
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)

    def _page(self, box: Box, status: HTTPStatus = HTTPStatus.OK) -> Response:
        desk, mails, nonce = self._desk, self._desk.capture.list(), token_urlsafe(16)
        people = {mail.address: mail.name for mail in mails}
        shown = self._shown(box, mails)
        shows = SandboxPage(
            site=desk.site,
            nonce=nonce,
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
        return HTMLResponse(pages.render(TEMPLATE, shows), status, {"Content-Security-Policy": policy})

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


def _file(name: str, content: bytes) -> Response:
    # The name comes from a mail, and becomes part of a header.
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    # Never of its own type: the browser is to save what strangers have sent, and not to show it.
    return download(content, safe, "application/octet-stream")
