"""Accounts, chat, keys."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from tests.store.scene import ADA, BOB, GAME, INVITED, add_players, day, wait_for_lock
from turnserver.errors import BadOption, KeyTaken, NotAllowed, NotFound, Refusal
from turnserver.ids import PlayerId
from turnserver.play.evolve import fold
from turnserver.store.games import views
from turnserver.store.log import secrets
from turnserver.store.log.database import Database, Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person, Said

ADA_ROW = Person(ADA, "Ada", "ada@example.org", "Europe/Oslo", day(0))
BOB_ROW = Person(BOB, "Bob", "Bob@example.org", "UTC", day(0))
CLEO = PlayerId(3)


@pytest.fixture
def club(database: Database) -> Database:
    """Ada and Bob have accounts."""
    with database.write() as tx:
        add_players(tx)
    return database


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1", ADA_ROW),
        (" 2 ", BOB_ROW),
        ("ada", ADA_ROW),
        ("BOB", BOB_ROW),
        ("bob@EXAMPLE.org", BOB_ROW),
        ("3", None),
        ("99999999999999999999", None),
        ("\N{SUPERSCRIPT ONE}", None),
        ("", None),
        ("A%", None),
        ("\0", None),
        ("\ud800", None),
    ],
)
def test_a_player_is_found_by_number_name_or_address(club: Database, text: str, found: Person | None) -> None:
    with club.read() as conn:
        if found is None:
            with pytest.raises(NotFound):
                people.find_player(conn, text)
        else:
            assert people.find_player(conn, text) == found


def test_case_is_folded_beyond_ascii_on_both_engines(database: Database) -> None:
    with database.write() as tx:
        people.add_player(tx, ADA, "Åsa Groß", "ÅSA@example.org", "UTC", day(0))
    with database.read() as conn:
        for name in ("åsa groß", "ÅSA GROSS", "A\N{COMBINING RING ABOVE}SA GROSS"):
            person = people.player_by_name(conn, name)
            assert person is not None
            assert person.name == "Åsa Groß"
        assert people.player_by_address(conn, "åsa@example.org") is not None
        assert people.player_by_name(conn, "Asa Gross") is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Juergen Mueller", "Jürgen Müller"),
        ("JURGEN MULLER", ""),
        ("Jürg Böll", "Jurg Boll"),
        ("Joerg", "Jörg"),
        ("jorg", "Jörg"),
        ("Zoe Nunez", "Zoë Nunez"),
        ("André Łuk", "Andre Łuk"),
        # one may be meant as well as the other
        ("Bär", ""),
        ("oe" * 40, ""),
    ],
)
def test_a_name_with_marks_on_its_letters_is_offered_to_other_keyboards(database: Database, text: str, meant: str) -> None:
    with database.write() as tx:
        for number, name in enumerate(("Jürgen Müller", "Jörg", "Jurg Boll", "Baer", "Bar", "Zoë Nunez", "Andre Łuk"), start=1):
            people.add_player(tx, PlayerId(number), name, f"player{number}@example.org", "UTC", day(0))
    with database.read() as conn:
        for find in (people.player_called, people.find_player):
            with pytest.raises(NotFound) as refused:
                find(conn, text)
            assert str(refused.value).partition("Did you mean ")[2].removesuffix("?") == meant


def test_players_are_listed_by_number(club: Database) -> None:
    with club.read() as conn:
        assert people.list_players(conn) == [ADA_ROW, BOB_ROW]
        assert people.player(conn, BOB) == BOB_ROW
        with pytest.raises(NotFound):
            people.player(conn, CLEO)


class No(NamedTuple):
    """A refusal: for what, and with which code."""

    name: str
    ask: Callable[[Transaction], object]
    code: str


@pytest.mark.parametrize(
    "case",
    [
        No("a name twice", lambda tx: people.add_player(tx, CLEO, "ADA", "cleo@example.org", "UTC", day(1)), "name_taken"),
        No("an address twice", lambda tx: people.add_player(tx, CLEO, "Cleo", "BOB@example.org", "UTC", day(1)), "address_taken"),
        No("another's name", lambda tx: people.edit_player(tx, ADA, name="bob"), "name_taken"),
        No("another's address", lambda tx: people.edit_player(tx, ADA, address="bob@example.org"), "address_taken"),
        No("nobody", lambda tx: people.edit_player(tx, CLEO, name="Cleo"), "not_found"),
    ],
    ids=lambda case: case.name,
)
def test_a_refusal_leaves_the_transaction_usable(club: Database, case: No) -> None:
    with club.write() as tx:
        with pytest.raises(Refusal) as caught:
            case.ask(tx)
        people.add_player(tx, CLEO, "Cleo", "cleo@example.org", "UTC", day(1))
    assert caught.value.code == case.code
    with club.read() as conn:
        assert [person.name for person in people.list_players(conn)] == ["Ada", "Bob", "Cleo"]


def test_of_two_that_take_a_name_at_once_one_is_refused(postgresql_url: str) -> None:
    database = Database.connect(postgresql_url)

    def take() -> None:
        with database.write() as tx:
            people.add_player(tx, BOB, "ada", "other@example.org", "UTC", day(0))

    with ThreadPoolExecutor(1) as pool:
        with database.write() as tx:
            people.add_player(tx, ADA, "Ada", "ada@example.org", "UTC", day(0))
            slower = pool.submit(take)
            wait_for_lock(postgresql_url, slower)
        with pytest.raises(NotAllowed) as caught:
            slower.result()
    assert caught.value.code == "name_taken"
    database.close()


def test_a_number_taken_twice_is_a_mistake_of_ours(club: Database) -> None:
    with pytest.raises(KeyTaken), club.write() as tx:
        people.add_player(tx, ADA, "Cleo", "cleo@example.org", "UTC", day(0))


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        ({"name": "ADA"}, Person(ADA, "ADA", "ada@example.org", "Europe/Oslo", day(0))),
        ({"address": "Ada@Example.org", "zone": "UTC"}, Person(ADA, "Ada", "Ada@Example.org", "UTC", day(0))),
        ({}, ADA_ROW),
    ],
)
def test_an_account_can_be_edited(club: Database, changes: dict[str, Any], after: Person) -> None:
    with club.write() as tx:
        assert people.edit_player(tx, ADA, **changes) == after
    with club.read() as conn:
        assert people.list_players(conn) == [after, BOB_ROW]
        assert people.player_by_address(conn, after.address) == after


def test_chat_is_kept_in_order(club: Database) -> None:
    with club.write() as tx:
        views.save_game(tx, GAME, fold(INVITED), opened_at=day(0))
        people.say(tx, GAME, BOB, day(2), "hello\0 \ud800!")
        people.say(tx, GAME, ADA, day(1), "first")
        people.say(tx, GAME, ADA, day(2), "bye")
    with club.read() as conn:
        assert people.chat(conn, GAME) == [
            Said(GAME, ADA, day(1), "first"),
            Said(GAME, BOB, day(2), "hello\N{REPLACEMENT CHARACTER} ?!"),
            Said(GAME, ADA, day(2), "bye"),
        ]


def test_keys_are_kept_and_replaced(database: Database) -> None:
    with database.write() as tx:
        assert secrets.keys(tx, "reply") == {}
        secrets.ensure(tx, "reply", b"\x00one")
        secrets.ensure(tx, "reply", b"two")
        secrets.ensure(tx, "other", b"three")
    with database.write() as tx:
        assert secrets.rotate(tx, "reply", b"four", day(1)) == 2
        assert secrets.rotate(tx, "new", b"five", day(1)) == 1
    with database.read() as conn:
        assert secrets.keys(conn, "reply") == {1: b"\x00one", 2: b"four"}
        assert secrets.keys(conn, "other") == {1: b"three"}
        assert secrets.keys(conn, "new") == {1: b"five"}


def test_old_versions_of_a_key_are_retired_and_never_the_newest(database: Database) -> None:
    with database.write() as tx:
        secrets.ensure(tx, "reply", b"one")
        secrets.rotate(tx, "reply", b"two", day(10))
        secrets.rotate(tx, "reply", b"three", day(20))
        known = secrets.versions(tx, "reply")
        assert [(one.version, one.made_at) for one in known] == [(1, None), (2, day(10)), (3, day(20))]
        assert [secrets.superseded(known, day(at)) for at in (10, 11, 21, 99)] == [0, 1, 2, 2]
        for upto in (3, 9):
            with pytest.raises(BadOption, match="1, 2, 3"):
                secrets.retire(tx, "reply", upto)
        assert secrets.retire(tx, "reply", 1) == [1]
        secrets.ensure(tx, "reply", b"never again version 1")
        assert secrets.keys(tx, "reply") == {2: b"two", 3: b"three"}


def test_an_address_is_confirmed_once(club: Database) -> None:
    with club.write() as tx:
        assert people.player(tx, ADA).confirmed_at is None
        people.confirm(tx, ADA, day(3))
        people.confirm(tx, ADA, day(4))
        people.edit_player(tx, ADA, name="Ada L")
        assert [person.confirmed_at for person in people.list_players(tx)] == [day(3), None]
