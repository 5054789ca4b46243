"""Signing in: a link that is mailed to a player makes a session, which lasts until the player ends it or does not use it for long enough.

The cookie of a session is a secret that only its browser knows: it follows from the link and from a number in the page with the button. So
a form that is sent twice, or again after a process was killed, makes one session, and whoever else has the link then finds it used.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from turnserver.errors import NotAllowed, NotFound, Refusal
from turnserver.ids import GameId, PlayerId, actor
from turnserver.mail.format.tokens import Purpose, Token, sign, verify
from turnserver.mail.outbound.notices import game as notices
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys
from turnserver.service.mailroom.deliverability import Deliverability
from turnserver.service.people.accounts import check_address
from turnserver.service.request import Request
from turnserver.service.upkeep.plausible_clock import ClockGuard
from turnserver.store.incidents import outages
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.log.statement import instant
from turnserver.store.people import accounts as people
from turnserver.store.people import sessions
from turnserver.store.people.accounts import Person
from turnserver.text import say

WITHIN: Final = timedelta(minutes=15)
"""The time for which a link can be used."""

PAUSES: Final = ((10, timedelta(hours=2)), (4, WITHIN), (0, timedelta(0)))
"""The time for which no link is made for an address, by the number of those of the last day that nobody has used.

So no mailbox is flooded, and nobody else can keep a player out for longer than that: after four, the newest link can still be used while no
other one is made. Whoever uses a link may ask as before.
"""

_DRAWN_BYTES: Final = 4


class OpenSession(NamedTuple):
    """A browser in which a player is signed in. `token` names it to its own player, and is no secret."""

    token: str
    browser: str
    made_at: datetime
    seen_at: datetime
    is_this: bool


class Sessions:
    """Signs players in and out, and tells who is. Threads may share it."""

    def __init__(self, ledger: Ledger, keys: ReplyKeys, deliverability: Deliverability, guard: ClockGuard, clock: Clock) -> None:
        """Sign links with `keys`. `deliverability` hears of whoever uses one. Nobody signs in while `guard` doubts the `clock`."""
        self._ledger = ledger
        self._keys = keys
        self._deliverability = deliverability
        self._guard = guard
        self._clock = clock

    def ask(self, address: str, to: str, nonce: str) -> None:
        """Mail a link to the player who has an address; it leads on to the page `to`. Nothing tells the caller whether anybody has it.

        A form that is sent twice, with its `nonce`, is carried out once. Nothing happens while links for the address pause.
        Raises BadOption for a text that is no address, and ClockWrong.
        """
        address, now = check_address(address), self._clock()
        self._keys.refresh()

        def work(tx: Transaction) -> None:
            self._guard.require(outages.signs(tx, now))
            unused = sessions.unused(tx, address, now - sessions.COUNTED)
            if unused and now - unused[-1] < next(pause for number, pause in PAUSES if len(unused) >= number):
                return
            person = people.player_by_address(tx, address)
            if person is None:
                # Nobody has the link of nobody. Its row is written all the same, so that both answers take as long.
                sessions.issue(tx, nonce, None, address, now, now)
                return
            token = self._token(person)
            told = notices.sign_in(person.id, token.game, to, now + WITHIN)
            if self._ledger.post.queue(tx, [told], Request("service", f"web:{nonce}", now)):
                self._keep(tx, token, address, now)

        self._ledger.attempt(work)

    def invitee(self, link: str) -> Person:
        """Return the player whom a link signs in. Raises NotFound for a text that is none, NotAllowed for one that is used or too old."""
        with self._ledger.db.read() as conn:
            _, person = self._opened(conn, link)
        fault = self._fault(link)
        if fault is not None:
            raise fault
        return person

    def sign_in(self, link: str, nonce: str, browser: str, *, instead: str = "") -> str:
        """Return the secret of a session that a link begins. Sent again with the same `nonce`, a form gets the same one.

        `browser` says in a few words where the player is. The session with the secret `instead`, which that browser had before, ends.
        Raises as `invitee` does, and ClockWrong.
        """
        now, secret = self._clock(), _secret(link, nonce)

        def work(tx: Transaction) -> bool:
            self._guard.require(outages.signs(tx, now))
            token, person = self._opened(tx, link)
            if not sessions.use(tx, link, now):
                return sessions.owner(tx, secret, now) == token.player
            sessions.leave(tx, instead)
            sessions.begin(tx, secret, token.player, browser, now)
            # The link came to the address of the player, so that is theirs, and mail arrives there.
            request = Request(actor(person.id), f"web:{nonce}", now)
            people.confirm(tx, person.id, now)
            self._deliverability.log(tx, self._deliverability.heard(tx, person.id, request), request)
            return True

        if not self._ledger.attempt(work):
            raise self._fault(link) or _no_link()
        return secret

    def player(self, secret: str) -> PlayerId | None:
        """Return the player who is signed in by the secret of a cookie, None if nobody is."""
        with self._ledger.db.session() as session:
            found = sessions.alive(session, secret, self._clock())
            return PlayerId(found.player) if found else None

    def of(self, player: PlayerId, secret: str) -> Sequence[OpenSession]:
        """Return the sessions of a player, the last used first. `secret` is the one of the browser that asks."""
        own = sessions.digest(secret)
        with self._ledger.db.session() as session:
            return [
                OpenSession(row.token, row.browser, instant(row.made_at), instant(row.seen_at), row.token == own)
                for row in sessions.of_player(session, player, self._clock())
            ]

    def end(self, player: PlayerId, token: str) -> bool:
        """End a session of a player. Return False if it is none of theirs, or has ended."""
        return self._ledger.attempt(lambda tx: sessions.end(tx, player, token))

    def leave(self, secret: str) -> None:
        """End the session of a secret."""
        self._ledger.attempt(lambda tx: sessions.leave(tx, secret))

    def end_all(self, player: PlayerId) -> None:
        """End all sessions of a player."""
        self._ledger.attempt(lambda tx: sessions.end_all(tx, player))

    def _token(self, person: Person) -> Token:
        # A number that is hard to guess, so that somebody who has learnt a key cannot write the link that was mailed.
        return Token(person.id, GameId(int.from_bytes(self._ledger.entropy(_DRAWN_BYTES))))

    def _keep(self, tx: Transaction, token: Token, address: str, now: datetime) -> None:
        sessions.issue(tx, sign(self._keys, token, Purpose.SIGN_IN), token.player, address, now, now + WITHIN)

    def _fault(self, link: str) -> Refusal | None:
        """Return why a link that was signed signs nobody in any more, None if it does."""
        with self._ledger.db.session() as session:
            row = sessions.link_row(session, link)
            if row is None:
                return _no_link()
            if row.used_at is not None:
                return NotAllowed("used_link", say("This link was used already, and each works once. Ask for a new one."))
            if instant(row.expires_at) > self._clock():
                return None
        old = say("This link is older than {minutes} minutes, so it no longer works. Ask for a new one.", minutes=_minutes())
        return NotAllowed("old_link", old)

    def _opened(self, conn: Transaction, link: str) -> tuple[Token, Person]:
        """Return what a link is for. Raises NotFound for any text that nobody signed, or if the player was erased."""
        token = verify(keyring.keys(conn, keyring.REPLY), link, Purpose.SIGN_IN)
        person = people.player(conn, token.player) if token is not None else None
        if token is None or person is None or person.erased_at is not None:
            raise _no_link()
        return token, person


def _secret(link: str, nonce: str) -> str:
    """Return what the browser keeps. The link alone does not give it away, nor does the page."""
    return urlsafe_b64encode(hmac.digest(nonce.encode(), link.encode(), "sha256")).decode().rstrip("=")


def _minutes() -> int:
    return int(WITHIN.total_seconds()) // 60


def _no_link() -> NotFound:
    return NotFound(say("This link signs nobody in. It may be incomplete: open it from the mail once more, or ask for a new one."))
