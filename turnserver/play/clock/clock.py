"""The clocks of a game: deadlines, reminders, and the bank that a move leaves on the clock of its seat.

A turn begins with some time. Its deadline is the instant at which that much time has passed while the clock ran (see
`play.clock.live_time`). A freeze moves the deadline by the time in it that the clock would have run. The order in which freezes become
known does not matter: the deadline is worked out anew from the beginning of the turn. Announced deadlines stand in the events, and are
never worked out again.

The terms of a game name the reading by which they hold (`Terms.clock`), as `turnserver.rules` has revisions of the rules. The second
reading differs in four ways:

- A turn that is due at an hour of the day is due at that hour, also where it is night.
- A reminder within the last day comes so many hours before the deadline on the wall.
- A player whose clock runs again after a vacation or a pause is reminded of the turn then.
- A player who has missed a turn and has one bank for the whole game gets a day for the next turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as replaced
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, assert_never

from msgspec.structs import replace

from turnserver.ids import Recorded
from turnserver.play import events as e
from turnserver.play.clock import controls
from turnserver.play.clock.controls import Bank, TimeControl
from turnserver.play.clock.live_time import Calendar, LiveTime, Off
from turnserver.play.line import Line
from turnserver.play.state import Freeze, GameState
from turnserver.rules import Seat


def waiting_since(history: Iterable[Recorded[e.GameEvent]]) -> Recorded[e.GameEvent] | None:
    """Return the event that made the last pending turn of a history pending; None before the game has started.

    A seat that leaves or gets a substitute makes a turn pending only if the turn was that seat's.
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
                | e.EndRetracted(to_move=to_move)
            ):
                since, mover = recorded, to_move
            case e.SeatLeft(seat=seat, to_move=to_move) if seat == mover:
                since, mover = recorded, to_move
            # the turn stays that seat's and begins anew for the substitute
            case e.SubstituteSeated(seat=seat) if seat == mover:
                since = recorded
            case (
                e.GameOpened()
                | e.SeatResigned()
                | e.SeatLeft()
                | e.SubstituteSeated()
                | e.InvitationEvent()
                | e.PlanEvent()
                | e.ProposalEvent()
                | e.LateEvent()
                | e.SeatOfferEvent()
                | e.ClockEvent()
                | e.EndEvent()
            ):
                pass
            case _:
                assert_never(recorded.event)
    return since


TOGETHER: Final = timedelta(hours=1)
"""Reminders that are due within this time of each other are sent as one mail."""

NEWEST: Final = 2
"""The newest reading of terms. New games are opened with it."""

AGAIN: Final = "again"
"""The mark of the reminder that a clock runs again, followed by the instant.

Without an instant: none of these reminders is sent any more.
"""

A_DAY: Final = timedelta(days=1)

# every question about a clock begins with it, and most games share a handful of texts
parsed = lru_cache(maxsize=1_000)(controls.parse)
"""Parses the text of a time control from the log."""


def control(state: GameState) -> TimeControl:
    """Return the game's time control."""
    return parsed(state.terms.time)


def calendar(terms: e.Terms, zone: str) -> Calendar:
    """Return the regular off-time of a seat's clock, for a player in the given zone."""
    return _calendar(terms.time, terms.holidays, zone)


@lru_cache(maxsize=1_000)
def _calendar(time: str, holidays: tuple[date, ...], zone: str) -> Calendar:
    agreed = parsed(time)
    return Calendar(zone, agreed.weekends, agreed.night, frozenset(holidays))


def running_calendar(terms: e.Terms, zone: str) -> Calendar:
    """Return the off-time that counts for a running turn. A control with a fixed hour has no nights: the hour is due at night too."""
    regular = calendar(terms, zone)
    named = terms.clock > 1 and controls.is_due_at_an_hour(parsed(terms.time).control)
    return replaced(regular, night=None) if named else regular


def live_time(state: GameState, seat: Seat) -> LiveTime:
    """Return the live time of a seat's clock: its running calendar and the freezes that stop it."""
    freezes = tuple(Off(freeze.kind, freeze.begins, freeze.ends) for freeze in state.freezes if freeze.seat in (None, seat))
    return LiveTime(running_calendar(state.terms, state.zones[seat - 1]), freezes)


