"""Live time: what passes on a clock while it does not stand still."""

from datetime import UTC, datetime, timedelta

from turnserver.play.livetime import Calendar, LiveTime

FRIDAY = datetime(2027, 3, 26, 17, tzinfo=UTC)


def test_a_weekend_does_not_count() -> None:
    live = LiveTime(Calendar("Europe/Berlin", weekends=True))
    assert live.advance(FRIDAY, timedelta(days=3)) == datetime(2027, 3, 31, 16, tzinfo=UTC)
