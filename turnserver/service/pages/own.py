"""The page of a player who is signed in: all that is theirs, and what they do about it, by the way of mails."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from turnserver.config import Settings
from turnserver.errors import NotFound
from turnserver.ids import PlayerId
from turnserver.mail.format.tokens import Token
from turnserver.mail.inbound.phrases import Phrase
from turnserver.mail.outbound.context import LeagueContext, OwnGame
from turnserver.mail.outbound.kinds import Detail
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.open_games import own_games
from turnserver.service.pages.forms import PageForms
from turnserver.service.people import vacations
from turnserver.store.games import views
from turnserver.store.games.views import GameSummary
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people import sessions
from turnserver.store.people.accounts import Person
from turnserver.text import say

MOST_ENDED: Final = 20
"""The number of games that are over and are listed, the newest first."""


class Own(NamedTuple):
    """Everything of a player at an instant. `vacation` is the detail of a mail about their vacations."""

    person: Person
    now: datetime
    games: Sequence[OwnGame]
    ended: Sequence[GameSummary]
    names: dict[PlayerId, str]
    leagues: Sequence[LeagueContext]
    vacation: Detail


class OwnPages:
    """Shows players what is theirs and carries out what they ask for. Threads may share it."""

    def __init__(self, ledger: Ledger, leagues: Leagues, settings: Settings, clock: Clock, forms: PageForms) -> None:
        """`forms` carry out what players ask for."""
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._clock = clock
        self._forms = forms

    def see(self, secret: str) -> Own:
        """Return what is a player's, by the secret of their session. Raises NotFound if that is over."""
        now = self._clock()
        with self._ledger.db.read() as conn:
            person = signed_in(conn, secret, now)
            games = [OwnGame(game, state, "") for game, state in own_games(conn, self._ledger, person, now)]
            # a challenge that was declined or called off never was a game
            ended = views.list_games(conn, player=person.id, over=True, limit=MOST_ENDED)
            players = {one for game in games for one in game.state.everybody} | {one for game in ended for one in game.players}
            return Own(
                person,
                now,
                games,
                ended,
                people.names(conn, players),
                [self._leagues.contexts.at(conn, one.id, one.version, one.version) for one in leagues.listed(conn, person.id)],
                vacations.answer(conn, person, self._settings.play.vacation_days, now).detail,
            )

    def act(self, secret: str, phrases: Sequence[Phrase], key: str) -> None:
        """Carry out what a player asks for; see `PageForms.carry_out`. Raises NotFound if their session is over."""

        def opening(tx: Transaction, now: datetime) -> tuple[Token, Person]:
            person = signed_in(tx, secret, now)
            sessions.seen(tx, secret, now)
            return Token(person.id), person

        self._forms.carry_out(opening, phrases, key)


def signed_in(conn: Transaction, secret: str, now: datetime) -> Person:
    """Return the player of a session. Raises NotFound if it is over."""
    player = sessions.owner(conn, secret, now)
    if player is None:
        raise NotFound(say("You are signed out. Sign in again."))
    return people.player(conn, player)
