"""The house player of Okago."""

import random

import pytest

from tests.cases import for_each
from tests.games.okago.boards import position, rules_for
from turnserver import games
from turnserver.games.okago import house
from turnserver.rules import Over


@for_each(
    ("before", "to_move", "moves"),
    [
        pytest.param("B...B/...../..B../...../.RRR.", "Red", "a1 e1", id="wins at once"),
        pytest.param("B...B/...R./...B./RRR../.....", "Red", "d4xd2 d2", id="wins at once by a jump or a placement"),
        pytest.param("BB.B./...../..R../...../r..R.", "Red", "c5", id="stops a four"),
        pytest.param("b..../bR..R/bB..B/...../.....", "Red", "a2", id="stops a four that a jump would not stop"),
        pytest.param("..B../.RB../..B../..X../.....", "Red", "b4xd4 b4xd2", id="breaks a row with a jump where the No-Go bars the block"),
        # A pair of Red's by the edge with room on both sides becomes an open three; all but two of the 33 placements lose.
        pytest.param("....../....../....../B...../....../..RR..", "Blue", "b1 e1", id="blocks in time"),
    ],
)
def test_choice(before: str, to_move: str, moves: str) -> None:
    rules, state = rules_for(before), position(before, to_move)
    assert rules.format(state, house.choose(rules, state)) in moves.split()


def test_plays_the_only_step_there_is() -> None:
    board = "...../...../..RB./...../....."
    rules, state = rules_for(board), position(board, left=(0, 3))
    assert rules.format(state, house.choose(rules, state)) == "c3xe3"


@for_each(
    ("pieces", "gaps"),
    [
        pytest.param("...../...../...../...../RRR..", "d1", id="at the end"),
        pytest.param("...../...../...../...../.RRR.", "a1 e1", id="at both ends"),
        pytest.param("...../...../...../...../RR.RR", "c1", id="in the middle"),
        pytest.param("R..../R..../...../R..../.....", "a3", id="upwards"),
        pytest.param("...../...R./...../.R.../R....", "c3", id="slantwise"),
        pytest.param("...../R..../.R.../..R../.....", "d1", id="slantwise down"),
        pytest.param("...../...../..RRR/.R.../.....", "b3", id="not round the edge"),
        pytest.param("...../...../...../RR.../RR...", "", id="two are not three"),
    ],
)
def test_gaps(pieces: str, gaps: str) -> None:
    rules, state = rules_for(pieces), position(pieces)
    found = house.gaps(rules.ground, state.mine)
    assert " ".join(name for square, name in enumerate(rules.ground.board.names) if found >> square & 1) == gaps


@for_each(
    ("board", "ones", "twos", "threes"),
    [
        pytest.param("...../...../...../...../R....", 3, 0, 0, id="a corner lies in three lines"),
        pytest.param("...../...../..R../...../.....", 8, 0, 0, id="the centre lies in eight"),
        pytest.param("...../...../...../...../RR...", 5, 1, 0, id="two in one of six lines"),
        pytest.param("...../...../...../...../RRR..", 5, 1, 1, id="three in a line and two in the next one"),
        pytest.param("...../...../...../...../RR.B.", 4, 0, 0, id="a piece of the other side closes both lines along the edge"),
        pytest.param("...../...../...../...../Rr.b.", 4, 0, 0, id="any facing"),
        pytest.param("r..../...../r..../r..../.....", 5, 1, 1, id="upwards, with a gap"),
    ],
)
def test_open_lines(board: str, ones: int, twos: int, threes: int) -> None:
    rules, state = rules_for(board), position(board)
    for_one, for_two, for_three = house._LINES
    assert house._open_lines(rules.ground, state.mine, state.theirs) == ones * for_one + twos * for_two + threes * for_three


@pytest.mark.long
@pytest.mark.parametrize("size", [5, 8])
def test_beats_a_random_player(size: int) -> None:
    game, player = games.find("okago", size=size), games.house("okago")
    for number in range(4):
        chance, house_seat, state = random.Random(number), 1 + number % 2, game.rules.start()  # noqa: S311  # a repeatable opponent
        while not isinstance(pending := game.rules.next(state), Over):
            step = player(game, state) if pending.seat == house_seat else chance.choice(game.rules.steps(state))
            state = game.rules.apply(state, step)
        assert pending.winners == {house_seat}
