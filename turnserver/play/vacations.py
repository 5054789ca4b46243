"""Vacations of a player: those that are declared, the conditions of a new one, and its effect on the clocks of a game.

A vacation belongs to a person and stops the clock of every seat they have. It takes whole days on the wall of their zone. Each day counts
for the calendar year in which it begins. A day that has begun is spent; the others come back if the vacation ends early.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.play.clock.clock import live_time
from turnserver.play.clock.live_time import Calendar, LiveTime, midnight, on_the_wall
from turnserver.play.commands import FreezeClock, ThawClock
from turnserver.play.events import FreezeKind, VacationDeclared, VacationEnded
from turnserver.play.state import Freeze, GameState, Status
from turnserver.play.timeouts import grace
from turnserver.rules import Seat
from turnserver.text import listing, say

FEWEST_DAYS: Final = 2
"""The shortest vacation."""

AHEAD: Final = timedelta(days=366)
"""The farthest ahead that a vacation may begin."""

_ENDLESS: Final = timedelta(days=8 * 366)
"""The longest vacation that is counted. It holds a leap year, so even 365 days a year are too few for it.

Where players have 366 a year, which bounds nothing, a vacation `to 9999` ends with it, and its answer says so.
"""


class Vacation(NamedTuple):
    """A time in which a player's clocks stand still. One that ends when it begins never happens. `zone` is the zone of its days."""

    number: int
    begins: datetime
    ends: datetime
    zone: str

    def days(self) -> Iterator[datetime]:
        """Yield the beginning of each of its days."""
        return days_between(self.begins, self.ends, self.zone)

    def open(self, now: datetime) -> bool:
        """Return whether any of it is still to come."""
        return self.begins < self.ends and now < self.ends


class Span(NamedTuple):
    """A time without a clock: the vacation that a player asks for, or the stops of one that follow on one another."""

    begins: datetime
    ends: datetime


def days_between(begins: datetime, ends: datetime, zone: str) -> Iterator[datetime]:
    """Yield the beginning of each day of a time, at the same hour on the wall of the zone. A part of a day counts as one."""
    live, number = LiveTime(Calendar(zone)), 0
    while (at := live.days(begins, number)) < ends:
        yield at
        number += 1


def vacations(events: Iterable[object]) -> tuple[Vacation, ...]:
    """Return all vacations in a player's events. A vacation that ended early has its early end; the end of none changes nothing."""
    known: dict[int, Vacation] = {}
    for event in events:
        if isinstance(event, VacationDeclared):
            known[event.number] = Vacation(event.number, event.begins, event.ends, event.zone)
        elif isinstance(event, VacationEnded) and event.number in known:
            known[event.number] = known[event.number]._replace(ends=event.ends)
    return tuple(known.values())


def spent(known: Iterable[Vacation]) -> Counter[int]:
    """Return how many days were taken or are declared, by calendar year."""
    return Counter(on_the_wall(day, vacation.zone).year for vacation in known for day in vacation.days())


def whole_days(first: date, last: date, zone: str, at: datetime) -> Span:
    """Return the span from one day to another, the last day included.

    Refuses a first day before the day of `at` (`vacation_past`), or too far ahead of it (`vacation_far`).
    """
    today = on_the_wall(at, zone).date()
    if first < today:
        message = say("{day} is in the past. A vacation begins today or later.", day=first.isoformat())
        raise NotAllowed("vacation_past", message)
    # before any arithmetic: nothing can be added to the last day of the calendar
    if first > today + AHEAD + timedelta(days=1):
        raise _far()
    last = min(last, first + _ENDLESS)
    return Span(max(at, midnight(first, zone)), max(at, midnight(last + timedelta(days=1), zone)))


def from_now(days: int, zone: str, at: datetime) -> Span:
    """Return the span of `days` days from `at` on, ending at the same hour of the day."""
    # live time promises no more than a year, and nobody has that many days of vacation
    return Span(at, LiveTime(Calendar(zone)).days(at, min(days, AHEAD.days)))


def declared(  # noqa: PLR0917  # a vacation and what it is judged by
    known: tuple[Vacation, ...], player: PlayerId, wanted: Span, zone: str, allowance: int, now: datetime
) -> VacationDeclared:
    """Return the declaration of a vacation beside the known ones. `allowance` is the number of days a year.

    Refuses a vacation that is too short (`vacation_short`), too far ahead (`vacation_far`), over another one (`vacation_overlaps`), or
    longer than the days that are left (`vacation_spent`).
    """
    new = Vacation(len(known) + 1, wanted.begins, wanted.ends, zone)
    if len(list(new.days())) < FEWEST_DAYS:
        raise NotAllowed("vacation_short", say("A vacation lasts at least {days} days. Choose a later last day.", days=FEWEST_DAYS))
    if new.begins > now + AHEAD:
        raise _far()
    for other in known:
        # a vacation that was called off is empty and overlaps with nothing
        if max(new.begins, other.begins) < min(new.ends, other.ends):
            message = say(
                'You have vacation {number} in that time already. To end it first, reply "vacation off {number}".',
                number=other.number,
            )
            raise NotAllowed("vacation_overlaps", message)
    before = spent(known)
    for year, days in sorted(spent((new,)).items()):
        left = max(0, allowance - before[year])
        if days > left:
            message = say(
                "That takes {days} of your vacation in {year}, and you have {n} left. Choose fewer days.",
                "That takes {days} of your vacation in {year}, and you have {n} left. Choose fewer days.",
                days=say("{n} day", "{n} days", n=days),
                year=str(year),
                n=left,
            )
            raise NotAllowed("vacation_spent", message)
    return VacationDeclared(player=player, number=new.number, begins=new.begins, ends=new.ends, zone=zone)


