"""The look of Okago's boards."""

import re
from xml.etree import ElementTree as ET

import pytest

from tests.cases import for_each
from tests.games.okago.boards import position, rules_for
from turnserver.games.okago.position import Options, Position, Step
from turnserver.games.okago.rules import OkagoRules
from turnserver.games.okago.view import OkagoView

SVG = "{http://www.w3.org/2000/svg}"
LEGEND = """\
R, B  face-up: can jump, and can be jumped
r, b  face-down: cannot jump, and cannot be jumped
"""


def moved(before: str, to_move: str, move: str, left: tuple[int, int] = (6, 6)) -> tuple[OkagoRules, Position, Step]:
    rules, state = rules_for(before), position(before, to_move, left)
    step = rules.parse(state, move)
    return rules, rules.apply(state, step), step


@pytest.mark.parametrize(
    ("before", "to_move", "move", "expected"),
    [
        pytest.param(
            "...B./..RR./...../.b.../r....",
            "Red",
            "c5",
            f"""\
     a  b  c  d  e
 5   .  . [R] B  .   5
 4   .  .  R  R  .   4
 3   .  .  .  .  .   3
 2   .  b  .  .  .   2
 1   r  .  .  .  .   1
     a  b  c  d  e

{LEGEND}[ ]   the last move

In hand: Red 5, Blue 6
Red threatens: c5xe5
Blue may jump: d5xb3 d5xd3 d5xb5
""",
            id="a placement",
        ),
        pytest.param(
            "...B./..RR./...../.b.../r....",
            "Blue",
            "d5xd3",
            f"""\
     a  b  c  d  e
 5   .  .  . (.) .   5
 4   .  .  R  X  .   4
 3   .  .  . [b] .   3
 2   .  b  .  .  .   2
 1   r  .  .  .  .   1
     a  b  c  d  e

{LEGEND}X     the No-Go: no placement there in this turn, but a jump may land
[ ]   the last move, a jump from ( )

In hand: Red 6, Blue 6
Red may jump: nothing
Blue threatens: nothing
""",
            id="a jump",
        ),
        pytest.param(
            "....../....../....../.B..../.BB.../BBbR..",
            "Blue",
            "b4",
            f"""\
     a  b  c  d  e  f
 6   .  .  .  .  .  .   6
 5   .  .  .  .  .  .   5
 4   . [B] .  .  .  .   4
 3   .  B  .  .  .  .   3
 2   .  B  B  .  .  .   2
 1   B  B  b  R  .  .   1
     a  b  c  d  e  f

{LEGEND}[ ]   the last move

In hand: Red 6, Blue 5
Blue has four in a row: b1 b2 b3 b4
""",
            id="a row of four",
        ),
    ],
)
def test_text_board(before: str, to_move: str, move: str, expected: str) -> None:
    rules, state, step = moved(before, to_move, move)
    assert OkagoView(rules.options).text(state, step) == expected


def test_text_board_of_the_advanced_start() -> None:
    options = Options(size=7, advanced=True)
    lines = OkagoView(options).text(OkagoRules(options).start()).splitlines()
    assert lines[4] == " 4   .  .  .  X  .  .  .   4"
    assert "X     the No-Go: the centre is barred to Red's first piece" in lines
    assert not any("[ ]" in line for line in lines)


def test_text_board_breaks_long_lists_of_jumps() -> None:
    board = "......../.BBB..../.BRB..../.BBB..../....BBB./....BRB./....BBB./........"
    rules, state = rules_for(board), position(board)
    lines = OkagoView(rules.options).text(state).splitlines()
    jumps = [rules.format(state, step) for step in rules.steps(state) if "x" in rules.format(state, step)]
    first = next(index for index, line in enumerate(lines) if line.startswith("Red may jump:"))
    listed = [line for line in lines[first:] if not line.startswith("Blue")]
    assert len(listed) > 1
    assert all(len(line) <= 72 for line in listed)
    assert [name for line in listed for name in line.replace("Red may jump:", "").replace("and", "").split()] == jumps


@for_each(
    ("before", "to_move", "move", "left", "sentences"),
    [
        pytest.param("...../...../..RB./...../.....", "Red", "a1", (6, 6), (), id="a placement says it all"),
        pytest.param("...../...../..RB./...../.....", "Red", "a1", (1, 6), ("That was Red's last piece in hand.",), id="the last piece"),
        pytest.param(
            "...../...../..RB./...../.....",
            "Blue",
            "d3xb3",
            (6, 6),
            (
                "Blue jumps over c3: Red's piece there leaves the game, and the one from d3 stays face-down on b3.",
                "The No-Go lies on c3 now, where Red may not place a piece in the next turn.",
            ),
            id="a jump",
        ),
        pytest.param(
            "...../...R./...B./RRR../.....",
            "Red",
            "d4xd2",
            (1, 1),
            ("Red jumps over d3: Blue's piece there leaves the game, and the one from d4 stays face-down on d2.",),
            id="a jump that wins",
        ),
    ],
)
def test_what_comes_of_a_step_is_told(before: str, to_move: str, move: str, left: tuple[int, int], sentences: tuple[str, ...]) -> None:
    rules, state = rules_for(before), position(before, to_move, left)
    assert OkagoView(rules.options).tell(state, rules.parse(state, move)) == sentences


