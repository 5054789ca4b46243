"""Writes everything that a player's request changes, whether a mail or a page brought it."""

from turnserver.service.games import notes
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.answers import Answer
from turnserver.service.mailroom.deliverability import Deliverability
from turnserver.service.people import accounts, vacations
from turnserver.service.request import Request
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person


class Outcomes:
    """Writes answers: to games, vacations, leagues, settings, chat and notes, with the mails that tell of it."""

    def __init__(self, ledger: Ledger, leagues: Leagues, deliverability: Deliverability) -> None:
        """Write by `ledger` and `leagues`; `deliverability` hears of everybody whose request shows that our mail arrives."""
        self._ledger = ledger
        self._leagues = leagues
        self._deliverability = deliverability

    def write(self, tx: Transaction, answer: Answer, person: Person | None, request: Request, *, proven: bool) -> None:
        """Write everything that the answer to a request of `person` changes. The log comes last; nothing may follow in the transaction.

        `proven` says that the request carried what only a mail to that person told, so that their address is surely theirs.
        """
        reached = person.id if person is not None and proven else answer.moved
        if person is not None and proven and person.confirmed_at is None:
            people.confirm(tx, person.id, request.now)
        back = None if reached is None else self._deliverability.heard(tx, reached, request, answer.heard_of)
        for text in answer.said:
            assert answer.game is not None and person is not None  # noqa: PT018, S101  # words are said at a table
            people.say(tx, answer.game, person.id, request.now, text)
        for turn, text in answer.notes:
            assert answer.game is not None and person is not None  # noqa: PT018, S101  # notes are made at a table
            notes.keep(tx, person.id, answer.game, turn, text, request.now)
        if answer.published is not None and answer.game is not None and person is not None:
            notes.publish(tx, person.id, answer.game, shown=answer.published)
        if answer.chosen and person is not None:
            accounts.choose(tx, self._ledger, person.id, answer.chosen, request, answered=True)
        for one in answer.fresh:
            self._ledger.post.queue(tx, [one.notice], request, one.game, one.state)
        self._ledger.post.queue(tx, answer.directors, request)
        if answer.decision is not None:
            self._ledger.write(tx, answer.decision, request, answer.told)
        elif answer.vacation is not None:
            vacations.write(tx, self._ledger, answer.vacation, request, answer.told)
        elif answer.league is not None:
            self._leagues.write(tx, answer.league, request, answer.told)
        else:
            self._ledger.post.queue(tx, answer.told, request, answer.game, answer.about)
        self._deliverability.log(tx, back, request)
