"""The look of the boards of Sneaky Octopuses, and the sentences of its rule sheet and quick reference."""

import re
from collections import Counter
from importlib.resources import files
from xml.etree import ElementTree as ET

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.scenes import play, scene
from turnserver.games.sneaky_octopuses import picture as signs
from turnserver.games.sneaky_octopuses.board import NAMES, SHOWER_AT, TEAMS, at
from turnserver.games.sneaky_octopuses.notation import replayed, written
from turnserver.games.sneaky_octopuses.position import NOWHERE, Keeper, Options, Position, opening
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.games.sneaky_octopuses.view import NOTATION, SneakyView
from turnserver.rules import Seat
from turnserver.rules.kit import reads_as_turn

SVG = "{http://www.w3.org/2000/svg}"
FOUR, TWO = Options(), Options(players=2)
RULES = (files("turnserver.games.sneaky_octopuses") / "RULES.md").read_text("utf-8")

BUSY = scene(
    "Blue Speedy b10, Blue Tako d8, Red Squish f5, Green Squirt d4",
    keepers="north h10 east, east e11 south, west b8 north",
    fish="3 c9, 1 d9, 3 d8, 1 f5, 4 f5, 2 b6, 1 d6, 3 d6, 5 j8, 1 j8, 1 j8, 2 j8, 3 j8",
    home="Blue 1 3 3, Red 5",
    to_move="Purple",
)


def board(state: Position, options: Options = FOUR, *, steps: str = "") -> str:
    after, last = play(state, steps, options) if steps else (state, None)
    return SneakyView(options).text(after, last)


def cell(text: str, square: str) -> str:
    """The six columns of a square."""
    (line,) = (line for line in text.splitlines() if line[:2].strip() == square[1:])
    start = 3 + 6 * "abcdefghijk".index(square[0])
    return f"{line:69}"[start : start + 6]


@for_each(
    ("square", "expected"),
    [
        ("b10", " BSp  "),
        ("d8", " BTa3 "),
        ("f5", " RSh+ "),
        ("d4", " GSt  "),
        ("h10", " kN>  "),
        ("e11", " kEv  "),
        ("b8", " kW^  "),
        ("f1", " kS^  "),
        ("c9", " (3)  "),
        ("d9", " {1}  "),
        ("e9", " ( )  "),
        ("c4", " { }  "),
        ("b6", "  2   "),
        ("d6", "  13  "),
        ("j8", " 112+ "),
        ("e7", " ( )  "),
        ("g6", "  .   "),
        ("j10", "  o   "),
        ("k7", " //// "),
        ("a6", " |  | "),
        ("a8", "######"),
        ("a11", "~~4~~~"),
        ("k1", "~~0~~~"),
        ("b11", "~~~~~~"),
        ("a9", "~BSt~~"),
        ("k11", "~~1~~~"),
    ],
)
def test_text_board_shows_what_is_on_a_square(square: str, expected: str) -> None:
    assert cell(board(BUSY), square) == expected


def test_text_board_lists_teams_keepers_and_loose_fish() -> None:
    below = board(BUSY).split("\n\n")
    assert below[1] == "Round 2: Purple to play."
    assert below[2].splitlines() == [
        "Blue: 4 of 10 points, fish 1 3 3 at home; Speedy on b10, Tako on d8 with",
        "  3, Squish at home, Squirt at home",
        "Red: 1 of 10 points, fish 5 at home; Speedy at home, Tako at home,",
        "  Squish on f5 with 1 4, Squirt at home",
        "Purple: 0 of 10 points, no fish at home; Speedy at home, Tako at home,",
        "  Squish at home, Squirt at home",
        "Green: 0 of 10 points, no fish at home; Speedy at home, Tako at home,",
        "  Squish at home, Squirt on d4",
        "keepers: north on h10 looking east, east on e11 looking south, south on",
        "  f1 looking north, west on b8 looking north",
        "loose fish: 1 1 2 3 5 on j8, 2 on b6, 1 3 on d6",
    ]


