"""Outbox to mailbox: claim rows with a lease, render from the fold, send outside any transaction, record what became of each."""

import logging
import uuid
from collections.abc import Callable
from datetime import timedelta
from enum import Enum
from functools import partial
from typing import NamedTuple

from turnserver.config import Settings
from turnserver.envelope import GameId, PlayerId
from turnserver.errors import AlreadyHandled, NotFound, PermanentFailure, TurnserverError, Unreachable
from turnserver.mail.compose import Composed, compose
from turnserver.mail.notices import Kind
from turnserver.mail.occasion import Occasion, OwnGame, Person, Stranger
from turnserver.mail.tokens import Keys, Token, reply_address
from turnserver.mail.transport import Transport
from turnserver.play.state import GameState, Status
from turnserver.service.clock import Clock
from turnserver.service.ledger import Ledger
from turnserver.store import outbox, people, views
from turnserver.store.database import Transaction

logger = logging.getLogger(__name__)


class Sent(NamedTuple):
    """How many rows of one round were sent, put back to be tried again, or given up."""

    sent: int = 0
    retried: int = 0
    dead: int = 0


class End(Enum):
    """What became of one row. LOST: somebody else has it now, because its lease ran out."""

    SENT = "sent"
    RETRIED = "retried"
    NO_WAY_OUT = "no way out"
    DEAD = "dead"
    LOST = "lost"


class Rendered(NamedTuple):
    """A mail ready to go, and where to."""

    mail: Composed
    recipient: str


