"""Each ruling of Okago's RULES.md, on positions made by hand."""

import random
from itertools import product

import pytest

from tests.cases import for_each
from tests.games.okago.boards import position, rules_for, written
from turnserver import games
from turnserver.errors import BadOption, Illegal
from turnserver.games.okago.position import BLUE, RED, Jump, Options
from turnserver.games.okago.rules import OkagoRules
from turnserver.rules import Choose, Over, Seat
from turnserver.rules.kit import playout, replay_turn

EMPTY = "...../...../...../...../....."


def legal(rules: OkagoRules, moves: str) -> list[str]:
    """Return what may be played after these moves from the start."""
    state, _ = replay_turn(rules, rules.start(), moves.split())
    return [rules.format(state, step) for step in rules.steps(state)]


def check_move(before: str, to_move: str, move: str, after: str) -> None:
    rules, state = rules_for(before), position(before, to_move)
    step = rules.parse(state, move)
    assert step in rules.steps(state)
    assert written(rules, rules.apply(state, step)) == after


@for_each("size", [5, 6, 7, 8])
def test_ruling_1_red_places_anywhere_face_up(size: int) -> None:
    rules = OkagoRules(Options(size=size))
    everywhere = [f"{file}{rank}" for rank in range(1, size + 1) for file in "abcdefgh"[:size]]
    assert legal(rules, "") == everywhere


@pytest.mark.parametrize(("size", "centre"), [(5, "c3"), (7, "d4")])
def test_ruling_1_advanced_bars_the_centre_to_reds_first_piece_alone(size: int, centre: str) -> None:
    rules = OkagoRules(Options(size=size, advanced=True))
    assert sorted([*legal(rules, ""), centre]) == sorted(legal(OkagoRules(Options(size=size)), ""))
    assert {centre, f"{centre} down"} <= set(legal(rules, "a1"))


@pytest.mark.parametrize("size", [6, 8])
def test_ruling_1_advanced_needs_a_centre(size: int) -> None:
    with pytest.raises(BadOption) as refused:
        games.find("okago", size=size, advanced=True)
    assert refused.value.message == (
        f"The option size can't be {size} with advanced. Choose 5 or 7, because the advanced game needs a centre square."
    )


def test_ruling_1_only_blues_first_piece_may_be_face_down() -> None:
    rules = OkagoRules(Options())
    free = [name for name in legal(rules, "") if name != "c3"]
    assert legal(rules, "c3") == [*free, *(f"{name} down" for name in free)]
    after, _ = replay_turn(rules, rules.start(), ["c3", "b2 down"])
    assert written(rules, after) == "...../...../..R../.b.../....."
    for moves in ("c3 b2", "c3 b2 e5"):
        assert not [name for name in legal(rules, moves) if "down" in name]


@for_each(
    ("jump", "after"),
    [
        ("c3xc5", "..r../.BXB./.B.B./.BBB./....."),
        ("c3xe5", "....r/.BBX./.B.B./.BBB./....."),
        ("c3xe3", "...../.BBB./.B.Xr/.BBB./....."),
        ("c3xe1", "...../.BBB./.B.B./.BBX./....r"),
        ("c3xc1", "...../.BBB./.B.B./.BXB./..r.."),
        ("c3xa1", "...../.BBB./.B.B./.XBB./r...."),
        ("c3xa3", "...../.BBB./rX.B./.BBB./....."),
        ("c3xa5", "r..../.XBB./.B.B./.BBB./....."),
    ],
)
def test_ruling_2_jumps_go_in_eight_directions(jump: str, after: str) -> None:
    check_move("...../.BBB./.BRB./.BBB./.....", "Red", jump, after)


@for_each(
    ("before", "to_move", "move", "after"),
    [
        pytest.param("...../...../..RB./...../.....", "Red", "c3xe3", "...../...../...Xr/...../.....", id="red jumps"),
        pytest.param("...../...../.RB../...../.....", "Blue", "c3xa3", "...../...../bX.../...../.....", id="blue jumps"),
        pytest.param("...../...../.RBX./...../.....", "Red", "b3xd3", "...../...../..Xr./...../.....", id="onto the No-Go, which moves"),
        pytest.param(".B..B/R...X/..R../.B.../.....", "Red", "c3xa1", ".B..B/R..../...../.X.../r....", id="the No-Go moves from afar"),
        pytest.param(".B..B/R...X/..R../.B.../.....", "Red", "e1", ".B..B/R..../..R../.B.../....R", id="a placement sets it aside"),
    ],
)
def test_ruling_2_what_a_jump_does(before: str, to_move: str, move: str, after: str) -> None:
    check_move(before, to_move, move, after)


