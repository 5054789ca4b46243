"""The words of letters about a game: from one mail, its game as it was then, and the reader at the table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar, assert_never
from urllib.parse import quote

from turnserver.ids import Event, GameId, PlayerId, Recorded, Version
from turnserver.mail.format.tokens import find
from turnserver.mail.outbound.context import DIGEST_DIGITS, LeagueGame, MailContext, OwnGame
from turnserver.mail.outbound.kinds import FORMS, BoardUse, MailKind
from turnserver.mail.outbound.language import (
    deadline_time,
    ending,
    language,
    lines_of,
    one_line,
    short_time,
    time_to_move,
    when_due,
)
from turnserver.mail.outbound.letters import BoardPicture, Clock, GameLetter, GameRow, GameView, Happening, Letter, SeatLine, Speech
from turnserver.mail.outbound.telling import proposals as proposal_story
from turnserver.mail.outbound.telling.clocks import in_hand
from turnserver.mail.outbound.telling.events import SeatNames, because, everybody, happened, name_of, outcome, paragraph, told
from turnserver.mail.outbound.telling.history import Told, corrected, told_end
from turnserver.mail.outbound.telling.notes import newest
from turnserver.play import events as e
from turnserver.play.clock.clock import control, on_vacation
from turnserver.play.clock.controls import described
from turnserver.play.line import Line
from turnserver.play.proposals import reopening_until
from turnserver.play.state import GameState, Status
from turnserver.rules import Game, Seat
from turnserver.rules.kit import example_turns, replay_turn
from turnserver.rules.options import told as options_told
from turnserver.text import joined, listing, say

EventT = TypeVar("EventT", bound=Event)

FIRST_TURNS: Final = 3
"""The number of turns of a game for which the mails explain how to write moves and what else can be written."""


class Picture(NamedTuple):
    """A picture, and the Content-ID under which the letter names it, without angle brackets."""

    svg: str
    cid: str


class WrittenLetter(NamedTuple):
    """A letter, its pictures, and its subject, which stays the same for a game."""

    letter: Letter
    subject: str
    pictures: tuple[Picture, ...] = ()


class DrawnPosition(NamedTuple):
    """A position, the step that led to it (None at the start), and a sentence that describes its picture."""

    position: Any
    last_step: Any
    alt: str


def game_name(game_id: GameId, game: Game[Any, Any]) -> str:
    """Return the name of a game: `Take 17`."""
    return f"{game.entry.title} {game_id}"


def league_line(place: LeagueGame | None) -> str:
    """Return `Take Winter, season 2, round 3, division 1.2`; empty for a game that belongs to no league."""
    if place is None:
        return ""
    parts = [one_line(place.league), say("season {n}", n=place.season)]
    parts += [say("round {n}", n=place.round)] if place.round else []
    parts += [say("division {division}", division=place.division)] if place.division else []
    return joined(", ", parts)


def game_subject(game_id: GameId, state: GameState, people: Mapping[PlayerId, str]) -> str:
    """Return `[Take 17] Ada - Bob`: the same for the whole game and for all of its players, so that mail programs keep it together.

    So it names the first players, whoever has taken a seat over since.
    """
    table = SeatNames(state, people)
    names = joined(" - ", [table.name(player) for player in state.players_at(0)])
    return joined(" ", [f"[{game_name(game_id, state.game)}]", names])


def site_subject(context: MailContext, words: str) -> str:
    """Return `[Turns] Your games`, for mails that are about no game, or about several."""
    return joined(" ", [f"[{one_line(context.site.name)}]", words])


def urgency(state: GameState, *, yours: bool) -> tuple[bool, datetime]:
    """Return the key that sorts a reader's games: first those that wait for the reader, and among them the most urgent ones."""
    # Games without a deadline come last.
    return not yours, state.deadline or datetime.max.replace(tzinfo=UTC)


def mailto(address: str, subject: str) -> str:
    """Return a link that begins an answer."""
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'Re: {subject}', safe='')}"


def picture_id(context: MailContext) -> str:
    """Return a Content-ID that is the same for every repetition of a mail and unique to the mail. A digest has one for each game."""
    named = f"{context.message_id} {context.game_id}" if context.kind is MailKind.DIGEST else context.message_id
    return f"board.{sha256(named.encode()).hexdigest()[:20]}@{context.site.address.rpartition('@')[2]}"


