"""The visibility of games and leagues on pages: how an admin says it, and how commands show it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, get_args

import typer

from turnserver.cli.session import Session
from turnserver.config import Level
from turnserver.ids import GameId, LeagueId


class Visible(StrEnum):
    """The levels that can be chosen, and the way back to none."""

    SEATS = "seats"
    PLAYERS = "players"
    PUBLIC = "public"
    USUAL = "usual"

    @property
    def level(self) -> Level | None:
        """Return the level; None for what the league or the settings say."""
        return next((level for level in get_args(Level) if level == self.value), None)


Option = Annotated[
    Visible | None,
    typer.Option(
        "--visible",
        help="Who may see its pages: its own players (seats), everybody with an account (players), everybody (public), or what its league "
        "or the settings say (usual).",
    ),
]


def game_visibility(run: Session, game: GameId) -> str:
    """Return `public`, or where the level comes from: `seats, as web.games says`."""
    pages, web = run.service.pages.public, run.settings.web
    own, league = pages.levels("game", [game]).get(game), pages.league_of(game)
    if own is not None:
        return own
    if league is not None:
        return f"{pages.levels('league', [league]).get(league, web.leagues)}, as league {league} is"
    return f"{web.games}, as web.games says"


def league_visibility(run: Session, leagues: Sequence[LeagueId]) -> dict[LeagueId, str]:
    """Return the visibility of leagues, by number, in the words of `game_visibility`."""
    usual, own = f"{run.settings.web.leagues}, as web.leagues says", run.service.pages.public.levels("league", leagues)
    return {league: own.get(league, usual) for league in leagues}
