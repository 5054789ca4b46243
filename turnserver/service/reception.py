"""A mail that arrived becomes commands, and the commands an answer, in one transaction with the inbox row that is then done.

All or nothing: if anything in a mail cannot be done, nothing is, and the answer says why. A reply token authorises; without one we
answer only questions, and only to the registered address.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from turnserver import games
from turnserver.config import Settings
from turnserver.envelope import PlayerId
from turnserver.errors import AlreadyDone, AlreadyHandled, NotAllowed, NotFound, Refusal
from turnserver.mail import notices
from turnserver.mail.notices import ANSWERS, Notice, Problem
from turnserver.mail.phrases import Games, Help, Rules, Understood, written
from turnserver.mail.read import Reading, read
from turnserver.mail.tokens import Keys, Token, find, verify
from turnserver.play.state import GameState
from turnserver.rules import Rules as GameRules
from turnserver.rules.kit import reads_as_turn
from turnserver.service.clock import Clock, Lot
from turnserver.service.desk import Answer, Desk, Unfit
from turnserver.service.hearing import previewed_again, understood
from turnserver.service.ledger import GameAt, Ledger, Request, actor
from turnserver.store import inbox, outbox, people
from turnserver.store.database import Transaction
from turnserver.store.people import Person

logger = logging.getLogger(__name__)

Board: TypeAlias = tuple[GameRules[Any, Any], Any]
"""Rules and a position in them."""

LEASE = timedelta(minutes=2)
"""Longer than it takes to handle a batch of mails; a process that died lets go after it."""

NULL_SENDER = "<>"
"""How the inbox notes the null sender, which machines use; a sender that nobody knows is empty."""

DAY = timedelta(days=1)

MAX_PROBLEMS = 5
"""How many of a mail's unclear lines are quoted back."""


class Handled(NamedTuple):
    """How many mails of one round were handled, and how many failed and will be tried again or are left to the admin."""

    handled: int = 0
    failed: int = 0


class Writer(NamedTuple):
    """Who wrote, as far as we can tell.

    `token` is verified; `forged` says that there was one which is not ours, `borrowed` that there was one of another player, and
    `foreign` that `person` wrote from an address that we do not know.
    """

    person: Person | None
    token: Token | None = None
    forged: bool = False
    borrowed: bool = False
    foreign: bool = False


