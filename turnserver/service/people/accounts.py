"""Players' accounts: made and changed. The player's stream notes each change, but not the new values."""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple, Self

from msgspec.structs import replace

from turnserver.addresses import same_box, spelled
from turnserver.errors import BadOption, Unplayable
from turnserver.ids import PlayerId, Recorded
from turnserver.mail.format.automatic import is_machine
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.language import ENGLISH
from turnserver.mail.outbound.notices import game as notices
from turnserver.play.events import PlayerEdited, PlayerEvent, PlayerRegistered
from turnserver.play.second_thoughts import announced_at
from turnserver.play.state import Status
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.contexts import read_in
from turnserver.service.mailroom.scheduling import end_of_quiet, slot, turn_ends
from turnserver.service.people import player_log
from turnserver.service.people.names import check_name
from turnserver.service.people.preferences import changed, check_language, check_zone, differing
from turnserver.service.request import Request
from turnserver.store.games import views
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people import confirmations, sessions
from turnserver.store.people.accounts import Person
from turnserver.store.refusals import ADDRESS, taken
from turnserver.text import say

CONFIRM_DAYS = 3
"""The time for confirming an address."""

MAX_ADDRESS = 254
_MOMENT = timedelta(microseconds=1)
_ADDRESS = re.compile(r"(?:[^\s@<>,;:\"()\[\]\\]{1,64}|\"(?:[^\"\\]|\\.){1,64}\")@[^\s@<>,;:\"()\[\]\\]+")


class Profile(NamedTuple):
    """The data of a player that an admin or a player gives; None for everything that is not given."""

    name: str | None = None
    address: str | None = None
    zone: str | None = None
    language: str | None = None

    def checked(self) -> Self:
        """Return the profile with every given value in its proper form. Raises BadOption."""
        return type(self)(
            None if self.name is None else check_name(self.name),
            None if self.address is None else check_address(self.address),
            None if self.zone is None else check_zone(self.zone),
            None if self.language is None else check_language(self.language),
        )


def check_address(address: str) -> str:
    """Return a mail address of the plain kind, without a display name, from which a person may write. Raises BadOption."""
    address = address.strip()
    if len(address) > MAX_ADDRESS or not address.isprintable() or _ADDRESS.fullmatch(address) is None:
        raise BadOption(say('"{address}" isn\'t a mail address such as ada@example.org.', address=address))
    if is_machine(address):
        message = say(
            "The address {address} looks like the address of a program or a mailing list, and we never answer those. Use another one.",
            address=address,
        )
        raise BadOption(message)
    return spelled(address)


def check_players_address(address: str, own_address: str) -> str:
    """Return a player's mail address, like `check_address`. Raises BadOption also for the service's own, with whatever behind a `+`."""
    address = check_address(address)
    if same_box(address, own_address):
        raise BadOption(say("{address} is the address of this service, and we never answer ourselves. Use another one.", address=address))
    return address


def add(tx: Transaction, ledger: Ledger, profiles: Iterable[Profile], request: Request, *, gathers: bool = False) -> list[Person]:
    """Make accounts of full profiles and welcome the players. Raises BadOption, and NotAllowed if a name or an address is taken.

    A welcome that `gathers` waits for a short while, since a league that they are entered in may welcome them too.
    """
    made = []
    for name, address, zone, language in (profile.checked() for profile in profiles):
        if name is None or address is None or zone is None:
            raise BadOption("An account needs a name, an address and a zone.")
        number = PlayerId(log.next_number(tx, "player"))
        people.add_player(tx, number, name, address, zone, request.now, language or ENGLISH)
        ledger.post.queue(tx, [Notice(MailKind.WELCOME, number, gathers=gathers)], request)
        made.append(people.player(tx, number))
    # The log comes last: whoever waits for its next position has little left to do.
    for person in made:
        player_log.append(tx, (), PlayerRegistered(player=person.id), request)
    return made


def edit(tx: Transaction, ledger: Ledger, who: str, profile: Profile, request: Request) -> Person:
    """Change the given fields of the profile. Raises NotFound, BadOption, and NotAllowed if the name or the address is taken.

    A new address has to be confirmed by an answer from there within `CONFIRM_DAYS`. Until then the old one holds, and gets a notice. If the
    old one never sent a mail, the new one holds at once and gets a welcome, which asks for an answer itself.
    """
    said = {field: value for field, value in profile.checked()._asdict().items() if value is not None}
    if not said:
        raise BadOption("Say what to change: the name, the address or the zone.")
    number = people.find_player(tx, who).id
    history = _history(tx, number)
    before = people.player(tx, number)
    # Another spelling of the same address needs no answer from there.
    if "address" in said and people.address_key(said["address"]) != people.address_key(before.address):
        if before.confirmed_at is not None:
            # Only the address waits for an answer; the other fields hold at once.
            _ask_for_address(tx, ledger, before, said.pop("address"), request)
            if not said:
                return before
        else:
            ledger.post.queue(tx, [Notice(MailKind.WELCOME, number)], request)
    person = people.edit_player(tx, number, **said)
    if "address" in said:
        person = _out_of_the_old_mailbox(tx, person)
    _plan_anew(tx, ledger, before, person, request)
    _note(tx, person, history, said, request)
    return person


