"""A game that the naive clock follows from event to event: whatever the service says of its time is compared with what that clock says.

Of an event, only what happened is believed: who has the turn, when a mail arrived, between which instants clocks stood still.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tests.year.naive_clock import Holds, NaiveClock
from turnserver.ids import GameId, PlayerId, Recorded
from turnserver.play import events as e

SETTLE = timedelta(seconds=30)
"""The time that mail may take from its arrival to the inbox: no flag falls earlier than that after a deadline."""
TOGETHER = timedelta(hours=1)
"""A reminder may be this early, to share a mail with another one."""
DAY = timedelta(days=1)
PATIENCE = 3
"""The number of turns in a row that may be skipped or played by the house."""
NEVER_SKIPPED = frozenset({"nim", "dice", "pairs", "lots"})
"""The games whose rules know of no skipped turns."""


class Difference(AssertionError):
    """The two clocks do not agree, or a rule is broken."""


class Pending(NamedTuple):
    """The pending turn of a game, and its player."""

    turn: int
    edition: int
    seat: int
    player: PlayerId


class Entry(NamedTuple):
    """Something on the board that stands: a turn that was `played`, by the `house` or not at all (`skipped`), or a seat that has `left`.

    `left` is what was left of the turn's time when it `arrived`, `lent` what was left of its grace, and `open` until when nobody else
    knew of the turn.
    """

    what: str
    seat: int
    turn: int
    left: timedelta | None = None
    arrived: datetime | None = None
    open: datetime | None = None
    lent: timedelta = timedelta(0)


class Followed:
    """A game as the naive clock knows it. `tell` raises Difference."""

    def __init__(self, game: GameId, opened: e.GameOpened) -> None:
        self.game = game
        self.kind = opened.game
        self.chance = opened.commitment is not None
        self.players = list(opened.players)
        self.terms: e.Terms = opened.terms
        self.zones: dict[int, str] = {}
        self.clock: NaiveClock | None = None
        self.pending: Pending | None = None
        self.reminded: set[str] = set()
        self.announced: set[int] = set()
        self.before: dict[int, dict[int, Holds]] = {}
        self.spanned: set[str] = set()
        self.line: list[Entry] = []
        self.edition = 0
        self.graces: set[int] = set()
        self.seated: dict[int, int] = {}
        self.asked: set[datetime] = set()
        self.vacant = False
        self.flagged: e.TurnTimedOut | None = None
        self.result: e.GameEnded | None = None

    @property
    def deadline(self) -> datetime | None:
        return self.clock.deadline() if self.clock and self.pending else None

    @property
    def since(self) -> datetime | None:
        """Return when the pending turn begins: its player hears of it then."""
        return self.clock.turn.since if self.clock and self.clock.turn else None

    @property
    def due(self) -> datetime | None:
        """Return when the service has to look at this game next."""
        return min((at for at in (self.deadline, *self._reminders().values()) if at), default=None)

    @property
    def staying(self) -> list[int]:
        """The seats at which somebody sits who plays."""
        gone = {entry.seat for entry in self.line if entry.what == "left"}
        return [seat for seat in range(1, len(self.players) + 1) if seat not in gone]

    @property
    def last(self) -> Entry | None:
        return self.line[-1] if self.line else None

    def had_left(self, entry: Entry, at: datetime) -> timedelta | None:
        """Return what the time of a turn would have left at an instant, if it had not been played; None without a limit."""
        assert entry.arrived is not None
        return None if entry.left is None else max(entry.left + entry.lent - self._clock().ran(entry.seat, entry.arrived, at), timedelta(0))

    def ask_back(self, arrived: datetime) -> None:
        """Somebody has written then that they want to correct their turn."""
        self.asked.add(arrived)

    def seat_of(self, player: PlayerId) -> int:
        return self.players.index(player) + 1

    def tell(self, row: Recorded[e.GameEvent]) -> None:
        """Something has happened."""
        before = self.deadline if self.pending else None
        same, event = self.pending, row.event
        self._tell(row)
        if self.pending is not None and same == self.pending and not isinstance(event, e.ClockThawed):
            after = self.deadline
            if after is not None and before is not None and after < before:
                self._same("an earlier deadline", row, after, before)

    def _tell(self, row: Recorded[e.GameEvent]) -> None:  # noqa: C901, PLR0912  # one branch an event
        event = row.event
        match event:
            case e.InvitationAccepted():
                self.zones[self.seat_of(event.player)] = event.zone
            case e.GameStarted():
                self.clock = NaiveClock(
                    self.terms.time, self.terms.holidays, [self.zones[seat] for seat in sorted(self.zones)], self.terms.clock
                )
                self._begin(row, event.to_move, event.clock, 1)
            case e.TurnPlayed():
                self._played(row, event)
            case e.TurnSkipped():
                self._skipped(row, event)
            case e.PlayerReminded():
                self._reminded(row, event)
            case e.TurnTimedOut():
                self._timed_out(row, event)
            case e.GraceGranted():
                self._grace(row, event)
            case e.SeatVacated():
                self._vacated(row, event)
            case e.SubstituteSeated():
                self._taken_over(row, event)
            case e.SeatLeft():
                self._left(row, event)
            case e.ClockCredited() | e.TimeGiven() | e.ClockFrozen() | e.ClockThawed():
                self._changed(event)
                self._compare(row, event.clock)
            case e.TurnsRetracted():
                self._retracted(row, event)
            case e.GameReopened():
                self._reopened(row, event)
            case e.EndRetracted():
                self._end_retracted(row, event)
            case e.GameEnded():
                self.pending, self.result = None, event
            case _:
                pass  # nothing that a clock would have to know

    def _changed(self, event: e.ClockCredited | e.TimeGiven | e.ClockFrozen | e.ClockThawed) -> None:
        match event:
            case e.ClockCredited() | e.TimeGiven():
                self._clock().credit(timedelta(seconds=event.seconds))
            case e.ClockFrozen():
                self._clock().stop(event.number, event.seat, event.begins, event.ends)
                if event.kind in {e.FreezeKind.VACATION, e.FreezeKind.PAUSE}:
                    self.announced.add(event.number)
            case e.ClockThawed():
                self._clock().go_on(event.number, event.ends)

    def overdue(self, until: datetime) -> Iterator[str]:
        """Yield what the service should have done by then, but has not."""
        deadline = self.deadline
        if deadline is not None and deadline <= until:
            yield f"game {self.game}: no flag fell, though the deadline was {deadline}"
            return
        for mark, at in self._reminders().items():
            if at <= until:
                yield f"game {self.game}: no reminder {mark}, though it was due at {at}"

    # events

    def _begin(  # noqa: PLR0917  # a turn, and what its clock is
        self,
        row: Recorded[e.GameEvent],
        seat: int | None,
        clock: e.TurnClock | None,
        turn: int,
        at: datetime | None = None,
        span: timedelta | None = None,
    ) -> None:
        """A seat has the turn from an instant on, or else from now on, with so much time, or else with what it holds."""
        self.pending, self.reminded, self.vacant = None, set(), False
        if seat is None:
            self._same("no clock without a turn", row, clock, None)
            return
        self.before[turn] = dict(self._clock().holds)
        if span is None:
            self._clock().begin(seat, at or row.at)
        else:
            self._clock().resume(seat, at or row.at, span)
        self.pending = Pending(turn, self.edition, seat, self.players[seat - 1])
        self._compare(row, clock)

    def _played(self, row: Recorded[e.GameEvent], event: e.TurnPlayed) -> None:
        deadline, told = self.deadline, row.at
        if event.by_house:
            self._time_is_up(row, "house", event.turn, event.seat)
            self._same("when the house plays", row, event.received_at, deadline)
        elif deadline is not None and event.received_at > deadline:
            self._same("in time", row, event.received_at, deadline)
        self._same("a seat that waits for somebody", row, self.vacant, False)
        lent = self._clock().lent(event.received_at)
        left = self._handed_over(row, event, event.received_at)
        self._same("left", row, (event.left, event.grace or timedelta(0)), (left, lent))
        if not (event.rolls or event.by_house or event.by_plan or event.to_move in {None, event.seat}):
            told += timedelta(minutes=self.terms.correction_minutes)
        open_until = told if told > row.at else None
        self.line.append(Entry("house" if event.by_house else "played", event.seat, event.turn, left, event.received_at, open_until, lent))
        self._begin(row, event.to_move, event.clock, event.turn + 1, told)

    def _skipped(self, row: Recorded[e.GameEvent], event: e.TurnSkipped) -> None:
        deadline = self._time_is_up(row, "skip", event.turn, event.seat)
        self._handed_over(row, event, deadline)
        self.line.append(Entry("skipped", event.seat, event.turn))
        self._begin(row, event.to_move, event.clock, event.turn + 1)

    def _handed_over(self, row: Recorded[e.GameEvent], event: e.TurnPlayed | e.TurnSkipped, arrived: datetime) -> timedelta | None:
        """Nobody has the turn any more, and its seat holds what it does after it. Gives what was left of its time."""
        self._same("whose turn", row, (event.turn, event.seat), self.pending and (self.pending.turn, self.pending.seat))
        self._note_change(arrived)
        left = self._clock().hand_over(arrived)
        if isinstance(event, e.TurnSkipped) or event.by_house:
            self._clock().missed(event.seat)
        self._same("bank", row, (event.bank.time, event.bank.periods), tuple(self._clock().holds[event.seat]))
        return left

    def _reminded(self, row: Recorded[e.GameEvent], event: e.PlayerReminded) -> None:
        due = self._reminders()
        self._same("whose reminder", row, (event.turn, event.seat), self.pending and (self.pending.turn, self.pending.seat))
        for mark in event.marks:
            if mark not in due or row.at < due[mark] - TOGETHER:
                self._same(f"reminder {mark}", row, row.at, due.get(mark))
        if not any(row.at >= due[mark] for mark in event.marks):
            self._same("a reminder that is due", row, row.at, due)
        self.reminded.update(event.marks)
        self._same("next reminder", row, event.remind_at, min(self._reminders().values(), default=None))

    def _timed_out(self, row: Recorded[e.GameEvent], event: e.TurnTimedOut) -> None:
        deadline = self._time_is_up(row, "loss", event.turn, event.seat)
        self._same("deadline of the flag", row, event.deadline, deadline)
        self._note_change(event.deadline)
        self.flagged = event

    def _grace(self, row: Recorded[e.GameEvent], event: e.GraceGranted) -> None:
        """Once a seat, when its time is up, also while a mail is read that came too late; nobody is reminded of it."""
        self._time_is_up(row, "grace", event.turn, event.seat, timedelta.resolution)
        self._same("hours of grace", row, event.hours, self.terms.grace_hours)
        self.graces.add(event.seat)
        self.reminded.update(self.terms.reminders)
        self._clock().grace(timedelta(hours=event.hours))
        self._compare(row, event.clock)

    def _vacated(self, row: Recorded[e.GameEvent], event: e.SeatVacated) -> None:
        """A week for somebody to take the seat over, of which nobody is reminded."""
        self._time_is_up(row, "substitute", event.turn, event.seat)
        self._clock().resume(event.seat, row.at, self._clock().week(event.seat, row.at))
        self.vacant = True
        self.reminded.update(self.terms.reminders)
        self._compare(row, event.clock)

    def _taken_over(self, row: Recorded[e.GameEvent], event: e.SubstituteSeated) -> None:
        """Let the player whose turn it is go on with the time they find, a day at least. They have had no grace yet, and missed no turn."""
        pending = self.pending
        assert pending is not None
        begins = max(row.at, self.since or row.at)
        left = self._clock().left(begins)
        self.players[event.seat - 1], self.zones[event.seat] = event.player, event.zone
        self._clock().settle(event.seat, event.zone)
        self.graces.discard(event.seat)
        self.seated[event.seat] = pending.turn
        if event.seat == pending.seat:
            has = None if left is None else DAY if self.vacant else max(left, DAY)
            self._clock().resume(event.seat, begins, has)
            self.pending, self.reminded, self.vacant = pending._replace(player=event.player), set(), False
        self._compare(row, event.clock)

    def _left(self, row: Recorded[e.GameEvent], event: e.SeatLeft) -> None:
        pending = self.pending
        assert pending is not None
        self.line.append(Entry("left", event.seat, pending.turn))
        if event.seat == pending.seat or event.to_move is None:
            self._begin(row, event.to_move, event.clock, pending.turn)
        else:
            self._compare(row, event.clock)

    def _retracted(self, row: Recorded[e.GameEvent], event: e.TurnsRetracted) -> None:
        """Back to a turn. An admin has it begin as it did; others give its player what was left of it, or a day.

        A player who corrects a turn has had the time since then for it, until the correction was written.
        """
        at = next(number for number, entry in enumerate(self.line) if entry.turn == event.first and entry.what != "left")
        undone, later = self.line[at], self.line[at + 1 :]
        left = undone.left
        self._same("whose turn is taken back", row, event.to_move, undone.seat)
        span = None
        if event.kind is e.RetractionKind.CORRECTION:
            self._same("what is corrected", row, (event.seat, undone.what, bool(undone.open), later), (undone.seat, "played", True, []))
            possible = {self.had_left(undone, at) for at in {*self.asked, row.at} if at < (undone.open or at)}
            span = event.clock.time if event.clock.time in possible else None
            self._same("what was left when it was corrected", row, event.clock.time, span)
        elif event.kind is e.RetractionKind.AGREEMENT:
            own = [entry for entry in later if entry.seat == event.seat and entry.what == "played"]
            self._same("what is taken back", row, (event.seat, undone.what, own), (undone.seat, "played", []))
            span = left if left is None else max(left, DAY)
        self.line = self.line[:at]
        self._clock().take_back(self.before[event.first])
        self.edition += 1
        self.seated = {seat: min(turn, event.first) for seat, turn in self.seated.items()}
        self.result = None
        self._begin(row, event.to_move, event.clock, event.first, None, span)
        if event.kind is e.RetractionKind.CORRECTION and span is not None:
            self._clock().lend(min(undone.lent, span))

    def _reopened(self, row: Recorded[e.GameEvent], event: e.GameReopened) -> None:
        """The turn that was late goes on."""
        late = self.flagged
        assert late is not None
        self._same("what is taken up again", row, (len(self.players), self.chance), (2, False))
        self._same("whose turn is taken up again", row, event.to_move, late.seat)
        self.edition += 1
        self.result = None
        self._begin(row, event.to_move, event.clock, late.turn, None, self._clock().once_more(late.seat, row.at))

    def _end_retracted(self, row: Recorded[e.GameEvent], event: e.EndRetracted) -> None:
        """The turn that was pending begins as it did; whoever left last is back if nobody but them could go on with it."""
        result = self.result
        assert result is not None
        self._same("an end of people", row, result.by in {"time", "resignation", "agreement", "adjudication"} and not self.chance, True)
        if self.line and self.line[-1].what == "left" and result.by in {"time", "resignation"}:
            self.line.pop()
        turn = 1 + sum(entry.what != "left" for entry in self.line)
        self.edition += 1
        self.result = None
        self._begin(row, event.to_move, event.clock, turn)

    # what becomes of a turn whose time is up

    def _time_is_up(self, row: Recorded[e.GameEvent], comes: str, turn: int, seat: int, settle: timedelta = SETTLE) -> datetime:
        """Check that this has to come, and not too early. Return the deadline."""
        deadline = self.deadline
        self._same("whose time is up", row, (turn, seat), self.pending and (self.pending.turn, self.pending.seat))
        if deadline is None or row.at < deadline + settle:
            self._same("the earliest instant", row, row.at, deadline)
            raise AssertionError
        self._same("what comes of it", row, comes, self._comes(seat))
        return deadline

    def _comes(self, seat: int) -> str:
        """Grace comes first, once for everybody; then what was agreed. A game of two does not go on without a turn."""
        agreed = str(self.terms.when_late)
        if self.terms.grace_hours and seat not in self.graces:
            return "grace"
        if agreed == "substitute":
            return "loss" if self.vacant else agreed
        if len(self.players) == 2 or self._missed(seat) >= PATIENCE or (agreed == "skip" and self.kind in NEVER_SKIPPED):
            return "loss"
        return agreed

    def _missed(self, seat: int) -> int:
        """Return the number of turns in a row that the player at the seat has let pass."""
        missed = 0
        for entry in self.line:
            if entry.seat == seat and entry.turn >= self.seated.get(seat, 1):
                missed = 0 if entry.what == "played" else missed + 1
        return missed

    # comparisons

    def _clock(self) -> NaiveClock:
        assert self.clock is not None, f"game {self.game} has not begun"
        return self.clock

    def _reminders(self) -> dict[str, datetime]:
        """Return when each reminder that has not been sent is due."""
        if self.pending is None or self.clock is None:
            return {}
        times = {mark: self.clock.reminder(mark) for mark in self.terms.reminders if mark not in self.reminded}
        if self.terms.clock > 1 and not self.vacant:
            ends = [at for number in self.announced if (at := self.clock.again(number)) is not None]
            times |= {mark: at for at in ends if (mark := f"again {at:%Y-%m-%dT%H:%M:%S.%fZ}") not in self.reminded}
        return {mark: at for mark, at in times.items() if at is not None}

    def _compare(self, row: Recorded[e.GameEvent], clock: e.TurnClock | None) -> None:
        naive = self._clock()
        if naive.turn is None or self.pending is None:
            self._same("no clock without a turn", row, clock, None)
            return
        remind_at = min(self._reminders().values(), default=None)
        ours = (naive.turn.since, naive.turn.time, self.deadline, remind_at)
        self._same("clock", row, clock and (clock.since, clock.time, clock.deadline, clock.remind_at), ours)

    def _same(self, what: str, row: Recorded[e.GameEvent], service: object, naive: object) -> None:
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
