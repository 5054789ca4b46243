"""Make the record of a game that was played here, from its history."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from typing import assert_never

from turnserver.ids import PlayerId
from turnserver.play import events as e
from turnserver.play.line import Entry
from turnserver.play.state import GameState, Takeover
from turnserver.records.record import (
    UNKNOWN_DATE,
    Agreed,
    By,
    Comment,
    Item,
    Record,
    Resigned,
    Rolled,
    Seated,
    Skipped,
    TimedOut,
    Turn,
    result_of,
)
from turnserver.rules import Leaving, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Facts that a game's history does not hold: its players' names, its occasion, its beginning and end, and its last digest."""

    names: Mapping[PlayerId, str]
    event: str = ""
    site: str = ""
    round: str = ""
    began: datetime | None = None
    ended: datetime | None = None
    digest: str | None = None
    # words about turns, by turn
    comments: Sequence[tuple[int, str]] = ()


def record_of(state: GameState, history: Sequence[e.GameEvent], about: Circumstances) -> Record:
    """Return the record of a game, whose `history` has led to `state`. It holds the current turns, and none that was taken back."""
    return Record(
        game=state.game.entry.key,
        revision=next(event.revision for event in history if isinstance(event, e.GameOpened)),
        options=asdict(state.game.options),
        # before the first turn: those who came later are in the course
        players=tuple(about.names.get(state.player_of(seat, 0), "") for seat in state.seats),
        course=tuple(_commented(_course(state, history, about.names), about.comments)),
        result=result_of(state),
        event=about.event,
        site=about.site,
        date=_day(about.began),
        ended=_day(about.ended),
        round=about.round,
        time=state.terms.time,
        digest=about.digest,
    )


def _day(instant: datetime | None) -> str:
    return f"{instant:%Y.%m.%d}" if instant else UNKNOWN_DATE


def _commented(course: Iterator[Item], comments: Sequence[tuple[int, str]]) -> Iterator[Item]:
    """Yield the items with each comment right behind its turn and what was rolled then, or at the end."""
    coming, turn = deque(comments), 0
    for item in course:
        if not isinstance(item, Rolled):
            while coming and coming[0][0] <= turn:
                yield Comment(text=" ".join(coming.popleft()[1].split()))
        turn = item.turn if isinstance(item, Turn | Skipped) else turn
        yield item
    yield from (Comment(text=" ".join(text.split())) for _, text in coming)


def _course(state: GameState, history: Sequence[e.GameEvent], names: Mapping[PlayerId, str]) -> Iterator[Item]:
    # The last leaving of a seat is the one that stands, if any does.
    went = {left.seat: isinstance(before, e.TurnTimedOut) for before, left in pairwise(history) if isinstance(left, e.SeatLeft)}
    late = {seat for seat, by_time in went.items() if by_time}
    coming = deque(state.takeovers)
    for entry in state.line.entries:
        # a new player is named right before the first turn that could be theirs
        while coming and isinstance(entry, e.TurnPlayed | e.TurnSkipped) and coming[0].turn <= entry.turn:
            yield _arrival(coming.popleft(), names)
        yield from _items(entry, late)
    # a player who came after the last turn played none of them, but sits there
    yield from (_arrival(each, names) for each in coming)
    yield from _ending(state, history)


def _arrival(takeover: Takeover, names: Mapping[PlayerId, str]) -> Seated:
    return Seated(seat=takeover.seat, name=names.get(takeover.player, ""))


def _items(entry: Entry, late: Collection[Seat]) -> Iterator[Item]:
    match entry:
        case e.TurnPlayed():
            by = By.HOUSE if entry.by_house else By.PLAN if entry.by_plan else By.SEAT
            yield Turn(turn=entry.turn, seat=entry.seat, steps=entry.steps, by=by)
        case e.TurnSkipped():
            yield Skipped(turn=entry.turn, seat=entry.seat)
        case e.SeatLeft():
            yield TimedOut(seat=entry.seat) if entry.seat in late else Resigned(seat=entry.seat)
        case e.GameStarted():
            pass
        case _:
            assert_never(entry)
    yield from (Rolled(outcome=roll.outcome) for roll in entry.rolls)


def _ending(state: GameState, history: Sequence[e.GameEvent]) -> Iterator[Item]:
    """Yield the end of a game of two, or the draw that was agreed on. At a larger table, a player's leaving is an entry of the line."""
    by = state.result.by if state.result else None
    if by is e.EndedBy.AGREEMENT:
        yield Agreed()
    if isinstance(state.game.rules, Leaving) or by not in {e.EndedBy.RESIGNATION, e.EndedBy.TIME}:
        return
    last = next(event for event in reversed(history) if isinstance(event, e.SeatResigned | e.TurnTimedOut))
    yield Resigned(seat=last.seat) if isinstance(last, e.SeatResigned) else TimedOut(seat=last.seat)