def choose(
    tx: Transaction, ledger: Ledger, number: PlayerId, wanted: Sequence[tuple[str, str]], request: Request, *, answered: bool = False
) -> Person:
    """Set the named settings to the values beside them; settings that have them already stay. Raises NotFound and BadOption.

    A player who has just been unsubscribed, or subscribed again, is told so, unless they are `answered` anyway.
    """
    history = _history(tx, number)
    before = people.player(tx, number)
    after = changed(before, wanted)
    fields = differing(before, after)
    # Whoever is unsubscribed once more is not told again, or two machines could answer each other forever.
    if not fields:
        return before
    people.edit_player(tx, number, zone=after.zone, preferences=after.preferences)
    _plan_anew(tx, ledger, before, after, request)
    if "subscribed" in fields and not answered:
        ledger.post.queue(tx, [Notice(MailKind.SUBSCRIPTION, number)], request)
    _note(tx, after, history, fields, request)
    return after


def move(tx: Transaction, number: PlayerId, address: str, request: Request) -> None:
    """Give a player the address that they have confirmed. Whoever reads the old one is signed out.

    Raises NotFound, and NotAllowed if somebody else has the address by now.
    """
    history = _history(tx, number)
    person = _out_of_the_old_mailbox(tx, people.edit_player(tx, number, address=address))
    _note(tx, person, history, ("address",), request)


def _out_of_the_old_mailbox(tx: Transaction, person: Person) -> Person:
    """End what whoever reads the old mailbox could go on with: sessions, links to sign in, and the calendar address that mails told."""
    sessions.end_all(tx, person.id)
    edition = person.preferences.calendar_edition + 1
    return people.edit_player(tx, person.id, preferences=replace(person.preferences, calendar_edition=edition))


def _ask_for_address(tx: Transaction, ledger: Ledger, person: Person, address: str, request: Request) -> None:
    holder = people.player_by_address(tx, address)
    if holder is not None:
        raise taken(ADDRESS, person.name, address)
    until = request.now + timedelta(days=CONFIRM_DAYS)
    number = confirmations.ask(tx, address, until, player=person.id)
    asked = read_in(person.preferences.language, notices.new_address(address, number, person.name, until))
    ledger.post.queue(tx, [asked, notices.address(person.id, address, until)], request)


def _history(tx: Transaction, number: PlayerId) -> list[Recorded[PlayerEvent]]:
    # Loaded before the account is: so of two changes at once the later one is made again from the beginning.
    return player_log.load(tx, number)


def _plan_anew(tx: Transaction, ledger: Ledger, before: Person, after: Person, request: Request) -> None:
    held = outbox.held_for(tx, before.id)
    if quiet := before.preferences.quiet:
        # A mail that was queued in quiet hours is due at their end.
        later = outbox.queued_for(tx, before.id, request.now)
        held += [item for item in later if item.due_at == end_of_quiet(quiet, before.zone, item.due_at - _MOMENT)]
    _plan_held_anew(tx, ledger, after, held, request)
    # Reminders are planned ahead only for quiet hours, before the change or after it.
    if before.preferences.quiet or after.preferences.quiet:
        _plan_reminders_anew(tx, ledger, after, request)


def _plan_reminders_anew(tx: Transaction, ledger: Ledger, person: Person, request: Request) -> None:
    for game in views.list_games(tx, player=person.id, status=Status.RUNNING):
        try:
            # By the game as the player may know it.
            state = ledger.games.known_to(tx, game.id, person.id, request.now)
        except Unplayable:
            continue
        ledger.post.plan_reminders(tx, person, game.id, state, request.now, request.cause)


def _plan_held_anew(tx: Transaction, ledger: Ledger, person: Person, held: Iterable[OutboxItem], request: Request) -> None:
    for item in held:
        try:
            state = ledger.games.load(tx, item.game).state if item.game else None
        except Unplayable:
            continue
        at = announced_at(state, request.now) if state else request.now
        place = slot(person, MailKind(item.kind), at, turn_ends(state, person.id), asked=False)
        if place is not None and place.status != "unwanted":
            outbox.reschedule(tx, item.id, place.due_at, hold=place.status == "held")


def _note(tx: Transaction, person: Person, history: Sequence[Recorded[PlayerEvent]], fields: Iterable[str], request: Request) -> None:
    player_log.append(tx, history, PlayerEdited(player=person.id, fields=tuple(sorted(fields))), request)
