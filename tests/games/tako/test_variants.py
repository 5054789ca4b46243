"""Ruling 7 of TAKO's RULES.md: adept dice and coins; ruling 8: the start, and the rule sheet's sample game."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.games.tako.piles import SAMPLE, legal, played, position, rules_for
from turnserver import games
from turnserver.errors import BadOption
from turnserver.games.tako.position import BLACK, WHITE, Unused
from turnserver.rules import Choose, Over, Roll

ALL = "pass add"


@pytest.mark.parametrize(("variant", "die", "coins"), [("standard", 6, ("HI", "LO")), ("adept", 10, ("HI", "LO", "FREE"))])
def test_ruling_7_the_dice_of_each_variant(variant: str, die: int, coins: tuple[str, ...]) -> None:
    rules = rules_for(variant=variant)
    sides = range(1, die + 1)
    assert [str(roll) for roll in rules.steps(rules.start())] == [f"{white} {black}" for white in sides for black in sides]
    state = played(rules, "2 1")
    assert [str(roll) for roll in rules.steps(state)] == [f"{coin} {number}" for coin in coins for number in sides]


def test_ruling_7_free_bounds_nothing() -> None:
    rules = rules_for(variant="adept")
    assert legal(rules, position(3, 2, "FREE 7")) == "a1 a2 a3 b1 b2 ab1 ab2"
    assert rules.next(position(0, 0, "FREE 1")) == Over(frozenset({BLACK}), "White has no legal move on FREE 1 and no option left")


@for_each("stake", [5, 7, 11, 15])
def test_ruling_7_stakes(stake: int) -> None:
    for variant in ("standard", "adept"):
        assert rules_for(variant=variant, betting=True, stake=stake).start().piles == (stake, stake)


@for_each(
    ("options", "words"),
    [
        ({"stake": 7}, "You can choose stake only together with betting. Without it, each pile has 11 stones."),
        ({"stake": 6, "betting": True}, 'The option stake can\'t be "6". Choose 5, 7, 11 or 15.'),
        ({"variant": "expert"}, 'The option variant can\'t be "expert". Choose standard or adept.'),
        ({"betting": 1}, 'The option betting can\'t be "1". Choose yes or no.'),
    ],
)
def test_ruling_7_options_that_do_not_go(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as refused:
        games.find("tako", **options)
    assert refused.value.message == words


@for_each(
    ("purses", "text", "after"),
    [
        pytest.param((3, 4), "a3", (6, 4), id="what is taken is kept"),
        pytest.param((3, 4), "ab2", (7, 4), id="from both piles"),
        pytest.param((3, 4), "add b", (2, 4), id="an added coin comes from the adder's purse"),
        pytest.param((0, 4), "add b", (0, 4), id="or from the bank if that is empty"),
        pytest.param((3, 4), "pass", (3, 4), id="a pass costs nothing"),
    ],
)
def test_ruling_7_purses(purses: tuple[int, int], text: str, after: tuple[int, int]) -> None:
    rules = rules_for(betting=True)
    assert played(rules, text, position(6, 6, "HI 6", white=ALL, black=ALL, purses=purses)).purses == after


def test_ruling_7_without_betting_there_are_no_purses() -> None:
    rules = rules_for()
    state = played(rules, "a3", position(6, 6, "HI 6"))
    assert state.purses == (0, 0)
    over = rules.next(position(0, 0, "HI 6"))
    assert isinstance(over, Over)
    assert over.scores == ()


@for_each(
    ("mover", "purses", "scores"),
    [
        pytest.param("Black", (9, 6), (12, 3), id="half of the loser's purse"),
        pytest.param("White", (7, 0), (3, 4), id="rounded up: the sheet's 7 make 4"),
        pytest.param("White", (20, 1), (10, 11), id="the richer one may have lost"),
        pytest.param("Black", (2, 1), (3, 0), id="the last coin"),
        pytest.param("Black", (2, 0), (2, 0), id="nothing to be had"),
    ],
)
def test_ruling_7_settlement(mover: str, purses: tuple[int, int], scores: tuple[int, int]) -> None:
    over = rules_for(betting=True).next(position(0, 0, "HI 6", mover=mover, purses=purses))
    winner = BLACK if mover == "White" else WHITE
    assert over == Over(frozenset({winner}), f"{mover} has no legal move on HI 6 and no option left", scores)


def test_ruling_8_the_start() -> None:
    state = rules_for().start()
    assert (state.piles, state.unused) == ((11, 11), (Unused(passing=True, adding=True),) * 2)


@for_each(
    ("roll", "pending"),
    [
        ("6 1", Roll(WHITE, 1, (1,) * 12)),
        ("6 5", Roll(WHITE, 1, (1,) * 12)),
        ("2 1", Roll(WHITE, 1, (1,) * 12)),
        ("1 2", Roll(BLACK, 1, (1,) * 12)),
        ("5 6", Roll(BLACK, 1, (1,) * 12)),
        ("6 6", Roll(WHITE, 1, (1,) * 36)),
        ("1 1", Roll(WHITE, 1, (1,) * 36)),
    ],
)
def test_ruling_7_who_rolls_more_starts_and_ties_are_rolled_again(roll: str, pending: Roll) -> None:
    assert rules_for().next(played(rules_for(), roll)) == pending


# As the rule sheet has it, a row a line: whose turn, the roll, the move, and the piles and purses after it.
ROWS = [
    ("JK", "LO 1", "ab2", (9, 9), (0, 4)),
    ("CH", "HI 1", "a1", (8, 9), (1, 4)),
    ("JK", "HI 6", "b2", (8, 7), (1, 6)),
    ("CH", "LO 1", "a4", (4, 7), (5, 6)),
    ("JK", "HI 1", "a1", (3, 7), (5, 7)),
    ("CH", "HI 4", "b2", (3, 5), (7, 7)),
    ("JK", "LO 3", "ab2", (1, 3), (7, 11)),
    ("CH", "LO 6", "pass", (1, 3), (7, 11)),
    ("JK", "", "pass", (1, 3), (7, 11)),
    ("CH", "", "add a", (2, 3), (6, 11)),
    ("JK", "LO 2", "ab1", (1, 2), (6, 13)),
]


@pytest.mark.parametrize("betting", [False, True])
def test_ruling_8_the_sample_game(betting: bool) -> None:
    rules = rules_for(betting=betting)
    seats = {"CH": WHITE, "JK": BLACK}
    state = played(rules, "1 4")
    for turn, (player, roll, move, piles, purses) in enumerate(ROWS, start=1):
        if roll:
            assert rules.next(state) == Roll(seats[player], turn, (1,) * 12)
            state = played(rules, roll, state)
        assert rules.next(state) == Choose(seats[player], turn)
        state = played(rules, move, state)
        assert (state.piles, state.purses) == (piles, purses if betting else (0, 0))
    assert rules.next(state) == Roll(WHITE, 12, (1,) * 12)
    end = played(rules, "LO 4", state)
    assert end.unused[0] == Unused(passing=False, adding=False)
    scores = (3, 16) if betting else ()
    assert rules.next(end) == Over(frozenset({BLACK}), "White has no legal move on LO 4 and no option left", scores)
    assert rules.steps(end) == ()
    assert end == played(rules, SAMPLE)
