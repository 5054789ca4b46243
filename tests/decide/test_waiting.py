"""Since when a game waits for the pending turn, and what its clock was given back since."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from tests.decide.given import (
    BLUE,
    GREEN,
    INVITING,
    NIM,
    NIM_2,
    RED,
    TRIO,
    day,
    left,
    played,
)
from turnserver.envelope import GameId, Position, Recorded, Version, game_stream
from turnserver.play.events import ClockCredited, DrawOffered, GameEvent, PlayerReminded, SeatResigned, TurnsRetracted
from turnserver.play.waiting import given_back, waiting_since

RETRACTED = TurnsRetracted(first=2, reason="a slip", to_move=BLUE, deadline=day(8), remind_at=day(7))


def credited(seconds: int, reason: str) -> ClockCredited:
    return ClockCredited(turn=3, seconds=seconds, reason=reason, deadline=day(9), remind_at=day(8))


CASES: dict[str, tuple[tuple[GameEvent, ...], int | None]] = {
    "not begun": (INVITING, None),
    "begun": (NIM, len(NIM)),
    "a turn was played": (NIM_2, len(NIM_2)),
    "somebody was reminded": ((*NIM_2, PlayerReminded(seat=RED, turn=3)), len(NIM_2)),
    "time was given": ((*NIM_2, credited(60, "outage")), len(NIM_2)),
    "a draw was offered": ((*NIM_2, DrawOffered(seat=BLUE)), len(NIM_2)),
    "turns were taken back": ((*NIM_2, RETRACTED), len(NIM_2) + 1),
    "whose turn it was left": ((*TRIO, SeatResigned(seat=RED), left(RED, BLUE, since=1)), len(TRIO) + 2),
    "another one left": ((*TRIO, SeatResigned(seat=BLUE), left(BLUE, RED, since=0)), len(TRIO)),
    "another one left, then whose turn it was": (
        (*TRIO, SeatResigned(seat=BLUE), left(BLUE, RED, since=0), SeatResigned(seat=RED), left(RED, GREEN, since=1)),
        len(TRIO) + 4,
    ),
    "one left on a turn, then another one": (
        (*TRIO, played(1, RED, "1", BLUE, at=1), SeatResigned(seat=RED), left(RED, BLUE, since=1)),
        len(TRIO) + 1,
    ),
}


def recorded(events: Sequence[GameEvent]) -> list[Recorded[GameEvent]]:
    return [
        Recorded(Position(number), game_stream(GameId(1)), Version(number), day(number), "service", "test", event, b"")
        for number, event in enumerate(events, 1)
    ]


@pytest.mark.parametrize(("events", "version"), CASES.values(), ids=CASES)
def test_what_made_the_turn_pending(events: tuple[GameEvent, ...], version: int | None) -> None:
    found = waiting_since(recorded(events))
    assert (found.version if found else None) == version


def test_what_was_given_back_for_a_reason_since_then() -> None:
    history = recorded((*NIM_2, credited(60, "mail"), credited(5, "outage"), credited(30, "mail")))
    since = Version(len(NIM_2))
    assert given_back(history, since, "mail") == timedelta(seconds=90)
    assert given_back(history, Version(since + 1), "mail") == timedelta(seconds=30)
    assert given_back(history, since, "leave") == timedelta(0)
