"""The stream of a player in the log: what happened to the account, and the player's vacations."""

from collections.abc import Sequence

from turnserver.ids import PlayerId, Recorded, Version, player_stream
from turnserver.play.events import PlayerEvent
from turnserver.service.request import Request
from turnserver.store.log import log
from turnserver.store.log.database import Transaction


def load(conn: Transaction, player: PlayerId) -> list[Recorded[PlayerEvent]]:
    """Return every event of a player's stream."""
    return log.load(conn, player_stream(player))


def append(tx: Transaction, history: Sequence[Recorded[PlayerEvent]], event: PlayerEvent, request: Request) -> None:
    """Append an event to a player's stream, which was loaded as `history`. Raises Conflict if the stream has grown meanwhile."""
    log.append(
        tx,
        player_stream(event.player),
        Version(len(history)),
        [event],
        at=request.now,
        actor=request.actor,
        cause=request.cause,
        previous=history[-1].hash if history else None,
    )
