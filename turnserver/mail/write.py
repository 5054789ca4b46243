"""From an occasion to a letter: what is said, in words, without its form."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from turnserver import games
from turnserver.envelope import GameId, PlayerId, Recorded
from turnserver.mail.letters import (
    Board,
    BoardShown,
    CatalogueRow,
    Clock,
    CommandRow,
    Credited,
    DrawOffer,
    DrawRefused,
    GameOver,
    GameRow,
    GameView,
    Happening,
    Help,
    Invitation,
    Left,
    Letter,
    Opened,
    OwnGames,
    Previewed,
    ProblemLine,
    Refused,
    Reminder,
    Retracted,
    RulesSheet,
    Said,
    SeatLine,
    Speech,
    Started,
    Transcript,
    Unknown,
    Welcome,
    YourTurn,
)
from turnserver.mail.marker import MARKER
from turnserver.mail.narrate import Table, because, outcome, sentence, story, told
from turnserver.mail.notices import Kind
from turnserver.mail.occasion import Occasion, OwnGame
from turnserver.mail.phrases import HELP
from turnserver.mail.rulesheet import blocks
from turnserver.mail.wording import counted, date_and_time, lines_of, one_line, record_time, short_time, span, until, zone_of
from turnserver.play.events import (
    EndedBy,
    GameEnded,
    GameEvent,
    GameOpened,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    PlayerReminded,
    ResultAnnulled,
    SeatLeft,
    SeatOrder,
    SecretRevealed,
    TurnPlayed,
    TurnsRetracted,
)
from turnserver.play.line import Line
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose, Game, Roll, Seat
from turnserver.rules.kit import example_turns, replay_turn
from turnserver.rules.options import in_words, listing

_DIGEST_DIGITS: Final = 16
_LONGEST_REASON: Final = 500
_LONGEST_TURN: Final = 60
_NO_NEWS: Final = (GameOpened, InvitationAccepted, GameStarted, PlayerReminded, GameEnded, SecretRevealed, ResultAnnulled)
"""What a list of news leaves out: the headline says it, or it is about the mails themselves."""


class Picture(NamedTuple):
    """A picture and the Content-ID, without angle brackets, under which the letter knows it."""

    svg: str
    cid: str


class Scene(NamedTuple):
    """A position, the step that led to it (None at the start), and when that is, as a phrase."""

    position: Any
    last_step: Any
    caption: str


class Written(NamedTuple):
    """A letter, its constant subject, and the picture that belongs to it."""

    letter: Letter
    subject: str
    picture: Picture | None = None


def write(occasion: Occasion) -> Written:
    """Say what there is to say. Raises ValueError if the occasion lacks the game that its kind is about."""
    if occasion.kind in _ABOUT_A_GAME:
        desk = _GameDesk.of(occasion)
        letter = _ABOUT_A_GAME[occasion.kind](desk)
        return Written(letter, desk.subject, desk.picture)
    return _ABOUT_OTHER_THINGS[occasion.kind](occasion)


def game_name(game_id: GameId, game: Game[Any, Any]) -> str:
    """`Take 17`."""
    return f"{game.entry.title} {game_id}"


def game_subject(game_id: GameId, state: GameState, people: Mapping[PlayerId, str]) -> str:
    """`[Take 17] Ada - Bob`: the same for the whole game and for all of its players, so that mail programs keep it together."""
    table = Table(state, people)
    return f"[{game_name(game_id, state.game)}] {' - '.join(table.name(player) for player in state.players)}"


def _mailto(address: str, subject: str) -> str:
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'Re: {subject}', safe='')}"


def _picture_id(occasion: Occasion) -> str:
    """The same for every repetition of a mail, and no other's."""
    return f"board.{sha256(occasion.message_id.encode()).hexdigest()[:20]}@{occasion.site.address.rpartition('@')[2]}"


