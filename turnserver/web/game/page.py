"""The page of a game: everything that its template shows, from a game as its reader may see it."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec

from turnserver.config import Site
from turnserver.errors import NotFound
from turnserver.ids import PlayerId
from turnserver.mail.outbound.context import OwnGame, Stranger, unsent
from turnserver.mail.outbound.game_words import GameDesk, game_name, league_line, pending
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import deadline_time, language, one_line, short_time, time_left, when_due
from turnserver.play.clock.clock import allowance, grace_left, left
from turnserver.play.events import TurnsRetracted
from turnserver.play.line import Line
from turnserver.records.check import Proof, proof_of
from turnserver.records.record import Comment
from turnserver.rules import Game, Seat
from turnserver.rules.options import told
from turnserver.service.pages.public import PublicGame
from turnserver.store.web.visibility import Relation
from turnserver.text import in_english, joined, say
from turnserver.web import replay
from turnserver.web.game.listed import ListedRow, rows
from turnserver.web.pages import Link
from turnserver.web.picture import PARTS, cropped, flipped
from turnserver.web.replay import Part, Replay, ReplayScene
from turnserver.web.turn.board import mark_of, picture

TEMPLATE: Final = "page/game.html.j2"
TURNS: Final = 50
"""The number of turns in one list of moves, and in one album that a browser loads if a turn is one step."""


class Wanted(NamedTuple):
    """The moment that an address asks for, and whether the board is to be turned round. An empty moment is the newest."""

    moment: str = ""
    flip: bool = False

    @property
    def query(self) -> str:
        """Return what an address says of this, from the question mark on; empty for the newest moment as it stands."""
        said = [("turn", self.moment)] if self.moment else []
        return f"?{urlencode([*said, *([('flip', '1')] if self.flip else [])])}" if said or self.flip else ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of the game."""

    colour: Annotated[str, "what the game calls it"]
    player: Annotated[str, "who sits there, as the reader may read it"]
    page: Annotated[str, "the address of the player's page; empty if there is none to see"]
    on_move: Annotated[bool, "whether it has the turn"]
    note: Annotated[str, "that it has won, has left, or is on vacation; else empty"]
    time: Annotated[
        str, "the time that is left for its turn, or that it has for the next one; empty where there is no limit, and in an export"
    ]


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn in the list of moves."""

    number: Annotated[int, "its number"]
    seat: Annotated[str, "what the game calls the seat that played it"]
    text: Annotated[str, "the move in notation"]
    rolls: Annotated[tuple[str, ...], "what chance decided after it"]
    when: Annotated[str, "when it arrived, in the reader's zone; empty for a turn that was skipped"]
    address: Annotated[str, "the address of the page at its end"]
    current: Annotated[bool, "whether the page shows the board during it or at its end"]


@dataclass(frozen=True, slots=True)
class GamePage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    name: Annotated[str, "title and number of the game"]
    title: Annotated[str, "the game and its players"]
    situation: Annotated[str, "whose move it is and until when, or how the game ended, in sentences"]
    own: Annotated[str, "the address of the page on which the reader plays this game; empty if they have no seat"]
    options: Annotated[str, "the options that were chosen; may be empty"]
    time: Annotated[str, "the time control, in sentences"]
    league: Annotated[Link | None, "the league that the game belongs to; none if it belongs to none that the reader may see"]
    beside: Annotated[tuple[Link, ...], "the games before and after it in the season of that league, as far as the reader may see them"]
    seats: Annotated[tuple[SeatRow, ...], "the seats in order"]
    meetings: Annotated[tuple[ListedRow, ...], "earlier games of the same players, the last one first"]
    picture: Annotated[str, "the address of the picture of the board; in an export, of all of the picture"]
    width: Annotated[int, "the width of that picture in its own units"]
    height: Annotated[int, "its height, by which a browser keeps room for it"]
    beneath: Annotated[str, "the address of the picture of what stands beneath the board; empty if nothing does, and in an export"]
    alt: Annotated[str, "the picture in a sentence"]
    text: Annotated[str, "the board as text"]
    now: Annotated[str, "what has just happened on the board that is shown, in notation"]
    told: Annotated[tuple[str, ...], "what came of it, and published notes, as sentences"]
    newest: Annotated[bool, "whether the board is the newest"]
    first: Annotated[str, "the address of the board before the first turn"]
    previous: Annotated[str, "the address of the moment before this one; empty at the first"]
    next: Annotated[str, "the address of the moment after this one; empty at the last"]
    last: Annotated[str, "the address of the newest board"]
    turn: Annotated[int, "the turn of the moment that is shown; 0 before the first"]
    turns: Annotated[int, "how many turns there are"]
    moment: Annotated[str, "how addresses name the moment: `7` is the end of turn 7, `7.2` the second stop within it"]
    flip: Annotated[bool, "whether the board is turned round"]
    turned: Annotated[str, "the address of the same moment with the board turned round, or back again"]
    album: Annotated[str, "the address of the boards and words of the moments around this one, for scripts"]
    moves: Annotated[tuple[TurnRow, ...], "some turns in order, among them the one that is shown"]
    parts: Annotated[tuple[Link, ...], "the lists of all other turns; none if there is only this one"]
    several: Annotated[bool, "whether turns take several steps"]
    draws: Annotated[int, "how many rolls can be checked, which is when the game is over"]
    address: Annotated[str, "the address of the page without a question mark"]


def game_page(sight: PublicGame, site: Site, wanted: Wanted, *, address: str, root: str = "", exported: bool = False) -> GamePage:
    """Return the page of a game at a moment. `root` is the path of our addresses. Raises NotFound for a moment that there is not.

    A page that is `exported` has all turns in one list, and no time that is left.
    """
    desk, state = desk_of(sight, site), sight.state
    shown = replay_of(sight)
    turns = state.line.length
    turn = _turn(wanted.moment, turns)
    listed = max(turns, 1) if exported else TURNS
    # One turn more on either side, for the links to the moment before and to the one after.
    found = replay.scenes(shown, part_of(state.line, max(turn - 1, 0), turn + 1))
    names = [stop.name for stop in replay.moments(found)]
    here = wanted.moment or names[-1]
    if here not in names:
        raise no_moment()
    at = names.index(here)
    scene = found[at]
    ends = turns, at == len(names) - 1

    board = picture(state.game, scene.at, scene.last)
    drawing = f"{address}/board.svg{wanted._replace(moment=here).query}&v={mark_of(state.line)}"

    def to(moment: str) -> str:
        return address + wanted._replace(moment=moment).query

    page = GamePage(
        site=site.name,
        name=desk.name,
        title=say("{game}: {players}", game=desk.name, players=joined(" \N{EN DASH} ", [desk.table.name(one) for one in state.players])),
        situation=situation(desk, counts_down=not exported),
        own=f"{root}/play/{sight.id}-{sight.reader.who}" if sight.relation is Relation.SEAT and state.result is None else "",
        options=told(state.game.options),
        time=desk.time,
        league=Link(league_line(sight.place), f"{root}/leagues/{sight.league}") if sight.place is not None else None,
        beside=tuple(_beside(sight, root)),
        seats=tuple(_seats(sight, desk, root, counts_down=not exported)),
        meetings=tuple(rows(sight.meetings, sight.people, sight.reader, root)),
        picture=drawing if exported else f"{drawing}&part=board",
        width=round(board.width),
        height=round(board.height),
        beneath=f"{drawing}&part=beneath" if cropped(board.svg, "beneath") and not exported else "",
        alt=_alt(sight, scene),
        text=state.game.view.text(scene.at, scene.last),
        now=scene.now,
        told=scene.told,
        newest=ends == (turn, True),
        first=to("0"),
        previous=to(names[at - 1]) if at else "",
        next=to(names[at + 1]) if not ends[1] else "",
        last=to(""),
        turn=turn,
        turns=turns,
        moment=here,
        flip=wanted.flip,
        turned=address + wanted._replace(flip=not wanted.flip).query,
        album=f"{address}/replay.json{Wanted(str(turn), wanted.flip).query}&v={mark_of(state.line)}",
        moves=tuple(_moves(shown, window(turn, turns, listed), turn, to)),
        parts=tuple(_parts(turns, listed, window(turn, turns, listed)[0], to)),
        several=state.game.entry.several,
        draws=len(proof.draws) if (proof := proof_for(sight)) else 0,
        address=address,
    )
    return language(sight.reader.language).told(page)


def desk_of(sight: PublicGame, site: Site) -> GameDesk:
    """Return what a mail about the game would be written from, were it written to a stranger."""
    context = replace(
        unsent(MailKind.BOARD, Stranger("", sight.reader.zone), site, sight.now, sight.reader.language),
        game_id=sight.id,
        state=sight.state,
        history=sight.history,
        people=sight.people.names,
        league_game=sight.place,
    )
    return GameDesk.of(context)


def replay_of(sight: PublicGame) -> Replay:
    """Return the game to be replayed, with the names that its reader may read."""
    state, zone = sight.state, sight.reader.zone
    desk_title = f"{state.game.entry.title} {sight.id}"
    return Replay(
        title=desk_title,
        game=state.game,
        record=sight.record,
        result="",
        facts=(),
        whens={turn.turn: short_time(turn.received_at, zone) for turn in state.line.turns},
        retracted=any(isinstance(row.event, TurnsRetracted) for row in sight.history),
        proof=proof_for(sight),
    )


def proof_for(sight: PublicGame) -> Proof | None:
    """Return what the rolls of a game came from, once that has been told."""
    return proof_of(sight.id, sight.state, [row.event for row in sight.history])


def situation(desk: GameDesk, *, counts_down: bool = True) -> str:
    """Return whose move it is and until when, or how the game ended, as sentences."""
    if desk.state.result is not None:
        return desk.ending()
    clock, running = desk.clock, desk.state.clock
    if clock is not None and running is not None:
        until = deadline_time(running.deadline, desk.context.person.zone) if running.deadline else ""
        return say("{player} to move, {when}.", player=clock.mover, when=clock.when if counts_down else when_due(running, until))
    return pending(desk.context, OwnGame(desk.game_id, desk.state, "")).sentence


def moment_of(sight: PublicGame, wanted: Wanted) -> ReplayScene:
    """Return the moment that an address asks for. Raises NotFound if there is none."""
    turn = _turn(wanted.moment, sight.state.line.length)
    found = replay.scenes(replay_of(sight), part_of(sight.state.line, turn, turn))
    names = [stop.name for stop in replay.moments(found)]
    if wanted.moment not in ("", *names):
        raise no_moment()
    return found[names.index(wanted.moment) if wanted.moment else -1]


def drawn(game: Game[Any, Any], scene: ReplayScene, *, flip: bool, language_key: str, part: str = "") -> str:
    """Return the picture of a moment as SVG, in a language, or a part of it."""
    told_in = language(language_key).told(picture(game, scene.at, scene.last).svg)
    return cropped(flipped(told_in) if flip else told_in, part)


@dataclass(frozen=True, slots=True)
class _Reel:
    """Some turns of a game as their reader may see them. Two are equal if they show the same."""

    shows: tuple[Any, ...]
    turns: tuple[int, int]
    flip: bool
    language_key: str
    # Not compared: it is another object for each request, though it may show the same.
    sight: PublicGame = field(compare=False)


def reel(sight: PublicGame, wanted: Wanted) -> bytes:
    """Return the moments of some turns, among them the one that is asked for, with their boards, as JSON for a script.

    Beside them stand the names of the moments `before` and `after` these, empty at the ends of the game.
    Raises NotFound for a moment that there is not.
    """
    turns = window(_turn(wanted.moment, sight.state.line.length), sight.state.line.length, _loaded(sight.state.game))
    # names are the reader's, and notes may be published later
    noted = tuple(item.text for item in sight.record.course if isinstance(item, Comment))
    shows = (sight.id, mark_of(sight.state.line), tuple(sorted(sight.people.names.items())), noted)
    return _packed(_Reel(shows, turns, wanted.flip, sight.reader.language, sight))


@lru_cache(maxsize=100)
def _packed(of: _Reel) -> bytes:
    """Return a reel as JSON. Those looked at lately are kept: many boards are drawn for each."""
    sight, spoken = of.sight, language(of.language_key)
    line, (first, last) = sight.state.line, of.turns
    # One turn more, for the name of the moment after these.
    more = replay.scenes(replay_of(sight), part_of(line, first, last + 1))
    stops = list(replay.moments(more))
    found = [scene for scene in more if scene.turn <= last]
    drawings = [drawn(sight.state.game, scene, flip=of.flip, language_key=spoken.key) for scene in found]
    album = replay.album([cropped(one, part) for part in PARTS for one in drawings])
    moments = [
        asdict(stop) | {"alt": alt, "text": text}
        for stop, alt, text in spoken.told(
            tuple(
                (stop, _alt(sight, scene), sight.state.game.view.text(scene.at, scene.last))
                for stop, scene in zip(stops[: len(found)], found, strict=True)
            )
        )
    ]
    return msgspec.json.encode(
        {
            "moments": moments,
            # The last moment of a turn is named by its number alone.
            "before": str(first - 1) if first else "",
            "after": stops[len(found)].name if len(found) < len(stops) else "",
            "parts": album.parts,
            "frames": album.frames[: len(found)],
            "beneath": album.frames[len(found) :],
        },
        enc_hook=in_english,
    )


def _loaded(game: Game[Any, Any]) -> int:
    # A turn of several steps has a board for each of them.
    return TURNS if not game.entry.several else 8


def window(turn: int, turns: int, most: int = TURNS) -> tuple[int, int]:
    """Return the first and the last turn of the list of `most` that has a turn. The first list has what is before the first turn, too."""
    number = max(turn - 1, 0) // most
    return number * most + (1 if number else 0), min((number + 1) * most, turns)


def part_of(line: Line, first: int, last: int) -> Part:
    """Return some turns of a line, with the board before them."""
    if not first:
        return Part(0, last, line.game.rules.start(), None)
    before = line.before(first)
    return Part(first, last, before.position, before.last_step)


def no_moment() -> NotFound:
    """Return the refusal of a moment that the game does not have, or that nobody may see yet."""
    return NotFound(say("The game has no such turn yet. Open its page without a turn to see the newest board."))


def _turn(moment: str, turns: int) -> int:
    """Return the turn that the name of a moment begins with. Raises NotFound if there is none."""
    if not moment:
        return turns
    number = moment.partition(".")[0]
    if not (number.isascii() and number.isdigit() and len(number) < 9 and int(number) <= turns):
        raise no_moment()
    return int(number)


def _seats(sight: PublicGame, desk: GameDesk, root: str, *, counts_down: bool) -> Iterator[SeatRow]:
    state = sight.state
    winners = state.result.winners if state.result is not None else ()
    for line, seat in zip(desk.seats, state.seats, strict=True):
        player = state.player_at(seat)
        # who is away when is told to those at the table alone
        away = line.away if sight.relation is Relation.SEAT else ""
        note = say("has won") if seat in winners else say("has left") if line.left else away
        page = player_address(sight.people.with_page, player, root)
        yield SeatRow(line.colour, line.player, page, line.on_move, note, _time(sight, seat) if counts_down else "")


def _beside(sight: PublicGame, root: str) -> Iterator[Link]:
    """Yield links to the games before and after it in its league."""
    if sight.place is None:
        return
    league, (before, after) = one_line(sight.place.league), sight.beside
    if before is not None:
        yield Link(say("Previous game of {league}", league=league), f"{root}/games/{before}")
    if after is not None:
        yield Link(say("Next game of {league}", league=league), f"{root}/games/{after}")


def _time(sight: PublicGame, seat: Seat) -> str:
    """Return the time of a seat while the game goes on: what is left of its turn, or what it has for its next one."""
    state = sight.state
    if state.to_move is None or state.clock is None or seat in state.left:
        return ""
    if seat == state.to_move:
        remaining = left(state, sight.now)
        rest = None if remaining is None else remaining + (grace_left(state, sight.now) or timedelta(0))
        return "" if rest is None else say("{span} left", span=time_left(rest))
    coming = allowance(state, seat, sight.now)
    return say("{span} for the next move", span=time_left(coming)) if coming is not None else ""


def player_address(with_page: frozenset[PlayerId], player: PlayerId, root: str) -> str:
    """Return the address of a player's page; empty if there is none to see."""
    return f"{root}/players/{player}" if player in with_page else ""


def _alt(sight: PublicGame, scene: ReplayScene) -> str:
    name = game_name(sight.id, sight.state.game)
    if scene.turn:
        return say("The board of {game}. {moment}.", game=name, moment=scene.now)
    return say("The board of {game} at the start.", game=name)


def _moves(shown: Replay, some: tuple[int, int], turn: int, to: Callable[[str], str]) -> Iterator[TurnRow]:
    for move in replay.moves(shown):
        if some[0] <= move.number <= some[1]:
            yield TurnRow(move.number, move.seat, move.text, move.rolls, move.when, to(str(move.number)), move.number == turn)


def _parts(turns: int, listed: int, shown: int, to: Callable[[str], str]) -> Iterator[Link]:
    if turns <= listed:
        return
    for number in range((turns - 1) // listed + 1):
        begin, end = window(number * listed + 1, turns, listed)
        if begin != shown:
            yield Link(f"{max(begin, 1)}\N{EN DASH}{end}", to(str(end)))
