"""Rulings 7 to 9 of Sneaky Octopuses and what the fine points add to them: throws, chains, points, ink, and what each can do."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.changes import QUIET, RULES, check_changes, legal
from tests.games.sneaky_octopuses.scenes import play, scene
from turnserver.games.sneaky_octopuses.board import NAMES
from turnserver.games.sneaky_octopuses.happenings import Inked
from turnserver.games.sneaky_octopuses.position import Options
from turnserver.games.sneaky_octopuses.resolve import resolve
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.rules import Choose, Over, Seat


@for_each(
    ("octopuses", "keepers", "goals"),
    [
        pytest.param("Blue Tako b8", QUIET, "b2 b3 b4 b5 b6 b7 b9 b10 c8 d8 e8 f8", id="over empty floor, as far as walls and tanks"),
        pytest.param("Blue Tako b8, Red Tako b6, Blue Squish d8", QUIET, "b6 b7 b9 b10 c8 d8", id="as far as the first piece"),
        pytest.param("Blue Tako b8, Red Tako b9", "west d8 north", "b2 b3 b4 b5 b6 b7 b9 c8 d8", id="or keeper"),
        pytest.param("Blue Tako f9", QUIET, "f2 f3 f4 f5 f6 f7 f8 f10", id="fine point: never into an empty entrance"),
        pytest.param("Blue Tako f9", "", "f1 f2 f3 f4 f5 f6 f7 f8 f10 f11", id="fine point: at a keeper in an entrance"),
    ],
)
def test_ruling_7_where_a_fish_can_be_thrown(octopuses: str, keepers: str, goals: str) -> None:
    here = octopuses.split(",", maxsplit=1)[0].rsplit(maxsplit=1)[-1]
    found = legal(scene(octopuses, keepers=keepers, fish=f"3 {here}"), "Tako throw")
    assert sorted(text.removeprefix("Tako throw 3 ") for text in found) == sorted(goals.split())


def test_ruling_7_each_fish_that_he_holds_can_be_thrown() -> None:
    state = scene("Blue Tako f9, Blue Squish f8", keepers=QUIET, fish="3 f9, 5 f9, 5 f9, 1 f8")
    assert legal(state, "Tako throw") == ["Tako throw 3 f8", "Tako throw 3 f10", "Tako throw 5 f8", "Tako throw 5 f10"]


@for_each(
    ("octopuses", "keepers", "steps", "expected"),
    [
        pytest.param("Blue Tako b8", QUIET, "Tako throw 3 b4", "3 b4", id="onto the floor"),
        pytest.param("Blue Tako b8, Red Squirt b4", QUIET, "Tako throw 3 b4", "3 b4, Red Squirt home", id="at an opponent"),
        pytest.param("Blue Tako b8, Red Squirt b10", QUIET, "Tako throw 3 b10", "3 b10, Red Squirt home", id="in a corner as well"),
        pytest.param("Blue Tako b8", "west b4 south", "Tako throw 3 b4; shower g1", "3 b4, west g1 north", id="at a keeper"),
        pytest.param("Blue Tako f8", "", "Tako throw 3 f11; shower e11", "3 f10, north e11 south", id="at a keeper in an entrance"),
        pytest.param("Blue Tako f10", "", "Tako throw 3 f11; shower e11", "north e11 south", id="fine point: from the square before it"),
        pytest.param("Blue Tako b8, Blue Squish b4", QUIET, "Tako throw 3 b4; Squish keep", "3 b4", id="to a team-mate"),
        pytest.param("Blue Tako b8, Blue Squish b4", QUIET, "Tako throw 3 b4; Squish throw 3 b2", "3 b2", id="who throws it on"),
        pytest.param(
            "Blue Tako b8, Blue Squish b4, Red Tako b2",
            QUIET,
            "Tako throw 3 b4; Squish throw 3 b2",
            "3 b2, Red Tako home",
            id="at an opponent",
        ),
        pytest.param(
            "Blue Tako b8, Blue Squish b10, Blue Speedy e10",
            QUIET,
            "Tako throw 3 b10; Squish throw 3 e10; Speedy throw 3 h10",
            "3 h10",
            id="three throws",
        ),
        pytest.param(
            "Blue Tako b8, Blue Squish b10", QUIET, "Tako throw 3 b10; Squish throw 3 home", "Blue home 3", id="home at the end of a chain"
        ),
        pytest.param("Blue Tako b8, Blue Squish b4", QUIET, "Tako throw 3 b4; Squish throw 3 b8; Squish steal c4", "1 b4", id="and back"),
        pytest.param("Blue Tako b9", QUIET, "Tako throw 3 home", "Blue home 3", id="home"),
    ],
)
def test_ruling_7_throws(octopuses: str, keepers: str, steps: str, expected: str) -> None:
    here = octopuses.split(",", maxsplit=1)[0].rsplit(maxsplit=1)[-1]
    check_changes(scene(octopuses, keepers=keepers, fish=f"3 {here}, 4 {here}, 1 c4"), steps, expected)


@for_each(
    ("steps", "choices"),
    [
        pytest.param("Tako throw 3 b4", "Squish keep, Squish throw 3 ", id="keep it, or throw it on"),
        pytest.param(
            "Tako throw 3 b4; Squish throw 3 b8", "Speedy , Squish , Squirt , keeper ", id="the thrower has handled it: no choice"
        ),
        pytest.param("Tako throw 3 b10; Speedy keep", "Speedy , Squish , Squirt , keeper ", id="a receiver has an action of its own yet"),
        pytest.param(
            "Tako throw 3 b10; Speedy throw 3 b8", "Speedy , Squish , Squirt , keeper ", id="so has one who has thrown in the chain"
        ),
    ],
)
def test_ruling_7_choices_in_and_after_a_chain(steps: str, choices: str) -> None:
    state, _ = play(scene("Blue Tako b8, Blue Squish b4, Blue Speedy b10", keepers=QUIET, fish="3 b8, 4 b4"), steps)
    beginnings = choices.split(", ")
    assert all(legal(state, beginning) for beginning in beginnings)
    assert legal(state, "") == legal(state, *beginnings)
    assert RULES.next(state) == Choose(Seat(1), 7)


def test_ruling_7_only_the_thrown_fish_is_thrown_on() -> None:
    state, _ = play(scene("Blue Tako b8, Blue Squish b4", keepers=QUIET, fish="3 b8, 4 b4"), "Tako throw 3 b4")
    throws = ["Squish throw 3 b2", "Squish throw 3 b3", *(f"Squish throw 3 b{rank}" for rank in (5, 6, 7, 8))]
    assert legal(state, "") == ["Squish keep", *throws]


@for_each(("square", "can"), [("b9", True), ("b10", True), ("c10", True), ("b8", False), ("j10", False)])
def test_ruling_7_home_is_reached_from_the_squares_beside_it(square: str, can: bool) -> None:
    assert ("Tako throw 3 home" in legal(scene(f"Blue Tako {square}", fish=f"3 {square}"), "Tako throw")) == can


@for_each(
    ("home", "points"),
    [
        ("Blue 3", 1),
        ("Blue 3 3", 3),
        ("Blue 3 3 3", 6),
        ("Blue 3 3 3 3 3", 15),
        ("Blue 1 2 3 4 5", 5),
        ("Blue 1 1 2 2 2", 9),
    ],
)
def test_ruling_7_the_next_of_a_colour_is_worth_a_point_more(home: str, points: int) -> None:
    assert scene(home=home).points == (points, 0, 0, 0)


@for_each(
    ("target", "home", "over"),
    [
        pytest.param(10, "Blue 3 3 3", Over(frozenset({Seat(1)}), "Blue has 10 points", (10, 0, 0, 0)), id="exactly"),
        pytest.param(10, "Blue 3 3 3 1 1", Over(frozenset({Seat(1)}), "Blue has 13 points", (13, 0, 0, 0)), id="more than that"),
        pytest.param(1, "Red 4", Over(frozenset({Seat(1)}), "Blue has 1 point", (1, 0, 0, 0)), id="the least that can be chosen"),
        pytest.param(10, "Blue 3 3 1 1", None, id="a point is missing"),
    ],
)
def test_ruling_7_the_target_wins_at_once(target: int, home: str, over: Over | None) -> None:
    rules = SneakyRules(Options(target=target))
    state = scene("Blue Tako b9, Blue Squish c10", fish="3 b9, 1 c9, 1 d9, 1 e9", home=home if target > 1 else "")
    after = rules.apply(state, rules.parse(state, "Tako throw 3 home"))
    assert rules.next(after) == (over or Choose(Seat(1), 7))
    assert bool(rules.steps(after)) == (over is None)


def test_ruling_7_a_chain_can_win() -> None:
    state = scene("Blue Tako b8, Blue Squish b10", fish="3 b8", home="Blue 3 3 3")
    after, _ = play(state, "Tako throw 3 b10; Squish throw 3 home")
    assert RULES.next(after) == Over(frozenset({Seat(1)}), "Blue has 10 points", (10, 0, 0, 0))


@for_each(
    ("octopuses", "keepers", "steps", "expected"),
    [
        pytest.param("Blue Squirt b9, Red Tako b4", QUIET, "Squirt ink S", "Red Tako home", id="an opponent"),
        pytest.param("Blue Squirt b9, Blue Tako b4", QUIET, "Squirt ink S", "Blue Tako home", id="an own octopus"),
        pytest.param("Blue Squirt b9, Red Tako b8", QUIET, "Squirt ink S", "Red Tako home", id="right before the octopus"),
        pytest.param("Blue Squirt b9, Red Tako b4, Red Squish b7", QUIET, "Squirt ink S", "Red Squish home", id="the first in line only"),
        pytest.param("Blue Squirt b9", QUIET, "Squirt ink S", "", id="nobody"),
        pytest.param("Blue Squirt b9, Red Tako b2", QUIET, "Squirt ink S", "", id="not in a corner"),
        pytest.param("Blue Squirt d10, Red Tako j10", QUIET, "Squirt ink E", "", id="nor in that one"),
        pytest.param(
            "Blue Squirt b9",
            "north e11 south, east g1 north, south a5 east, west b2 north",
            "Squirt ink S; shower k7",
            "west k7 west",
            id="a keeper, also in a corner",
        ),
        pytest.param(
            "Blue Squirt f8", "south g1 north", "Squirt ink N; shower a5", "north a5 east", id="fine point: a keeper in an entrance"
        ),
        pytest.param("Blue Squirt d8, Red Tako d10", QUIET, "Squirt ink E", "", id="along the row"),
    ],
)
def test_ruling_8_ink(octopuses: str, keepers: str, steps: str, expected: str) -> None:
    check_changes(scene(octopuses, keepers=keepers, fish="5 b4, 2 b8"), steps, expected)


@for_each(
    ("octopuses", "steps", "end"),
    [
        ("Blue Squirt f10", "Squirt ink N", "f11"),
        ("Blue Squirt b9", "Squirt ink S", "b2"),
        ("Blue Squirt b9, Red Tako b2", "Squirt ink S", "b2"),
        ("Blue Squirt f8, Red Tako f4", "Squirt ink S", "f4"),
        ("Blue Squirt j7", "Squirt ink N", "j10"),
        ("Blue Squirt d6", "Squirt ink W", "a6"),
    ],
)
def test_ruling_8_fine_point_how_far_a_jet_runs(octopuses: str, steps: str, end: str) -> None:
    state = scene(octopuses, keepers=QUIET)
    _, happened = resolve(Options(), state, RULES.parse(state, steps))
    assert [NAMES[one.end] for one in happened if isinstance(one, Inked)] == [end]


@for_each(
    ("square", "directions"),
    [
        pytest.param("b9", "N S", id="not into tanks and homes"),
        pytest.param("f10", "N E S W", id="fine point: into an entrance"),
        pytest.param("d6", "E S W", id="not into a tank"),
        pytest.param("j7", "N S", id="not into a shower"),
        *(pytest.param(corner, "", id=f"not out of the corner {corner}") for corner in ("b10", "j10", "j2", "b2")),
    ],
)
def test_ruling_8_where_ink_can_be_shot(square: str, directions: str) -> None:
    assert legal(scene(f"Blue Squirt {square}"), "Squirt ink") == [f"Squirt ink {letter}" for letter in directions.split()]


def test_ruling_8_squirt_alone_shoots() -> None:
    state = scene("Blue Squirt b9, Blue Tako f8, Blue Speedy d10, Blue Squish d6")
    assert [text for text in legal(state, "") if " ink " in text] == ["Squirt ink N", "Squirt ink S"]


@for_each(
    ("square", "other_sides"),
    [
        ("d10", "d8"),
        ("d8", "d6 d10"),
        ("d4", "b4 f4"),
        ("h8", "f8 j8"),
        ("h4", "h2 h6"),
        ("c10", ""),
        ("d5", ""),
    ],
)
def test_ruling_9_squish_crosses_tanks_in_the_middle(square: str, other_sides: str) -> None:
    state = scene(f"Blue Squish {square}", fish="1 d9, 2 d7, 3 c4, 4 e4, 5 g8, 1 h5, 2 h3")
    straight = {text for text in legal(scene(f"Blue Tako {square}"), "Tako move") if text.count("-") == 1}
    first = {text.replace("Squish", "Tako") for text in legal(state, "Squish move") if text.count("-") == 1}
    assert {text.rsplit("-", 1)[1] for text in first - straight} == set(other_sides.split())


def test_ruling_9_a_squeeze_is_one_of_the_three_squares() -> None:
    moves = legal(scene("Blue Squish d10"), "Squish move d10-d8")
    rest = "c8 c8-b8 c8-d8 d6 d6-c6 d6-d5 d6-d8 d6-e6 d10 d10-c10 d10-d8 d10-e10 e8 e8-d8 e8-f8"
    assert sorted(moves) == sorted(["Squish move d10-d8", *(f"Squish move d10-d8-{path}" for path in rest.split())])


@for_each(
    ("octopuses", "keepers", "squares"),
    [
        pytest.param("Blue Speedy b10", QUIET, "b2 b3 b4 b5 b6 f10 g10 h10 i10 j10", id="as far as it is free, stopping anywhere"),
        pytest.param("Blue Speedy f10", QUIET, "b10 f2 f3 f4 f5 f6 j10", id="not into an entrance"),
        pytest.param("Blue Speedy b10, Red Tako b5, Red Squish h10", QUIET, "b6 f10 g10", id="not past an opponent"),
        pytest.param("Blue Speedy b10, Blue Tako b5, Blue Squish c10", QUIET, "b2 b3 b4 b6 f10 g10 h10 i10 j10", id="past team-mates"),
        pytest.param("Blue Speedy b10", "west b5 south, east d10 west", "b5 b6", id="onto a keeper, not past one"),
    ],
)
def test_ruling_9_speedy_slides(octopuses: str, keepers: str, squares: str) -> None:
    found = legal(scene(octopuses, keepers=keepers, fish="4 b7, 5 b6"), "Speedy slide")
    assert sorted(text.removeprefix("Speedy slide ") for text in found) == sorted(squares.split())


def test_ruling_9_no_slide_with_a_fish_and_none_for_the_others() -> None:
    assert legal(scene("Blue Speedy b10, Blue Tako f10", fish="3 b10"), "Speedy slide", "Tako slide") == []


def test_ruling_9_fine_point_a_slide_picks_nothing_up() -> None:
    check_changes(scene("Blue Speedy b10", keepers=QUIET, fish="4 b7"), "Speedy slide b5", "Blue Speedy b5")
