"""A mail that arrived becomes commands, and the commands an answer, in one transaction with the inbox row that is then done.

All or nothing: if anything in a mail cannot be done, nothing is, and the answer says why. A reply token authorises; without one we
answer only questions, and only to the registered address.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from turnserver import config, games
from turnserver.errors import AlreadyDone, AlreadyHandled, NotAllowed, Refusal, StoreError, Unplayable
from turnserver.ids import PlayerId
from turnserver.mail.format.authentication import Authenticity
from turnserver.mail.format.tokens import Keys, Token, find_all, masked, verify
from turnserver.mail.inbound.admission import keyed
from turnserver.mail.inbound.commands import classes
from turnserver.mail.inbound.earlier_words import MAX_RAW, Earlier, less_earlier, may_quote
from turnserver.mail.inbound.openings import LineKind
from turnserver.mail.inbound.phrases import (
    Confirm,
    Move,
    Phrase,
    Preview,
    Resign,
    Subscribe,
    Unsubscribe,
)
from turnserver.mail.inbound.read import Reading, read, without_tokens
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.mail.inbound.understanding import Understood, assents, understand
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import MailKind, NotDone, Notice
from turnserver.play.state import GameState, Status
from turnserver.rules import Rules as GameRules
from turnserver.rules.kit import reads_as_turn
from turnserver.service.clock import Clock, Lot
from turnserver.service.games.folds import GameAt
from turnserver.service.games.ledger import Ledger, Request, actor
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.authorship import Writer, doubts, limited, refuse_untrusted, too_many, traffic, written_by
from turnserver.service.mailroom.command_handler import CARRIED_OUT, Answer, Desk, Unfit
from turnserver.service.mailroom.deliverability import Reachability, Returned, Returns
from turnserver.service.mailroom.lost_history import Lost, told
from turnserver.service.mailroom.undelivered import note_answer
from turnserver.service.people import accounts, vacations
from turnserver.service.people.registration import answered, from_stranger
from turnserver.service.upkeep import losses
from turnserver.service.upkeep.quarantine import Resting
from turnserver.store.incidents import restorations
from turnserver.store.incidents.restorations import NOTICED
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, mailboxes, outbox
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say

_FINAL = classes(lambda one: one.final)
_GENERAL = classes(lambda one: one.general)


def understood(
    conn: Transaction, reading: Reading, lines: Sequence[str], state: GameState | None, is_move: Callable[[str], bool]
) -> Understood:
    """Return the phrases in the `lines` of a mail, or in lines that replace them.

    Refuses a mail that cannot be used, and a mail whose turn would lack lines that its writer has copied.
    """
    several = state is not None and state.game.entry.several
    resembles = partial(resembles_step, state.game.entry.step_words) if state is not None and several else None
    lucky = state is not None and state.status is Status.INVITING and state.commitment is not None
    names = [one.name for one in leagues.listed(conn)]
    league = _answered(conn, reading) if state is None and names else ""
    interpret = partial(understand, is_move=is_move, games=games.CATALOGUE, resembles=resembles, lucky=lucky, leagues=names, league=league)
    said = interpret(lines)
    if several and (not lines or any(isinstance(phrase, Move | Preview) for phrase in said.phrases)):
        _refuse_barred(reading, is_move)
    if reading.problem is not None and (reading.lines or not lines):
        raise NotAllowed(reading.problem.code, reading.problem.message)
    if any(isinstance(phrase, _FINAL) for phrase in said.phrases):
        _refuse_doubtful(reading, said, interpret)
    return said


def _answered(conn: Transaction, reading: Reading) -> str:
    mail = outbox.by_message_id(conn, reading.references[0]) if reading.references else None
    return f"league-{mail.league}" if mail is not None and mail.league is not None else ""


def confirmed(conn: Transaction, desk: Desk, reading: Reading, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
    """Return the phrases, with `resign` for a `confirm resign` that may not be about the game as it stands: then we ask once more.

    It surely is if the mail answers the one that asked, or any mail of the present turn.
    """
    if Confirm() not in phrases or desk.state is None or (desk.token.turn, desk.token.edition) == (desk.state.turn, desk.state.edition):
        return phrases
    answered = outbox.by_message_id(conn, reading.references[0]) if reading.references else None
    if answered is not None and (answered.kind, answered.player, answered.game) == (MailKind.RESIGNING, desk.person.id, desk.token.game):
        return phrases
    return tuple(dict.fromkeys(Resign() if phrase == Confirm() else phrase for phrase in phrases))


def previewed_again(conn: Transaction, desk: Desk, reading: Reading, said: Understood) -> Answer | None:
    """Return the answer to a mere yes to a preview: its lines, for sending them; None to any other mail.

    Refuses lines that are illegal now.
    """
    if said.phrases or not reading.references or not assents(reading.lines):
        return None
    answered = outbox.by_message_id(conn, reading.references[0])
    if answered is None or answered.kind != MailKind.PREVIEW or (answered.player, answered.game) != (desk.person.id, desk.token.game):
        return None
    return desk.preview_again(answered.detail["steps"])


def _refuse_doubtful(reading: Reading, said: Understood, interpret: Callable[[Sequence[str]], Understood]) -> None:
    """Ask about a phrase that gives something away for good if it stands only below what looks like another mail."""
    certain = reading.certain_lines
    if len(certain) == len(reading.lines):
        return
    above = interpret(certain).phrases
    doubtful = [
        quote for phrase, quote in zip(said.phrases, said.quotes, strict=True) if isinstance(phrase, _FINAL) and phrase not in above
    ]
    if doubtful:
        message = say(
            "This stands below what looks like another mail, so I cannot tell whether you mean it now, and nothing was done. "
            "If you do, write it at the top of your answer."
        )
        raise Unfit("below_another_mail", [NotDone(quote, message, "below_another_mail") for quote in doubtful])


def _refuse_barred(reading: Reading, is_move: Callable[[str], bool]) -> None:
    """Refuse a turn with copied steps behind bars: the bars count as quotation, and the turn would lose these steps."""
    own = (line.text for line in takewhile(lambda line: line.verdict in (LineKind.KEPT, LineKind.QUOTED), reading.text))
    barred = next((text for text in own if text.startswith("|") and is_move(text.removeprefix("|").lstrip())), None)
    if barred is not None:
        message = say("A line that begins with a bar counts as quoted. Send the turn again, all of it, without the bars.")
        raise Unfit("barred", [NotDone(barred, message, "barred")])


logger = logging.getLogger(__name__)

Board: TypeAlias = tuple[GameRules[Any, Any], Any]
"""Rules and a position in them."""

LEASE = timedelta(minutes=2)
"""Longer than it takes to handle a batch of mails; a process that died lets go after it."""

NULL_SENDER = "<>"
"""The inbox's word for the null sender, which machines use; an unknown sender is empty."""

