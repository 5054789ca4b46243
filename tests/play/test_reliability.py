"""The reliability of players, counted from the events of their games."""

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, CLEO, NIM_1, NIM_2, RED, WON, clock, day, ended, opened, played
from tests.play.test_leaving import GREEN_TIMED_OUT
from tests.play.test_timeouts import GRACED, PLAYED_FOR, SKIPPING, skipped, timed_out
from turnserver.ids import PlayerId
from turnserver.play import events as e
from turnserver.play.reliability import Tally, reliability

UNDELIVERED = e.ClockFrozen(number=1, kind=e.FreezeKind.UNDELIVERED, seat=BLUE, begins=day(1), ends=day(4), clock=clock(1))
TAKEN_BACK = e.TurnsRetracted(first=1, reason="", to_move=RED, clock=clock(1), kind=e.RetractionKind.CORRECTION, seat=RED)
LATE = (*NIM_1, e.TurnTimedOut(seat=BLUE, turn=2, deadline=day(4)), ended(e.EndedBy.TIME, RED))

SKIPPED = (*SKIPPING, skipped(1, RED, BLUE, at=3))

CASES: dict[str, tuple[tuple[tuple[e.GameEvent, ...], ...], dict[PlayerId, Tally]]] = {
    "nothing at all": ((), {}),
    "every turn counts": ((NIM_2,), {ADA: Tally(1, 1), BOB: Tally(1, 1)}),
    "in all games": ((NIM_2, WON), {ADA: Tally(3, 3), BOB: Tally(2, 2)}),
    "out of time": ((LATE,), {ADA: Tally(1, 1), BOB: Tally(1, 0, 1)}),
    "on grace": (((*GRACED, played(3, RED, "1", BLUE, at=3.5, began=0)),), {ADA: Tally(2, 2, 0, 1), BOB: Tally(1, 1)}),
    "out of time and of grace": (((*GRACED, timed_out(RED, 3, 4)),), {ADA: Tally(2, 1, 1, 1), BOB: Tally(1, 1)}),
    "skipped": ((SKIPPED,), {ADA: Tally(1, 0, 1)}),
    "played by the house": ((PLAYED_FOR,), {ADA: Tally(3, 0, 3), BOB: Tally(3, 3), CLEO: Tally(3, 3)}),
    "time given back for lost mail": (
        ((*NIM_1, UNDELIVERED, replace(UNDELIVERED, number=2, seat=RED)),),
        {ADA: Tally(1, 1, waits=1), BOB: Tally(waits=1)},
    ),
    "time given back to all": (((*NIM_1, replace(UNDELIVERED, kind=e.FreezeKind.OUTAGE, seat=None)),), {ADA: Tally(1, 1)}),
    "by seat, not by number": (((opened(players=(BOB, ADA)), NIM_1[-1]),), {BOB: Tally(1, 1)}),
    "a turn that ran out and is played after all, in a game taken up again": (
        ((*LATE, e.GameReopened(to_move=BLUE, clock=clock(6)), played(2, BLUE, "1", RED, at=7)),),
        {ADA: Tally(1, 1), BOB: Tally(2, 1, 1)},
    ),
    "a turn that ran out, in a game whose end an admin took back": (
        ((*LATE, e.EndRetracted(to_move=BLUE, clock=clock(6), reason="r"), played(2, BLUE, "1", RED, at=7)),),
        {ADA: Tally(1, 1), BOB: Tally(2, 1, 1)},
    ),
    "a turn that was corrected": (
        ((*NIM_1, TAKEN_BACK, NIM_1[-1]),),
        {ADA: Tally(1, 1)},
    ),
    "a turn that was taken back by agreement": (
        ((*NIM_1, replace(TAKEN_BACK, kind=e.RetractionKind.AGREEMENT), NIM_1[-1]),),
        {ADA: Tally(2, 2)},
    ),
    "a turn that somebody else played": (((*LATE[:-1], played(2, BLUE, "1", RED, at=4)),), {ADA: Tally(1, 1), BOB: Tally(1, 0, 1)}),
}


@for_each(("histories", "tallies"), CASES.values(), ids=CASES)
def test_what_is_counted(histories: tuple[tuple[e.GameEvent, ...], ...], tallies: dict[PlayerId, Tally]) -> None:
    assert reliability(histories) == tallies


def test_whoever_is_not_late_at_a_large_table_has_no_part_in_it() -> None:
    assert sorted(tally.flags for tally in reliability([GREEN_TIMED_OUT]).values()) == [0, 0, 1]
