"""Whether what became of a turn whose time was up could follow in the state that it meets: the part of an audit that is about lateness.

Written apart from what decides, as `turnserver.audit.game.transitions` is.
"""

from datetime import timedelta
from typing import TypeAlias, assert_never

from turnserver.play.clock.clock import calendar, live_time
from turnserver.play.clock.live_time import LiveTime
from turnserver.play.events import (
    EndedBy,
    GraceGranted,
    Outcome,
    PlayerNudged,
    SeatVacated,
    TurnPlayed,
    TurnSkipped,
    TurnTimedOut,
    WhenLate,
)
from turnserver.play.state import GameState
from turnserver.rules import Skipping

LateEvent: TypeAlias = GraceGranted | PlayerNudged | SeatVacated | TurnSkipped | TurnTimedOut
"""What may happen because somebody lets the others wait."""

_SPARED = 3
_A_DAY = timedelta(days=1)
_A_WEEK = timedelta(days=7)


def late_in_place(state: GameState, event: LateEvent) -> bool:
    """Whether the event has its place here."""
    if (event.seat, event.turn) != (state.to_move, state.turn):
        return False
    match event:
        case GraceGranted():
            return event.hours == state.terms.grace_hours > 0 and event.seat not in state.graces and _longer(state, event)
        case TurnSkipped():
            return _had_grace(state) and _spared(state, WhenLate.SKIP)
        case SeatVacated():
            return _had_grace(state) and state.terms.when_late is WhenLate.SUBSTITUTE and state.vacant is None and _a_week(state, event)
        case TurnTimedOut():
            return event.deadline == state.deadline and _had_grace(state) and _has_to_leave(state)
        case PlayerNudged():
            return _may_be_asked(state, event)
        case _:
            assert_never(event)


def played_by_house(state: GameState, event: TurnPlayed) -> bool:
    """Whether the house could play a turn, which it does at the deadline."""
    return _had_grace(state) and _spared(state, WhenLate.HOUSE) and event.received_at == state.deadline and not event.left


def reopenable(state: GameState) -> bool:
    """Whether a game of two without chance was lost on time; when what was asked is not known here."""
    lost = state.result is not None and (state.result.by, state.result.outcome) == (EndedBy.TIME, Outcome.WON)
    return lost and len(state.players) == 2 and state.commitment is None and state.terms.reopen_hours > 0


def _had_grace(state: GameState) -> bool:
    return state.terms.grace_hours == 0 or state.to_move in state.graces


def _longer(state: GameState, event: GraceGranted) -> bool:
    before, more = state.clock, timedelta(hours=event.hours)
    if before is None or before.time is None:
        return False
    return (event.clock.since, event.clock.time) == (before.since, before.time + more)


def _spared(state: GameState, policy: WhenLate) -> bool:
    """Whether a policy holds for the turn that the seat has missed now: at a table of more than two that knows it, and not for ever."""
    since = max((each.turn for each in state.takeovers if each.seat == state.to_move), default=1)
    own = [turn for turn in state.line.numbered if turn.seat == state.to_move and turn.turn >= since][-_SPARED:]
    missed = [turn for turn in own if isinstance(turn, TurnSkipped) or turn.by_house]
    able = policy is not WhenLate.SKIP or isinstance(state.game.rules, Skipping)
    return able and len(state.players) > 2 and state.terms.when_late is policy and len(missed) < _SPARED


def _has_to_leave(state: GameState) -> bool:
    if state.terms.when_late is WhenLate.SUBSTITUTE:
        return state.vacant == state.to_move
    return not (_spared(state, WhenLate.SKIP) or _spared(state, WhenLate.HOUSE))


def _a_week(state: GameState, event: SeatVacated) -> bool:
    since, time = event.clock.since, event.clock.time
    week = LiveTime(calendar(state.terms, state.zones[event.seat - 1])).between(since, since + _A_WEEK)
    return state.deadline is not None and since >= state.deadline and time == max(week, _A_DAY)


def _may_be_asked(state: GameState, event: PlayerNudged) -> bool:
    clock, at = state.clock, event.asked_at
    if clock is None or event.asked_by == event.seat or event.asked_by not in state.staying or state.vacant is not None:
        return False
    if at - clock.since < _A_DAY or (state.nudged_at is not None and at - state.nudged_at < _A_DAY):
        return False
    return not live_time(state, event.seat).off(at, at + timedelta.resolution)
