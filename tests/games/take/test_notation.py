"""The notation of Take: what may be written for a move, and the answers to anything else."""

import pytest

from tests.cases import for_each
from turnserver import games
from turnserver.errors import Illegal, Unreadable

OPENING = games.find("take", size=5)


@for_each("text", ["c3", "C3", " c3 ", "c 3", "C3.", "c3!", '"c3"', "(c3)", "c3;", "\tc3\r\n"], ids=lambda text: ascii(text).strip("'"))
def test_reading_forgives(text: str) -> None:
    rules = OPENING.rules
    assert rules.format(rules.start(), rules.parse(rules.start(), text)) == "c3"


@for_each(
    ("text", "code", "words"),
    [
        ("resign", "unreadable", '"resign" isn\'t a move in Take. Write the letter of a row and the number of a cell.'),
        ("", "unreadable", '"" isn\'t a move in Take. Write the letter of a row and the number of a cell.'),
        ("c03", "unreadable", '"c03" isn\'t a move in Take. Write the letter of a row and the number of a cell.'),
        ("c3 c4", "unreadable", '"c3 c4" isn\'t a move in Take. Write the letter of a row and the number of a cell.'),
        (
            "c" * 1000,
            "unreadable",
            f'"{"c" * 40}..." isn\'t a move in Take. Write the letter of a row and the number of a cell.',
        ),
    ],
)
def test_what_is_no_cell_is_answered(text: str, code: str, words: str) -> None:
    with pytest.raises(Unreadable) as refused:
        OPENING.rules.parse(OPENING.rules.start(), text)
    assert (refused.value.code, refused.value.message) == (code, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("j1", "This board has no j1; its rows are a to i."),
        ("a6", "This board has no a6; row a goes from a1 to a5."),
        ("E10", "This board has no e10; row e goes from e1 to e9."),
    ],
)
def test_a_cell_of_another_board_is_a_move_that_cannot_be_played(text: str, words: str) -> None:
    with pytest.raises(Illegal) as refused:
        OPENING.rules.parse(OPENING.rules.start(), text)
    assert (refused.value.code, refused.value.message) == ("off_board", words)


def test_replaying_reads_canonical_text_only() -> None:
    rules = OPENING.rules
    assert rules.replay(rules.start(), "c3") == rules.parse(rules.start(), "c3")
    with pytest.raises(Unreadable):
        rules.replay(rules.start(), "C3")
