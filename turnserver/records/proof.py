"""What the rolls of a finished game came from, so that a reader can work them out anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from turnserver.ids import GameId
from turnserver.play.events import GameEvent, GameStarted, Rolled, SeatLeft, SecretRevealed, TurnPlayed, TurnSkipped
from turnserver.play.state import GameState


@dataclass(frozen=True, slots=True)
class Draw:
    """A roll."""

    after: Annotated[int, "the number of the turn before it; 0 before the first"]
    undone: Annotated[bool, "whether the turn before it was taken back later"]
    number: Annotated[int, "which draw of the game it is"]
    below: Annotated[int, "how many values were possible"]
    value: Annotated[int, "the value drawn"]
    outcome: Annotated[str, "what the value meant, in canonical notation"]


@dataclass(frozen=True, slots=True)
class Proof:
    """Everything that the rolls of a game are worked out from, as `turnserver/play/chance.py` says."""

    game: Annotated[int, "the number of the game"]
    commitment: Annotated[str, "the SHA-256 of the secret, which was logged when the game was opened"]
    secret: Annotated[str, "the secret, which was told when the game had ended"]
    entropies: Annotated[tuple[str, ...], "what the seats added, in seat order; empty for a seat that added nothing"]
    draws: Annotated[tuple[Draw, ...], "every roll, those of turns that were taken back too"]


def proof_of(game: GameId, state: GameState, history: Sequence[GameEvent]) -> Proof | None:
    """What there is to check of the rolls of a game; None while its secret is not told, and in a game without chance."""
    secret = next((event.secret for event in history if isinstance(event, SecretRevealed)), None)
    if secret is None or state.commitment is None:
        return None
    return Proof(int(game), state.commitment, secret, state.entropies, tuple(_draws(state, history)))


def _draws(state: GameState, history: Sequence[GameEvent]) -> Iterator[Draw]:
    standing = {roll.number for entry in state.line.entries for roll in entry.rolls}
    turn = 0
    for event in history:
        if isinstance(event, TurnPlayed | TurnSkipped):
            turn = event.turn
        if isinstance(event, GameStarted | TurnPlayed | TurnSkipped | SeatLeft):
            yield from (_draw(roll, turn, undone=roll.number not in standing) for roll in event.rolls)


def _draw(roll: Rolled, after: int, *, undone: bool) -> Draw:
    return Draw(after, undone, roll.number, roll.below, roll.value, roll.outcome)
