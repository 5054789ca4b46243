"""Mail that a person wrote: one handler for each kind of author, and one transaction for everything that the answer changes.

A reply token authorises; without one we answer only questions, and only to the registered address.
"""

from collections.abc import Sequence
from datetime import datetime

from turnserver import config
from turnserver.ids import actor
from turnserver.mail.format.authentication import Authenticity
from turnserver.mail.format.envelope import heading
from turnserver.mail.format.tokens import Keys, Token, masked
from turnserver.mail.inbound.admission import keyed
from turnserver.mail.inbound.phrases import Subscribe, Unsubscribe
from turnserver.mail.inbound.read import EARLIER_SIZE, Earlier, Reading, less_earlier, may_quote, read, without_tokens
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import NotDone
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.answers import CARRIED_OUT, Answer, limited, too_many, traffic
from turnserver.service.mailroom.authorship import Author, written_by
from turnserver.service.mailroom.deliverability import note_answer
from turnserver.service.mailroom.lost_history import Lost, told
from turnserver.service.mailroom.outcomes import Outcomes
from turnserver.service.mailroom.players_mail import Letter, PlayersMail
from turnserver.service.people.registration import answered, from_stranger
from turnserver.service.request import Request
from turnserver.service.upkeep import losses
from turnserver.store.incidents import restorations
from turnserver.store.incidents.restorations import NOTICED
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, outbox

_WITHOUT_WORDS = frozenset({"no_text", "only_quoted"})
"""The problems of a mail whose sender wrote nothing but a subject."""

EARLIER_MAILS = 5
"""The number of a player's mails that are read to know what they have sent before."""


_DID_NOTHING = ("refused", "ignored")
"""The beginnings of outcomes of mails that changed nothing: such a mail may come again."""


def read_mail(conn: Transaction, item: inbox.InboxItem, settings: config.Settings) -> Reading:
    """Return the reading of a mail: only the writer's own words, without quotations, signatures and the like."""

    def sent(ids: Sequence[str]) -> list[str]:
        found = (outbox.sent_text(conn, message_id) for message_id in ids)
        return [text for text in found if text is not None]

    return read(item.raw, sent, settings.site.address, item.sender or None, settings.incoming.max_bytes)


