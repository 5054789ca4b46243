"""Deciding who plays on at a seat in place of somebody else. What the seat has stays with it; what the player agreed on does not."""

from datetime import datetime, timedelta
from typing import Final

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.play.clock.clock import left, live_time, running
from turnserver.play.commands import Substitute, ThawClock
from turnserver.play.events import GameEvent, SubstituteSeated, TurnClock
from turnserver.play.evolve import fold
from turnserver.play.guards import Pending, pending
from turnserver.play.state import GameState, with_seat
from turnserver.play.timing import thaw_clock
from turnserver.text import say

TIME_TO_SETTLE: Final = timedelta(hours=24)
"""What a substitute has at least for the turn that he finds."""

NOTHING: Final = timedelta(0)


def substitute(state: GameState, command: Substitute, now: datetime) -> tuple[GameEvent, ...]:
    """Seat somebody else. What stops the clock of the seat alone ends with the player for whom it does.

    Refuses (`not_started`, `game_over`) a game that does not run, (`no_such_seat`, `seat_left`) a seat that nobody plays at,
    (`already_playing`) a player of the game, and (`reason_missing`) to do it without a reason.
    """
    pending(state)
    if command.seat not in state.seats:
        raise NotAllowed("no_such_seat", f"This game has the seats 1 to {state.game.rules.seats}. Name one of them.")
    if command.seat in state.left:
        raise NotAllowed("seat_left", "That seat has left for good, and the others play on without it. Nobody can take it over.")
    not_at_the_table(state, command.player)
    if not command.reason.strip():
        raise NotAllowed("reason_missing", "A substitute needs a reason, which the players and the history will show. Give one.")
    return taken_over(state, command, now)


def not_at_the_table(state: GameState, player: PlayerId) -> None:
    """Refuse (`already_playing`) whoever has a seat of the game, even one that was given up."""
    if player in state.players:
        raise NotAllowed("already_playing", say("That player sits at the table already. Name somebody else."))


def taken_over(state: GameState, command: Substitute, now: datetime) -> tuple[GameEvent, ...]:
    """What follows when a player who may do so sits down in place of somebody else."""
    here = pending(state)
    ended = _freezes_ended(state, command, now)
    seated = SubstituteSeated(
        seat=command.seat,
        player=command.player,
        zone=command.zone,
        rating=command.rating,
        reason=str(command.reason),
        clock=_clock(fold(ended, state), here, command, now),
    )
    return (*ended, seated)


def _freezes_ended(state: GameState, command: Substitute, now: datetime) -> tuple[GameEvent, ...]:
    events: tuple[GameEvent, ...] = ()
    for freeze in state.freezes:
        if freeze.seat == command.seat and (freeze.ends is None or freeze.ends > max(freeze.begins, now)):
            events = (*events, *thaw_clock(fold(events, state), ThawClock(freeze.number, now)))
    return events


def _clock(state: GameState, here: Pending, command: Substitute, now: datetime) -> TurnClock:
    """The pending turn goes on; if it is that of the seat, with a day at least. A seat that waited for somebody has nothing left.

    A turn that the others do not know of yet is no reason to begin sooner.
    """
    if here.seat != command.seat:
        return here.clock
    begins = max(now, here.clock.since)
    has = NOTHING if state.vacant == here.seat else left(state, begins)
    there = replace(state, zones=with_seat(state.zones, here.seat, command.zone))
    return running(live_time(there, here.seat), state.terms, begins, None if has is None else max(has, TIME_TO_SETTLE))