def allowance(state: GameState, seat: Seat, since: datetime) -> timedelta | None:
    """Return the live time that a turn of `seat` may take if it begins at `since`; None without a limit."""
    zone = state.zones[seat - 1]
    # freezes are left out: they move the deadline, and the time of a turn does not depend on when they become known
    regular, runs = calendar(state.terms, zone), running_calendar(state.terms, zone)
    return controls.allowance(control(state).control, state.banks[seat - 1], since, LiveTime(regular), LiveTime(runs))


def on_vacation(state: GameState, seat: Seat, at: datetime) -> Freeze | None:
    """Return the vacation that stops the clock of a seat at an instant, if any; of freezes that follow on one another, the last."""
    own = (freeze for freeze in state.freezes if freeze.kind is e.FreezeKind.VACATION and freeze.seat == seat)
    found = None
    # A vacation to which days came back has a freeze that follows on its first one.
    for freeze in sorted(own, key=lambda each: each.begins):
        if freeze.begins <= at and (freeze.ends is None or at < freeze.ends):
            found, at = freeze, freeze.ends or at
    return found


def turn_clock(state: GameState, seat: Seat, since: datetime) -> e.TurnClock:
    """Return the clock of a turn of `seat` that begins at an instant. Raises ValueError if that isn't UTC."""
    if since.utcoffset() != timedelta(0):
        raise ValueError(f"an instant must be in UTC: {since!r}")
    return running(live_time(state, seat), state.terms, since, allowance(state, seat, since))


def running(live: LiveTime, terms: e.Terms, since: datetime, time: timedelta | None, done: frozenset[str] = frozenset()) -> e.TurnClock:
    """Return the clock of a turn that begins at `since` with `time` on it; None means no limit. Reminders in `done` were sent already."""
    if time is None:
        return e.TurnClock(since=since)
    deadline = live.advance(since, time)
    # a turn holds the next reminder alone, so that one column with an index finds it; the one after follows when that is sent
    due = (at for mark, at in _reminders(live, terms, since, time, deadline) if not _done(mark, done))
    return e.TurnClock(since=since, time=time, deadline=deadline, remind_at=min(due, default=None))


def anew(state: GameState, freezes: tuple[Freeze, ...] | None = None, more: timedelta = timedelta(0)) -> e.TurnClock | None:
    """Return the clock of the pending turn, worked out with other freezes and with more time. None if no turn is pending."""
    clock = state.clock
    if clock is None or state.to_move is None:
        return None
    time = None if clock.time is None else clock.time + more
    there = state if freezes is None else replace(state, freezes=freezes)
    return running(live_time(there, state.to_move), state.terms, clock.since, time, state.reminded)


def due_marks(state: GameState, now: datetime) -> tuple[str, ...]:
    """Return the marks of the pending turn's reminders that are due now or within `TOGETHER`."""
    return tuple(mark for mark, at in _to_come(state) if at <= now + TOGETHER)


def reminders_to_come(state: GameState) -> tuple[datetime, ...]:
    """Return the instants of the reminders that the terms name and that were not sent yet for the pending turn."""
    return tuple(at for mark, at in _to_come(state) if not mark.startswith(AGAIN))


def _to_come(state: GameState) -> Iterator[tuple[str, datetime]]:
    clock = state.clock
    if clock is None or clock.time is None or state.to_move is None:
        return iter(())
    times = _reminders(live_time(state, state.to_move), state.terms, clock.since, clock.time, clock.deadline)
    return ((mark, at) for mark, at in times if not _done(mark, state.reminded))


def left(state: GameState, at: datetime) -> timedelta | None:
    """Return the time that the pending turn has left at `at`, without lent time. None means no limit; zero if no turn is pending."""
    clock = state.clock
    if clock is None or state.to_move is None:
        return timedelta(0)
    if clock.time is None:
        return None
    return max(timedelta(0), clock.time - lent(state) - live_time(state, state.to_move).between(clock.since, at))


def lent(state: GameState) -> timedelta:
    """Return the part of the pending turn's time that cannot be saved up: its grace, unless one bank lasts for the whole game."""
    # nothing else would be left of a bank for the whole game
    return timedelta(0) if controls.is_for_whole_game(control(state).control) else state.grace


def grace_left(state: GameState, at: datetime) -> timedelta | None:
    """Return the grace that the pending turn still has at `at`, apart from `left`. None if it has none."""
    clock = state.clock
    if clock is None or clock.time is None or state.to_move is None or not lent(state):
        return None
    rest = clock.time - live_time(state, state.to_move).between(clock.since, at)
    return min(lent(state), rest) if rest > timedelta(0) else None