def _far() -> NotAllowed:
    return NotAllowed("vacation_far", say("A vacation can begin within a year from now. Declare this one later."))


def ended(known: tuple[Vacation, ...], player: PlayerId, number: int | None, now: datetime) -> VacationEnded:
    """Return the end of the vacation of that number, now or before it begins. None means the current vacation, or else the only one ahead.

    Refuses (`no_vacation`) if there is none, and (`which_vacation`) if it is not clear which.
    """
    there = [each for each in known if each.open(now) and number in (None, each.number)]
    current = [each for each in there if each.begins <= now]
    if not there:
        raise NotAllowed("no_vacation", say('You have no such vacation. Reply "vacation" to see what you have declared.'))
    if number is None and not current and len(there) > 1:
        lines = listing([say('"vacation off {number}"', number=each.number) for each in there])
        raise NotAllowed("which_vacation", say("You have declared several vacations. Say which one to cancel: {lines}.", lines=lines))
    chosen = (current or there)[0]
    return VacationEnded(player=player, number=chosen.number, ends=max(now, chosen.begins))


def freeze_for(state: GameState, seat: Seat, vacation: Vacation, begins: datetime, asked_at: datetime | None = None) -> FreezeClock | None:
    """Return the freeze that a vacation causes in a game from `begins` on, as long as the terms of the game allow it.

    If the vacation has stopped the clock for a part of its time, the freeze follows on that. None if the terms allow no more, the game does
    not run, or the vacation stops the clock to its end. If the pending turn's time was up at `asked_at`, the vacation adds nothing to that
    turn, which goes on by grace alone.
    """
    own = _vacations_of(state, seat)
    begins = begins if asked_at is None else max(begins, _not_before(state, seat, asked_at))
    begins = max([begins, *(freeze.ends or vacation.ends for freeze in own if _of(freeze, vacation))])
    if state.status is not Status.RUNNING or seat in state.left:
        return None
    taken = sum(len(list(days_between(freeze.begins, freeze.ends or freeze.begins, vacation.zone))) for freeze in own)
    # a game may allow fewer days than the player has, and its clock runs again in the middle of the vacation
    most = LiveTime(Calendar(vacation.zone)).days(begins, state.terms.vacation_days - taken)
    ends = min(vacation.ends, most)
    return FreezeClock(FreezeKind.VACATION, seat, begins, ends) if begins < ends else None


def _not_before(state: GameState, seat: Seat, asked_at: datetime) -> datetime:
    """Return the end of the pending turn, grace included, if the turn is the seat's and its time was up at `asked_at`; else `asked_at`."""
    clock = state.clock
    if clock is None or clock.time is None or clock.deadline is None or state.to_move != seat:
        return asked_at
    up = live_time(state, seat).advance(clock.since, clock.time - state.grace)
    if up is None or asked_at <= up:
        return asked_at
    # a vacation must not turn back a time that was up, but it leaves the grace whole
    owed = grace(state)
    return max(clock.deadline, owed[0].clock.deadline or clock.deadline) if owed else clock.deadline


def thaws_for(state: GameState, seat: Seat, known: Iterable[Vacation]) -> tuple[ThawClock, ...]:
    """Return the thaws for the vacations among the known ones that ended before the freezes that they have caused."""
    if state.status is not Status.RUNNING:
        return ()
    there = tuple(known)
    over = ((freeze, _over(freeze, there)) for freeze in _vacations_of(state, seat))
    return tuple(ThawClock(freeze.number, ends) for freeze, ends in over if freeze.ends is not None and ends < freeze.ends)


def stops(state: GameState, seat: Seat, now: datetime) -> list[Freeze]:
    """Return the freezes for vacations of the player at `seat` that are not over at an instant, in the order of their beginnings."""
    there = (freeze for freeze in _vacations_of(state, seat) if freeze.ends is None or max(now, freeze.begins) < freeze.ends)
    return sorted(there, key=lambda freeze: freeze.begins)


def _over(freeze: Freeze, known: Iterable[Vacation]) -> datetime:
    # a freeze stems from the last vacation that had begun by then; it cannot end before it begins
    return max([freeze.begins, *(vacation.ends for vacation in known if vacation.begins <= freeze.begins)])


def _vacations_of(state: GameState, seat: Seat) -> list[Freeze]:
    # a vacation is a person's: one of a former player of this seat does not count here
    player = state.player_at(seat)
    return [freeze for freeze in state.freezes if freeze.kind is FreezeKind.VACATION and (freeze.seat, freeze.player) == (seat, player)]


def _of(freeze: Freeze, vacation: Vacation) -> bool:
    # no two vacations of a player overlap, and a freeze that never happened stems from none
    return vacation.begins <= freeze.begins < vacation.ends and freeze.begins != freeze.ends