@for_each(
    ("before", "jumps"),
    [
        pytest.param("...../...../..RB./...../.....", "c3xe3", id="a jump, and every placement besides"),
        pytest.param("...../...../..rB./...../.....", "", id="the jumper is face-down"),
        pytest.param("...../...../..Rb./...../.....", "", id="the other is face-down"),
        pytest.param("...../...../..RR./...../.....", "", id="over an own piece"),
        pytest.param("...../...../..RX./...../.....", "", id="over the No-Go alone"),
        pytest.param("...../...../..RBb/...../.....", "", id="a piece behind"),
        pytest.param("...../...../..RBX/...../.....", "c3xe3", id="only the No-Go behind"),
        pytest.param("...../...../...RB/...../.....", "", id="the edge behind, not the next rank"),
        pytest.param("...../...../..R.B/...../.....", "", id="not adjacent"),
        pytest.param("...../...../RBB../...../.....", "", id="not over two"),
        pytest.param("...../...../R.B../.B.../.....", "a3xc1", id="b3 is empty, c3 not next to a3"),
    ],
)
def test_ruling_2_jumps(before: str, jumps: str) -> None:
    rules, state = rules_for(before), position(before)
    listed = [rules.format(state, step) for step in rules.steps(state)]
    assert " ".join(name for name in listed if "x" in name) == jumps
    assert len(listed) == before.count(".") + len(jumps.split()), "jumping is never compulsory"


def test_ruling_2_one_jump_a_turn_and_the_jumper_rests_for_good() -> None:
    rules, state = rules_for(EMPTY), position("...../...../...../.B.B./R....")
    state = rules.apply(state, rules.parse(state, "e5"))
    state = rules.apply(state, rules.parse(state, "a5"))
    state = rules.apply(state, rules.parse(state, "a1xc3"))
    assert rules.next(state) == Choose(BLUE, 12)
    state = rules.apply(state, rules.parse(state, "a4"))
    with pytest.raises(Illegal, match=r"^The piece on c3 is face-down, so it can't jump\.$"):
        rules.parse(state, "c3xe1")


def test_ruling_2_a_jumped_piece_does_not_come_back() -> None:
    rules, state = rules_for(EMPTY), position("...../...../..RB./...../.....", left=(3, 4))
    assert rules.apply(state, rules.parse(state, "c3xe3")).left == (3, 4)


@pytest.mark.parametrize("size", [5, 8])
def test_ruling_3_twelve_pieces_a_side(size: int) -> None:
    rules = OkagoRules(Options(size=size))
    start = rules.start()
    assert start.left == (12, 12)
    assert replay_turn(rules, start, ["a1"])[0].left == (11, 12)
    assert replay_turn(rules, start, ["a1", "b1 down"])[0].left == (11, 11)


def test_ruling_3_the_no_go_bars_the_opponents_next_placement_only() -> None:
    rules = OkagoRules(Options())
    jumped = "a1 b2 e5 e1 a1xc3"
    for moves, square_is_free in ((jumped, False), (f"{jumped} e3", True), (f"{jumped} e3 d1", True)):
        assert ("b2" in legal(rules, moves)) is square_is_free, moves


def test_ruling_3_the_no_go_moves_with_the_next_jump() -> None:
    rules = OkagoRules(Options())
    after = legal(rules, "a1 b2 e5 d5 d4 e1 a1xc3 d5xd3")
    assert "b2" in after
    assert "d4" not in after


