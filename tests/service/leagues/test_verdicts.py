"""The result of a game for its league: whose time ran out, and who left first, by the turns that stand."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from tests.play.given import BLUE, GREEN, RED, TRIO, clock, day, ended, left
from tests.play.small_games import find
from turnserver.ids import Position, Recorded, Stream, Version
from turnserver.league.scoring.marks import Mark
from turnserver.play import events as e
from turnserver.play.evolve import fold
from turnserver.service.leagues.news import verdict_of_game

LATE_RED = (e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)), left(RED, BLUE, since=3))
BLUE_LEAVES = (e.SeatResigned(seat=BLUE), left(BLUE, GREEN, since=4))
RED_LEAVES = (e.SeatResigned(seat=RED), left(RED, None, since=4))
END_RETRACTED = e.EndRetracted(to_move=RED, clock=clock(5), reason="by mistake")
GREEN_WINS = ended(e.EndedBy.RESIGNATION, GREEN, reason="nobody else is left")
LATE_LAST = (e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)), left(RED, None, since=3))

CASES = {
    "late, then left": ((*TRIO, *LATE_RED, *BLUE_LEAVES[:1], replace(BLUE_LEAVES[1], to_move=None, clock=None)), (3, 2, 1), RED),
    "late, taken back, and left": (
        (*TRIO, *BLUE_LEAVES, *LATE_LAST, GREEN_WINS, END_RETRACTED, *RED_LEAVES),
        (2, 3, 1),
        None,
    ),
    "left, taken back, and late": (
        (*TRIO, *BLUE_LEAVES, *RED_LEAVES, GREEN_WINS, END_RETRACTED, *LATE_LAST),
        (2, 3, 1),
        RED,
    ),
}


@pytest.mark.parametrize(("events", "places", "late"), CASES.values(), ids=CASES)
def test_a_verdict_is_of_what_stands(events: tuple[e.GameEvent, ...], places: tuple[int, ...], late: int | None) -> None:
    whole = (*events, GREEN_WINS)
    at = datetime(2025, 3, 9, tzinfo=UTC)
    history = [Recorded(Position(n), Stream("game-1"), Version(n), at, "a", "c", event, b"") for n, event in enumerate(whole, 1)]
    verdict = verdict_of_game(fold(whole, find=find), history)
    marks = tuple(Mark.WIN if seat == GREEN else Mark.TIMEOUT if seat == late else Mark.LOSS for seat in (RED, BLUE, GREEN))
    assert (verdict.marks, verdict.places) == (marks, places)
