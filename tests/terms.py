"""The terms of games in tests that are not about terms: three days a move, one reminder on the last of them."""

from datetime import datetime, timedelta

from turnserver.config import Play
from turnserver.play.events import Terms, TurnClock, WhenLate

PLAIN = Play(time="3d", reminders=("24h",), grace_hours=0, correction_minutes=0, receipts=0)
"""The settings that make such games."""

THREE_DAYS = Terms(
    time="3d",
    holidays=(),
    reminders=("24h",),
    grace_hours=0,
    when_late=WhenLate.LOSS,
    void_turns=1,
    reopen_hours=48,
    vacation_days=60,
    pause_days=60,
    correction_minutes=0,
    draw_turns=10,
)
"""The choices with which such a game is opened."""


def three_days(since: datetime) -> TurnClock:
    """The clock of a turn that begins then."""
    return TurnClock(since=since, time=timedelta(days=3), deadline=since + timedelta(days=3), remind_at=since + timedelta(days=2))