@for_each(
    ("before", "to_move", "move", "winner"),
    [
        pytest.param("...../...../...../...../RRR..", "Red", "d1", RED, id="across"),
        pytest.param("....B/....B/...../....B/.....", "Blue", "e3", BLUE, id="upwards, filling a gap"),
        pytest.param("...../...R./..R../.R.../.....", "Red", "a1", RED, id="slantwise"),
        pytest.param("...../R..../.R.../..R../.....", "Red", "d1", RED, id="slantwise down"),
        pytest.param("...../...../...../...../rRr..", "Red", "d1", RED, id="any facing"),
        pytest.param("...../...../...../...../RR.RR", "Red", "c1", RED, id="five"),
        pytest.param("...../...R./...B./RRR../.....", "Red", "d4xd2", RED, id="by a jump, the jumper counts"),
        pytest.param("...../...../...../...../RR.R.", "Red", "e1", None, id="a gap"),
        pytest.param("...../...../...../...../RRR..", "Red", "d2", None, id="three"),
        pytest.param("...../...../...RR/RR.../.....", "Red", "c2", None, id="no row round the edge"),
        pytest.param("...../...../...../...../BBB..", "Red", "d1", None, id="the other colour is no friend"),
    ],
)
def test_ruling_4_four_in_a_row_wins(before: str, to_move: str, move: str, winner: Seat | None) -> None:
    rules, state = rules_for(before), position(before, to_move)
    after = rules.apply(state, rules.parse(state, move))
    if winner is None:
        assert isinstance(rules.next(after), Choose)
        assert rules.steps(after)
    else:
        assert rules.next(after) == Over(frozenset({winner}), f"{to_move} has four in a row")
        assert not rules.steps(after)


@for_each(("size", "lines"), [(5, 10 + 10 + 4 + 4), (6, 18 + 18 + 9 + 9), (7, 28 + 28 + 16 + 16), (8, 40 + 40 + 25 + 25)])
def test_ruling_4_every_line_of_four_wins(size: int, lines: int) -> None:
    """A line is found as it is, and not if one of its squares is missing."""
    fours = OkagoRules(Options(size=size)).ground.fours
    found = 0
    for file, rank, (across, up) in product(range(size), range(size), ((1, 0), (0, 1), (1, 1), (-1, 1))):
        cells = [(file + step * across, rank + step * up) for step in range(4)]
        if all(0 <= x < size and 0 <= y < size for x, y in cells):
            found += 1
            line = sum(1 << y * size + x for x, y in cells)
            assert fours(line) == line
            assert not any(fours(line ^ 1 << y * size + x) for x, y in cells)
    assert found == lines


@for_each(
    ("before", "left", "outcome"),
    [
        pytest.param("...../...../..R../...../....B", (0, 3), Over(frozenset({BLUE}), "Red has no piece in hand and no jump"), id="stuck"),
        pytest.param("...../...../..RB./...../.....", (0, 3), Choose(RED, 9), id="a jump is left"),
        pytest.param("...../...../..R../...../....B", (1, 0), Choose(RED, 9), id="a piece is left"),
        pytest.param(
            "...../...../..rB./...../.....", (0, 0), Over(frozenset({BLUE}), "Red has no piece in hand and no jump"), id="face-down"
        ),
    ],
)
def test_ruling_4_without_a_move_the_game_is_lost(before: str, left: tuple[int, int], outcome: Over | Choose) -> None:
    rules, state = rules_for(before), position(before, left=left)
    assert rules.next(state) == outcome
    assert bool(rules.steps(state)) == isinstance(outcome, Choose)


def test_ruling_4_who_has_no_move_is_judged_at_their_own_turn() -> None:
    rules, state = rules_for(EMPTY), position("...../...../..R../...../....B", "Blue", left=(0, 1))
    assert rules.next(state) == Choose(BLUE, 10)
    after = rules.apply(state, rules.parse(state, "a1"))
    assert rules.next(after) == Over(frozenset({BLUE}), "Red has no piece in hand and no jump")


@for_each("seed", range(40))
def test_rulings_3_and_4_pieces_add_up_and_the_game_ends_in_time(seed: int) -> None:
    rules = OkagoRules(Options())
    jumps = plies = 0
    for state, step in playout(rules, random.Random(seed).choice):  # noqa: S311  # a repeatable game, not a secret
        after = rules.apply(state, step)
        jumps += isinstance(step, Jump)
        plies += 1
        on_board = after.taken.bit_count()
        assert on_board + sum(after.left) + jumps == 24
    assert plies <= 36
