"""The part of a game's history that its players, or everybody, may know."""

from collections.abc import Sequence
from typing import TypeAlias

from turnserver.ids import Recorded, Version
from turnserver.play.events import (
    EndRetracted,
    GameEvent,
    GameReopened,
    PlanDropped,
    PlanLaid,
    RetractionKind,
    SeatLeft,
    TurnPlayed,
    TurnsRetracted,
)
from turnserver.play.line import Numbered
from turnserver.play.state import GameState
from turnserver.rules import Seat


def readable(history: Sequence[Recorded[GameEvent]], state: GameState, seat: Seat | None) -> Sequence[Recorded[GameEvent]]:
    """Return the part of a history that the player at a seat may read; with None, somebody whose seat is not known.

    That is without others' turns that nobody but they ever knew of, and before the game is over without plans that have not answered.
    """
    unknown = corrected(history, own=seat)
    secret = PlanLaid | PlanDropped if state.result is None else ()
    return [one for one in history if one.version not in unknown and not isinstance(one.event, secret)]


def corrected(history: Sequence[Recorded[GameEvent]], *, own: Seat | None = None) -> frozenset[Version]:
    """Return the turns that were corrected before anybody else knew of them, and their corrections, but for those of the seat `own`."""
    found: set[Version] = set()
    for at, one in enumerate(history):
        if isinstance(one.event, TurnsRetracted) and one.event.kind is RetractionKind.CORRECTION and one.event.to_move != own:
            turn = next(before for before in reversed(history[:at]) if isinstance(before.event, TurnPlayed))
            found |= {one.version, turn.version}
    return frozenset(found)


_BeginsTurn: TypeAlias = Numbered | SeatLeft | TurnsRetracted | EndRetracted | GameReopened


def last_told(history: Sequence[Recorded[GameEvent]], state: GameState) -> Recorded[GameEvent]:
    """Return the event whose digest players read: the last one, or while conditional moves may wait, the last one before these.

    So nobody learns from a number or a digest that there are any. It is the same event whether they were laid or dropped again.
    """
    if state.result is not None:
        return history[-1]
    since = next((at for at in reversed(range(len(history))) if isinstance(history[at].event, _BeginsTurn)), 0)
    ahead = (at for at in range(since, len(history)) if isinstance(history[at].event, PlanLaid | PlanDropped))
    return history[next(ahead, len(history)) - 1]
