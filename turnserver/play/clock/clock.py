"""The clocks of a game: when a turn must have arrived, when to remind of it, and what a move leaves on the clock of its seat.

A turn begins with some time, and its deadline is when that much has passed while the clock ran (see `play.clock.live_time`). So a freeze,
in whatever order freezes become known, moves the deadline by what of it the clock would have run: the deadline is worked out anew from the
beginning of the turn. What a deadline was announced as stands in the events, and is never worked out again.

The terms of a game say by which reading they hold (`Terms.clock`), as `turnserver.rules` has revisions of the rules. The second one differs
in this: a turn that is due at an hour of the day is due at that hour, also where it is night; a reminder within the last day comes so many
hours before the deadline on the wall; whose clock runs again after a vacation or a pause is reminded of the turn then; and whoever has
missed a turn and has one bank for the whole game gets a day for the next turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as replaced
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, assert_never

from msgspec.structs import replace

from turnserver.ids import Recorded
from turnserver.play import events as e
from turnserver.play.clock import controls
from turnserver.play.clock.controls import Bank, FixedHour, TimeControl, Total
from turnserver.play.clock.live_time import Calendar, LiveTime, Off
from turnserver.play.line import Line
from turnserver.play.state import Freeze, GameState
from turnserver.rules import Seat


def waiting_since(history: Iterable[Recorded[e.GameEvent]]) -> Recorded[e.GameEvent] | None:
    """The event that made the last turn of a history pending for whoever has it; None before the game has started.

    Somebody who leaves makes one only if it was that seat's turn, and so does somebody who takes a seat over.
    """
    since: Recorded[e.GameEvent] | None = None
    mover: Seat | None = None
    for recorded in history:
        match recorded.event:
            case (
                e.GameStarted(to_move=to_move)
                | e.TurnPlayed(to_move=to_move)
                | e.TurnSkipped(to_move=to_move)
                | e.TurnsRetracted(to_move=to_move)
                | e.GameReopened(to_move=to_move)
            ):
                since, mover = recorded, to_move
            case e.SeatLeft(seat=seat, to_move=to_move) if seat == mover:
                since, mover = recorded, to_move
            case e.SubstituteSeated(seat=seat) if seat == mover:
                since = recorded
            case (
                e.GameOpened()
                | e.InvitationAccepted()
                | e.InvitationDeclined()
                | e.PlanLaid()
                | e.PlanDropped()
                | e.DrawOffered()
                | e.DrawAccepted()
                | e.DrawDeclined()
                | e.ProposalMade()
                | e.ProposalAgreed()
                | e.ProposalDeclined()
                | e.SeatResigned()
                | e.SeatLeft()
                | e.PlayerReminded()
                | e.PlayerNudged()
                | e.GraceGranted()
                | e.SeatVacated()
                | e.SubstituteInvited()
                | e.SubstituteDeclined()
                | e.SubstituteWithdrawn()
                | e.SubstituteSeated()
                | e.TurnTimedOut()
                | e.ClockCredited()
                | e.ClockFrozen()
                | e.ClockThawed()
                | e.GameEnded()
                | e.SecretRevealed()
                | e.ResultAnnulled()
            ):
                pass
            case _:
                assert_never(recorded.event)
    return since


TOGETHER: Final = timedelta(hours=1)
"""Reminders that are due within so much time are one mail."""

NEWEST: Final = 2
"""The reading of terms that new games are opened with."""

AGAIN: Final = "again"
"""The mark of the reminder that a clock runs again, before the instant from which it does; alone, that none of them is to come."""

A_DAY: Final = timedelta(days=1)

parsed = lru_cache(maxsize=1_000)(controls.parse)
"""The time control that a text of the log means."""


def control(state: GameState) -> TimeControl:
    """The game's time control."""
    return parsed(state.terms.time)


def calendar(terms: e.Terms, zone: str) -> Calendar:
    """When the clock of somebody who lives in a zone regularly stands still."""
    agreed = parsed(terms.time)
    return Calendar(zone, agreed.weekends, agreed.night, frozenset(terms.holidays))


def running_calendar(terms: e.Terms, zone: str) -> Calendar:
    """Return when the clock of a turn stands still, for somebody who lives in a zone: an hour that was named is due at night too."""
    regular = calendar(terms, zone)
    named = terms.clock > 1 and isinstance(parsed(terms.time).control, FixedHour)
    return replaced(regular, night=None) if named else regular


