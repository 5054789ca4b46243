"""The rulings of Tako Judo's RULES.md on how pieces move, how a game of two ends, and repetition, on positions made by hand."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, play, position, rules_for, written
from turnserver.errors import Illegal
from turnserver.games.tako_judo.position import Move, Position, position_key
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.rules import Choose, Over, Seat

DUEL = rules_for()
CORNERS = ("8 NN......", "7 NN......", "2 ......SS", "1 ......SS")


def ends(rules: TakoJudoRules, state: Position, start: str) -> set[str]:
    """Return the squares to which the piece on `start` may go."""
    moves = [rules.format(state, step).split("-") for step in rules.steps(state)]
    return {end for origin, end in moves if origin == start}


def check_refused(state: Position, move: str, code: str, words: str) -> None:
    with pytest.raises(Illegal) as refused:
        DUEL.parse(state, move)
    assert (refused.value.code, refused.value.message) == (code, words)
    assert DUEL.replay(state, move) not in DUEL.steps(state)


def check_end(state: Position, winner: str | None, reason: str) -> None:
    over = DUEL.next(state)
    assert isinstance(over, Over)
    assert over == Over(frozenset() if winner is None else frozenset({Seat(1 if winner == "North" else 2)}), reason)
    assert DUEL.steps(state) == ()


def test_the_start_has_the_first_player_on_top_and_56_moves() -> None:
    assert written(DUEL, DUEL.start()) == "..nNNn../..nNNn../..nnnn../......../......../..ssss../..sSSs../..sSSs.."
    assert DUEL.next(DUEL.start()) == Choose(Seat(1), 1)
    assert len(DUEL.steps(DUEL.start())) == 56


@for_each(
    ("rows", "start", "expected"),
    [
        pytest.param(["7 NN.n...."], "d7", "c7 e7 f7 g7 h7 d8 d6 d5 d4 d3 d2 d1 e8 c8 e6 f5 g4 h3 c6 b5 a4", id="along a row"),
        pytest.param(["7 NN.n.n.."], "f7", "", id="an own piece hides what is behind it"),
        pytest.param(["7 NN.s.n.."], "f7", "", id="so does another's"),
        pytest.param(["4 ..n....."], "c4", "", id="on no line"),
        pytest.param(["5 s.s.....", "4 sns.....", "3 sss....."], "b4", "b5 b6", id="down a column"),
        pytest.param(["5 ...ss...", "4 ..sns...", "3 ..sss..."], "d4", "c5 b6", id="aslant, from a7"),
        pytest.param(["5 ....ss..", "4 ...sns..", "3 ...sss.."], "e4", "d5 c6", id="aslant, from b7"),
        pytest.param(["6 ....ss..", "5 ...sns..", "4 ...sss.."], "e5", "d6 c7", id="aslant, from b8"),
    ],
)
def test_ruling_1_sight(rows: list[str], start: str, expected: str) -> None:
    assert ends(DUEL, position(DUEL, board(*CORNERS, *rows)), start) == set(expected.split())


def test_ruling_1_sight_counts_before_the_move() -> None:
    state = position(DUEL, board(*CORNERS, "7 NN.n....", "2 s.....SS"))
    after = play(DUEL, state, "d7-d1 g1-f1")
    assert ends(DUEL, after, "d1") == set()


@for_each(
    ("rows", "move", "code", "words"),
    [
        (["7 NN.s.n.."], "f7-f6", "entangled", "Your tentacle f7 is entangled: d7 hides it from your head."),
        (["7 NN.n.n.."], "f7-f6", "blocked", "Your tentacle f7 is blocked: d7 hides it from your head."),
        (["7 NN.s.n.n"], "h7-h6", "blocked", "Your tentacle h7 is blocked: f7 hides it from your head."),
        (["7 NN.n.s.n"], "h7-h6", "entangled", "Your tentacle h7 is entangled: f7 hides it from your head."),
        (["4 ..n....."], "c4-c5", "overreached", "Your tentacle c4 has overreached: no straight line leads from it to your head."),
    ],
)
def test_ruling_1_refusals_say_what_hides_a_tentacle(rows: list[str], move: str, code: str, words: str) -> None:
    check_refused(position(DUEL, board(*CORNERS, *rows)), move, code, words)


HEMMED = ("8 ......SS", "7 ......SS", "3 s..s....", "2 NN......", "1 NNs.....")


@for_each(
    ("rows", "expected"),
    [
        pytest.param(["8 ......SS", "7 ......SS", "2 NN......", "1 NN......"], "b1 c1 d1 e1 f1 g1 a2 a3 a4 a5 a6 a7 b2 c3 d4 e5", id="far"),
        pytest.param(HEMMED, "b2", id="corners beside a step aslant do not matter, one piece in the way stops it"),
        pytest.param([*HEMMED, "2 NNs....."], "", id="not between pieces one row apart"),
        pytest.param(["8 ......SS", "7 ......SS", "4 n..n....", "2 NN.n....", "1 NN......"], "b1 a2 b2", id="nor over its own tentacles"),
    ],
)
def test_ruling_2_how_a_head_moves(rows: list[str], expected: str) -> None:
    assert ends(DUEL, position(DUEL, board(*rows)), "a1") == set(expected.split())


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("a1-a2", "The move a1-a2 is blocked: a3 (a tentacle of South) is in the way. A head needs a way two squares wide."),
        ("a1-c3", "The move a1-c3 is blocked: d3 (a tentacle of South) is in the way. A head needs a way two squares wide."),
        ("a1-f6", "The move a1-f6 is blocked: d3 (a tentacle of South) is in the way. A head needs a way two squares wide."),
    ],
)
def test_ruling_2_refusals_say_what_is_in_the_way(move: str, words: str) -> None:
    check_refused(position(DUEL, board(*HEMMED)), move, "in_the_way", words)


def test_ruling_2_refusals_name_everything_that_one_step_meets() -> None:
    state = position(DUEL, board("8 ......SS", "7 ......SS", "3 .ns.....", "2 NN......", "1 NN......"))
    words = (
        "The move a1-c3 is blocked: b3 (a tentacle of yours) and c3 (a tentacle of South) are in the way. A head "
        "needs a way two squares wide."
    )
    check_refused(state, "a1-c3", "in_the_way", words)


@pytest.mark.parametrize(
    ("moves", "back"),
    [
        pytest.param("c7-b7 c2-b2", "b7-c7", id="a tentacle"),
        pytest.param("c7-b7 c2-b2 b7-a7 b2-a2", "a7-b7", id="the last square is the one that counts"),
        pytest.param("d6-a3 c2-b2 e6-h3 b2-a2 d7-d6 a2-a1", "d6-d7", id="a head"),
    ],
)
def test_ruling_3_straight_back_is_twiddling(moves: str, back: str) -> None:
    words = (
        f"The move {back} would be twiddling: this piece came from {back[3:]} on your last turn. Move another piece, or "
        "this one elsewhere; after that the way back is open."
    )
    check_refused(play(DUEL, DUEL.start(), moves), back, "twiddling", words)


@for_each(
    ("moves", "legal"),
    [
        pytest.param("c7-b7 c2-b2 c8-b8 b2-a2", "b7-c7", id="another move in between lifts the ban"),
        pytest.param("c7-b7 c2-b2 b7-a7 b2-a2", "a7-c7", id="round over three squares"),
        pytest.param("c7-b7 c2-b2", "c8-c7", id="another piece may go there"),
        pytest.param("c7-a7 c2-b2", "a7-b7", id="or this one part of the way"),
        pytest.param("c7-b7 c2-b2 f7-g7 b2-a2", "b7-c7", id="the opponent's moves are no matter"),
    ],
)
def test_ruling_3_what_is_not_twiddling(moves: str, legal: str) -> None:
    state = play(DUEL, DUEL.start(), moves)
    assert DUEL.parse(state, legal) in DUEL.steps(state)


HELD = ("8 ..n..NN.", "7 .....NN.", "3 .n......", "2 SS......", "1 SS......")
"""North plays c8-c1, and the head of South cannot move."""
TIED = ("8 ..n..NN.", "7 .....NN.", "5 n.......", "4 .n......", "3 sn......", "2 SS......", "1 SS......")
"""The same, but South has a tentacle that can go from a3 to a4 and nowhere else."""
LOOSE = ("8 .....SS.", "7 .....SS.", "3 ns......", "2 NN......", "1 NNs.....")
"""The head of North cannot move, but it has a tentacle that can."""
NARROW = ("8 .....SS.", "7 .....SS.", "5 ss......", "4 .s......", "3 ns......", "2 NN......", "1 NNs.....")
"""The same, but the tentacle can only go from a3 to a4."""


@for_each(
    ("rows", "came", "moves", "winner", "reason"),
    [
        pytest.param(HELD, [], "c8-c1", "North", "South is pinned", id="the opponent cannot move"),
        pytest.param(TIED, ["s a4-a3"], "c8-c1", "North", "South could only twiddle", id="or could only twiddle"),
        pytest.param(LOOSE, [], "a3-c5", "South", "North is pinned by its own move", id="the mover cannot move"),
        pytest.param(["3 .s.n..n.", "2 NN....SS", "1 NNs...SS"], [], "d3-f1", "North", "South is pinned", id="neither can: the mover wins"),
        pytest.param(NARROW, [], "a3-a4 f7-e7", "South", "North could only twiddle", id="judged when the turn comes"),
    ],
)
def test_ruling_4_the_end_for_two(rows: list[str], came: list[str], moves: str, winner: str, reason: str) -> None:
    check_end(play(DUEL, position(DUEL, board(*rows), came=came), moves), winner, reason)


@pytest.mark.parametrize(
    ("rows", "came", "moves", "legal"),
    [
        pytest.param(TIED, [], "c8-c1", {"a3-a4"}, id="a move that is no twiddling will do"),
        pytest.param(TIED, ["s a5-a3"], "c8-c1", {"a3-a4"}, id="as will one that is only part of the way back"),
        pytest.param(NARROW, [], "a3-a4 b4-c5", {f"a4-{file}4" for file in "bcdefgh"}, id="the opponent made room in time"),
    ],
)
def test_ruling_4_the_game_goes_on(rows: list[str], came: list[str], moves: str, legal: set[str]) -> None:
    state = play(DUEL, position(DUEL, board(*rows), came=came), moves)
    assert {DUEL.format(state, step) for step in DUEL.steps(state)} == legal


CIRCLE = "c7-b7 f2-g2 b7-a7 g2-h2 a7-c7 h2-f2 "


def test_ruling_6_the_third_time_is_a_draw() -> None:
    """After 2, 8 and 14 moves. After 6 and 12 the board is that of the start, but the last moves are not."""
    state = play(DUEL, DUEL.start(), 2 * CIRCLE + "c7-b7")
    assert isinstance(DUEL.next(state), Choose)
    assert DUEL.occurrences(state) == 2
    check_end(play(DUEL, state, "f2-g2"), None, "the same position came up for the third time")


def test_ruling_6_the_start_counts_as_one() -> None:
    assert DUEL.occurrences(DUEL.start()) == 1


def test_ruling_6_positions_with_other_bans_are_others() -> None:
    """Twice the same board with the same player to move, but North has come back with different tentacles."""
    one = play(DUEL, DUEL.start(), CIRCLE)
    other = play(DUEL, one, "c8-b8 f2-g2 b8-a8 g2-h2 a8-c8 h2-f2")
    assert written(DUEL, one) == written(DUEL, other) == written(DUEL, DUEL.start())
    assert [DUEL.occurrences(state) for state in (one, other)] == [1, 1]
    assert DUEL.occurrences(play(DUEL, DUEL.start(), CIRCLE + "c7-b7 f2-g2")) == 2


def test_ruling_6_fine_point_the_side_to_move_counts() -> None:
    """North goes round in 3 moves and South in 4: the same pieces after 2, 19 and 26 moves, but after 19 it is the other's turn."""
    north, south = ("c7-b7", "b7-a7", "a7-c7"), ("f2-g2", "f1-g1", "g2-f2", "g1-f1")
    moves = [(south if number % 2 else north)[number // 2 % (4 if number % 2 else 3)] for number in range(50)]
    states = [DUEL.start()]
    for move in moves:
        states.append(play(DUEL, states[-1], move))
    assert states[2][2:5] == states[19][2:5] == states[26][2:5]
    assert [DUEL.occurrences(states[number]) for number in (2, 19, 26)] == [1, 1, 2]
    assert isinstance(DUEL.next(states[49]), Choose)
    check_end(states[50], None, "the same position came up for the third time")


@for_each(
    "change",
    [
        pytest.param({"mover": 1}, id="who is to move"),
        pytest.param({"heads": (51, 4)}, id="a head"),
        pytest.param({"arms": (6, 10)}, id="tentacles"),
        pytest.param({"bans": (None, Move(8, 9))}, id="a ban"),
        pytest.param({"bans": (Move(9, 8), Move(9, 8))}, id="another ban"),
    ],
)
def test_ruling_6_positions_that_differ_in_one_thing_are_others(change: dict[str, Any]) -> None:
    same: dict[str, Any] = {"mover": 0, "heads": (52, 4), "arms": (6, 9), "bans": (None, Move(9, 8))}
    assert position_key(8, **same) != position_key(8, **(same | change))


def test_ruling_6_the_option_switches_it_off() -> None:
    rules = rules_for(repetition=False)
    state = play(rules, rules.start(), 5 * CIRCLE)
    assert isinstance(rules.next(state), Choose)
    assert rules.occurrences(state) == 0
