"""Sneaky Octopuses judged by a second engine, written only to be obviously right: both in the same games and positions, step by step."""

import random
from typing import Any

import pytest

from tests.cases import for_each
from tests.games import lockstep
from tests.games.sneaky_octopuses import naive_sneaky
from tests.games.sneaky_octopuses.listed import EXACTLY, LISTED
from tests.games.sneaky_octopuses.naive_board import Position
from tests.games.sneaky_octopuses.played import PLAYED
from tests.games.sneaky_octopuses.positions import product_position, scattered, without_names
from tests.games.sneaky_octopuses.walks import KINDS, Curious
from tests.shortened import shortened
from turnserver import games

pytestmark = pytest.mark.thorough

KEY = "sneaky-octopuses"
AQUARIUMS = {name: (position, steps) for name, (position, steps, *_) in PLAYED.items()}
AQUARIUMS |= {name: (position, "") for name, (position, *_) in (EXACTLY | LISTED).items() if position.stage == "act"}
"""The small aquariums in which the naive engine is judged, with what is played there."""

LIVELY: list[dict[str, Any]] = [{}, {"target": 1}, {"target": 68, "max_rounds": 60}, {"target": 20}, {"max_rounds": 20}, {}]
"""Options of the games in which much is to happen: won, given up as hopeless, stopped."""

HAPPENING = {
    "keepers step": 100,
    "several keepers step": 10,
    "keepers turn": 100,
    "several keepers turn": 10,
    "a reaction catches": 10,
    "an activated keeper catches": 20,
    "a keeper comes out of a shower": 5,
    "a keeper has to stay in its shower": 5,
    "a chain of 2": 10,
    "the target": 1,
    "too late for all": 1,
    "the last round": 1,
}
"""The things that have to come of the steps, and how often at least."""


class Pair:
    """Both engines in the same position, which is compared after every step."""

    def __init__(self, position: Position) -> None:
        self.rules: Any = games.find(KEY, players=position.players, target=position.target, max_rounds=position.max_rounds).rules
        self.naive = position
        self.state: Any = product_position(position)
        self.legal = lockstep.check_same(self.rules, self.state, naive_sneaky, position)

    def play(self, text: str) -> None:
        self.state = self.rules.apply(self.state, self.rules.parse(self.state, text))
        self.naive = naive_sneaky.play(self.naive, text)
        self.legal = lockstep.check_same(self.rules, self.state, naive_sneaky, self.naive, [text])
        if self.naive.stage == "act":
            assert without_names(self.state) == product_position(self.naive), text


@for_each(("position", "steps"), AQUARIUMS.values(), ids=AQUARIUMS)
def test_the_same_comes_of_steps_in_small_aquariums(position: Position, steps: str) -> None:
    hopeful = position.copy()
    hopeful.fish["h3"], hopeful.target = [5], 1
    pair = Pair(hopeful)
    for text in filter(None, steps.split("; ")):
        pair.play(text)


@pytest.mark.parametrize("seed", shortened(range(3)))
def test_the_same_comes_of_steps_where_everybody_stands_anywhere(seed: int) -> None:
    choices, curious = random.Random(seed), Curious()  # noqa: S311  # repeatable positions, not secrets
    for _ in range(200):
        pair = Pair(scattered(choices))
        for _ in range(8):
            if pair.naive.turn > 40 or not pair.legal:
                break
            pair.play(curious(choices, pair.naive, pair.legal, ()))
    assert {kind: count for kind in KINDS if (count := curious.chosen[kind]) < 5} == {}, "every kind of step several times"


@pytest.mark.parametrize("players", shortened([2, 3, 4]))
def test_curious_games_go_the_same_way(players: int) -> None:
    curious, seen = Curious(), 0
    for number, options in enumerate(LIVELY):
        ways = {"players": players, "max_rounds": 120 // players, **options}
        for position in lockstep.walk(KEY, naive_sneaky, ways, str(number), choose=curious):
            curious.look(position)
            seen += 1
    assert seen >= 2000
    assert {what: curious.happened[what] for what, least in HAPPENING.items() if curious.happened[what] < least} == {}


@pytest.mark.parametrize("players", shortened([4, 3]))
@pytest.mark.parametrize("options", shortened([{}, {"max_rounds": 3}, {"target": 66}], first=2))
def test_games_that_somebody_leaves_go_the_same_way(players: int, options: dict[str, Any]) -> None:
    left = set()
    for seed in range(4):
        ways = {"players": players, **options}
        for position in lockstep.walk(KEY, naive_sneaky, ways, f"leaving {seed}", leaving=0.1, most=200, choose=Curious()):
            left |= position.left
    assert len(left) > 1


@pytest.mark.parametrize("players", shortened([4, 3]))
@pytest.mark.parametrize("leaving", shortened([0.05, 0.0]))
def test_games_with_skipped_turns_go_the_same_way(players: int, leaving: float) -> None:
    ways = {"players": players, "max_rounds": 20}
    for seed in range(4):
        *_, last = lockstep.walk(KEY, naive_sneaky, ways, f"skipping {seed}", leaving=leaving, skipping=0.5, most=200, choose=Curious())
        assert last.turn > 10


@pytest.mark.parametrize("players", shortened([4, 2, 3]))
def test_aimless_games_go_the_same_way(players: int) -> None:
    *_, last = lockstep.walk(KEY, naive_sneaky, {"players": players, "max_rounds": 15}, "aimless")
    assert naive_sneaky.turn(last)[0] == "over"
