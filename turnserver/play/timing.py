"""Deciding about time: the reminder, the end of the time, and time given back."""

from datetime import datetime, timedelta

from turnserver.errors import NotAllowed
from turnserver.play.chance import Chance
from turnserver.play.clock import reminder
from turnserver.play.commands import CreditClock
from turnserver.play.events import ClockCredited, GameEvent, PlayerReminded
from turnserver.play.guards import instant, pending
from turnserver.play.leaving import time_out
from turnserver.play.state import GameState

MAX_CREDIT = timedelta(days=366)
"""The most that one command gives back; it keeps every deadline within the calendar."""


def check_clock(state: GameState, now: datetime, chance: Chance | None) -> tuple[GameEvent, ...]:
    """Remind whoever has the turn, or time him out once the deadline has come. Refuses (`not_due`) to look too early."""
    if state.to_move is None:
        raise NotAllowed("not_due", "No clock runs in this game. There is nothing to do.")
    here = pending(state)
    if now >= here.deadline:
        return time_out(state, here, now, chance)
    if now >= here.remind_at and not state.reminded:
        return (PlayerReminded(seat=here.seat, turn=here.turn),)
    due = here.deadline if state.reminded else here.remind_at
    raise NotAllowed("not_due", f"Turn {here.turn} has time; look again at {instant(due)}.")


def credit_clock(state: GameState, command: CreditClock, now: datetime) -> tuple[GameEvent, ...]:
    """Move the deadline of the pending turn, passed or not, and with it the reminder.

    A reminder that went out is repeated only if its new time is still to come; otherwise its time stays, and so it stays sent.
    """
    here = pending(state)
    if not 1 <= command.seconds <= MAX_CREDIT.total_seconds():
        raise NotAllowed("bad_credit", f"Credit 1 to {MAX_CREDIT.total_seconds():.0f} seconds, not {command.seconds}.")
    deadline = here.deadline + timedelta(seconds=command.seconds)
    remind_at = reminder(state.days_per_move, deadline)
    if state.reminded and remind_at <= now:
        remind_at = here.remind_at
    return (ClockCredited(turn=here.turn, seconds=command.seconds, reason=str(command.reason), deadline=deadline, remind_at=remind_at),)
