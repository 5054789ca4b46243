"""A player's game, by a signed link or by the session of the player: what they see of it, and what they do there.

A link is for one player, one game, one turn and one edition, as the reply address of a mail is; but it answers no mail, and a reply
address opens no page. Once the next turn is over too, it only shows the game as the player may see it. As long as nobody else knows of its
turn, the link takes it back, and the page goes on with it. A session opens all games of its player, at the present turn.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, TypeAlias

from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import GameId, PlayerId, Recorded
from turnserver.mail.format.tokens import Purpose, Token, sign, signed_by, verify
from turnserver.mail.inbound.phrases import Phrase
from turnserver.mail.outbound.context import LeagueGame
from turnserver.outside import Clock
from turnserver.play.conditional_moves import Plan
from turnserver.play.events import GameEvent
from turnserver.play.state import GameState, Status
from turnserver.play.substitution import asked
from turnserver.service.games import plans
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.lost_history import in_address, parted, told
from turnserver.service.mailroom.open_games import waiting_for
from turnserver.service.pages.forms import PageForms
from turnserver.service.pages.own import signed_in
from turnserver.store.games import notes
from turnserver.store.games.notes import Note
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people import sessions
from turnserver.store.people.accounts import Person
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
    # another game that waits for the player, and its turn
    next: Token | None = None

    @property
    def answers_present(self) -> bool:
        """Return whether the link is for the turn that the game is at."""
        return (self.token.turn, self.token.edition) == (self.state.turn, self.state.edition)

    @property
    def is_fresh(self) -> bool:
        """Return whether the link is for the present turn, or for the one before it: then it shows what is the player's own."""
        return _is_fresh(self.token, self.state)

    @property
    def may_act(self) -> bool:
        """Return whether the link lets anybody do anything. One of an earlier turn only shows the game."""
        return _may_act(self.token, self.state)


def _is_fresh(token: Token, state: GameState) -> bool:
    return token.edition == state.edition and token.turn in (state.turn - 1, state.turn)


def _may_act(token: Token, state: GameState) -> bool:
    # An old mail may have been passed on, and an old mailbox read by somebody else. Whoever is asked to take a seat has no newer mail.
    return _is_fresh(token, state) or state.seat_offer(token.player) is not None


def _has_part(state: GameState, player: PlayerId) -> bool:
    return player in state.everybody or state.seat_offer(player) is not None


def _require_part(state: GameState, player: PlayerId) -> None:
    """Raise NotFound for whoever was asked to take a seat and has not taken it: they look on no longer, whatever the level of the game."""
    if not _has_part(state, player):
        raise NotFound(say("This link opens nothing here any more: nobody asks you to play on in this game now."))


def earlier_turn() -> NotAllowed:
    """Return the refusal (`other_turn`) of what was asked for on the page of an earlier turn."""
    return NotAllowed("other_turn", say("This page was of an earlier turn, so nothing was done. Here is the game as it is now."))


class SignedIn(NamedTuple):
    """The right of somebody who is signed in to a game of theirs.

    `secret` is that of their session. `turn` and `edition` are those that their page showed, None for the present ones.
    """

    secret: str
    game: GameId
    turn: int | None = None
    edition: int = 0


Right: TypeAlias = str | SignedIn
"""The key to the page of a game: the text of a link, or a session."""


class TurnPages:
    """Shows players their games and carries out what they do there. Threads may share it."""

    def __init__(self, ledger: Ledger, leagues: Leagues, keys: ReplyKeys, clock: Clock, forms: PageForms) -> None:
        """Sign links with `keys`. `forms` carry out what players do."""
        self._ledger = ledger
        self._leagues = leagues
        self._keys = keys
        self._clock = clock
        self._forms = forms

    def see(self, right: Right, *, with_next: bool = False) -> Visit:
        """Return a game as its player may see it now, perhaps with the next one. Raises NotFound for a right that opens nothing."""
        now = self._clock()
        with self._ledger.db.read() as conn:
            token, person = self._opened(conn, right, now)
            games = self._ledger.games
            whole = games.load(conn, token.game).state
            _require_part(whole, person.id)
            state = games.seen(conn, token.game, whole, person.id, now)
            plays = state.status is Status.RUNNING and state.seat_of(person.id) is not None and _is_fresh(token, state)
            plan, _ = plans.standing(conn, token.game, whole, state, person.id) if plays else ((), "")
            history = games.history(conn, token.game, state.version)
            names = people.names(conn, {*asked(row.event for row in history), *state.everybody})
            own = notes.own(conn, person.id, token.game)[::-1] if _is_fresh(token, state) else ()
            following = self._next(conn, token.game, person, now) if with_next else None
            return Visit(token, person, now, state, history, names, self._leagues.contexts.game(conn, token.game), own, plan, following)

    def link(self, token: Token) -> str:
        """Return the text by which a page is opened for a player, a game and a turn."""
        return sign(self._keys, token, Purpose.PAGE)

    def act(self, right: Right, phrases: Sequence[Phrase], key: str) -> None:
        """Carry out what a player asks for on the page of a game; see `PageForms.carry_out`.

        Raises NotFound for a right that opens nothing, and NotAllowed (`other_turn`) for the link of an earlier turn.
        """

        def opening(tx: Transaction, now: datetime) -> tuple[Token, Person]:
            opened = self._opened(tx, right, now)
            token, person = opened
            games = self._ledger.games
            state = games.load(tx, token.game).state
            _require_part(state, person.id)
            if isinstance(right, SignedIn):
                sessions.seen(tx, right.secret, now)
            elif not _may_act(token, games.seen(tx, token.game, state, person.id, now)):
                raise earlier_turn()
            return opened

        self._forms.carry_out(opening, phrases, key)

    def _next(self, conn: Transaction, game: GameId, person: Person, now: datetime) -> Token | None:
        other = next(waiting_for(conn, self._ledger, person, now, but=game), None)
        return Token(person.id, other.game, other.state.turn, other.state.edition) if other else None

    def _opened(self, conn: Transaction, right: Right, now: datetime) -> tuple[Token, Person]:
        """Return what a right is for. Raises NotFound if it opens nothing, and NotAllowed (`lost`) for a link of a lost history."""
        if isinstance(right, SignedIn):
            return self._own(conn, right, now)
        # Read here, since this process may do nothing else that notices when a key comes or goes.
        token = verify(keyring.keys(conn, keyring.REPLY), right, Purpose.PAGE)
        person = people.player(conn, token.player) if token is not None and token.game else None
        if token is None or person is None or person.erased_at is not None:
            raise NotFound(say("This link opens nothing here. It may be incomplete: open it from the mail once more."))
        lost = in_address(conn, self._ledger, token, parted(conn, signed_by(right)))
        if lost is not None:
            raise NotAllowed("lost", told(lost, person.zone))
        return token, person

    def _own(self, conn: Transaction, right: SignedIn, now: datetime) -> tuple[Token, Person]:
        person, state = signed_in(conn, right.secret, now), None
        with suppress(NotFound):
            state = self._ledger.games.load(conn, right.game).state
        # Whether there is such a game of others is no business of theirs.
        if state is None or not _has_part(state, person.id):
            raise NotFound(say("You have no game {game}.", game=right.game))
        turn, edition = right.turn, right.edition
        if turn is None:
            seen = self._ledger.games.seen(conn, right.game, state, person.id, now)
            turn, edition = seen.turn, seen.edition
        return Token(person.id, right.game, turn, edition), person
