"""Rulings 5 and 7 of Tako Judo's RULES.md and their fine points: four octopuses, exhaustion, leaving the game, and skipped turns."""

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, play, position, rules_for, written
from turnserver.errors import Illegal
from turnserver.games.tako_judo.position import Position
from turnserver.games.tako_judo.rules import TakoJudoForFour, TakoJudoRules
from turnserver.rules import Choose, Over, Seat

TEAMS, ALONE = rules_for("teams"), rules_for("free-for-all")
BOTH = pytest.mark.parametrize("rules", [TEAMS, ALONE], ids=["teams", "free-for-all"])
NORTH, EAST, SOUTH, WEST = map(Seat, (1, 2, 3, 4))

GRIP = ("10 NN.n....EE", "9 NN......EE", "8 ........s.", "2 WW......SS", "1 WW......SS")
"""North plays d10-h10, and East, held by South at i8, cannot move."""
EMBRACE = ("10 NNw.....EE", "9 NN......EE", "8 .s......s.", "7 ....n.....", "2 WW......SS", "1 WW......SS")
"""North plays e7-h10, and neither East nor North itself can move."""
CAGE = ("10 NN.....nEE", "9 NN......EE", "8 ........se", "7 ........s.", "6 .........w", "2 WW......SS", "1 WW......SS")
"""East can only go from j8 to j7."""


def free(rules: TakoJudoRules, state: Position) -> set[str]:
    return {name for seat, name in enumerate(rules.options.seat_names) if not state.exhausted >> seat & 1}


def leave(rules: TakoJudoRules, state: Position, *seats: Seat) -> Position:
    assert isinstance(rules, TakoJudoForFour)
    for seat in seats:
        state = rules.leave(state, seat)
    return state


@BOTH
def test_the_start_is_north_first_then_clockwise_with_58_moves_each(rules: TakoJudoRules) -> None:
    state = rules.start()
    assert written(rules, state).split("/") == [
        "...nNNn...",
        "...nNNn...",
        "...nnnn...",
        "www....eee",
        "WWw....eEE",
        "WWw....eEE",
        "www....eee",
        "...ssss...",
        "...sSSs...",
        "...sSSs...",
    ]
    for turn, (seat, move) in enumerate(
        zip((NORTH, EAST, SOUTH, WEST, NORTH), "e8-e7 h7-g7 d3-d4 a7-a8 e7-e6".split(), strict=True), start=1
    ):
        assert rules.next(state) == Choose(seat, turn)
        assert len(rules.steps(rules.start()._replace(mover=seat - 1))) == 58
        state = play(rules, state, move)


@BOTH
def test_ruling_5_a_pinned_octopus_is_exhausted_and_its_turns_are_skipped(rules: TakoJudoRules) -> None:
    state = play(rules, position(rules, board(*GRIP, size=10)), "d10-h10")
    assert free(rules, state) == {"North", "South", "West"}
    assert rules.next(state) == Choose(SOUTH, 10)


@BOTH
def test_ruling_5_an_exhausted_octopus_stays_so_although_room_is_made(rules: TakoJudoRules) -> None:
    state = play(rules, position(rules, board(*GRIP, size=10)), "d10-h10 i8-i7 a1-b1 a9-a8")
    assert free(rules, state) == {"North", "South", "West"}
    assert rules.next(state) == Choose(SOUTH, 13)


@BOTH
def test_ruling_5_its_pieces_stay_and_block(rules: TakoJudoRules) -> None:
    state = position(rules, board(*GRIP, size=10), exhausted=["East"])
    with pytest.raises(Illegal) as refused:
        rules.parse(state, "d10-i10")
    assert refused.value.message == "The move d10-i10 is blocked: i10 (the head of East) is in the way."


@BOTH
def test_ruling_5_only_a_twiddle_exhausts_at_the_own_turn(rules: TakoJudoRules) -> None:
    """East has moved last on its own turn; when West moves it is not yet East's turn, when North moves it is."""
    state = play(rules, position(rules, board(*CAGE, size=10), "West", came=["e j7-j8"]), "a1-b1")
    assert free(rules, state) == {"North", "East", "South", "West"}
    state = play(rules, state, "a9-b9")
    assert free(rules, state) == {"North", "South", "West"}
    assert rules.next(state) == Choose(SOUTH, 11)


@BOTH
def test_ruling_5_room_made_in_time_saves_an_octopus(rules: TakoJudoRules) -> None:
    state = play(rules, position(rules, board(*CAGE, size=10), "West", came=["e j7-j8"]), "a1-b1 h10-h7")
    assert free(rules, state) == {"North", "East", "South", "West"}
    assert rules.next(state) == Choose(EAST, 11)