def live_time(state: GameState, seat: Seat) -> LiveTime:
    """When the clock of a seat runs."""
    freezes = tuple(Off(freeze.kind, freeze.begins, freeze.ends) for freeze in state.freezes if freeze.seat in (None, seat))
    return LiveTime(running_calendar(state.terms, state.zones[seat - 1]), freezes)


def allowance(state: GameState, seat: Seat, since: datetime) -> timedelta | None:
    """Return what a turn of `seat` may take that begins at an instant; None without a limit."""
    zone = state.zones[seat - 1]
    regular, runs = calendar(state.terms, zone), running_calendar(state.terms, zone)
    return controls.allowance(control(state).control, state.banks[seat - 1], since, LiveTime(regular), LiveTime(runs))


def on_vacation(state: GameState, seat: Seat, at: datetime) -> Freeze | None:
    """The vacation that stops the clock of a seat at an instant, if there is one."""
    own = (freeze for freeze in state.freezes if freeze.kind is e.FreezeKind.VACATION and freeze.seat == seat)
    return next((freeze for freeze in own if freeze.begins <= at and (freeze.ends is None or at < freeze.ends)), None)


def turn_clock(state: GameState, seat: Seat, since: datetime) -> e.TurnClock:
    """The clock of a turn of `seat` that begins at an instant. Raises ValueError if that isn't UTC."""
    if since.utcoffset() != timedelta(0):
        raise ValueError(f"an instant must be in UTC: {since!r}")
    return running(live_time(state, seat), state.terms, since, allowance(state, seat, since))


def running(live: LiveTime, terms: e.Terms, since: datetime, time: timedelta | None, done: frozenset[str] = frozenset()) -> e.TurnClock:
    """The clock of a turn that begins at an instant and has some time, the reminders `done` having been sent."""
    if time is None:
        return e.TurnClock(since=since)
    deadline = live.advance(since, time)
    due = (at for mark, at in _reminders(live, terms, since, time, deadline) if not _done(mark, done))
    return e.TurnClock(since=since, time=time, deadline=deadline, remind_at=min(due, default=None))


def anew(state: GameState, freezes: tuple[Freeze, ...] | None = None, more: timedelta = timedelta(0)) -> e.TurnClock | None:
    """The clock of the pending turn by other freezes than those of `state`, and with more time; None if no turn is pending."""
    clock = state.clock
    if clock is None or state.to_move is None:
        return None
    time = None if clock.time is None else clock.time + more
    there = state if freezes is None else replace(state, freezes=freezes)
    return running(live_time(there, state.to_move), state.terms, clock.since, time, state.reminded)


def due_marks(state: GameState, now: datetime) -> tuple[str, ...]:
    """The reminders of the pending turn that are due, and those that would be before long."""
    return tuple(mark for mark, at in _to_come(state) if at <= now + TOGETHER)


def reminders_to_come(state: GameState) -> tuple[datetime, ...]:
    """Return when the reminders of the pending turn are due that the terms name and that have not gone out."""
    return tuple(at for mark, at in _to_come(state) if not mark.startswith(AGAIN))


def _to_come(state: GameState) -> Iterator[tuple[str, datetime]]:
    clock = state.clock
    if clock is None or clock.time is None or state.to_move is None:
        return iter(())
    times = _reminders(live_time(state, state.to_move), state.terms, clock.since, clock.time, clock.deadline)
    return ((mark, at) for mark, at in times if not _done(mark, state.reminded))


def left(state: GameState, at: datetime) -> timedelta | None:
    """What the pending turn has left at an instant; None without a limit, nothing if none is pending.

    Grace is for the turn and not to be saved up, but where one bank has to last for the game: there nothing would be left of it.
    """
    clock = state.clock
    if clock is None or state.to_move is None:
        return timedelta(0)
    if clock.time is None:
        return None
    return max(timedelta(0), clock.time - lent(state) - live_time(state, state.to_move).between(clock.since, at))


def lent(state: GameState) -> timedelta:
    """What of the pending turn's time is not to be saved up."""
    return timedelta(0) if isinstance(control(state).control, Total) else state.grace


