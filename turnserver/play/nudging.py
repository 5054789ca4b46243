"""Deciding about a player who asks for the move of another: a reminder that says who asks."""

from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.play.clock.clock import live_time
from turnserver.play.commands import Nudge
from turnserver.play.events import FreezeKind, PlayerNudged
from turnserver.play.guards import Pending, in_time, instant, pending, seat_of
from turnserver.play.state import GameState
from turnserver.text import say

NOT_BEFORE: Final = timedelta(hours=24)
"""How old a turn must be before anybody asks for it, and how long it is until somebody may ask again in the same game."""

_MOMENT: Final = timedelta(microseconds=1)


def nudge(state: GameState, command: Nudge) -> tuple[PlayerNudged, ...]:
    """Ask for the pending turn.

    Refuses (`own_turn`, `seat_vacant`) where there is nobody to ask, and (`nudge_too_early`, `nudged_already`, `clock_stands_still`) what
    would be a nuisance.
    """
    seat, here, at = seat_of(state, command.player), pending(state), command.arrived_at
    in_time(here, at)
    mover = state.seat_name(here.seat)
    if seat == here.seat:
        raise NotAllowed("own_turn", say("It is your own move that the game waits for."))
    if state.vacant is not None:
        told = say("{mover} waits for somebody to take the seat over. There is nobody to ask.", mover=mover)
        raise NotAllowed("seat_vacant", told)
    if at < (from_then := here.clock.since + NOT_BEFORE):
        told = say("{mover} has had the turn for less than a day. Ask after {when}.", mover=mover, when=instant(from_then))
        raise NotAllowed("nudge_too_early", told)
    if state.nudged_at is not None and at < (again := state.nudged_at + NOT_BEFORE):
        told = say("A player was asked for a move of this game less than a day ago. Ask again after {when}.", when=instant(again))
        raise NotAllowed("nudged_already", told)
    _refuse_standing_still(state, here, at)
    return (PlayerNudged(seat=here.seat, turn=here.turn, asked_by=seat, asked_at=at),)


def _refuse_standing_still(state: GameState, here: Pending, at: datetime) -> None:
    live = live_time(state, here.seat)
    standing = live.off(at, at + _MOMENT)
    if not standing:
        return
    runs = live.advance(at, _MOMENT)
    why, mover = _why(standing[0].why), state.seat_name(here.seat)
    if runs is None:
        told = say("The clock of {mover} stands still ({why}), with no end in sight.", mover=mover, why=why)
    else:
        told = say("The clock of {mover} stands still ({why}) until {when}.", mover=mover, why=why, when=instant(runs - _MOMENT))
    raise NotAllowed("clock_stands_still", told)


def _why(why: str) -> str:
    """The reason for which a clock stands still, in words."""
    return {
        FreezeKind.VACATION: say("vacation"),
        FreezeKind.PAUSE: say("a pause"),
        FreezeKind.HALT: say("stopped by an admin"),
        FreezeKind.UNDELIVERED: say("mail that did not get through"),
        FreezeKind.OUTAGE: say("an outage of the service"),
        "weekend": say("weekend"),
        "holiday": say("holiday"),
        "night": say("night"),
    }[why]