def _common(occasion: Occasion, headline: str) -> dict[str, Any]:
    speeches = tuple(
        Speech(one_line(occasion.people.get(line["player"], "")) or f"player {line['player']}", lines_of(line["text"]))
        for line in occasion.detail.get("said", ())
    )
    return {
        "marker": MARKER,
        "site": one_line(occasion.site.name),
        "address": occasion.site.address,
        "admin": occasion.site.admin,
        "headline": headline,
        "said": speeches,
    }


@dataclass(frozen=True)
class _GameDesk:
    """One mail about one game: what the letters draw their words from."""

    occasion: Occasion
    game_id: GameId
    state: GameState
    table: Table
    seat: Seat | None

    @classmethod
    def of(cls, occasion: Occasion) -> "_GameDesk":
        state = occasion.state
        if state is None or occasion.game_id is None or not occasion.history:
            raise ValueError(f"a mail of the kind {occasion.kind} needs a game and its history")
        seat = None if occasion.person.id is None else state.seat_of(occasion.person.id)
        return cls(occasion, occasion.game_id, state, Table(state, occasion.people), seat)

    @property
    def name(self) -> str:
        return game_name(self.game_id, self.state.game)

    @property
    def subject(self) -> str:
        return game_subject(self.game_id, self.state, self.occasion.people)

    @property
    def opponents(self) -> str:
        return listing([self.table.name(player) for player in self.state.players if player != self.occasion.person.id] or ["nobody"], "and")

    @property
    def past(self) -> bool:
        """Whether the mail shows an earlier moment."""
        at = self.occasion.detail.get("at")
        return at is not None and at < self.state.line.length

    @property
    def line(self) -> Line:
        """The turns up to the moment that the mail shows."""
        return self.state.line.before(self.occasion.detail["at"] + 1) if self.past else self.state.line

    @property
    def shows_board(self) -> bool:
        if self.occasion.kind is Kind.SAID:
            return False
        return self.occasion.kind is not Kind.GAME_OVER or self.state.line.length > 0

    @cached_property
    def scene(self) -> Scene:
        """The board that the mail shows: of the moment that it is about, or after the steps of a preview."""
        line = self.line
        last = f"after turn {line.last.turn}, {line.last.text}" if line.last else "at the start"
        now = Scene(line.position, line.last_step, last)
        if self.occasion.kind is not Kind.PREVIEW:
            return now
        steps = self.occasion.detail["steps"]
        return Scene(*replay_turn(self.state.game.rules, now.position, steps), f"as it would be after {'; '.join(steps)}")

    @property
    def picture(self) -> Picture | None:
        if not self.shows_board:
            return None
        return Picture(self.state.game.view.svg(self.scene.position, self.scene.last_step), _picture_id(self.occasion))

    @property
    def clock(self) -> Clock | None:
        state, zone = self.state, self.occasion.person.zone
        if state.to_move is None or state.deadline is None or self.past:
            return None
        return Clock(
            yours=state.to_move == self.seat,
            mover=self.table.at(state.to_move),
            deadline=date_and_time(state.deadline, zone),
            left=until(state.deadline, self.occasion.now),
        )

    @property
    def view(self) -> GameView:
        state, line, clock = self.state, self.line, self.clock
        yours = clock is not None and clock.yours
        left = self.seat in state.left
        offered = state.draw_offer is not None and state.draw_offer != self.seat and not self.past and not left
        return GameView(
            name=self.name,
            options=in_words(asdict(state.game.options)),
            turn=state.turn if clock else line.length,
            version=state.version,
            digest=self.occasion.history[-1].hash.hex()[:_DIGEST_DIGITS],
            board=self._board() if self.shows_board else None,
            seats=tuple(self._seat_line(seat) for seat in self.state.seats),
            clock=clock,
            examples=example_turns(state.game.rules, line.position) if yours else (),
            notation=tuple(state.game.entry.notation.splitlines()),
            draw_offer=self.table.at(state.draw_offer) if offered and state.draw_offer is not None else "",
            draws=state.game.entry.draws and state.status is Status.RUNNING and state.draw_offer is None,
            left=left,
            mailto=_mailto(self.occasion.reply_to, self.subject),
        )

    def _board(self) -> Board:
        text = self.state.game.view.text(self.scene.position, self.scene.last_step)
        return Board(text.rstrip("\n"), _picture_id(self.occasion), f"The board of {self.name} {self.scene.caption}.")

    def _seat_line(self, seat: Seat) -> SeatLine:
        return SeatLine(
            colour=self.state.seat_name(seat),
            player=self.table.name(self.state.player_at(seat)),
            yours=seat == self.seat,
            on_move=seat == self.state.to_move and not self.past,
            left=seat in self.state.left and not self.past,
        )

    def common(self, headline: str) -> dict[str, Any]:
        return {**_common(self.occasion, headline), "game": self.view}

    def happening(self, recorded: Recorded[GameEvent]) -> Happening:
        """An event with what came of it on the board; if that is told, the rolls need not be named once more."""
        came_of_it = told(recorded.event, self.state.line)
        words = sentence(recorded.event, self.table, rolls=not came_of_it)
        return Happening(short_time(recorded.at, self.occasion.person.zone), words, came_of_it)

    def news(self, *, with_own_turn: bool = False) -> tuple[Happening, ...]:
        """What happened since the reader's last turn; the reader's other doings are no news.

        That turn itself is told if asked for, and if more came of it than its writer can know: what was rolled, who noticed.
        """
        history = self.occasion.history
        own = [at for at, one in enumerate(history) if isinstance(one.event, TurnPlayed) and one.event.seat == self.seat]
        with_own_turn = with_own_turn or bool(own and told(history[own[-1]].event, self.state.line))
        start = (own[-1] + (0 if with_own_turn else 1)) if own else 0
        return tuple(
            self.happening(one)
            for one in history[start:]
            if (not isinstance(one.event, _NO_NEWS) or (isinstance(one.event, GameStarted) and one.event.rolls))
            and (isinstance(one.event, TurnPlayed) or getattr(one.event, "seat", None) != self.seat or self.seat is None)
        )

    def seating(self) -> str:
        opened = self.occasion.history[0].event
        lot = isinstance(opened, GameOpened) and opened.order is SeatOrder.LOT
        how = "drawn by lot" if lot else "as arranged"
        order = listing([self.table.at(seat) for seat in self.state.seats], "and")
        return f"The seats, in the order of play and {how}: {order}."

    def waiting_for(self) -> str:
        missing = [self.table.name(player) for player in self.state.players if player not in self.state.accepted]
        return listing(missing or ["nobody"], "and")


