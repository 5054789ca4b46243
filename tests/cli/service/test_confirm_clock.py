"""`turnserver confirm-clock`: what doctor says of a clock that cannot be right, and how an admin overrules it."""

from datetime import timedelta

import pytest

from tests.cli.club import Club
from tests.cli.typed import declared, typed
from turnserver.cli.operate import Confirmed


@pytest.mark.parametrize("step", [timedelta(hours=-2), timedelta(days=400)], ids=str)
def test_doctor_names_the_command_and_it_helps(club: Club, step: timedelta) -> None:
    typed(club, "tick")
    club.now += step
    doubtful = typed(club, "doctor")
    assert "clocks: The clock of this machine says" in doubtful.stdout
    assert "`turnserver confirm-clock`" in doubtful.stdout
    assert "The service goes on from here." in typed(club, "confirm-clock").stdout
    assert declared(typed(club, "confirm-clock --json").stdout, "confirm-clock") == Confirmed(club.now)
    assert "cannot be right" not in typed(club, "doctor").stdout
    assert "clocks: Last looked at" in typed(club, "doctor").stdout
