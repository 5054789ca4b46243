"""Results as directors write them, and where in a line they begin."""

import pytest

from tests.cases import for_each
from turnserver.errors import BadOption
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Verdict, by_places
from turnserver.league.scoring.written import result_at_end, verdict_of

WON = Verdict((Mark.WIN, Mark.LOSS))


@for_each(
    ("text", "size", "verdict"),
    [
        ("win", 2, WON),
        ("win-loss", 2, WON),
        ("1-0", 2, WON),
        ("Loss", 2, Verdict((Mark.LOSS, Mark.WIN))),
        ("draw", 2, Verdict((Mark.DRAW, Mark.DRAW))),
        ("win by forfeit-forfeit", 2, Verdict((Mark.WIN_BY_FORFEIT, Mark.FORFEIT))),
        ("win by forfeit", 2, Verdict((Mark.WIN_BY_FORFEIT, Mark.FORFEIT))),
        ("win on time-loss on time", 2, Verdict((Mark.WIN_ON_TIME, Mark.TIMEOUT))),
        ("no result", 3, Verdict((Mark.NO_RESULT,) * 3)),
        ("2-1-2", 3, by_places([2, 1, 2])),
    ],
)
def test_what_is_written_is_read(text: str, size: int, verdict: Verdict) -> None:
    assert verdict_of(text, size) == verdict


@for_each(
    ("text", "size", "told"),
    [
        ("win-loss-loss", 2, '"win-loss-loss" has 3 results, but 2 players are in that meeting.'),
        ("won", 2, '"won" isn\'t a result. Write one word per player, whoever the pairing names first in front: `win-loss`'),
        ("2-1", 2, '"2-1" isn\'t a result.'),
        ("first", 3, "a place for each player, such as `1-2-3`, or `no result`"),
    ],
)
def test_what_is_no_result_is_refused(text: str, size: int, told: str) -> None:
    with pytest.raises(BadOption, match=f".*{told}"):
        verdict_of(text, size)


@for_each(
    ("line", "size"),
    [("4 win-loss", 1), ("4 win by forfeit-forfeit", 3), ("Ada, Bob no result", 2), ("4 2-1-3", 1), ("Ada, Bob", 0), ("4", 0), ("", 0)],
)
def test_a_result_is_found_at_the_end_of_a_line(line: str, size: int) -> None:
    assert result_at_end(line.split()) == size
