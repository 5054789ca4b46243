"""Time as arithmetic: when a turn is due and when to remind of it.

A day is an exact span of 24 hours. Every instant is an aware datetime in UTC.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

REMINDER = timedelta(hours=24)
"""How long before a deadline the reminder goes out, unless the move time is too short for that."""


class Due(NamedTuple):
    """When a turn must have arrived, and when its player is reminded if it hasn't."""

    deadline: datetime
    remind_at: datetime


def deadlines(days_per_move: int, now: datetime) -> Due:
    """The times of a turn that begins `now` and may take `days_per_move` times 24 hours. Raises ValueError if `now` isn't UTC."""
    if now.utcoffset() != timedelta(0):
        raise ValueError(f"an instant must be in UTC: {now!r}")
    deadline = now + timedelta(days=days_per_move)
    return Due(deadline, reminder(days_per_move, deadline))


def reminder(days_per_move: int, deadline: datetime) -> datetime:
    """24 hours before the deadline, or half the move time before it where that is less."""
    return deadline - min(REMINDER, timedelta(days=days_per_move) / 2)
