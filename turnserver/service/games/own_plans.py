"""Notices that show players their own plans, as far as the players may know the game."""

from collections.abc import Iterator, Sequence

from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.notices.game import Notice
from turnserver.mail.outbound.notices.vacations import own_plan
from turnserver.play import conditional_moves as foresight
from turnserver.play.commands import ForgetPlan, PlayerCommand, PlayTurn, Undo
from turnserver.play.conditional_moves import kept_plan, reached
from turnserver.play.guards import seat_of
from turnserver.play.state import GameState, LaidPlan
from turnserver.rules import Seat
from turnserver.service.games.ledger import Plan
from turnserver.store.games import plans
from turnserver.store.games.plans import KeptPlan
from turnserver.store.log.database import Transaction


def news(player: PlayerId, asked: Sequence[PlayerCommand], plan: Plan) -> Iterator[Notice]:
    """Yield a notice for each plan that a player has laid, or one that says that the player has no plan any more.

    `asked` are the player's commands and `plan` is their result. A corrected turn also ends the plan for what comes after it.
    """
    for kept in plan.laid:
        laid = plan.after.plans[kept.seat - 1]
        yield own_plan(player, "laid", _whole(plan.after, laid, kept), kept.digest)
    corrects = any(isinstance(one, Undo) for one in asked) and any(isinstance(one, PlayTurn) for one in asked)
    if any(isinstance(one, ForgetPlan) for one in asked) or (corrects and _had_plan(plan, player) and not plan.laid):
        yield own_plan(player, "forgotten")


def shown(conn: Transaction, game: GameId, state: GameState, known: GameState, player: PlayerId) -> Notice:
    """Return a notice with what is left of a player's plan in a game. Raises a refusal if the player has no seat there.

    `state` is the game, and `known` the part of it that the player may know.
    """
    seat = seat_of(state, player)
    plan = state.plans[seat - 1]
    kept = plans.of(conn, game, plan.digest) if plan else None
    if plan is None or kept is None:
        return own_plan(player, "shown")
    return own_plan(player, "shown", _left(_whole(state, plan, kept), seat, plan.turn, known), plan.digest)


def _had_plan(plan: Plan, player: PlayerId) -> bool:
    return plan.before is not None and plan.before.plans[seat_of(plan.before, player) - 1] is not None


def _whole(state: GameState, plan: LaidPlan | None, kept: KeptPlan) -> foresight.Plan:
    return (kept_plan(state, plan, kept.text, kept.salt) if plan else None) or ()


def _left(plan: foresight.Plan, seat: Seat, begin: int, known: GameState) -> foresight.Plan:
    """Return the plan, which began with turn `begin`, without the answers that it has given already."""
    since = [turn for turn in known.line.turns if turn.turn >= begin]
    answered = since[: len(since) // 2 * 2]
    if not answered:
        return plan
    branch = reached(plan, seat, answered[:-1])
    return branch.then if branch else ()
