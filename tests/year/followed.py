"""A game that the naive clock follows from event to event: whatever the service says of its time is compared with what that clock says.

Of an event, only what happened is believed: who has the turn, when a mail arrived, between which instants clocks stood still.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tests.year.naive_clock import Holds, NaiveClock
from turnserver.envelope import GameId, Recorded
from turnserver.play.events import (
    ClockCredited,
    ClockFrozen,
    ClockThawed,
    GameEnded,
    GameEvent,
    GameOpened,
    GameStarted,
    GraceGranted,
    InvitationAccepted,
    PlayerReminded,
    SeatLeft,
    Terms,
    TurnClock,
    TurnPlayed,
    TurnsRetracted,
    TurnTimedOut,
)

SETTLE = timedelta(seconds=30)
"""How long mail may take from its arrival to the inbox: no flag falls earlier than that after a deadline."""
TOGETHER = timedelta(hours=1)
"""A reminder may be this early, to share a mail with another one."""


class Difference(AssertionError):
    """The two clocks do not agree, or a rule is broken."""


class Pending(NamedTuple):
    """Which turn of a game is pending."""

    turn: int
    edition: int
    seat: int


class Followed:
    """What the naive clock knows of a game. `tell` raises Difference."""

    def __init__(self, game: GameId, opened: GameOpened) -> None:
        self.game = game
        self.players = opened.players
        self.terms: Terms = opened.terms
        self.zones: dict[int, str] = {}
        self.clock: NaiveClock | None = None
        self.pending: Pending | None = None
        self.reminded: set[str] = set()
        self.before: dict[int, dict[int, Holds]] = {}
        self.spanned: set[str] = set()
        self.turns = 0
        self.edition = 0
        self.graces: set[int] = set()

    @property
    def deadline(self) -> datetime | None:
        return self.clock.deadline() if self.clock and self.pending else None

    @property
    def due(self) -> datetime | None:
        """When the service has to look at this game next."""
        return min((at for at in (self.deadline, *self._reminders().values()) if at), default=None)

    def tell(self, row: Recorded[GameEvent]) -> None:
        """Something has happened."""
        before = self.deadline if self.pending else None
        same, event = self.pending, row.event
        self._tell(row)
        if self.pending is not None and same == self.pending and not isinstance(event, ClockThawed):
            after = self.deadline
            if after is not None and before is not None and after < before:
                self._same("an earlier deadline", row, after, before)

    def _tell(self, row: Recorded[GameEvent]) -> None:  # noqa: C901  # one branch an event
        event = row.event
        match event:
            case InvitationAccepted():
                self.zones[self.players.index(event.player) + 1] = event.zone
            case GameStarted():
                self.clock = NaiveClock(self.terms.time, self.terms.holidays, [self.zones[seat] for seat in sorted(self.zones)])
                self._begin(row, event.to_move, event.clock, 1)
            case TurnPlayed():
                self._played(row, event)
            case PlayerReminded():
                self._reminded(row, event)
            case TurnTimedOut():
                self._timed_out(row, event)
            case GraceGranted():
                self._grace(row, event)
            case SeatLeft():
                self._left(row, event)
            case ClockCredited() | ClockFrozen() | ClockThawed():
                self._changed(event)
                self._compare(row, event.clock)
            case TurnsRetracted():
                self._clock().take_back(self.before[event.first])
                self.edition += 1
                self._begin(row, event.to_move, event.clock, event.first)
            case GameEnded():
                self.pending = None
            case _:
                pass  # nothing that a clock would have to know

    def _changed(self, event: ClockCredited | ClockFrozen | ClockThawed) -> None:
        match event:
            case ClockCredited():
                self._clock().credit(timedelta(seconds=event.seconds))
            case ClockFrozen():
                self._clock().stop(event.number, event.seat, event.begins, event.ends)
            case ClockThawed():
                self._clock().go_on(event.number, event.ends)

    def overdue(self, until: datetime) -> Iterator[str]:
        """What the service should have done by then, but has not."""
        deadline = self.deadline
        if deadline is not None and deadline <= until:
            yield f"game {self.game}: no flag fell, though the deadline was {deadline}"
            return
        for mark, at in self._reminders().items():
            if at <= until:
                yield f"game {self.game}: no reminder {mark}, though it was due at {at}"

    # events

    def _begin(self, row: Recorded[GameEvent], seat: int | None, clock: TurnClock | None, turn: int) -> None:
        self.pending, self.reminded = None, set()
        if seat is None:
            self._same("no clock without a turn", row, clock, None)
            return
        self.before[turn] = dict(self._clock().holds)
        self._clock().begin(seat, row.at)
        self.pending = Pending(turn, self.edition, seat)
        self._compare(row, clock)

    def _played(self, row: Recorded[GameEvent], event: TurnPlayed) -> None:
        pending, deadline = self.pending, self.deadline
        assert pending is not None
        self._same("whose turn", row, (event.turn, event.seat), (pending.turn, pending.seat))
        if deadline is not None and event.received_at > deadline:
            self._same("in time", row, event.received_at, deadline)
        self._note_change(event.received_at)
        self._same("left", row, event.left, self._clock().hand_over(event.received_at))
        self._same("bank", row, (event.bank.time, event.bank.periods), tuple(self._clock().holds[event.seat]))
        self.turns += 1
        self._begin(row, event.to_move, event.clock, event.turn + 1)

    def _reminded(self, row: Recorded[GameEvent], event: PlayerReminded) -> None:
        due = self._reminders()
        self._same("whose reminder", row, (event.turn, event.seat), self.pending and (self.pending.turn, self.pending.seat))
        for mark in event.marks:
            if mark not in due or row.at < due[mark] - TOGETHER:
                self._same(f"reminder {mark}", row, row.at, due.get(mark))
        if not any(row.at >= due[mark] for mark in event.marks):
            self._same("a reminder that is due", row, row.at, due)
        self.reminded.update(event.marks)
        self._same("next reminder", row, event.remind_at, min(self._reminders().values(), default=None))

    def _timed_out(self, row: Recorded[GameEvent], event: TurnTimedOut) -> None:
        deadline = self.deadline
        self._same("whose flag", row, (event.turn, event.seat), self.pending and (self.pending.turn, self.pending.seat))
        self._same("deadline of the flag", row, event.deadline, deadline)
        if deadline is None or row.at < deadline + SETTLE:
            self._same("the earliest flag", row, row.at, deadline)
        if self.terms.grace_hours and event.seat not in self.graces:
            self._same("grace before the flag", row, None, self.terms.grace_hours)
        self._note_change(event.deadline)

    def _grace(self, row: Recorded[GameEvent], event: GraceGranted) -> None:
        """Once a seat, when its time is up; nobody is reminded of it."""
        pending, deadline = self.pending, self.deadline
        self._same("whose grace", row, (event.turn, event.seat), pending and (pending.turn, pending.seat))
        self._same("hours of grace", row, event.hours, self.terms.grace_hours)
        if event.seat in self.graces or deadline is None or row.at <= deadline:
            self._same("grace", row, row.at, (deadline, self.graces))
        self.graces.add(event.seat)
        self.reminded.update(self.terms.reminders)
        self._clock().grace(timedelta(hours=event.hours))
        self._compare(row, event.clock)

    def _left(self, row: Recorded[GameEvent], event: SeatLeft) -> None:
        pending = self.pending
        assert pending is not None
        if event.seat == pending.seat or event.to_move is None:
            self._begin(row, event.to_move, event.clock, pending.turn)
        else:
            self._compare(row, event.clock)

    # comparisons

    def _clock(self) -> NaiveClock:
        assert self.clock is not None, f"game {self.game} has not begun"
        return self.clock

    def _reminders(self) -> dict[str, datetime]:
        """When each reminder that has not been sent is due."""
        if self.pending is None or self.clock is None:
            return {}
        times = {mark: self.clock.reminder(mark) for mark in self.terms.reminders if mark not in self.reminded}
        return {mark: at for mark, at in times.items() if at is not None}

    def _compare(self, row: Recorded[GameEvent], clock: TurnClock | None) -> None:
        naive = self._clock()
        if naive.turn is None or self.pending is None:
            self._same("no clock without a turn", row, clock, None)
            return
        remind_at = min(self._reminders().values(), default=None)
        ours = (naive.turn.since, naive.turn.time, self.deadline, remind_at)
        self._same("clock", row, clock and (clock.since, clock.time, clock.deadline, clock.remind_at), ours)

    def _same(self, what: str, row: Recorded[GameEvent], service: object, naive: object) -> None:
        if service != naive:
            told = f"game {self.game} ({self.terms.time}; {self.zones}), version {row.version} at {row.at}, {what}"
            raise Difference(f"{told}: the service says {service}, the naive clock {naive}; {row.event}; {self.clock and self.clock.stops}")

    def _note_change(self, until: datetime) -> None:
        """Note in which zone the clocks on the wall were changed during the turn that is over."""
        turn = self._clock().turn
        if turn is not None:
            zone = self.zones[turn.seat]
            since, till = (at.astimezone(ZoneInfo(zone)).utcoffset() for at in (turn.since, max(until, turn.since)))
            if since != till:
                self.spanned.add(zone)
