"""`game show` tells of time that was up, and of seats that somebody is asked to take over."""

from datetime import timedelta

import pytest

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, CLEO, DAN, EVE, NIM, RED, day, played
from tests.play.small_games import find
from tests.play.test_seat_offers import TWO_ASKED
from tests.play.test_timeouts import ASKED, GRACED, LOST, VACANT
from turnserver.cli.game.found import FoundGame
from turnserver.cli.output.show import Times
from turnserver.ids import GameId
from turnserver.mail.outbound.telling.events import SeatNames
from turnserver.play.events import GameEvent
from turnserver.play.evolve import fold

PLAYED = GRACED[:-1]


@for_each(
    ("history", "hours", "told"),
    [
        (PLAYED, 0, []),
        (GRACED, 0, ["Ada (Red) plays on grace"]),
        ((*GRACED, played(3, RED, "1", BLUE, at=3, began=0)), 0, ["Ada (Red) had grace"]),
        (VACANT, 0, ["Ada (Red) ran out of time, and the seat waits for a substitute"]),
        (ASKED, 0, ["last asked for a move on 2025-03-04 12:00 (UTC)"]),
        (LOST, 0, ["may be taken up again until 2025-03-08 12:00 (UTC)"]),
        (LOST, 48, []),
    ],
)
def test_late(history: tuple[GameEvent, ...], hours: int, told: list[str]) -> None:
    assert list(found(history).late(Times("UTC", day(5) + timedelta(hours=hours)))) == told


@pytest.mark.parametrize(("history", "told"), [(NIM, []), (TWO_ASKED, ["Eve for Bob (Blue)", "Dan for Cleo (Green)"])])
def test_who_is_asked_to_play_on(history: tuple[GameEvent, ...], told: list[str]) -> None:
    assert list(found(history).asked()) == told


def found(history: tuple[GameEvent, ...]) -> FoundGame:
    state = fold(history, find=find)
    return FoundGame(GameId(17), [], state, SeatNames(state, {ADA: "Ada", BOB: "Bob", CLEO: "Cleo", DAN: "Dan", EVE: "Eve"}), None)  # type: ignore[arg-type]  # no row is looked at
