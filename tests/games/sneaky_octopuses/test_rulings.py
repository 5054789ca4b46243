"""Rulings 1 to 6 of Sneaky Octopuses and what the fine points add to them, on positions made by hand."""

from itertools import permutations

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.changes import QUIET, RULES, check_changes, legal
from tests.games.sneaky_octopuses.scenes import play, scene
from turnserver.games.sneaky_octopuses.board import FISH_SQUARES, NAMES, TANKS
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.rules import Choose, Roll, Seat


def dealt(colours: str, rules: SneakyRules = RULES) -> Position:
    """The position after these fish were dealt, one after another."""
    state = rules.start()
    for square, colour in zip(FISH_SQUARES, colours, strict=False):
        state = rules.apply(state, rules.parse(state, f"deal {NAMES[square]} {colour}"))
    return state


GOOD_DEAL = "534351421322424152153531"
"""In reading order. Its tanks from end to end: 534, 312, 542, 213, 425, 213, 415, 531."""


def count_good_deals(colours: str) -> int:
    """Return the number of ways in which the deal can go on, by trying every order of the fish that are left."""
    left = [colour for colour in "12345" for _ in range(5 - colours.count(colour))]
    found = set()
    for order in set(permutations(left)):
        fish = dict(zip(FISH_SQUARES, (*colours, *order), strict=False))
        if all(len({fish[square] for square in tank}) == 3 for tank in TANKS):
            found.add(order)
    return len(found)


@for_each("count", [17, 18, 19, 20, 21, 22, 23])
def test_ruling_1_a_colour_weighs_as_much_as_the_good_deals_that_go_on_with_it(count: int) -> None:
    state = dealt(GOOD_DEAL[:count])
    expected = {
        f"deal {NAMES[FISH_SQUARES[count]]} {colour}": ways
        for colour in "12345"
        if GOOD_DEAL[:count].count(colour) < 5 and (ways := count_good_deals(GOOD_DEAL[:count] + colour))
    }
    pending = RULES.next(state)
    assert isinstance(pending, Roll)
    assert dict(zip(legal(state, ""), pending.weights, strict=True)) == expected
    assert (pending.seat, pending.turn) == (1, 1)


@for_each(
    ("colours", "offered"),
    [
        pytest.param("", "c9 1, c9 2, c9 3, c9 4, c9 5", id="any first fish"),
        pytest.param("53", "e9 1, e9 2, e9 4", id="no colour twice in a tank"),
        pytest.param("5343514213224241521535", "h3 1, h3 3, h3 4", id="a colour that is used up is not offered"),
        pytest.param("45135543524152312344", "e3 1", id="with 3 on e3 only 1, 1, 2, 2 would be left for the three squares of a tank"),
    ],
)
def test_ruling_1_no_tank_holds_a_colour_twice(colours: str, offered: str) -> None:
    assert ", ".join(legal(dealt(colours), "deal")).replace("deal ", "") == offered


@pytest.mark.parametrize(("players", "names"), [(2, "blue purple"), (3, "blue red purple"), (4, "blue red purple green")])
def test_the_first_player_is_drawn_among_those_who_play(players: int, names: str) -> None:
    rules = SneakyRules(Options(players=players))
    state = dealt(GOOD_DEAL, rules)
    assert rules.next(state) == Roll(Seat(1), 1, (1,) * players)
    assert legal(state, "", rules=rules) == [f"first {name}" for name in names.split()]
    last = rules.apply(state, rules.steps(state)[-1])
    assert rules.next(last) == Choose(Seat(players), 1)


def test_ruling_1_four_octopuses_begin_in_a_home_of_five_squares() -> None:
    state = dealt(GOOD_DEAL)
    state = RULES.apply(state, RULES.parse(state, "first red"))
    assert legal(state, "Speedy", "Tako", "Squish", "Squirt") == [
        f"{name} escape {square}" for name in ("Speedy", "Tako", "Squish", "Squirt") for square in ("i10", "j9", "j10")
    ]


