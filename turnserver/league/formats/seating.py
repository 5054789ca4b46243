"""The seats of a league's game, and which of them win and lose together."""

from collections.abc import Mapping

from msgspec.structs import replace

from turnserver.errors import BadOption
from turnserver.games import find
from turnserver.league.settings import Settings
from turnserver.league.state import LeagueState
from turnserver.rules.options import Value
from turnserver.text import say


def seated(settings: Settings, game: str, options: Mapping[str, Value]) -> Settings:
    """Return the settings with as many seats as the game has by its options.

    Refuses with BadOption another number of seats, and as `find` does.
    """
    seats = find(game, **options).rules.seats
    if settings.seats not in (0, seats):
        message = say(
            "With these options the game is for {n} players, not {seats}. Leave out the seats, or change the options.",
            n=seats,
            seats=settings.seats,
        )
        raise BadOption(message)
    return replace(settings, seats=seats)


def teams_of(state: LeagueState) -> tuple[frozenset[int], ...]:
    """Return the seats (1, 2, ...) that win and lose together in the game of a league. Each seat stands in exactly one team."""
    return find(state.game, **state.options).rules.teams