def speeches(context: MailContext) -> tuple[Speech, ...]:
    """Return the words of other players to the reader."""
    return tuple(Speech(name_of(line["player"], context.people), lines_of(line["text"])) for line in context.detail.get("said", ()))


def common(context: MailContext, headline: str, besides: str = "") -> dict[str, Any]:
    """Return the fields that every letter has. A lock screen shows the headline; what goes on for longer stands `besides`."""
    return {
        "marker": language(context.form.language).marker,
        "site": one_line(context.site.name),
        "address": context.site.address,
        "admin": context.site.admin,
        "account": context.person.id is not None,
        "headline": headline,
        "besides": besides,
        "said": speeches(context),
    }


@dataclass(frozen=True)
class GameDesk:
    """One mail about one game. Letters draw their words from it."""

    context: MailContext
    game_id: GameId
    state: GameState
    table: SeatNames
    seat: Seat | None

    @classmethod
    def of(cls, context: MailContext) -> "GameDesk":
        """Return the desk of a context. Raise ValueError if the context lacks the game that its kind is about."""
        state = context.state
        if state is None or context.game_id is None or not context.history:
            raise ValueError(f"a mail of the kind {context.kind} needs a game and its history")
        seat = None if context.person.id is None else state.seat_of(context.person.id)
        return cls(context, context.game_id, state, SeatNames(state, context.people, context.person.zone, context.history), seat)

    @property
    def name(self) -> str:
        """The name of the game: `Take 17`."""
        return game_name(self.game_id, self.state.game)

    @cached_property
    def subject(self) -> str:
        """The subject of answers to the mail; see `game_subject`."""
        return game_subject(self.game_id, self.state, self.context.people)

    @property
    def telling_subject(self) -> str:
        """The subject of the mail, which ends in what the game wants of the reader unless they want it without."""
        wanted = self._wanted() if self.context.form.subjects else ""
        return say("{subject}: {wanted}", subject=self.subject, wanted=wanted) if wanted else self.subject

    def _wanted(self) -> str:
        # There are few endings, because Gmail starts a conversation with each new subject.
        state, reader = self.state, self.context.person.id
        if reader is None or self.past:
            return ""
        if state.invites(reader) or state.asked(self.seat):
            return say("your answer")
        if state.status is Status.ENDED:
            return say("game over")
        return say("your move") if self.clock is not None and self.clock.yours else ""

    @property
    def opponents(self) -> str:
        """The reader's opponents, and whoever is on the reader's side; see `SeatNames.against`."""
        return self.table.against(self.seat)

    @property
    def others(self) -> str:
        """The names of everybody at the table except the reader."""
        return everybody([self.table.name(player) for player in self.state.players if player != self.context.person.id])

    @property
    def past(self) -> bool:
        """True if the mail shows an earlier moment."""
        at = self.context.detail.get("at")
        return at is not None and at < self.state.line.length

    @property
    def line(self) -> Line:
        """The turns up to the moment that the mail shows."""
        return self.state.line.before(self.context.detail["at"] + 1) if self.past else self.state.line

    @property
    def shows_board(self) -> bool:
        """True if a mail of this kind shows a board, and there is something on it to see."""
        match FORMS[self.context.kind].board:
            case BoardUse.SHOWN:
                return True
            case BoardUse.ONCE_BEGUN:
                return self.state.to_move is not None or self.state.line.length > 0
            case BoardUse.ON_MOVE:
                return self.state.mover is not None and self.state.mover == self.context.person.id
            case BoardUse.NONE:
                return False
            case board:
                assert_never(board)

    @cached_property
    def scene(self) -> DrawnPosition:
        """The board that the mail shows: at its moment, or after the steps of a preview."""
        line = self.line
        if line.last:
            alt = say("The board of {game} after turn {turn}, {moves}.", game=self.name, turn=line.last.turn, moves=line.last.text)
        else:
            alt = say("The board of {game} at the start.", game=self.name)
        now = DrawnPosition(line.position, line.last_step, alt)
        if self.context.kind is not MailKind.PREVIEW:
            return now
        steps = self.context.detail["steps"]
        as_it_would_be = say("The board of {game} as it would be after {moves}.", game=self.name, moves="; ".join(steps))
        return DrawnPosition(*replay_turn(self.state.game.rules, now.position, steps), as_it_would_be)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The picture of the board, if the mail shows one: beside text alone there are none."""
        if not self.context.form.html or not self.shows_board:
            return ()
        return (Picture(self.state.game.view.svg(self.scene.position, self.scene.last_step), picture_id(self.context)),)

    @cached_property
    def clock(self) -> Clock | None:
        """The pending turn's time. None if nobody has the turn, or if the mail shows an earlier moment."""
        state, zone = self.state, self.context.person.zone
        if state.to_move is None or state.clock is None or self.past:
            return None
        deadline = deadline_time(state.clock.deadline, zone) if state.clock.deadline else ""
        when = when_due(state.clock, deadline, self.context.now)
        mover = self.table.at(state.to_move)
        # The seat has lost its player, so the time is for somebody who does not sit there yet.
        if state.vacant is not None:
            return Clock(yours=False, mover=say("A substitute for {player}", player=mover), when=when)
        # Whose move came too late reads that the clock decides, and is not asked for one in the same mail.
        late = any(one["code"] == "too_late" for one in self.context.detail.get("problems", ()))
        yours = state.mover == self.context.person.id and not late
        return Clock(yours=yours, mover=mover, when=when, in_hand=in_hand(state, state.to_move) if yours else "")

    @property
    def your_move(self) -> str:
        """The sentence that asks the reader, who has the turn, for their move, and tells how much time is left for it."""
        return time_to_move(self.state.clock, self.context.now) if self.state.clock is not None else ""

    @property
    def when(self) -> str:
        """The deadline of the pending turn, in short. Empty if no turn is pending."""
        clock = self.state.clock
        if clock is None:
            return ""
        return when_due(clock, deadline_time(clock.deadline, self.context.person.zone) if clock.deadline else "")

    @property
    def time(self) -> str:
        """The time control of the game, in sentences."""
        return described(control(self.state))

    @property
    def seats(self) -> tuple[SeatLine, ...]:
        """The places at the table, in order."""
        return tuple(self._seat_line(seat) for seat in self.state.seats)

    @property
    def question(self) -> str:
        """The offer that waits for the reader's answer, in sentences; empty if there is none."""
        asked = None if self.past else self.state.asked(self.seat)
        until = None if asked is None or asked.kind is not e.ProposalKind.REOPENING else reopening_until(self.state)
        # a game that is over has no deadline that would end the offer
        if asked is None or (until is not None and until <= self.context.now):
            return ""
        told = deadline_time(until, self.context.person.zone) if until is not None else ""
        return proposal_story.question(asked, self.table.parties(asked), told)

    @property
    def is_invited(self) -> bool:
        """True if the reader is asked to take a seat and has not answered."""
        reader = self.context.person.id
        return not self.past and reader is not None and self.state.invites(reader)

    def has_left(self, seat: Seat) -> bool:
        """Return whether a seat was given up while the others play on, or its player lost it and it waits for a substitute."""
        return seat in self.state.left or seat == self.state.vacant

    @property
    def may_offer_draw(self) -> bool:
        """True if the reader may offer a draw now."""
        state = self.state
        if not state.game.entry.draws or state.status is not Status.RUNNING or state.proposal is not None:
            return False
        if self.seat is not None and self.has_left(self.seat):
            return False
        offered = state.draw_offers[self.seat - 1] if self.seat else None
        # One offer a turn, whoever makes it. After an offer of its own, a seat waits for some turns.
        return state.turn not in state.draw_offers and (offered is None or state.turn >= offered + state.terms.draw_turns)

    @property
    def history_told(self) -> Told:
        """The end of the history as the reader may know it, whose digest the mail gives."""
        return told_end(self.context.history, self.state, self.seat)

    @property
    def view(self) -> GameView:
        """The game for the templates."""
        state, line, clock = self.state, self.line, self.clock
        yours, known = clock is not None and clock.yours, self.history_told
        left = self.seat is None or self.has_left(self.seat)
        return GameView(
            name=self.name,
            options=options_told(state.game.options),
            league=league_line(self.context.league_game),
            turn=state.turn if clock else line.length,
            version=known.events,
            digest=known.last.hash.hex()[:DIGEST_DIGITS],
            board=self._board() if self.shows_board else None,
            seats=self.seats,
            clock=clock,
            examples=example_turns(state.game.rules, line.position) if yours else (),
            notation=state.game.entry.notation,
            proposal=self.question,
            invited=self.is_invited,
            new_to_it=not left and self.turns_played < FIRST_TURNS,
            draws=self.may_offer_draw,
            left=left,
            mailto=mailto(self.context.reply_to, self.subject),
            key=find([self.context.reply_to]) or "",
            page=self.context.page,
            notes=newest(self.context.notes if self._shows_notes else ()),
        )

    @property
    def turns_played(self) -> int:
        """The number of turns that the reader has played in this game, at the seat that they have now."""
        if self.seat is None:
            return 0
        sat_down = self.state.seated_since(self.seat)
        return sum(isinstance(one, e.TurnPlayed) and one.seat == self.seat and one.turn >= sat_down for one in self.state.line.numbered)

    @property
    def _shows_notes(self) -> bool:
        """True if the reader looks at the position: in a mail about their turn, or with the board that they asked for."""
        match self.context.kind:
            case MailKind.BOARD:
                return True
            case MailKind.NOTES:
                return False  # it has them all
            case _:
                return self.state.to_move is not None and self.state.to_move == self.seat

    def _board(self) -> BoardPicture:
        text = self.state.game.view.text(self.scene.position, self.scene.last_step)
        return BoardPicture(text, picture_id(self.context), self.scene.alt, self.context.form.shown_width)

    def _seat_line(self, seat: Seat) -> SeatLine:
        return SeatLine(
            colour=self.state.seat_name(seat),
            player=self.table.name(self.state.player_at(seat)),
            yours=seat == self.seat,
            # Who has the turn, has left or is away is known of the present alone.
            on_move=seat == self.state.to_move and seat != self.state.vacant and not self.past,
            left=self.has_left(seat) and not self.past,
            away="" if self.past else self.away(seat),
        )

    def away(self, seat: Seat) -> str:
        """Return `on vacation until ...` if the player of a seat is away at the moment of the mail; else an empty text."""
        vacation = on_vacation(self.state, seat, self.context.now)
        until = "" if vacation is None or vacation.ends is None else ending(vacation.ends, self.context.person.zone)
        return say("on vacation until {until}", until=until) if until else ""

    def common(self, headline: str, *besides: str) -> dict[str, Any]:
        """Return the fields that every letter about a game has; empty sentences are left out."""
        return {**common(self.context, headline, paragraph(*besides)), "game": self.view}

    def letter(self, headline: str, *besides: str) -> GameLetter:
        """Return a letter that says nothing about its game but a headline and a few sentences."""
        return GameLetter(**self.common(headline, *besides))

    def newest(self, kind: type[EventT]) -> EventT:
        """Return the newest event of a kind, of which the game has had at least one."""
        return next(one.event for one in reversed(self.context.history) if isinstance(one.event, kind))

    def happening(self, recorded: Recorded[e.GameEvent]) -> Happening:
        """Return an event with its story on the board. If there is a story, the sentence does not name the rolls again."""
        came_of_it = told(recorded.event, self.state.line)
        words = happened(recorded, self.table, rolls=not came_of_it)
        return Happening(short_time(recorded.at, self.context.person.zone), words, came_of_it)

    def news(self, *, with_own_turn: bool = False, since: Version | None = None, in_full: bool = False) -> tuple[Happening, ...]:
        """Return the news since the reader last played by hand or took the seat over. The reader's other actions are no news.

        That last turn itself is told if asked for, or if more came of it than the reader can know: rolls, or who noticed something. What
        led to a version `since` is told even if the reader has played then. `in_full` is for a mail without a headline: it tells too what
        others, or the clock, have done to the reader's seat.
        """
        history = self.context.history
        # A substitute has played nothing before they sat down, so everything since then is news to them.
        began = next((each.version for each in reversed(self.state.takeovers) if each.seat == self.seat), 0)
        own = [at for at, one in enumerate(history) if at >= began and _by_hand(one.event, self.seat)]
        with_own_turn = with_own_turn or bool(own and told(history[own[-1]].event, self.state.line))
        start = (own[-1] + (0 if with_own_turn else 1)) if own else began
        if since is not None:
            start = min(start, next(at for at, one in enumerate(history) if one.cause == history[since - 1].cause))
        unknown = corrected(history)
        return tuple(
            self.happening(one)
            for one in history[start:]
            if one.version not in unknown
            and _is_news(one.event)
            # Actions of the reader are no news. A turn of theirs is here because it was asked for or because their plan has played it.
            and (
                isinstance(one.event, (*_TOLD_TO_ALL, *_SUFFERED) if in_full else _TOLD_TO_ALL)
                or getattr(one.event, "seat", None) != self.seat
                or self.seat is None
            )
        )

    def seating(self) -> str:
        """Return the players in the order of play, and how this order was found, in a sentence."""
        opened = self.context.history[0].event
        lot = isinstance(opened, e.GameOpened) and opened.order is e.SeatOrder.LOT
        order = listing([self.table.at(seat) for seat in self.state.seats], "and")
        if lot:
            seats = say("The seats, in the order of play and drawn by lot: {players}.", players=order)
        else:
            seats = say("The seats, in the order of play and as arranged: {players}.", players=order)
        return paragraph(seats, *self.sides())

    def sides(self) -> Iterator[str]:
        """Yield who plays together, a sentence for each side of several players."""
        for team in self.state.game.rules.teams:
            if len(team) > 1:
                together = [self.table.name(self.state.player_at(seat)) for seat in sorted(team)]
                yield say("{players} play together.", players=listing(together, "and"))

    def waiting_for(self) -> str:
        """Return the players who have not accepted yet."""
        return everybody([self.table.name(player) for player in self.state.players if player not in self.state.accepted])

    def ending(self) -> str:
        """Return the end of the game as a sentence. Raise ValueError if it has not ended."""
        result = self.state.result
        if result is None:
            raise ValueError(f"{self.name} has not ended")
        events = [one.event for one in self.context.history]
        if isinstance(events[-1], e.ResultAnnulled):
            counts = say("The result of {game} no longer counts.", game=self.name)
            return paragraph(counts, say("The organisers took it back."), because(result.reason))
        if result.by is e.EndedBy.REFUSAL:
            by = [self.table.name(event.player) for event in events if isinstance(event, e.InvitationDeclined)]
            who = listing(by or [say("somebody")], "and")
            return say("{game} will not be played: the invitation was declined by {players}.", game=self.name, players=who)
        # A game that had begun is over; only one that had not is merely called off.
        if result.by is e.EndedBy.CANCELLATION and not any(isinstance(event, e.GameStarted) for event in events):
            off = say("{game} will not be played: the organisers called it off.", game=self.name)
            return paragraph(off, because(result.reason))
        return say("{game} is over: {outcome}", game=self.name, outcome=outcome(result, self.table, self.seat))