def _invitation(desk: _GameDesk) -> Letter:
    opener = desk.state.opened_by
    by = f"by {desk.table.name(opener)} to play" if opener is not None else f"to play against {desk.opponents}:"
    return Invitation(
        **desk.common(f"You are invited {by} {desk.name}."),
        seating=desk.seating(),
        pace=counted(desk.state.days_per_move, "day"),
        rules_key=desk.state.game.entry.key,
        chance=desk.state.game.entry.chance,
    )


def _opened(desk: _GameDesk) -> Letter:
    headline = f"Your challenge is on its way: {desk.name}. It begins when everybody has accepted; missing so far: {desk.waiting_for()}."
    return Opened(**desk.common(headline), seating=desk.seating(), pace=counted(desk.state.days_per_move, "day"))


def _started(desk: _GameDesk) -> Letter:
    first = desk.clock.mover if desk.clock else "nobody"
    return Started(**desk.common(f"{desk.name} has begun. The first move is made by {first}; you will get a mail when it is yours."))


def _turn(desk: _GameDesk) -> Letter:
    last, newest, deadline = desk.state.line.last, desk.state.line.entry, desk.state.deadline
    until_when = f"until {short_time(deadline, desk.occasion.person.zone)}" if deadline else ""
    if isinstance(newest, SeatLeft):
        headline = f"In {desk.name}, {desk.table.at(newest.seat)} has left. It is your move now, {until_when}."
    elif last is None:
        headline = f"{desk.name} against {desk.opponents} has begun. The first move is yours, {until_when}."
    else:
        played = last.text if len(last.text) <= _LONGEST_TURN else f"a turn of {counted(len(last.steps), 'step')}"
        headline = f"In {desk.name}, {desk.table.at(last.seat)} played {played}. It is your move, {until_when}."
    news = desk.news()
    return YourTurn(**desk.common(headline), happenings=news if len(news) > 1 or any(one.told for one in news) else ())