def grace_left(state: GameState, at: datetime) -> timedelta | None:
    """What is left at an instant of time that was lent for the pending turn, beside what is `left`; None for nothing."""
    clock = state.clock
    if clock is None or clock.time is None or state.to_move is None or not lent(state):
        return None
    rest = clock.time - live_time(state, state.to_move).between(clock.since, at)
    return min(lent(state), rest) if rest > timedelta(0) else None


def first_bank(terms: e.Terms) -> Bank:
    """What every clock holds when the game begins."""
    return controls.first(parsed(terms.time).control)


def banks_after(state: GameState, line: Line) -> tuple[Bank, ...]:
    """What the clocks of the game hold after the turns of a line."""
    after = {turn.seat: turn.bank for turn in line.numbered}
    return tuple(after.get(seat, first_bank(state.terms)) for seat in state.seats)


def bank_after(state: GameState, seat: Seat, remaining: timedelta | None) -> Bank:
    """What the clock of `seat` holds after a turn that had so much left."""
    return controls.after(control(state).control, state.banks[seat - 1], remaining)


def bank_after_missing(state: GameState, seat: Seat) -> Bank:
    """Return what the clock of `seat` holds after a turn that it let pass: a day where there would be nothing for any later turn."""
    bank = bank_after(state, seat, timedelta(0))
    lasts = state.terms.clock > 1 and isinstance(control(state).control, Total)
    return Bank(A_DAY) if lasts and not bank.time else bank


def frozen(state: GameState, seat: Seat, began: datetime, ended: datetime) -> timedelta:
    """How much of the time between two instants the freezes took from the clock of `seat`, each moment once; its calendar apart."""
    return max(timedelta(0), ended - began) - LiveTime(Calendar(), live_time(state, seat).freezes).between(began, ended)


def _reminders(
    live: LiveTime, terms: e.Terms, since: datetime, time: timedelta, deadline: datetime | None
) -> Iterator[tuple[str, datetime]]:
    """Yield the marks of the reminders that a turn calls for, each with the instant at which it is due, within the turn."""
    for mark in terms.reminders:
        at = _reminder(live, terms, mark, since, time, deadline)
        if at is not None and (deadline is None or at < deadline):
            yield mark, at
    if terms.clock > 1:
        for ends in runs_again(live.freezes):
            if since < ends and (deadline is None or ends < deadline):
                yield again(ends), ends


def runs_again(freezes: Sequence[Off]) -> Iterator[datetime]:
    """Yield the instants at which a clock runs again after a vacation or a pause, and no other freeze stops it."""
    for stop in freezes:
        ends = stop.ends
        if stop.why not in (e.FreezeKind.VACATION, e.FreezeKind.PAUSE) or ends is None or ends <= stop.begins:
            continue
        if not any(other.begins <= ends and (other.ends is None or ends < other.ends) for other in freezes):
            yield ends


def _done(mark: str, done: frozenset[str]) -> bool:
    return mark in done or (AGAIN in done and mark.startswith(AGAIN))


def again(ends: datetime) -> str:
    """Return the mark of the reminder that a clock runs again from an instant on."""
    return f"{AGAIN} {ends:%Y-%m-%dT%H:%M:%S.%fZ}"


def _reminder(  # noqa: PLR0917  # a mark and a turn
    live: LiveTime, terms: e.Terms, mark: str, since: datetime, time: timedelta, deadline: datetime | None
) -> datetime | None:
    """Return when a reminder is due that the terms name: at a part of the turn's time, or before its end."""
    if mark.endswith("%"):
        after = time * int(mark[:-1]) / 100
    else:
        before = timedelta(hours=int(mark[:-1]))
        if terms.clock > 1 and before <= A_DAY:
            return None if deadline is None else _on_the_wall_before(live, since, deadline, before)
        after = time - before
    return live.advance(since, after) if after > timedelta(0) else None


def _on_the_wall_before(live: LiveTime, since: datetime, deadline: datetime, before: timedelta) -> datetime | None:
    """Return the instant so long before a deadline, not counting freezes, in which nobody has to be reminded of anything.

    None if a turn that began at `since` never had more than that.
    """
    stands = LiveTime(freezes=live.freezes)
    if stands.between(since, deadline) <= before:
        return None
    at = deadline - before
    while (more := before - stands.between(at, deadline)) > timedelta(0):
        at -= more
    return at
