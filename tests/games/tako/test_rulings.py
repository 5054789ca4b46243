"""The rulings of TAKO's RULES.md about taking, options, the end and the order of things, on positions made by hand."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.games.tako.piles import legal, played, position, rules_for
from turnserver.errors import Illegal
from turnserver.games.tako.position import BLACK, WHITE, Position
from turnserver.rules import Choose, Over, Roll, Seat

ALL = "pass add"


def check_legal(options: dict[str, Any], state: Position, expected: str) -> None:
    assert legal(rules_for(**options), state) == expected


def check_refused(state: Position, text: str, code: str, words: str, **options: Any) -> None:
    rules = rules_for(**options)
    with pytest.raises(Illegal) as refused:
        rules.parse(state, text)
    assert (refused.value.code, refused.value.message) == (code, words)
    assert text not in [rules.format(state, step) for step in rules.steps(state)]


@for_each(
    ("a", "b", "roll", "expected"),
    [
        pytest.param(9, 9, "HI 5", "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 ab1 ab2", id="HI 5: five is in, ab3 would be six"),
        pytest.param(9, 9, "HI 4", "a1 a2 a3 a4 b1 b2 b3 b4 ab1 ab2", id="HI 4: ab2 is four"),
        pytest.param(9, 9, "HI 1", "a1 b1", id="HI 1: two from both are too many"),
        pytest.param(4, 5, "LO 3", "a3 a4 b3 b4 b5 ab2 ab3 ab4", id="LO 3: three is enough, ab2 is four"),
        pytest.param(4, 5, "LO 4", "a4 b4 b5 ab2 ab3 ab4", id="LO 4: ab2 is four"),
        pytest.param(3, 3, "LO 6", "ab3", id="LO 6: only both piles together hold six"),
        pytest.param(2, 0, "HI 6", "a1 a2", id="no more than there is"),
        pytest.param(2, 0, "LO 1", "a1 a2", id="nothing from an empty pile"),
        pytest.param(1, 3, "LO 2", "b2 b3 ab1", id="the smaller pile bounds what both can give"),
    ],
)
def test_ruling_1_what_a_roll_allows(a: int, b: int, roll: str, expected: str) -> None:
    check_legal({}, position(a, b, roll), expected)


@for_each(
    ("state", "text", "code", "words"),
    [
        (position(9, 9, "LO 4"), "a3", "below", "LO 4: take at least 4 stones in all; a3 takes 3."),
        (position(9, 9, "LO 5"), "ab2", "below", "LO 5: take at least 5 stones in all; ab2 takes 4."),
        (position(9, 9, "HI 5"), "b6", "above", "HI 5: take at most 5 stones in all; b6 takes 6."),
        (position(9, 9, "HI 1"), "ab1", "above", "HI 1: take at most 1 stone in all; ab1 takes 2."),
        (position(8, 9, "LO 1"), "a9", "too_many", "Pile A holds 8 stones; a9 takes 9."),
        (position(9, 1, "LO 1"), "ab2", "too_many", "Pile B holds 1 stone; ab2 takes 2 from each."),
        (position(0, 9, "HI 3"), "a1", "too_many", "Pile A is empty; a1 takes 1."),
        (position(0, 0, "LO 4", black=ALL), "a3", "over", "The game is over."),
    ],
)
def test_ruling_1_refusals_name_the_rule(state: Position, text: str, code: str, words: str) -> None:
    check_refused(state, text, code, words)


@for_each(
    ("before", "text", "after"),
    [
        pytest.param(position(9, 9, "HI 5"), "a3", position(6, 9, mover="Black", turn=9), id="from A"),
        pytest.param(position(9, 9, "HI 5"), "b5", position(9, 4, mover="Black", turn=9), id="from B"),
        pytest.param(position(9, 9, "HI 5"), "ab2", position(7, 7, mover="Black", turn=9), id="from both"),
        pytest.param(position(9, 9), "LO 2", position(9, 9, "LO 2"), id="a roll changes nothing else"),
    ],
)
def test_ruling_1_takes(before: Position, text: str, after: Position) -> None:
    assert played(rules_for(), text, before) == after


@for_each(
    ("state", "expected"),
    [
        pytest.param(position(1, 0, "LO 6", white=ALL), "pass add-a add-b", id="both, whatever was rolled"),
        pytest.param(position(1, 0, "LO 6", white="pass"), "pass", id="the add is used"),
        pytest.param(position(1, 0, "LO 6", white="add", black=ALL), "add-a add-b", id="the pass is used"),
        pytest.param(position(1, 0, "LO 1", white="add"), "a1 add-a add-b", id="after the takes"),
        pytest.param(position(0, 0, "HI 1", white="add"), "add-a add-b", id="on empty piles"),
        pytest.param(position(12, 0, "LO 6", mover="Black", black="add"), "a6 a7 a8 a9 a10 a11 a12 add-a add-b", id="above eleven"),
        pytest.param(position(13, 0, "LO 6"), "a6 a7 a8 a9 a10 a11 a12 a13", id="a pile to which both have added"),
    ],
)
def test_ruling_2_options_once_a_game_each(state: Position, expected: str) -> None:
    check_legal({}, state, expected)


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        pytest.param(
            position(1, 0, "LO 6", white=ALL, black=ALL),
            "add b",
            position(1, 1, mover="Black", white="pass", black=ALL, turn=9),
            id="an add on an empty pile ends the turn",
        ),
        pytest.param(
            position(12, 3, "LO 6", mover="Black", white=ALL, black=ALL),
            "add a",
            position(13, 3, white=ALL, black="pass", turn=9),
            id="an add above eleven",
        ),
        pytest.param(
            position(1, 0, "LO 6", white=ALL, black=ALL),
            "pass",
            position(1, 0, "LO 6", mover="Black", white="add", black=ALL, passed=True, turn=9),
            id="a pass hands the same roll over",
        ),
    ],
)
def test_ruling_2_what_options_do(before: Position, text: str, after: Position) -> None:
    assert played(rules_for(), text, before) == after


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("pass", "pass_used", "You have used your pass. Each player can pass once a game."),
        ("add a", "add_used", "You have used your add. Each player can add a stone once a game."),
        ("add b", "add_used", "You have used your add. Each player can add a stone once a game."),
    ],
)
def test_ruling_2_a_used_option_is_refused(text: str, code: str, words: str) -> None:
    check_refused(position(4, 4, "LO 2", black=ALL), text, code, words)


@for_each(
    ("line", "pending"),
    [
        pytest.param("pass", Choose(BLACK, 9), id="the opponent answers the same roll, without a new one"),
        pytest.param("pass, pass", Choose(WHITE, 10), id="and may pass it back"),
        pytest.param("pass, a6", Roll(WHITE, 10, (1,) * 12), id="once it is answered the other player rolls"),
        pytest.param("pass, pass, a6", Roll(BLACK, 11, (1,) * 12), id="so too after a pass back"),
        pytest.param("pass, add b", Roll(WHITE, 10, (1,) * 12), id="an add answers it as well"),
    ],
)
def test_ruling_3_a_passed_roll(line: str, pending: Choose | Roll) -> None:
    rules = rules_for()
    assert rules.next(played(rules, line, position(6, 2, "LO 6", white=ALL, black=ALL))) == pending


def test_ruling_3_a_roll_passed_back_must_be_taken_or_added_to() -> None:
    rules = rules_for()
    state = played(rules, "pass, pass", position(6, 2, "LO 6", white=ALL, black=ALL))
    assert legal(rules, state) == "a6 add-a add-b"


@pytest.mark.parametrize(
    ("white", "black", "line", "winner", "reason"),
    [
        pytest.param(
            "pass", "pass", "pass, pass", BLACK, "White has no legal move on LO 6 (passed by Black) and no option left", id="passed back"
        ),
        pytest.param(
            "pass", "", "pass", WHITE, "Black has no legal move on LO 6 (passed by White) and no option left", id="passed on to nothing"
        ),
    ],
)
def test_ruling_3_who_cannot_answer_a_passed_roll_has_lost(white: str, black: str, line: str, winner: Seat, reason: str) -> None:
    rules = rules_for()
    state = played(rules, line, position(5, 2, "LO 6", white=white, black=black))
    assert rules.next(state) == Over(frozenset({winner}), reason)
    assert rules.steps(state) == ()


@for_each(
    ("state", "pending"),
    [
        pytest.param(
            position(1, 2, "LO 4"), Over(frozenset({BLACK}), "White has no legal move on LO 4 and no option left"), id="stones may be left"
        ),
        pytest.param(
            position(0, 0, "HI 6", mover="Black", white=ALL),
            Over(frozenset({WHITE}), "Black has no legal move on HI 6 and no option left"),
            id="nothing may be taken from nothing",
        ),
        pytest.param(position(0, 0), Roll(WHITE, 8, (1,) * 12), id="not before the roll"),
        pytest.param(position(0, 0, "HI 6", white="add"), Choose(WHITE, 8), id="not while one can add"),
        pytest.param(position(0, 0, "HI 6", white="pass"), Choose(WHITE, 8), id="not while one can pass"),
        pytest.param(position(2, 2, "LO 4"), Choose(WHITE, 8), id="not while both piles together are enough"),
        pytest.param(position(4, 0, "LO 4"), Choose(WHITE, 8), id="not while one pile is enough"),
        pytest.param(position(3, 1, "LO 4"), Over(frozenset({BLACK}), "White has no legal move on LO 4 and no option left"), id="unequal"),
        pytest.param(position(1, 0, "HI 1"), Choose(WHITE, 8), id="a single stone is there to be taken"),
    ],
)
def test_ruling_4_the_end(state: Position, pending: Choose | Roll | Over) -> None:
    rules = rules_for()
    assert rules.next(state) == pending
    assert isinstance(pending, Over) == (not rules.steps(state))


@for_each(
    ("options", "state", "expected"),
    [
        pytest.param(
            {}, position(11, 11, "LO 6", turn=1), "a6 a7 a8 a9 a10 a11 b6 b7 b8 b9 b10 b11 ab3 ab4 ab5 ab6 ab7 ab8 ab9 ab10", id="LO"
        ),
        pytest.param({"betting": True, "stake": 5}, position(5, 5, "HI 6", turn=1), "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 ab1 ab2 ab3", id="HI"),
        pytest.param(
            {"betting": True, "stake": 5, "variant": "adept"},
            position(5, 5, "LO 10", turn=1, white=ALL),
            "pass add-a add-b",
            id="options only",
        ),
        pytest.param({"betting": True, "stake": 5, "variant": "adept"}, position(5, 5, "LO 10", turn=2), "ab5", id="only the first move"),
    ],
)
def test_ruling_5_the_first_move_leaves_something(options: dict[str, Any], state: Position, expected: str) -> None:
    check_legal(options, state, expected)


def test_ruling_5_the_refusal_names_the_rule() -> None:
    words = "The first move can't empty both piles, because each player gets at least one turn; ab11 takes all."
    check_refused(position(11, 11, "LO 6", turn=1), "ab11", "first_takes_all", words)


def test_ruling_5_after_a_first_pass_all_may_go() -> None:
    rules = rules_for()
    state = played(rules, "4 2, LO 6, pass, ab11")
    assert (state.piles, rules.next(state)) == ((0, 0), Roll(WHITE, 3, (1,) * 12))


def test_ruling_6_rolls_come_first_and_every_choice_is_a_turn() -> None:
    rules = rules_for()
    state, pendings = rules.start(), []
    for text in "3 3, 2 5, HI 3, a1, LO 2, pass, b2".split(", "):
        pendings.append(rules.next(state))
        state = rules.apply(state, rules.parse(state, text))
    start, turn = (1,) * 36, (1,) * 12
    assert pendings == [
        Roll(WHITE, 1, start),
        Roll(WHITE, 1, start),
        Roll(BLACK, 1, turn),
        Choose(BLACK, 1),
        Roll(WHITE, 2, turn),
        Choose(WHITE, 2),
        Choose(BLACK, 3),
    ]
    assert rules.next(state) == Roll(WHITE, 4, turn)


def test_ruling_6_nothing_is_chosen_before_the_roll_and_nothing_rolled_after_it() -> None:
    rules = rules_for()
    words = "The roll for the start comes first."
    check_refused(rules.start(), "a3", "roll_first", words)
    check_refused(rules.start(), "HI 3", "roll_first", words)
    rolled = played(rules, "1 4")
    check_refused(rolled, "a3", "roll_first", "Coin and die come first: there is nothing to choose before the roll.")
    check_refused(rolled, "1 4", "rolled_already", "The roll for the start is over.")
    shown = played(rules, "HI 2", rolled)
    how = "a move is a pile (a, b, or ab for both) and a number, the word pass, or the word add and a pile."
    check_refused(shown, "HI 5", "rolled_already", f"The roll is HI 2 already; {how}")
    check_refused(shown, "1 4", "rolled_already", "The roll for the start is over.")