@for_each(
    ("state", "steps", "headline"),
    [
        pytest.param(opening(FOUR), "", "The fish are yet to be dealt.", id="before the deal"),
        pytest.param(opening(FOUR)._replace(tanks=bytes([1, 2, 3] * 8)), "", "The first player is yet to be drawn.", id="dealt"),
        pytest.param(scene(), "", "Round 2: Blue to play.", id="a turn begins"),
        pytest.param(scene(), "Tako escape b9; Speedy escape b10", "Round 2: Blue to play; Speedy and Tako acted.", id="two have acted"),
        pytest.param(
            scene("Blue Squirt c8, Blue Tako e8", fish="3 c8"),
            "Squirt throw 3 e8",
            "Round 2: Blue's Tako keeps the fish or throws it on.",
            id="a chain",
        ),
        pytest.param(
            scene("Blue Squirt b8", keepers="west c8 north"),
            "Squirt ink E",
            "Round 2: Blue sends the west keeper to a shower.",
            id="a keeper was hit",
        ),
        pytest.param(scene(), "keeper k6", "Round 2: the die is to be rolled for the east keeper.", id="a keeper was named"),
        pytest.param(scene(home="Red 1 1 1 1"), "", "The game is over.", id="somebody has won"),
    ],
)
def test_both_boards_say_how_the_game_stands(state: Position, steps: str, headline: str) -> None:
    after = play(state, steps)[0] if steps else state
    assert SneakyView(FOUR).text(after).split("\n\n")[1] == headline
    assert headline in words(picture(after))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("state", "steps", "marked"),
    [
        pytest.param(scene("Blue Squirt b9"), "Squirt move b9-b8-c8", {"c8"}, id="a move"),
        pytest.param(scene(), "Speedy escape b9; Tako escape c10", {"b9", "c10"}, id="all of a turn"),
        pytest.param(scene("Blue Squirt b9", fish="3 c9"), "Squirt steal c9", {"b9"}, id="a steal"),
        pytest.param(scene("Blue Squirt b9", fish="3 b9"), "Squirt throw 3 b7", {"b7"}, id="a throw"),
        pytest.param(scene("Blue Squirt b9"), "Squirt ink S", {"b2", "b6", "j6"}, id="ink, and two keepers who saw it"),
        pytest.param(scene(keepers="north f9 east"), "keeper f9", {"f9"}, id="a keeper that is named"),
        pytest.param(scene(keepers="north f9 east"), "keeper f9; die 5", {"f7"}, id="a walk"),
        pytest.param(scene(keepers="east f10 south"), "keeper f11; die 2", {"f11"}, id="a keeper that stays"),
        pytest.param(scene(keepers="north e11 south"), "Tako escape b9; keeper k6; die 1", {"b9", "i6", "f11"}, id="a turn with a shower"),
        pytest.param(scene(to_move="Green"), "keeper k6; die 1; Speedy escape b9", {"b9"}, id="a new turn"),
    ],
)
def test_both_boards_mark_the_last_turn(state: Position, steps: str, marked: set[str]) -> None:
    after, last = play(state, steps)
    view = SneakyView(FOUR)
    assert {name for name in NAMES if cell(view.text(after, last), name)[0] == "["} == marked
    assert not any(cell(view.text(after), name)[0] == "[" for name in NAMES)
    plain, shown = (ET.tostring(picture(after, last=step)) for step in (None, last))
    assert len(re.findall(b'width="54" height="54"', shown)) - len(re.findall(b'width="54" height="54"', plain)) == len(marked) + 1, (
        "and the legend's"
    )


def picture(state: Position, options: Options = FOUR, *, last: object = None, targets: bool = False) -> ET.Element:
    steps = SneakyRules(options).steps(state) if targets else ()
    return ET.fromstring(SneakyView(options).svg(state, last, steps))  # type: ignore[arg-type]  # noqa: S314  # our own


