"""TAKO's boards as pictures."""

from typing import Any
from xml.etree import ElementTree as ET

from tests.cases import for_each
from tests.games.tako.piles import played, position, rules_for
from turnserver.games.tako.position import Position
from turnserver.games.tako.view import TakoView

SVG = "{http://www.w3.org/2000/svg}"
ALL = "pass add"


def picture(state: Position, last: str = "", *, dotted: bool = False, **options: Any) -> ET.Element:
    rules = rules_for(**options)
    step = rules.replay(state, last) if last else None
    return ET.fromstring(TakoView(rules).svg(state, step, rules.steps(state) if dotted else ()))  # noqa: S314  # our own


def words(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def count(root: ET.Element, shape: str, **attributes: str) -> int:
    return sum(all(one.get(name.replace("_", "-")) == value for name, value in attributes.items()) for one in root.iter(f"{SVG}{shape}"))


STONE, COIN, MARK = "#5d7480", "#e2b13c", "#c2410c"


def test_picture_has_its_own_background() -> None:
    root = picture(position(3, 4, "HI 2"))
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert (background.get("x"), background.get("y")) == ("0", "0")
    assert root.get("viewBox") == f"0 0 {background.get('width')} {background.get('height')}"
    assert (background.get("fill") or "").startswith("#")


def test_picture_shows_piles_and_counts() -> None:
    root = picture(position(3, 12, "HI 2"))
    assert count(root, "circle", fill=STONE) == 15
    assert {"A", "B", "3", "12"} <= set(words(root))
    coins = picture(position(3, 4, "HI 2", purses=(5, 6)), betting=True)
    # The piles, and one for each purse; a coin has a square hole besides its colour.
    assert count(coins, "circle", fill=COIN) == 7 + 2
    assert {"5", "6"} <= set(words(coins))
    assert count(coins, "circle", fill=STONE) == 0


@for_each(
    ("options", "state", "last", "expected"),
    [
        ({}, position(3, 4, "HI 2"), "", ["HI", "White rolled HI 2", "take at most 2 stones in all"]),
        (
            {},
            position(3, 4, "LO 6", mover="Black", black=ALL, passed=True),
            "",
            ["LO", "White passed on LO 6", "take at least 6 stones in all"],
        ),
        ({"variant": "adept"}, position(3, 4, "FREE 9"), "", ["FREE", "9", "White rolled FREE 9", "take any number of stones"]),
        ({}, position(3, 4), "", ["?", "White to move", "coin and die are rolled first"]),
        ({"variant": "adept"}, position(3, 4), "", ["?", "White to move"]),
        ({}, rules_for().start(), "", ["Who begins?", "Each player rolls a die"]),
        ({}, rules_for().start(), "2 2", ["White rolled 2, Black 2", "and both roll again"]),
        ({}, played(rules_for(), "2 5"), "2 5", ["White rolled 2, Black 5", "Black begins"]),
        ({}, position(1, 0, "LO 4", black=ALL), "", ["Black wins", "White cannot move on LO 4"]),
        ({"betting": True}, position(1, 0, "LO 4", purses=(7, 2)), "", ["Black wins", "7 - 4 = 3", "2 + 4 = 6"]),
    ],
)
def test_picture_says_what_was_rolled_and_what_it_means(options: dict[str, Any], state: Position, last: str, expected: list[str]) -> None:
    assert set(expected) <= set(words(picture(state, last, **options)))


@for_each("die", range(1, 7))
def test_picture_shows_the_pips_of_the_die(die: int) -> None:
    assert count(picture(position(3, 4, f"HI {die}")), "circle", r="7") == die


def test_picture_strikes_used_options_out() -> None:
    root = picture(position(3, 4, "HI 2", white="pass", black=ALL))
    tokens = [one.get("fill") for one in root.iter(f"{SVG}rect") if one.get("rx") == "20"]
    assert tokens == ["#fffffe", "none", "#fffffe", "#fffffe", "none"], "the last one is the legend's"
    assert count(root, "rect", height="3") == 1 + 1


def test_picture_stars_the_winner_instead_of_pointing_at_a_mover() -> None:
    def corners(root: ET.Element) -> list[int]:
        return [len((one.get("points") or "").split()) for one in root.iter(f"{SVG}polygon")]

    assert corners(picture(position(3, 4, "HI 2"))) == [3, 3]
    assert corners(picture(position(0, 0, "HI 2"))) == [10, 10]


def test_picture_marks_the_last_step() -> None:
    state = position(3, 4, "HI 2", black="add")
    assert count(picture(state), "circle", stroke=MARK) == 0
    assert count(picture(state, "ab2"), "circle", stroke_dasharray="5 4") == 4 + 1
    assert count(picture(state, "b5"), "circle", stroke_dasharray="5 4") == 5 + 1
    assert count(picture(state, "add a"), "circle", stroke=MARK, stroke_width="4") == 1 + 1
    assert [count(picture(state, step), "rect", stroke=MARK, rx="20") for step in ("add a", "pass", "a1")] == [1, 2, 0]
    assert [count(picture(state, step), "rect", stroke=MARK, rx="14") for step in ("HI 2", "a1")] == [2, 0]


def test_picture_numbers_the_targets() -> None:
    root = picture(position(3, 4, "HI 2", white=ALL), dotted=True)
    # One and two from each pile alone; one from both, in a box under either pile; a dot at each option.
    assert sorted(one.text or "" for one in root.iter(f"{SVG}text") if one.get("font-size") == "20" and (one.text or "").isdigit()) == [
        *("1" * 4),
        *("2" * 2),
    ]
    assert count(root, "rect", fill=MARK, rx="4") == 2 + 1
    assert count(root, "circle", fill=MARK, r="7") == 2 + 1


@for_each("stake", [5, 7, 11, 15])
def test_piles_stay_inside_the_picture(stake: int) -> None:
    rules = rules_for(betting=True, stake=stake)
    state = played(rules, "4 1, HI 1, add a, HI 1, add a")
    root = picture(state, "add a", betting=True, stake=stake)
    rights = [float(one.get("cx") or 0) + float(one.get("r") or 0) for one in root.iter(f"{SVG}circle")]
    assert max(rights) < 640, "the counts stand there"
