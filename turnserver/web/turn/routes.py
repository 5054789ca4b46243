"""The addresses of the turn page. Asking for a page changes nothing; only a form that the page itself sent does.

A link in a mail is `/turn/<token>`. It is exchanged at once for a cookie, so that the token does not stay in the address bar, in the
history or in pictures of the screen, and the page is `/play/<game>-<player>`. The cookie goes to that page alone. A player who is signed
in needs no link; unless `web.link_play` is `on`, a link alone opens nothing.
"""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from turnserver.errors import NotFound, Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.mail.inbound.phrases import Accept, Confirm, Decline, Draw, Forget, Hide, If, Move, Note, Phrase, Publish, Say, Undo
from turnserver.mail.inbound.time_phrases import Give
from turnserver.mail.outbound.language import language
from turnserver.service.pages.turns import Right, SignedIn, Visit, earlier_turn
from turnserver.service.service import Service
from turnserver.text import say
from turnserver.web import pages, visitor
from turnserver.web.picture import cropped
from turnserver.web.routes import FOR_A_WHILE, drawing, form, is_ours, keep, page, refused_status, request_key
from turnserver.web.turn.board import Position, Sofar, picture, put_together
from turnserver.web.turn.page import Asked, chooses, turn_page
from turnserver.web.visitor import HOME

TEMPLATE: Final = "page/turn.html.j2"
COOKIE: Final = "turn"
LASTS: Final = timedelta(days=30)
"""The time for which a browser keeps a link."""
MOST_BYTES: Final = 20_000
DONE: Final = MappingProxyType(
    {
        "say": say("Your words are on their way to the others."),
        "give": say("The time is given, and the other player is told."),
        "note": say("Your note is kept."),
    }
)
"""The news of forms whose outcome the page does not show by itself, by their field `do`."""
_TABLE: Final = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_TURN: Final = re.compile(r"([0-9]{1,7})-([0-9]{1,7})")


def routes(service: Service) -> list[Route]:
    """Return the routes of the turn page."""
    shown = _TurnRoutes(service)
    return [
        page("/turn/{token}", get=shown.enter),
        page("/play/{table}", get=shown.page, post=shown.send, most_bytes=MOST_BYTES, cookie=COOKIE),
        page("/play/{table}/board.svg", get=shown.board, cookie=COOKIE),
    ]