class Reception:
    """Handles what the inbox holds, oldest first."""

    def __init__(self, ledger: Ledger, settings: Settings, keys: Keys, clock: Clock, lot: Lot) -> None:
        """`keys` verify reply tokens; `lot` orders the players of a challenge."""
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._lot = lot

    def round(self, limit: int = 50) -> Handled:
        """Handle at most `limit` waiting mails.

        A mail that was tried before may be one that ends the process, so such mails are tried last and one a round: none of them can use
        up the attempts of the others.
        """
        items = inbox.claim(self._ledger.db, self._clock(), limit, LEASE)
        fresh = [item for item in items if item.attempts == 1]
        again = sorted((item for item in items if item.attempts > 1), key=lambda item: item.attempts)
        if again[1:]:
            with self._ledger.db.write() as tx:
                for item in again[1:]:
                    inbox.release(tx, item.id)
        ends = [self._one(item) for item in (*fresh, *again[:1])]
        return Handled(ends.count(True), ends.count(False))

    def read(self, item: inbox.InboxItem) -> Reading:
        """What is left of a mail when quotations, signatures and everything else that is not the writer's own are cut away."""
        with self._ledger.db.read() as conn:
            return read(item.raw, lambda ids: self._sent_texts(conn, ids), self._settings.site.address, item.sender or None)

    def _one(self, item: inbox.InboxItem) -> bool:
        most = self._settings.incoming.max_attempts
        if item.attempts > most:
            self._failed(item, f"the process ended {most} times while this mail was being handled", final=True)
            return False
        try:
            reading = self.read(item)
            self._ledger.attempt(lambda tx: self._handle(tx, item, reading))
        except AlreadyHandled:
            return True
        except AlreadyDone:  # its inbox row was erased, or it was given back by hand, and the log remembers it
            with suppress(AlreadyHandled), self._ledger.db.write() as tx:
                inbox.done(tx, item.id, inbox.DUPLICATE, self._clock())
            return True
        except Exception as error:  # a mail that trips us must not hold up the others, and stays in the inbox for the admin
            logger.exception("mail %s cannot be handled", item.id)
            self._failed(item, f"{type(error).__name__}: {error}", final=item.attempts >= most)
            return False
        return True

    def _failed(self, item: inbox.InboxItem, why: str, *, final: bool) -> None:
        with suppress(AlreadyHandled), self._ledger.db.write() as tx:
            inbox.failed(tx, item.id, why, self._clock(), final=final)

    def _handle(self, tx: Transaction, item: inbox.InboxItem, reading: Reading) -> None:
        now = self._clock()
        if reading.automatic:
            inbox.done(tx, item.id, f"ignored: {reading.automatic}", now)
            return
        writer = self._writer(tx, item, reading)
        answer = self._answer(tx, item, reading, writer, now)
        if answer.plan is None:
            answer = self._limited(tx, answer, writer.person.address if writer.person else reading.sender, now)
        told = answer.told
        request = Request(actor(writer.person.id) if writer.person else "stranger", f"mail:{item.identity}", now, reading.message_id)
        inbox.done(tx, item.id, answer.outcome, now)
        for text in answer.remarks:
            assert answer.game is not None and writer.person is not None  # noqa: PT018, S101  # remarks are made at a table
            people.say(tx, answer.game, writer.person.id, now, text)
        if answer.plan is not None:
            self._ledger.write(tx, answer.plan, request, told)
        else:
            self._ledger.post(tx, told, request, answer.game, answer.about.version if answer.about else None)

    def _writer(self, conn: Transaction, item: inbox.InboxItem, reading: Reading) -> Writer:
        text = find([item.recipient, *reading.recipients])
        token = verify(self._keys, text) if text else None
        by_address = people.player_by_address(conn, reading.sender) if reading.sender else None
        if token is None:
            return Writer(by_address, forged=text is not None)
        try:
            person = people.player(conn, token.player)
        except NotFound:  # signed by us and yet unknown: the database is older than the mail
            return Writer(by_address, forged=True)
        if by_address is not None and by_address.id != person.id and self._settings.incoming.sender_policy != "off":
            return Writer(by_address, borrowed=True)
        return Writer(person, token, foreign=by_address is None or by_address.id != person.id)

    def _answer(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, writer: Writer, now: datetime) -> Answer:
        """What to do with a mail that a person wrote; never raises a Refusal."""
        person = writer.person
        if person is None:
            if not reading.sender:
                return Answer("ignored: no sender to answer to")
            return Answer("refused: unknown_sender", (notices.unknown_sender(reading.sender),))
        token = writer.token or Token(person.id)
        at: GameAt | None = None
        state: GameState | None = None
        said = Understood()
        try:
            self._refuse_untrusted(reading, writer)
            if token.game:
                at = self._ledger.load(tx, token.game)
                state = at.state
            said = understood(reading, reading.lines, state, partial(_is_move, boards(state)))
            if writer.token is None:
                _refuse_unauthorised(said)
            desk = Desk(self._settings, self._ledger, self._lot, person, token, at, item.received_at, now, item.raw)
            answer = previewed_again(tx, desk, reading, said) or _carried_out(tx, desk, said)
        except Unfit as unfit:
            answer = _refused(person, unfit.code, unfit.problems, state, token)
        except Refusal as refusal:
            answer = _refused(person, refusal.code, [Problem.of(_quoted(said), refusal)], state, token)
        carried_out = answer.plan is not None or answer.remarks
        if writer.foreign and carried_out and self._settings.incoming.sender_policy == "warn":
            answer = answer._replace(told=(*answer.told, _noted(person.id, reading.sender)))
        return answer

    def _refuse_untrusted(self, reading: Reading, writer: Writer) -> None:
        """Refuse what comes from somebody else than it says, before looking at what it says."""
        if writer.forged:
            message = "The reply address of your mail is not one of ours. Answer our newest mail, or use the address that this answer has."
            raise NotAllowed("bad_token", message)
        if writer.borrowed:
            message = (
                "Your mail went to the reply address of another player, so nothing was done. "
                "It happens with a mail that was passed on, and with an answer to everybody. Answer a mail that came to you."
            )
            raise NotAllowed("borrowed_token", message)
        if writer.foreign and self._settings.incoming.sender_policy == "require":
            message = (
                f"Your mail came from {reading.sender or 'an unknown address'}, which is not the address that we know. "
                "Send it again from your own address, or ask the admin to change it."
            )
            raise NotAllowed("foreign_sender", message)

    def _limited(self, conn: Transaction, answer: Answer, address: str, now: datetime) -> Answer:
        """The same, less the answers to `address` if it has had its fill of them for a day; the first that is left out is announced.

        What is meant for others is told in any case.
        """
        answers = [notice for notice in answer.told if notice.kind in ANSWERS]
        if not answers:
            return answer
        most = self._settings.incoming.answers_per_day
        given = outbox.answers_since(conn, address, now - DAY)
        if given < most:
            return answer
        others = [notice for notice in answer.told if notice.kind not in ANSWERS]
        announced = [_no_more(answers[0], most)] if given == most else []
        return answer._replace(outcome=f"{answer.outcome}; not answered: limit of the day", told=(*others, *announced))

    @staticmethod
    def _sent_texts(conn: Transaction, ids: Sequence[str]) -> list[str]:
        found = (outbox.sent_text(conn, message_id) for message_id in ids)
        return [text for text in found if text is not None]


