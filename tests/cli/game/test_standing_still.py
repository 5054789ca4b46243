"""Clocks are stopped from the command line: by an admin's pause, and by the vacations of players."""

import pytest

from tests.cli.club import Club


def test_an_admin_stops_a_game_and_lets_it_run_again(club: Club) -> None:
    deadline = club.json("game show 1 --json")["deadline"]  # type: ignore[index]
    club.printed("game pause 1 --reason 'The club moves house.'")
    assert club.json("game show 1 --json")["deadline"] is None  # type: ignore[index]
    assert "all clocks: stopped by the organisers until somebody ends that" in club.printed("game show 1")
    assert "already" in club.run("game pause 1 --reason x").stderr
    club.printed("game resume 1 --reason done")
    assert club.json("game show 1 --json")["deadline"] == deadline  # type: ignore[index]
    assert "Reason: The club moves house." in " ".join(club.printed("game history 1").split())
    assert "nothing to resume" in club.run("game resume 1").stderr


def test_a_sentence_has_the_times_of_the_table_it_stands_in(club: Club) -> None:
    club.printed("game pause 1 --reason x")
    assert "from Sun 1 Mar, 13:00. Reason: x" in " ".join(club.printed("game history 1").split())
    assert "from Sun 1 Mar, 12:00. Reason: x" in str(club.json("game history 1 --json"))


def test_a_pause_of_some_days_ends_by_itself(club: Club) -> None:
    club.printed("game pause 1 --days 3 --reason x")
    assert club.json("game show 1 --json")["deadline"] == "2026-03-09T12:00:00Z"  # type: ignore[index]


def test_a_vacation_is_declared_shown_and_ended(club: Club) -> None:
    assert "has declared no vacation." in club.printed("player vacation Bob")
    shown = club.printed("player vacation Bob --from 2026-07-01 --to 2026-07-14")
    assert "Wed 1 Jul 2026" in shown
    assert "the end of Tue 14 Jul 2026" in shown
    assert "16 of 30 days of 2026 are left." in shown
    club.printed("player vacation Bob --days 5")
    assert "Bob (Blue): on vacation until 2026-03-" in club.printed("game show 1")
    assert "vacation off 1" in club.run("player vacation Bob --from 2026-07-10 --to 2026-07-20").stderr
    club.printed("player vacation Bob --end --number 1")
    left = club.json("player vacation Bob --end --json")
    assert left == {"vacations": [], "years": [{"year": 2026, "days": 30, "left": 30}, {"year": 2027, "days": 30, "left": 30}]}


def test_no_clock_of_a_game_that_is_over_stands_still(club: Club) -> None:
    club.printed("player vacation Bob --days 5")
    club.printed("game cancel 1 --reason x -y")
    assert "Standing still" not in club.printed("game show 1")


@pytest.mark.parametrize(
    "line", ["--from 2026-07-01", "--to 2026-07-01", "--days 3 --end", "--number 2", "--from 2026-07-01 --to 2026-07-09 --days 3"]
)
def test_a_command_line_that_makes_no_sense(club: Club, line: str) -> None:
    assert "give --from with --to, or --days, or --end" in club.run(f"player vacation Bob {line}").stderr


def test_a_day_that_is_none(club: Club) -> None:
    assert "'soon' is not a day" in club.run("player vacation Bob --from soon --to 2026-07-09").stderr
