"""Outbox to mailbox: claim rows with a lease, render from the fold, send outside any transaction, record the result of each."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from threading import Event
from typing import NamedTuple

from turnserver.config import Settings
from turnserver.errors import (
    AlreadyHandled,
    DatabaseUnavailable,
    NotFound,
    PermanentFailure,
    Refused,
    TurnserverError,
    Unanswered,
    Unplayable,
    Unreachable,
)
from turnserver.ids import DeliveryStatus
from turnserver.mail.format.bounces import judged
from turnserver.mail.format.tokens import Keys, bounce_address, masked
from turnserver.mail.outbound.compose import Composed, compose
from turnserver.mail.outbound.kinds import ANSWERS, ASKED_FOR, UNTIL_ACTED_ON, MailKind, Notice, is_answer
from turnserver.mail.outbound.notices.admin import given_up_report
from turnserver.mail.transport.outgoing import Transport
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.contexts import MailContexts
from turnserver.service.mailroom.deliverability import Deliverability, fate_at
from turnserver.service.mailroom.scheduling import is_outdated
from turnserver.service.request import Request
from turnserver.service.upkeep.quarantine import Quarantine
from turnserver.store.log.database import Transaction
from turnserver.store.mail import delivery_reports, outbox
from turnserver.store.people import accounts as people
from turnserver.store.people import erasing

logger = logging.getLogger(__name__)


WHILE_STUCK = timedelta(minutes=1)
"""The wait of a mail during which the database failed."""

WHILE_RESTING = timedelta(minutes=15)
"""The wait before a mail about a game in quarantine is tried again."""


class Sent(NamedTuple):
    """The numbers of outbox rows that one round sent, put back for another try, or gave up."""

    sent: int = 0
    retried: int = 0
    dead: int = 0


class End(Enum):
    """The result of sending one row. LOST: the lease ran out, and another process has the row now."""

    SENT = "sent"
    RETRIED = "retried"
    NO_WAY_OUT = "no way out"
    UNANSWERED = "unanswered"
    DEAD = "dead"
    DEAD_UNANSWERED = "dead, unanswered"
    UNWANTED = "unwanted"
    LOST = "lost"


_NO_FURTHER = frozenset({End.NO_WAY_OUT, End.UNANSWERED, End.DEAD_UNANSWERED})
_PUT_BACK = frozenset({End.NO_WAY_OUT, End.UNANSWERED, End.RETRIED})
_GIVEN_UP = frozenset({End.DEAD, End.DEAD_UNANSWERED})


class Rendered(NamedTuple):
    """A mail ready to go, and where to."""

    mail: Composed
    recipient: str


class Delivered(NamedTuple):
    """A mail that the next server has taken: its text, the server's answer, when, and the erasures of players that the text knows of."""

    item: outbox.OutboxItem
    text: str
    answer: str
    at: datetime
    erased: int


