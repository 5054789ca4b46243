"""Answers to mails: everything that a mail changes and brings about, and how many answers an address gets."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from turnserver.config import Incoming
from turnserver.errors import NotAllowed, Refusal
from turnserver.ids import GameId, PlayerId, actor
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import NotDone
from turnserver.play.state import GameState
from turnserver.service.games.folds import Decision
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.service.mailroom.open_games import Fresh
from turnserver.service.people.vacations import VacationDecision
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, outbox
from turnserver.store.mail.inbox import Traffic
from turnserver.store.people.accounts import Person
from turnserver.store.web import forms
from turnserver.text import say

CARRIED_OUT = "carried out"
"""The outcome of a mail that did something to a game."""


class UnfitMail(Refusal):
    """A mail that as a whole is not carried out, with all its problems."""

    def __init__(self, code: str, problems: Sequence[NotDone], suggestion: str = "") -> None:
        super().__init__(code, problems[0].message, suggestion)
        self.problems = problems


class Answer(NamedTuple):
    """The answer to a mail, and everything that the mail changes."""

    # a phrase for the admin
    outcome: str
    # notices besides those of the plan; they are about `game` as it is in `about`
    told: tuple[Notice, ...] = ()
    about: GameState | None = None
    game: GameId | None = None
    # the change of a game
    decision: Decision | None = None
    # lines that the writer says to the others at the table
    said: tuple[str, ...] = ()
    # notes of the writer to keep, each with its turn
    notes: tuple[tuple[int, str], ...] = ()
    # whether the writer's notes are published from now on; None leaves that as it is
    published: bool | None = None
    # settings of the writer that change
    chosen: tuple[tuple[str, str], ...] = ()
    # mails that are sent once more
    fresh: tuple[Fresh, ...] = ()
    # the daily number of answers to somebody who is about to get an account; 0 for everybody else
    newcomer: int = 0
    # the player who has just confirmed a new address
    moved: PlayerId | None = None
    # the change of the writer's vacations
    vacation: VacationDecision | None = None
    # the change of a league
    league: LeagueDecision | None = None
    # notices to those who direct the league of the game, which are not about the game itself
    directors: tuple[Notice, ...] = ()

    @property
    def changes_nothing(self) -> bool:
        """True if the mail changes no game, no league and no vacation."""
        return self.decision is None and self.vacation is None and self.league is None

    @property
    def heard_of(self) -> frozenset[GameId]:
        """The games that the writer gets a mail about, or has just acted in."""
        return frozenset({one.game for one in self.fresh} | ({self.decision.game} if self.decision else set()))


HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

STRANGER_ANSWERS = 1
"""The number of answers a day to an address without an account: it may belong to somebody who never wrote to us."""

NEWCOMER_ANSWERS = 3
"""The same for an address from which somebody asks for an account, who may have to choose another name."""

TOO_MANY = "too_many"
"""The code of the refusal of a request above the hourly limit."""

NO_MORE = "answers_per_day"
"""The code of the announcement that there are no more answers for a day."""


def traffic(conn: Transaction, writer: str | None, player: PlayerId | None, arrived_at: datetime) -> Traffic:
    """Return the traffic of `writer` in the hour up to `arrived_at`. The forms of pages that the `player` sent count like mails."""
    since = arrived_at - HOUR
    found = inbox.traffic(conn, writer, since, arrived_at) if writer else Traffic(0, 0)
    return found if player is None else found._replace(mails=found.mails + forms.count(conn, player, since, arrived_at))


def refuse_too_many(conn: Transaction, player: PlayerId, incoming: Incoming, now: datetime) -> None:
    """Refuse a form of a page, which is counted already, above the hourly limit. Raises NotAllowed (`too_many`)."""
    if traffic(conn, actor(player), player, now).mails > incoming.mails_per_hour:
        message = say(
            "More than {n} request by mail or page came from you within an hour, so nothing has changed. Wait an hour, then try again.",
            "More than {n} requests by mail or page came from you within an hour, so nothing has changed. Wait an hour, then try again.",
            n=incoming.mails_per_hour,
        )
        raise NotAllowed(TOO_MANY, message)


def too_many(person: Person | None, before: Traffic, incoming: Incoming) -> Answer:
    """Return the answer to a mail above the hourly limit. The mail is kept. Only the first one is answered, and only to an account."""
    message = say(
        "More than {n} request by mail or page came from you within an hour, so we don't read this one and the next ones, and nothing "
        "has changed. Wait an hour, then send again what you still need.",
        "More than {n} requests by mail or page came from you within an hour, so we don't read this one and the next ones, and nothing "
        "has changed. Wait an hour, then send again what you still need.",
        n=incoming.mails_per_hour,
    )
    if person is None or before.too_many:
        return Answer(inbox.TOO_MANY)
    return Answer(inbox.TOO_MANY, (notices.refusal([NotDone("", message, TOO_MANY)], player=person.id),))


def limited(  # noqa: PLR0917  # an answer, whose, and by which measure
    conn: Transaction, answer: Answer, person: Person | None, sender: str, incoming: Incoming, now: datetime, *, proven: bool
) -> Answer:
    """Return `answer` without its answers and fresh mails if the address has had its fill for a day. The first time is announced.

    Notices for others stay in any case. An address without an account gets fewer answers and no announcement. Mails that are not
    `proven` to be the player's own use up at most half of the answers.
    """
    answers = [notice for notice in answer.told if notice.is_answer]
    if not answers and not answer.fresh:
        return answer
    most = incoming.answers_per_day if person else min(incoming.answers_per_day, answer.newcomer or STRANGER_ANSWERS)
    # Else others could keep the player from hearing of a refused move.
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
        "We have sent {n} automatic answer to this address today, so there will be no more before tomorrow. "
        "Legal moves are still played, and turn mails come as always; what can't be done is not answered.",
        "We have sent {n} automatic answers to this address today, so there will be no more before tomorrow. "
        "Legal moves are still played, and turn mails come as always; what can't be done is not answered.",
        n=most,
    )
    return notices.refusal([NotDone("", message, NO_MORE)], player=person.id)