def words(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def test_text_board_says_who_has_left() -> None:
    after = scene()._replace(left=0b10)
    assert "Red, gone for good: 0 of 10 points, no fish at home; Speedy at home," in board(after).splitlines()
    assert "has left" in words(picture(after))


def test_text_board_leaves_the_homes_of_two_empty_when_two_play() -> None:
    text = board(opening(TWO), TWO)
    assert [cell(text, square) for square in ("j11", "k11", "a1", "b1")] == ["      "] * 4
    assert [cell(text, square) for square in ("b11", "k3")] == ["~BSp~~", "~PSp~~"]


def test_text_board_shows_no_fish_before_the_deal() -> None:
    text = board(opening(FOUR))
    assert {cell(text, NAMES[square]) for square in map(at, ("c9", "e9", "g7"))} == {" ( )  "}
    assert cell(text, "d9") == " { }  "


def test_picture_has_its_own_background() -> None:
    root = picture(opening(FOUR))
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert root.get("viewBox") == f"0 0 {background.get('width')} {background.get('height')}"
    assert (background.get("fill") or "").startswith("#")


def test_picture_names_files_and_ranks_on_both_sides() -> None:
    shown = Counter(words(picture(opening(FOUR))))
    assert [shown[file] for file in "abcdefghijk"] == [2] * 11
    assert [shown[rank] for rank in ("6", "7", "8", "9", "10", "11")] == [2] * 6


def test_picture_numbers_fish_in_tanks_on_the_floor_and_in_arms() -> None:
    numbers = Counter(one for one in words(picture(BUSY)) if one in "12345")
    # Twice each is a rank, and once a fish among the teams' standings; j8 shows three of its five fish, Blue has four points and Red one.
    standing = Counter(dict.fromkeys("12345", 2 + 4)) + Counter({"4": 1, "1": 1})
    assert numbers - standing == Counter("3" + "1" + "3" + "14" + "2" + "13" + "112")
    assert "+2" in words(picture(BUSY))


def test_picture_counts_the_fish_at_home() -> None:
    shown = words(picture(BUSY))
    assert [one for one in shown if re.fullmatch(r"x[0-9]", one)] == ["x1", "x2", "x1"]
    assert [one for one in shown if one.endswith(" of 10")] == ["4 of 10", "1 of 10", "0 of 10", "0 of 10"]


def test_picture_points_at_the_team_that_plays() -> None:
    def pointed_at(seat: Seat) -> list[str | None]:
        lines = [one for one in picture(scene()._replace(seat=seat)) if {"0 of 10"} & set(words(one))]
        return [
            line.findtext(f".//{SVG}text")
            for line in lines
            if any(len(one.attrib["points"].split()) == 3 for one in line.iter(f"{SVG}polygon"))
        ]

    assert [pointed_at(Seat(number)) for number in (1, 2, 3, 4)] == [["Blue"], ["Red"], ["Purple"], ["Green"]]


def test_picture_tells_teams_octopuses_and_keepers_apart_without_colour() -> None:
    outlines = [re.sub(r"(fill|stroke)=\"#[0-9a-f]+\"", "", signs.draw_octopus(team, "Sp")) for team in range(len(TEAMS))]
    assert len(set(outlines)) == len(TEAMS)
    assert len(set(signs.CODES)) == len(set(signs.KEEPERS)) == 4
    shown = Counter(words(picture(BUSY)))
    # Each is on its team's home or floor, as an octopus or as its empty seat, and in the key.
    assert [shown[code] for code in signs.CODES] == [4 + 1 + 1, 4 + 1 + 1, 4 + 1 + 1, 4 + 1 + 1]


@for_each(("facing", "angle"), [("north", 0), ("east", 90), ("south", 180), ("west", 270)])
def test_picture_turns_a_keeper_where_it_looks(facing: str, angle: int) -> None:
    turned = {
        f: ET.tostring(picture(scene(keepers=f"north g6 {f}"))).count(f'"rotate({angle})"'.encode()) for f in (facing, "north", "south")
    }
    assert turned[facing] > min(turned.values())


def test_picture_shines_as_far_as_a_keeper_sees() -> None:
    def length(state: Position) -> float:
        beams = [one for one in picture(state).iter(f"{SVG}polygon") if one.get("opacity") == "0.42"]
        return max(-float((one.get("points") or "").split()[3].split(",")[1]) for one in beams)

    far = scene(keepers="north f11 south, east e11 south, south g1 north, west a5 east")
    near = scene("Blue Tako f8", keepers="north f11 south, east e11 south, south g1 north, west a5 east")
    assert length(far) - length(near) == pytest.approx(signs.UNIT * (10 - 3))


def test_picture_dots_the_targets() -> None:
    state = scene("Blue Squirt b9, Blue Tako f6, Blue Speedy g6, Blue Squish h6", fish="3 b9")
    rules = SneakyRules(FOUR)
    texts = [rules.format(state, step) for step in rules.steps(state)]
    ends = {re.sub(r".*?([a-k][0-9]+)$", r"\1", text) for text in texts if not text.startswith("Squirt ink") and not text.endswith("home")}
    ink = {{"N": "b10", "E": "c9", "S": "b8", "W": "a9"}[text[-1]] for text in texts if text.startswith("Squirt ink")}
    home = {NAMES[signs.SEATS_AT_HOME[0][0]]}
    dots = [one for one in picture(state, targets=True).iter(f"{SVG}circle") if one.get("r") == "7.5"]
    assert len(dots) == len(ends | ink | home) + 1


def test_picture_dots_nothing_for_keeping_a_fish() -> None:
    state, _ = play(scene("Blue Squirt b8, Blue Tako b10", fish="3 b10"), "Tako throw 3 b8")
    rules = SneakyRules(FOUR)
    texts = [rules.format(state, step) for step in rules.steps(state)]
    dots = [one for one in picture(state, targets=True).iter(f"{SVG}circle") if one.get("r") == "7.5"]
    assert "Squirt keep" in texts
    assert len(dots) == len(texts) - 1 + 1


def test_picture_dots_throws_and_draws_ways() -> None:
    after, last = play(scene("Blue Squirt b9, Blue Tako c10", fish="3 b9"), "Squirt throw 3 b7; Tako move c10-d10")
    dotted = [one for one in picture(after, last=last).iter(f"{SVG}path") if one.get("stroke-dasharray") == "1 12"]
    assert len(dotted) == 1 + 1


@for_each("number", range(1, 15))
def test_the_rule_sheet_gives_every_ruling_with_its_reason(number: int) -> None:
    rulings = re.split(r"^(?=[0-9]+\. \*)", RULES.split("## Rulings")[1].split("## Leaving")[0], flags=re.MULTILINE)
    assert rulings[number].startswith(f"{number}. *")
    assert "Why:" in rulings[number]


def test_every_step_that_the_rule_sheet_quotes_is_canonical_notation() -> None:
    quoted = [one for one in re.findall(r"`([^`\n]+)`", RULES.split("## Notation")[1]) if " " in one]
    assert {"move", "slide", "steal", "throw", "keep", "shower", "deal", "first", "die"} <= {word for one in quoted for word in one.split()}
    for text in quoted:
        if "yellow" not in text:
            assert written(FOUR, replayed(FOUR, text)) == text


def test_the_quick_reference_shows_every_kind_of_step() -> None:
    examples = re.findall(r": ([^:;(]+?)(?= \(|;|$)", NOTATION.partition("\n")[2], flags=re.MULTILINE)
    steps = [replayed(FOUR, text) for text in examples]
    assert [written(FOUR, step) for step in steps] == examples
    assert {type(step).__name__ for step in steps} == {
        "Escape", "Move", "Slide", "Steal", "Throw", "Keep", "Ink", "ToShower", "Nominate"
    }  # fmt: skip


def test_no_line_that_is_mailed_is_taken_for_a_turn() -> None:
    rules, state = SneakyRules(FOUR), scene()
    mailed = [*NOTATION.splitlines(), *RULES.splitlines(), *board(BUSY).splitlines()]
    assert [text for text in mailed if reads_as_turn(rules, state, text)] == []
    assert reads_as_turn(rules, state, "Tako steal c9")


@pytest.mark.parametrize(
    ("keepers", "named"),
    [
        (scene().keepers, {"north keeper", "what a keeper sees"}),
        (tuple(one._replace(square=square) for one, square in zip(scene().keepers, sorted(SHOWER_AT), strict=False)), {"north keeper"}),
        (tuple(one._replace(square=NOWHERE) for one in scene().keepers), set[str]()),
    ],
    ids=["some look", "all shower", "none came yet"],
)
def test_the_legend_names_keepers_and_their_sight_if_there_are_any(keepers: tuple[Keeper, ...], named: set[str]) -> None:
    shown = set(words(picture(scene()._replace(keepers=keepers))))
    assert shown & {"north keeper", "what a keeper sees"} == named