MAILDIR = "maildir"
"""The source of a mail that lay in the maildir of the settings."""

_WITHOUT_WORDS = frozenset({"no_text", "only_quoted"})
"""The problems of a mail whose sender wrote nothing but a subject."""

EARLIER_MAILS = 5
"""The number of a player's mails that are read to know what they have sent before."""

MAX_PROBLEMS = 5
"""The number of a mail's unclear lines that are quoted back."""


class Handled(NamedTuple):
    """The numbers of mails that one round handled, and of those that failed and will be tried again or are left to the admin."""

    handled: int = 0
    failed: int = 0


class _TooSoonError(Exception):
    """A mail arrived after a deadline, and mail from before the deadline may still meet it."""


class Reception:
    """Handles the mails in the inbox, oldest first."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        settings: config.Settings,
        keys: Keys,
        clock: Clock,
        lot: Lot,
        reachability: Reachability,
        leagues: Leagues,
        resting: Resting,
        owner: str,
    ) -> None:
        """Handle mail for `owner`, who holds the leases. `keys` verify reply tokens; `lot` orders the players of a challenge.

        `reachability` hears of what comes back, `leagues` are those that players enter and leave, `resting` hears of games that cannot be
        served.
        """
        self._resting = resting
        self._owner = owner
        self._leagues = leagues
        self._reachability = reachability
        self._returns = Returns(keys, reachability)
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
        items = inbox.claim(self._ledger.db, self._clock(), limit, LEASE, self._owner)
        fresh = [item for item in items if item.attempts == 1]
        again = sorted((item for item in items if item.attempts > 1), key=lambda item: item.attempts)
        if again[1:]:
            with self._ledger.db.write() as tx:
                for item in again[1:]:
                    inbox.release(tx, item.id)
        ends = [self._one(item) for item in (*fresh, *again[:1])]
        return Handled(ends.count(True), ends.count(False))

    def read(self, item: inbox.InboxItem) -> Reading:
        """Return the reading of a mail: only the writer's own words, without quotations, signatures and the like."""
        with self._ledger.db.read() as conn:
            return read(item.raw, lambda ids: self._sent_texts(conn, ids), self._settings.site.address, item.sender or None)

    def _one(self, item: inbox.InboxItem) -> bool | None:
        """Handle a mail and return whether it was handled; None if it has to wait for another mail."""
        most = self._settings.incoming.max_attempts
        if item.attempts > most:
            self._failed(item, f"the process ended {most} times while this mail was being handled", final=True)
            return False
        try:
            reading = self.read(item)
            returned = self._returns.read(item, reading)
            self._ledger.attempt(lambda tx: self._handle(tx, item, reading, returned))
        except AlreadyHandled:
            return True
        except _TooSoonError:
            with self._ledger.db.write() as tx:
                inbox.release(tx, item.id)
            return None
        except Unplayable as error:
            return self._rests(item, error)
        except AlreadyDone:  # its inbox row was erased, or it was given back by hand, and the log remembers it
            with suppress(AlreadyHandled), self._ledger.db.write() as tx:
                inbox.done(tx, item.id, inbox.DUPLICATE, self._clock())
            return True
        except StoreError as error:  # it says what is wrong
            logger.error("mail %s cannot be handled: %s", item.id, error)  # noqa: TRY400  # where it was noticed does not matter
            self._failed(item, str(error), final=item.attempts >= most)
            return False
        except Exception as error:  # a mail that trips us must not hold up the others, and stays in the inbox for the admin
            logger.exception("mail %s cannot be handled", item.id)
            self._failed(item, f"{type(error).__name__}: {error}", final=item.attempts >= most)
            return False
        return True

    def _rests(self, item: inbox.InboxItem, error: Unplayable) -> bool | None:
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
        now, incoming, new = self._clock(), self._settings.incoming, self._resting.note(tx, error)
        shown = (verify(self._keys, text) for text in find_all([item.recipient, *reading.recipients]))
        token = next(filter(None, shown), None)
        if token is None or token.game != error.game:
            return False if new else None
        person = people.player(tx, token.player)
        request = Request(actor(person.id), f"mail:{item.identity}:rests", now, reading.message_id)
        answer = Answer("rests", (notices.resting(person.id, token.game),))
        answer = limited(tx, answer, person, reading.sender, incoming, now, proven=True)
        inbox.rest(tx, item.id, token.game, now)
        self._ledger.post(tx, answer.told, request)
        return True

    def _failed(self, item: inbox.InboxItem, why: str, *, final: bool) -> None:
        with suppress(AlreadyHandled), self._ledger.db.write() as tx:
            inbox.failed(tx, item.id, why, self._clock(), final=final)

    def _handle(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, returned: Returned | None) -> None:
        now = self._clock()
        if returned is not None and self._returns.take(tx, item, returned, now):
            return
        leaver = self._leaver(tx, item, reading)
        if leaver is not None:
            self._unsubscribe(tx, item, leaver, now)
            return
        if reading.automatic:
            inbox.done(tx, item.id, f"ignored: {reading.automatic}", now)
            return
        if item.source == MAILDIR and item.received_at < self._began(tx, now):
            inbox.done(tx, item.id, "ignored: older than the first look into the maildir", now)
            return
        self._from_person(tx, item, reading, now)

    def _from_person(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, now: datetime) -> None:
        incoming, mine = self._settings.incoming, keyed(_lines(reading))
        writer = written_by(tx, self._ledger, self._keys, incoming, item.recipient, reading, mine.keys)
        person, counted = writer.person, writer.counted_as(reading.sender)
        request = Request(actor(person.id) if person else "stranger", f"mail:{item.identity}", now, reading.message_id)
        if writer.token is not None and writer.lost is None:
            note_answer(tx, self._ledger, writer.token, reading.references, item.received_at)
            reading = self._less_earlier(tx, item, reading, counted)
            mine = keyed(_lines(reading))
        reading, lines = without_tokens(reading), masked(mine.lines)
        if writer.lost is not None:
            self._note(tx, item, writer.lost, now)
        before = traffic(tx, counted, item.received_at)
        if before.mails < incoming.mails_per_hour:
            answer = self._answer(tx, item, reading, writer, lines, request)
        else:
            answer = too_many(person, before, incoming)
        if answer.changes_nothing:
            answer = limited(tx, answer, person, reading.sender, incoming, now, proven=writer.token is not None)
        inbox.done(tx, item.id, answer.outcome, now, counted)
        reached = answer.moved
        if person is not None and writer.token is not None:
            people.confirm(tx, person.id, now)
            reached = person.id
        back = None if reached is None else self._reachability.heard(tx, reached, request, answer.heard_of)
        for text in answer.remarks:
            assert answer.game is not None and person is not None  # noqa: PT018, S101  # remarks are made at a table
            people.say(tx, answer.game, person.id, now, text)
        if answer.chosen and person is not None:
            accounts.choose(tx, self._ledger, person.id, answer.chosen, request, answered=True)
        for one in answer.fresh:
            self._ledger.post(tx, [one.notice], request, one.game, one.state)
        self._write(tx, answer, request)
        self._reachability.log(tx, back, request)

    @staticmethod
    def _less_earlier(conn: Transaction, item: inbox.InboxItem, reading: Reading, writer: str | None) -> Reading:
        """Return the reading without the text that the writer has sent before."""
        if writer is None or not may_quote(reading.text):
            return reading
        before = inbox.sent_before(conn, writer, item.id, most=EARLIER_MAILS, size=MAX_RAW)
        return less_earlier(reading, [Earlier.of(raw, is_done=outcome == CARRIED_OUT) for raw, outcome in before])

    def _note(self, tx: Transaction, item: inbox.InboxItem, lost: Lost, now: datetime) -> None:
        """Keep what a mail shows to be lost. If nobody has said that the database was put back, begin a new history here."""
        restorations.note(tx, lost.subject, lost.evidence, now, item.id)
        if lost.restoration is None:
            losses.begin(tx, lambda _: self._ledger.secret(), now, lost=True, reason=NOTICED)
            self._ledger.forget_keys()

    def _write(self, tx: Transaction, answer: Answer, request: Request) -> None:
        """Write everything that an answer changes, or else only queue its mails. Nothing may follow it in the transaction."""
        if answer.plan is not None:
            self._ledger.write(tx, answer.plan, request, answer.told)
        elif answer.away is not None:
            vacations.write(tx, self._ledger, answer.away, request, answer.told)
        elif answer.league is not None:
            self._leagues.write(tx, answer.league, request, answer.told)
        else:
            self._ledger.post(tx, answer.told, request, answer.game, answer.about)

    def _leaver(self, conn: Transaction, item: inbox.InboxItem, reading: Reading) -> Person | None:
        # Mail programs write these mails (RFC 2369, 3.2), in words of their own and perhaps marked as automatic; the address says it all.
        found = (accounts.unsubscriber(conn, self._keys, text) for text in find_all([item.recipient, *reading.recipients]))
        return next(filter(None, found), None)

    def _unsubscribe(self, tx: Transaction, item: inbox.InboxItem, person: Person, now: datetime) -> None:
        """Send the person no more mail.

        Only they hear of it, and only the first time, so that two machines cannot answer each other forever.
        """
        request = Request(actor(person.id), f"mail:{item.identity}", now)
        inbox.done(tx, item.id, "unsubscribed", now)
        accounts.choose(tx, self._ledger, person.id, [("subscribed", "off")], request)

    def _began(self, conn: Transaction, now: datetime) -> datetime:
        """Return when the maildir of the settings was first read.

        If that is in the future, the clock was wrong then. Mail that lay there was handled at once, so all that is left came after it.
        """
        began = mailboxes.began_at(conn, MAILDIR, self._settings.incoming.maildir)
        return datetime.min.replace(tzinfo=UTC) if began is None or began > now else began

    def _answer(  # noqa: PLR0917  # a mail and all that is known of it
        self, tx: Transaction, item: inbox.InboxItem, reading: Reading, writer: Writer, lines: Sequence[str], request: Request
    ) -> Answer:
        """Return the answer to a mail in which a person wrote `lines`. Never raises a Refusal.

        A mail without a token that does not come from its From address is not answered: nobody knows who would get the answer.
        """
        person, lost = writer.person, writer.lost
        if lost is not None and lost.account and reading.sender:
            problem = NotDone("", told(lost, self._settings.site.zone), "lost")
            return Answer("refused: lost", (notices.refusal([problem], address=reading.sender),))
        if writer.confirmation is not None:
            return answered(tx, self._ledger, self._settings.site, writer.confirmation, reading.sender, lines, request)
        if writer.token is None and writer.verdict is Authenticity.DISPROVEN:
            return Answer("ignored: not from the domain that it names")
        if person is None:
            if not reading.sender:
                return Answer("ignored: no sender to answer to")
            return from_stranger(tx, self._settings.site, reading.sender, lines, request, writer.fault if writer.former else None)
        return self._answer_player(tx, item, reading, writer, person, lines, request)

    def _answer_player(  # noqa: PLR0917  # see _answer
        self,
        tx: Transaction,
        item: inbox.InboxItem,
        reading: Reading,
        writer: Writer,
        person: Person,
        lines: Sequence[str],
        request: Request,
    ) -> Answer:
        token = writer.token or Token(person.id)
        at: GameAt | None = None
        state: GameState | None = None
        said = Understood()
        try:
            refuse_untrusted(writer, reading.sender, self._settings.incoming)
            if writer.lost is not None and writer.lost.game is not None:
                raise NotAllowed("lost", told(writer.lost, person.zone))
            if token.game:
                at = self._ledger.load(tx, token.game)
                _wait_for_earlier(tx, item, at.state)
                state = self._ledger.seen(tx, token.game, at.state, person.id, request.now)
            if writer.lost is not None:
                raise NotAllowed("lost", told(writer.lost, person.zone))
            said = understood(tx, reading, lines, state, partial(_is_move, boards(state)))
            if writer.token is None:
                _refuse_unauthorised(said)
            desk = Desk(
                self._settings, self._ledger, self._leagues, self._lot, person, token, at, state, item.received_at, request.now, item.raw
            )
            answer = previewed_again(tx, desk, reading, said) or _carried_out(tx, desk, reading, said)
        except Unfit as unfit:
            answer = _refused(person, unfit.code, unfit.problems, state, token)
        except Refusal as refusal:
            answer = _refused(person, refusal.code, [NotDone.of(_quoted(said), refusal)], state, token)
        doubt = doubts(writer, reading.sender, self._settings.incoming)
        if doubt and (not answer.changes_nothing or answer.remarks or answer.chosen):
            answer = answer._replace(told=(*answer.told, _noted(person.id, doubt)))
        return answer

    @staticmethod
    def _sent_texts(conn: Transaction, ids: Sequence[str]) -> list[str]:
        found = (outbox.sent_text(conn, message_id) for message_id in ids)
        return [text for text in found if text is not None]


