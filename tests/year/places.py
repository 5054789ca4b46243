"""Time zones whose clocks are changed in a year."""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones


@cache
def changes(zone: str, year: int) -> tuple[datetime, ...]:
    """The hours of a year in UTC from which on the clocks of a zone show something else than before."""
    place, hour = ZoneInfo(zone), timedelta(hours=1)
    days = [datetime(year, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in range(366)]
    offsets = [day.astimezone(place).utcoffset() for day in days]
    at = [day for day, offset, before in zip(days[1:], offsets[1:], offsets, strict=False) if offset != before]
    hours = [day - number * hour for day in at for number in range(24)]
    return tuple(sorted(at for at in hours if at.astimezone(place).utcoffset() != (at - hour).astimezone(place).utcoffset()))


@cache
def changing(year: int) -> tuple[str, ...]:
    """Every zone whose clocks are changed in a year, by whatever name it is known."""
    named = {zone for zone in available_timezones() if zone not in {"Factory", "localtime"}}
    return tuple(sorted(zone for zone in named if changes(zone, year)))
