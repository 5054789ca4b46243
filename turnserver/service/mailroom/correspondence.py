"""Mail that a person wrote: one handler for each kind of author, and one transaction for everything that the answer changes.

A reply token authorises; without one we answer only questions, and only to the registered address.
"""

from collections.abc import Sequence
from datetime import datetime

from turnserver import config
from turnserver.ids import actor
from turnserver.mail.format.authentication import Authenticity
from turnserver.mail.format.tokens import Keys, masked
from turnserver.mail.inbound.admission import keyed
from turnserver.mail.inbound.phrases import Subscribe, Unsubscribe
from turnserver.mail.inbound.read import EARLIER_SIZE, Earlier, Reading, less_earlier, may_quote, without_tokens
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import NotDone
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.answers import CARRIED_OUT, Answer, limited, too_many, traffic
from turnserver.service.mailroom.authorship import written_by
from turnserver.service.mailroom.deliverability import Deliverability, note_answer
from turnserver.service.mailroom.lost_history import Lost, told
from turnserver.service.mailroom.players_mail import Letter, PlayersMail
from turnserver.service.people import accounts, vacations
from turnserver.service.people.registration import answered, from_stranger
from turnserver.service.request import Request
from turnserver.service.upkeep import losses
from turnserver.store.incidents import restorations
from turnserver.store.incidents.restorations import NOTICED
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox
from turnserver.store.people import accounts as people

_WITHOUT_WORDS = frozenset({"no_text", "only_quoted"})
"""The problems of a mail whose sender wrote nothing but a subject."""

EARLIER_MAILS = 5
"""The number of a player's mails that are read to know what they have sent before."""


class Correspondence:
    """Handles the mails of persons: finds out who wrote, has the mail answered, and writes what the answer changes."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: config.Settings,
        keys: Keys,
        players: PlayersMail,
        deliverability: Deliverability,
    ) -> None:
        """Verify tokens with `keys`. `players` answers those who have an account; `deliverability` hears of everybody who writes."""
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._keys = keys
        self._players = players
        self._deliverability = deliverability

    def handle(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, now: datetime) -> None:
        """Answer a mail and write everything that the answer changes. Nothing may follow in the transaction."""
        incoming, shown = self._settings.incoming, keyed(_lines(reading))
        author = written_by(tx, self._ledger, self._keys, incoming, item.recipient, reading, shown.keys)
        person, counted = author.person, author.counted_as(reading.sender)
        request = Request(actor(person.id) if person else "stranger", f"mail:{item.identity}", now, reading.message_id)
        if author.token is not None and author.lost is None:
            note_answer(tx, self._ledger, author.token, reading.references, item.received_at)
            reading = _without_earlier(tx, item, reading, counted)
            shown = keyed(_lines(reading))
        letter = Letter(item, without_tokens(reading), masked(shown.lines), author, request)
        if author.lost is not None:
            self._keep_evidence(tx, item, author.lost, request)
        before = traffic(tx, counted, item.received_at)
        answer = self._answer(tx, letter) if before.mails < incoming.mails_per_hour else too_many(person, before, incoming)
        # What a game or a vacation needs to be told is never left out.
        if answer.changes_nothing:
            answer = limited(tx, answer, person, reading.sender, incoming, now, proven=author.token is not None)
        # Before the change itself, since the log comes last.
        inbox.done(tx, item.id, answer.outcome, now, counted)
        self._write(tx, letter, answer)

    def _answer(self, tx: Transaction, letter: Letter) -> Answer:
        """Return the answer to a mail by the handler for its kind of author."""
        reading, author, site = letter.reading, letter.author, self._settings.site
        if author.lost is not None and author.lost.account and reading.sender:
            problem = NotDone("", told(author.lost, site.zone), "lost")
            return Answer("refused: lost", (notices.refusal([problem], address=reading.sender),))
        if author.confirmation is not None:
            return answered(tx, self._ledger, site, author.confirmation, reading.sender, letter.lines, letter.request)
        # Nobody knows who would get the answer to a mail that does not come from its From address.
        if author.token is None and author.verdict is Authenticity.DISPROVEN:
            return Answer("ignored: not from the domain that it names")
        if author.person is not None:
            return self._players.answer(tx, letter, author.person)
        if not reading.sender:
            return Answer("ignored: no sender to answer to")
        return from_stranger(tx, site, reading.sender, letter.lines, letter.request, author.fault if author.former else None)

    def _write(self, tx: Transaction, letter: Letter, answer: Answer) -> None:
        """Write everything that an answer changes. The log comes last; nothing may follow it in the transaction."""
        person, request, reached = letter.author.person, letter.request, answer.moved
        if person is not None and letter.author.token is not None:
            people.confirm(tx, person.id, request.now)
            reached = person.id
        back = None if reached is None else self._deliverability.heard(tx, reached, request, answer.heard_of)
        for text in answer.remarks:
            assert answer.game is not None and person is not None  # noqa: PT018, S101  # remarks are made at a table
            people.say(tx, answer.game, person.id, request.now, text)
        if answer.chosen and person is not None:
            accounts.choose(tx, self._ledger, person.id, answer.chosen, request, answered=True)
        for one in answer.fresh:
            self._ledger.post.queue(tx, [one.notice], request, one.game, one.state)
        if answer.decision is not None:
            self._ledger.write(tx, answer.decision, request, answer.told)
        elif answer.vacation is not None:
            vacations.write(tx, self._ledger, answer.vacation, request, answer.told)
        elif answer.league is not None:
            self._leagues.write(tx, answer.league, request, answer.told)
        else:
            self._ledger.post.queue(tx, answer.told, request, answer.game, answer.about)
        self._deliverability.log(tx, back, request)

    def _keep_evidence(self, tx: Transaction, item: inbox.InboxItem, lost: Lost, request: Request) -> None:
        # If nobody has said that the database was put back, the mail is proof of it, and a new history begins here.
        restorations.note(tx, lost.subject, lost.evidence, request.now, item.id)
        if lost.restoration is None:
            losses.begin(tx, self._ledger.entropy, request.now, lost=True, reason=NOTICED)
            # The new history has a key of its own for Message-IDs.
            self._ledger.post.forget_keys()


def _without_earlier(conn: Transaction, item: inbox.InboxItem, reading: Reading, author: str | None) -> Reading:
    if author is None or not may_quote(reading.text):
        return reading
    before = inbox.sent_before(conn, author, item.id, most=EARLIER_MAILS, size=EARLIER_SIZE)
    return less_earlier(reading, [Earlier.of(raw, is_done=outcome == CARRIED_OUT) for raw, outcome in before])


def _lines(reading: Reading) -> Sequence[str]:
    # A mail program's button to unsubscribe sends a mail without words, so the subject counts then.
    if not reading.lines and reading.problem is not None and reading.problem.code in _WITHOUT_WORDS:
        said = understand([reading.subject], lambda _: False).phrases
        if said and all(isinstance(phrase, Unsubscribe | Subscribe) for phrase in said):
            return (reading.subject,)
    return reading.lines
