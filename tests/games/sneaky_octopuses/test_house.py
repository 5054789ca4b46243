"""The house player of Sneaky Octopuses."""

import random

import pytest

from tests.games.sneaky_octopuses.changes import QUIET, RULES
from tests.games.sneaky_octopuses.scenes import scene
from turnserver.games.sneaky_octopuses import house
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules, SneakyTable
from turnserver.rules import Choose, Over, Roll
from turnserver.rules.kit import parse_turn

PLENTY = "1 c9, 2 d9, 3 e9, 4 g9, 5 g8, 1 g7, 3 i9, 2 i8, 4 i7"


def turn(rules: SneakyRules, state: Position) -> list[str]:
    """The steps of the house player's turn."""
    pending, texts = rules.next(state), []
    while rules.next(state) == pending:
        step = house.choose(rules, state)
        assert step in rules.steps(state)
        texts.append(rules.format(state, step))
        state = rules.apply(state, step)
    return texts


@pytest.mark.parametrize(
    ("octopuses", "keepers", "fish", "home", "expected"),
    [
        pytest.param("Blue Tako b9", QUIET, f"3 b9, {PLENTY}", "Blue 3 3 3", ["Tako throw 3 home"], id="wins at once"),
        pytest.param("Blue Tako b9", QUIET, f"3 b9, {PLENTY}", "", ["Tako throw 3 home"], id="throws home what it has there"),
        pytest.param(
            "Blue Squirt b5, Blue Tako b10",
            QUIET,
            f"3 b5, {PLENTY}",
            "Blue 3 3 3",
            ["Squirt throw 3 b10", "Tako throw 3 home"],
            id="wins with a chain",
        ),
    ],
)
def test_choices(octopuses: str, keepers: str, fish: str, home: str, expected: list[str]) -> None:
    texts = turn(RULES, scene(octopuses, keepers=keepers, fish=fish, home=home))
    assert texts[: len(expected)] == expected


def test_names_a_keeper_to_catch_an_opponent() -> None:
    state = scene("Red Speedy f3, Purple Tako j4", keepers="south f1 north, north e11 south, east k7 west, west a5 east", fish="3 f3, 3 f4")
    assert turn(SneakyRules(Options()), state._replace(acted=0b1111)) == ["keeper f1"]


@pytest.mark.thorough
@pytest.mark.parametrize("players", [2, 3, 4])
def test_its_turns_end_and_so_do_its_games(players: int) -> None:
    options = Options(players=players, target=6)
    rules = SneakyTable(options) if players > 2 else SneakyRules(options)
    state, chance = rules.start(), random.Random(players)  # noqa: S311  # a repeatable game
    turns = 0
    while not isinstance(pending := rules.next(state), Over):
        if isinstance(pending, Roll):
            (step,) = chance.choices(rules.steps(state), pending.weights)
            state = rules.apply(state, step)
            continue
        texts = turn(rules, state)
        assert len(texts) <= 20
        state = parse_turn(rules, state, "; ".join(texts)).state
        turns += 1
    assert max(pending.scores) >= 6
    assert turns <= 25 * players


@pytest.mark.long
@pytest.mark.parametrize("house_seat", [1, 2])
def test_beats_a_random_player(house_seat: int) -> None:
    rules = SneakyRules(Options(players=2, target=3))
    state, chance = rules.start(), random.Random(house_seat)  # noqa: S311  # a repeatable opponent
    while not isinstance(pending := rules.next(state), Over):
        legal = rules.steps(state)
        step = house.choose(rules, state) if isinstance(pending, Choose) and pending.seat == house_seat else chance.choice(legal)
        state = rules.apply(state, step)
    assert pending.winners == {house_seat}