def _reminder(desk: _GameDesk) -> Letter:
    left = span(desk.state.deadline - desk.occasion.now) if desk.state.deadline else ""
    return Reminder(**desk.common(f"{desk.name} waits for your move, and your time runs out: {left} left."), happenings=desk.news())


def _left(desk: _GameDesk) -> Letter:
    seat, late = desk.occasion.detail["seat"], desk.occasion.detail["late"]
    if seat == desk.seat:
        return Left(**desk.common(f"Your time ran out, so you have left {desk.name}. The others play on."))
    why = "ran out of time and has left" if late else "gave up and has left"
    return Left(**desk.common(f"In {desk.name}, {desk.table.at(seat)} {why}. The others play on."))


def _draw_offered(desk: _GameDesk) -> Letter:
    return DrawOffer(**desk.common(f"In {desk.name}, a draw is offered by {desk.table.at(desk.occasion.detail['seat'])}."))


def _draw_declined(desk: _GameDesk) -> Letter:
    by = desk.table.at(desk.occasion.detail["seat"])
    return DrawRefused(**desk.common(f"In {desk.name}, the draw was declined by {by}. The game goes on."))


def _said(desk: _GameDesk) -> Letter:
    speakers = dict.fromkeys(desk.table.name(line["player"]) for line in desk.occasion.detail["said"])
    return Said(**desk.common(f"In {desk.name}, there is a word for you from {listing(list(speakers), 'and')}:"))


def _retracted(desk: _GameDesk) -> Letter:
    first, reason = desk.occasion.detail["first"], desk.occasion.detail["reason"]
    undone = tuple(sentence(turn, desk.table) for turn in _last_undone(one.event for one in desk.occasion.history))
    turns = f"turn {first}" if len(undone) == 1 else f"the turns from {first} on"
    return Retracted(**desk.common(f"In {desk.name}, an admin took back {turns}{because(reason)}."), undone=undone)


def _last_undone(events: Iterator[GameEvent]) -> tuple[TurnPlayed, ...]:
    """The turns that the last retraction took back."""
    standing: list[TurnPlayed] = []
    undone: list[TurnPlayed] = []
    for event in events:
        if isinstance(event, TurnPlayed):
            standing.append(event)
        elif isinstance(event, TurnsRetracted):
            undone = [turn for turn in standing if turn.turn >= event.first]
            standing = [turn for turn in standing if turn.turn < event.first]
    return tuple(undone)


def _credited(desk: _GameDesk) -> Letter:
    more = span(timedelta(seconds=desk.occasion.detail["seconds"]))
    return Credited(**desk.common(f"In {desk.name}, you have {more} more for your move{because(desk.occasion.detail['reason'])}."))


def _game_over(desk: _GameDesk) -> Letter:
    return GameOver(
        **desk.common(_ending(desk)), happenings=desk.news(with_own_turn=True) if desk.state.line.length else (), played=desk.shows_board
    )


def _ending(desk: _GameDesk) -> str:
    result = desk.state.result
    if result is None:
        raise ValueError(f"{desk.name} has not ended")
    events = [one.event for one in desk.occasion.history]
    if isinstance(events[-1], ResultAnnulled):
        return f"The result of {desk.name} no longer counts. An admin took it back{because(result.reason)}."
    if result.by is EndedBy.REFUSAL:
        by = [desk.table.name(event.player) for event in events if isinstance(event, InvitationDeclined)]
        return f"{desk.name} will not be played: the invitation was declined by {listing(by or ['somebody'], 'and')}."
    if result.by is EndedBy.CANCELLATION and not any(isinstance(event, GameStarted) for event in events):
        return f"{desk.name} will not be played: an admin called it off{because(result.reason)}."
    return f"{desk.name} is over: {outcome(result, desk.table, desk.seat)}"


