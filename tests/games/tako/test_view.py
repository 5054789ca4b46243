"""TAKO's boards as text, and how its games are told."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.games.tako.piles import SAMPLE, played, position, rules_for
from turnserver.games.tako.position import Position
from turnserver.games.tako.rules import TakoRules
from turnserver.games.tako.view import TakoView

ALL = "pass add"


def check_text(options: dict[str, Any], state: Position, last: str, expected: str) -> None:
    rules = rules_for(**options)
    step = rules.replay(state, last) if last else None
    assert TakoView(rules).text(state, step) == expected


@for_each(
    ("options", "state", "last", "expected"),
    [
        pytest.param(
            {},
            position(8, 7, "HI 5", white=ALL, black="add"),
            "b2",
            """\
A  o o o o o o o o                          8 stones
B  o o o o o o o . .                        7 stones

White rolled HI 5: take at most 5 stones in all.
Open now: a1 to a5, b1 to b5, ab1 to ab2, pass, add a, add b.

          options left
White *   pass, add
Black     add

o stone, . taken last, * on turn
Last move, by Black: b2
""",
            id="a take",
        ),
        pytest.param(
            {"variant": "adept", "betting": True},
            position(12, 1, "FREE 3", mover="Black", white="pass", purses=(0, 9)),
            "add a",
            """\
A  $ $ $ $ $ $ $ $ $ $ $ +                  12 coins
B  $                                          1 coin

Black rolled FREE 3: take any number of coins.
Open now: a1 to a12, b1, ab1.

          options left    purse, in coins
White     pass            0
Black *   none            9

$ coin, + added last, * on turn
Last move, by White: add a
""",
            id="an add for coins",
        ),
        pytest.param(
            {},
            position(1, 3, "LO 6", mover="Black", white="add", black=ALL, passed=True),
            "pass",
            """\
A  o                                         1 stone
B  o o o                                    3 stones

White passed on LO 6: take at least 6 stones in all.
Open now: pass, add a, add b.

          options left
White     add
Black *   pass, add

o stone, * on turn
Last move, by White: pass
""",
            id="a passed roll",
        ),
        pytest.param(
            {},
            position(1, 3, mover="Black", white="add", black=ALL),
            "HI 1",
            """\
A  o                                         1 stone
B  o o o                                    3 stones

Black is about to roll.

          options left
White     add
Black *   pass, add

o stone, * on turn
Last roll: HI 1
""",
            id="before a roll",
        ),
        pytest.param(
            {"betting": True, "stake": 5},
            rules_for(betting=True, stake=5).start(),
            "3 3",
            """\
A  $ $ $ $ $                                 5 coins
B  $ $ $ $ $                                 5 coins

Each player is about to roll a die. The higher roll starts.

          options left    purse, in coins
White     pass, add       0
Black     pass, add       0

$ coin
Last roll, White's die before Black's: 3 3
""",
            id="the start",
        ),
        pytest.param(
            {"betting": True},
            played(rules_for(betting=True), SAMPLE),
            "ab1",
            """\
A  $ .                                        1 coin
B  $ $ .                                     2 coins

White has no legal move on LO 4 and no option left.
Black made the last move and wins.
Black wins half of White's 6 coins, rounded up: 3.
The final purses: White 3, Black 16.
Nobody gets the 3 coins left in the piles.

          options left    purse, in coins
White     none            6 - 3 = 3
Black     add             13 + 3 = 16

$ coin, . taken last
Last move, by Black: ab1
""",
            id="the end of the sample game for coins",
        ),
        pytest.param(
            {},
            position(1, 0, "HI 3", white="add"),
            "",
            """\
A  o                                         1 stone
B                                           0 stones

White rolled HI 3: take at most 3 stones in all.
Open now: a1, add a, add b.

          options left
White *   add
Black     none

o stone, * on turn
""",
            id="without the last step",
        ),
    ],
)
def test_text_board(options: dict[str, Any], state: Position, last: str, expected: str) -> None:
    check_text(options, state, last, expected)


@for_each(
    ("options", "state", "step", "told"),
    [
        ({}, rules_for().start(), "1 4", ["For the start White rolled 1 and Black 4, so Black begins."]),
        ({}, rules_for().start(), "5 4", ["For the start White rolled 5 and Black 4, so White begins."]),
        ({}, rules_for().start(), "3 3", ["For the start both players rolled 3, so they roll again."]),
        ({}, position(3, 3, mover="Black"), "HI 1", ["Black rolled HI 1: take at most 1 stone in all."]),
        ({"variant": "adept"}, position(3, 3), "FREE 2", ["White rolled FREE 2: take any number of stones."]),
        ({}, position(3, 3, "LO 3"), "a3", ["White took 3 stones from pile A, which leaves 0 in A and 3 in B."]),
        ({}, position(3, 3, "LO 1"), "b1", ["White took 1 stone from pile B, which leaves 3 in A and 2 in B."]),
        ({"betting": True}, position(3, 3, "LO 3"), "ab2", ["White took 2 coins from each pile, which leaves 1 in A and 1 in B."]),
        ({}, position(9, 9, "LO 3", white="pass", black="add"), "pass", ["White passed LO 3 on to Black."]),
        ({}, position(9, 9, "LO 3", white="pass", black="add", passed=True), "pass", ["White passed LO 3 back to Black."]),
        ({}, position(9, 0, "LO 3", white="add"), "add b", ["White added a stone to pile B, which now holds 1."]),
        (
            {"betting": True},
            position(9, 0, "LO 3", white="add", purses=(1, 0)),
            "add a",
            ["White added a coin from White's purse to pile A, which now holds 10."],
        ),
        (
            {"betting": True},
            position(9, 0, "LO 3", mover="Black", black="add", purses=(1, 0)),
            "add a",
            ["Black added a coin from the bank to pile A, which now holds 10."],
        ),
        (
            {},
            position(5, 0, "LO 6", white="pass"),
            "pass",
            [
                "White passed LO 6 on to Black.",
                "Black has no legal move on LO 6 (passed by White) and no option left.",
                "White made the last move and wins.",
            ],
        ),
        (
            {"betting": True},
            position(0, 0, mover="Black", purses=(9, 7)),
            "HI 6",
            [
                "Black rolled HI 6: take at most 6 coins in all.",
                "Black has no legal move on HI 6 and no option left.",
                "White made the last move and wins.",
                "White wins half of Black's 7 coins, rounded up: 4.",
                "The final purses: White 13, Black 3.",
            ],
        ),
        (
            {"betting": True},
            position(1, 0, mover="Black", purses=(9, 0)),
            "LO 2",
            [
                "Black rolled LO 2: take at least 2 coins in all.",
                "Black has no legal move on LO 2 and no option left.",
                "White made the last move and wins.",
                "Black's purse is empty, so there is nothing to win.",
                "The final purses: White 9, Black 0.",
                "Nobody gets the 1 coin left in the piles.",
            ],
        ),
    ],
)
def test_what_is_told(options: dict[str, Any], state: Position, step: str, told: list[str]) -> None:
    rules = rules_for(**options)
    assert list(TakoView(rules).tell(state, rules.parse(state, step))) == told


def test_every_step_of_the_sample_game_is_told_and_shown() -> None:
    rules: TakoRules = rules_for(betting=True)
    view, state = TakoView(rules), rules.start()
    for text in SAMPLE.split(", "):
        step = rules.parse(state, text)
        assert view.tell(state, step)
        state = rules.apply(state, step)
        assert f": {text}\n" in view.text(state, step)
