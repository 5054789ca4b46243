"""A game as its row was at a moment of the past, from its events."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from turnserver.ids import GameId, Recorded
from turnserver.play.events import GameEvent
from turnserver.play.evolve import Find, evolve
from turnserver.play.state import GameState, Status
from turnserver.store.games.views import GameSummary


def summary(game: GameId, rows: Sequence[Recorded[GameEvent]], find: Find) -> tuple[GameState, GameSummary]:
    """The state of a game after its first events, of which there is one at least, and what its row said then."""
    state: GameState | None = None
    ended_at: datetime | None = None
    for row in rows:
        ended = state is not None and state.status is Status.ENDED
        state = evolve(state, row.event, find)
        if state.status is not Status.ENDED:
            ended_at = None
        elif not ended:
            ended_at = row.at
    if state is None:
        raise ValueError(f"game {game} has no events")
    result = state.result
    return state, GameSummary(
        id=game,
        version=state.version,
        game=state.game.entry.key,
        options=asdict(state.game.options),
        status=state.status,
        turn=state.turn,
        to_move=state.to_move,
        deadline=state.deadline,
        due_at=state.due_at,
        opened_at=rows[0].at,
        ended_at=ended_at,
        outcome=result.outcome.value if result else None,
        ended_by=result.by.value if result else None,
        winners=result.winners if result else (),
        players=state.players,
        accepted=tuple(player in state.accepted for player in state.players),
    )
