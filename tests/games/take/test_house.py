"""The house player of Take."""

import random

import pytest

from tests.games.take.boards import position, rules_for
from turnserver import games
from turnserver.games.take import house
from turnserver.games.take.position import Options
from turnserver.games.take.rules import TakeRules
from turnserver.rules import Over


@pytest.mark.parametrize(
    ("before", "to_move", "move"),
    [
        pytest.param("BR/#R#/##", "Red", "b1", id="wins at once"),
        pytest.param("R#/R#B/RB", "Blue", "c2", id="wins although all stones go"),
        pytest.param("B#/R.R/..", "Blue", "b2", id="does not remove its own last stones, as c2 would"),
    ],
)
def test_choice(before: str, to_move: str, move: str) -> None:
    rules, state = rules_for(before), position(before, to_move)
    assert rules.board.names[house.choose(rules, state)] == move


def test_where_it_cannot_look_far_it_looks_as_far_as_it_can() -> None:
    """It counts the positions that it looks at, and not the time."""
    rules = TakeRules(Options(size=5))
    state = rules.start()
    with pytest.raises(house._TooFarError):
        house._Search(rules, 10).best(state, rules.steps(state), 3)
    assert house.choose(rules, state) in rules.steps(state)


AGAINST_CHANCE = [
    (3, "standard", 20, 19),  # looking two steps ahead on every board it won four of five
    (3, "high-churn", 10, 9),
    (4, "standard", 8, 8),
    (5, "standard", 4, 4),
]


@pytest.mark.long
@pytest.mark.parametrize(("size", "variant", "games_played", "at_least"), AGAINST_CHANCE)
def test_beats_a_random_player(size: int, variant: str, games_played: int, at_least: int) -> None:
    game, player = games.find("take", size=size, variant=variant), games.house("take")
    won = 0
    for number in range(games_played):
        chance, house_seat, state = random.Random(number), 1 + number % 2, game.rules.start()  # noqa: S311  # a repeatable opponent
        while not isinstance(pending := game.rules.next(state), Over):
            step = player(game, state) if pending.seat == house_seat else chance.choice(game.rules.steps(state))
            state = game.rules.apply(state, step)
        won += house_seat in pending.winners
    assert won >= at_least