@BOTH
def test_ruling_5_several_that_can_only_twiddle_fall_one_after_the_other(rules: TakoJudoRules) -> None:
    """South can only go from g1 to f1; East is caged."""
    rows = (*CAGE, "3 ........e.", "2 WW....eeSS", "1 WW...e.sSS")
    state = play(rules, position(rules, board(*rows, size=10), came=["e j7-j8", "s g1-h1"]), "a9-b9")
    assert free(rules, state) == {"North", "West"}
    assert rules.next(state) == Choose(WEST, 10)


def won(*winners: Seat, reason: str) -> Over:
    return Over(frozenset(winners), reason)


@for_each(
    ("rules", "rows", "exhausted", "move", "over"),
    [
        pytest.param(TEAMS, GRIP, "West", "d10-h10", won(NORTH, SOUTH, reason="East and West are exhausted"), id="a side is out"),
        pytest.param(
            TEAMS,
            GRIP,
            "West South",
            "d10-h10",
            won(NORTH, SOUTH, reason="East and West are exhausted"),
            id="an exhausted partner wins too",
        ),
        pytest.param(ALONE, GRIP, "West South", "d10-h10", won(NORTH, reason="East, South and West are exhausted"), id="the last one wins"),
        pytest.param(
            TEAMS,
            EMBRACE,
            "South West",
            "e7-h10",
            won(NORTH, SOUTH, reason="no octopus is free, and North moved last"),
            id="both sides fall together: that of the mover wins",
        ),
        pytest.param(
            ALONE,
            EMBRACE,
            "South West",
            "e7-h10",
            won(NORTH, reason="no octopus is free, and North moved last"),
            id="all fall together: the mover wins",
        ),
        pytest.param(
            TEAMS, EMBRACE, "South", "e7-h10", won(EAST, WEST, reason="North and South are exhausted"), id="a side is out by its own move"
        ),
        pytest.param(
            TEAMS, CAGE, "West", "a9-b9", won(NORTH, SOUTH, reason="East and West are exhausted"), id="the last of a side can only twiddle"
        ),
    ],
)
def test_ruling_5_the_end_for_four(rules: TakoJudoRules, rows: tuple[str, ...], exhausted: str, move: str, over: Over) -> None:
    state = play(rules, position(rules, board(*rows, size=10), came=["e j7-j8"], exhausted=exhausted.split()), move)
    assert rules.next(state) == over
    assert rules.steps(state) == ()


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (TEAMS, "Your tentacle d10 is blocked: c10 hides it from your head."),
        (ALONE, "Your tentacle d10 is entangled: c10 hides it from your head."),
    ],
    ids=["teams", "free-for-all"],
)
def test_ruling_1_a_partner_blocks_and_an_opponent_entangles(rules: TakoJudoRules, words: str) -> None:
    state = position(rules, board("10 NNsn....EE", "9 NN......EE", "2 WW......SS", "1 WW......SS", size=10))
    with pytest.raises(Illegal) as refused:
        rules.parse(state, "d10-d9")
    assert refused.value.message == words


@BOTH
@pytest.mark.parametrize(
    ("leavers", "turn"),
    [
        pytest.param([EAST], Choose(NORTH, 9), id="not on move: the same seat chooses as before"),
        pytest.param([NORTH], Choose(EAST, 9), id="on move: the next one has the turn, under the same number"),
        pytest.param([EAST, NORTH], Choose(SOUTH, 9), id="those who have left before are skipped"),
    ],
)
def test_ruling_5_leaving_exhausts(rules: TakoJudoRules, leavers: list[Seat], turn: Choose) -> None:
    before = position(rules, board(*GRIP, size=10))
    state = leave(rules, before, *leavers)
    assert rules.next(state) == turn
    assert written(rules, state) == written(rules, before)
    assert len(free(rules, state)) == 4 - len(leavers)


@for_each(
    ("rules", "leavers", "over"),
    [
        (TEAMS, [EAST, WEST], Over(frozenset({NORTH, SOUTH}), "East and West are exhausted")),
        (TEAMS, [NORTH, SOUTH], Over(frozenset({EAST, WEST}), "North and South are exhausted")),
        (ALONE, [NORTH, EAST, SOUTH], Over(frozenset({WEST}), "North, East and South are exhausted")),
        (ALONE, [SOUTH, WEST, EAST], Over(frozenset({NORTH}), "East, South and West are exhausted")),
    ],
)
def test_ruling_5_leaving_may_end_the_game(rules: TakoJudoRules, leavers: list[Seat], over: Over) -> None:
    assert rules.next(leave(rules, rules.start(), *leavers)) == over


@BOTH
def test_ruling_5_when_the_turn_is_left_to_somebody_who_can_only_twiddle(rules: TakoJudoRules) -> None:
    state = leave(rules, position(rules, board(*CAGE, size=10), came=["e j7-j8"]), NORTH)
    assert free(rules, state) == {"South", "West"}
    assert rules.next(state) == Choose(SOUTH, 9)