class Dispatcher:
    """Sends the mails in the outbox. Several processes may each run one: a row belongs to the process that holds its lease."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: Settings,
        keys: Keys,
        clock: Clock,
        transport: Callable[[], Transport],
        deliverability: Deliverability,
        quarantine: Quarantine,
        owner: str,
    ) -> None:
        """Send mails for `owner`, who holds the leases. `transport` makes the means of sending for one round.

        `deliverability` hears of refusals, `quarantine` of games whose mails cannot be made.
        """
        self._quarantine = quarantine
        self._deliverability = deliverability
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._contexts = MailContexts(ledger, leagues.contexts, settings, keys)
        self._clock = clock
        self._transport = transport
        self._owner = owner
        self._signed: Callable[..., bytes] | None = None
        self._stopping = Event()
        # what the database could not be told yet: the mail that has left, the one during which it failed and why, and those behind it
        self._delivered: Delivered | None = None
        self._stuck: tuple[outbox.OutboxItem, str] | None = None
        self._untried: list[outbox.OutboxItem] = []

    def round(self) -> Sent:
        """Send one batch of the mails that are due, or only the one in hand after `stop`.

        Raises ConfigError, and has touched nothing, while a key is missing. Raises DatabaseUnavailable; then what it has sent is
        remembered and written down as soon as that is possible.
        """
        self.make_ready()
        self._settle()
        outgoing = self._settings.outgoing
        lease, begun = timedelta(seconds=outgoing.lease_seconds), self._clock()
        items = outbox.claim(self._ledger.db, begun, outgoing.batch, lease, self._owner)
        if not items:
            return Sent()
        # A mail that was in hand when a process died may have killed it, so such mails are sent last and one a round.
        fresh = [item for item in items if item.begun == 1]
        suspects = sorted((item for item in items if item.begun > 1), key=lambda item: item.begun)
        self._untried = suspects[1:]
        self._settle()
        waiting, ends = [*fresh, *suspects[:1]], list[End]()
        with self._transport() as transport:
            # When there is no way out, or the lease ends, the rest of the batch is given back untried: a server that is down for a day must
            # not use up the attempts of mails that it was never offered. A silent server ends the batch too, but costs the mail in hand an
            # attempt: it may be silent for this mail alone, which then goes behind the others.
            while waiting and self._clock() < begun + lease and not (_NO_FURTHER & {*ends} or self._stopping.is_set()):
                item = waiting.pop(0)
                try:
                    ends.append(self._send(item, transport))
                # No mail may be given up for it. But if it happens to one only, that must not hold up the others.
                except DatabaseUnavailable as error:
                    self._untried += waiting
                    if self._delivered is None:
                        self._stuck = item, str(error)
                    self._settle()
                    raise
        self._untried += waiting
        self._settle()
        return Sent(ends.count(End.SENT), sum(end in _PUT_BACK for end in ends), sum(end in _GIVEN_UP for end in ends))

    def stop(self) -> None:
        """Begin no mail any more. A round that is under way in another thread ends with the mail in hand and gives back the others."""
        self._stopping.set()

    def _settle(self) -> None:
        """Tell the database what it could not be told at once."""
        self._recorded()
        if self._stuck is not None:
            item, reason = self._stuck
            with suppress(AlreadyHandled), self._ledger.db.write() as tx:
                outbox.postpone(tx, item.id, self._owner, reason, self._clock() + WHILE_STUCK)
            self._stuck = None
        if self._untried:
            with self._ledger.db.write() as tx:
                for item in self._untried:
                    outbox.release(tx, item.id, self._owner)
            self._untried = []

    def _recorded(self) -> End:
        """Write down that a mail has left, if one has, and return its end."""
        end, sent = End.SENT, self._delivered
        if sent is not None:
            try:
                with self._ledger.db.write() as tx:
                    # it may name somebody who was erased while it was being sent
                    text = kept_text(sent.item, sent.text) if erasing.erasures(tx) == sent.erased else ""
                    outbox.sent(tx, sent.item.id, self._owner, sent.at, text, sent.answer)
            except AlreadyHandled as error:
                end = _lost(error)
            self._delivered = None
        return end

    def make_ready(self) -> None:
        """Read the keys that mails are signed with, once. Raises ConfigError if one cannot be used."""
        if self._settings.dkim.key_files and self._signed is None:
            # Only here: its cryptography takes longer to import than everything else, and most services sign nothing.
            from turnserver.mail.format import dkim  # noqa: PLC0415

            self._signed = partial(dkim.signed, signers=dkim.signers(self._settings))

    def sealed(self, mail: Composed) -> bytes:
        """Return the mail to the byte, signed now if the settings say so. Raises ConfigError if a key cannot be used."""
        self.make_ready()
        return self._signed(mail.raw, at=self._clock()) if self._signed else mail.raw

    def render(self, item: outbox.OutboxItem) -> Rendered:
        """Return the mail that a row stands for, drawn from the game as it was at the row's version.

        Raises NotFound if its player is gone.
        """
        with self._ledger.db.read() as conn:
            context = self._contexts.of(conn, item)
        return Rendered(compose(context), context.person.address)

    def _send(self, item: outbox.OutboxItem, transport: Transport) -> End:
        try:
            return self._sent(item, transport)
        except AlreadyHandled as error:
            return _lost(error)

    def _sent(self, item: outbox.OutboxItem, transport: Transport) -> End:
        if item.begun > self._settings.outgoing.max_deaths:
            reason = f"the process ended {item.begun - 1} times while this mail was being sent"
            logger.error("mail %s (%s): %s; given up", item.id, item.kind, reason)
            return self._given_up(item, None, reason)
        try:
            with self._ledger.db.read() as conn:
                erased = erasing.erasures(conn)
                context = None if self._is_unwanted(conn, item) else self._contexts.of(conn, item)
            if context is None:
                self._ledger.attempt(lambda tx: self._end_unwanted(tx, item))
                return End.UNWANTED
            mail = compose(context)
            sender = bounce_address(self._settings.site.address, self._keys, item.id)
            answer = transport.send(self.sealed(mail), sender, context.person.address)
        except Unplayable as error:
            return self._waits(item, error)
        except DatabaseUnavailable:
            raise
        except (TurnserverError, OSError) as error:
            return self._failed(item, error)
        except Exception as error:  # one mail that cannot be drawn must not hold up the others; it ends as dead, visibly
            logger.exception("mail %s (%s) cannot be written", item.id, item.kind)
            return self._failed(item, error)
        self._delivered = Delivered(item, mail.text, answer, self._clock(), erased)
        return self._recorded()

    def _is_unwanted(self, conn: Transaction, item: outbox.OutboxItem) -> bool:
        # A mail that waited may ask for what is over. Answers, and mails that the player has caused, are sent to whoever has unsubscribed
        # too.
        if item.kind in UNTIL_ACTED_ON and self._is_outdated(conn, item):
            return True
        if item.player is None or item.kind in ASKED_FOR or item.in_reply_to:
            return False
        return not people.player(conn, item.player).preferences.subscribed

    def _is_outdated(self, conn: Transaction, item: outbox.OutboxItem) -> bool:
        if item.game is None or item.player is None or is_answer(MailKind(item.kind), item.detail):
            return False
        now = self._ledger.games.load(conn, item.game).state
        if now.version == item.version or (item.kind != MailKind.REMINDER and item.due_at == item.created_at):
            return False
        then = self._ledger.games.state_after(item.game, self._ledger.games.history(conn, item.game, item.version))
        return is_outdated(item, then, now, item.player)

    def _end_unwanted(self, tx: Transaction, item: outbox.OutboxItem) -> None:
        """End a mail unsent. What a player said in one that is no longer true is told by itself."""
        outbox.unwanted(tx, item.id, self._owner)
        if "said" in item.detail and item.game is not None and item.player is not None:
            words, now = Notice(MailKind.SAID, item.player, detail={"said": item.detail["said"]}), self._clock()
            state = self._ledger.games.known_to(tx, item.game, item.player, now)
            self._ledger.post.queue(tx, [words], Request("service", f"job:outbox:{item.id}", now), item.game, state)

    def _waits(self, item: outbox.OutboxItem, error: Unplayable) -> End:
        # However often it was tried: when a program comes that can follow the game, the mail can be written.
        self._quarantine.noted(error)
        with self._ledger.db.write() as tx:
            outbox.postpone(tx, item.id, self._owner, str(error), self._clock() + WHILE_RESTING)
        return End.RETRIED

    def _failed(self, item: outbox.OutboxItem, error: Exception) -> End:
        """Put a mail back that could not be sent, or give it up. A mail counts as untried if there was no way out."""
        waits = self._settings.outgoing.retry_seconds
        reason = str(error) if isinstance(error, TurnserverError) else f"{type(error).__name__}: {error}"
        # Without a way out, it is not this mail's trouble: it counts as untried.
        if isinstance(error, Unreachable) and waits:
            wait = timedelta(seconds=waits[min(item.attempts, len(waits) - 1)])
            with self._ledger.db.write() as tx:
                outbox.postpone(tx, item.id, self._owner, reason, self._clock() + wait)
            logger.warning("mail %s (%s): %s", item.id, item.kind, reason)
            return End.NO_WAY_OUT
        final = isinstance(error, PermanentFailure | NotFound) or item.attempts >= len(waits)
        logger.warning("mail %s (%s): %s%s", item.id, item.kind, reason, "; given up" if final else "")
        if final:
            end = self._given_up(item, error, reason)
            return End.DEAD_UNANSWERED if isinstance(error, Unanswered) else end
        with self._ledger.db.write() as tx:
            outbox.retry(tx, item.id, self._owner, reason, self._clock() + timedelta(seconds=waits[item.attempts]))
        return End.UNANSWERED if isinstance(error, Unanswered) else End.RETRIED

    def _given_up(self, item: outbox.OutboxItem, error: Exception | None, reason: str) -> End:
        self._ledger.attempt(lambda tx: self._give_up(tx, item, error, reason))
        return End.DEAD

    def _give_up(self, tx: Transaction, item: outbox.OutboxItem, error: Exception | None, reason: str) -> None:
        """End a mail as dead; a refusal also counts against the address that it went to, as if it had come back."""
        now = self._clock()
        outbox.dead(tx, item.id, self._owner, reason)
        if isinstance(error, Refused):
            fate = judged(error.answer)
            if fate is DeliveryStatus.HARD and not error.recipient:
                fate = DeliveryStatus.SOFT  # it had taken the recipient, so it knows the mailbox
            why = error.answer
            if item.player is not None:
                fate, why = fate_at(people.player(tx, item.player).address, fate, why)
            player = delivery_reports.refused(tx, item.id, fate, why, now)
            if player is not None:
                self._deliverability.judge(tx, player, fate, why, Request("service", f"job:outbox:{item.id}:{now.isoformat()}", now))
            if fate is not DeliveryStatus.SOFT:
                return  # the admin hears of the player, or of the provider
        self._tell_admin(tx, item, reason, now)

    def _tell_admin(self, tx: Transaction, item: outbox.OutboxItem, reason: str, now: datetime) -> None:
        # Only a mail that was to tell a player of a game matters. The admin knows already of players whom no mail reaches.
        admin, about = self._settings.site.admin, item.game is not None or item.kind == MailKind.DIGEST
        if (
            not admin
            or item.player is None
            or not about
            or item.kind in ANSWERS
            or delivery_reports.deliverability(tx, item.player).since is not None
        ):
            return
        with suppress(NotFound):
            person = people.player(tx, item.player)
            waits = self._settings.play.undelivered == "wait"
            report = given_up_report(admin, item.id, item.kind, person, item.game, item.attempts + 1, reason, waits=waits)
            self._ledger.post.queue(tx, [report], Request("service", f"job:given-up:{person.id}:{now.date()}", now))


def _lost(error: AlreadyHandled) -> End:
    logger.warning("%s; it may have been sent twice, under one Message-ID", error)
    return End.LOST


def kept_text(item: outbox.OutboxItem, text: str) -> str:
    """Return the text of a mail as it is kept: without the secrets in it that somebody could use in the place of its reader."""
    return "\n".join(masked(text.split("\n"))) if item.kind in (MailKind.SIGN_IN, MailKind.SETTINGS) else text
