"""The club with six leagues: one runs, one is open for entries, one just set up, one over, one has a playoff due, and one is a ladder."""

from datetime import timedelta

from tests.cli.club import Club
from tests.cli.typed import service_of

WINTER, CUP, SPRING, AUTUMN, DUEL, CLIMB = 1, 2, 3, 4, 5, 6
LINES = (
    "league add 'Take Winter' --game take --option size=2 --time 3d --set round_days=14",
    "league open 1",
    "league enter 1 Ada Bob Cleo",
    "league start 1 --yes",
    "league add Cup --preset knockout --game take --set most=2 --set least=2",
    "league open 2 --until 2026-03-15",
    "league enter 2 Ada Bob Cleo",
    "league add Spring --preset divisions --game take",
    "league add Autumn --game take --set next_days=7 --set least=2",
    "league open 4",
    "league enter 4 Cleo Ada",
    "league start 4 --yes",
    "league add Duel --game take --set least=2 --set tie_breaks=playoff",
    "league open 5",
    "league enter 5 Ada Bob",
    "league start 5 --yes",
    "league add Climb --preset ladder --game take",
    "league open 6",
    "league enter 6 Ada Bob Cleo",
    "league start 6 --yes",
)


def with_leagues(club: Club) -> Club:
    """Set the leagues up: the games of those that run are open, and an hour later some are decided."""
    club.entropy = bytes  # so that lots fall as they always do
    for line in LINES:
        club.printed(line)
    swept(club)
    club.now += timedelta(hours=1)
    club.printed(f"league result {AUTUMN} 1 loss-win --reason 'they met in a café' --yes")
    club.printed(f"league result {DUEL} 1 draw --reason 'as both want it' --yes")
    club.now += timedelta(hours=1)
    swept(club)
    return club


def swept(club: Club) -> None:
    """One round of what the service does by itself, mail apart."""
    service = service_of(club)
    service.upkeep.sweep()
    service.db.close()
