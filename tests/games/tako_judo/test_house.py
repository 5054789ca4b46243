"""The house player of Tako Judo."""

import random

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, play, position, rules_for
from turnserver import games
from turnserver.games.tako_judo import house
from turnserver.games.tako_judo.position import Position
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.rules import Over, Seat

DUEL, TEAMS = rules_for(), rules_for("teams")

HELD = ("8 ..n..NN.", "7 .....NN.", "3 .n......", "2 SS......", "1 SS......")
LOOSE = ("8 ......SS", "7 ......SS", "3 ns......", "2 NN......", "1 NNs.....")
"""The head of North cannot move; if a3 goes aslant, out of sight, North is pinned."""
GRIP = ("10 NN.n....EE", "9 NN......EE", "8 ........s.", "2 WW......SS", "1 WW......SS")
LATE = 999
"""A turn when a player goes round with the piece that it moved last, to the first square in canonical order."""


@for_each(
    ("rules", "state", "good"),
    [
        pytest.param(DUEL, position(DUEL, board(*HELD)), "c8-c1", id="wins at once"),
        pytest.param(DUEL, position(DUEL, board(*HELD))._replace(turn=LATE), "c8-c1", id="wins however late it is"),
        pytest.param(DUEL, position(DUEL, board(*LOOSE)), "a3-a4 a3-a5 a3-a6 a3-a7 a3-a8", id="does not pin itself"),
        pytest.param(TEAMS, position(TEAMS, board(*GRIP, size=10)), "d10-h10", id="exhausts an opponent"),
        pytest.param(TEAMS, position(TEAMS, board(*GRIP, size=10), exhausted=["South"]), "d10-h10", id="also without its partner"),
        pytest.param(DUEL, play(DUEL, DUEL.start(), "c7-b7 f2-g2")._replace(turn=LATE), "b7-b1", id="goes round with the same piece"),
        pytest.param(DUEL, DUEL.start()._replace(turn=LATE), "c6-a4", id="or with the first one"),
    ],
)
def test_choice(rules: TakoJudoRules, state: Position, good: str) -> None:
    assert rules.format(state, house.choose(rules, state)) in good.split()


CIRCLE = "c7-b7 f2-g2 b7-a7 g2-h2 a7-c7 h2-f2 "


@pytest.mark.parametrize(("turn", "better"), [(1, "other"), (LATE, "again")])
def test_a_position_that_came_up_before_is_avoided_first_and_welcome_later(turn: int, better: str) -> None:
    drawn = play(DUEL, DUEL.start(), 2 * CIRCLE + "c7-b7 f2-g2")._replace(turn=turn)
    going_on = play(DUEL, DUEL.start(), CIRCLE + "c7-b7 f2-g2")._replace(turn=turn)
    assert isinstance(DUEL.next(drawn), Over)
    assert (house.worth(DUEL, drawn, 0) > house.worth(DUEL, going_on, 0)) == (better == "again")


@pytest.mark.long
def test_beats_a_random_player() -> None:
    game, player = games.find("tako-judo"), games.house("tako-judo")
    won = 0
    for number in range(6):
        chance, seat, state = random.Random(number), Seat(1 + number % 2), game.rules.start()  # noqa: S311  # a repeatable opponent
        while not isinstance(pending := game.rules.next(state), Over):
            step = player(game, state) if pending.seat == seat else chance.choice(game.rules.steps(state))
            state = game.rules.apply(state, step)
        won += seat in pending.winners
    assert won >= 5


@pytest.mark.long
@pytest.mark.parametrize("variant", ["duel", "teams"])
def test_two_of_them_come_to_an_end(variant: str) -> None:
    game, player = games.find("tako-judo", variant=variant), games.house("tako-judo")
    state = game.rules.start()
    while not isinstance(pending := game.rules.next(state), Over):
        state = game.rules.apply(state, player(game, state))
        assert state.turn < 300
    assert pending.winners in game.rules.teams