_TOLD_TO_ALL: Final = (e.TurnPlayed, e.TimeGiven, e.PlanActed)
"""The events that a list of news has for their own player too. No other mail says that the time which they gave is there."""


_SUFFERED: Final = (
    *(e.PlayerNudged, e.ClaimDecided, e.GraceGranted, e.TurnSkipped, e.SeatVacated, e.SeatLeft, e.TurnsRetracted),
    *(e.SubstituteInvited, e.SubstituteDeclined),
)
"""The events whose seat is not the one that did it. Most mails that tell their player of them say so in their headline."""


def _by_hand(event: e.GameEvent, seat: Seat | None) -> bool:
    # The player does not know a turn yet that their plan has played.
    return isinstance(event, e.TurnPlayed) and event.seat == seat and not event.by_plan


def _is_news(event: e.GameEvent) -> bool:
    """Return whether a list of news has an event."""
    match event:
        case e.GameStarted(rolls=rolls):
            return bool(rolls)  # the headline tells the start, but not what was rolled at it
        case e.GameOpened() | e.InvitationAccepted() | e.GameEnded() | e.ResultAnnulled():
            return False  # the headline tells it
        case e.PlanLaid() | e.PlanDropped() | e.SecretRevealed():
            return False  # a plan is a secret of its player; after the end, the history has both
        case e.PlayerReminded():
            return False  # it is about a mail
        case (
            e.InvitationDeclined()
            | e.TurnPlayed()
            | e.PlanActed()
            | e.DrawOffered()
            | e.DrawAccepted()
            | e.DrawDeclined()
            | e.ProposalMade()
            | e.ProposalAgreed()
            | e.ProposalDeclined()
            | e.SeatResigned()
            | e.SeatLeft()
            | e.PlayerNudged()
            | e.ClaimMade()
            | e.ClaimDropped()
            | e.ClaimDecided()
            | e.GraceGranted()
            | e.TurnSkipped()
            | e.SeatVacated()
            | e.GameReopened()
            | e.SubstituteInvited()
            | e.SubstituteDeclined()
            | e.SubstituteWithdrawn()
            | e.SubstituteSeated()
            | e.TurnTimedOut()
            | e.TurnsRetracted()
            | e.EndRetracted()
            | e.ClockCredited()
            | e.TimeGiven()
            | e.ClockFrozen()
            | e.ClockThawed()
        ):
            return True
        case _:
            assert_never(event)


