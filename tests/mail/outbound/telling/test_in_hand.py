"""The time that whoever has the turn saves, as they are told of it."""

from datetime import timedelta

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import RED, day, running
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.mail.outbound.telling.clocks import in_hand
from turnserver.play.clock.clock import turn_clock
from turnserver.play.clock.controls import Bank
from turnserver.play.evolve import fold

HOUR = timedelta(hours=1)


@for_each(
    ("time", "bank", "told"),
    [
        ("3d", Bank(), ""),
        ("no limit", Bank(), ""),
        ("next 20:00 UTC, at least 24h", Bank(), ""),
        ("5d+36h cap 10d", Bank(99 * HOUR), "Time that you do not use is kept for later: each turn adds 36 hours, up to 10 days."),
        ("60d in all", Bank(99 * HOUR), "That is all your time for the rest of the game."),
        (
            "20d then 5x2d",
            Bank(99 * HOUR, 5),
            "Of that, 4 days 3 hours is your main time; the rest is 5 periods of 2 days, and a turn that takes less uses up none.",
        ),
        ("20d then 5x2d", Bank(timedelta(0), 3), "You have 3 periods of 2 days, and a turn that takes less uses up none."),
        ("20d then 5x2d", Bank(timedelta(0), 1), "You have 1 period of 2 days, and a turn that takes less does not use it up."),
    ],
)
def test_what_becomes_of_time_that_is_not_used(time: str, bank: Bank, told: str) -> None:
    history = running(terms=replace(THREE_DAYS, time=time))
    state = replace(fold(history, find=find), banks=(bank, bank))
    state = replace(state, clock=turn_clock(state, RED, day(0)))
    assert in_hand(state, RED).endswith(told)
    assert bool(in_hand(state, RED)) is bool(told)
    assert in_hand(replace(state, grace=HOUR), RED) == ""


def test_nothing_is_said_of_periods_that_the_turn_does_not_have() -> None:
    state = fold(running(terms=replace(THREE_DAYS, time="20d then 5x2d")), find=find)
    assert in_hand(state, RED) == ""
