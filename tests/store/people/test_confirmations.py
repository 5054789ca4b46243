"""Addresses that wait to be confirmed: one question an address and a player, no number twice, nothing kept for longer than said."""

from tests.store.scene import ADA, add_players, day
from turnserver.store.log.database import Database
from turnserver.store.people import confirmations
from turnserver.store.people.confirmations import Confirmation


def test_what_is_waited_for_is_found_until_it_expires(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
        zoe = confirmations.ask(tx, "Zoe@example.net", day(3), name="Zoe")
        ada = confirmations.ask(tx, "ada@example.net", day(5), player=ADA)
        assert confirmations.pending(tx, zoe, day(2)) == Confirmation(zoe, None, "Zoe", "Zoe@example.net", day(3))
        assert confirmations.of_player(tx, ADA, day(2)) == Confirmation(ada, ADA, None, "ada@example.net", day(5))
        assert confirmations.pending(tx, zoe, day(3)) is None
        assert (confirmations.any_expired(tx, day(2)), confirmations.any_expired(tx, day(3))) == (False, True)
        confirmations.erase_expired(tx, day(3))
        assert confirmations.any_expired(tx, day(3)) is False
        assert confirmations.of_player(tx, ADA, day(3)) is not None
        assert confirmations.of_player(tx, ADA, day(5)) is None


def test_a_new_question_takes_the_place_of_the_old_one_under_a_new_number(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
        first = confirmations.ask(tx, "Zoe@example.net", day(3), name="Zoe")
        second = confirmations.ask(tx, "zoe@EXAMPLE.net", day(3), name="Zoe again")
        assert confirmations.pending(tx, first, day(0)) is None
        confirmations.erase(tx, second)
        third = confirmations.ask(tx, "eve@example.net", day(3), name="Eve")
        assert len({first, second, third}) == 3
        confirmations.ask(tx, "ada@example.net", day(3), player=ADA)
        fifth = confirmations.ask(tx, "ada@example.com", day(3), player=ADA)
        found = confirmations.of_player(tx, ADA, day(0))
        assert found is not None
        assert found.id == fifth
