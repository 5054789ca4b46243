"""The look of Take's boards."""

from xml.etree import ElementTree as ET

import pytest

from tests.games.take.boards import position, rules_for
from turnserver.games.take.position import Position
from turnserver.games.take.rules import TakeRules
from turnserver.games.take.view import TakeView
from turnserver.rules.hexagon import Cell

SVG = "{http://www.w3.org/2000/svg}"


def moved(before: str, to_move: str, move: str, variant: str = "standard") -> tuple[TakeRules, Position, Cell]:
    rules, state = rules_for(before, variant), position(before, to_move)
    step = rules.parse(state, move)
    return rules, rules.apply(state, step), step


@pytest.mark.parametrize(
    ("variant", "before", "to_move", "move", "expected"),
    [
        pytest.param(
            "standard",
            "##B/####/##R.#/####/###",
            "Red",
            "c4",
            """\
  e1  # # B  e3
 d1  # # # #  d4
c1  # # R[R]#  c5
 b1  # # # #  b4
  a1  # # #  a3

R red, B blue, # clod, . bare cell, [ ] last move
""",
            id="a growth",
        ),
        pytest.param(
            "high-churn",
            "bR/#R#/##",
            "Red",
            "b1",
            """\
 c1  # R  c2
b1 [r]R #  b3
 a1  # #  a2

R red, B blue (r, b on a tile), # tile, . bare cell, [ ] last move
removed, blue: c1
""",
            id="a removal on tiles",
        ),
        pytest.param(
            "standard",
            "R#/R#B/RB",
            "Blue",
            "c2",
            """\
 c1  .[.] c2
b1  . # .  b3
 a1  . .  a2

R red, B blue, # clod, . bare cell, [ ] last move
removed, red: a1 b1 c1
removed, blue: a2 b3 c2
""",
            id="the placed stone went too",
        ),
    ],
)
def test_text_board(variant: str, before: str, to_move: str, move: str, expected: str) -> None:
    rules, state, step = moved(before, to_move, move, variant)
    assert TakeView(rules.options).text(state, step) == expected


def test_text_board_breaks_long_lists_of_removed_stones() -> None:
    rules = rules_for("########/#########/" + "/".join("#" * n for n in (10, 11, 12, 13, 14, 15, 14, 13, 12, 11, 10, 9, 8)))
    state = Position(9, 1 << rules.board.cells[0], 1 << rules.board.cells[40], 0, sum(1 << cell for cell in rules.board.cells[90:112]), 0)
    lines = TakeView(rules.options).text(state).splitlines()[-2:]
    assert all(len(line) <= 72 for line in lines)
    assert [line.split(":")[0] for line in lines] == ["removed, red", "     and red"]
    names = [name for line in lines for name in line.split(":")[1].split()]
    assert names == [rules.board.names[cell] for cell in rules.board.cells[90:112]]


def picture(before: str, to_move: str, move: str, *, variant: str = "standard", marked: bool = True, dotted: bool = False) -> ET.Element:
    rules, state, step = moved(before, to_move, move, variant)
    return ET.fromstring(TakeView(rules.options).svg(state, step if marked else None, rules.steps(state) if dotted else ()))  # noqa: S314  # our own


def words(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def test_the_board_says_everything_so_nothing_is_told_beside_it() -> None:
    rules, before = rules_for("##B/####/##R.#/####/###"), position("##B/####/##R.#/####/###", "Red")
    assert TakeView(rules.options).tell(before, rules.parse(before, "c4")) == ()


def test_picture_has_its_own_background() -> None:
    root = picture("##B/####/##R.#/####/###", "Red", "c4")
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert (background.get("x"), background.get("y")) == ("0", "0")
    assert root.get("viewBox") == f"0 0 {background.get('width')} {background.get('height')}"
    assert (background.get("fill") or "").startswith("#")
    assert background.get("opacity") is None


def test_picture_names_the_rows_at_both_ends_numbers_free_cells_and_counts_stones() -> None:
    root = picture("##B/####/##R.#/####/###", "Red", "c4")
    assert [words(root).count(letter) for letter in "abcde"] == [2, 2, 2, 2, 2]
    free = {"e": "12", "d": "1234", "c": "125", "b": "1234", "a": "123"}
    assert sorted(one for one in words(root) if one.isdigit()) == sorted("".join(free.values()))
    assert {"Red 2", "Blue 1", "clod"} <= set(words(root))
    assert "tile" in words(picture("##B/####/##R.#/####/###", "Red", "c4", variant="high-churn"))
    assert "clod" not in words(picture("..B/..../..R../..../...", "Red", "c4"))


def test_picture_tells_the_seats_apart_by_shape() -> None:
    only_red = picture("RBR/B###/#####/####/###", "Red", "b4")
    # Three stones and the legend's one; diamonds have four corners.
    assert len(list(only_red.iter(f"{SVG}circle"))) == 3 + 1
    assert len([one for one in only_red.iter(f"{SVG}polygon") if len((one.get("points") or "").split()) == 4]) == 2 + 1


def test_picture_marks_the_last_move_the_removed_stones_and_the_targets() -> None:
    plain, marked, dotted = (
        picture("RB#/##B#/##B#B/####/#B#", "Red", "c2", marked=mark, dotted=dot)
        for mark, dot in ((False, False), (True, False), (False, True))
    )

    def more(name: str, drawn: ET.Element) -> int:
        return len(list(drawn.iter(f"{SVG}{name}"))) - len(list(plain.iter(f"{SVG}{name}")))

    rules, state, _ = moved("RB#/##B#/##B#B/####/#B#", "Red", "c2")
    marks = more("polygon", marked), more("circle", dotted)
    assert marks == (1 + 1, len(rules.steps(state)) + 1), "each mark stands in the legend too"
    # One red and three blue stones fell; the legend shows an outline of each colour.
    assert sum(one.get("stroke-dasharray") is not None for one in plain.iter()) == 1 + 3 + 2
