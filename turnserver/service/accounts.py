"""Players' accounts: made, changed, and each change noted in the player's stream without saying what it was changed to."""

import re
from typing import NamedTuple, Self
from zoneinfo import ZoneInfo, available_timezones

from turnserver.envelope import PlayerId, Version, player_stream
from turnserver.errors import BadOption
from turnserver.mail.notices import welcome
from turnserver.play.events import PlayerEdited, PlayerRegistered
from turnserver.service.ledger import Ledger, Request
from turnserver.store import log, people
from turnserver.store.database import Transaction
from turnserver.store.people import Person

MAX_NAME = 40
MAX_ADDRESS = 254
MARKS = "@,&="
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[^\s@<>,;:\"()\[\]\\]+")


class Profile(NamedTuple):
    """What an account says of a player; None where nothing is said."""

    name: str | None = None
    address: str | None = None
    zone: str | None = None

    def checked(self) -> Self:
        """The same with everything that is said in its proper form. Raises BadOption."""
        return type(self)(
            None if self.name is None else check_name(self.name),
            None if self.address is None else check_address(self.address),
            None if self.zone is None else check_zone(self.zone),
        )


def check_name(name: str) -> str:
    """A name as it is shown to others and written in a challenge: one line of 1 to 40 printable characters. Raises BadOption."""
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not name.isprintable() or name.isdigit():
        raise BadOption(f"A player's name is one line of 1 to {MAX_NAME} characters and not a number.")
    if any(mark in name for mark in MARKS) or "and" in name.casefold().split():
        raise BadOption(
            f"A player's name has none of the marks {' '.join(MARKS)} and not the word and, so that it can be written in a challenge."
        )
    return name


def check_address(address: str) -> str:
    """A mail address of the plain kind, without a display name. Raises BadOption."""
    address = address.strip()
    if len(address) > MAX_ADDRESS or not address.isprintable() or _ADDRESS.fullmatch(address) is None:
        raise BadOption(f"{address!r} is not a mail address such as ada@example.org.")
    return address


def check_zone(zone: str) -> str:
    """The name of a time zone such as `Europe/Berlin`. Raises BadOption."""
    if zone not in available_timezones():
        near = sorted(name for name in available_timezones() if zone.casefold() in name.casefold())[:3]
        hint = f" Did you mean {' or '.join(near)}?" if zone and near else " Write it like Europe/Berlin, or UTC."
        raise BadOption(f"{zone!r} is not a time zone.{hint}")
    return str(ZoneInfo(zone))


def add(tx: Transaction, ledger: Ledger, profile: Profile, request: Request) -> Person:
    """Make an account of a full profile and welcome the player. Raises BadOption, and NotAllowed if the name or the address is taken."""
    name, address, zone = profile.checked()
    if name is None or address is None or zone is None:
        raise BadOption("An account needs a name, an address and a zone.")
    number = PlayerId(log.next_number(tx, "player"))
    people.add_player(tx, number, name, address, zone, request.now)
    ledger.post(tx, [welcome(number)], request, None, None)
    person = people.player(tx, number)
    log.append(
        tx,
        player_stream(number),
        Version(0),
        [PlayerRegistered(player=number)],
        at=request.now,
        actor=request.actor,
        cause=request.cause,
        previous=None,
    )
    return person


def edit(tx: Transaction, who: str, profile: Profile, request: Request) -> Person:
    """Change what the profile says. Raises NotFound, BadOption, and NotAllowed if the name or the address is taken."""
    said = {field: value for field, value in profile.checked()._asdict().items() if value is not None}
    if not said:
        raise BadOption("Say what to change: the name, the address or the zone.")
    person = people.edit_player(tx, people.find_player(tx, who).id, **said)
    stream = player_stream(person.id)
    rows = log.load(tx, stream)
    log.append(
        tx,
        stream,
        Version(len(rows)),
        [PlayerEdited(player=person.id, fields=tuple(sorted(said)))],
        at=request.now,
        actor=request.actor,
        cause=request.cause,
        previous=rows[-1].hash if rows else None,
    )
    return person
