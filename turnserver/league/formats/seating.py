"""The seats of a league's game: how many, which of them win and lose together, and whether seat 1 begins."""

from collections.abc import Mapping

from msgspec.structs import replace

from turnserver.errors import BadOption
from turnserver.games import entry, find
from turnserver.league.scoring.tiebreaks import ABOUT_SECOND
from turnserver.league.settings import Settings
from turnserver.league.state import LeagueState
from turnserver.rules.options import Value
from turnserver.text import say


def seated(settings: Settings, game: str, options: Mapping[str, Value]) -> Settings:
    """Return the settings with as many seats as the game has by its options.

    Where chance decides who begins, the usual tie-breaks are those that do not ask who moved second. Others stay as they were chosen, since
    leagues were set up with them before.

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
    chosen = replace(settings, seats=seats)
    if chosen.tie_breaks or entry(game).seat_begins:
        return chosen
    return replace(chosen, tie_breaks=tuple(one for one in chosen.usual_order if one not in ABOUT_SECOND))


def seat_begins(state: LeagueState) -> bool:
    """Return whether seat 1 moves first in the games of a league. If not, chance decides it, and a seat says nothing about it."""
    return entry(state.game).seat_begins


def takes_turns(state: LeagueState) -> bool:
    """Return whether the players of a league take turns at seat 1: under its first rules also where that says nothing about who begins."""
    return state.settings.rules == 1 or seat_begins(state)


def teams_of(state: LeagueState) -> tuple[frozenset[int], ...]:
    """Return the seats (1, 2, ...) that win and lose together in the game of a league. Each seat stands in exactly one team."""
    return find(state.game, **state.options).rules.teams