def picture(before: str, to_move: str, move: str, *, marked: bool = True, targets: bool = False) -> ET.Element:
    rules, state, step = moved(before, to_move, move)
    return ET.fromstring(OkagoView(rules.options).svg(state, step if marked else None, rules.steps(state) if targets else ()))  # noqa: S314  # our own


def titles(root: ET.Element) -> list[str]:
    """Return what the parts of the picture say they are."""
    return [one.text or "" for one in root.iter(f"{SVG}title")]


def part(root: ET.Element, title: str) -> list[str]:
    """The shapes of the part with that title, without their namespaces."""
    found = next(group for group in root.iter(f"{SVG}g") if group.findtext(f"{SVG}title") == title)
    return [shape.tag.removeprefix(SVG) for shape in found if shape.tag != f"{SVG}title"]


def words(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def test_picture_has_its_own_background() -> None:
    root = picture("...B./..RR./...../.b.../r....", "Red", "c5")
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert root.get("viewBox") == f"0 0 {background.get('width')} {background.get('height')}"
    assert (background.get("fill") or "").startswith("#")
    assert background.get("opacity") is None


def test_picture_shows_every_piece_and_the_no_go() -> None:
    shown = titles(picture("...B./..RR./...../.b.../r....", "Blue", "d5xb3"))
    pieces = ["b3, Blue, face-down", "b2, Blue, face-down", "a1, Red, face-down", "d4, Red, face-up"]
    assert sorted(title for title in shown if ", " in title and "by" not in title) == sorted([*pieces, "c4, the No-Go"])
    assert shown[0] == "Okago, 5 by 5"


def test_picture_tells_seats_and_facings_apart_by_shape() -> None:
    root = picture("BR.../br.../...../...../.....", "Red", "e1")
    # A halo and a body each, and the hole that face-up pieces have: round in Red's, square in Blue's.
    assert part(root, "b5, Red, face-up") == ["polygon", "polygon", "circle"]
    assert part(root, "b4, Red, face-down") == ["polygon", "polygon"]
    assert part(root, "a5, Blue, face-up") == ["circle", "circle", "rect"]
    assert part(root, "a4, Blue, face-down") == ["circle", "circle"]


def test_picture_names_files_and_ranks_at_both_ends_and_counts_hands() -> None:
    shown = words(picture("...B./..RR./...../.b.../r....", "Red", "c5"))
    assert [shown.count(sign) for sign in "abcdef123456"] == [2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 2, 0]
    assert {"Red, 5 in hand", "Blue, 6 in hand"} <= set(shown)
    assert not any("No-Go" in one for one in shown)


def test_picture_explains_the_no_go() -> None:
    assert "No-Go: no placement in this turn" in words(picture("...B./..RR./...../.b.../r....", "Blue", "d5xb3"))
    options = Options(advanced=True)
    start = ET.fromstring(OkagoView(options).svg(OkagoRules(options).start()))  # noqa: S314  # our own
    assert "No-Go: barred to Red's first piece" in words(start)
    assert titles(start) == ["Okago, 5 by 5, advanced", "c3, the No-Go"]


def test_picture_marks_the_last_move() -> None:
    placed, jumped = (picture("...B./..RR./...../.b.../r....", *move) for move in (("Red", "c5"), ("Blue", "d5xb3")))
    assert part(placed, "last move") == ["rect"]
    assert part(jumped, "last move") == ["rect"]
    assert part(jumped, "jumped from") == ["rect", "line"]
    assert "last move" not in titles(picture("...B./..RR./...../.b.../r....", "Red", "c5", marked=False))


def test_picture_marks_who_may_jump_what_with_arrows_until_the_game_is_over() -> None:
    going = picture("...B./..RR./...../.b.../r....", "Red", "c5")
    assert part(going, "d5xb3") == part(going, "d5xd3") == part(going, "d5xb5") == ["polygon"]
    won = picture("...../...../..B../..RR./.RRR.", "Red", "a1")
    assert [title for title in titles(won) if re.fullmatch("[a-e][1-5]x[a-e][1-5]", title)] == []


def test_picture_marks_targets_with_dots() -> None:
    root = picture("...B./..RR./...../.b.../r....", "Red", "c5", targets=True)
    rules, state, _ = moved("...B./..RR./...../.b.../r....", "Red", "c5")
    steps = [rules.format(state, step) for step in rules.steps(state)]
    assert [title for title in titles(root) if "can be placed on" in title] == [f"{name} can be placed on" for name in steps[:-3]]
    assert steps[-3:] == ["d5xb3", "d5xd3", "d5xb5"]
    assert part(root, "a3 can be placed on") == ["circle"]


def test_picture_marks_a_square_once_for_both_facings() -> None:
    rules = OkagoRules(Options())
    state = rules.apply(rules.start(), rules.parse(rules.start(), "c3"))
    root = ET.fromstring(OkagoView(rules.options).svg(state, None, rules.steps(state)))  # noqa: S314  # our own
    assert len([title for title in titles(root) if "can be placed on" in title]) == 24


def test_picture_shows_the_row_of_four() -> None:
    won, going = (picture("...../...../...../...../RRR..", "Red", move) for move in ("d1", "e1"))
    fills = [[one.get("fill") for one in root.iter(f"{SVG}rect")] for root in (won, going)]
    assert fills[0].count("#ffd75e") == 4 + 1
    assert fills[1].count("#ffd75e") == 0