@BOTH
def test_ruling_5_an_exhausted_player_who_leaves_changes_nothing(rules: TakoJudoRules) -> None:
    state = play(rules, position(rules, board(*GRIP, size=10)), "d10-h10")
    assert leave(rules, state, EAST) == state


def skip(rules: TakoJudoRules, state: Position, times: int = 1) -> Position:
    assert isinstance(rules, TakoJudoForFour)
    for _ in range(times):
        state = rules.skip(state)
    return state


@BOTH
@pytest.mark.parametrize(
    ("exhausted", "times", "turn"),
    [
        pytest.param("", 1, Choose(EAST, 10), id="the next one has the next turn"),
        pytest.param("East South", 1, Choose(WEST, 10), id="the next one who is free"),
        pytest.param("", 4, Choose(NORTH, 13), id="all of them in turn, and round again"),
    ],
)
def test_ruling_7_a_skipped_turn_moves_nothing_and_goes_to_the_next(rules: TakoJudoRules, exhausted: str, times: int, turn: Choose) -> None:
    before = position(rules, board(*CAGE, size=10), exhausted=exhausted.split())
    after = skip(rules, before, times)
    assert rules.next(after) == turn
    assert written(rules, after) == written(rules, before)
    assert free(rules, after) == free(rules, before)


@BOTH
def test_ruling_7_whoever_can_only_twiddle_after_a_skipped_turn_is_exhausted(rules: TakoJudoRules) -> None:
    state = skip(rules, position(rules, board(*CAGE, size=10), came=["e j7-j8"]))
    assert free(rules, state) == {"North", "South", "West"}
    assert rules.next(state) == Choose(SOUTH, 10)


@pytest.mark.parametrize(
    ("rules", "exhausted", "over"),
    [
        (TEAMS, "West", won(NORTH, SOUTH, reason="East and West are exhausted")),
        (ALONE, "South West", won(NORTH, reason="East, South and West are exhausted")),
    ],
)
def test_ruling_7_a_skipped_turn_may_end_the_game(rules: TakoJudoRules, exhausted: str, over: Over) -> None:
    state = skip(rules, position(rules, board(*CAGE, size=10), came=["e j7-j8"], exhausted=exhausted.split()))
    assert rules.next(state) == over


@BOTH
def test_ruling_7_the_way_back_stays_closed(rules: TakoJudoRules) -> None:
    state = skip(rules, play(rules, rules.start(), "d10-c10 j7-j8 d1-c1 a7-a8"), 4)
    with pytest.raises(Illegal) as refused:
        rules.parse(state, "c10-d10")
    assert refused.value.code == "twiddling"


@BOTH
def test_ruling_7_a_position_after_a_skipped_turn_counts(rules: TakoJudoRules) -> None:
    """North moves once and then nobody does: at East's third turn nothing has changed since the first."""
    state = skip(rules, play(rules, rules.start(), "d10-c10"), 8)
    assert rules.next(state) == Over(frozenset(), "the same position came up for the third time")
    uncounted = rules_for(rules.options.variant, repetition=False)
    assert rules.next(skip(uncounted, play(uncounted, uncounted.start(), "d10-c10"), 8)) == Choose(EAST, 10)


CIRCLE = "d10-c10 j7-j8 d1-c1 a7-a8 c10-b10 j8-j9 c1-b1 a8-a9 b10-d10 j9-j7 b1-d1 a9-a7 "


@BOTH
def test_ruling_6_a_repetition_is_a_draw_for_all(rules: TakoJudoRules) -> None:
    """Every octopus sends a tentacle round a triangle: the position after 4 moves is there again after 16 and after 28."""
    state = play(rules, rules.start(), 2 * CIRCLE + "d10-c10 j7-j8 d1-c1")
    assert isinstance(rules.next(state), Choose)
    assert rules.next(play(rules, state, "a7-a8")) == Over(frozenset(), "the same position came up for the third time")


@BOTH
def test_ruling_6_the_exhausted_count_too(rules: TakoJudoRules) -> None:
    """The same pieces, the same turn and the same last moves, but East has left meanwhile: that position is new."""
    state = play(rules, rules.start(), "d10-c10 j7-j8 d1-c1 a7-a8")
    assert rules.occurrences(state) == 1
    state = leave(rules, state, EAST)
    assert rules.occurrences(state) == 1
    circle = "c10-b10 c1-b1 a8-a9 b10-d10 b1-d1 a9-a7 d10-c10 d1-c1 a7-a8 "
    assert rules.occurrences(play(rules, state, circle)) == 2
    assert rules.next(play(rules, state, 2 * circle)) == Over(frozenset(), "the same position came up for the third time")
