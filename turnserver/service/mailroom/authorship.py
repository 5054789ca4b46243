"""The author of a mail: the evidence in the mail, the order in which it is trusted, and why it may not be enough.

A reply token authorises. It is looked for, and the first one found says which turn is answered: (1) in the envelope's recipient; (2) in
the addresses that the mail went to, Delivered-To, X-Original-To, To and Cc in this order; (3) in its Reply-To, where some programs put the
address that they answer; (4) in In-Reply-To and then References, the newest first, whose Message-IDs of ours nobody can guess: such a
mail answers the turn that the mail of ours was about; (5) in a line `key <token>`. Tokens of different players contradict each other,
and so do a `key` line and a token of another game. The From address and what our own mail server says of it (RFC 8601) are a second
factor beside the token, by the settings; neither ever authorises. A Message-ID needs this factor whatever the settings say: everybody to
whom a player sends a copy of an answer reads it there.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from turnserver.addresses import same_box, spelled
from turnserver.config import Incoming
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import GameId, PlayerId, actor
from turnserver.mail.format.authentication import Authenticity, authenticated
from turnserver.mail.format.tokens import Keys, Purpose, Token, find_all, signed_by, verify
from turnserver.mail.inbound.read import Reading
from turnserver.mail.outbound.notices.game import CONFIRMATIONS, FOREIGN
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.lost_history import Lost, in_address, in_confirmation, in_references, parted, player_is_lost
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person, fold_case
from turnserver.text import say


class Author(NamedTuple):
    """The author of a mail, as far as we can tell."""

    # the player of the token; without a token the owner of the From address, which proves nothing
    person: Person | None
    # only if it is verified
    token: Token | None = None
    # why the token, or what looked like one, does not count
    fault: NotAllowed | None = None
    # the person wrote from an address that we do not know
    foreign: bool = False
    # what our mail server found out about the From address
    verdict: Authenticity = Authenticity.UNKNOWN
    # the number of the address that the mail confirms
    confirmation: int | None = None
    # the token belongs to somebody who was erased
    former: bool = False
    # the lost history that the mail belongs to: it must not do anything in the present one
    lost: Lost | None = None
    # the mail of ours that this one answers; one further down its thread is none
    answers: OutboxItem | None = None

    def counted_as(self, sender: str) -> str | None:
        """Return the name under which the mail counts against floods.

        Only a token counts for its player: else others could use up their mails.
        """
        if self.person is not None and self.token is not None:
            return actor(self.person.id)
        return f"from {fold_case(sender)}" if sender else None


class _Shown(NamedTuple):
    """Evidence in a mail: tokens in the order of trust, those of `key` lines apart, an address to confirm, and what it answers."""

    tokens: tuple[Token, ...]
    keyed: tuple[Token, ...]
    # no token is in an address or in a line: the only one is that of the mail that this one answers
    implied: bool
    forged: bool
    confirmation: int | None
    lost: Lost | None
    answers: OutboxItem | None


def written_by(  # noqa: PLR0917  # a mail and everything that it is judged by
    conn: Transaction, ledger: Ledger, keys: Keys, incoming: Incoming, recipient: str, reading: Reading, named: Sequence[str]
) -> Author:
    """Return the author of a mail that came to `recipient`. `named` are the texts in its `key` lines."""
    verdict = authenticated(reading.authentication, incoming.authserv_id, reading.sender)
    by_address = people.player_by_address(conn, reading.sender) if reading.sender else None
    shown = _shown(conn, ledger, keys, [recipient, *reading.recipients, *reading.reply_to], reading.references, named)
    writer = Author(by_address, verdict=verdict, confirmation=shown.confirmation, lost=shown.lost, answers=shown.answers)
    if shown.forged:
        return writer._replace(fault=_forged())
    token = next(iter((*shown.tokens, *shown.keyed)), None)
    if token is None or (shown.lost and shown.lost.account):
        return writer
    person = by_address if by_address and by_address.id == token.player else people.player(conn, token.player)
    if person.erased_at is not None:
        return writer._replace(fault=_former(), former=True)
    owner = by_address or _owner(conn, reading.sender, person)
    if _contradicting(token, shown):
        # Nobody can tell which of the players wrote, so the owner of the address is answered.
        return writer._replace(person=owner or person, fault=_contradiction())
    if owner is not None and owner.id != person.id and incoming.sender_policy != "off":
        return writer._replace(person=owner, fault=_borrowed())
    foreign = owner is None or owner.id != person.id
    if shown.implied and (foreign or verdict is Authenticity.DISPROVEN):
        return writer._replace(person=person, fault=_implied(reading.sender))
    return writer._replace(person=person, token=token, foreign=foreign)


def _owner(conn: Transaction, address: str, person: Person) -> Person | None:
    """Return the player whose mailbox an address is that none has: `person`, or else any other, or None."""
    # Nobody else gets mail for what stands behind a `+` (RFC 5233), and many write from such an address.
    if same_box(address, person.address):
        return person
    alike = (number for number, other in people.addresses_like(conn, spelled(address)) if same_box(address, other))
    return next((people.player(conn, number) for number in alike), None)


def unsubscriber(conn: Transaction, keys: Keys, text: str) -> Person | None:
    """Return the person whose mail a token for unsubscribing stops.

    Return None if the token is none of ours, if the person was erased, or if their account is lost.
    """
    token = verify(keys, text, Purpose.UNSUBSCRIBE)
    if token is None or player_is_lost(conn, token.player, signed_by(text)):
        return None
    with suppress(NotFound):
        person = people.player(conn, token.player)
        return person if person.erased_at is None else None
    return None


def leaver(conn: Transaction, keys: Keys, addresses: Sequence[str]) -> Person | None:
    """Return the person who unsubscribes by a mail that went to `addresses`; None if none of them is for unsubscribing."""
    # nearly all mails go to reply addresses, and a text is signed for one purpose at most
    found = (unsubscriber(conn, keys, text) for text in dict.fromkeys(find_all(addresses)) if verify(keys, text) is None)
    return next(filter(None, found), None)


def refuse_untrusted(writer: Author, sender: str, incoming: Incoming) -> None:
    """Refuse a mail that comes from somebody else than it says, before its text is read. Raises NotAllowed."""
    if writer.fault is not None:
        raise writer.fault
    if writer.token is None:
        return
    if writer.foreign and incoming.sender_policy == "require":
        message = say(
            "Your mail came from {sender}, and we know you by another address. Send it again from that one, or ask the admin to change it.",
            sender=sender or say("an unknown address"),
        )
        raise NotAllowed(FOREIGN, message)
    if writer.verdict is not Authenticity.PROVEN and incoming.authentication == "require":
        message = say(
            "We can't tell whether your mail really came from {sender}: "
            "our mail server could verify neither its signature nor the server that sent it. "
            "Send it the way you usually do, with the mail program of your own address, or tell the admin.",
            sender=sender or say("its sender"),
        )
        raise NotAllowed("not_authenticated", message)


def sender_told(sender: str) -> str:
    """Return the address that a mail came from, or words for one that cannot be read."""
    return sender or say("an address that cannot be read")


def doubts(writer: Author, sender: str, incoming: Incoming) -> str:
    """Return the doubt that a player should hear about a mail that was carried out, or an empty text if there is none."""
    came_from = sender_told(sender)
    if writer.foreign and incoming.sender_policy == "warn":
        return say("It went to your reply address, but came from {sender} and not from your own address.", sender=came_from)
    if writer.token is not None and writer.verdict is not Authenticity.PROVEN and incoming.authentication == "warn":
        return say("It went to your reply address, but we can't tell whether it really came from {sender}.", sender=came_from)
    return ""


def _shown(  # noqa: PLR0917  # where to look
    conn: Transaction, ledger: Ledger, keys: Keys, addresses: Sequence[str], references: Sequence[str], named: Sequence[str]
) -> _Shown:
    texts = list(dict.fromkeys(find_all(addresses)))
    replying = {text: token for text in (*texts, *named) if (token := verify(keys, text))}
    # A text is signed for one purpose at most, and the number of a confirmation stands where other tokens have a game.
    others = [text for text in (*texts, *named) if text not in replying]
    asked = {text: token.game for text in others if (token := verify(keys, text, Purpose.CONFIRM))}
    unsubscribing = {text for text in others if text in texts and verify(keys, text, Purpose.UNSUBSCRIBE)}
    tokens = [replying[text] for text in texts if text in replying]
    # A mail that the outbox has is of this history, whatever else the writer's program names behind it.
    answered, place = next(_answered(conn, references), (None, len(references)))
    lost = _lost(conn, ledger, replying, asked, references[:place])
    numbers = [*asked.values()]
    if answered is not None:
        if answered.kind in CONFIRMATIONS:
            numbers.append(GameId(answered.detail["number"]))
        elif answered.player is not None:
            tokens.append(_token(conn, ledger, answered, deciding=not tokens))
    return _Shown(
        tuple(tokens),
        tuple(replying[text] for text in named if text in replying),
        not replying,
        # Whatever has the form of a token and is good for nothing was forged.
        not unsubscribing.union(asked).issuperset(others),
        None if lost and lost.account else next(iter(numbers), None),
        lost,
        None if place else answered,
    )


def _lost(
    conn: Transaction, ledger: Ledger, replying: Mapping[str, Token], asked: Mapping[str, GameId], references: Sequence[str]
) -> Lost | None:
    """Return the lost thing that a mail belongs to, by its verified texts and by `references` that the outbox lacks; or None."""
    present = False
    for text, token in replying.items():
        parting = parted(conn, signed_by(text))
        if found := in_address(conn, ledger, token, parting):
            return found
        present = present or parting is None
    for text, number in asked.items():
        if found := in_confirmation(conn, number, parted(conn, signed_by(text))):
            return found
    named = in_references(conn, references)
    # An address of the present history proves that the mail belongs to the present, even if it answers a mail of an older one.
    return None if present and named and named.restoration is not None else named


def _answered(conn: Transaction, references: Sequence[str]) -> Iterator[tuple[OutboxItem, int]]:
    """Yield the mails of ours among the `references`, each with its place there."""
    found = (outbox.by_message_id(conn, message_id) for message_id in references)
    return ((item, place) for place, item in enumerate(found) if item is not None)


def _token(conn: Transaction, ledger: Ledger, item: outbox.OutboxItem, *, deciding: bool) -> Token:
    """Return the token from the reply address of a mail of ours. Unless it is `deciding`, the token holds only player and game."""
    player = item.player or PlayerId(0)
    if item.game is None or not deciding:
        return Token(player, item.game or GameId(0))
    state = ledger.games.state_after(item.game, ledger.games.history(conn, item.game, item.version))
    return Token(player, item.game, state.turn, state.edition)


def _contradicting(token: Token, shown: _Shown) -> bool:
    others = {other.player for other in (*shown.tokens, *shown.keyed)} != {token.player}
    return others or any(other.game != token.game for other in shown.keyed)


def _forged() -> NotAllowed:
    message = say("The address you wrote to isn't one of ours. Reply to our newest mail, or to this one.")
    return NotAllowed("bad_token", message)


def _former() -> NotAllowed:
    message = say(
        "The account that your mail belongs to was erased, so nothing has changed. "
        "If it was yours, you can ask for a new one in a new mail."
    )
    return NotAllowed("erased", message)


def _borrowed() -> NotAllowed:
    message = say(
        "Your mail went to another player's reply address, so nothing has changed. "
        'That happens with forwarded mails and with "reply to all". Reply to a mail that we sent to you.'
    )
    return NotAllowed("borrowed_token", message)


def _implied(sender: str) -> NotAllowed:
    message = say(
        "A mail from {sender} answers one of our mails to you, but didn't go to its reply address, so nothing has changed. "
        "If you wrote it, send it again from your own address, or to that reply address.",
        sender=sender_told(sender),
    )
    return NotAllowed("foreign_reply", message)


def _contradiction() -> NotAllowed:
    message = say(
        "Your mail has the addresses of two players, or the key of one game and the address of another, so nothing has "
        "changed. Write to the reply address of one of our mails only."
    )
    return NotAllowed("contradicting_tokens", message)
