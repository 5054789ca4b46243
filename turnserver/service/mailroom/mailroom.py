"""The mailroom: mail comes in, is handled, and goes out."""

from collections.abc import Callable, Sequence
from datetime import datetime

from turnserver.config import Settings
from turnserver.mail.format.envelope import as_arrived, envelope
from turnserver.mail.format.tokens import Token, find, verify
from turnserver.mail.inbound.read import Reading
from turnserver.mail.transport.outgoing import Transport, transport_for
from turnserver.outside import Clock, DrawLots
from turnserver.service import keys
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys, Rotated
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom import open_games
from turnserver.service.mailroom.correspondence import Correspondence
from turnserver.service.mailroom.deliverability import Bounces, Deliverability
from turnserver.service.mailroom.digests import Digests
from turnserver.service.mailroom.dispatch import Dispatcher, Rendered, Sent
from turnserver.service.mailroom.outcomes import Outcomes
from turnserver.service.mailroom.players_mail import PlayersMail
from turnserver.service.mailroom.reception import NULL_SENDER, Handled, Reception
from turnserver.service.request import Request
from turnserver.service.upkeep.processes import new_name
from turnserver.service.upkeep.upkeep import Upkeep
from turnserver.store.incidents import outages
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.log.secrets import KeyVersion
from turnserver.store.mail import inbox, mailboxes, outbox
from turnserver.store.mail.inbox import InboxItem
from turnserver.store.mail.mailboxes import MAILDIR, Place, Trouble
from turnserver.store.people import accounts as people


