"""Deciding what an admin asks: ending a game, taking its result, its end or some of its turns back."""

from datetime import datetime

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.clock.clock import banks_after, turn_clock
from turnserver.play.commands import Adjudicate, Annul, Cancel, Reopen, Retract
from turnserver.play.guards import how_it_ended, not_running, pending
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose

REOPENABLE = frozenset({e.EndedBy.RULES, e.EndedBy.TIME, e.EndedBy.RESIGNATION, e.EndedBy.AGREEMENT, e.EndedBy.ADJUDICATION})
"""The endings after which turns may still be taken back: those that the players or the clock brought about, and an admin's result."""


def cancel(state: GameState, command: Cancel) -> tuple[e.GameEvent, ...]:
    """Stop a game that has not ended; it gets no result. Refuses (`game_over`) an ended game."""
    if state.result is not None:
        raise NotAllowed("game_over", f"This game is over: {how_it_ended(state, state.result)}. Annul it to take its result back.")
    return (e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.CANCELLATION, winners=(), reason=str(command.reason)),)


def adjudicate(state: GameState, command: Adjudicate) -> tuple[e.GameEvent, ...]:
    """End a running game with these winners, or as a draw without any, even if the game itself knows no draws.

    Refuses (`bad_winners`) a seat that the game does not have, and a part of a team. Refuses as `pending` does.
    """
    pending(state)
    winners = frozenset(command.winners)
    if not winners <= set(state.seats):
        raise NotAllowed("bad_winners", f"The winners must be seats of this game, 1 to {state.game.rules.seats}; name none for a draw.")
    if any(winners & team not in (team, frozenset()) for team in state.game.rules.teams):
        raise NotAllowed("bad_winners", "The seats of a team win together; name all of them or none.")
    outcome = e.Outcome.WON if winners else e.Outcome.DRAWN
    return (e.GameEnded(outcome=outcome, by=e.EndedBy.ADJUDICATION, winners=tuple(sorted(winners)), reason=str(command.reason)),)


def annul(state: GameState, command: Annul) -> tuple[e.GameEvent, ...]:
    """Make a running game void, or take back the result of an ended one.

    Refuses (`not_started`) a game before its start, and (`no_result`) a result that is void already.
    """
    if state.status is Status.INVITING:
        raise NotAllowed("not_started", "This game has not started, so there is nothing to annul. Cancel it instead.")
    if state.result is None:
        return (e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.ANNULMENT, winners=(), reason=str(command.reason)),)
    if state.result.outcome is e.Outcome.VOID:
        raise NotAllowed("no_result", f"There is no result to take back: {how_it_ended(state, state.result)}. It does not count.")
    return (e.ResultAnnulled(reason=str(command.reason)),)


def retract(state: GameState, command: Retract, now: datetime) -> tuple[e.GameEvent, ...]:
    """Take back every turn from `first` on and start its clock `now`; a game that ended with a result is reopened.

    Refuses a number that was not played (`no_such_turn`), a missing reason (`reason_missing`), (`not_reopenable`) a game that was
    cancelled, annulled or declined, and (`secret_revealed`) one with chance that has ended: everybody could work out its further rolls.
    """
    _reopenable(state)
    if not command.reason.strip():
        raise NotAllowed("reason_missing", "Taking turns back needs a reason, which the players and the history will show. Give one.")
    undone = next((turn for turn in state.line.numbered if turn.turn == command.first), None)
    if undone is None:
        played = f"choose a turn from 1 to {state.line.length}" if state.line.length else "no turn has been played yet"
        if state.result is not None and not state.line.length:
            played += ". To take back the end alone, use `turnserver game reopen`"
        raise NotAllowed("no_such_turn", f"Turn {command.first} cannot be taken back; {played}.")
    before = replace(state, banks=banks_after(state, state.line.before(command.first)))
    # a turn's time may come from the bank, so the bank has to be what it was before that turn
    clock = turn_clock(before, undone.seat, now)
    return (e.TurnsRetracted(first=command.first, reason=str(command.reason), to_move=undone.seat, clock=clock),)


def reopen(state: GameState, command: Reopen, now: datetime) -> tuple[e.EndRetracted]:
    """Take back the end of a game and no turn; the turn that was pending then begins anew `now`.

    A seat that ended a game of more than two by leaving it is back at the table: without it, the rules would end the game at once again.
    The seats that had left before stay away, since the others have played on without them.

    Refuses (`still_running`) a game that goes on, (`ended_by_rules`) one that its last turn ended, and a missing reason
    (`reason_missing`). Refuses as `retract` does what cannot be reopened.
    """
    _reopenable(state)
    if state.result is None:
        raise NotAllowed("still_running", "This game is still running. To take turns back, use `turnserver game retract`.")
    line = state.line.before_end()
    here = state.game.rules.next(line.position)
    if state.result.by is e.EndedBy.RULES or not isinstance(here, Choose):
        how = how_it_ended(state, state.result)
        raise NotAllowed(
            "ended_by_rules", f"This game cannot go on from its last turn: {how}. Take that turn back with `turnserver game retract`."
        )
    if not command.reason.strip():
        raise NotAllowed("reason_missing", "Taking an end back needs a reason, which the players and the history will show. Give one.")
    return (e.EndRetracted(to_move=here.seat, clock=turn_clock(state, here.seat, now), reason=str(command.reason)),)


def _reopenable(state: GameState) -> None:
    """Refuse a game that has not begun, or whose end stands for good."""
    if state.status is Status.INVITING:
        raise not_running(state)
    if state.result is not None and state.result.by not in REOPENABLE:
        raise NotAllowed(
            "not_reopenable", f"This game cannot be reopened: {how_it_ended(state, state.result)}. Open a new one with the same players."
        )
    if state.result is not None and state.commitment is not None:
        raise NotAllowed(
            "secret_revealed",
            "This game cannot be reopened: its secret has been told at the end, so all further rolls would be known. "
            "Open a new one with the same players.",
        )
