"""Instants as text: `2026-03-01T09:30:00.000000Z`, always UTC, always 27 characters, so that comparing bytes compares time."""

from datetime import UTC, datetime

_WIDTH = 27


def stamp(instant: datetime) -> str:
    """Write an instant. Raises ValueError for a naive datetime, because nobody can know what it means."""
    if instant.tzinfo is not UTC:
        if instant.utcoffset() is None:
            raise ValueError(f"an instant needs a time zone: {instant.isoformat()}")
        instant = instant.astimezone(UTC)
    return instant.isoformat(timespec="microseconds")[:26] + "Z"


def instant(text: str) -> datetime:
    """Read what `stamp` wrote: `stamp(instant(text)) == text`. Raises ValueError for any other spelling."""
    if len(text) != _WIDTH or text[10] != "T" or text[26] != "Z":
        raise ValueError(f"not an instant as the store writes it: {text!r}")
    return datetime.fromisoformat(text)


def optional_stamp(instant: datetime | None) -> str | None:
    """Write an instant that may be missing."""
    return None if instant is None else stamp(instant)


def optional_instant(text: str | None) -> datetime | None:
    """Read an instant that may be missing."""
    return None if text is None else instant(text)
