"""The addresses of the player's own page. Its forms are carried out by the way of mails, once each."""

from collections.abc import Callable, Mapping, Sequence
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from turnserver import games
from turnserver.errors import BadOption, Refusal
from turnserver.ids import PlayerId
from turnserver.mail.inbound.commands import READERS
from turnserver.mail.inbound.phrases import Phrase, Set
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.service.pages.own import Own
from turnserver.service.people import preferences
from turnserver.service.service import Service
from turnserver.text import say
from turnserver.web import pages, visitor
from turnserver.web.me.page import CONTROLS, Asked, me_page
from turnserver.web.routes import form, is_ours, page, refused_status, request_key, whole
from turnserver.web.visitor import HOME, SIGN_IN

TEMPLATE: Final = "page/me.html.j2"
MOST_BYTES: Final = 20_000

DONE: Final = MappingProxyType(
    {
        "settings": say("Your settings are saved."),
        "vacation": say("Your vacation is declared, and those who play with you have been told."),
        "vacation-off": say("That vacation is over, and those who play with you have been told."),
        "challenge": say("Your invitation is on its way. You will get a mail when it is answered."),
        "calendar": say("Your calendar has a new address. The old one no longer works."),
        "end": say("That browser is signed out."),
    }
)
"""The news of a form that was carried out, by its field `do`."""


def routes(service: Service) -> Sequence[Route]:
    """Return the routes of the page."""
    shown = _MeRoutes(service)
    return [page(HOME, get=shown.page, post=shown.send, most_bytes=MOST_BYTES)]


class _MeRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service

    def page(self, request: Request) -> Response:
        """Show the page, and what a form has just done. A link from another page may have begun an invitation."""
        player, asked = self._player(request), request.query_params
        done, begun = asked.get("done", ""), {name: asked[name] for name in ("player", "game") if name in asked}
        return self._shown(request, player, Asked("challenge" if begun else _section(done), DONE.get(done, ""), typed=begun))

    def send(self, request: Request) -> Response:
        """Carry a form out, and show what came of it."""
        player, fields = self._player(request), form(request)
        what = fields.get("do", "")
        if what in ("out", "all-out"):
            return self._signed_out(request, player, everywhere=what == "all-out")
        if what not in DONE or not is_ours(fields):
            raise HTTPException(404, say("This form is not one of ours. Load the page anew and try again."))
        secret = visitor.secret(request)
        try:
            if what == "end":
                self._service.pages.sessions.end(player, fields.get("session", ""))
            else:
                phrases = _PHRASES[what](self._service.pages.own.see(secret), fields)
                if phrases:
                    self._service.pages.own.act(secret, phrases, request_key(fields))
        except Refusal as refused:
            return self._shown(
                request, player, Asked(_section(what), refusal=refused.message, typed=fields), status=refused_status(refused)
            )
        # Loading the page again then asks for it, and does not send the form once more.
        answer = RedirectResponse(f"{request.url.path}?done={what}", 303)
        # A form prolongs the session: looking at pages writes nothing, so it cannot.
        visitor.keep(self._service, request, answer, secret)
        return answer

    def _player(self, request: Request) -> PlayerId:
        """Return who is signed in. Raise an error that leads others to sign in."""
        player = visitor.visitor(self._service, request)
        if player is None:
            raise visitor.sign_in_first(request)
        return player

    def _signed_out(self, request: Request, player: PlayerId, *, everywhere: bool) -> Response:
        if everywhere:
            self._service.pages.sessions.end_all(player)
        else:
            self._service.pages.sessions.leave(visitor.secret(request))
        answer = RedirectResponse(f"{request.scope['root_path']}{SIGN_IN}?out=1", 303)
        visitor.forget(request, answer)
        return answer

    def _shown(self, request: Request, player: PlayerId, asked: Asked, status: int = 200) -> Response:
        secret, root = visitor.secret(request), request.scope["root_path"]
        own, url = self._service.pages.own.see(secret), (self._service.settings.web.url or str(request.base_url)).rstrip("/")
        made, spoken = me_page(
            own,
            self._service.pages.sessions.of(player, secret),
            self._service.settings.site,
            asked,
            root=root,
            calendar=f"{url}/{self._service.pages.calendars.path(own.person)}",
            nonce=token_urlsafe(18),
        )
        return pages.answer(request, TEMPLATE, made, spoken, status)


def _section(what: str) -> str:
    """Return the section of the page that has the form."""
    # A vacation that ends is a form of the same section as one that begins.
    return what.removesuffix("-off")


def _settings(own: Own, fields: Mapping[str, str]) -> list[Phrase]:
    """Return the settings that a form changes."""
    wanted: list[Phrase] = []
    for one in preferences.fields(own.person):
        if one.name not in fields:
            continue
        text = fields[one.name].strip()
        match CONTROLS.get(one.name):
            case "time":
                text = text or preferences.OFF
            case "times":
                until = fields.get(f"{one.name}-until", "").strip()
                text = f"{text}-{until}" if text or until else preferences.OFF
            case _:
                pass
        if text != one.value:
            wanted.append(Set(one.name, text))
    return wanted


def _vacation(_: Own, fields: Mapping[str, str]) -> list[Phrase]:
    first, last = fields.get("first", ""), fields.get("last", "")
    # Browsers send days as 2027-07-01, which sort as text.
    if first > last > "":
        raise BadOption(say("Your vacation would end before it begins. Choose other days."))
    # Read as a line of a mail is, so that both are taken and refused alike.
    asked = READERS["vacation"](f"{first} to {last}", frozenset())
    if not isinstance(asked, Vacation) or asked.first is None or asked.last is None:
        raise BadOption(say("Choose the first and the last day of your vacation."))
    return [asked]


def _vacation_off(_: Own, fields: Mapping[str, str]) -> list[Phrase]:
    number = fields.get("number", "")
    return [Vacation(off=True, number=whole(number))]


def _challenge(_: Own, fields: Mapping[str, str]) -> list[Phrase]:
    who, game, more, time = (fields.get(name, "").strip() for name in ("player", "game", "options", "time"))
    seat = fields.get("seat", "")
    words = f"{who} {game} {more} {seat if seat in ('first', 'second') else ''}" + (f" time={time}" if time else "")
    asked = READERS["challenge"](words, frozenset(games.CATALOGUE)) if who else None
    if asked is None:
        raise BadOption(say("Name somebody to invite."))
    return [asked]


_PHRASES: Final[Mapping[str, Callable[[Own, Mapping[str, str]], list[Phrase]]]] = MappingProxyType(
    {
        "settings": _settings,
        "vacation": _vacation,
        "vacation-off": _vacation_off,
        "challenge": _challenge,
        "calendar": lambda *_: [Set("calendar", "new")],
    }
)
"""The requests of the forms of the page, as a mail would make them."""
