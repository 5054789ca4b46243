"""The reception: takes waiting mails from the inbox, oldest first, and hands each to the handler for its kind.

Each mail has one transaction, in which its inbox row is done. Reports about mails of ours go to `Bounces`, addresses for unsubscribing to
`registration`, mail about a game in quarantine is kept until the game goes on, machines are ignored, and all else is correspondence with a
person.
"""

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from turnserver.config import Settings
from turnserver.errors import AlreadyDone, AlreadyHandled, ClockWrong, DatabaseUnavailable, StoreError, Unplayable
from turnserver.ids import actor
from turnserver.mail.format.automatic import Evidence
from turnserver.mail.format.tokens import Keys, find_all, verify
from turnserver.mail.inbound.read import Reading
from turnserver.mail.outbound.notices import game as notices
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.answers import Answer, limited
from turnserver.service.mailroom.authorship import leaver
from turnserver.service.mailroom.command_handler import TooSoonError
from turnserver.service.mailroom.correspondence import Correspondence, read_mail
from turnserver.service.mailroom.deliverability import Bounce, Bounces
from turnserver.service.people.registration import unsubscribe
from turnserver.service.request import Request
from turnserver.service.upkeep.deadlines import Lost, Watch
from turnserver.service.upkeep.quarantine import Quarantine
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, mailboxes
from turnserver.store.mail.mailboxes import MAILDIR
from turnserver.store.people import accounts as people

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
"""Longer than it takes to handle a batch of mails; a process that died lets go after it."""

SOON: Final = timedelta(seconds=5)
"""The time after which a mail is looked at again that has to wait for others. Until then those behind it have their turn."""

NULL_SENDER: Final = "<>"
"""The inbox's word for the null sender, which machines use; an unknown sender is empty."""


class Handled(NamedTuple):
    """The numbers of mails that one round handled, and of those that failed and will be tried again or are left to the admin."""

    handled: int = 0
    failed: int = 0


