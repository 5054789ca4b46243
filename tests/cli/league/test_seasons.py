"""What a director does with a season as a whole, by commands: told before, done once, and audited afterwards."""

from datetime import timedelta

from tests.cli.club import Club
from tests.cli.league.league_club import swept


def later(club: Club) -> None:
    """An hour has passed, and the service has done what was due."""
    club.now += timedelta(hours=1)
    swept(club)


def begun(club: Club, *settings: str, preset: str = "round-robin") -> Club:
    """A league of three, whose season has begun."""
    chosen = " ".join(f"--set {setting}" for setting in settings)
    club.printed(f"league add Winter --preset {preset} --game take --set least=2 --set ready_hours=0 {chosen}")
    for line in ("open Winter", "enter Winter Ada Bob Cleo", "start Winter -y"):
        club.printed(f"league {line}")
    return club


def told(club: Club, line: str) -> str:
    """The words of a command, whatever the width of its lines."""
    return " ".join(club.printed(line).split())


def test_a_pairing_and_a_final_table_wait_for_a_director(club: Club) -> None:
    begun(club, "rounds=1", "approve=pairings,table", preset="swiss")
    later(club)
    assert "Round 1 is paired. `turnserver league approve 1` lets its games begin." in told(club, "league show Winter")
    asked = club.run("league approve Winter", "n\n")
    assert "Round 1 may begin: meeting 1, " in asked.stderr
    assert "Approve this in Winter?" in asked.stderr
    club.printed("league approve Winter -y")
    later(club)
    club.printed("league result Winter 1 win-loss --reason 'as both say' -y")
    later(club)
    assert "Everything is played. `turnserver league approve 1` makes the tables final." in told(club, "league show Winter")
    assert "The season ended. " in told(club, "league approve Winter -y")
    assert club.run("audit verify").exit_code == 0
