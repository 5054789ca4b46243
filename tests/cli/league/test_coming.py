"""Times left until moments of a league, as they are told: `now` only when the next round of the service brings it."""

from datetime import timedelta

import pytest

from tests.cli.club import NOON
from turnserver.cli.league.show import coming_in
from turnserver.cli.output.show import Times
from turnserver.service.upkeep.deadlines import SETTLE

AWAY = {
    "to come": (timedelta(hours=2), "in 2 hours"),
    "come, but mail from before it may still appear": (timedelta(0), "in less than a minute"),
    "nearly settled": (timedelta(seconds=1) - SETTLE, "in less than a minute"),
    "settled": (-SETTLE, "now"),
    "long ago": (timedelta(hours=-2), "now"),
}


@pytest.mark.parametrize(("away", "told"), AWAY.values(), ids=AWAY)
def test_a_moment_is_now_once_the_service_acts_on_it(away: timedelta, told: str) -> None:
    assert coming_in(NOON + away, Times("UTC", NOON)) == told