class Pending(NamedTuple):
    """The answer that a game waits for: the reader's (`yours`), or that of `players`.

    `when` is the deadline of a move. Without it, the answer is to an invitation, or, if `seat` is set, to the question whether the reader
    takes over the seat of that player. `vacant` is the player whose seat waits for somebody else until `when`.
    """

    yours: bool
    players: str
    when: str = ""
    seat: str = ""
    vacant: str = ""

    @property
    def phrase(self) -> str:
        """The text to stand behind a colon."""
        if self.seat:
            return say("you are asked to play on for {player}", player=self.seat)
        if self.vacant:
            return say("the seat of {player} waits for a substitute, {when}", player=self.vacant, when=self.when)
        if self.when and self.yours:
            return say("your move, {when}", when=self.when)
        if self.when:
            return say("{player} to move, {when}", player=self.players, when=self.when)
        return say("you are invited") if self.yours else say("the invitation still has to be answered by {players}", players=self.players)

    @property
    def sentence(self) -> str:
        """The text as a sentence of its own."""
        if self.seat:
            return say("You are asked to play on for {player}.", player=self.seat)
        if self.vacant:
            return say("The seat of {player} waits for a substitute, {when}.", player=self.vacant, when=self.when)
        if self.when and self.yours:
            return say("Your move, {when}.", when=self.when)
        if self.when:
            return say("{player} to move, {when}.", player=self.players, when=self.when)
        return say("You are invited.") if self.yours else say("The invitation still has to be answered by {players}.", players=self.players)


