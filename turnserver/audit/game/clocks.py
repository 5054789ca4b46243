"""The part of an audit that checks clocks: it reckons each turn's clock from the terms and the events.

Written apart from what decides, with banks of its own: an audit that asked the deciding code would share its mistakes. It shares the
arithmetic of live time and of time controls, which have tests of their own by hand-made figures.
"""

import re
from collections.abc import Collection, Iterator
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple, assert_never

from turnserver.play import events as e
from turnserver.play.clock import controls
from turnserver.play.clock.clock import again, parsed, runs_again
from turnserver.play.clock.controls import Bank, Byoyomi, FixedHour, Increment, PerMove, TimeControl, Total, Unlimited
from turnserver.play.clock.live_time import Calendar, LiveTime, Off
from turnserver.rules import Seat

_NOTHING: Final = timedelta(0)
_A_DAY: Final = timedelta(days=1)
_APART: Final = timedelta(minutes=15)
"""So far clocks of machines may disagree, and a clock may be set back before anybody has to confirm it.

A mail has the time of the machine that took it, and its turn that of the one that read it.
"""
_MARK: Final = re.compile(r"([0-9]{1,4})([%h])")


class _Times(NamedTuple):
    """The live time of a seat: `live` for its clock, `regular` for its days beside freezes, `runs` until an hour of the day."""

    live: LiveTime
    regular: LiveTime
    runs: LiveTime