class Reception:
    """Handles the mails in the inbox. Several processes may each run one: a mail belongs to the process that holds its lease."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        settings: Settings,
        keys: Keys,
        clock: Clock,
        bounces: Bounces,
        correspondence: Correspondence,
        watch: Watch,
        quarantine: Quarantine,
        owner: str,
    ) -> None:
        """Handle mail for `owner`, who holds the leases. `keys` verify tokens. Each handler takes a kind of mail.

        `watch` gives back time that an outage has taken, and `quarantine` hears of games that cannot be served.
        """
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._bounces = bounces
        self._correspondence = correspondence
        self._watch = watch
        self._quarantine = quarantine
        self._owner = owner
        # mails to be given back, each with whether it was tried
        self._unhandled: dict[int, bool] = {}

    def round(self, limit: int = 50, blind_since: datetime | None = None) -> Handled:
        """Handle up to `limit` mails, of those tried before only one. `blind_since` is when an outage began that goes on, if there is one.

        Raises DatabaseUnavailable and ClockWrong; then the mails that it has not handled are given back as soon as that is possible.
        """
        self._give_back()
        items = inbox.claim(self._ledger.db, self._clock(), limit, LEASE, self._owner)
        # A mail that was tried before may be one that ends the process. Such mails are tried last and one a round, so that none of them
        # can use up the attempts of the others.
        fresh = [item for item in items if item.attempts == 1]
        again = sorted((item for item in items if item.attempts > 1), key=lambda item: item.attempts)
        self._unhandled = {item.id: False for item in again[1:]}
        waiting, ends = [*fresh, *again[:1]], list[bool | None]()
        try:
            self._give_back()
            while waiting:
                ends.append(self._one(waiting[0], blind_since))
                del waiting[0]
        # No mail is to blame, and none may be given up for it. But if it only happens to one mail, that must not hold up the others.
        except (DatabaseUnavailable, ClockWrong):
            self._unhandled |= {item.id: item is waiting[0] for item in waiting}
            self._give_back()
            raise
        return Handled(ends.count(True), ends.count(False))

    def _give_back(self) -> None:
        if self._unhandled:
            with self._ledger.db.write() as tx:
                for number, tried in self._unhandled.items():
                    inbox.release(tx, number, self._owner, tried=tried)
            self._unhandled = {}

    def read(self, item: inbox.InboxItem) -> Reading:
        """Return the reading of a mail: only the writer's own words, without quotations, signatures and the like."""
        with self._ledger.db.read() as conn:
            return read_mail(conn, item, self._settings)

    def _one(self, item: inbox.InboxItem, blind_since: datetime | None = None) -> bool | None:
        """Handle a mail and return whether it was handled; None if it has to wait for another mail."""
        most = self._settings.incoming.max_attempts
        # The present attempt is counted already. One more than allowed means that the process ended in each of those before.
        if item.attempts > most:
            self._failed(item, f"the process ended {most} times while this mail was being handled", final=True)
            return False
        try:
            reading = self.read(item)
            bounce = self._bounces.read(item, reading)
            if blind_since is not None:
                self._credit(item, reading, blind_since)
            self._ledger.attempt(lambda tx: self._handle(tx, item, reading, bounce))
        except AlreadyHandled:
            return True
        # To wait for another mail is no failed attempt, so the mail is given back untried.
        except TooSoonError:
            with self._ledger.db.write() as tx:
                inbox.release(tx, item.id, self._owner, until=self._clock() + SOON)
            return None
        except Unplayable as error:
            return self._without(item, error)
        except AlreadyDone:  # its inbox row was erased, or it was given back by hand, and the log remembers it
            with suppress(AlreadyHandled), self._ledger.db.write() as tx:
                inbox.done(tx, item.id, inbox.DUPLICATE, self._clock())
            return True
        except (DatabaseUnavailable, ClockWrong):
            raise
        except StoreError as error:  # it says what is wrong
            logger.error("mail %s cannot be handled: %s", item.id, error)  # noqa: TRY400  # where it was noticed does not matter
            self._failed(item, str(error), final=item.attempts >= most)
            return False
        except Exception as error:  # a mail that trips us must not hold up the others, and stays in the inbox for the admin
            logger.exception("mail %s cannot be handled", item.id)
            self._failed(item, f"{type(error).__name__}: {error}", final=item.attempts >= most)
            return False
        return True

    def _credit(self, item: inbox.InboxItem, reading: Reading, since: datetime) -> None:
        """Give the writer's games the time of an outage before their mail is judged."""
        if reading.automatic and reading.overruled_by is Evidence.NONE:
            return
        with self._ledger.db.read() as conn:
            token = self._correspondence.token(conn, item, reading)
        if token is not None:
            now = self._clock()
            self._watch.credit(token.player, token.game or None, [Lost(since, now)], now)

    def _handle(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, bounce: Bounce | None) -> None:
        """Hand a mail to the handler for its kind."""
        now = self._clock()
        if bounce is not None and self._bounces.handle(tx, item, bounce, now):
            return
        # This comes before machines: mail programs write these mails (RFC 2369, 3.2), perhaps marked as automatic. The address says it all.
        person = leaver(tx, self._keys, [item.recipient, *reading.recipients])
        if person is not None:
            unsubscribe(tx, self._ledger, item, person, now)
        elif reading.automatic and reading.overruled_by is Evidence.NONE:
            inbox.done(tx, item.id, f"ignored: {reading.automatic}", now)
        elif item.source == MAILDIR and item.received_at < self._began(tx, now):
            inbox.done(tx, item.id, "ignored: older than the first look into the maildir", now)
        else:
            self._correspondence.handle(tx, item, reading, now)

    def _without(self, item: inbox.InboxItem, error: Unplayable) -> bool | None:
        """Keep a mail about a game that cannot be served. A mail that only touches such a game is handled without it."""
        reading = self.read(item)
        kept = self._ledger.attempt(lambda tx: self._kept(tx, item, reading, error))
        if kept is None:
            self._failed(item, str(error), final=True)
        elif not kept:
            return self._one(item)
        return kept is not None

    def _kept(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, error: Unplayable) -> bool | None:
        """Note an unplayable game, and return True if the mail is about that game and was kept.

        For a mail about something else return False if the game is noted for the first time: the mail can then be tried without it. Return
        None if that did not help.
        """
        now, new = self._clock(), self._quarantine.note(tx, error)
        shown = (verify(self._keys, text) for text in find_all([item.recipient, *reading.recipients]))
        token = next(filter(None, shown), None)
        if token is None or token.game != error.game:
            return False if new else None
        person = people.player(tx, token.player)
        request = Request(actor(person.id), f"mail:{item.identity}:rests", now, reading.message_id)
        # What may be a machine's is never answered before it was read.
        answer = Answer("rests", () if reading.automatic else (notices.resting(person.id, token.game),))
        answer = limited(tx, answer, person, reading.sender, self._settings.incoming, now, proven=True)
        inbox.rest(tx, item.id, token.game, now)
        self._ledger.post.queue(tx, answer.told, request)
        return True

    def _failed(self, item: inbox.InboxItem, why: str, *, final: bool) -> None:
        with suppress(AlreadyHandled), self._ledger.db.write() as tx:
            inbox.failed(tx, item.id, why, self._clock(), final=final)

    def _began(self, conn: Transaction, now: datetime) -> datetime:
        # If the first look lies in the future, the clock was wrong then. Mail that lay there was handled at once, so all that is left came
        # after it.
        began = mailboxes.began_at(conn, MAILDIR, self._settings.incoming.maildir)
        return datetime.min.replace(tzinfo=UTC) if began is None or began > now else began
