"""Deciding about a turn whose time is up: first it gets grace, and then the terms of the game decide.

At a table of two nobody can go on without the other, so a turn there is neither skipped nor played by the house: it costs the game.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias, assert_never

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.chance import Chance
from turnserver.play.clock.clock import AGAIN, bank_after_missing, calendar, live_time, running
from turnserver.play.clock.live_time import LiveTime
from turnserver.play.commands import Nudge
from turnserver.play.guards import Pending, in_time, instant, pending, seat_of
from turnserver.play.leaving import ended, hand_over, time_out
from turnserver.play.state import GameState, with_seat
from turnserver.rules import Game, Skipping
from turnserver.rules.kit import replay_turn
from turnserver.text import say

NOT_BEFORE: Final = timedelta(hours=24)
"""The age of a turn before anybody may nudge, and the time until somebody may nudge again in the same game."""

_MOMENT: Final = timedelta(microseconds=1)


def nudge(state: GameState, command: Nudge) -> tuple[e.PlayerNudged, ...]:
    """Ask for the pending turn.

    Refuses (`own_turn`, `seat_vacant`) if there is nobody to ask. Refuses (`nudge_too_early`, `nudged_already`, `clock_stands_still`) a
    nuisance.
    """
    seat, here, at = seat_of(state, command.player), pending(state), command.arrived_at
    in_time(here, at)
    mover = state.seat_name(here.seat)
    if seat == here.seat:
        raise NotAllowed("own_turn", say("The game waits for your own move."))
    if state.vacant is not None:
        message = say("The seat {mover} waits for a substitute, so there is nobody to ask.", mover=mover)
        raise NotAllowed("seat_vacant", message)
    if at < (from_then := here.clock.since + NOT_BEFORE):
        message = say("{mover} has been to move for less than a day. Ask after {when}.", mover=mover, when=instant(from_then))
        raise NotAllowed("nudge_too_early", message)
    if state.nudged_at is not None and at < (again := state.nudged_at + NOT_BEFORE):
        message = say("You can nudge once a day, and somebody did less than a day ago. Ask again after {when}.", when=instant(again))
        raise NotAllowed("nudged_already", message)
    _refuse_standing_still(state, here, at)
    return (e.PlayerNudged(seat=here.seat, turn=here.turn, asked_by=seat, asked_at=at),)


def _refuse_standing_still(state: GameState, here: Pending, at: datetime) -> None:
    live = live_time(state, here.seat)
    standing = live.off(at, at + _MOMENT)
    if not standing:
        return
    runs = live.advance(at, _MOMENT)
    why, mover = _why(standing[0].why), state.seat_name(here.seat)
    if runs is None:
        message = say("The clock of {mover} stands still ({why}), with no end in sight.", mover=mover, why=why)
    else:
        # `runs` is where the clock has run for one moment
        message = say("The clock of {mover} stands still ({why}) until {when}.", mover=mover, why=why, when=instant(runs - _MOMENT))
    raise NotAllowed("clock_stands_still", message)


def _why(why: str) -> str:
    return {
        e.FreezeKind.VACATION: say("vacation"),
        e.FreezeKind.PAUSE: say("a pause"),
        e.FreezeKind.HALT: say("stopped by the organisers"),
        e.FreezeKind.UNDELIVERED: say("mail that did not get through"),
        e.FreezeKind.OUTAGE: say("an outage of the service"),
        "weekend": say("weekend"),
        "holiday": say("holiday"),
        "night": say("night"),
    }[why]


House: TypeAlias = Callable[[Game[Any, Any], Any], tuple[str, ...]]
"""Plays a whole turn, as `turnserver.games.house_turn` does."""

PATIENCE: Final = 3
"""The number of turns in a row that may be skipped or played by the house for one seat. The next late turn costs the seat."""

VACANCY: Final = timedelta(days=7)
"""The time that a seat waits for somebody to take it over."""

NOTHING_LEFT: Final = timedelta(0)


def time_is_up(state: GameState, here: Pending, now: datetime, chance: Chance | None, house: House) -> tuple[e.GameEvent, ...]:
    """Return the events of a reached deadline: grace if the seat had none yet, otherwise those that the terms of the game ask for."""
    if granted := grace(state):
        return granted
    # at a table of two nobody can go on without the other; turns that a former player missed are not held against a substitute
    patient = len(state.seats) > 2 and state.line.missed(here.seat, state.seated_since(here.seat)) < PATIENCE
    match state.terms.when_late:
        case e.WhenLate.SKIP if patient and isinstance(state.game.rules, Skipping):
            return _skip(state, state.game.rules, here, now, chance)
        case e.WhenLate.HOUSE if patient:
            return _play(state, here, now, chance, house)
        case e.WhenLate.SUBSTITUTE if state.vacant is None:
            return (_vacate(state, here, now),)
        case e.WhenLate.SKIP | e.WhenLate.HOUSE | e.WhenLate.SUBSTITUTE | e.WhenLate.LOSS:
            return time_out(state, here, now, chance)
        case _:
            assert_never(state.terms.when_late)


def grace(state: GameState) -> tuple[e.GraceGranted, ...]:
    """Return the grace of the seat that has the turn; nothing if the seat had it in this game, or if none was agreed."""
    seat, clock, more = state.to_move, state.clock, timedelta(hours=state.terms.grace_hours)
    if seat is None or seat in state.graces or not more or clock is None or clock.time is None:
        return ()
    # the mail about the grace takes the place of all reminders of this turn
    later = running(live_time(state, seat), state.terms, clock.since, clock.time + more, state.reminded.union(state.terms.reminders))
    return (e.GraceGranted(seat=seat, turn=state.turn, hours=state.terms.grace_hours, clock=later),)


def judged(state: GameState, arrived_at: datetime) -> tuple[e.GraceGranted, ...]:
    """Return the grace due before a command that arrived at `arrived_at` is judged, if that was after the deadline."""
    late = state.deadline is not None and arrived_at > state.deadline
    # a player who has planned their answer is not late with it
    return grace(state) if late and state.planned is None else ()


def _skip(state: GameState, rules: Skipping[Any], here: Pending, now: datetime, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    bank = bank_after_missing(state, here.seat)
    banked = replace(state, banks=with_seat(state.banks, here.seat, bank))
    after = hand_over(banked, rules.skip(state.line.position), now, chance)
    skipped = e.TurnSkipped(turn=here.turn, seat=here.seat, to_move=after.to_move, clock=after.clock, bank=bank, rolls=after.rolls)
    return (skipped, *ended(after.over))


def _play(state: GameState, here: Pending, now: datetime, chance: Chance | None, house: House) -> tuple[e.GameEvent, ...]:
    bank = bank_after_missing(state, here.seat)
    banked = replace(state, banks=with_seat(state.banks, here.seat, bank))
    steps = house(state.game, state.line.position)
    position, _ = replay_turn(state.game.rules, state.line.position, steps)
    after = hand_over(banked, position, now, chance)
    played = e.TurnPlayed(
        turn=here.turn,
        seat=here.seat,
        steps=steps,
        # the turn counts as having come at the last moment, so it leaves nothing
        received_at=here.clock.deadline or now,
        to_move=after.to_move,
        clock=after.clock,
        left=NOTHING_LEFT,
        bank=bank,
        rolls=after.rolls,
        by_house=True,
    )
    return (played, *ended(after.over))


def _vacate(state: GameState, here: Pending, now: datetime) -> e.SeatVacated:
    # a week on the calendar: weekends and nights do not make it longer, but leave a day of live time in it
    regular = LiveTime(calendar(state.terms, state.zones[here.seat - 1]))
    time = max(regular.between(now, now + VACANCY), timedelta(days=1))
    # every reminder counts as sent: nobody sits there to be reminded
    clock = running(live_time(state, here.seat), state.terms, now, time, frozenset((*state.terms.reminders, AGAIN)))
    return e.SeatVacated(seat=here.seat, turn=here.turn, clock=clock)
