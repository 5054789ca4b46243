"""The look of Tako Judo's boards, and the sentences about a move."""

from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, play, position, rules_for
from turnserver.games.tako_judo.position import Position
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.games.tako_judo.view import HOLLOW, INK, TakoJudoView

SVG = "{http://www.w3.org/2000/svg}"
DUEL, TEAMS = rules_for(), rules_for("teams")

STRUGGLE = ("8 NN......", "7 NN.s.n.n", "6 ..n.....", "4 ..n....s", "3 s.......", "2 .s....SS", "1 ......SS")
"""North may play c6-e4. South hides f7, which hides h7; c4, and of South's a3 and d7, are on no line."""
GRIP = ("10 NN.n....EE", "9 NN......EE", "8 ........s.", "6 ...e......", "2 WW......SS", "1 WW......SS")
"""North may play d10-h10 and exhaust East, whose d6 is on no line."""


def view(rules: TakoJudoRules) -> TakoJudoView:
    return TakoJudoView(rules.options, rules)


def struggle() -> Position:
    return position(DUEL, board(*STRUGGLE), came=["s b1-b2"])


def grip() -> Position:
    return position(TEAMS, board(*GRIP, size=10))


@pytest.mark.parametrize(
    ("rules", "before", "move", "expected"),
    [
        pytest.param(
            DUEL,
            struggle(),
            "c6-e4",
            """\
    a  b  c  d  e  f  g  h
 8  N  N  .  .  .  .  .  .  8
 7  N  N  .  s  .  n  .  n  7
 6  .  . (.) .  .  .  .  .  6
 5  .  .  .  .  .  .  .  .  5
 4  .  .  n  . [n] .  .  s  4
 3  s  .  .  .  .  .  .  .  3
 2  .  s  .  .  .  .  S  S  2
 1  .  .  .  .  .  .  S  S  1
    a  b  c  d  e  f  g  h

N North, S South (heads in capitals), ( )[ ] last move
North: entangled f7; blocked h7; overreached c4
South: overreached a3 d7
South may not move b2-b1 this turn: twiddling.
""",
            id="a tentacle, tentacles out of sight, a twiddle",
        ),
        pytest.param(
            DUEL,
            position(DUEL, board("8 ......SS", "7 ......SS", "2 NN......", "1 NN......")),
            "a1-b2",
            """\
    a  b  c  d  e  f  g  h
 8  .  .  .  .  .  .  S  S  8
 7  .  .  .  .  .  .  S  S  7
 6  .  .  .  .  .  .  .  .  6
 5  .  .  .  .  .  .  .  .  5
 4  .  .  .  .  .  .  .  .  4
 3  . [N][N] .  .  .  .  .  3
 2 (.)[N][N] .  .  .  .  .  2
 1 (.)(.) .  .  .  .  .  .  1
    a  b  c  d  e  f  g  h

N North, S South (heads in capitals), ( )[ ] last move
North: sees every tentacle
South: sees every tentacle
""",
            id="a head",
        ),
        pytest.param(
            TEAMS,
            grip(),
            "d10-h10",
            """\
    a  b  c  d  e  f  g  h  i  j
10  N  N  . (.) .  .  . [n] E  E  10
 9  N  N  .  .  .  .  .  .  E  E  9
 8  .  .  .  .  .  .  .  .  s  .  8
 7  .  .  .  .  .  .  .  .  .  .  7
 6  .  .  .  e  .  .  .  .  .  .  6
 5  .  .  .  .  .  .  .  .  .  .  5
 4  .  .  .  .  .  .  .  .  .  .  4
 3  .  .  .  .  .  .  .  .  .  .  3
 2  W  W  .  .  .  .  .  .  S  S  2
 1  W  W  .  .  .  .  .  .  S  S  1
    a  b  c  d  e  f  g  h  i  j

N North, E East, S South, W West (heads in capitals), ( )[ ] last move
North: sees every tentacle
East: exhausted
South: sees every tentacle
West: sees every tentacle
""",
            id="four",
        ),
    ],
)
def test_text_board(rules: TakoJudoRules, before: Position, move: str, expected: str) -> None:
    last = rules.parse(before, move)
    assert view(rules).text(rules.apply(before, last), last) == expected


def test_a_line_has_room_for_eight_tentacles_in_trouble() -> None:
    rows = ("10 wwwwNN...w", "9 ww..NN..w.", "8 nn.....n..", "5 ........EE", "4 ........EE", "2 WW..SS....", "1 WW..SS....")
    told = view(TEAMS).text(position(TEAMS, board(*rows, size=10))).splitlines()[-1]
    assert told == "West: entangled a9 b9 i9; blocked a10 b10 j10; overreached c10 d10"


@for_each(
    ("came", "told"),
    [
        pytest.param([], "", id="nothing pending"),
        pytest.param(["n c4-c6"], "North may not move c6-c4 this turn: twiddling.", id="a tentacle may not go straight back"),
        pytest.param(["n c7-c4"], "", id="it could not go back anyway"),
        pytest.param(["s b1-b2"], "", id="another's last move"),
    ],
)
def test_the_move_that_would_be_twiddling_is_named(came: list[str], told: str) -> None:
    rows = [row for row in STRUGGLE if not row.startswith("4")] if "c4-c6" in "".join(came) else STRUGGLE
    state = position(DUEL, board(*rows), came=came)
    assert [line for line in view(DUEL).text(state).splitlines() if "twiddling" in line] == [told] * bool(told)
    assert (told in words(drawn(DUEL, state))) == bool(told)