def test_ruling_2_actions_are_optional_and_the_keeper_is_not() -> None:
    state = scene("Blue Tako b9", fish="3 c9")
    assert legal(state, "keeper") == ["keeper f11", "keeper a6", "keeper k6", "keeper f1"]
    named, _ = play(state, "keeper a6")
    assert RULES.next(named) == Roll(Seat(1), 7, (1,) * 6)
    assert legal(named, "") == ["die 1", "die 2", "die 3", "die 4", "die 5", "die 6"]
    rolled, _ = play(named, "die 3")
    assert RULES.next(rolled) == Choose(Seat(2), 8)


@for_each("action", ["Speedy escape b10", "Tako move b9-b8", "Tako steal c9", "Tako throw 4 b8", "Squish move d10-d8", "Squirt ink N"])
def test_ruling_2_each_octopus_has_one_action(action: str) -> None:
    state = scene("Blue Tako b9, Blue Squish d10, Blue Squirt f4", fish="3 c9, 4 b9", keepers=QUIET)
    name = action.split(maxsplit=1)[0]
    assert action in legal(state, name)
    acted, _ = play(state, action)
    assert legal(acted, name) == []
    assert legal(acted, "Tako" if name != "Tako" else "Squish")
    over, _ = play(acted, "keeper e11; die 1")
    assert over.acted == 0


def test_ruling_3_every_path_of_up_to_three_squares() -> None:
    paths = "b10 b10-b9 b10-b9-b8 b10-b9-b10 b10-c10 b10-c10-b10 b10-c10-d10 b8 b8-b7 b8-b7-b6 b8-b7-b8"
    paths += " b8-b9 b8-b9-b8 b8-b9-b10 b8-c8 b8-c8-b8 b8-c8-d8"
    moves = [text.removeprefix("Tako move b9-") for text in legal(scene("Blue Tako b9"), "Tako move")]
    assert sorted(moves) == sorted(paths.split())


@pytest.mark.parametrize(
    ("octopuses", "name", "squares"),
    [
        pytest.param("Blue Tako f10", "Tako", "c10 d10 e10 e8 f7 f8 f9 g10 h10 h9 i10", id="not into the entrance f11"),
        pytest.param("Blue Tako b6", "Tako", "b3 b4 b5 b7 b8 b9 c6 c8 d5 d6 e6", id="not into the entrance a6 or the shower a5"),
        pytest.param("Blue Tako b10", "Tako", "b7 b8 b9 c10 c8 d10 e10", id="not into the home tank"),
    ],
)
def test_ruling_3_where_a_move_can_end(octopuses: str, name: str, squares: str) -> None:
    here = octopuses.rsplit(maxsplit=1)[-1]
    ends = {text.rsplit("-", 1)[1] for text in legal(scene(octopuses), f"{name} move")} - {here}
    assert sorted(ends) == squares.split()


