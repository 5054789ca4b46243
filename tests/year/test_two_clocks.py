"""The service's arithmetic of clocks and the naive one, side by side: in every zone, over every change of its clocks in a year."""

import random
from datetime import date, datetime, timedelta
from typing import get_args

import pytest

from tests.year.naive_clock import Holds, NaiveClock
from tests.year.people import CONTROLS
from tests.year.places import changes, changing
from turnserver.play.clock import controls
from turnserver.play.clock.live_time import Calendar, LiveTime, Off

YEAR = 2027
MINUTE = timedelta(minutes=1)
HOLIDAYS = (date(YEAR, 3, 26), date(YEAR, 3, 29), date(YEAR, 4, 5), date(YEAR, 10, 29), date(YEAR, 11, 1))
OPTIONS = (
    "",
    ", no weekends",
    ", nights 22:00-07:00",
    ", nights 01:30-02:30",
    ", no weekends, nights 01:00-17:00, holidays DE",
    ", holidays DE",
)


def test_every_time_control_is_played() -> None:
    assert {type(controls.parse(text).control) for text in CONTROLS} == set(get_args(controls.Control))


def check(zone: str, change: datetime, draw: random.Random) -> None:
    """Turns under every control that begin within days of a change, with freezes before, over and after it."""
    for text in CONTROLS:
        agreed = controls.parse(text + draw.choice(OPTIONS))
        holidays = HOLIDAYS if agreed.holidays else ()
        since = change + MINUTE * draw.choice((0, 0, *(draw.randrange(-6000, 2000) for _ in range(4))))
        naive = NaiveClock(controls.written(agreed), holidays, [zone], 1)
        freezes = []
        for number in range(draw.randrange(3)):
            begins = since + MINUTE * draw.randrange(-5000, 9000)
            ends = draw.choice((None, *(begins + MINUTE * draw.randrange(1, 9000) for _ in range(9))))
            freezes.append(Off("pause", begins, ends))
            naive.stop(number, draw.choice((1, None)), begins, ends)
        live = LiveTime(Calendar(zone, agreed.weekends, agreed.night, frozenset(holidays)), tuple(freezes))
        bank = controls.first(agreed.control)
        naive.begin(1, since)
        span = controls.allowance(agreed.control, bank, since, live)
        assert naive.turn is not None
        assert span == naive.turn.time, (text, since)
        deadline = None if span is None else live.advance(since, span)
        assert deadline == naive.deadline(), (text, since, freezes)
        arrived = min(since + MINUTE * draw.randrange(20_000), deadline or since)
        left = None if span is None else max(timedelta(0), span - live.between(since, arrived))
        after = controls.after(agreed.control, bank, left)
        assert left == naive.hand_over(arrived), (text, since, arrived)
        assert Holds(after.time, after.periods) == naive.holds[1], (text, since, arrived)


FEW = 6
"""One zone in so many is gone through at each change."""
ZONES = [pytest.param(zone, marks=[pytest.mark.long] if at % FEW else []) for at, zone in enumerate(changing(YEAR))]


@pytest.mark.parametrize("zone", ZONES)
def test_both_clocks_agree_over_every_change(zone: str) -> None:
    draw = random.Random(zone)  # noqa: S311  # no secret
    for change in changes(zone, YEAR):
        check(zone, change, draw)


def test_there_are_zones_of_both_hemispheres_whose_clocks_are_changed() -> None:
    assert {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca"} <= set(changing(YEAR))