def _previewed(desk: _GameDesk) -> Letter:
    rules, steps = desk.state.game.rules, tuple(desk.occasion.detail["steps"])
    then = rules.next(desk.scene.position)
    complete = then != rules.next(desk.line.position)
    how = "would come out like this" if complete else "would come out like this so far"
    again = " A yes cannot play it: its lines have to be sent." if desk.occasion.detail.get("again") else ""
    return Previewed(
        **desk.common(f"In {desk.name}, your turn {how}. Nothing has been played.{again}"),
        steps=steps,
        told=story(desk.state.game, desk.line.position, steps),
        complete=complete,
        chance=isinstance(then, Roll),
        more=example_turns(rules, desk.scene.position) if isinstance(then, Choose) and not complete else (),
    )


def _board_shown(desk: _GameDesk) -> Letter:
    if desk.past:
        at = desk.occasion.detail["at"]
        moment = f"after turn {at}" if at else "before the first turn"
        return BoardShown(**desk.common(f"{desk.name} as it stood {moment}."), past=True)
    ended = _ending(desk) if desk.state.result else f"{desk.name} as it stands."
    return BoardShown(**desk.common(ended), past=False)


def _transcript(desk: _GameDesk) -> Letter:
    zone = desk.occasion.person.zone
    record = tuple(Happening(record_time(one.at, zone), sentence(one.event, desk.table)) for one in desk.occasion.history)
    headline = f"Everything that has happened in {desk.name}, oldest first, in the time of {zone_of(zone)}."
    return Transcript(**desk.common(headline), record=record)


def _refusal(occasion: Occasion) -> Written:
    """Refusals are about a game or about none."""
    detail = occasion.detail
    whole = "Your mail could not be carried out, and nothing has changed. This is why:"
    headline = "Something about your mail needs your attention." if detail["done"] else whole
    problems = tuple(
        ProblemLine(one_line(one["quoted"], _LONGEST_REASON), one_line(one["message"], 4 * _LONGEST_REASON)) for one in detail["problems"]
    )
    done = tuple(one_line(line, _LONGEST_REASON) for line in detail["done"])
    desk = _GameDesk.of(occasion) if occasion.state is not None else None
    letter = Refused(**_common(occasion, headline), problems=problems, done=done, game=desk.view if desk else None)
    return Written(letter, desk.subject if desk else _site_subject(occasion, "Your mail"), desk.picture if desk else None)


def _welcome(occasion: Occasion) -> Written:
    name, site = one_line(occasion.person.name), one_line(occasion.site.name)
    letter = Welcome(**_common(occasion, f"Welcome to {site}, {name}."), reply_to=occasion.reply_to, catalogue=_catalogue())
    return Written(letter, _site_subject(occasion, "Welcome"))


def _games(occasion: Occasion) -> Written:
    rows = [(own.state.deadline, _row(occasion, own)) for own in occasion.games]
    rows.sort(key=lambda row: (not row[1].yours, row[0] is None, row[0] or occasion.now))
    waiting = sum(row.yours for _, row in rows)
    if rows:
        headline = (
            f"You play in {counted(len(rows), 'game')}, and {waiting or 'none'} of them {'waits' if waiting <= 1 else 'wait'} for you."
        )
    else:
        headline = "You play in no game at present."
    return Written(OwnGames(**_common(occasion, headline), rows=tuple(row for _, row in rows)), _site_subject(occasion, "Your games"))