class Reckoning:
    """The clocks of one game, event by event. After a fault it goes on from what the event says, so nothing is blamed twice."""

    def __init__(self, opened: e.GameOpened) -> None:
        """Begin with the opening of the game."""
        self._terms = opened.terms
        self._second = opened.terms.clock > 1
        self._control: TimeControl = parsed(opened.terms.time)
        self._players = opened.players
        self._zones = {Seat(number): "UTC" for number in range(1, len(opened.players) + 1)}
        self._banks = dict.fromkeys(self._zones, controls.first(self._control.control))
        self._banks_before: dict[int, dict[Seat, Bank]] = {}
        self._turns: dict[int, e.TurnPlayed] = {}
        self._freezes: dict[int, tuple[Seat | None, Off]] = {}
        self._for_game = controls.is_for_whole_game(self._control.control)
        # The times of each seat, kept until any freeze or zone changes, which is seldom beside turns.
        self._times: dict[Seat, _Times] = {}
        self._ended_by: dict[int, set[Seat]] = {}
        self._mover: Seat | None = None
        self._clock: e.TurnClock | None = None
        self._reminded: set[str] = set()
        self._grace = _NOTHING
        self._vacant = False
        self._holidays = frozenset(opened.terms.holidays)
        marks = [(mark, _MARK.fullmatch(mark)) for mark in opened.terms.reminders]
        self._marks = [(mark, int(read[1]), read[2]) for mark, read in marks if read is not None]
        self._unreadable = [mark for mark, read in marks if read is None]

    def terms_at_odds(self) -> Iterator[str]:
        """Yield the faults of the terms, as clauses. A reminder that cannot be read is due at no time."""
        for mark in self._unreadable:
            yield f"the reminder {mark} is neither a part of a turn's time, such as 50%, nor hours before its end, such as 24h"

    def at_odds(  # noqa: C901, PLR0912, PLR0915  # one branch an event
        self, event: e.GameEvent, at: datetime | None = None, staying: Collection[Seat] = ()
    ) -> Iterator[str]:
        """Yield the faults of the clocks of the next event, as clauses.

        `at` is when it was recorded, if that is known, and `staying` are the seats at the table before it.
        """
        match event:
            case e.InvitationAccepted():
                for seat in self._zones:
                    if self._players[seat - 1] == event.player:
                        self._live_in(seat, event.zone)
            case e.GameStarted():
                yield from self._begins(event.to_move, event.clock, at)
            case e.TurnPlayed():
                if not (event.by_house or event.by_plan):  # those have instants of their own
                    yield from self._came(event.received_at, at)
                yield from self._played(event, at)
                yield from self._begins(event.to_move, event.clock, at, self._told_after(event, at))
            case e.TurnSkipped():
                yield from self._not_before_its_end(at)
                yield from self._skipped(event)
                yield from self._begins(event.to_move, event.clock, at)
            case e.TurnsRetracted():
                # Each turn keeps the banks from before it, so that taking it back restores those of all seats.
                self._banks = dict(self._banks_before.get(event.first, self._banks))
                yield from self._begins(event.to_move, event.clock, at, again=self._left_again(event))
                self._grace = self._grace_again(event)
            case e.EndRetracted():
                yield from self._begins(event.to_move, event.clock, at)
            case e.SeatLeft() if event.seat == self._mover:
                yield from self._begins(event.to_move, event.clock, None)
            case e.GraceGranted():
                yield from self._not_before_its_end(at)
                self._grace = timedelta(hours=event.hours)
                self._reminded.update(self._terms.reminders)
                yield from self._goes_on(event.clock, self._grace)
            case e.SeatVacated():
                yield from self._not_before_its_end(at)
                yield from self._vacated(event, at)
            case e.GameReopened():
                yield from self._reopened(event, at)
            case e.SubstituteSeated():
                yield from self._taken_over(event, at)
            case e.PlayerReminded():
                yield from self._reminds(event, at)
            case e.ClockCredited() | e.TimeGiven():
                yield from self._goes_on(event.clock, timedelta(seconds=event.seconds))
            case e.ClockFrozen():
                self._stop(event.number, event.seat, Off(event.kind, event.begins, event.ends))
                yield from self._froze(event, at)
                yield from self._goes_on(event.clock)
            case e.ClockThawed():
                yield from self._thawed(event, at, staying)
                yield from self._goes_on(event.clock)
            case e.ClaimMade():
                yield from self._came(event.claimed_at, at)
            case e.PlayerNudged():
                yield from self._came(event.asked_at, at)
            case e.TurnTimedOut():
                if at is not None and at < event.deadline:
                    yield f"the time is said to be up at {event.deadline:%Y-%m-%d %H:%M:%S}, before it was"
            case e.GameEnded():
                self._mover, self._clock = None, None
            case (
                e.GameOpened()
                | e.SeatLeft()
                | e.InvitationDeclined()
                | e.ClaimDropped()
                | e.ClaimDecided()
                | e.SeatResigned()
                | e.SecretRevealed()
                | e.ResultAnnulled()
                | e.PlanEvent()
                | e.ProposalEvent()
                | e.SeatOfferEvent()
            ):
                pass
            case _:
                assert_never(event)

    def _came(self, came: datetime, at: datetime | None) -> Iterator[str]:
        """Yield a problem if what a player asked for came after its record.

        It may seem to come before its game was opened, by a clock that was set right since.
        """
        if at is not None and came > at + _APART:
            yield f"it came at {_told(came)}, but was recorded before, at {_told(at)}"

    def _told_after(self, event: e.TurnPlayed, at: datetime | None) -> timedelta:
        # Such a turn is not held back for a correction, so the others know of it at once.
        known_at_once = bool(event.rolls) or event.by_house or event.by_plan or event.to_move == event.seat
        if known_at_once or not self._terms.correction_minutes:
            return _NOTHING
        most = timedelta(minutes=self._terms.correction_minutes)
        held = most if at is None or event.clock is None else event.clock.since - at
        # A site may hold a turn back for fewer minutes than was agreed when the game was opened, or for none.
        return held if _NOTHING <= held <= most and not held % timedelta(minutes=1) else most

    def _left_again(self, event: e.TurnsRetracted) -> timedelta | None:
        """Return the time for a turn that its player, or all together, have taken back; None for any other retraction."""
        turn = self._turns.get(event.first)
        if turn is None or turn.left is None or event.kind is e.RetractionKind.ADMIN:
            return None
        if event.kind is e.RetractionKind.AGREEMENT:
            return max(turn.left, _A_DAY)
        had = turn.left + (turn.grace or _NOTHING)
        least = had - self._live(turn.seat).between(turn.received_at, event.clock.since)  # when they wrote that, was before this
        return event.clock.time if event.clock.time is not None and least <= event.clock.time <= had else had

    def _grace_again(self, event: e.TurnsRetracted) -> timedelta:
        turn = self._turns.get(event.first)
        if turn is None or turn.grace is None or event.clock.time is None or event.kind is not e.RetractionKind.CORRECTION:
            return _NOTHING
        return min(turn.grace, event.clock.time)

    def _begins(
        self,
        mover: Seat | None,
        clock: e.TurnClock | None,
        at: datetime | None,
        later: timedelta = _NOTHING,
        again: timedelta | None = None,
    ) -> Iterator[str]:
        """Begin a turn and check its clock.

        The turn begins `later` than it was recorded. It has the time that the bank of its seat gives it, or the time that it had `again`.
        """
        self._mover, self._clock, self._reminded, self._grace, self._vacant = mover, clock, set(), _NOTHING, False
        if (mover is None) is not (clock is None):
            yield "a turn and its clock do not go without each other"
        if mover not in self._zones or clock is None:
            return
        live = self._live(mover)
        if at is not None and clock.since != at + later:
            yield f"the turn begins at {_told(clock.since)}, but it was recorded at {_told(at)}"
        allowance = again or self._allowance(mover, clock.since)
        if clock.time != allowance:
            yield f"the turn has {clock.time}, by its bank {allowance}"
        yield from self._ends(live, clock)

    def _goes_on(self, clock: e.TurnClock | None, more: timedelta = _NOTHING) -> Iterator[str]:
        """Go on with the pending turn and check its clock: it has `more` time, and perhaps other freezes."""
        before, self._clock = self._clock, clock
        if clock is None or before is None or self._mover not in self._zones:
            if clock is not before:
                yield "a clock that does not run cannot change"
            return
        time = None if before.time is None else before.time + more
        if (clock.since, clock.time) != (before.since, time):
            yield f"the turn has {clock.time} from {_told(clock.since)}, but it had {time} from {_told(before.since)}"
        yield from self._ends(self._live(self._mover), clock)

    def _taken_over(self, event: e.SubstituteSeated, at: datetime | None) -> Iterator[str]:
        """Check the clock after a substitution. A substitute who has the turn gets the time that was left of it, and a day at least."""
        before, seat = self._clock, event.seat
        if before is None or seat not in self._zones:
            return  # that has no place in the course of the game
        has = None if before.time is None else max(_NOTHING, before.time - self._live(seat).between(before.since, event.clock.since))
        self._live_in(seat, event.zone)
        if seat != self._mover:
            yield from self._goes_on(event.clock)
            return
        lent = _NOTHING if self._for_game else self._grace
        has = _NOTHING if self._vacant else has and max(_NOTHING, has - lent)
        self._clock, self._reminded, self._grace, self._vacant = event.clock, set(), _NOTHING, False
        if at is not None and event.clock.since != max(at, before.since):
            yield f"the substitute has the turn from {_told(event.clock.since)} on, but it was recorded at {_told(at)}"
        if event.clock.time != (due := None if before.time is None else max(has or _NOTHING, _A_DAY)):
            yield f"the substitute has {event.clock.time}, by the clock {due}"
        yield from self._ends(self._live(seat), event.clock)

    def _ends(self, live: LiveTime, clock: e.TurnClock) -> Iterator[str]:
        # The deadline and the reminder have to follow from the time that the turn has.
        deadline = None if clock.time is None else live.advance(clock.since, clock.time)
        if clock.deadline != deadline:
            yield f"the deadline is {_told(clock.deadline)}, by the clock {_told(deadline)}"
        if clock.remind_at != (remind_at := self._next_reminder(live, clock, deadline)):
            yield f"the next reminder is due at {_told(clock.remind_at)}, by the clock {_told(remind_at)}"

    def _played(self, event: e.TurnPlayed, at: datetime | None) -> Iterator[str]:
        """Check the time that a turn leaves on the clock, and add it to the bank."""
        self._banks_before[event.turn] = dict(self._banks)
        clock, bank = self._clock, self._banks.get(event.seat)
        if clock is None or bank is None or event.seat != self._mover:
            return  # whose turn it was is judged by the rules
        # A turn by plan begins and is played in the same moment.
        if event.by_plan and (event.received_at != clock.since or (at is not None and at < clock.since)):
            yield f"it was played by plan, but not when the turn began, at {_told(clock.since)}"
        used = self._live(event.seat).between(clock.since, event.received_at)
        # Grace is lent and goes into no bank, except of a total for the whole game, of which nothing else would be left.
        lent = _NOTHING if self._for_game else self._grace
        rest = None if clock.time is None else max(_NOTHING, clock.time - used)
        left = None if rest is None else max(_NOTHING, rest - lent)
        grace = min(lent, rest) if lent and rest else None
        if event.left != left:
            yield f"the turn has left {event.left}, by the clock {left}"
        if event.grace != grace:
            yield f"the turn has {event.grace} of its grace left, by the clock {grace}"
        if event.bank != (after := self._missed(bank) if event.by_house else controls.after(self._control.control, bank, left)):
            yield f"the bank holds {_bank(event.bank)} after it, by the time control {_bank(after)}"
        self._banks[event.seat] = event.bank
        self._turns[event.turn] = event

    def _skipped(self, event: e.TurnSkipped) -> Iterator[str]:
        """Check that a skipped turn has left nothing."""
        self._banks_before[event.turn] = dict(self._banks)
        bank = self._banks.get(event.seat)
        if bank is not None and event.bank != (after := self._missed(bank)):
            yield f"the bank holds {_bank(event.bank)} after it, by the time control {_bank(after)}"
        self._banks[event.seat] = event.bank

    def _vacated(self, event: e.SeatVacated, at: datetime | None) -> Iterator[str]:
        """Check that the clock counts anew, for as long as the seat waits."""
        self._clock, self._vacant = event.clock, True
        self._reminded.update(self._terms.reminders)
        if at is not None and event.clock.since != at:
            yield f"the seat waits from {_told(event.clock.since)} on, but it was recorded at {_told(at)}"
        if event.seat in self._zones:
            yield from self._ends(self._live(event.seat), event.clock)

    def _reopened(self, event: e.GameReopened, at: datetime | None) -> Iterator[str]:
        """Check that the late turn has a day, or the time that its control gives to each further turn."""
        if event.to_move not in self._zones:
            return  # whose turn it is, the rules say
        live, each = self._live(event.to_move), self._each_turn(event)
        if event.clock.time != (time := max(each, timedelta(days=1))):
            yield f"the turn has {event.clock.time} again, by the time control {time}"
        if at is not None and event.clock.since != at:
            yield f"the turn begins again at {_told(event.clock.since)}, but it was recorded at {_told(at)}"
        self._mover, self._clock, self._reminded, self._grace, self._vacant = event.to_move, event.clock, set(), _NOTHING, False
        yield from self._ends(live, event.clock)

    def _each_turn(self, event: e.GameReopened) -> timedelta:
        # Written apart from `play.proposals`, which decides the same.
        agreed = self._control.control
        match agreed:
            case Increment(increment=each) | Byoyomi(period=each):
                return each
            case PerMove() | FixedHour():
                return self._allowance(event.to_move, event.clock.since) or _NOTHING
            case Total() | Unlimited():
                return _NOTHING
            case _:
                assert_never(agreed)

    def _not_before_its_end(self, at: datetime | None) -> Iterator[str]:
        deadline = self._clock.deadline if self._clock else None
        if at is not None and (deadline is None or at < deadline):
            yield f"it was recorded at {_told(at)}, but the turn was due at {_told(deadline)}"

    def _reminds(self, event: e.PlayerReminded, at: datetime | None) -> Iterator[str]:
        """Yield a problem if somebody is reminded too early, or if the next reminder is not due when it should be."""
        clock, self._reminded = self._clock, self._reminded | {*event.marks}
        if clock is None or self._mover not in self._zones:
            return
        if at is not None and (clock.remind_at is None or at < clock.remind_at):
            yield f"it was recorded at {_told(at)}, but the reminder was due at {_told(clock.remind_at)}"
        then = self._next_reminder(self._live(self._mover), clock, clock.deadline)
        if event.remind_at != then:
            yield f"the next reminder is due at {_told(event.remind_at)}, by the clock {_told(then)}"
        self._clock = e.TurnClock(since=clock.since, time=clock.time, deadline=clock.deadline, remind_at=event.remind_at)

    def _thawed(self, event: e.ClockThawed, at: datetime | None, staying: Collection[Seat]) -> Iterator[str]:
        if event.number not in self._freezes:
            return  # that has no place in the course of the game
        seat, (why, begins, ends) = self._freezes[event.number]
        if event.by is not None and at is not None and ends is not None:
            wanted = self._ended_by.setdefault(event.number, set())
            wanted.add(event.by)
            earliest = at if wanted >= {*staying} else min(ends, at + _A_DAY)
            if event.ends != earliest:
                yield f"the pause ends at {_told(event.ends)}, but whoever asked for that could end it at {_told(earliest)}"
        # What is over may still end sooner: a game that rested learns only later that a vacation was cut short. Time that is given back for
        # a mail that did not arrive is over when it is given, and an admin may make it longer.
        if ends is not None and at is not None and ends <= at and ends <= event.ends and why != e.FreezeKind.UNDELIVERED:
            yield f"freeze {event.number} was over at {_told(ends)}, so it cannot end at {_told(event.ends)}"
        self._stop(event.number, seat, Off(why, begins, event.ends))
        if (event.seat, event.kind) != (seat, why):
            yield f"freeze {event.number} was of another kind, or of another seat"
        if event.ends < begins:
            yield "the freeze ends before it begins"

    @staticmethod
    def _froze(event: e.ClockFrozen, at: datetime | None) -> Iterator[str]:
        if event.ends is not None and event.ends <= event.begins:
            yield "the freeze ends before it begins"
        if event.kind is e.FreezeKind.PAUSE and at is not None and event.begins > at:  # it begins when the last yes arrived
            yield f"the pause begins at {_told(event.begins)}, but it was agreed on at {_told(at)}"

    def _live(self, seat: Seat) -> LiveTime:
        return self._times_of(seat).live

    def _times_of(self, seat: Seat) -> _Times:
        if (known := self._times.get(seat)) is None:
            night = self._control.night
            # In the second reading of terms, an hour of the day is that hour at night too.
            named = self._second and controls.is_due_at_an_hour(self._control.control)
            regular, runs = (LiveTime(self._calendar(seat, off)) for off in (night, None if named else night))
            freezes = tuple(off for whose, off in self._freezes.values() if whose in (None, seat))
            known = self._times[seat] = _Times(LiveTime(runs.calendar, freezes), regular, runs)
        return known

    def _stop(self, number: int, seat: Seat | None, off: Off) -> None:
        self._freezes[number] = seat, off
        self._times.clear()

    def _live_in(self, seat: Seat, zone: str) -> None:
        self._zones[seat] = zone
        self._times.clear()

    def _calendar(self, seat: Seat, night: tuple[time, time] | None) -> Calendar:
        return Calendar(self._zones[seat], self._control.weekends, night, self._holidays)

    def _allowance(self, seat: Seat, since: datetime) -> timedelta | None:
        _, regular, runs = self._times_of(seat)
        return controls.allowance(self._control.control, self._banks[seat], since, regular, runs)

    def _missed(self, bank: Bank) -> Bank:
        # In the second reading of terms, a total that is used up has a day then.
        after = controls.after(self._control.control, bank, _NOTHING)
        return Bank(_A_DAY) if self._second and self._for_game and after == Bank() else after

    def _next_reminder(self, live: LiveTime, clock: e.TurnClock, deadline: datetime | None) -> datetime | None:
        """Return the first moment of the turn that calls for a reminder which has not gone out."""
        if clock.time is None:
            return None
        found: list[datetime] = []
        for mark, number, unit in self._marks:
            passed = clock.time * number / 100 if unit == "%" else clock.time - timedelta(hours=number)
            at = live.advance(clock.since, passed) if passed > _NOTHING and mark not in self._reminded else None
            if self._second and unit == "h" and number <= 24:
                at = _before(live, clock, deadline, timedelta(hours=number)) if mark not in self._reminded else None
            if at is not None and (deadline is None or at < deadline):
                found.append(at)
        if self._second and not self._vacant:
            ends = {again(at): at for at in runs_again(live.freezes) if clock.since < at and (deadline is None or at < deadline)}
            found += [at for mark, at in ends.items() if mark not in self._reminded]
        return min(found, default=None)


def _before(live: LiveTime, clock: e.TurnClock, deadline: datetime | None, hours: timedelta) -> datetime | None:
    """Return the last instant of the turn with at least `hours` before its deadline, not counting freezes; None if there is none."""
    stands = LiveTime(freezes=live.freezes)
    if deadline is None or stands.between(clock.since, deadline) <= hours:
        return None
    if not live.freezes:
        return deadline - hours
    # By halves, to the microsecond: how much time is left only ever shrinks.
    early, late = 0, (deadline - clock.since) // timedelta.resolution
    while late - early > 1:
        middle = (early + late) // 2
        enough = stands.between(clock.since + middle * timedelta.resolution, deadline) >= hours
        early, late = (middle, late) if enough else (early, middle)
    return clock.since + early * timedelta.resolution


def _told(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}" if at else "no instant"


def _bank(bank: Bank) -> str:
    return f"{bank.time} and {bank.periods} periods" if bank.periods else str(bank.time)