def test_nothing_is_pending_when_the_game_is_over() -> None:
    rows = ("8 ..n..NN.", "7 .....NN.", "5 n.......", "4 .n......", "3 sn......", "2 SS......", "1 SS......")
    state = play(DUEL, position(DUEL, board(*rows), came=["s a4-a3"]), "c8-c1")
    assert "twiddling" not in view(DUEL).text(state)


def test_what_is_told() -> None:
    assert view(TEAMS).tell(grip(), TEAMS.parse(grip(), "d10-h10")) == ("East can no longer move and is exhausted.",)
    assert view(TEAMS).tell(grip(), TEAMS.parse(grip(), "d10-e10")) == ()


def drawn(rules: TakoJudoRules, state: Position, move: str = "", *, dotted: bool = False) -> ET.Element:
    last = rules.replay(state, move) if move else None
    state = state if last is None else rules.apply(state, last)
    return ET.fromstring(view(rules).svg(state, last, rules.steps(state) if dotted else ()))  # noqa: S314  # our own


def words(root: ET.Element) -> Counter[str]:
    return Counter(one.text or "" for one in root.iter(f"{SVG}text"))


def count(root: ET.Element, kind: str, **attributes: str) -> int:
    """Return the number of elements of the kind with these attributes."""
    wanted = {key.replace("_", "-"): value for key, value in attributes.items()}
    return sum(all(one.get(key) == value for key, value in wanted.items()) for one in root.iter(f"{SVG}{kind}"))


def test_picture_has_its_own_background_and_coordinates_on_all_sides() -> None:
    root = drawn(DUEL, DUEL.start())
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert root.get("viewBox") == f"0 0 {background.get('width')} {background.get('height')}"
    assert (background.get("fill") or "").startswith("#")
    assert [words(root)[name] for name in "abcdefgh12345678"] == [2] * 16


def test_picture_tells_seats_apart_by_letters_and_shapes() -> None:
    """Eight tentacles, a head and a sign in the legend for everybody."""
    start = words(drawn(TEAMS, TEAMS.start()))
    assert [start[letter] for letter in "NESW"] == [10, 10, 10, 10]
    assert [start[name] for name in ("North", "East", "South", "West")] == [1] * 4
    shapes = [
        {(one.tag, len((one.get("points") or "").split())) for one in drawn(TEAMS, TEAMS.start()).iter() if one.get("stroke") == rim}
        for rim in ("#8f2508", "#8a6200", "#053e70", "#2f2535")
    ]
    tentacles = [{(f"{SVG}{tag}", corners)} for tag, corners in (("circle", 0), ("polygon", 4), ("rect", 0), ("polygon", 5))]
    assert all(wanted <= found for wanted, found in zip(tentacles, shapes, strict=True))


def test_ruling_1_picture_shows_lines_of_sight_and_why_there_is_none() -> None:
    """Seen are North's c6, South's b2 and h4; hidden are f7 and h7; the rest is on no line. The legend shows each line and reason once."""
    root = drawn(DUEL, struggle())
    assert count(root, "line", stroke_opacity="0.34") == 3 + 1
    assert count(root, "line", stroke_dasharray="1 8") == 2 + 1
    hollow = [one for one in root.iter() if one.get("fill") == HOLLOW]
    broken = [one for one in hollow if one.get("stroke-dasharray")]
    assert (len(hollow), len(broken)) == (2 + 3 + 3, 3 + 1)
    badges = count(root, "line", stroke="#ffffff", stroke_width="3")
    assert badges == (2 + 1) + (2 + 1), "a cross has two strokes, a bar one; both on the board and in the legend"
    assert all(words(root)[cause] == 1 for cause in ("entangled", "blocked", "overreached"))


def test_the_legend_has_no_line_of_sight_where_no_tentacle_is_seen() -> None:
    apart = position(DUEL, board("8 NN......", "7 NN......", "5 .....n..", "2 ......SS", "1 ......SS"))
    assert words(drawn(DUEL, apart))["in sight"] == 0
    assert words(drawn(DUEL, apart))["overreached"] == 1
    assert words(drawn(DUEL, struggle()))["in sight"] == 1


def test_ruling_5_picture_shows_an_exhausted_octopus_with_its_eyes_closed() -> None:
    before, after = drawn(TEAMS, grip()), drawn(TEAMS, grip(), "d10-h10")
    closed = [count(root, "line", stroke="#ffffff", stroke_width="5") for root in (before, after)]
    faded = [sum(one.get("opacity") is not None for one in root.iter()) for root in (before, after)]
    assert (closed, faded) == ([0, 2], [0, 3]), "head, tentacle and the legend's sign"
    assert words(after)["East (exhausted)"] == 1


@pytest.mark.parametrize(
    ("move", "side"),
    [("c6-e4", "54"), ("a7-a6", "114")],
    ids=["a tentacle", "a head"],
)
def test_picture_marks_the_last_move(move: str, side: str) -> None:
    rows = [row for row in STRUGGLE if not row.startswith("3")]
    root = drawn(DUEL, position(DUEL, board(*rows)), move)
    assert count(root, "rect", stroke=INK, width=side, height=side) == 2
    assert count(root, "rect", stroke=INK, stroke_dasharray="8 6") == 1 + 1
    assert words(root)["moved from"] == words(root)["moved to"] == 1


def test_picture_marks_where_pieces_may_go() -> None:
    plain, dotted = (drawn(DUEL, struggle(), dotted=dots) for dots in (False, True))
    rings, dots = (count(dotted, "circle", r=radius) - count(plain, "circle", r=radius) for radius in ("7.2", "5.1"))
    heads = [step for step in DUEL.steps(struggle()) if DUEL.format(struggle(), step).startswith("a7")]
    assert (rings, dots) == (len(heads) + 1, len(DUEL.steps(struggle())) - len(heads) + 1)
    assert heads
