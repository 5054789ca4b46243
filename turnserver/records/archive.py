"""Games of an archive: the part of a record that the log keeps, and the part in rows that can be erased."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from turnserver.ids import Digest, Event, EventType
from turnserver.records.record import (
    UNKNOWN_DATE,
    Agreed,
    Comment,
    Day,
    Happening,
    Item,
    Record,
    Resigned,
    Result,
    Rolled,
    Seated,
    Skipped,
    TimedOut,
    Turn,
)
from turnserver.rules import Seat
from turnserver.rules.options import Value


class Changed(Happening, frozen=True, tag="substitute"):
    """Somebody else plays on at a seat."""

    seat: Seat


Kept: TypeAlias = Turn | Skipped | Rolled | Resigned | TimedOut | Changed | Agreed


class ArchiveImported(Event, frozen=True):
    """A game that is over was taken into the archive from a record, which its rules bear out.

    Names, comments, and the reason of the result are no part of it, nor anything else that people may have put into words.
    """

    game: str
    revision: int
    options: dict[str, Value]
    course: tuple[Kept, ...]
    result: Result
    began: Day | None = None
    ended: Day | None = None
    head: Digest | None = None


EVENT_TYPES: Mapping[type[Event], EventType] = MappingProxyType({ArchiveImported: EventType("archive.imported", 1)})


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a record that are not for the log. `names` are those of the seats and then of substitutes, each with its seat.

    `comments` have their place among the items of the record.
    """

    names: tuple[tuple[Seat, str], ...]
    event: str = ""
    site: str = ""
    round: str = ""
    time: str = ""
    reason: str = ""
    comments: tuple[tuple[int, str], ...] = ()
    others: dict[str, str] = {}


def apart(record: Record) -> tuple[ArchiveImported, Words]:
    """Split the record of a game that is over into the event for the log and the words. Raise ValueError for a game that goes on."""
    if record.result is None:
        raise ValueError("a game that goes on is for no archive")
    course = record.course
    event = ArchiveImported(
        game=record.game,
        revision=record.revision,
        options=record.options,
        course=tuple(_kept(item) for item in course if not isinstance(item, Comment)),
        # a reason is in somebody's words
        result=replace(record.result, reason=""),
        began=_known(record.date),
        ended=_known(record.ended),
        head=record.digest,
    )
    first = ((Seat(number), name) for number, name in enumerate(record.players, start=1))
    words = Words(
        names=(*first, *((item.seat, item.name) for item in course if isinstance(item, Seated))),
        event=record.event,
        site=record.site,
        round=record.round,
        time=record.time,
        reason=record.result.reason,
        comments=tuple((place, item.text) for place, item in enumerate(course) if isinstance(item, Comment)),
        others=record.others,
    )
    return event, words


def together(event: ArchiveImported, words: Words) -> Record:
    """Return the record made of both parts; the inverse of `apart`."""
    changes = sum(isinstance(item, Changed) for item in event.course)
    # the names of the seats come first, and then one for each change in the course
    names = iter([name for _, name in words.names])
    players = tuple(next(names) for _ in range(len(words.names) - changes))
    course = list(_items(event.course, names))
    for place, text in words.comments:
        # places count all items, comments too, and come in ascending order
        course.insert(place, Comment(text=text))
    return Record(
        game=event.game,
        revision=event.revision,
        options=event.options,
        players=players,
        course=tuple(course),
        result=replace(event.result, reason=words.reason),
        event=words.event,
        site=words.site,
        date=event.began or UNKNOWN_DATE,
        ended=event.ended or UNKNOWN_DATE,
        round=words.round,
        time=words.time,
        digest=event.head,
        others=words.others,
    )


def without_words(seats: int, event: ArchiveImported) -> Words:
    """Return the words of a game whose words are all erased."""
    changed = (item.seat for item in event.course if isinstance(item, Changed))
    # an erased name is empty, and the number of names says how many seats there are
    return Words(names=tuple((seat, "") for seat in (*map(Seat, range(1, seats + 1)), *changed)))


def _known(day: str) -> str | None:
    return None if day == UNKNOWN_DATE else day


def _kept(item: Item) -> Kept:
    assert not isinstance(item, Comment)  # noqa: S101  # the caller has left them out
    return Changed(seat=item.seat) if isinstance(item, Seated) else item


def _items(course: Sequence[Kept], names: Iterator[str]) -> Iterator[Item]:
    for item in course:
        yield Seated(seat=item.seat, name=next(names, "")) if isinstance(item, Changed) else item
