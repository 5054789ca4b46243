"""The reminder, the end of the time, and time given back."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.decide.given import (
    BLUE,
    NIM,
    NIM_1,
    NIM_2,
    RED,
    WON,
    Case,
    Refused,
    check,
    day,
    ended,
    named,
    played,
)
from turnserver.play.clock import Due, deadlines
from turnserver.play.commands import CheckClock, CreditClock
from turnserver.play.events import ClockCredited, EndedBy, PlayerReminded, TurnTimedOut

HOUR = 3600
REMINDED = (*NIM_2, PlayerReminded(seat=RED, turn=3))
"""Red's by day 5, and reminded on day 4."""


def credited(turn: int, seconds: int, deadline: datetime, remind_at: datetime, reason: str = "outage") -> ClockCredited:
    return ClockCredited(turn=turn, seconds=seconds, reason=reason, deadline=deadline, remind_at=remind_at)


LITTLE = (*REMINDED, credited(3, HOUR, day(5, seconds=HOUR), day(4)))
"""An hour more for Red, given after the reminder: its time stays."""
MUCH = (*REMINDED, credited(3, 48 * HOUR, day(7), day(6)))
"""Two days more for Red: there will be another reminder on day 6."""

CASES = [
    Case("nothing is due", NIM_2, CheckClock(), day(4, seconds=-1), Refused("not_due", "look again at 2025-03-05 12:00:00 UTC")),
    Case("a reminder", NIM_2, CheckClock(), day(4), (PlayerReminded(seat=RED, turn=3),)),
    Case("a late reminder", NIM_2, CheckClock(), day(5, seconds=-1), (PlayerReminded(seat=RED, turn=3),)),
    Case("one reminder a turn", REMINDED, CheckClock(), day(5, seconds=-1), Refused("not_due", "look again at 2025-03-06 12:00:00 UTC")),
    Case(
        "a reminder for the next turn",
        (*REMINDED, played(3, RED, "1", BLUE, at=5)),
        CheckClock(),
        day(7),
        (PlayerReminded(seat=BLUE, turn=4),),
    ),
    Case("time is up", REMINDED, CheckClock(), day(5), (TurnTimedOut(seat=RED, turn=3, deadline=day(5)), ended(EndedBy.TIME, BLUE))),
    Case(
        "time is up unreminded", NIM_2, CheckClock(), day(9), (TurnTimedOut(seat=RED, turn=3, deadline=day(5)), ended(EndedBy.TIME, BLUE))
    ),
    Case("nobody has moved", NIM, CheckClock(), day(3), (TurnTimedOut(seat=RED, turn=1, deadline=day(3)), ended(EndedBy.TIME))),
    Case("one side has not moved", NIM_1, CheckClock(), day(4), (TurnTimedOut(seat=BLUE, turn=2, deadline=day(4)), ended(EndedBy.TIME))),
    Case("no clock after the end", WON, CheckClock(), day(99), Refused("not_due", "No clock runs")),
    Case("a credit", NIM_2, CreditClock(HOUR, "outage"), day(3), (credited(3, HOUR, day(5, seconds=HOUR), day(4, seconds=HOUR)),)),
    Case("a credit after the deadline", NIM_2, CreditClock(48 * HOUR, "leave"), day(6), (credited(3, 48 * HOUR, day(7), day(6), "leave"),)),
    Case("a credit keeps the time of a reminder that went out", REMINDED, CreditClock(HOUR, "outage"), day(4, seconds=HOUR), LITTLE[-1:]),
    Case("and is not reminded of again", LITTLE, CheckClock(), day(4.5), Refused("not_due", "look again at 2025-03-06 13:00:00 UTC")),
    Case(
        "and is due later",
        LITTLE,
        CheckClock(),
        day(5, seconds=HOUR),
        (TurnTimedOut(seat=RED, turn=3, deadline=day(5, seconds=HOUR)), ended(EndedBy.TIME, BLUE)),
    ),
    Case("a credit that brings the reminder back", REMINDED, CreditClock(48 * HOUR, "outage"), day(4.5), MUCH[-1:]),
    Case("and is reminded of again", MUCH, CheckClock(), day(6), (PlayerReminded(seat=RED, turn=3),)),
    Case("little by little", LITTLE, CreditClock(47 * HOUR, "outage"), day(4.5), (credited(3, 47 * HOUR, day(7), day(6)),)),
    Case("no credit", NIM_2, CreditClock(0, "outage"), day(3), Refused("bad_credit", "1 to 31622400 seconds")),
    Case("time cannot be taken", NIM_2, CreditClock(-HOUR, "outage"), day(3), Refused("bad_credit", "1 to 31622400 seconds")),
    Case("a year at most", NIM_2, CreditClock(31622401, "outage"), day(3), Refused("bad_credit", "1 to 31622400 seconds")),
    Case("a credit after the end", WON, CreditClock(HOUR, "outage"), day(4), Refused("game_over", "Red won")),
]


@named(CASES)
def test_timing(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("days", "remind_after"),
    [(1, timedelta(hours=12)), (2, timedelta(hours=24)), (3, timedelta(hours=48)), (90, timedelta(days=89))],
)
def test_a_reminder_comes_a_day_before_the_deadline_or_half_way(days: int, remind_after: timedelta) -> None:
    assert deadlines(days, day(0)) == Due(day(days), day(0) + remind_after)


def test_a_day_is_24_hours_when_the_clocks_change() -> None:
    evening_before_summer_time_in_europe = datetime(2025, 3, 29, 20, tzinfo=UTC)
    assert deadlines(1, evening_before_summer_time_in_europe).deadline == datetime(2025, 3, 30, 20, tzinfo=UTC)


@pytest.mark.parametrize("tz", [None, timezone(timedelta(hours=1))])
def test_an_instant_that_is_not_utc_is_a_mistake_of_the_program(tz: timezone | None) -> None:
    with pytest.raises(ValueError, match="must be in UTC"):
        deadlines(3, datetime(2025, 3, 1, tzinfo=tz))
