"""Claims that wait for an admin, as sentences with the command for each."""

from turnserver.errors import Unplayable
from turnserver.ids import GameId
from turnserver.service.games.folds import Games
from turnserver.store.games import views
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people


def waiting_claims(conn: Transaction, games: Games) -> dict[GameId, str]:
    """Return a sentence about each claim that waits, with the command that decides it, by the number of its game.

    Games that this program cannot follow are left out.
    """
    found: dict[GameId, str] = {}
    for game in views.claimed_games(conn):
        try:
            state = games.load(conn, game).state
        except Unplayable:
            continue
        if (claim := state.open_claim) is not None:
            name = people.player(conn, state.player_at(claim.seat)).name
            found[game] = (
                f"{name} asks you to decide game {game}, as turn {claim.turn} is not played. "
                f"`turnserver game claim {game} --grant --reason TEXT` wins it for {name}, `--dismiss` lets it go on."
            )
    return found
