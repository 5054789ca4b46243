"""Conditional plans: the text to keep of a new plan, and the command by which a kept plan answers a turn."""

from collections.abc import Sequence
from datetime import datetime

from turnserver.ids import GameId, Recorded, Version
from turnserver.play.commands import AnswerByPlan, LayPlan
from turnserver.play.conditional_moves import intended, plan_digest, write_plan
from turnserver.play.events import GameEvent, TurnPlayed
from turnserver.play.state import GameState
from turnserver.store.games import plans
from turnserver.store.games.plans import KeptPlan
from turnserver.store.log.database import Transaction


def drafted(state: GameState, command: LayPlan) -> KeptPlan:
    """Return the plan to be kept if `command` is carried out in `state`. Raises the refusal if it may not be laid."""
    seat, _, plan = intended(state, command)
    return KeptPlan(seat, plan_digest(command.salt, plan), write_plan(plan), command.salt)


def answer_due(conn: Transaction, game: GameId, state: GameState, upto: datetime) -> AnswerByPlan | None:
    """Return the answer that a plan is to give, or None if the turn that it answers has not begun by `upto`."""
    laid, clock, seat = state.planned, state.clock, state.to_move
    if laid is None or clock is None or seat is None or clock.since > upto:
        return None
    kept = plans.of(conn, game, laid.digest)
    return AnswerByPlan(seat, kept.text, kept.salt) if kept else AnswerByPlan(seat, None)


def began_with(history: Sequence[Recorded[GameEvent]], turn: int) -> Version:
    """Return the version of a history at which a turn was played that still stands."""
    played = (row.version for row in reversed(history) if isinstance(row.event, TurnPlayed) and row.event.turn == turn)
    return next(played)
