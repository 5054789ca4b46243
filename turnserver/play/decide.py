"""Deciding what follows from a command: the events, or a refusal. Pure: the instant of the decision is an argument."""

from datetime import datetime
from typing import assert_never

from turnserver import games
from turnserver.errors import NotAllowed, NotFound, SecretLost
from turnserver.play import commands as c
from turnserver.play.admin import adjudicate, annul, cancel, reopen, retract
from turnserver.play.chance import Chance, commitment
from turnserver.play.claims import decide_claim, drop_claim, make_claim
from turnserver.play.conditional_moves import answer_by_plan, forget_plan, lay_plan
from turnserver.play.events import GameEnded, GameEvent, ProposalKind, SecretRevealed
from turnserver.play.evolve import FindGame, fold
from turnserver.play.leaving import resign
from turnserver.play.opening import accept_invitation, decline_invitation, open_game
from turnserver.play.pausing import release, resume
from turnserver.play.proposals import accept, decline, offer_draw, propose
from turnserver.play.second_thoughts import correct, corrects
from turnserver.play.state import GameState, Status
from turnserver.play.substitution import refuse_seat, substitute, take_seat, withdraw
from turnserver.play.timeouts import House, judged, nudge
from turnserver.play.timing import check_clock, credit_clock, freeze_clock, give_time, thaw_clock
from turnserver.play.turns import play_turn
from turnserver.text import say


def decide(
    state: GameState | None,
    command: c.Command,
    now: datetime,
    find: FindGame = games.find,
    chance: Chance | None = None,
    *,
    house: House = games.house_turn,
) -> tuple[GameEvent, ...]:
    """Return the events that follow from `command` at the instant `now` (UTC), at least one. `state` is None before the game is opened.

    `chance` rolls for games with chance and is ignored by others. `house` plays the turns of the house. Raises SecretLost if the chance
    still to come is not the one that the game has committed to; then the game can only be cancelled. Raises a Refusal with a stable code
    and a message that says what to do instead: NotAllowed for what the state of the game forbids, StepError for what the rules forbid,
    BadOption for options, NotFound for a game that was never opened.
    """
    if isinstance(command, c.OpenGame):
        if state is not None:
            raise NotAllowed("already_open", say("This game is open already. Open a new one."))
        return open_game(command, find, chance)
    if state is None:
        raise NotFound(say('There is no such game. Reply "games" to see your games.'))
    try:
        # without its secret a game can decide nothing that may roll; cancelling rolls nothing
        own = _its_own(state, chance)
    except SecretLost:
        if isinstance(command, c.Cancel):
            return cancel(state, command)
        raise
    # a late command brings the grace along that its seat is owed, and is decided on the game with that grace
    granted = judged(state, command.arrived_at) if isinstance(command, c.PlayerCommand) else ()
    events = (*granted, *_decide(fold(granted, state), command, now, own, house))
    if own is not None and any(isinstance(event, GameEnded) for event in events):
        # in the same transaction as the end, so that no ended game keeps its secret
        return (*events, SecretRevealed(secret=own.secret.hex()))
    return events


def _its_own(state: GameState, chance: Chance | None) -> Chance | None:
    """Return the chance that the game has committed to. None for a game without chance, and for an ended game, which rolls no more."""
    if state.commitment is None or state.result is not None:
        return None
    if chance is None:
        raise SecretLost(
            "The secret that this game's rolls come from is not in the database any more. Restore it from a backup, or cancel the game."
        )
    if commitment(chance.secret) != state.commitment:
        raise SecretLost(
            "The secret that is kept for this game is not the one that its log commits to. Restore it from a backup, or cancel the game."
        )
    return chance


def _decide(  # noqa: C901, PLR0912  # one branch a command
    state: GameState, command: c.GameCommand, now: datetime, chance: Chance | None, house: House
) -> tuple[GameEvent, ...]:
    match command:
        case c.PlayTurn():
            return play_turn(state, command, now, chance)
        case c.LayPlan():
            return lay_plan(state, command)
        case c.ForgetPlan():
            return forget_plan(state, command)
        case c.AnswerByPlan():
            return answer_by_plan(state, command, now, chance)
        case c.Accept() if state.status is Status.INVITING:
            return accept_invitation(state, command, now, chance)
        case c.Accept(player=player) if offer := state.seat_offer(player):
            return take_seat(state, offer, command, now)
        case c.Accept():
            return accept(state, command, now)
        case c.Decline():
            return _decline(state, command)
        case c.Resign():
            return resign(state, command, now, chance)
        case c.Nudge():
            return nudge(state, command)
        case c.GiveTime():
            return give_time(state, command)
        case c.MakeClaim():
            return make_claim(state, command)
        case c.DropClaim():
            return drop_claim(state, command)
        case c.DecideClaim():
            return decide_claim(state, command)
        case c.OfferDraw():
            return offer_draw(state, command)
        case c.Undo():
            return _undo(state, command, now)
        case c.Propose():
            return propose(state, command, now)
        case c.Withdraw():
            return withdraw(state, command)
        case c.Resume():
            return resume(state, command, now)
        case c.CheckClock():
            return check_clock(state, command, now, chance, house)
        case c.CreditClock():
            return credit_clock(state, command)
        case c.FreezeClock():
            return freeze_clock(state, command, now)
        case c.ThawClock():
            return thaw_clock(state, command)
        case c.Release():
            return release(state, command, now)
        case c.Substitute():
            return substitute(state, command, now)
        case c.Cancel():
            return cancel(state, command)
        case c.Adjudicate():
            return adjudicate(state, command)
        case c.Annul():
            return annul(state, command)
        case c.Retract():
            return retract(state, command, now)
        case c.Reopen():
            return reopen(state, command, now)
        case _:
            assert_never(command)


def _undo(state: GameState, command: c.Undo, now: datetime) -> tuple[GameEvent, ...]:
    if corrects(state, command):
        return correct(state, command, now)
    return propose(state, c.Propose(command.player, command.arrived_at, ProposalKind.TAKE_BACK), now)


def _decline(state: GameState, command: c.Decline) -> tuple[GameEvent, ...]:
    if state.status is Status.INVITING:
        return decline_invitation(state, command.player)
    if offer := state.seat_offer(command.player):
        return refuse_seat(offer, command)
    return decline(state, command)
