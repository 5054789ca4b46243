"""Names, addresses and zones that an account may have."""

import pytest

from tests.service.world import World
from turnserver.errors import Refusal

GOOD = ("Zoë", "Jean-Luc O'Hara", "R2 D2", "<b>Bold</b>", "Sandy", "x" * 40, "League of 3", "Liga")
BAD = ("", " ", "17", "a@b", "Smith, John", "Rock & Roll", "size=5", "Tim and Tom", "TIM AND TOM", "x" * 41, "two\x07bells")
LIKE_A_LEAGUE = ("league-1", "LEAGUE 12", "Liga #3")


@pytest.mark.parametrize("name", GOOD)
def test_a_name_that_can_be_shown_and_challenged(world: World, name: str) -> None:
    """It is kept as it is, and a challenge by that name finds its bearer."""
    world.service.people.add(name, "new@example.org", actor="admin:test", cause="test:new")
    assert world.service.people.find(name).name == name
    world.answer("Ada", f"challenge {name} take", mail=world.welcomes["Ada"])
    assert world.outcome() == "done: opened game 1"


@pytest.mark.parametrize("name", BAD + LIKE_A_LEAGUE)
def test_a_name_that_is_refused(world: World, name: str) -> None:
    """With a sentence, and without an account."""
    before = len(world.service.people.everybody())
    with pytest.raises(Refusal, match="name"):
        world.service.people.add(name, "new@example.org", actor="admin:test", cause="test:new")
    assert len(world.service.people.everybody()) == before