def _row(occasion: Occasion, own: OwnGame) -> GameRow:
    state, table, reader = own.state, Table(own.state, occasion.people), occasion.person
    others = listing([table.name(player) for player in state.players if player != reader.id] or ["nobody"], "and")
    if state.to_move is not None and state.deadline is not None:
        yours = state.player_at(state.to_move) == reader.id
        who = "your move" if yours else f"the move of {table.at(state.to_move)}"
        situation = f"{who} until {short_time(state.deadline, reader.zone)}, {until(state.deadline, occasion.now)}"
    else:
        yours = reader.id not in state.accepted
        missing = [table.name(player) for player in state.players if player not in state.accepted and player != reader.id]
        situation = "you are invited" if yours else f"the invitation still has to be answered by {listing(missing or ['nobody'], 'and')}"
    mailto = _mailto(own.reply_to, game_subject(own.game_id, state, occasion.people))
    return GameRow(game_name(own.game_id, state.game), others, yours, situation, mailto)


def _help(occasion: Occasion) -> Written:
    topic = one_line(str(occasion.detail.get("topic", ""))).lower()
    commands = [CommandRow(one.usage, one.meaning, one.example) for one in HELP if not topic or one.word == topic]
    if topic and commands:
        headline = f'About the command "{topic}".'
    elif topic:
        headline = f'There is no command "{topic}". These are the ones that there are.'
    else:
        headline = "Everything that you can write, each on a line of its own."
    every = tuple(commands) or tuple(CommandRow(one.usage, one.meaning, one.example) for one in HELP)
    letter = Help(**_common(occasion, headline), commands=every, catalogue=_catalogue())
    return Written(letter, _site_subject(occasion, "Help"))


def _rules(occasion: Occasion) -> Written:
    """The sheet of a game with the board of its default options."""
    game = games.find(occasion.detail["game"])
    start = game.rules.start()
    board = Board(game.view.text(start).rstrip("\n"), _picture_id(occasion), f"The board of {game.entry.title} at the start.")
    sheet = blocks(games.rules_text(game.entry.key))
    letter = RulesSheet(
        **_common(occasion, f"The rules of {game.entry.title}, a game by {game.entry.designer}."),
        blocks=sheet[1:] if sheet and sheet[0].kind == "heading" else sheet,
        board=board,
        key=game.entry.key,
    )
    return Written(letter, _site_subject(occasion, f"The rules of {game.entry.title}"), Picture(game.view.svg(start), board.cid))


def _unknown_sender(occasion: Occasion) -> Written:
    headline = "This address does not belong to any player here, so nothing was done with your mail."
    return Written(Unknown(**_common(occasion, headline)), _site_subject(occasion, "Your mail"))


def _catalogue() -> tuple[CatalogueRow, ...]:
    return tuple(CatalogueRow(entry.key, entry.title, entry.summary) for entry in games.CATALOGUE.values())


def _site_subject(occasion: Occasion, words: str) -> str:
    return f"[{one_line(occasion.site.name)}] {words}"


_ABOUT_A_GAME: Final[Mapping[Kind, Callable[[_GameDesk], Letter]]] = MappingProxyType(
    {
        Kind.INVITATION: _invitation,
        Kind.OPENED: _opened,
        Kind.GAME_STARTED: _started,
        Kind.TURN: _turn,
        Kind.REMINDER: _reminder,
        Kind.DRAW_OFFERED: _draw_offered,
        Kind.DRAW_DECLINED: _draw_declined,
        Kind.SAID: _said,
        Kind.RETRACTED: _retracted,
        Kind.CREDITED: _credited,
        Kind.LEFT: _left,
        Kind.GAME_OVER: _game_over,
        Kind.PREVIEW: _previewed,
        Kind.BOARD: _board_shown,
        Kind.TRANSCRIPT: _transcript,
    }
)
_ABOUT_OTHER_THINGS: Final[Mapping[Kind, Callable[[Occasion], Written]]] = MappingProxyType(
    {
        Kind.WELCOME: _welcome,
        Kind.REFUSAL: _refusal,
        Kind.GAMES: _games,
        Kind.HELP: _help,
        Kind.RULES: _rules,
        Kind.UNKNOWN_SENDER: _unknown_sender,
    }
)