def _wait_for_earlier(conn: Transaction, item: inbox.InboxItem, state: GameState) -> None:
    """Raise _TooSoonError for a mail from after the deadline while mail from before it waits. The sweep of deadlines waits likewise."""
    deadline, oldest = state.deadline, inbox.oldest_waiting(conn)
    if deadline is not None and oldest is not None and oldest <= deadline < item.received_at:
        raise _TooSoonError


def _lines(reading: Reading) -> tuple[str, ...]:
    """Return the lines of a mail, or its subject instead if the mail has no words and the subject says to unsubscribe or subscribe."""
    if not reading.lines and reading.problem is not None and reading.problem.code in _WITHOUT_WORDS:
        said = understand([reading.subject], lambda _: False).phrases
        if said and all(isinstance(phrase, Unsubscribe | Subscribe) for phrase in said):
            return (reading.subject,)
    return reading.lines


def boards(state: GameState | None) -> tuple[Board, ...]:
    """Return the boards on which a line may make a move: of the game that the mail is about, or of all games if it is about none."""
    if state is not None:
        return ((state.game.rules, state.line.position),)
    rules = (games.find(key).rules for key in games.CATALOGUE)
    return tuple((each, each.start()) for each in rules)


def _is_move(where: Sequence[Board], text: str) -> bool:
    return any(reads_as_turn(rules, position, text) for rules, position in where)


