"""Whatever else a mail asks for, a turn that was rolled for stands, so that nobody learns of a roll and then chooses again."""

import pytest

from tests.service.world import World
from turnserver.play.state import Status

TURNS = {"tako": ("add a", "if a99 then pass"), "sneaky-octopuses": ("keeper f11", "if keeper f10 then keeper f1")}


@pytest.mark.parametrize("key", TURNS)
def test_a_turn_stands_if_what_stands_below_it_does_not_fit_the_roll(world: World, key: str) -> None:
    turn, plan = TURNS[key]
    game = world.open_any(key, ["Ada", "Bob"])
    first = world.state(game).to_move
    assert first is not None
    mover = ("Ada", "Bob")[first - 1]
    world.answer(mover, f"{turn}\n\n{plan}")
    state = world.state(game)
    assert [played.text for played in state.line.turns] == [turn]
    assert state.line.turns[0].rolls, "the case that the test is about"
    assert state.plans == (None, None)
    told = world.text(mover)
    assert "Some of your mail did not work." in told
    assert f"| {plan}\n" in told
    assert f"* {turn} is in.\n" in told


def test_a_turn_without_a_roll_does_not_stand_alone(world: World) -> None:
    game = world.open()
    world.answer("Ada", "a2\n\nif a2 then b1")
    assert world.state(game).line.turns == ()


def test_a_seat_is_taken_whatever_the_first_roll_is(world: World) -> None:
    game = world.open_any("tako", ["Ada", "Bob"], accepted=False)
    world.answer("Bob", "accept")
    # It is refused whoever begins, in other words.
    world.answer("Ada", "accept heads or tails\n\nresume")
    assert world.state(game).status is Status.RUNNING
    assert "* You have accepted, and the game has begun.\n" in world.text("Ada")
