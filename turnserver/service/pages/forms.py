"""Forms of pages that ask for what mails may ask for: the same decisions, refusals and rows, each form once."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias

from turnserver.config import Settings
from turnserver.errors import NotAllowed
from turnserver.ids import actor
from turnserver.mail.format.tokens import Token
from turnserver.mail.inbound.phrases import Move, Phrase
from turnserver.outside import Clock, DrawLots
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.answers import refuse_too_many
from turnserver.service.mailroom.command_handler import MailCommandHandler, TooSoonError
from turnserver.service.mailroom.outcomes import Outcomes
from turnserver.service.request import Request
from turnserver.service.upkeep.upkeep import Upkeep
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction
from turnserver.store.people.accounts import Person
from turnserver.store.web import forms
from turnserver.text import say

Opening: TypeAlias = Callable[[Transaction, datetime], tuple[Token, Person]]
"""Tells at an instant who sends a form and what it is about, as the address of a mail does. Raises Refusal if nobody may."""


class PageForms:
    """Carries out what players ask for on pages. Threads may share it."""

    def __init__(  # noqa: PLR0917  # what commands of players are carried out with
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: Settings,
        clock: Clock,
        lot: DrawLots,
        outcomes: Outcomes,
        upkeep: Upkeep,
    ) -> None:
        """Nothing is done while `upkeep` has doubts about the `clock`."""
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._clock = clock
        self._lot = lot
        self._outcomes = outcomes
        self._guard, self._watch = upkeep.guard, upkeep.watch

    def carry_out(self, opening: Opening, phrases: Sequence[Phrase], key: str) -> None:
        """Carry out what a player asks for, all or nothing. Forms of one `key` are the same request, which is carried out once.

        Raises Refusal as an answer to a mail would, or as `opening` does, and ClockWrong.
        """
        now = self._clock()
        with self._ledger.db.read() as conn:
            signs = outages.signs(conn, now)
            self._guard.require(signs)
            lost = self._watch.lost(conn, signs)
        # what is played here is judged as mail is
        if lost or signs.waits:
            token, person = self._ledger.attempt(lambda tx: opening(tx, now))
            self._watch.credit(person.id, token.game or None, lost, now)

        def work(tx: Transaction) -> None:
            token, person = opening(tx, now)
            if not forms.take(tx, key, person.id, now):
                return
            # A move waits for the answer of another player, which is limit enough, and has a deadline.
            if not all(isinstance(phrase, Move) for phrase in phrases):
                refuse_too_many(tx, person.id, self._settings.incoming, now)
            at = self._ledger.games.load(tx, token.game) if token.game else None
            state = self._ledger.games.seen(tx, token.game, at.state, person.id, now) if at is not None else None
            handler = MailCommandHandler(
                self._settings, self._ledger, self._leagues, self._watch, self._lot, person, token, at, state, now, now, key.encode()
            )
            try:
                answer = handler.carry_out(tx, phrases)
            except TooSoonError:
                soon = say("Mail that came before the deadline is still being read. Try again later.")
                raise NotAllowed("too_soon", soon) from None
            # The page itself shows its player what they would be told in an answer.
            answer = answer._replace(told=tuple(notice for notice in answer.told if not (notice.is_answer and notice.player == person.id)))
            self._outcomes.write(tx, answer, person, Request(actor(person.id), f"web:{key}", now), proven=True)

        self._ledger.attempt(work)