def pending(context: MailContext, own: OwnGame) -> Pending:
    """Return the answer that one of the reader's games waits for."""
    state, table, reader = own.state, SeatNames(own.state, context.people, context.person.zone), context.person
    # Whoever is asked to take a seat over does not sit at the table yet, so the questions below do not fit them.
    if reader.id is not None and (offer := state.seat_offer(reader.id)):
        return Pending(yours=True, players="", seat=table.at(offer.seat))
    if state.to_move is not None and state.clock is not None:
        deadline = deadline_time(state.clock.deadline, reader.zone) if state.clock.deadline else ""
        when, mover = when_due(state.clock, deadline, context.now), table.at(state.to_move)
        return Pending(state.mover == reader.id, mover, when, vacant="" if state.vacant is None else mover)
    asked = [player for player in state.players if player not in state.accepted]
    return Pending(reader.id in asked, everybody([table.name(player) for player in asked if player != reader.id]))


def _place(state: GameState, reader: PlayerId) -> Seat | None:
    # A seat that the reader is asked to take over, or their own.
    offer = state.seat_offer(reader)
    return offer.seat if offer else state.seat_of(reader)


def own_title(context: MailContext, game_id: GameId, state: GameState) -> str:
    """Return one of the reader's games with the others at its table, for somebody who sat there before too: `Take 17 against Bob`."""
    place, name = None if context.person.id is None else _place(state, context.person.id), game_name(game_id, state.game)
    others = SeatNames(state, context.people).against(place)
    return say("{game} against {players}", game=name, players=others) if place else say("{game} of {players}", game=name, players=others)


def own_row(context: MailContext, own: OwnGame) -> GameRow:
    """Return the row of one of the reader's games that has not ended."""
    state, table, waits = own.state, SeatNames(own.state, context.people, context.person.zone), pending(context, own)
    others = table.against(_place(state, context.person.id) if context.person.id is not None else None)
    running = state.status is Status.RUNNING and not waits.seat
    answer = mailto(own.reply_to, game_subject(own.game_id, state, context.people))
    return GameRow(game_name(own.game_id, state.game), others, waits.yours, waits.phrase, running, answer)
