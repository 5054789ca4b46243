"""The dates of the year, and spans of time."""

from datetime import UTC, datetime, timedelta

BEGIN = datetime(2027, 1, 1, tzinfo=UTC)
END = datetime(2028, 1, 1, tzinfo=UTC)
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SWEEP = timedelta(seconds=15)
"""The time between two sweeps of a service."""
