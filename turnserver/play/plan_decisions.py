"""Deciding about plans: laying and forgetting one, and letting it answer.

Whoever waits for his opponent may plan his answers (`turnserver.play.conditional_moves` says how). The log has a digest of the plan, and
each turn that was played by it. A plan answers one turn after the other, for as long as it foresees what is played; then it is dropped.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from turnserver.errors import NotAllowed, Refusal, StepError
from turnserver.play.chance import Chance
from turnserver.play.commands import AnswerByPlan, ForgetPlan, LayPlan
from turnserver.play.conditional_moves import Branch, Plan, check_for_two, fitting, plan_digest, read_plan
from turnserver.play.events import GameEnded, GameEvent, PlanDropped, PlanEnd, PlanLaid, TurnPlayed
from turnserver.play.guards import pending, seat_of
from turnserver.play.line import Line
from turnserver.play.second_thoughts import untold
from turnserver.play.state import GameState, LaidPlan
from turnserver.play.turns import play_planned
from turnserver.rules import Seat
from turnserver.text import say


class Intended(NamedTuple):
    """What somebody plans: the seat it is for, the opponent's turn that it begins with, and the plan."""

    seat: Seat
    turn: int
    plan: Plan


def intended(state: GameState, command: LayPlan) -> Intended:
    """What the command means in the game as its writer knows it: a turn that he cannot know of yet is one that he plans to answer.

    Refuses (`your_turn`) to plan instead of playing, (`plan_out_of_date`) what was written in answer to a mail that is too old, and what
    `read_plan` refuses.
    """
    seat = seat_of(state, command.player)
    check_for_two(state.game.rules)
    turn, line = _first(state, seat, command)
    _check_mail(state, turn, command)
    return Intended(seat, turn, read_plan(state.game.rules, line.position, command.text))


def lay_plan(state: GameState, command: LayPlan) -> tuple[GameEvent, ...]:
    """Lay a plan, in place of the one that there is. Refuses what `intended` refuses."""
    seat, turn, plan = intended(state, command)
    return (PlanLaid(seat=seat, turn=turn, digest=plan_digest(command.salt, plan)),)


def forget_plan(state: GameState, command: ForgetPlan) -> tuple[GameEvent, ...]:
    """Drop the player's plan. Refuses (`no_plan`) where there is none."""
    seat = seat_of(state, command.player)
    pending(state)
    if state.plans[seat - 1] is None:
        told = say("You have no plan in this game, so there is none to forget. If you had one, it has answered or was dropped.")
        raise NotAllowed("no_plan", told)
    return (PlanDropped(seat=seat, reason=PlanEnd.FORGOTTEN),)


def answer_by_plan(state: GameState, command: AnswerByPlan, now: datetime, chance: Chance | None) -> tuple[GameEvent, ...]:
    """Play what the seat that has the turn has planned for it, or drop its plan.

    A plan that does not answer is dropped, and its player has the turn as if there had been none; so is one that has nothing more to say.
    Refuses (`not_due`) as long as there is nothing to answer, or the last turn may still be corrected.
    """
    laid = state.planned
    if laid is None or state.to_move != command.seat or pending(state).clock.since > now:
        raise NotAllowed("not_due", "There is no turn that a plan of this seat could answer.")
    if state.asked(command.seat) is not None:
        return _dropped(command.seat, PlanEnd.ASKED)
    plan = kept_plan(state, laid, command.text, command.salt)
    if plan is None:
        return _dropped(command.seat, PlanEnd.LOST)
    branch = reached(plan, command.seat, [turn for turn in state.line.turns if turn.turn >= laid.turn])
    if branch is None:
        return _dropped(command.seat, PlanEnd.NOT_EXPECTED)
    try:
        played = play_planned(state, "; ".join(branch.reply), now, chance)
    except StepError:
        return _dropped(command.seat, PlanEnd.NOT_LEGAL)
    goes_on = branch.then or any(isinstance(event, GameEnded) for event in played)
    return played if goes_on else (*played, *_dropped(command.seat, PlanEnd.PLAYED_OUT))


def kept_plan(state: GameState, laid: LaidPlan, text: str | None, salt: bytes) -> Plan | None:
    """The plan that was laid, from its text as it was kept; None if that is lost, or is not what the digest commits to."""
    if text is None:
        return None
    try:
        plan = read_plan(state.game.rules, state.line.before(laid.turn).position, text)
        return plan if plan_digest(salt, plan) == laid.digest else None
    except (Refusal, ValueError):
        return None


def reached(plan: Plan, seat: Seat, since: Sequence[TurnPlayed]) -> Branch | None:
    """The branch of a seat's plan that answers the last of the turns played `since` it begins; None if none does.

    The seat's own turns among them are answers of the plan, so the turns alternate: with the opponent's second turn in a row, or the own
    one after the own, nobody is where the plan was to lead.
    """
    branch = None
    for number, turn in enumerate(since):
        own = number % 2 == 1
        if own is not (turn.seat == seat):
            return None
        if not own:
            branch = fitting(plan, turn.steps)
            plan = branch.then if branch else ()
    return branch if len(since) % 2 == 1 else None


def _first(state: GameState, seat: Seat, command: LayPlan) -> tuple[int, Line]:
    """The turn that the plan begins with, and the line before it."""
    unknown = untold(state, command.arrived_at)
    if unknown is not None and unknown.seat != seat:
        return unknown.turn, state.line.before(unknown.turn)
    here = pending(state)
    if here.seat == seat:
        told = say(
            "It is your turn, turn {turn}: write your move. A plan for what comes after it may stand below, in the same mail.",
            turn=here.turn,
        )
        raise NotAllowed("your_turn", told)
    return here.turn, state.line


def _check_mail(state: GameState, turn: int, command: LayPlan) -> None:
    """Refuse a plan in answer to a mail from which its writer cannot know the board: neither about this turn nor about the one before."""
    edition = state.edition if command.edition is None else command.edition
    answered = turn if command.turn is None else command.turn
    if answered not in (turn - 1, turn) or not state.known_edition <= edition <= state.edition:
        told = say("That mail is out of date: the game has moved on since. Answer the newest mail of this game.")
        raise NotAllowed("plan_out_of_date", told)


def _dropped(seat: Seat, reason: PlanEnd) -> tuple[GameEvent, ...]:
    return (PlanDropped(seat=seat, reason=reason),)
