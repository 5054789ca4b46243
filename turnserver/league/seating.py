"""How many a league's game is for, and who of them wins and loses together."""

from turnserver.games import find
from turnserver.league.state import LeagueState


def teams_of(state: LeagueState) -> tuple[frozenset[int], ...]:
    """The seats (1, 2, ...) that win and lose together in the game of a league; each seat stands in exactly one team."""
    return find(state.game, **state.options).rules.teams
