"""Touching a board of Take, by hand; what holds everywhere stands in test_touch_laws.py."""

import pytest

from tests.cases import for_each
from tests.games.take.boards import position, rules_for
from tests.games.touched import drawn, played, refused
from turnserver import games
from turnserver.games.take.position import Options, Position
from turnserver.games.take.rules import TakeRules
from turnserver.games.take.view import TakeView

LARGE = TakeRules(Options(size=8))
ALL_OF_C = " ".join(f"c{number}" for number in range(1, 11))
CASES = {
    "a cell": ("##B/####/##R.#/####/###", "c4", "c4", ""),
    "seeds and growths": ("#.B/.R#./##..#/####/###", "", "", "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c5 d1 d3 e1 e2"),
    "a cell that takes none": ("##B/####/##R.#/####/###", "c3", "", ""),
}


@pytest.mark.parametrize(("board", "touched", "steps", "follow"), CASES.values(), ids=CASES)
def test_touches_play_and_are_followed(board: str, touched: str, steps: str, follow: str) -> None:
    rules = rules_for(board)
    assert played(rules, TakeView(rules.options), position(board), touched) == (steps, follow)


@for_each(("touched", "steps", "follow"), [("c5", "c5", ""), ("row-c", "", ALL_OF_C), ("row-c c5", "c5", ""), ("row-c e5", "", "")])
def test_a_board_with_narrow_cells_has_buttons_for_rows_and_their_cells(touched: str, steps: str, follow: str) -> None:
    view, state = TakeView(LARGE.options), LARGE.start()
    assert played(LARGE, view, state, touched) == (steps, follow)
    rows = {name: place for name, place in view.places(state).items() if name.startswith("row-")}
    assert [place.words for place in rows.values()] == [f"Row {letter}" for letter in "abcdefghijklmno"]
    assert not any(place.outline for place in [*rows.values(), *view.places(state, ("row-c",)).values()])
    assert " ".join(view.places(state, ("row-c",))) == ALL_OF_C


@for_each("size", range(2, 8))
def test_on_other_boards_every_cell_is_large_enough(size: int) -> None:
    game = games.find("take", size=size)
    assert all(place.outline for place in TakeView(Options(size=size)).places(game.rules.start()).values())


REFUSED = {
    "occupied": ("##B/####/##R.#/####/###", "c3", "Your own stone is on c3 already."),
    "by the other": ("##B/####/##R.#/####/###", "e3", "Your opponent's stone is on e3 already."),
    "bare": ("##B/####/##R../####/###", "c5", "Cell c5 is bare and touches none of your stones."),
    "no row": ("##B/####/##R.#/####/###", "row-z", "This board has no z1"),
    "a cell of another row": ("##B/####/##R.#/####/###", "row-c a1", '"row-c a1" isn\'t a move in Take.'),
    "more than a step": ("##B/####/##R.#/####/###", "a1 a2", '"a1 a2" isn\'t a move in Take.'),
    "nothing": ("##B/####/##R.#/####/###", "", '"" isn\'t a move in Take.'),
}


@for_each(("board", "touched", "reason"), REFUSED.values(), ids=REFUSED)
def test_touches_are_refused_as_steps_are(board: str, touched: str, reason: str) -> None:
    rules = rules_for(board)
    assert refused(rules, TakeView(rules.options), position(board), touched).startswith(reason)


def test_a_row_without_a_step_is_refused_for_its_first_cell() -> None:
    view, first_row = TakeView(LARGE.options), sum(1 << cell for cell in LARGE.board.rows[0])
    state = Position(9, first_row, 1 << LARGE.board.by_name["h8"], LARGE.board.full, 0, 0)
    assert "row-a" not in played(LARGE, view, state, "")[1]
    assert refused(LARGE, view, state, "row-a") == "Your own stone is on a1 already."


@pytest.mark.parametrize("touched", [("a1",), ("row-a", "a1"), ("row-z",)])
def test_nothing_follows_a_cell(touched: tuple[str, ...]) -> None:
    assert TakeView(LARGE.options).places(LARGE.start(), touched) == {}


@for_each(
    ("variant", "name", "words"),
    [
        ("standard", "a1", "a1, clod"),
        ("standard", "a2", "a2, bare"),
        ("standard", "b1", "b1, red stone"),
        ("standard", "b2", "b2, blue stone"),
        ("high-churn", "a1", "a1, tile"),
        ("high-churn", "b3", "b3, red stone on a tile"),
        ("high-churn", "c1", "c1, blue stone on a tile"),
    ],
)
@for_each("to_move", ["Red", "Blue"])
def test_cells_are_said_in_words(variant: str, name: str, words: str, to_move: str) -> None:
    board = "b#/RBr/#."
    assert TakeView(rules_for(board, variant).options).places(position(board, to_move))[name].words == words


def test_places_lie_where_the_picture_shows_the_cells() -> None:
    board = "##B/####/##R.#/####/###"
    view = TakeView(rules_for(board).options)
    _, middle = next(drawn(view.svg(position(board)), "circle"))
    assert view.places(position(board))["c3"].centre == pytest.approx(middle, abs=0.01)
