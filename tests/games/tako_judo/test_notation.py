"""The notation of Tako Judo: what may be written for a move, and the answers to anything else."""

from contextlib import suppress

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, play, position, rules_for
from turnserver.errors import Illegal, StepError, Unreadable

DUEL, TEAMS = rules_for(), rules_for("teams")
CORNERS = board("8 ......NN", "7 ......NN", "4 n..s....", "2 SS......", "1 SS......")


@for_each(
    "text",
    [
        *("c6-a4", "C6-A4", " c6 - a4 ", "c6 a4", "c6a4", "c 6 - a 4", "c6->a4", "c6 to a4", "C6 TO A4"),
        *("c6\u2013a4", "c6 \u2014 a4", "c6\u2212a4", "c6\u2192a4"),
        *("c6\u2011a4", "c6 > a4", "c6=>a4", "c6, a4", "move c6-a4", "from c6 to a4", "*c6-a4*", "\u201cc6-a4\u201d", "c6-a4\u2026"),
        *("c6-a4.", "c6-a4!", '"c6-a4"', "(c6-a4)", "c6-a4;", "\tc6-a4\r\n"),
    ],
    ids=ascii,
)
def test_reading_forgives(text: str) -> None:
    assert DUEL.format(DUEL.start(), DUEL.parse(DUEL.start(), text)) == "c6-a4"


def test_rows_may_have_two_digits() -> None:
    state = TEAMS.start()
    assert TEAMS.format(state, TEAMS.parse(state, "D10 a10")) == "d10-a10"


NO_MOVE = "isn't a move in Tako Judo. Write the square that a piece leaves and the one it goes to."


@for_each("text", ["I move to a new flat", "Best, Tako", "from A to B", "10-4", "a4 paper", "Move on"])
def test_what_people_write_around_a_move_is_none(text: str) -> None:
    with pytest.raises(Unreadable):
        DUEL.parse(DUEL.start(), text)


@for_each("text", ["resign", "", "c6", "c6-", "c6-a4-a3", "c06-a4", "c6xa4", "head d6", "c6--a4"], ids=ascii)
def test_what_is_no_move_is_answered(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        DUEL.parse(DUEL.start(), text)
    assert (refused.value.code, refused.value.message) == ("unreadable", f'"{text}" {NO_MOVE}')


def test_long_texts_are_cut() -> None:
    with pytest.raises(Unreadable) as refused:
        DUEL.parse(DUEL.start(), "c" * 1000)
    assert refused.value.message == f'"{"c" * 40}..." {NO_MOVE}'


@for_each(
    ("move", "code", "words"),
    [
        ("i6-a4", "off_board", "This board has no i6; its squares are a1 to h8."),
        ("c6-c9", "off_board", "This board has no c9; its squares are a1 to h8."),
        ("b4-b5", "empty", "There is no piece on b4."),
        ("d4-d5", "not_yours", "A tentacle of South is on d4, and you play North."),
        ("b2-b3", "not_yours", "The head of South is on b2, and you play North."),
        ("h8-g8", "head_corner", "The square h8 is part of your head. Name it by its lower left square, g7."),
        ("g8-a2", "head_corner", "The square g8 is part of your head. Name it by its lower left square, g7."),
        ("h7-a3", "head_corner", "The square h7 is part of your head. Name it by its lower left square, g7."),
        ("g8-h8", "head_corner", "The square g8 is part of your head. Name it by its lower left square, g7."),
        ("g8-h1", "head_corner", "The square g8 is part of your head. Name it by its lower left square, g7."),
        ("g7-e6", "no_line", "No straight line leads from g7 to e6. Pieces move like a queen in chess."),
        ("g7-g7", "no_line", "No straight line leads from g7 to g7. Pieces move like a queen in chess."),
        ("g7-h7", "off_edge", "Your head would go over the edge: h7 would be its lower left square."),
        ("g7-g8", "off_edge", "Your head would go over the edge: g8 would be its lower left square."),
        ("a4-a5", "overreached", "Your tentacle a4 has overreached: no straight line leads from it to your head."),
        ("g7-c3", "in_the_way", "The move g7-c3 is blocked: d4 (a tentacle of South) is in the way. A head needs a way two squares wide."),
    ],
)
def test_refusals_name_the_rule_and_the_squares(move: str, code: str, words: str) -> None:
    with pytest.raises(Illegal) as refused:
        DUEL.parse(position(DUEL, CORNERS), move)
    assert (refused.value.code, refused.value.message) == (code, words)


@for_each(
    ("move", "words"),
    [
        ("c6-c7", "The move c6-c7 is blocked: c7 (a tentacle of yours) is in the way."),
        ("c8-e6", "The move c8-e6 is blocked: d7 (your head) is in the way."),
        ("d6-d1", "The move d6-d1 is blocked: d3 (a tentacle of South) is in the way."),
        (
            "d7-d6",
            (
                "The move d7-d6 is blocked: d6 (a tentacle of yours) and e6 (a tentacle of yours) are in the way. A head "
                "needs a way two squares wide."
            ),
        ),
    ],
)
def test_refusals_say_what_is_in_the_way(move: str, words: str) -> None:
    with pytest.raises(Illegal) as refused:
        DUEL.parse(DUEL.start(), move)
    assert (refused.value.code, refused.value.message) == ("in_the_way", words)


def test_every_pair_of_squares_is_a_legal_move_or_refused() -> None:
    state = play(DUEL, DUEL.start(), "d6-f4 c1-a1 c8-a8 c3-e5 c7-a7")
    names = DUEL.field.board.names
    read = set()
    for text in (f"{start}-{end}" for start in names for end in names):
        with suppress(Illegal):
            read.add(DUEL.parse(state, text))
    assert read == set(DUEL.steps(state))


def test_nobody_moves_when_the_game_is_over() -> None:
    state = play(DUEL, position(DUEL, board("8 ..n..NN.", "7 .....NN.", "3 .n......", "2 SS......", "1 SS......")), "c8-c1")
    with pytest.raises(Illegal) as refused:
        DUEL.parse(state, "a1-b1")
    assert (refused.value.code, refused.value.message) == ("over", "The game is over.")


@for_each("text", ["C6-A4", "c6 a4", "i6-a4", "c6-a9", "c6", ""])
def test_replaying_reads_canonical_text_only(text: str) -> None:
    assert DUEL.replay(DUEL.start(), "c6-a4") == DUEL.parse(DUEL.start(), "c6-a4")
    with pytest.raises(StepError) as refused:
        DUEL.replay(DUEL.start(), text)
    assert isinstance(refused.value, Unreadable)
