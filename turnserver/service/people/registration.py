"""Accounts by mail: create one, change its address, unsubscribe. The first two need a confirmation from the new address.

A stranger's request leaves one row behind (`store.people.confirmations`), for three days unless the stranger answers.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from turnserver.config import Site
from turnserver.errors import NotAllowed, Refusal
from turnserver.ids import actor
from turnserver.mail.inbound.admission import confirms, names_wanted, spoken
from turnserver.mail.inbound.phrases import Join, read_naming
from turnserver.mail.inbound.short_answers import less_greeting, short_answer
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import NotDone
from turnserver.rules.writing import skeleton
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.answers import DAY, NEWCOMER_ANSWERS, Answer
from turnserver.service.mailroom.contexts import read_in
from turnserver.service.people import accounts
from turnserver.service.people.accounts import Profile, check_address
from turnserver.service.people.names import check_chosen
from turnserver.service.request import Request
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, outbox
from turnserver.store.mail.inbox import InboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people import confirmations
from turnserver.store.people.accounts import Person
from turnserver.store.people.confirmations import Confirmation
from turnserver.store.refusals import ADDRESS, taken
from turnserver.text import say

CONFIRM_WITHIN = timedelta(days=accounts.CONFIRM_DAYS)


def from_stranger(  # noqa: PLR0917  # a mail and where it is carried out
    tx: Transaction, site: Site, sender: str, lines: Sequence[str], request: Request, fault: Refusal | None = None
) -> Answer:
    """Return the answer to a mail from an address without an account. Its writer may ask for an account, if the site allows that.

    The answer is in the language of the request. If no account is asked for and the mail has a `fault`, the answer tells that.
    """
    names, language = names_wanted(lines), spoken(lines)
    if fault is not None and not names:
        return _in_language(language, _refused(fault, sender))
    if site.registration == "closed" or not names:
        return _in_language(language, Answer("refused: unknown_sender", (Notice(MailKind.UNKNOWN_SENDER, address=sender),)))
    if outbox.answers_since(tx, sender, request.now - DAY) >= NEWCOMER_ANSWERS:  # they would not hear of another number: the last one holds
        return Answer("refused: asked too often")
    leagues = [name for name in names if _names_league(name)]
    try:
        if leagues:
            raise _league_before_account(synonyms().in_words(language, f"join {leagues[0]}"))
        name, address = _free_name(tx, site, names), check_address(sender)
        # An address that a player is about to get is theirs as long as it can be confirmed.
        if confirmations.promised(tx, address):
            raise taken(ADDRESS, name, address)
    # Without the words that it is about, which may be for somebody else to read.
    except Refusal as refusal:
        return _in_language(language, _refused(refusal, sender))
    until = request.now + CONFIRM_WITHIN
    number = confirmations.ask(tx, address, until, name=name)
    asked = Answer(f"asked to confirm: {number}", (notices.confirm(address, number, name, until),), newcomer=NEWCOMER_ANSWERS)
    return _in_language(language, asked)


def unsubscribe(tx: Transaction, ledger: Ledger, item: InboxItem, person: Person, now: datetime) -> None:
    """Send the person who wrote to an address for unsubscribing no more mail."""
    request = Request(actor(person.id), f"mail:{item.identity}", now)
    inbox.done(tx, item.id, "unsubscribed", now)
    # Only they hear of it, and only the first time, so that two machines cannot answer each other forever.
    accounts.choose(tx, ledger, person.id, [("subscribed", "off")], request)


def _names_league(name: str) -> bool:
    # A number alone is refused as a name.
    return not name.isdigit() and isinstance(read_naming(f"join {name}", (), ""), Join)


def _league_before_account(line: str) -> NotAllowed:
    message = say(
        "Only players can enter a league, and you have no account yet. Reply join and the name you want. Once you have the account, "
        "write {line} again.",
        line=line,
    )
    return NotAllowed("no_account", message)


def _free_name(tx: Transaction, site: Site, names: Sequence[str]) -> str:
    """Return the one name that is wanted. Raises Refusal if there are several, or if nobody can have it."""
    if len(names) > 1:
        raise NotAllowed("conflict", say("You gave more than one name. Send only the one you want."))
    name = check_chosen(names[0])
    if people.player_by_name(tx, name) is not None or skeleton(name) == skeleton(site.name):
        raise NotAllowed("name_taken", say("The name {name} is taken. Reply join and another name.", name=name))
    return name


def answered(tx: Transaction, ledger: Ledger, site: Site, number: int, sender: str, lines: Sequence[str], request: Request) -> Answer:  # noqa: PLR0917  # a mail and where it is carried out
    """Return the answer to a mail that replies to our question whether an address is right.

    A new account is in the language of that reply: no other mail shows what its writer reads.
    """
    asked, language = confirmations.pending(tx, number, request.now), spoken(lines)
    if asked is None:
        message = say(
            "There is nothing to confirm: you have done it already, or the {number} days for it are over.", number=accounts.CONFIRM_DAYS
        )
        return _in_language(language, _refused(NotAllowed("nothing_to_confirm", message), sender))
    # `Yes, that was me!`
    if not (confirms(lines) or short_answer(less_greeting(lines), synonyms().argument("confirm", "was"))):
        message = say('To confirm, reply "yes", or "confirm" on a line of its own.')
        return _in_language(language, _refused(NotAllowed("not_confirmed", message), asked.address))
    # Before anything else, since an answer counts once, whatever comes of it.
    confirmations.erase(tx, number)
    try:
        return _confirmed(tx, ledger, site, asked, request, language or site.language)
    except NotAllowed as refusal:  # somebody else has the name or the address by now
        return _in_language(language, _refused(refusal, asked.address))


def _confirmed(tx: Transaction, ledger: Ledger, site: Site, asked: Confirmation, request: Request, language: str) -> Answer:  # noqa: PLR0917  # an answer, to what, and where
    if asked.player is not None:
        accounts.move(tx, asked.player, asked.address, request._replace(actor=actor(asked.player)))
        return Answer("address confirmed", (notices.address(asked.player, asked.address),), moved=asked.player)
    person = accounts.add(tx, ledger, [Profile(asked.name, asked.address, site.zone, language)], request)[0]
    people.confirm(tx, person.id, request.now)
    return Answer(f"registered player {person.id}")


def _refused(refusal: Refusal, address: str) -> Answer:
    told = (notices.refusal([NotDone.of("", refusal)], address=address),) if address else ()
    return Answer(f"refused: {refusal.code}", told, newcomer=NEWCOMER_ANSWERS)


def _in_language(language: str | None, answer: Answer) -> Answer:
    if language is None:
        return answer
    told = tuple(read_in(language, notice) for notice in answer.told)
    return answer._replace(told=told)
