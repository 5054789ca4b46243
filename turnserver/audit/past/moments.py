"""Moments of the past: how people write them, and which events had happened by then.

`12` or `v12` is a version of a stream, `#48211` a position of the whole log, `2026-11-03`, `2026-11-03 18:00` and `2026-11-03 18:00+01:00`
are times. A time counts to its end as far as it is written: all that a list shows at 18:00 had happened at 18:00, all of a day by that day.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeVar

from turnserver.errors import BadOption, NotFound
from turnserver.ids import Position, Recorded, Version
from turnserver.mail.outbound.wording import counted, record_time, zone_of
from turnserver.store.log import log, trail
from turnserver.store.log.database import Transaction

E = TypeVar("E")

FORMS: Final = "a version such as 12, a position of the log such as #48211, or a time such as 2026-11-03 or '2026-11-03 18:00'"

_VERSION: Final = re.compile(r"v?(?P<number>[0-9]{1,18})", re.IGNORECASE)
_POSITION: Final = re.compile(r"#(?P<number>[0-9]{1,18})")
_TIME: Final = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[ T](?P<minute>[0-9]{2}:[0-9]{2})(?:(?P<second>:[0-9]{2})(?P<part>\.[0-9]{1,6})?)?[ ]?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    re.IGNORECASE,
)
_LEAST: Final = timedelta(microseconds=1)


class AtTime(NamedTuple):
    """A time as it was written: from its first to its last microsecond."""

    begins: datetime
    ends: datetime


class Written(NamedTuple):
    """A moment as somebody has written it: one of the three is set."""

    text: str
    version: Version | None = None
    position: Position | None = None
    time: AtTime | None = None


class Moment(NamedTuple):
    """A moment of the past.

    `instant` is what the clock showed. An event had happened if it stands at `position` or before, where one is named, and else if it was
    recorded until the instant.
    """

    instant: datetime
    position: Position | None = None

    def covers(self, position: Position, at: datetime) -> bool:
        """Whether an event of that position, recorded at that instant, stood in the log by then."""
        return position <= self.position if self.position is not None else at <= self.instant

    def had_happened(self, row: Recorded[Any]) -> bool:
        """Whether an event stood in the log by then."""
        return self.covers(row.position, row.at)

    def upto(self, rows: Iterable[Recorded[E]]) -> list[Recorded[E]]:
        """What of a stream had happened: its first events, up to the first that had not."""
        return list(takewhile(self.had_happened, rows))


def read(text: str, zone: str) -> Written:
    """What somebody means who writes this in a time zone. Raises BadOption for what is none of the three."""
    asked = text.strip()
    if found := _VERSION.fullmatch(asked):
        return Written(asked, version=Version(int(found["number"])))
    if found := _POSITION.fullmatch(asked):
        return Written(asked, position=Position(int(found["number"])))
    return Written(asked, time=read_time(asked, zone))


def read_time(text: str, zone: str) -> AtTime:
    """A day or a time in a zone, unless it has an offset of its own. Raises BadOption."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise _no_moment(text)
    exact = f"{found['day']}T{found['minute'] or '00:00'}{found['second'] or ':00'}{_micro(found['part'])}{(found['zone'] or '').upper()}"
    try:
        written = datetime.fromisoformat(exact)
        begins = _utc(written, zone)
        if found["minute"] is None:
            return AtTime(begins, _utc(written + timedelta(days=1), zone) - _LEAST)
    except (ValueError, OverflowError) as error:
        raise _no_moment(text) from error
    if found["part"]:
        return AtTime(begins, begins)
    return AtTime(begins, begins + (timedelta(seconds=1) if found["second"] else timedelta(minutes=1)) - _LEAST)


def _no_moment(text: str) -> BadOption:
    return BadOption(f"{text!r} is no moment. Write {FORMS}.")


def _micro(part: str | None) -> str:
    return "" if part is None else part.ljust(len(".000000"), "0")


def _utc(at: datetime, zone: str) -> datetime:
    return (at if at.tzinfo else at.replace(tzinfo=zone_of(zone))).astimezone(UTC)


def in_stream(conn: Transaction, rows: Sequence[Recorded[Any]], at: Written, *, title: str, zone: str, now: datetime) -> Moment:
    """The moment that is meant in a stream whose events are `rows` and which people call `title`, such as `Game 17`.

    Raises NotFound, saying what there is, for a version or a position that there is not, and for a time before the first event or to come.
    """
    if at.version is not None:
        if not 1 <= at.version <= len(rows):
            told = f"{title} has had {counted(len(rows), 'event')} so far"
            raise NotFound(f"{told}; there is no version {at.version}." if at.version else f"{told}; they are numbered from 1.")
        row = rows[at.version - 1]
        return Moment(row.at, row.position)
    moment = in_log(conn, at, of=title, zone=zone, now=now)
    first = rows[0]
    if not moment.had_happened(first):
        then = f"#{moment.position}" if moment.position is not None else _told(moment.instant, zone)
        raise NotFound(f"{title} begins with event #{first.position} on {_told(first.at, zone)}; there was nothing of it at {then}.")
    return moment


def in_log(conn: Transaction, at: Written, *, of: str, zone: str, now: datetime) -> Moment:
    """The moment that is meant of the whole log, for what is `of` no single stream.

    Raises NotFound as `in_stream` does, and BadOption for a version, which only a stream has.
    """
    if at.position is not None:
        found = trail.at_position(conn, at.position)
        if found is None:
            had = counted(log.last_position(conn), "event")
            raise NotFound(f"The log has had {had} so far; there is no position #{at.position}.")
        return Moment(found.at, at.position)
    if at.time is None:
        raise BadOption(f"{at.text!r} is a version, and {of} has none. Write a position such as #48211, or a time such as 2026-11-03.")
    if at.time.begins > now:
        raise NotFound(f"{_told(at.time.begins, zone)} is in the future: it is {_told(now, zone)} now.")
    return Moment(min(at.time.ends, now))


def _told(at: datetime, zone: str) -> str:
    return f"{record_time(at, zone)} ({zone})"
