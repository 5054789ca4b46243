"""The ledger decides again when another writer was first, until it gives up."""

import pytest

from tests.service.world import World
from turnserver.errors import Conflict, DatabaseBusy
from turnserver.service.games.ledger import ATTEMPTS
from turnserver.store.log.database import Transaction


@pytest.mark.parametrize(("lost", "tries"), [(0, 1), (1, 2), (ATTEMPTS - 1, ATTEMPTS)])
def test_who_loses_the_race_for_a_version_decides_again(world: World, lost: int, tries: int) -> None:
    begun: list[Transaction] = []

    def work(tx: Transaction) -> str:
        begun.append(tx)
        if len(begun) <= lost:
            raise Conflict("the game has grown")
        return "decided"

    assert world.service.ledger.attempt(work) == "decided"
    assert len(set(begun)) == len(begun) == tries


def test_who_loses_every_race_is_told_so(world: World) -> None:
    def work(_: Transaction) -> None:
        raise Conflict("the game has grown")

    with pytest.raises(DatabaseBusy):
        world.service.ledger.attempt(work)
