"""The part of a game's history that its players, or everybody, may know."""

from collections.abc import Sequence
from typing import NamedTuple

from turnserver.ids import Recorded, Version
from turnserver.play.events import GameEvent, PlanDropped, PlanLaid, RetractionKind, TurnPlayed, TurnsRetracted
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


class Told(NamedTuple):
    """The end of a history as a reader may know it: its last event, whose digest they read, and the number of `events` up to it."""

    events: int
    last: Recorded[GameEvent]


def told_end(history: Sequence[Recorded[GameEvent]], state: GameState, seat: Seat | None) -> Told:
    """Return the end of a history for the player at a seat; with None, for somebody whose seat is not known.

    Events that are not theirs to read do not count. So nobody learns from a number that there are conditional moves or were any, and a
    digest, which binds these too, can be worked out by nobody who does not know all hashes before.
    """
    known = readable(history, state, seat)
    return Told(len(known), known[-1])