@for_each(
    ("octopuses", "fish", "steps", "expected"),
    [
        pytest.param("Blue Tako b9", "3 c9, 5 d9", "Tako steal c9", "3 b9", id="a steal: the fish comes onto the thief's square"),
        pytest.param("Blue Tako b9", "3 c9, 5 b9", "Tako steal c9", "3 b9", id="any number can lie there"),
        pytest.param("Blue Tako b9", "3 b9, 5 b9", "Tako move b9+5-b8-b7", "Blue Tako b7, 5 b7", id="one fish comes along"),
        pytest.param("Blue Tako b9", "3 b9, 3 b9", "Tako move b9+3-b8", "Blue Tako b8, 3 b8", id="one of two alike"),
        pytest.param("Blue Tako b9", "3 b9, 5 b9", "Tako move b9-b8", "Blue Tako b8", id="fine point: or none"),
        pytest.param("Blue Tako b9", "4 b8", "Tako move b9-b8+4-b7", "Blue Tako b7, 4 b7", id="picked up in passing"),
        pytest.param("Blue Tako b9", "4 b8", "Tako move b9-b8-b7", "Blue Tako b7", id="or not picked up"),
        pytest.param("Blue Tako b9", "3 b9, 4 b8", "Tako move b9+3-b8+4-b7", "Blue Tako b7, 4 b7, 3 b8", id="fine point: swapped"),
        pytest.param(
            "Blue Tako b9", "3 b9, 4 b8, 5 b7", "Tako move b9+3-b8+4-b7+5-b6", "Blue Tako b6, 5 b6, 4 b7, 3 b8", id="swapped twice"
        ),
        pytest.param(
            "Blue Tako b9", "3 b9, 4 b9", "Tako move b9+3-b8-b9+4-b8", "Blue Tako b8, 4 b8", id="fine point: back, and swapped there"
        ),
        pytest.param("Blue Tako b9", "3 b9", "Tako move b9-b8-b9+3-b8", "Blue Tako b8, 3 b8", id="fine point: back for what was left"),
        pytest.param("Blue Tako b9", "3 b9", "Tako move b9+3-b8-b9", "", id="fine point: there and back"),
        pytest.param("Blue Tako b9, Blue Squish b8", "4 b8", "Tako move b9-b8-b7", "Blue Tako b7", id="past a team-mate and its fish"),
    ],
)
def test_ruling_4_fish(octopuses: str, fish: str, steps: str, expected: str) -> None:
    check_changes(scene(octopuses, fish=fish, keepers=QUIET), steps, expected)


@for_each(
    ("octopuses", "fish", "beginning", "expected"),
    [
        pytest.param("Blue Tako b9", "3 c9, 5 c7, 1 d9", "Tako steal", "Tako steal c9", id="only from a tank square next to it"),
        pytest.param("Blue Tako c8", "3 c9, 5 c7, 1 d9", "Tako steal", "Tako steal c7, Tako steal c9", id="from two tanks"),
        pytest.param("Blue Tako i10, Red Tako j9", "", "Tako steal", "", id="nothing from a home tank"),
        pytest.param("Blue Tako b9, Blue Squish b8", "4 b8", "Tako move b9-b8+", "", id="fine point: not under a team-mate"),
        pytest.param("Blue Tako b9, Red Squish b8", "4 b8", "Tako move b9-b8+", "", id="fine point: not under an opponent"),
        pytest.param("Blue Tako b9", "3 b9, 3 b8", "Tako move b9+3-b8+", "", id="not for one of the same colour"),
        pytest.param("Blue Tako b9", "3 b9", "Tako move b9+3-b8-b9+", "", id="not the fish that came along and is carried still"),
        pytest.param("Blue Tako b9", "3 b9, 4 b8", "Tako move b9+3-b8+4-b9+", "", id="nor the one that came along and was swapped"),
        pytest.param(
            "Blue Tako b9", "3 b9, 3 b9", "Tako move b9-b8-b9+", "Tako move b9-b8-b9+3-b10, Tako move b9-b8-b9+3-b8", id="one way"
        ),
    ],
)
def test_ruling_4_what_can_be_taken(octopuses: str, fish: str, beginning: str, expected: str) -> None:
    assert sorted(legal(scene(octopuses, fish=fish), beginning)) == sorted(text.strip() for text in expected.split(",") if text)


