"""Mail about a game in quarantine: it is kept until the game goes on, and its writer hears of that."""

from turnserver.config import Settings
from turnserver.errors import Unplayable
from turnserver.ids import actor
from turnserver.mail.format.tokens import Keys, find_all, verify
from turnserver.mail.inbound.read import Reading
from turnserver.mail.outbound.notices import game as notices
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.answers import Answer, limited
from turnserver.service.request import Request
from turnserver.service.upkeep.quarantine import Quarantine
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox
from turnserver.store.people import accounts as people


class KeptMail:
    """Keeps mail about games that cannot be served."""

    def __init__(
        self, ledger: Ledger, settings: Settings, keys: Keys, clock: Clock, quarantine: Quarantine
    ) -> None:  # what everything in this room is made of
        """Verify the tokens in mails with `keys`. `quarantine` hears of the games."""
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._quarantine = quarantine

    def keep(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, error: Unplayable) -> bool | None:
        """Note an unplayable game, and return True if the mail is about that game and was kept.

        For a mail about something else return False if the game is noted for the first time: the mail can then be tried without it. Return
        None if that did not help.
        """
        now, incoming, new = self._clock(), self._settings.incoming, self._quarantine.note(tx, error)
        shown = (verify(self._keys, text) for text in find_all([item.recipient, *reading.recipients]))
        token = next(filter(None, shown), None)
        if token is None or token.game != error.game:
            return False if new else None
        person = people.player(tx, token.player)
        request = Request(actor(person.id), f"mail:{item.identity}:rests", now, reading.message_id)
        # What may be a machine's is never answered before it was read.
        answer = Answer("rests", () if reading.automatic else (notices.resting(person.id, token.game),))
        answer = limited(tx, answer, person, reading.sender, incoming, now, proven=True)
        inbox.rest(tx, item.id, token.game, now)
        self._ledger.post.queue(tx, answer.told, request)
        return True