class _TurnRoutes:
    def __init__(self, service: Service) -> None:
        self._service = service

    def enter(self, request: Request) -> Response:
        """Exchange a link for a cookie. What is said behind the question mark, such as a move, goes along."""
        link = request.path_params["token"]
        visit = self._service.pages.turns.see(link)
        table = _table(request, visit.token.game, visit.person.id)
        answer = RedirectResponse(table + (f"?{request.url.query}" if request.url.query else ""), 303)
        keep(self._service, answer, COOKIE, link, path=table, lasts=LASTS)
        return answer

    def page(self, request: Request) -> Response:
        """Show the page."""
        asked = request.query_params
        return self._shown(request, Asked(_sofar(request), asked.get("ask", ""), done=DONE.get(asked.get("done", ""), "")))

    def board(self, request: Request) -> Response:
        """Draw the board as it is after the steps in the address, or the part that is asked for."""
        _, visit = self._opened(request)
        state = visit.state
        position = Position(state.line.position, state.line.last_step)
        # Touches do not change the picture: what can be touched lies above it.
        steps = _sofar(request)._replace(touched=())
        if steps.steps and chooses(visit, ahead=steps.ahead):
            _, position = put_together(state.game, position, steps)
        drawn = language(visit.person.preferences.language).told(picture(state.game, position.at, position.last).svg)
        return drawing(cropped(drawn, request.query_params.get("part", "")), FOR_A_WHILE)

    def send(self, request: Request) -> Response:
        """Carry a form out, and show what came of it."""
        (right, visit), fields = self._opened(request), form(request)
        phrase, showed = _phrase(fields), _TURN.fullmatch(fields.get("turn", ""))
        if phrase is None or showed is None or not is_ours(fields):
            raise NotFound(say("This form is not one of ours. Open the page from the mail once more."))
        turn, edition = int(showed[1]), int(showed[2])
        words = fields.get("words", "").strip() if isinstance(phrase, Move) else ""
        typed = phrase.text if isinstance(phrase, Say) else words
        try:
            if isinstance(right, SignedIn):
                right = right._replace(turn=turn, edition=edition)
            # A newer link may have been opened in another tab meanwhile, and has the cookie now.
            elif (turn, edition) != visit.token[2:]:
                raise earlier_turn()
            self._service.pages.turns.act(right, [phrase, *([Say(words)] if words else [])], request_key(fields))
        # There is no page to show the refusal on.
        except NotFound:
            raise
        except Refusal as refused:
            # The board shows what was refused, so that the player can change it.
            sofar = Sofar(tuple(fields["text"].split("; "))) if isinstance(phrase, Move) else Sofar()
            return self._shown(request, Asked(sofar, refusal=refused.message, words=typed), status=refused_status(refused))
        done = f"?done={fields['do']}" if fields["do"] in DONE else ""
        answer = RedirectResponse(f"{request.url.path}{done}", 303)
        if isinstance(right, SignedIn):
            following = self._service.pages.turns.see(right, with_next=True).next if fields.get("then") == "next" else None
            if following is not None:
                answer = RedirectResponse(_table(request, following.game, following.player), 303)
            visitor.keep(self._service, request, answer, right.secret)
        elif isinstance(phrase, Undo):
            # Whoever may play a turn may play it again once it is taken back, without a way to the mailbox.
            again = self._service.pages.turns.link(visit.token._replace(edition=edition + 1))
            if self._service.pages.turns.see(again).answers_present:
                keep(self._service, answer, COOKIE, again, path=request.url.path, lasts=LASTS)
        return answer

    def _shown(self, request: Request, asked: Asked, status: int = 200) -> Response:
        right, visit = self._opened(request, with_next=True)
        is_own, following, root = isinstance(right, SignedIn), visit.next, request.scope["root_path"]
        # Never a link of that game: whoever has a link of one game, perhaps in a mail that was passed on, must not get to the others by it.
        next_page = _table(request, following.game, following.player) if following is not None else ""
        made, spoken = turn_page(
            visit,
            self._service.settings.site,
            asked,
            address=request.url.path,
            next_page=next_page,
            home=f"{root}{HOME}" if is_own else "",
            replay=f"{root}/games/{visit.token.game}" if is_own else "",
            root=root,
            nonce=token_urlsafe(18),
        )
        return pages.answer(request, TEMPLATE, made, spoken, status)

    def _opened(self, request: Request, *, with_next: bool = False) -> tuple[Right, Visit]:
        """Return what opens the page of a game and player, and what it opens. Raise NotFound if it is the page of another one.

        The session of the player comes first, since it opens the present turn. Whoever has neither that nor a link is to sign in.
        """
        found = _TABLE.fullmatch(request.path_params["table"])
        if found is None:
            raise NotFound(say("This page is opened by a link in a mail. Open it from there once more."))
        game, player = int(found[1]), int(found[2])
        right: Right = request.cookies.get(COOKIE, "")
        if visitor.visitor(self._service, request) == player:
            right = SignedIn(visitor.secret(request), GameId(game))
        elif not right or self._service.settings.web.link_play != "on":
            raise visitor.sign_in_first(request)
        visit = self._service.pages.turns.see(right, with_next=with_next)
        if (visit.token.game, visit.person.id) != (game, player):
            raise NotFound(say("This page is opened by a link in a mail. Open it from there once more."))
        return right, visit


def _table(request: Request, game: GameId, player: PlayerId) -> str:
    return f"{request.scope['root_path']}/play/{game}-{player}"


def _sofar(request: Request) -> Sofar:
    return Sofar.read(parse_qsl(request.url.query))


_WITH_WORDS: Final[Mapping[str, Callable[[str], Phrase]]] = MappingProxyType({"move": Move, "say": Say, "note": Note, "plan": If})
_ALONE: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "forget": Forget(),
        "accept": Accept(),
        "decline": Decline(),
        "draw": Draw(),
        "give": Give(24),
        "undo": Undo(),
        # The page has asked already, so this is the answer to that question.
        "resign": Confirm(),
        "publish": Publish(),
        "hide": Hide(),
    }
)
"""The requests of the forms of the page, by their field `do`, with a text beside it or alone."""


def _phrase(fields: dict[str, str]) -> Phrase | None:
    """Return what a form asks for. None if it is none of ours."""
    asked, text = fields.get("do", ""), fields.get("text", "").strip()
    return _WITH_WORDS[asked](text) if text and asked in _WITH_WORDS else _ALONE.get(asked)
