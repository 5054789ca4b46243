"""Whether what became of plans could follow in the state that it meets: the part of an audit that is about them.

Written apart from what decides, as `turnserver.audit.game.transitions` is.
"""

from turnserver.play.events import GraceGranted, PlanDropped, PlanEnd, PlanLaid, PlayerReminded, SeatVacated, TurnPlayed, TurnTimedOut
from turnserver.play.state import GameState


def plan_in_place(state: GameState, event: PlanLaid | PlanDropped) -> bool:
    """Whether the event has its place here."""
    if event.seat not in state.seats or state.to_move is None:
        return False
    if isinstance(event, PlanLaid):
        return len(state.seats) == 2 and _opponents(state, event)
    newest, asked = state.line.entry, state.asked(event.seat) is not None
    match event.reason:
        case _ if state.plans[event.seat - 1] is None:
            return False
        case PlanEnd.FORGOTTEN:
            return True
        case PlanEnd.PLAYED_OUT:
            return isinstance(newest, TurnPlayed) and newest.by_plan and newest.seat == event.seat
        case _:
            return state.to_move == event.seat and asked is (event.reason is PlanEnd.ASKED)


def played_by_plan(state: GameState, event: TurnPlayed) -> bool:
    """Whether a plan could play a turn: there was one, and nothing on offer would lapse by it."""
    return state.planned is not None and state.asked(event.seat) is None and not event.by_house


def waits_for_a_plan(state: GameState, event: PlayerReminded | GraceGranted | SeatVacated | TurnTimedOut) -> bool:
    """Whether the turn that somebody is reminded of, or that is called late, is one for his plan to answer."""
    return event.seat in state.seats and state.plans[event.seat - 1] is not None


def _opponents(state: GameState, event: PlanLaid) -> bool:
    """Whether the turn that a plan begins with is the opponent's: the pending one, or the last. That one its player may not have known."""
    newest = state.line.entry
    if event.turn == state.turn:
        return state.to_move != event.seat
    return isinstance(newest, TurnPlayed) and newest.turn == event.turn and newest.seat != event.seat
