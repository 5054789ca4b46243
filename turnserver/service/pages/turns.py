"""A player's game by a signed link: what the player sees of it, and what they do there.

A link is for one player, one game, one turn and one edition, as the reply address of a mail is; but it answers no mail, and a reply
address opens no page. Once the turn is over, its link shows the game as the player may see it, and takes back that one turn as long as
nobody else knows of it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from turnserver.config import Settings
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import PlayerId, Recorded, actor
from turnserver.mail.format.tokens import Purpose, Token, sign, signed_by, verify
from turnserver.mail.inbound.phrases import Phrase
from turnserver.mail.outbound.context import LeagueGame
from turnserver.outside import Clock, DrawLots
from turnserver.play.conditional_moves import Plan
from turnserver.play.events import GameEvent
from turnserver.play.state import GameState, Status
from turnserver.play.substitution import asked
from turnserver.service.games import notes, plans
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys
from turnserver.service.leagues.contexts import LeagueContexts
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.command_handler import MailCommandHandler
from turnserver.service.mailroom.lost_history import in_address, told, waiting_for
from turnserver.service.mailroom.outcomes import Outcomes
from turnserver.service.mailroom.players_mail import waits_for_earlier
from turnserver.service.request import Request
from turnserver.service.upkeep.plausible_clock import ClockGuard
from turnserver.store.games.notes import Note
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.store.web import forms
from turnserver.text import say


class Visit(NamedTuple):
    """A game as one player may see it at an instant, and the turn that their link is for."""

    token: Token
    person: Person
    now: datetime
    state: GameState
    history: Sequence[Recorded[GameEvent]]
    names: dict[PlayerId, str]
    league_game: LeagueGame | None
    # the player's own notes of the game, newest first
    notes: Sequence[Note] = ()
    # the player's own conditional moves that are left
    plan: Plan = ()

    @property
    def answers_present(self) -> bool:
        """Return whether the link is for the turn that the game is at."""
        return (self.token.turn, self.token.edition) == (self.state.turn, self.state.edition)


class TurnPages:
    """Shows players their games and carries out what they do there. Threads may share it."""

    def __init__(  # noqa: PLR0917  # what commands of players are carried out with
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: Settings,
        keys: ReplyKeys,
        clock: Clock,
        lot: DrawLots,
        outcomes: Outcomes,
        guard: ClockGuard,
    ) -> None:
        """Sign links with `keys`. Nothing is done while `guard` has doubts about the `clock`."""
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._lot = lot
        self._outcomes = outcomes
        self._guard = guard
        self._contexts = LeagueContexts(settings)

    def see(self, link: str) -> Visit:
        """Return the game of a link as its player may see it now. Raises NotFound for a link that opens nothing."""
        now = self._clock()
        with self._ledger.db.read() as conn:
            token, person = self._opened(conn, link)
            games = self._ledger.games
            whole = games.load(conn, token.game).state
            state = games.seen(conn, token.game, whole, person.id, now)
            plays = state.status is Status.RUNNING and state.seat_of(person.id) is not None
            plan, _ = plans.standing(conn, token.game, whole, state, person.id) if plays else ((), "")
            history = games.history(conn, token.game, state.version)
            players = {*asked(row.event for row in history), *state.everybody}
            names = {player: people.player(conn, player).name for player in players}
            own = notes.of(conn, person.id, token.game)[::-1]
            return Visit(token, person, now, state, history, names, self._contexts.game(conn, token.game), own, plan)

    def next_link(self, link: str) -> str | None:
        """Return the link of another game that waits for the same player, or None. Raises NotFound for a link that opens nothing."""
        with self._ledger.db.read() as conn:
            token, person = self._opened(conn, link)
            waiting = waiting_for(conn, self._ledger, person, self._clock())
            other = next((one for one in waiting if one.game != token.game), None)
            return self.link(Token(person.id, other.game, other.state.turn, other.state.edition)) if other else None

    def link(self, token: Token) -> str:
        """Return the text by which a page is opened for a player, a game and a turn."""
        return sign(self._keys, token, Purpose.PAGE)

    def act(self, link: str, phrases: Sequence[Phrase], nonce: str) -> None:
        """Carry out what a player asks for on the page of a link, all or nothing. A form, known by its `nonce`, is carried out once.

        Raises NotFound for a link that opens nothing, Refusal as an answer to a mail would, and ClockWrong.
        """
        now = self._clock()

        def work(tx: Transaction) -> None:
            self._guard.require(tx, now)
            token, person = self._opened(tx, link)
            if not forms.take(tx, nonce, person.id, now):
                return
            at = self._ledger.games.load(tx, token.game)
            if waits_for_earlier(tx, now, at.state):
                raise NotAllowed("too_soon", say("Mail that came before the deadline is still being read. Try again in a minute."))
            state = self._ledger.games.seen(tx, token.game, at.state, person.id, now)
            handler = MailCommandHandler(
                self._settings, self._ledger, self._leagues, self._lot, person, token, at, state, now, now, nonce.encode()
            )
            answer = handler.carry_out(tx, phrases)
            # The page itself shows its player what they would be told in an answer.
            answer = answer._replace(told=tuple(notice for notice in answer.told if not (notice.is_answer and notice.player == person.id)))
            self._outcomes.write(tx, answer, person, Request(actor(person.id), f"web:{nonce}", now), proven=True)

        self._ledger.attempt(work)

    def _opened(self, conn: Transaction, link: str) -> tuple[Token, Person]:
        """Return what a link is for. Raises NotFound for any text that opens nothing, and NotAllowed (`lost`) for a lost history."""
        token = verify(self._keys, link, Purpose.PAGE)
        person = people.player(conn, token.player) if token is not None and token.game else None
        if token is None or person is None or person.erased_at is not None:
            raise NotFound(say("This link opens nothing here. It may be incomplete: open it from the mail once more."))
        lost = in_address(conn, self._ledger, token, signed_by(link))
        if lost is not None:
            raise NotAllowed("lost", told(lost, person.zone))
        return token, person