def first_bank(terms: e.Terms) -> Bank:
    """Return the bank of every clock at the start of a game."""
    return controls.first(parsed(terms.time).control)


def banks_after(state: GameState, line: Line) -> tuple[Bank, ...]:
    """Return the bank of each clock after the turns of `line`, in seat order."""
    # the turns come oldest first, so the last one of each seat stands
    after = {turn.seat: turn.bank for turn in line.numbered}
    return tuple(after.get(seat, first_bank(state.terms)) for seat in state.seats)


def bank_after(state: GameState, seat: Seat, remaining: timedelta | None) -> Bank:
    """Return the bank of `seat` after a turn that had `remaining` time left; None means that the turn had no limit."""
    return controls.after(control(state).control, state.banks[seat - 1], remaining)


def bank_after_missing(state: GameState, seat: Seat) -> Bank:
    """Return the bank of `seat` after it missed a turn. If nothing would be left for all later turns, the bank is one day."""
    bank = bank_after(state, seat, timedelta(0))
    # by the first reading such a seat had no time for any later turn, and missed every one of them
    lasts = state.terms.clock > 1 and controls.is_for_whole_game(control(state).control)
    return Bank(A_DAY) if lasts and not bank.time else bank


def frozen(state: GameState, seat: Seat, began: datetime, ended: datetime) -> timedelta:
    """Return how much time the freezes took from the clock of `seat` between two instants.

    A moment that several freezes cover counts once. The calendar is not looked at: a freeze at night counts too.
    """
    return max(timedelta(0), ended - began) - LiveTime(Calendar(), live_time(state, seat).freezes).between(began, ended)


def _reminders(
    live: LiveTime, terms: e.Terms, since: datetime, time: timedelta, deadline: datetime | None
) -> Iterator[tuple[str, datetime]]:
    for mark in terms.reminders:
        at = _reminder(live, terms, mark, since, time, deadline)
        if at is not None and (deadline is None or at < deadline):
            yield mark, at
    if terms.clock > 1:
        for ends in runs_again(live.freezes):
            if since < ends and (deadline is None or ends < deadline):
                yield again(ends), ends


def runs_again(freezes: Sequence[Off]) -> Iterator[datetime]:
    """Yield each instant at which a vacation or a pause ends and no other freeze stops the clock."""
    for stop in freezes:
        ends = stop.ends
        # a freeze that ends when it begins never happened
        if stop.why not in (e.FreezeKind.VACATION, e.FreezeKind.PAUSE) or ends is None or ends <= stop.begins:
            continue
        if not any(other.begins <= ends and (other.ends is None or ends < other.ends) for other in freezes):
            yield ends


def _done(mark: str, done: frozenset[str]) -> bool:
    # each mark goes out once, also when the deadline moves: a second reminder would only teach people not to read them
    return mark in done or (AGAIN in done and mark.startswith(AGAIN))


def again(ends: datetime) -> str:
    """Return the mark of the reminder that a clock runs again at `ends`."""
    return f"{AGAIN} {ends:%Y-%m-%dT%H:%M:%S.%fZ}"


def _reminder(  # noqa: PLR0917  # a mark and a turn
    live: LiveTime, terms: e.Terms, mark: str, since: datetime, time: timedelta, deadline: datetime | None
) -> datetime | None:
    if mark.endswith("%"):
        after = time * int(mark[:-1]) / 100
    else:
        before = timedelta(hours=int(mark[:-1]))
        if terms.clock > 1 and before <= A_DAY:
            return None if deadline is None else _on_the_wall_before(live, since, deadline, before)
        after = time - before
    return live.advance(since, after) if after > timedelta(0) else None


def _on_the_wall_before(live: LiveTime, since: datetime, deadline: datetime, before: timedelta) -> datetime | None:
    """Return the instant that lies `before` ahead of a deadline, without the time of freezes.

    None if the turn never had more time than that.
    """
    # nobody needs a reminder during a freeze, so the time in a freeze does not count
    stands = LiveTime(freezes=live.freezes)
    if stands.between(since, deadline) <= before:
        return None
    at = deadline - before
    # going back may reach into another freeze, so it is repeated until all of `before` lies outside of freezes
    while (more := before - stands.between(at, deadline)) > timedelta(0):
        at -= more
    return at
