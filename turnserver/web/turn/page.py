"""The page of a turn: everything that its template shows, in the language of its player."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlencode

from turnserver.config import Site
from turnserver.ids import PlayerId
from turnserver.mail.outbound.context import MailContext, OwnGame, unsent
from turnserver.mail.outbound.game_words import GameDesk, league_line, pending
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import by_clock, language, time_of_day
from turnserver.mail.outbound.letters import Bill, Clock, Happening, PlanLine, SeatLine
from turnserver.mail.outbound.notices.vacations import own_plan
from turnserver.mail.outbound.telling import proposals
from turnserver.mail.outbound.telling.deadline_bill import bill
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.mail.outbound.writing.games import is_in, since_your_turn, your_turn
from turnserver.mail.outbound.writing.plans import plan_lines
from turnserver.play.clock.explain_deadline import explain_deadline
from turnserver.play.conditional_moves import with_line, write_plan
from turnserver.play.second_thoughts import announced_at, unannounced
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose, Game, Seat
from turnserver.rules.options import describe, told, written
from turnserver.rules.svg import number
from turnserver.service.pages.turns import Visit
from turnserver.text import say
from turnserver.web import pages
from turnserver.web.picture import cropped
from turnserver.web.turn.board import Position, Sofar, TouchBoard, mark_of, picture, put_together

FOR_TWO: Final = (Seat(1), Seat(2))
"""The seats of the games that know conditional moves."""


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note of the player's own."""

    turn: Annotated[int, "the turn that it belongs to"]
    text: Annotated[str, "the words"]


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A turn in the list of moves."""

    number: Annotated[int, "its number"]
    seat: Annotated[str, "what the game calls the seat"]
    text: Annotated[str, "the move in notation"]


class Scene(NamedTuple):
    """A position after what is chosen, as text, and what goes on from there as HTML."""

    board: TouchBoard | None
    text: str
    has_beneath: bool
    spots: str = ""
    choices: str = ""
    listed: str = ""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    player: Annotated[str, "the player whose page it is"]
    headline: Annotated[str, "what happened, and what the player has to do until when"]
    besides: Annotated[str, "what else belongs to the news, in sentences; may be empty"]
    refusal: Annotated[str, "why something that was asked for cannot be done; empty if it can"]
    words: Annotated[str, "what was to be said to the others, if the form was refused"]
    name: Annotated[str, "title and number of the game"]
    options: Annotated[str, "the options that were chosen; may be empty"]
    time: Annotated[str, "the time control, in sentences"]
    league: Annotated[str, "the league that the game belongs to; empty if it belongs to none"]
    seats: Annotated[tuple[SeatLine, ...], "the seats in order"]
    clock: Annotated[Clock | None, "the pending turn's time; none while nobody has the turn"]
    done: Annotated[str, "what a form has done that the page does not show by itself; empty if none was sent just now"]
    offer: Annotated[str, "what the player has on offer and nobody has answered, as a sentence; empty if nothing is"]
    question: Annotated[str, "what is on offer to the player, as a sentence; empty if nothing is"]
    invited: Annotated[bool, "whether the player is invited and has not answered"]
    draws: Annotated[bool, "whether a draw may be offered now"]
    gives: Annotated[str, "the seat that the player can give time to; empty if there is none"]
    happenings: Annotated[tuple[Happening, ...], "what happened since the player's last turn"]
    moves: Annotated[tuple[MoveLine, ...], "the turns so far, the newest first"]
    bill: Annotated[Bill | None, "why the turn is due when it is; none while no clock runs"]
    board: Annotated[TouchBoard | None, "the board to play on; none unless the player has to choose by this link"]
    notes: Annotated[tuple[NoteLine, ...], "the player's own notes of the game, the newest first"]
    publishing: Annotated[str, "what the player can do with these once the game is over: `publish` them, or `hide` them again; else empty"]
    ahead: Annotated[bool, "whether the board is one to lay conditional moves on"]
    may_plan: Annotated[bool, "whether the player may lay conditional moves"]
    plan: Annotated[tuple[PlanLine, ...], "the conditional moves that the player has"]
    laid: Annotated[str, "the conditional moves with those that are on the board; empty if they are not complete"]
    alt: Annotated[str, "the picture in a sentence"]
    picture: Annotated[str, "the address of the picture of the board"]
    scene: Annotated[Scene, "the parts that follow from the position and what is chosen, as HTML: `spots`, `choices`, `listed` and `text`"]
    beneath: Annotated[str, "the address of the picture of what stands beneath the board; empty if nothing does"]
    undo_until: Annotated[str, "until when the player's turn can be taken back; empty if there is none that can"]
    asks: Annotated[str, "the question that the page asks before it does something: `resign`; else empty"]
    may_talk: Annotated[bool, "whether the player can say something to the others"]
    may_resign: Annotated[bool, "whether the player can give the game up"]
    stale: Annotated[bool, "whether it is the player's turn, and the link was for an earlier one"]
    turn: Annotated[str, "what says in a form which turn its page showed"]
    nonce: Annotated[str, "what every form of the page carries, so that one that is sent again with the same fields is carried out once"]
    address: Annotated[str, "the address of the page without a question mark"]
    next: Annotated[str, "the address of the next game that waits for the player; empty if none does"]
    again: Annotated[str, "the address at which the player invites the same opponent once more; empty while the game goes on"]
    trying: Annotated[str, "the address of a board on which the game so far stands to try moves; empty if there is none"]
    rules: Annotated[str, "the address of the rules of the game, with a board to try"]
    home: Annotated[str, "the address of the player's own page; empty unless they are signed in"]
    replay: Annotated[str, "the address of the game's page, with every board and the history; empty unless they are signed in and play"]


MOST_TO_TRY: Final = 50
"""The number of steps from which on a game is too long for a board to try moves on, which goes as far as 60."""

PARTS: Final = "page/_touch.html.j2"


class Asked(NamedTuple):
    """A request for a page: the turn so far, the question to ask, a refusal to show, what was written, what was done."""

    sofar: Sofar = Sofar()
    ask: str = ""
    refusal: str = ""
    words: str = ""
    done: str = ""


def turn_page(
    visit: Visit, site: Site, asked: Asked, *, address: str, next_page: str, home: str, replay: str, root: str, nonce: str
) -> tuple[TurnPage, str]:
    """Return the page of a visit and the key of its language."""
    desk = GameDesk.of(_context(visit, site))
    state, seat = desk.state, desk.seat
    correctable = unannounced(state, visit.now)
    undo = correctable is not None and correctable.seat == seat
    spoken = language(visit.person.preferences.language)
    start = Position(state.line.position, state.line.last_step)
    shown = scene(state.game, start, asked.sofar if chooses(visit, ahead=asked.sofar.ahead) else None, spoken.key)
    board = shown.board
    # The question mark at least, as the mark of the turns follows it.
    seen_steps = Sofar(board.steps, ahead=asked.sofar.ahead).query if board is not None else "?"
    past = _past(_Reading(visit.history[-1].hash, visit.person.id, visit.person.zone, spoken.key, tuple(visit.names.items()), desk))
    drawn = f"{address}/board.svg{seen_steps}&v={past.mark}"
    headline, besides = news(visit, desk)
    acts = visit.may_act
    page = TurnPage(
        site=site.name,
        player=visit.person.name,
        headline=headline,
        besides=besides,
        refusal=by_clock(asked.refusal, visit.person.zone) or (board.refusal if board is not None else ""),
        words=asked.words,
        name=desk.name,
        options=past.options,
        time=past.time,
        league=league_line(desk.context.league_game),
        seats=desk.seats,
        clock=desk.clock,
        done=asked.done,
        offer=_own_offer(desk),
        question=desk.question if acts else "",
        invited=acts and desk.is_invited,
        draws=desk.may_offer_draw,
        gives=state.seat_name(state.to_move) if acts and state.to_move is not None and _may_give(state, seat) else "",
        happenings=past.happenings,
        moves=past.moves,
        bill=past.bill,
        board=board,
        notes=tuple(NoteLine(one.turn, one.text) for one in visit.notes),
        publishing=_publishing(visit),
        ahead=board is not None and asked.sofar.ahead,
        may_plan=chooses(visit, ahead=True),
        plan=plan_lines(own_plan(visit.person.id, "shown", visit.plan).detail),
        laid=_laid(visit, board) if asked.sofar.ahead and board is not None else "",
        alt=_alt(desk, board),
        picture=f"{drawn}&part=board",
        scene=shown,
        beneath=f"{drawn}&part=beneath" if shown.has_beneath else "",
        undo_until=time_of_day(announced_at(state, visit.now), visit.person.zone) if undo else "",
        asks=asked.ask,
        may_talk=acts and seat is not None,
        may_resign=acts and seat is not None and state.status is Status.RUNNING and not desk.has_left(seat),
        stale=(state.status is Status.RUNNING and not acts) or (state.mover == visit.person.id and not visit.answers_present),
        turn=f"{visit.token.turn}-{visit.token.edition}",
        nonce=nonce,
        address=address,
        next=next_page,
        again=_again(visit, root),
        trying=_trying(state, root) if chooses(visit, ahead=False) else "",
        rules=f"{root}/rules/{state.game.entry.key}",
        home=home,
        replay=replay if seat is not None else "",
    )
    return spoken.told(page), spoken.key


class _Past(NamedTuple):
    """The words of a page about the events so far, in the language of its reader, whenever they look at it."""

    mark: str
    options: str
    time: str
    happenings: tuple[Happening, ...]
    moves: tuple[MoveLine, ...]
    bill: Bill | None


@dataclass(frozen=True, slots=True)
class _Reading:
    """The events of a game for a reader: equal to another reading if the page says the same of them.

    `end` is the hash of the last event, which no other history has.
    """

    end: bytes
    player: PlayerId
    zone: str
    language_key: str
    names: tuple[tuple[PlayerId, str], ...]
    desk: GameDesk = field(compare=False)


@lru_cache(maxsize=100)
def _past(reading: _Reading) -> _Past:
    """Return what a page says of the events so far. Whoever puts a turn together looks at the page again with each touch."""
    desk, state = reading.desk, reading.desk.state
    made = explain_deadline(desk.context.history, lambda *_, **__: state.game) if state.clock is not None else None
    return language(reading.language_key).told(
        _Past(
            mark_of(state.line),
            told(state.game.options),
            desk.time,
            since_your_turn(desk) if _has_turn(desk) else (),
            tuple(MoveLine(one.turn, state.seat_name(one.seat), one.text) for one in reversed(state.line.turns)),
            bill(made, desk.table) if made is not None else None,
        )
    )


@lru_cache(maxsize=200)
def scene(game: Game[Any, Any], start: Position, sofar: Sofar | None, language_key: str) -> Scene:
    """Return a position after what is chosen, in a language. Without `sofar` nothing can be chosen. Those looked at lately are kept."""
    board, shown = put_together(game, start, sofar) if sofar is not None else (None, start)
    return scene_of(game, board, shown, language_key)


def scene_of(game: Game[Any, Any], board: TouchBoard | None, shown: Position, language_key: str) -> Scene:
    """Return what `put_together` has come to, in a language."""
    spoken = language(language_key)
    text, drawn = spoken.told(game.view.text(shown.at, shown.last)), picture(game, shown.at, shown.last)
    has_beneath = bool(cropped(drawn.svg, "beneath"))
    if board is None:
        return Scene(None, text, has_beneath)
    board, parts = spoken.told(board), pages.macros(PARTS, language_key)
    return Scene(
        board,
        text,
        has_beneath,
        parts.spots(board, f"0 0 {drawn.width:g} {drawn.height:g}", number(drawn.width / 75)) if board.spots else "",
        parts.choices(board),
        parts.listed(board) if board.listed else "",
    )


def chooses(visit: Visit, *, ahead: bool) -> bool:
    """Return whether the player may play a turn by this link, or lay conditional moves if they think `ahead`."""
    state, rules, seat = visit.state, visit.state.game.rules, visit.state.seat_of(visit.person.id)
    if seat is None or state.to_move is None or state.vacant is not None or not isinstance(rules.next(state.line.position), Choose):
        return False
    if not ahead:
        return state.mover == visit.person.id and visit.answers_present
    # as for a mail: it answers the player's own last turn, or the one of the opponent after it
    return rules.seats == len(FOR_TWO) and state.to_move != seat and visit.is_fresh


def _again(visit: Visit, root: str) -> str:
    state, others = visit.state, [one for one in visit.state.players if one != visit.person.id]
    # In a league, the league says who meets again.
    if state.result is None or visit.league_game is not None or len(others) != 1 or visit.person.id not in state.players:
        return ""
    return f"{root}/me?{urlencode({'player': visit.names[others[0]], 'game': state.game.entry.key})}#challenge"


def _trying(state: GameState, root: str) -> str:
    steps = tuple(step for turn in state.line.turns for step in turn.text.split("; "))
    # on a board to try, dice fall anew, and a step cannot be left out
    if state.game.entry.chance or len(state.line.turns) != state.line.length or len(steps) >= MOST_TO_TRY or state.left:
        return ""
    return f"{root}/rules/{state.game.entry.key}{_tried(state.game, steps)}#try"


@lru_cache(maxsize=200)
def _tried(game: Game[Any, Any], steps: tuple[str, ...]) -> str:
    options = ((info.name, written(getattr(game.options, info.name))) for info in describe(type(game.options)))
    return Sofar(steps, kept=(*options, ("dice", "1"))).query


def _own_offer(desk: GameDesk) -> str:
    offer = desk.state.proposal
    return proposals.question(offer, desk.table.parties(offer)) if offer is not None and offer.seat == desk.seat else ""


def _may_give(state: GameState, seat: Seat | None) -> bool:
    limited = state.clock is not None and state.clock.deadline is not None
    return limited and seat is not None and len(state.seats) == len(FOR_TWO) and state.to_move != seat


def _publishing(visit: Visit) -> str:
    if visit.state.result is None or not visit.notes:
        return ""
    return "hide" if all(one.published for one in visit.notes) else "publish"


def _laid(visit: Visit, board: TouchBoard) -> str:
    """Return the player's plan with the turns on the board, in words, if these are pairs of a turn and its answer."""
    if not board.turns or len(board.turns) % 2 or sum(len(turn.split("; ")) for turn in board.turns) < len(board.steps):
        return ""
    return write_plan(with_line(visit.plan, [tuple(turn.split("; ")) for turn in board.turns]))