@for_each(
    ("octopuses", "keepers", "moves"),
    [
        pytest.param("Blue Tako b9, Red Tako b8", "", "b9-b8-b7, b9-b8-b9, b9-b8-c8", id="two steps, also back to where it began"),
        pytest.param("Blue Tako b9, Red Tako b8, Red Squish c8", "", "b9-b8-b7, b9-b8-b9", id="only onto a free square"),
        pytest.param("Blue Tako b9, Red Tako b8, Blue Squish b7", "", "b9-b8-b9, b9-b8-c8", id="not onto a team-mate"),
        pytest.param("Blue Tako b9, Red Tako b8", "west b7 north", "b9-b8-b9, b9-b8-c8", id="fine point: not onto a keeper"),
        pytest.param("Blue Squish c8, Red Tako d8", "", "c8-d8-c8, c8-d8-e8", id="fine point: the second step is no squeeze"),
        pytest.param("Blue Squish d10, Red Tako d8", "", "", id="fine point: nor is the first one"),
    ],
)
def test_ruling_5_passing_an_opponent(octopuses: str, keepers: str, moves: str) -> None:
    name, here = octopuses.split(",", maxsplit=1)[0].split()[1:]
    foe = octopuses.split(",")[1].rsplit(maxsplit=1)[-1]
    found = [text for text in legal(scene(octopuses, keepers=keepers), f"{name} move {here}") if f"-{foe}" in text]
    assert sorted(found) == sorted(f"{name} move {path.strip()}" for path in moves.split(",") if path)


def test_ruling_5_an_opponent_further_on_is_not_passed() -> None:
    assert not [text for text in legal(scene("Blue Tako b10, Red Tako b8"), "Tako move") if "b8" in text]


def test_ruling_5_team_mates_are_passed_but_not_stood_on() -> None:
    moves = legal(scene("Blue Tako b9, Blue Squish b8"), "Tako move b9-b8")
    assert moves == [f"Tako move b9-b8-{rest}" for rest in "b7 b7-b6 c8 c8-d8 b9 b9-b10".split()]


@for_each(
    ("octopuses", "keepers", "fish", "steps", "expected"),
    [
        pytest.param("Blue Tako b9", "west b8 north", "", "Tako move b9-b8; shower k7", "Blue Tako home, west k7 west", id="a move"),
        pytest.param(
            "Blue Tako b9",
            "west b8 north",
            "3 b9, 4 b9",
            "Tako move b9+3-b8; shower a5",
            "Blue Tako home, west a5 east, 3 b8",
            id="fish stay",
        ),
        pytest.param("", "west b9 north", "", "Tako escape b9; shower g1", "west g1 north", id="fine point: an escape"),
        pytest.param(
            "Blue Speedy b9",
            "west b4 south, east a5 east",
            "",
            "Speedy slide b4; shower e11",
            "Blue Speedy home, west e11 south",
            id="a slide",
        ),
    ],
)
def test_ruling_6_running_into_a_keeper(octopuses: str, keepers: str, fish: str, steps: str, expected: str) -> None:
    check_changes(scene(octopuses, keepers=keepers, fish=fish), steps, expected)


def test_ruling_6_contact_ends_the_move() -> None:
    found = [text for text in legal(scene("Blue Tako b9", keepers="west b8 north"), "Tako move") if "b8" in text]
    assert found == ["Tako move b9-b8", "Tako move b9-b10-b9-b8"]


@pytest.mark.parametrize(
    ("keepers", "showers"),
    [
        ("west b8 north", "e11 k7 a5 g1"),
        ("west b8 north, south a5 east", "e11 k7 g1"),
        ("west b8 north, south a5 east, east g1 north, north k7 west", "e11"),
    ],
)
def test_ruling_6_the_player_chooses_a_shower_without_a_keeper(keepers: str, showers: str) -> None:
    state, _ = play(scene("Blue Tako b9", keepers=keepers), "Tako move b9-b8")
    assert RULES.next(state) == Choose(Seat(1), 7)
    assert legal(state, "") == [f"shower {square}" for square in showers.split()]


def test_ruling_6_a_keeper_that_walks_onto_an_octopus_stays() -> None:
    before = scene("Blue Tako f8", keepers="north f10 south", fish="3 f8, 4 f8")
    check_changes(before, "keeper f10; die 1", "Blue Tako home, north f8 south")