def boards(state: GameState | None) -> tuple[Board, ...]:
    """Where a line may make a move: the game that the mail is about, or any game at all if it is about none."""
    if state is not None:
        return ((state.game.rules, state.line.position),)
    rules = (games.find(key).rules for key in games.CATALOGUE)
    return tuple((each, each.start()) for each in rules)


def _is_move(where: Sequence[Board], text: str) -> bool:
    """Whether a line reads as a turn, legal or not."""
    return any(reads_as_turn(rules, position, text) for rules, position in where)


def _carried_out(tx: Transaction, desk: Desk, said: Understood) -> Answer:
    _refuse_unclear(said)
    return desk.carry_out(tx, said.phrases)


def _refused(person: Person, code: str, problems: Sequence[Problem], state: GameState | None, token: Token) -> Answer:
    """A refusal, about the game that the mail is about if there is such a game."""
    return Answer(f"refused: {code}", (notices.refusal(problems, player=person.id),), state, token.game if state else None)


def _no_more(answer: Notice, most: int) -> Notice:
    message = (
        f"This address has had {most} automatic answers within a day, so this mail and the next ones are not answered before tomorrow. "
        "Legal moves are played all the same, and the turn mails come as ever."
    )
    return notices.refusal([Problem("", message, "answers_per_day")], player=answer.player, address=answer.address)


def _quoted(said: Understood) -> str:
    """What was understood of a mail that is not carried out."""
    return " / ".join(written(phrase) for phrase in said.phrases)


def _noted(player: PlayerId, sender: str) -> Notice:
    message = (
        f"It came from {sender or 'an address that cannot be read'} and not from your own address, but carried your reply address. "
        "If that was not you, tell the admin now."
    )
    return notices.refusal([Problem("", message, "foreign_sender")], done=["A mail in your name was carried out."], player=player)


def _refuse_unclear(said: Understood) -> None:
    """All or nothing: a line that may have been meant as a command stops the whole mail."""
    if said.conflict:
        message = "These lines contradict each other, so nothing was done. Send only the one that you mean."
        raise Unfit("conflict", [Problem(" / ".join(said.conflict), message, "conflict")])
    if said.unclear:
        raise Unfit("not_understood", [_unclear(line, suggestion) for line, suggestion in said.unclear[:MAX_PROBLEMS]])
    if not said.phrases:
        raise Unfit("nothing_asked", [Problem("", "Your mail asks for nothing that I know. Write for example `help`.", "nothing_asked")])


def _unclear(line: str, suggestion: str | None) -> Problem:
    if suggestion:
        return Problem(line, f"This is not understood. Did you mean: {suggestion}", "not_understood")
    return Problem(line, "This is neither a move nor a command.", "not_understood")


def _refuse_unauthorised(said: Understood) -> None:
    """Answer a mail without a reply token only if it asks questions and nothing else."""
    if not said.phrases or not all(isinstance(phrase, Games | Rules | Help) for phrase in said.phrases):
        message = (
            "To be sure that it is you, moves and other commands count only in an answer to one of our mails. "
            "Answer the newest mail of the game; for a challenge, answer this one."
        )
        raise NotAllowed("no_token", message)