class Mailroom:
    """Takes mail, has it handled and sent, and shows it. Threads may share it."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: Settings,
        reply_keys: ReplyKeys,
        upkeep: Upkeep,
        clock: Clock,
        lot: DrawLots,
        transport: Callable[[], Transport] | None,
    ) -> None:
        """Make the handlers of mail that comes in, and the dispatcher of mail that goes out by `transport`, or else by the settings.

        Nothing is taken or handled while the guard of `upkeep` has doubts about the `clock`.
        """
        owner = new_name()
        way_out = transport or (lambda: transport_for(settings.outgoing))
        players = PlayersMail(ledger, leagues, settings, upkeep.watch, lot)
        self.deliverability = Deliverability(ledger, settings)
        self.outcomes = Outcomes(ledger, leagues, self.deliverability)
        self.dispatcher = Dispatcher(ledger, leagues, settings, reply_keys, clock, way_out, self.deliverability, upkeep.quarantine, owner)
        self._reception = Reception(
            ledger,
            settings,
            reply_keys,
            clock,
            Bounces(reply_keys, self.deliverability),
            Correspondence(ledger, settings, reply_keys, players, self.outcomes),
            upkeep.watch,
            upkeep.quarantine,
            owner,
        )
        self._ledger = ledger
        self._settings = settings
        self._keys = reply_keys
        self._clock = clock
        self._guard = upkeep.guard
        self._watch = upkeep.watch
        self._digests = Digests(ledger, clock, upkeep.quarantine)

    def receive(self, raw: bytes, recipient: str, sender: str | None, source: str, arrived_at: datetime | None = None) -> int:
        """Store a mail as it arrived, and return the number of its inbox row. The mail is durable when this returns.

        `recipient` and `sender` are the envelope's; an empty sender is the null sender, None an unknown one. `source` is `lmtp`, `pipe`,
        `maildir` or `imap`. `arrived_at` is when the mail reached this side, if that was before now. Copies of a mail that would be handled
        under the same reply token are one mail, whichever way each came.
        """
        return self._ledger.attempt(self._arrival([recipient], raw, sender, source, arrived_at))

    def receive_for(self, recipients: Sequence[str], raw: bytes, sender: str | None, source: str) -> None:
        """Store one mail for all recipients or for none, like `receive`. Its bytes are kept once."""
        self._ledger.attempt(self._arrival(recipients, raw, sender, source))

    def receive_from(self, place: Place, raw: bytes, arrived_at: datetime | None) -> bool:
        """Store the mail at a place in an IMAP mailbox, like `receive`. Return False, and store nothing, if it was stored before.

        The envelope is read from the mail's own headers.
        """
        recipient, sender = envelope(raw, self._settings.site.address)
        arrive = self._arrival([recipient], raw, sender, "imap", arrived_at)
        # One transaction, so that each message is stored once, however many processes read the mailbox.
        return self._ledger.attempt(lambda tx: mailboxes.take(tx, place) and arrive(tx) > 0)

    def _arrival(
        self, recipients: Sequence[str], raw: bytes, sender: str | None, source: str, arrived_at: datetime | None = None
    ) -> Callable[[Transaction], int]:
        """Return a function that stores a mail for each recipient, its bytes once, and returns the number of the first row."""
        now = self._clock()
        # No mail arrives in the future, whatever its stamp says.
        at = now if arrived_at is None else min(arrived_at, now)
        identities = {recipient: as_arrived(raw, recipient) for recipient in recipients}
        known = NULL_SENDER if sender == "" else sender or ""

        def arrive(tx: Transaction) -> int:
            # By a clock that cannot be right nothing is taken, so the other server keeps the mail and tries again.
            self._guard.require(outages.signs(tx, now))
            first = None
            for recipient, identity in identities.items():
                number = inbox.receive(
                    tx, identity=identity, source=source, recipient=recipient, sender=known, received_at=at, raw=raw, bytes_of=first
                )
                first = first or number
            return first or 0

        return arrive

    def read_inbox(self) -> Handled:
        """Give back the time that an outage took, then handle a batch of the mail that waits.

        Handle nothing while the clock of the machine cannot be right.
        """
        now = self._clock()
        with self._ledger.db.read() as conn:
            signs = outages.signs(conn, now)
            self._keys.read(conn)
        if not self._guard.is_right(signs):
            return Handled()
        # First, since mail is judged by deadlines.
        began = self._watch.catch_up(now) if self._watch.is_behind(signs) else None
        return self._reception.round(blind_since=began)

    def send_outbox(self) -> Sent:
        """Send a batch of the mail that is due, digests among it."""
        self._keys.refresh()
        self._digests.round()
        return self.dispatcher.round()

    def read_everything(self) -> Handled:
        """Handle all the mail that waits."""
        handled = Handled()
        while any(last := self.read_inbox()):
            handled = Handled(*map(sum, zip(handled, last, strict=True)))
        return handled

    def send_everything(self) -> Sent:
        """Send all the mail that is due, as far as that is possible now."""
        sent = Sent()
        while any(sending := self.send_outbox()):
            sent = Sent(*map(sum, zip(sent, sending, strict=True)))
            if not (sending.sent or sending.dead):
                break  # whatever is in the way, the next round tries again
        return sent

    def render(self, outbox_id: int) -> Rendered:
        """Return the mail that an outbox row stands for, sent or not. Raises NotFound."""
        with self._ledger.db.read() as conn:
            item = outbox.get(conn, outbox_id)
        return self.dispatcher.render(item)

    def sealed(self, outbox_id: int) -> bytes:
        """Return the mail of an outbox row to the byte, signed as it would be now. Raises NotFound and ConfigError."""
        return self.dispatcher.sealed(self.render(outbox_id).mail)

    def resend(self, who: str, *, actor: str, cause: str) -> int:
        """Send a player everything that waits for them again, or else the list of their games; return the number of mails.

        Raises NotFound.
        """
        request = Request(actor, cause, self._clock())
        return self._ledger.attempt(lambda tx: open_games.resend(tx, self._ledger, people.find_player(tx, who), request))

    def begin_collecting(self) -> datetime:
        """Note when mail is first looked for in the maildir of the settings. What lay there before is not answered.

        But if the settings named another maildir before, what came after that was last read is.
        Return the instant of this look, for `collected`. Raises ClockWrong if it cannot be the present one.
        """
        folder, now = self._settings.incoming.maildir, self._clock()
        with self._ledger.db.read() as conn:
            self._guard.require(outages.signs(conn, now))
            begun = mailboxes.began_at(conn, MAILDIR, folder)
        if begun is None:
            self._ledger.attempt(lambda tx: mailboxes.watch_maildir(tx, folder, now))
        return now

    def collected(self, begun: datetime, read_to: datetime | None) -> None:
        """Note the end of a look into the maildir: whatever came until `read_to` is stored, or it could not be read at all if that is None.

        A `read_to` before the look had `begun` is trouble too, and holds up deadlines.
        """
        folder, now = self._settings.incoming.maildir, self._clock()
        well = read_to is not None and read_to >= begun
        # If it is lost, deadlines wait for the next look, so it need not wait for the disk.
        with self._ledger.db.hasty_write() as tx:
            if read_to is not None:
                mailboxes.read_to_end(tx, MAILDIR, folder, None, read_to, now=now)
            if not well or mailboxes.trouble(tx, folder).failures:
                mailboxes.note_trouble(tx, folder, Trouble() if well else Trouble(1, begun))

    def rotate_key(self, *, retire: int = 0, retire_days: int | None = None) -> Rotated:
        """Sign reply addresses with a new key from now on; see `keys.rotate`. Raises BadOption."""
        now = self._clock()
        return self._ledger.attempt(lambda tx: keys.rotate(tx, self._ledger.entropy, now, retire=retire, retire_days=retire_days))

    def reply_keys(self) -> list[KeyVersion]:
        """Return the versions of the key of reply addresses that verify; the last one signs."""
        with self._ledger.db.read() as conn:
            return keyring.versions(conn, keyring.REPLY)

    def token_in(self, address: str) -> Token | None:
        """Return the token in a reply address of ours; None for any other address."""
        text = find([address])
        self._keys.refresh()
        return verify(self._keys, text) if text else None

    def mails_written(self) -> int:
        """Return the number of mails ever put into the outbox, sent or not."""
        with self._ledger.db.read() as conn:
            return sum(outbox.counts(conn).values())

    def retry(self, outbox_id: int) -> None:
        """Queue a dead mail again, due now. Raises NotFound."""
        self._ledger.attempt(lambda tx: outbox.requeue(tx, outbox_id))

    def reading(self, inbox_id: int) -> tuple[InboxItem, Reading]:
        """Return a mail of the inbox, and what is read in it. Raises NotFound."""
        with self._ledger.db.read() as conn:
            item = inbox.get(conn, inbox_id)
        return item, self._reception.read(item)

    def handle_again(self, inbox_id: int) -> None:
        """Give a mail whose handling failed for good another round of attempts. Raises NotFound."""
        self._ledger.attempt(lambda tx: inbox.requeue(tx, inbox_id))
