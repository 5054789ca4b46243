"""The house player of TAKO, which plays as well as can be."""

import random
from time import process_time

import pytest

from tests.cases import for_each
from tests.games.tako.piles import played, position, rules_for
from turnserver import games
from turnserver.games.tako import house
from turnserver.games.tako.position import Position
from turnserver.games.tako.rules import TakoRules
from turnserver.rules import Choose, Over

ALL = "pass add"


def first_players_chance(rules: TakoRules) -> float:
    """The mean over all rolls of the first turn, each answered by the house."""
    begun = played(rules, "2 1")
    rolled = [rules.apply(begun, roll) for roll in rules.steps(begun)]
    chances = [1 - house.chance(rules.options, rules.apply(state, house.choose(rules, state))) for state in rolled]
    return sum(chances) / len(chances)


@pytest.mark.parametrize(("variant", "percent"), [("standard", 49.67), ("adept", 48.98)])
def test_ruling_8_what_perfect_play_gives_the_first_player(variant: str, percent: float) -> None:
    assert round(100 * first_players_chance(rules_for(variant=variant)), 2) == percent


@for_each(
    ("state", "chance"),
    [
        pytest.param(position(0, 0), 0, id="nothing to take and no option"),
        pytest.param(position(1, 0), 7 / 12, id="one stone goes on six HIs and on LO 1"),
        pytest.param(position(0, 1), 7 / 12, id="whichever pile it lies on"),
        # HI 1 leaves one stone, which the opponent gets 7 times out of 12; HI 2 to 6, LO 1 and LO 2 take both; LO 3 to 6 lose.
        pytest.param(position(1, 1), (5 / 12 + 7) / 12, id="one stone in each pile"),
        pytest.param(position(0, 0, white="add"), 5 / 12, id="an add leaves one stone to the opponent"),
        pytest.param(position(0, 0, white="pass"), 1, id="a pass that cannot be answered"),
        pytest.param(position(0, 0, white="pass", black="pass"), 0, id="a pass that is passed back"),
        # White has to pass and Black to add; two stones in one pile are then worth as much as one in each.
        pytest.param(position(1, 0, "LO 6", white="pass", black="add"), (5 / 12 + 7) / 12, id="by the roll that is there"),
    ],
)
def test_chances_worked_out_by_hand(state: Position, chance: float) -> None:
    assert house.chance(rules_for().options, state) == pytest.approx(chance, abs=1e-12)


@for_each(
    ("state", "move"),
    [
        pytest.param(position(3, 0, "LO 1", black=""), "a3", id="takes the last stones"),
        pytest.param(position(2, 2, "LO 1"), "ab2", id="from both piles"),
        pytest.param(position(3, 0, "LO 6", white=ALL), "pass", id="passes a roll that cannot be answered"),
        pytest.param(position(6, 0, "LO 6", white="pass", black="pass"), "a6", id="keeps its pass to answer the opponent's"),
        pytest.param(position(5, 0, "LO 5", white="pass", purses=(0, 20)), "a5", id="first in canonical order among winning moves"),
        pytest.param(position(1, 0, "HI 6", white="pass", purses=(20, 0)), "a1", id="wins at once"),
    ],
)
def test_choice(state: Position, move: str) -> None:
    rules = rules_for()
    assert str(house.choose(rules, state)) == move


def test_purses_do_not_matter() -> None:
    rules = rules_for(betting=True)
    rolled = played(rules, "4 1, HI 6")
    later = rolled._replace(turn=9)
    assert {house.choose(rules, later._replace(purses=purses)) for purses in ((0, 0), (40, 0), (0, 40))} == {
        house.choose(rules_for(), later),
    }


def test_the_first_move_never_takes_all() -> None:
    rules = rules_for(variant="adept", betting=True, stake=5)
    begun = played(rules, "4 1")
    for roll in rules.steps(begun):
        state = rules.apply(begun, roll)
        assert house.choose(rules, state) in rules.steps(state)


def test_the_first_move_comes_within_a_second_of_work() -> None:
    rules = rules_for(variant="adept", betting=True, stake=15)
    house._chances.cache_clear()
    began = process_time()
    house.choose(rules, played(rules, "9 4, LO 1"))
    assert process_time() - began < 1


@pytest.mark.long
@pytest.mark.parametrize("variant", ["standard", "adept"])
def test_beats_a_random_player(variant: str) -> None:
    game, player = games.find("tako", variant=variant), games.house("tako")
    won = 0
    for number in range(100):
        chance, house_seat, state = random.Random(number), 1 + number % 2, game.rules.start()  # noqa: S311  # a repeatable opponent
        while not isinstance(pending := game.rules.next(state), Over):
            ours = isinstance(pending, Choose) and pending.seat == house_seat
            step = player(game, state) if ours else chance.choice(game.rules.steps(state))
            state = game.rules.apply(state, step)
        won += house_seat in pending.winners
    assert won >= 70