def _carried_out(tx: Transaction, desk: Desk, reading: Reading, said: Understood) -> Answer:
    _refuse_unclear(said)
    return desk.carry_out(tx, confirmed(tx, desk, reading, said.phrases))


def _refused(person: Person, code: str, problems: Sequence[NotDone], state: GameState | None, token: Token) -> Answer:
    return Answer(f"refused: {code}", (notices.refusal(problems, player=person.id),), state, token.game if state else None)


def _quoted(said: Understood) -> str:
    return " / ".join(said.quotes)


def _noted(player: PlayerId, doubt: str) -> Notice:
    message = say("{doubt} If that was not you, tell the admin now.", doubt=doubt)
    return notices.refusal([NotDone("", message, "foreign_sender")], done=[say("A mail in your name was carried out.")], player=player)


def _refuse_unclear(said: Understood) -> None:
    """Refuse the whole mail if a line may have been meant as a command: a mail is carried out whole or not at all."""
    if said.conflict:
        message = say("These lines contradict each other, so nothing was done. Send only the one that you mean.")
        raise Unfit("conflict", [NotDone(" / ".join(said.conflict), message, "conflict")])
    if said.unclear:
        raise Unfit("not_understood", [_unclear(line, suggestion) for line, suggestion in said.unclear[:MAX_PROBLEMS]])
    if not said.phrases:
        message = say("Your mail asks for nothing that I know. Write for example `help`.")
        raise Unfit("nothing_asked", [NotDone("", message, "nothing_asked")])


def _unclear(line: str, suggestion: str | None) -> NotDone:
    if suggestion:
        return NotDone(line, say("This is not understood. Did you mean: {line}", line=suggestion), "not_understood")
    return NotDone(line, say("This is neither a move nor a command."), "not_understood")


def _is_question(phrase: Phrase) -> bool:
    # Questions are answered to the registered address, so anybody may ask them.
    if isinstance(phrase, Vacation):
        return phrase.asks
    return isinstance(phrase, _GENERAL)


def _refuse_unauthorised(said: Understood) -> None:
    """Raise NotAllowed (`no_token`) for a mail without a reply token unless it asks questions and nothing else."""
    if not said.phrases or not all(_is_question(phrase) for phrase in said.phrases):
        message = say(
            "To be sure that it is you, moves and other commands count only in an answer to one of our mails. "
            "Answer the newest mail of the game, or write resend to get it once more; for a challenge, answer this one."
        )
        raise NotAllowed("no_token", message)