class Dispatcher:
    """Sends what the outbox holds. Several processes may each run one: a row belongs to whoever holds its lease."""

    def __init__(self, ledger: Ledger, settings: Settings, keys: Keys, clock: Clock, transport: Callable[[], Transport]) -> None:
        """`transport` makes the means of sending for one round."""
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._transport = transport
        self._owner = uuid.uuid4().hex
        self._signed: Callable[..., bytes] | None = None

    def round(self) -> Sent:
        """Send one batch of what is due.

        When there is no way out, or the lease ends, the rest of the batch is given back untried: a server that is down for a day must
        not use up the attempts of mails that it was never offered. Raises ConfigError, and has touched nothing, while a key is missing.
        """
        self.make_ready()
        outgoing = self._settings.outgoing
        lease, begun = timedelta(seconds=outgoing.lease_seconds), self._clock()
        items = outbox.claim(self._ledger.db, begun, outgoing.batch, lease, self._owner)
        if not items:
            return Sent()
        ends: list[End] = []
        with self._transport() as transport:
            for item in items:
                if self._clock() >= begun + lease or End.NO_WAY_OUT in ends:
                    break
                ends.append(self._send(item, transport))
        if untried := items[len(ends) :]:
            with self._ledger.db.write() as tx:
                for item in untried:
                    outbox.release(tx, item.id, self._owner)
        return Sent(ends.count(End.SENT), ends.count(End.RETRIED) + ends.count(End.NO_WAY_OUT), ends.count(End.DEAD))

    def make_ready(self) -> None:
        """Read the keys that mails are signed with, once. Raises ConfigError if one cannot be used."""
        if self._settings.dkim.key_files and self._signed is None:
            # Only here: its cryptography takes longer to import than everything else, and most services sign nothing.
            from turnserver.mail import dkim_keys, dkim_sign  # noqa: PLC0415

            self._signed = partial(dkim_sign.signed, signers=dkim_keys.signers(self._settings))

    def sealed(self, mail: Composed) -> bytes:
        """The mail to the byte, signed now if the settings say so. Raises ConfigError if a key cannot be used."""
        self.make_ready()
        return self._signed(mail.raw, at=self._clock()) if self._signed else mail.raw

    def render(self, item: outbox.OutboxItem) -> Rendered:
        """The mail that a row stands for, drawn from the game as it was at the row's version. Raises NotFound if its player is gone."""
        with self._ledger.db.read() as conn:
            occasion = self._occasion(conn, item)
        return Rendered(compose(occasion), occasion.person.address)

    def _send(self, item: outbox.OutboxItem, transport: Transport) -> End:
        try:
            return self._sent(item, transport)
        except AlreadyHandled as error:
            logger.warning("%s; it may have been sent twice, under one Message-ID", error)
            return End.LOST

    def _sent(self, item: outbox.OutboxItem, transport: Transport) -> End:
        try:
            mail, recipient = self.render(item)
            transport.send(self.sealed(mail), self._settings.site.address, recipient)
        except (TurnserverError, OSError) as error:
            return self._failed(item, error)
        except Exception as error:  # one mail that cannot be drawn must not hold up the others; it ends as dead, visibly
            logger.exception("mail %s (%s) cannot be written", item.id, item.kind)
            return self._failed(item, error)
        with self._ledger.db.write() as tx:
            outbox.sent(tx, item.id, self._owner, self._clock(), mail.text)
        return End.SENT

    def _failed(self, item: outbox.OutboxItem, error: Exception) -> End:
        waits = self._settings.outgoing.retry_seconds
        final = isinstance(error, PermanentFailure | NotFound) or item.attempts > len(waits)
        reason = str(error) if isinstance(error, TurnserverError) else f"{type(error).__name__}: {error}"
        with self._ledger.db.write() as tx:
            if final:
                outbox.dead(tx, item.id, self._owner, reason)
            else:
                outbox.retry(tx, item.id, self._owner, reason, self._clock() + timedelta(seconds=waits[item.attempts - 1]))
        logger.warning("mail %s (%s): %s%s", item.id, item.kind, reason, "; given up" if final else "")
        if final:
            return End.DEAD
        return End.NO_WAY_OUT if isinstance(error, Unreachable) else End.RETRIED

    def _occasion(self, conn: Transaction, item: outbox.OutboxItem) -> Occasion:
        person = self._person(conn, item)
        history = self._ledger.history(conn, item.game, item.version) if item.game else []
        state = self._ledger.state_after(item.game, history) if item.game else None
        thread = outbox.thread(conn, item.game, item.player) if item.game and item.player else []
        games = self._own_games(conn, person) if item.kind == Kind.GAMES else ()
        tables = [state] if state else [own.state for own in games]
        return Occasion(
            kind=Kind(item.kind),
            person=person,
            site=self._settings.site,
            now=self._clock(),
            message_id=item.message_id,
            reply_to=self._reply_to(person, item.game, state),
            detail=item.detail,
            in_reply_to=item.in_reply_to or next(reversed(thread), None),
            references=thread,
            game_id=item.game,
            state=state,
            history=history,
            people=self._names(conn, {player for table in tables for player in table.players}),
            games=games,
        )

    @staticmethod
    def _person(conn: Transaction, item: outbox.OutboxItem) -> Person:
        if item.player is not None:
            return people.player(conn, item.player)
        return Stranger(item.address or "")

    def _own_games(self, conn: Transaction, person: Person) -> tuple[OwnGame, ...]:
        rows = [row for row in views.list_games(conn, player=person.id) if row.status != Status.ENDED]
        loaded = ((GameId(row.id), self._ledger.load(conn, GameId(row.id)).state) for row in rows)
        theirs = ((game, state) for game, state in loaded if person.id in [state.player_at(seat) for seat in state.staying])
        return tuple(OwnGame(game, state, self._reply_to(person, game, state)) for game, state in theirs)

    def _reply_to(self, person: Person, game: GameId | None, state: GameState | None) -> str:
        site = self._settings.site.address
        if person.id is None:
            return site
        if game is None or state is None:
            return reply_address(site, self._keys, Token(person.id))
        return reply_address(site, self._keys, Token(person.id, game, state.turn, state.edition))

    @staticmethod
    def _names(conn: Transaction, players: set[PlayerId]) -> dict[PlayerId, str]:
        return {player: people.player(conn, player).name for player in players}
