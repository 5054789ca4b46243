"""Each ruling of Take's RULES.md, on positions made by hand."""

import pytest

from tests.cases import for_each
from tests.games.take.boards import position, rules_for, written
from turnserver.errors import Illegal
from turnserver.games.take.position import BLUE, RED
from turnserver.rules import Choose, Over


def check_move(variant: str, before: str, to_move: str, move: str, after: str) -> None:
    rules, state = rules_for(before, variant), position(before, to_move)
    step = rules.parse(state, move)
    assert step in rules.steps(state)
    assert written(rules, rules.apply(state, step)) == after


def check_refused(variant: str, before: str, move: str, code: str, words: str) -> None:
    rules, state = rules_for(before, variant), position(before)
    with pytest.raises(Illegal) as refused:
        rules.parse(state, move)
    assert (refused.value.code, refused.value.message) == (code, words)
    assert rules.board.by_name[move] not in rules.steps(state)


@for_each(
    ("variant", "before", "to_move", "move", "after"),
    [
        pytest.param("standard", "##B/####/##R##/####/###", "Red", "a1", "##B/####/##R##/####/R##", id="a seed replaces a clod"),
        pytest.param("standard", "##B/####/##R##/####/###", "Red", "c4", "##B/####/##RR#/####/###", id="a growth takes the clod away"),
        pytest.param("standard", "##B/####/##R.#/####/###", "Red", "c4", "##B/####/##RR#/####/###", id="a growth on a bare cell"),
        pytest.param("standard", "##B/####/##R.#/####/###", "Blue", "d3", "##B/##B#/##R.#/####/###", id="the other colour is no friend"),
        pytest.param("high-churn", "##B/####/##R##/####/###", "Red", "a1", "##B/####/##R##/####/R##", id="a seed replaces a tile"),
        pytest.param("high-churn", "##B/####/##R##/####/###", "Red", "c4", "##B/####/##Rr#/####/###", id="a tile stays under a growth"),
        pytest.param("high-churn", "##B/####/##R.#/####/###", "Red", "c4", "##B/####/##RR#/####/###", id="a growth brings no tile"),
        pytest.param("high-churn", "bR/#R#/##", "Red", "b1", "#R/rR#/##", id="a tile is there again when its stone is removed"),
        pytest.param("high-churn", "BR/#R#/##", "Red", "b1", ".R/rR#/##", id="a seed's tile does not come back"),
    ],
)
def test_ruling_1_placements(variant: str, before: str, to_move: str, move: str, after: str) -> None:
    check_move(variant, before, to_move, move, after)


@for_each(
    ("variant", "before", "move", "code", "words"),
    [
        (
            "standard",
            "##B/####/##R##/####/.##",
            "a1",
            "bare_seed",
            "Cell a1 is bare and touches none of your stones. A seed replaces a clod; a growth touches exactly one stone.",
        ),
        (
            "high-churn",
            "##b/####/##r##/####/.##",
            "a1",
            "bare_seed",
            "Cell a1 is bare and touches none of your stones. A seed replaces a tile; a growth touches exactly one stone.",
        ),
        (
            "standard",
            "##B/####/#R#R#/####/###",
            "c3",
            "touches_several",
            "Cell c3 touches two of your stones. A growth touches exactly one.",
        ),
        (
            "high-churn",
            "##B/#r##/#R.R#/####/###",
            "c3",
            "touches_several",
            "Cell c3 touches three of your stones. A growth touches exactly one.",
        ),
        ("standard", "##B/####/#R#R#/####/###", "c4", "occupied", "Your own stone is on c4 already."),
        ("high-churn", "##b/####/#R#R#/####/###", "e3", "occupied", "Your opponent's stone is on e3 already."),
        ("standard", "##./####/#R#R#/####/###", "a1", "over", "The game is over."),
    ],
)
def test_ruling_1_refusals_name_the_rule(variant: str, before: str, move: str, code: str, words: str) -> None:
    check_refused(variant, before, move, code, words)


