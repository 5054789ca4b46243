"""The notation of Okago: what may be written for a move, and the answers to anything else."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.games.okago.boards import position, rules_for
from turnserver import games
from turnserver.errors import BadOption, Illegal, Unreadable
from turnserver.games.okago.position import Options
from turnserver.games.okago.rules import OkagoRules
from turnserver.rules.kit import replay_turn

RULES = OkagoRules(Options())
EMPTY = "...../...../...../...../....."
NO_MOVE = (
    "isn't a move in Okago. Write a square to place a piece there (for Blue's first piece, you can add the word down), "
    "or the two squares of a jump with an x between them."
)


@for_each(
    ("text", "step"),
    [
        *[
            (text, "c3")
            for text in ("c3", "C3", " c3 ", "c 3", "C3.", "c3!", '"c3"', "(c3)", "\tc3\r\n", "c3 up", "c3, face up", "c3 (up)")
        ],
        *[
            (text, "c3 down")
            for text in (
                "c3 down",
                "C3 DOWN.",
                "c3down",
                "c3, down",
                "c3 (down)",
                "c3 face-down",
                "Place C3 face\u2011down",
                "c3\u2013down",
                "c3 Face down",
            )
        ],
    ],
    ids=ascii,
)
def test_reading_placements_forgives(text: str, step: str) -> None:
    state, _ = replay_turn(RULES, RULES.start(), ["a1"])
    assert RULES.format(state, RULES.parse(state, text)) == step


@for_each(
    "text",
    [
        *("c3xe5", "C3XE5", "c3 x e5", "c 3 x e 5.", "c3-e5", "c3 - e5", "c3\u00d7e5", "'c3xe5'"),
        *("c3\u2013e5", "c3 \u2192 e5", "c3 to e5", "c3:e5", "c3 jumps to e5", "jump c3-e5", "\u201cc3xe5\u201d"),
    ],
    ids=ascii,
)
def test_reading_jumps_forgives(text: str) -> None:
    state = position("...../...B./..R../...../.....")
    assert RULES.format(state, RULES.parse(state, text)) == "c3xe5"


@for_each(
    ("text", "code", "words"),
    [
        ("resign", "unreadable", f'"resign" {NO_MOVE}'),
        ("", "unreadable", f'"" {NO_MOVE}'),
        ("c03", "unreadable", f'"c03" {NO_MOVE}'),
        ("c3 d4", "unreadable", f'"c3 d4" {NO_MOVE}'),
        ("c3xe5 down", "unreadable", f'"c3xe5 down" {NO_MOVE}'),
        ("c3xe5xc5", "unreadable", f'"c3xe5xc5" {NO_MOVE}'),
        ("c3 sideways", "unreadable", f'"c3 sideways" {NO_MOVE}'),
        ("place", "unreadable", f'"place" {NO_MOVE}'),
        ("jump to it", "unreadable", f'"jump to it" {NO_MOVE}'),
        ("I move to a new flat", "unreadable", f'"I move to a new flat" {NO_MOVE}'),
        ("see you at 8", "unreadable", f'"see you at 8" {NO_MOVE}'),
        ("10-4", "unreadable", f'"10-4" {NO_MOVE}'),
        ("c3 face", "unreadable", f'"c3 face" {NO_MOVE}'),
        ("c" * 1000, "unreadable", f'"{"c" * 40}..." {NO_MOVE}'),
    ],
)
def test_what_is_no_step_of_the_game_is_answered(text: str, code: str, words: str) -> None:
    with pytest.raises(Unreadable) as refused:
        RULES.parse(RULES.start(), text)
    assert (refused.value.code, refused.value.message) == (code, words)


@for_each(
    ("text", "code", "words"),
    [
        ("f1", "off_board", "This board has no f1; its squares are a1 to e5."),
        ("a6 down", "off_board", "This board has no a6; its squares are a1 to e5."),
        ("D4xF6", "off_board", "This board has no f6; its squares are a1 to e5."),
        ("c3xd4", "no_jump", "The move c3xd4 isn't a jump: a jump lands two squares away in a straight line."),
        ("d4xe5", "no_jump", "The move d4xe5 isn't a jump: a jump lands two squares away in a straight line."),
        ("c3xd5", "no_jump", "The move c3xd5 isn't a jump: a jump lands two squares away in a straight line."),
        ("a1xa4", "no_jump", "The move a1xa4 isn't a jump: a jump lands two squares away in a straight line."),
        ("a1xa1", "no_jump", "The move a1xa1 isn't a jump: a jump lands two squares away in a straight line."),
        ("e1xb2", "no_jump", "The move e1xb2 isn't a jump: a jump lands two squares away in a straight line."),
    ],
)
def test_what_no_position_on_this_board_allows_is_explained(text: str, code: str, words: str) -> None:
    with pytest.raises(Illegal) as refused:
        RULES.parse(RULES.start(), text)
    assert (refused.value.code, refused.value.message) == (code, words)


BOARD = "R.B.B/.rb../X.R.R/..BbB/....."
"""Red and Blue of both facings, and the No-Go on a3."""


@for_each(
    ("text", "code", "words"),
    [
        ("c3", "occupied", "Your own piece is on c3 already. Choose an empty square."),
        ("b4", "occupied", "Your own piece is on b4 already. Choose an empty square."),
        ("c4 down", "occupied", "Your opponent's piece is on c4 already. Choose an empty square."),
        (
            "a3",
            "no_go",
            "The No-Go is on a3 until your next turn: you can't place a piece where one was just jumped, but a jump can land there.",
        ),
        ("a1 down", "face_down", "Only Blue's first piece can be placed face-down. Yours go face-up."),
        ("c5xc3", "not_yours", "The piece on c5 is your opponent's. Jump with one of your own."),
        ("a1xc3", "no_piece", "There is no piece on a1 that could jump."),
        ("a3xc1", "no_piece", "There is no piece on a3 that could jump."),
        ("b4xd4", "face_down_cannot_jump", "The piece on b4 is face-down, so it can't jump."),
        ("a5xc3", "own_piece_jumped", "The piece on b4 is your own. You can only jump over your opponent's."),
        ("c3xa3", "nothing_to_jump", "There is no piece on b3 to jump over."),
        ("c3xe1", "face_down_cannot_be_jumped", "The piece on d2 is face-down, so you can't jump over it."),
        ("e3xc1", "face_down_cannot_be_jumped", "The piece on d2 is face-down, so you can't jump over it."),
        ("a5xa3", "nothing_to_jump", "There is no piece on a4 to jump over."),
    ],
)
def test_refusals_name_the_rule(text: str, code: str, words: str) -> None:
    check_refused(BOARD, text, code, words)


def test_ruling_2_a_landing_square_with_a_piece_is_named() -> None:
    check_refused("...../...../..RBb/...../.....", "c3xe3", "landing_taken", "Another piece is on e3, so a jump over d3 can't land there.")


def test_ruling_2_a_piece_of_ones_own_stops_the_landing_too() -> None:
    check_refused("...../...../..RBR/...../.....", "c3xe3", "landing_taken", "Another piece is on e3, so a jump over d3 can't land there.")


def test_ruling_1_reds_first_piece_is_refused_face_down() -> None:
    with pytest.raises(Illegal) as refused:
        RULES.parse(RULES.start(), "c3 down")
    assert refused.value.code == "face_down"
    assert refused.value.message == "Only Blue's first piece can be placed face-down. Yours go face-up."


def test_ruling_2_jumping_over_the_no_go_is_refused() -> None:
    check_refused("...../...../..RX./...../.....", "c3xe3", "nothing_to_jump", "There is no piece on d3 to jump over.")


def test_ruling_3_an_empty_hand_is_told_a_jump_that_is_legal() -> None:
    words = "You have no pieces left in hand, so you have to jump."
    check_refused("...../...../..RB./...../.....", "a1", "hand_empty", words, left=(0, 3))


def test_ruling_1_advanced_the_centre_is_refused() -> None:
    rules = OkagoRules(Options(advanced=True))
    with pytest.raises(Illegal) as refused:
        rules.parse(rules.start(), "c3")
    assert refused.value.code == "no_go"
    assert refused.value.message == "The No-Go is on c3: in the advanced game, Red's first piece can't go to the centre."


@for_each("text", ["a1", "c3xe3"])
@for_each(("board", "left"), [("...../...../..RB./...../BBBB.", (3, 3)), ("...../...../..Rb./...../.....", (0, 3))])
def test_ruling_4_nothing_goes_after_the_end(board: str, left: tuple[int, int], text: str) -> None:
    check_refused(board, text, "over", "The game is over.", left=left)


def test_replaying_reads_canonical_text_only() -> None:
    state = RULES.start()
    for text in ("c3", "c3 down", "c3xe5"):
        assert RULES.format(state, RULES.replay(state, text)) == text
    for text in ("C3", "c3  down", "c3-e5", "c3xd4", "f1"):
        with pytest.raises(Unreadable):
            RULES.replay(state, text)


@for_each(
    ("options", "words"),
    [
        ({"size": 4}, 'The option size can\'t be "4". Choose 5 to 8.'),
        ({"size": 9}, 'The option size can\'t be "9". Choose 5 to 8.'),
        ({"advanced": 1}, 'The option advanced can\'t be "1". Choose yes or no.'),
        ({"size": 9, "advanced": True}, 'The option size can\'t be "9". Choose 5 to 8.'),
    ],
)
def test_a_bad_choice_is_explained(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as refused:
        games.find("okago", **options)
    assert refused.value.message == words


def check_refused(board: str, text: str, code: str, words: str, left: tuple[int, int] = (6, 6)) -> None:
    rules, state = rules_for(board), position(board, left=left)
    with pytest.raises(Illegal) as refused:
        rules.parse(state, text)
    assert (refused.value.code, refused.value.message) == (code, words)
    assert rules.replay(state, text) not in rules.steps(state)
