"""How much one sender may have of us: mails that are looked at in an hour, and automatic answers in a day (RFC 3834, section 2)."""

from datetime import datetime, timedelta

from turnserver.config import Incoming
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import Notice, Problem
from turnserver.service.mailroom.command_handler import Answer
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, outbox
from turnserver.store.mail.inbox import Traffic
from turnserver.store.people.accounts import Person
from turnserver.text import say

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

STRANGER_ANSWERS = 1
"""How many answers a day an address without an account gets: it may belong to somebody who never wrote to us."""

NEWCOMER_ANSWERS = 3
"""The same for an address from which somebody asks for an account, who may have to choose another name."""

NO_MORE = "answers_per_day"
"""The code of the announcement that there are no more answers for a day."""


def traffic(conn: Transaction, writer: str | None, arrived_at: datetime) -> Traffic:
    """What `writer` sent in the hour up to a mail of his that arrived then."""
    return inbox.traffic(conn, writer, arrived_at - HOUR, arrived_at) if writer else Traffic(0, 0)


def too_many(person: Person | None, before: Traffic, incoming: Incoming) -> Answer:
    """What becomes of a mail above the limit of the hour: it is kept, and the first one is answered to whoever has an account."""
    message = say(
        "More than {number} mails came in your name within an hour. This one and the next ones are not looked at, and "
        "nothing was done. Wait for an hour, then send once more what is still needed.",
        number=incoming.mails_per_hour,
    )
    if person is None or before.too_many:
        return Answer(inbox.TOO_MANY)
    return Answer(inbox.TOO_MANY, (notices.refusal([Problem("", message, "too_many")], player=person.id),))


def limited(  # noqa: PLR0917  # an answer, whose, and by which measure
    conn: Transaction, answer: Answer, person: Person | None, sender: str, incoming: Incoming, now: datetime, *, proven: bool
) -> Answer:
    """The same, less the answers to an address that has had its fill of them for a day; the first that is left out is announced.

    What is meant for others is told in any case. An address without an account gets less, and no announcement. Mails that are not
    `proven` to be the player's own use up half of his answers at most: so nobody can keep him from hearing that a move was refused.
    """
    answers = [notice for notice in answer.told if notice.is_answer]
    if not answers and not answer.fresh:
        return answer
    most = incoming.answers_per_day if person else min(incoming.answers_per_day, answer.newcomer or STRANGER_ANSWERS)
    if person and not proven:
        most = (most + 1) // 2
    given = outbox.answers_since(conn, person.address if person else sender, now - DAY)
    if given < most:
        return answer
    others = [notice for notice in answer.told if not notice.is_answer]
    told_before = person is None or outbox.refused_since(conn, person.address, NO_MORE, now - DAY)
    announced = [] if told_before or person is None else [_no_more(person, most)]
    return answer._replace(outcome=f"{answer.outcome}; not answered: limit of the day", told=(*others, *announced), fresh=())


def _no_more(person: Person, most: int) -> Notice:
    message = say(
        "This address has had {number} automatic answers within a day, so this mail and the next ones are not answered before tomorrow. "
        "Legal moves are played all the same, and the turn mails come as ever.",
        number=most,
    )
    return notices.refusal([Problem("", message, NO_MORE)], player=person.id)
