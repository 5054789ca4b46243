"""The calendar of a player: all of their deadlines at a secret address, to which calendar programs subscribe."""

from dataclasses import replace
from typing import NamedTuple

from turnserver.config import Settings
from turnserver.errors import NotFound
from turnserver.mail.format.tokens import Purpose, signed_by, verify
from turnserver.mail.outbound.context import MailContext, unsent
from turnserver.mail.outbound.kinds import MailKind
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys
from turnserver.service.mailroom.contexts import calendar_path
from turnserver.service.mailroom.lost_history import player_is_lost
from turnserver.service.mailroom.open_games import own_games
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say


class Deadlines(NamedTuple):
    """The turns of a player that have a deadline, each as a mail about it would be written now; `about` is a mail about none of them."""

    about: MailContext
    turns: tuple[MailContext, ...]


class Calendars:
    """Shows players' deadlines to their calendar programs. Threads may share it."""

    def __init__(self, ledger: Ledger, settings: Settings, keys: ReplyKeys, clock: Clock) -> None:
        """Sign addresses with `keys`."""
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._clock = clock

    def path(self, person: Person) -> str:
        """Return the secret address of a player's calendar, below that of all pages."""
        self._keys.refresh()
        return calendar_path(self._keys, person)

    def see(self, link: str) -> Deadlines:
        """Return the deadlines of the player whose address it is. Raises NotFound for one that was replaced, and for any other text."""
        now = self._clock()
        with self._ledger.db.read() as conn:
            person = self._opened(conn, link)
            found = [
                (game, state)
                for game, state in own_games(conn, self._ledger, person, now)
                if state.mover == person.id and state.deadline is not None
            ]
            about = unsent(MailKind.TURN, person, self._settings.site, now, person.preferences.language)
            root = self._settings.web.url.rstrip("/")
            turns = tuple(
                replace(
                    about,
                    game_id=game,
                    state=state,
                    history=self._ledger.games.history(conn, game, state.version),
                    people=people.names(conn, state.everybody),
                    page=f"{root}/play/{game}-{person.id}" if root else "",
                )
                for game, state in found
            )
            return Deadlines(about, turns)

    def _opened(self, conn: Transaction, link: str) -> Person:
        token = verify(keyring.keys(conn, keyring.REPLY), link, Purpose.CALENDAR)
        if token is None or player_is_lost(conn, token.player, signed_by(link)):
            raise _no_calendar()
        person = people.player(conn, token.player)
        if person.erased_at is not None or person.preferences.calendar_edition != token.edition:
            raise _no_calendar()
        return person


def _no_calendar() -> NotFound:
    return NotFound(say("There is no calendar at this address. It may have been replaced: your page has the one that holds."))
