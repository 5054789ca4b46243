"""Conditional plans: the text to keep of a new plan, the command by which a kept plan answers a turn, and notices for its player."""

from collections.abc import Sequence
from datetime import datetime

from turnserver.ids import GameId, PlayerId, Recorded, Version
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices.vacations import own_plan
from turnserver.play.commands import AnswerByPlan, LayPlan
from turnserver.play.conditional_moves import Plan, intended, kept_plan, plan_digest, reached, write_plan
from turnserver.play.events import GameEvent, TurnPlayed
from turnserver.play.guards import seat_of
from turnserver.play.state import GameState, LaidPlan
from turnserver.rules import Seat
from turnserver.service.games.folds import Decision
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


def laid(player: PlayerId, decision: Decision, kept: KeptPlan) -> Notice:
    """Return a notice that shows a plan which its player has just laid by a decision."""
    return own_plan(player, "laid", _whole(decision.after, decision.after.plans[kept.seat - 1], kept), kept.digest)


def had_plan(decision: Decision, player: PlayerId) -> bool:
    """Return whether a player had a plan before a decision."""
    return decision.before is not None and decision.before.plans[seat_of(decision.before, player) - 1] is not None


def shown(conn: Transaction, game: GameId, state: GameState, known: GameState, player: PlayerId) -> Notice:
    """Return a notice with what is left of a player's plan in a game. Raises a refusal if the player has no seat there.

    `state` is the game, and `known` the part of it that the player may know.
    """
    plan, digest = standing(conn, game, state, known, player)
    return own_plan(player, "shown", plan, digest)


def standing(conn: Transaction, game: GameId, state: GameState, known: GameState, player: PlayerId) -> tuple[Plan, str]:
    """Return what is left of a player's plan in a game, and its digest; both are empty if there is none. As for `shown`."""
    seat = seat_of(state, player)
    plan = state.plans[seat - 1]
    kept = plans.of(conn, game, plan.digest) if plan else None
    if plan is None or kept is None:
        return (), ""
    return _left(_whole(state, plan, kept), seat, plan.turn, known), plan.digest


def _whole(state: GameState, plan: LaidPlan | None, kept: KeptPlan) -> Plan:
    return (kept_plan(state, plan, kept.text, kept.salt) if plan else None) or ()


def _left(plan: Plan, seat: Seat, begin: int, known: GameState) -> Plan:
    """Return the plan, which began with turn `begin`, without the answers that it has given already."""
    since = [turn for turn in known.line.turns if turn.turn >= begin]
    answered = since[: len(since) // 2 * 2]
    if not answered:
        return plan
    branch = reached(plan, seat, answered[:-1])
    return branch.then if branch else ()