class Correspondence:
    """Handles the mails of persons: finds out who wrote, has the mail answered, and writes what the answer changes."""

    def __init__(  # what everything in this room is made of
        self,
        ledger: Ledger,
        settings: config.Settings,
        keys: Keys,
        players: PlayersMail,
        outcomes: Outcomes,
    ) -> None:
        """Verify tokens with `keys`. `players` answers those who have an account, and `outcomes` writes what that changes."""
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._players = players
        self._outcomes = outcomes

    def handle(self, tx: Transaction, item: inbox.InboxItem, reading: Reading, now: datetime) -> None:
        """Answer a mail and write everything that the answer changes. Nothing may follow in the transaction.

        A mail with a sign of a machine is ignored unless something else shows that a person wrote it.
        """
        incoming, shown = self._settings.incoming, keyed(_lines(reading))
        author = self._author(tx, item, reading, shown.keys)
        if reading.automatic and not self._players.shows_person(tx, author, reading, shown.lines):
            inbox.done(tx, item.id, _ignored(reading.automatic, author), now)
            return
        person, counted = author.person, author.counted_as(reading.sender)
        request = Request(actor(person.id) if person else "stranger", f"mail:{item.identity}", now, reading.message_id)
        if author.token is not None and self._is_copy(tx, item, reading, author, author.token):
            inbox.done(tx, item.id, inbox.DUPLICATE, now)
            return
        if author.token is not None and author.lost is None:
            note_answer(tx, self._ledger, author.token, reading.references, item.received_at)
            whole, reading = reading, _without_earlier(tx, item, reading, counted)
            if reading is not whole:
                shown = keyed(_lines(reading))
        letter = Letter(item, without_tokens(reading), masked(shown.lines), author, request)
        if author.lost is not None:
            self._keep_evidence(tx, item, author.lost, request)
        before = traffic(tx, counted, author.token and author.token.player, item.received_at)
        answer = self._answer(tx, letter) if before.mails < incoming.mails_per_hour else too_many(person, before, incoming)
        # What a game or a vacation needs to be told is never left out.
        if answer.changes_nothing:
            answer = limited(tx, answer, person, reading.sender, incoming, now, proven=author.token is not None)
        # Before the change itself, since the log comes last.
        inbox.done(tx, item.id, answer.outcome, now, counted)
        self._outcomes.write(tx, answer, person, request, proven=author.token is not None)

    def token(self, conn: Transaction, item: inbox.InboxItem, reading: Reading) -> Token | None:
        """Return the token that proves who wrote a mail and says which game it is about; None if nothing does."""
        author = self._author(conn, item, reading, keyed(_lines(reading)).keys)
        return author.token if author.lost is None else None

    def _author(self, conn: Transaction, item: inbox.InboxItem, reading: Reading, keys: Sequence[str]) -> Author:
        # A line with a key may be a copy; beside a sign of a machine, only an answer to a mail of ours counts.
        named = () if reading.automatic else keys
        return written_by(conn, self._ledger, self._keys, self._settings.incoming, item.recipient, reading, named)

    def _is_copy(  # a mail and who wrote it
        self, conn: Transaction, item: inbox.InboxItem, reading: Reading, author: Author, token: Token
    ) -> bool:
        """Return whether the player's mail was handled before: the same mail with the same commands, in another encoding or with a footer.

        Some programs give an edited mail the old Message-ID. That one has other commands.
        """
        named = reading.message_id.encode("utf-8", "surrogateescape")
        if not named:
            return False
        heads = inbox.sent_before(conn, actor(token.player), item.id, most=EARLIER_MAILS, size=EARLIER_SIZE)
        found = [number for number, raw, outcome in heads if named in raw and not outcome.startswith(_DID_NOTHING)]
        return any(self._says_the_same(conn, item, inbox.get(conn, number), reading, author, token) for number in found)

    def _says_the_same(  # noqa: PLR0917  # two mails and who wrote them
        self, conn: Transaction, item: inbox.InboxItem, before: inbox.InboxItem, reading: Reading, author: Author, token: Token
    ) -> bool:
        if heading(before.raw, before.recipient) != heading(item.raw, item.recipient):
            return False
        then = read_mail(conn, before, self._settings)
        said, said_then = (self._players.said(conn, author, token, keyed(_lines(one)).lines) for one in (reading, then))
        return bool(said.phrases) and said == said_then

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

    def _keep_evidence(self, tx: Transaction, item: inbox.InboxItem, lost: Lost, request: Request) -> None:
        # If nobody has said that the database was put back, the mail is proof of it, and a new history begins here.
        restorations.note(tx, lost.subject, lost.evidence, request.now, item.id)
        if lost.restoration is None:
            losses.begin(tx, self._ledger.entropy, request.now, lost=True, reason=NOTICED)
            # The new history has a key of its own for Message-IDs.
            self._ledger.post.forget_keys()


def _ignored(reason: str, author: Author) -> str:
    # An admin who is asked where a mail went can tell it from those of real machines.
    own = author.token is not None and not author.foreign
    return f"ignored: {reason}" + (", without a command, from a player's own address" if own else "")


def _without_earlier(conn: Transaction, item: inbox.InboxItem, reading: Reading, author: str | None) -> Reading:
    if author is None or not may_quote(reading.text):
        return reading
    before = inbox.sent_before(conn, author, item.id, most=EARLIER_MAILS, size=EARLIER_SIZE)
    return less_earlier(reading, [Earlier.of(raw, is_done=outcome == CARRIED_OUT) for _, raw, outcome in before])


def _lines(reading: Reading) -> Sequence[str]:
    # A mail program's button to unsubscribe sends a mail without words, so the subject counts then.
    if reading.problem is not None and reading.problem.code in _WITHOUT_WORDS and not reading.lines:
        said = understand([reading.subject], lambda _: False).phrases
        if said and all(isinstance(phrase, Unsubscribe | Subscribe) for phrase in said):
            return (reading.subject,)
    return reading.lines
