"""Deciding about time: the reminder, the end of the time, time given back, and clocks that stand still."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.chance import Chance
from turnserver.play.clock.clock import anew, due_marks
from turnserver.play.commands import CheckClock, CreditClock, FreezeClock, GiveTime, ThawClock
from turnserver.play.guards import Pending, instant, mover_in_time, not_running, pending, seat_of
from turnserver.play.state import Freeze, GameState, Status
from turnserver.play.timeouts import House, time_is_up
from turnserver.text import say

MAX_CREDIT = timedelta(days=366)
"""The most time that one command gives."""

MAX_GIFT = timedelta(days=30)
"""The most time that a player gives at once."""

MAX_TIME = 2 * MAX_CREDIT
"""The most time that a turn can have with all credits. It keeps every deadline as near as `LiveTime.advance` looks."""


def check_clock(state: GameState, command: CheckClock, now: datetime, chance: Chance | None, house: House) -> tuple[e.GameEvent, ...]:
    """Remind the player to move, or time the turn out once the deadline has come. Refuses (`not_due`) a check that is too early."""
    if state.to_move is None:
        raise NotAllowed("not_due", "No clock runs in this game. There is nothing to do.")
    # a player who has planned their answer is neither reminded of the turn nor late with it
    if state.planned is not None:
        raise NotAllowed("not_due", "A plan is to answer this turn. See first whether it does.")
    here = pending(state)
    heard = now if command.heard is None else command.heard
    deadline, remind_at = here.clock.deadline, here.clock.remind_at
    if deadline is not None and heard >= deadline:
        return time_is_up(state, here, now, chance, house)
    if remind_at is not None and heard >= remind_at:
        return (_reminded(state, here, now),)
    told = instant(due) if (due := state.due_at) else "some other time"
    raise NotAllowed("not_due", f"Turn {here.turn} has time; look again at {told}.")


def credit_clock(state: GameState, command: CreditClock) -> tuple[e.GameEvent, ...]:
    """Give the pending turn more time, even if its time has passed. Sent reminders stay sent.

    Refuses (`bad_credit`) too little or too much, and (`no_limit`) a turn without a limit.
    """
    here = pending(state)
    if not 1 <= command.seconds <= MAX_CREDIT.total_seconds():
        raise NotAllowed("bad_credit", f"Credit 1 to {MAX_CREDIT.total_seconds():.0f} seconds, not {command.seconds}.")
    clock = anew(state, more=timedelta(seconds=command.seconds))
    if clock is None or clock.time is None:
        raise NotAllowed("no_limit", "This game is played without a limit of time.")
    if clock.time > MAX_TIME:
        raise NotAllowed("bad_credit", f"No turn may take more than {MAX_TIME.days} days. Credit less.")
    return (e.ClockCredited(turn=here.turn, seconds=command.seconds, reason=str(command.reason), clock=clock),)


def give_time(state: GameState, command: GiveTime) -> tuple[e.TimeGiven]:
    """Give the opponent more time for the pending turn. Sent reminders stay sent.

    Refuses (`not_of_two`) a larger table, (`own_turn`) the player who has the turn, (`too_late`) a turn whose time was up, (`bad_gift`) too
    little or too much, (`no_limit`) a turn without a limit, and (`league_dates`) a turn that could last beyond the end of its game.
    """
    seat, here = seat_of(state, command.player), pending(state)
    if len(state.seats) > 2:
        message = say('Here, others would have to wait too, so time cannot be given. Reply "pause" to propose a pause to all of them.')
        raise NotAllowed("not_of_two", message)
    mover = state.seat_name(here.seat)
    if seat == here.seat:
        raise NotAllowed("own_turn", say("The game waits for your own move. Play it first, then you can give time for the answer."))
    mover_in_time(state, here, command.arrived_at)
    if not timedelta(hours=1) <= timedelta(hours=command.hours) <= MAX_GIFT:
        message = say('You can give from one hour to {n} days at a time. Reply, for example, "give 2 days".', n=MAX_GIFT.days)
        raise NotAllowed("bad_gift", message)
    more = timedelta(hours=command.hours)
    clock = anew(state, more=more)
    if clock is None or clock.time is None:
        raise NotAllowed("no_limit", say("This game is played without a limit of time, so {mover} needs none from you.", mover=mover))
    if clock.time > MAX_TIME:
        raise NotAllowed("bad_gift", say("No turn may take more than {n} days. Give less.", n=MAX_TIME.days))
    if command.by is not None and clock.deadline is not None and clock.deadline > command.by:
        message = say(
            "The dates of the league want this game to be over by {end}, and with so much more time the turn could last until {deadline}.",
            end=instant(command.by),
            deadline=instant(clock.deadline),
        )
        raise NotAllowed("league_dates", message)
    return (e.TimeGiven(seat=seat, turn=here.turn, seconds=int(more.total_seconds()), clock=clock),)


def standing_still(state: GameState, at: datetime, *kinds: e.FreezeKind) -> Freeze | None:
    """Return the newest freeze of these kinds that stops every clock at an instant; None if there is none."""
    there = (freeze for freeze in reversed(state.freezes) if freeze.kind in kinds and freeze.seat is None)
    return next((freeze for freeze in there if freeze.begins <= at and (freeze.ends is None or at < freeze.ends)), None)


def freeze_clock(state: GameState, command: FreezeClock, now: datetime) -> tuple[e.GameEvent, ...]:
    """Stop clocks.

    Refuses (`bad_freeze`) an end before the beginning and a seat that nobody plays at, (`not_due`) a freeze in the past that took no time
    from anybody, and (`already_paused`) a second pause or halt while there is one.
    """
    _running(state)
    if command.kind in (e.FreezeKind.PAUSE, e.FreezeKind.HALT) and standing_still(state, command.begins, command.kind):
        raise NotAllowed("already_paused", say("This game is paused already; no clock runs."))
    if command.ends is not None and command.ends <= command.begins:
        raise NotAllowed("bad_freeze", say("That would end before it begins. Choose a later end."))
    if command.seat not in (None, *state.staying):
        raise NotAllowed("bad_freeze", say("Nobody plays at that seat, so it has no clock to stop."))
    number = len(state.freezes) + 1
    freeze = Freeze(number, command.kind, command.seat, command.begins, command.ends)
    clock = anew(state, (*state.freezes, freeze))
    past = command.ends is not None and command.ends <= now
    # a vacation is declared for all games of its player at once, so it stands in each of them
    if past and clock == state.clock and command.kind is not e.FreezeKind.VACATION:
        raise NotAllowed("not_due", "No clock lost any time by that. There is nothing to do.")
    return (
        e.ClockFrozen(
            number=number,
            kind=command.kind,
            seat=command.seat,
            begins=command.begins,
            ends=command.ends,
            clock=clock,
            reason=str(command.reason),
        ),
    )


def thaw_clock(state: GameState, command: ThawClock) -> tuple[e.GameEvent, ...]:
    """End a freeze at another instant.

    Refuses (`no_such_freeze`) a freeze that does not exist, or has that end already unless a seat asks.
    """
    _running(state)
    found = next((freeze for freeze in state.freezes if freeze.number == command.number), None)
    ends = command.ends if found is None else max(found.begins, command.ends)
    if found is None or (found.ends == ends and command.by is None):
        raise NotAllowed("no_such_freeze", say("No clock is stopped for that, so there is nothing to end."))
    clock = anew(state, tuple(replace(each, ends=ends) if each is found else each for each in state.freezes))
    reason = str(command.reason)
    return (e.ClockThawed(number=found.number, kind=found.kind, seat=found.seat, ends=ends, clock=clock, reason=reason, by=command.by),)


def _running(state: GameState) -> None:
    if state.status is not Status.RUNNING:
        raise not_running(state)


def _reminded(state: GameState, here: Pending, now: datetime) -> e.PlayerReminded:
    marks = due_marks(state, now)
    then = anew(replace(state, reminded=state.reminded.union(marks)))
    return e.PlayerReminded(seat=here.seat, turn=here.turn, marks=marks, remind_at=then.remind_at if then else None)
