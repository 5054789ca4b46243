"""Touching a board of Tako Judo, by hand; what holds everywhere stands in test_touch_laws.py."""

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, position, rules_for
from tests.games.touched import drawn, played, refused
from turnserver.games.tako_judo.position import Position
from turnserver.games.tako_judo.view import TakoJudoView

RULES = rules_for()
VIEW = TakoJudoView(RULES.options, RULES)
SOUTH = ("2 ......SS", "1 ......SS")
OPEN = position(RULES, board("8 NN......", "7 NN.n.s.n", "4 ..n.....", *SOUTH))
BACK = position(RULES, board("8 NN......", "7 NN.n.s.n", "4 ..n.....", *SOUTH), came=["n d4-d7"])
HEAD_BACK = position(RULES, board("8 NN......", "7 NN.n.s.n", "4 ..n.....", *SOUTH), came=["n a5-a7"])
ONLY_BACK = position(RULES, board("8 NNns....", "7 NN.s....", "6 ..s.....", *SOUTH), came=["n c7-c8"])
SHUT_IN = position(RULES, board("8 NNns....", "7 NNss....", "6 sss.....", *SOUTH))
TENTACLE = "d1 d2 d3 h3 a4 d4 g4 b5 d5 f5 c6 d6 e6 c7 e7 c8 d8 e8"
HEAD = "a1 a2 a3 e3 a4 d4 a5 c5 a6 b6 b7"

CASES = {
    "all that can move": (OPEN, "", "", "a7 b7 a8 b8 d7"),
    "where a tentacle can go": (OPEN, "d7", "", TENTACLE),
    "a move of a tentacle": (OPEN, "d7 d4", "d7-d4", ""),
    "not back": (BACK, "d7", "", TENTACLE.replace(" d4", "")),
    "where a head can go": (OPEN, "a7", "", HEAD),
    "by another of its squares": (OPEN, "b8", "", HEAD),
    "a move of a head": (OPEN, "a7 b6", "a7-b6", ""),
    "onto a square of its own": (OPEN, "b7 b7", "a7-b7", ""),
    "no piece of one's own": (OPEN, "f7", "", ""),
    "a tentacle out of sight": (OPEN, "c4", "", ""),
}


@for_each(("state", "touched", "steps", "follow"), CASES.values(), ids=CASES)
def test_touches_play_and_are_followed(state: Position, touched: str, steps: str, follow: str) -> None:
    assert played(RULES, VIEW, state, touched) == (steps, follow)


REFUSED = {
    "nobody's": (OPEN, "e5", "There is no piece on e5."),
    "somebody else's": (OPEN, "f7", "A tentacle of South is on f7, and you play North."),
    "entangled": (OPEN, "h7", "Your tentacle h7 is entangled: f7 hides it from your head."),
    "overreached": (OPEN, "c4", "Your tentacle c4 has overreached: no straight line leads from it to your head."),
    "shut in": (SHUT_IN, "c8", "The move c8-d8 is blocked: d8 (a tentacle of South) is in the way."),
    "a head that is shut in, by any square": (
        SHUT_IN,
        "b8",
        "The move a7-b7 is blocked: c7 (a tentacle of South) and c8 (a tentacle of yours)",
    ),
    "nothing but the way back": (ONLY_BACK, "c8", "The move c8-c7 would be twiddling"),
    "back": (BACK, "d7 d4", "The move d7-d4 would be twiddling"),
    "a head back": (HEAD_BACK, "b7 a5", "The move a7-a5 would be twiddling"),
    "no line": (OPEN, "d7 e5", "No straight line leads from d7 to e5."),
    "onto a piece": (OPEN, "d7 f7", "The move d7-f7 is blocked: f7 (a tentacle of South) is in the way."),
    "a head over the edge": (OPEN, "b8 a8", "Your head would go over the edge: a8 would be its lower left square."),
    "a head into a narrow way": (OPEN, "a7 c7", "The move a7-c7 is blocked: d7 (a tentacle of yours) is in the way."),
    "no place": (OPEN, "k9", '"k9" isn\'t a move in Tako Judo.'),
    "more than a step": (OPEN, "d7 d4 d7", '"d7-d4-d7" isn\'t a move in Tako Judo.'),
    "nothing": (OPEN, "", '"" isn\'t a move in Tako Judo.'),
}


@for_each(("state", "touched", "reason"), REFUSED.values(), ids=REFUSED)
def test_touches_are_refused_as_steps_are(state: Position, touched: str, reason: str) -> None:
    assert refused(RULES, VIEW, state, touched).startswith(reason)


@for_each(
    ("touched", "name", "words"),
    [
        ("", "a8", "a8, head of North"),
        ("", "g1", "g1, head of South"),
        ("", "d7", "d7, tentacle of North"),
        ("", "f7", "f7, tentacle of South"),
        ("", "h7", "h7, tentacle of North, entangled"),
        ("", "c4", "c4, tentacle of North, overreached"),
        ("", "e5", "e5, empty"),
        ("d7", "d4", "d4, empty"),
        ("a7", "d4", "d4, as the lower left square of the head"),
        ("a7", "d7", "d7, tentacle of North"),
    ],
)
def test_squares_are_said_in_words(touched: str, name: str, words: str) -> None:
    assert VIEW.places(OPEN, tuple(touched.split()))[name].words == words


@for_each(
    ("touched", "missing"),
    [
        pytest.param("", "", id="all squares"),
        pytest.param("d7", "d7", id="not where a tentacle is"),
        pytest.param("a7", "a7", id="nor where a head is"),
        pytest.param("b8", "a7 b8", id="by any of its squares, but those where it can go"),
    ],
)
def test_every_square_is_there_but_the_one_touched(touched: str, missing: str) -> None:
    left = [name for name in RULES.field.board.names if name not in missing.split()]
    assert sorted(VIEW.places(OPEN, tuple(touched.split()))) == sorted(left)


@for_each("touched", ["e5", "f7", "k9", "d7 d4"])
def test_nothing_follows_a_move_or_what_is_no_piece_of_ones_own(touched: str) -> None:
    assert VIEW.places(OPEN, tuple(touched.split())) == {}


@pytest.mark.parametrize(("move", "radius"), [("d7-d4", "5.1"), ("a7-d4", "7.2")])
def test_places_lie_where_the_picture_marks_the_targets(move: str, radius: str) -> None:
    piece, end = move.split("-")
    circles = drawn(VIEW.svg(OPEN, None, [RULES.parse(OPEN, move)]), "circle")
    middle = next(at for circle, at in circles if circle.get("r") == radius)
    assert VIEW.places(OPEN, (piece,))[end].centre == pytest.approx(middle, abs=0.01)
