"""Since when a game waits for the pending turn."""

from collections.abc import Sequence

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import (
    BLUE,
    EVE,
    GREEN,
    INVITING,
    NIM,
    NIM_2,
    RED,
    TRIO,
    clock,
    day,
    left,
    played,
    reminded,
)
from turnserver.ids import Burden, GameId, Position, Recorded, Version, game_stream
from turnserver.play import events as e
from turnserver.play.clock.clock import waiting_since

RETRACTED = e.TurnsRetracted(first=2, reason="a slip", to_move=BLUE, clock=clock(5))

CREDITED = e.ClockCredited(turn=3, seconds=86_400, reason="", clock=clock(3))
FROZEN = e.ClockFrozen(number=1, kind=e.FreezeKind.UNDELIVERED, seat=RED, begins=day(2), ends=day(3), clock=clock(3))
THAWED = e.ClockThawed(number=1, kind=e.FreezeKind.UNDELIVERED, seat=RED, ends=day(3), clock=clock(3))

SEATED = e.SubstituteSeated(seat=RED, player=EVE, zone="UTC", rating=Burden.SEAT, reason="away", clock=clock(3))

CASES: dict[str, tuple[tuple[e.GameEvent, ...], int | None]] = {
    "not begun": (INVITING, None),
    "begun": (NIM, len(NIM)),
    "a turn was played": (NIM_2, len(NIM_2)),
    "somebody has taken it over": ((*NIM_2, SEATED), len(NIM_2) + 1),
    "another seat was taken over": ((*NIM_2, replace(SEATED, seat=BLUE)), len(NIM_2)),
    "somebody was reminded": ((*NIM_2, reminded(RED, 3)), len(NIM_2)),
    "time was given": ((*NIM_2, CREDITED), len(NIM_2)),
    "the clock stood still, and ran on": ((*NIM_2, FROZEN, THAWED), len(NIM_2)),
    "a draw was offered": ((*NIM_2, e.DrawOffered(seat=BLUE)), len(NIM_2)),
    "turns were taken back": ((*NIM_2, RETRACTED), len(NIM_2) + 1),
    "whose turn it was left": ((*TRIO, e.SeatResigned(seat=RED), left(RED, BLUE, since=1)), len(TRIO) + 2),
    "another one left": ((*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0)), len(TRIO)),
    "another one left, then whose turn it was": (
        (*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0), e.SeatResigned(seat=RED), left(RED, GREEN, since=1)),
        len(TRIO) + 4,
    ),
    "one left on a turn, then another one": (
        (*TRIO, played(1, RED, "1", BLUE, at=1), e.SeatResigned(seat=RED), left(RED, BLUE, since=1)),
        len(TRIO) + 1,
    ),
}


def recorded(events: Sequence[e.GameEvent]) -> list[Recorded[e.GameEvent]]:
    return [
        Recorded(Position(number), game_stream(GameId(1)), Version(number), day(number), "service", "test", event, b"")
        for number, event in enumerate(events, 1)
    ]


@for_each(("events", "version"), CASES.values(), ids=CASES)
def test_what_made_the_turn_pending(events: tuple[e.GameEvent, ...], version: int | None) -> None:
    found = waiting_since(recorded(events))
    assert (found.version if found else None) == version