def _context(visit: Visit, site: Site) -> MailContext:
    """Return what a mail with the board would be written from, were it written to the player now."""
    return replace(
        unsent(MailKind.BOARD, visit.person, site, visit.now, visit.person.preferences.language),
        game_id=visit.token.game,
        state=visit.state,
        history=visit.history,
        people=visit.names,
        league_game=visit.league_game,
    )


def news(visit: Visit, desk: GameDesk) -> tuple[str, str]:
    """Return what happened and what is to be done, in a sentence or two, and what else there is to say."""
    state, seat = desk.state, desk.seat
    correctable = unannounced(state, visit.now)
    if state.result is not None:
        return desk.ending(), ""
    if _has_turn(desk):
        return your_turn(desk)
    waits = pending(desk.context, OwnGame(visit.token.game, state, "")).sentence
    if correctable is not None and correctable.seat == seat:
        return is_in(desk), waits
    last = state.line.last
    played = say("{player} played {moves}.", player=desk.table.name_of(last), moves=last.text) if last is not None else ""
    return paragraph(played, waits), ""


def _has_turn(desk: GameDesk) -> bool:
    return desk.state.mover is not None and desk.state.mover == desk.context.person.id


def _alt(desk: GameDesk, board: TouchBoard | None) -> str:
    if board is None or not board.steps:
        return desk.scene.alt
    return say("The board of {game} as it would be after {moves}.", game=desk.name, moves="; ".join(board.steps))