@pytest.mark.parametrize(
    ("before", "to_move", "legal"),
    [
        pytest.param("BR/#.#/##", "Red", "a1 a2 b1 b2 b3", id="seeds on clods, growths anywhere"),
        pytest.param("BR/#.#/##", "Blue", "a1 a2 b1 b2 b3", id="as much for Blue"),
        pytest.param("R#/.B./R.", "Red", "a2 c2", id="Cell b1 touches two, Cell b3 is bare and touches none, c2 is a growth"),
    ],
)
def test_ruling_1_all_placements_in_order(before: str, to_move: str, legal: str) -> None:
    rules, state = rules_for(before), position(before, to_move)
    assert " ".join(rules.format(state, step) for step in rules.steps(state)) == legal


@for_each(
    ("before", "to_move", "move", "after"),
    [
        pytest.param("RB#/B###/#####/####/###", "Red", "c2", ".B#/B###/#R###/####/###", id="a stone of another group spoils the last cell"),
        pytest.param("RB#/B###/#####/####/###", "Red", "b4", "RB#/B###/#####/###R/###", id="one cell to grow to is enough"),
        pytest.param("RB#/B.##/#####/####/###", "Red", "b4", "RB#/B.##/#####/###R/###", id="bare or covered, a cell to grow to counts"),
        pytest.param("B#/R#R/##", "Blue", "c2", "../R#R/##", id="a cell that two stones of the own group touch is no room"),
        pytest.param("BR/#R#/##", "Red", "b1", ".R/RR#/##", id="no free cell beside it at all"),
    ],
)
def test_ruling_2_bounded_groups(before: str, to_move: str, move: str, after: str) -> None:
    check_move("standard", before, to_move, move, after)


@pytest.mark.parametrize(
    ("before", "to_move", "move", "after"),
    [
        # Red's c2 spoils d1 and d2 for e1, and c2 was the last cell of the blue group e2 d3 c3. If e1 went first, Blue could grow there.
        pytest.param("RB#/##B#/##B#B/####/#B#", "Red", "c2", "..#/##.#/#R.#B/####/#B#", id="both colours at once, neither saves the other"),
        # d2 then touches two red stones and two blue ones: e1 and e2 fall together, d1 lives on through c1.
        pytest.param("RBR/B###/#####/####/###", "Red", "d3", "..R/B#R#/#####/####/###", id="the placed stone's own group lives"),
    ],
)
def test_ruling_3_all_bounded_groups_go_together(before: str, to_move: str, move: str, after: str) -> None:
    check_move("standard", before, to_move, move, after)


def test_ruling_3_what_was_removed_can_be_told() -> None:
    before = "RB#/##B#/##B#B/####/#B#"
    rules, state = rules_for(before), position(before)
    after = rules.apply(state, rules.parse(state, "c2"))
    red, blue = (sorted(rules.board.names[cell] for cell in rules.board.cells if gone >> cell & 1) for gone in after.gone)
    assert (red, blue) == (["e1"], ["c3", "d3", "e2"])


@for_each(
    ("before", "to_move", "move", "outcome"),
    [
        pytest.param("R#/R#B/RB", "Blue", "c2", Over(frozenset({BLUE}), "no stones are left, and Blue moved last"), id="nothing left"),
        pytest.param("BR/#R#/##", "Red", "b1", Over(frozenset({RED}), "Blue has no stones left"), id="only the opponent's gone"),
        pytest.param("B#/R#R/##", "Blue", "c2", Over(frozenset({RED}), "Blue removed the last of his own stones"), id="only the own gone"),
        pytest.param("RB#/B###/#####/####/###", "Red", "c2", Choose(BLUE, 10), id="a removal that leaves both colours"),
    ],
)
def test_ruling_4_the_end(before: str, to_move: str, move: str, outcome: Over | Choose) -> None:
    rules, state = rules_for(before), position(before, to_move)
    after = rules.apply(state, rules.parse(state, move))
    assert rules.next(after) == outcome
    assert bool(rules.steps(after)) == isinstance(outcome, Choose)


def test_ruling_4_nobody_has_lost_before_something_was_removed() -> None:
    rules = rules_for("##/###/##")
    state = rules.start()
    assert rules.next(state) == Choose(RED, 1)
    state = rules.apply(state, rules.parse(state, "b2"))
    assert rules.next(state) == Choose(BLUE, 2)
    assert len(rules.steps(state)) == 6
