"""Many accounts at once, from a list: what of it is new, what is here already, what differs, and what is wrong."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from turnserver.config import Site
from turnserver.errors import BadOption
from turnserver.ids import PlayerId
from turnserver.service.people.accounts import Profile, check_players_address
from turnserver.service.people.names import check_name
from turnserver.service.people.preferences import check_language, check_zone
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person, address_key, fold_case


class PersonLine(NamedTuple):
    """A line of a list of people, as it is written. Zone and language are empty where it says nothing of them.

    `faults` are sentences about what is wrong with the line itself, such as a cell too many.
    """

    line: int
    name: str
    address: str
    zone: str = ""
    language: str = ""
    faults: tuple[str, ...] = ()


class Difference(NamedTuple):
    """A setting of somebody who is here already that a line has otherwise: its name, its value here and the one in the line."""

    line: int
    person: Person
    setting: str
    here: str
    there: str


class ImportPlan(NamedTuple):
    """The outcome of reading a list: accounts to be made, people who are `known`, their `differences`, and everything that is wrong."""

    new: Sequence[Profile]
    known: Sequence[Person]
    differences: Sequence[Difference]
    wrong: Mapping[int, Sequence[str]]


class _Seen(NamedTuple):
    """The lines that had a name or an address before, by its key."""

    names: dict[str, int]
    addresses: dict[str, int]


def plan(conn: Transaction, lines: Iterable[PersonLine], site: Site) -> ImportPlan:
    """Return what the lines come to. Who is new gets the zone and the language of the site where their line says nothing of them."""
    new, known, differences = list[Profile](), dict[PlayerId, Person](), list[Difference]()
    wrong, seen = dict[int, Sequence[str]](), _Seen({}, {})
    for one in lines:
        faults = [*one.faults]
        name = _checked(faults, check_name, one.name, "name")
        address = _checked(faults, lambda text: check_players_address(text, site.address), one.address, "mail address")
        there = Profile(
            name,
            address,
            _checked(faults, check_zone, one.zone) if one.zone else None,
            _checked(faults, check_language, one.language) if one.language else None,
        )
        person = people.player_by_address(conn, address) if address else None
        _repeated(faults, seen, one.line, there)
        if person is not None:
            known[person.id] = person
            differences += [Difference(one.line, person, *what) for what in _differing(person, there)]
        elif name and (namesake := people.player_by_name(conn, name)) is not None:
            faults.append(f"{namesake.name} is player {namesake.id} already, with the address {namesake.address}.")
        else:
            new.append(there._replace(zone=there.zone or site.zone, language=there.language or site.language))
        if faults:
            wrong[one.line] = faults
    return ImportPlan(new, [*known.values()], differences, wrong)


def _checked(faults: list[str], check: Callable[[str], str], text: str, what: str = "") -> str | None:
    if not text:
        faults.append(f"There is no {what}.")
        return None
    try:
        return check(text)
    except BadOption as error:
        faults.append(error.message)
        return None


def _repeated(faults: list[str], seen: _Seen, line: int, there: Profile) -> None:
    for what, lines, key in (
        ("name", seen.names, fold_case(there.name) if there.name else None),
        ("address", seen.addresses, address_key(there.address) if there.address else None),
    ):
        if key is not None and lines.setdefault(key, line) != line:
            faults.append(f"The {what} stands in line {lines[key]} already.")


def _differing(person: Person, there: Profile) -> list[tuple[str, str, str]]:
    here = {"name": person.name, "zone": person.zone, "language": person.preferences.language}
    said = {"name": there.name, "zone": there.zone, "language": there.language}
    return [(setting, here[setting], value) for setting, value in said.items() if value is not None and value != here[setting]]
