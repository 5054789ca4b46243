"""What players are shown of their plans, as far as they may know the game."""

from turnserver.envelope import GameId, PlayerId
from turnserver.mail.notices import Notice
from turnserver.mail.plan_notices import own_plan
from turnserver.play.foresight import Plan
from turnserver.play.guards import seat_of
from turnserver.play.plans import kept_plan, reached
from turnserver.play.state import GameState, LaidPlan
from turnserver.rules import Seat
from turnserver.store import plans
from turnserver.store.database import Transaction
from turnserver.store.plans import KeptPlan


def laid(player: PlayerId, after: GameState, kept: KeptPlan) -> Notice:
    """Show a player the plan that he has just laid, in the game as it is `after` that."""
    plan = after.plans[kept.seat - 1]
    return own_plan(player, "laid", _whole(after, plan, kept), kept.digest)


def forgotten(player: PlayerId) -> Notice:
    """Tell a player that his plan is dropped."""
    return own_plan(player, "forgotten")


def shown(conn: Transaction, game: GameId, state: GameState, known: GameState, player: PlayerId) -> Notice:
    """Show a player what is left of his plan in a game: in `state`, of which he has `known` so much. Refuses whoever does not sit there."""
    seat = seat_of(state, player)
    plan = state.plans[seat - 1]
    kept = plans.of(conn, game, plan.digest) if plan else None
    if plan is None or kept is None:
        return own_plan(player, "shown")
    return own_plan(player, "shown", _left(_whole(state, plan, kept), seat, plan.turn, known), plan.digest)


def _whole(state: GameState, plan: LaidPlan | None, kept: KeptPlan) -> Plan:
    return (kept_plan(state, plan, kept.text, kept.salt) if plan else None) or ()


def _left(plan: Plan, seat: Seat, begin: int, known: GameState) -> Plan:
    """The plan less the answers that it has given already; it began with the turn of that number."""
    since = [turn for turn in known.line.turns if turn.turn >= begin]
    answered = since[: len(since) // 2 * 2]
    if not answered:
        return plan
    branch = reached(plan, seat, answered[:-1])
    return branch.then if branch else ()
