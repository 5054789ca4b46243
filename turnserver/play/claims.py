"""Deciding about claims: a player of two asks the admin to decide the game, because the other one does not move.

A claim is about the pending turn, so a move settles it. It waits for the admin, who grants it, which wins the game, or dismisses it.
"""

from datetime import timedelta
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.clock.clock import on_vacation
from turnserver.play.commands import DecideClaim, DropClaim, MakeClaim
from turnserver.play.guards import instant, mover_in_time, pending, seat_of, team_of
from turnserver.play.state import GameState
from turnserver.play.timing import standing_still
from turnserver.text import say

NOT_BEFORE: Final = timedelta(days=1)
"""The age of a turn before its opponent may make a claim."""


def make_claim(state: GameState, command: MakeClaim) -> tuple[e.ClaimMade]:
    """Ask for a decision because the opponent does not move.

    Refuses (`not_of_two`) a larger table, (`own_turn`) the player who has the turn, (`too_late`) a turn whose time was up, (`claim_open`,
    `claimed_already`) a second claim about the same turn, (`claim_too_early`) a claim within `NOT_BEFORE`, and (`clock_stands_still`) one
    during a vacation, a pause or a halt.
    """
    seat, here, at = seat_of(state, command.player), pending(state), command.arrived_at
    mover, from_then = state.seat_name(here.seat), here.clock.since + NOT_BEFORE
    if len(state.seats) > 2:
        raise NotAllowed("not_of_two", say('Claims are for games of two. Reply "nudge" to ask for the move, or write to the organisers.'))
    if seat == here.seat:
        raise NotAllowed("own_turn", say("The game waits for your own move, so there is nothing to claim."))
    mover_in_time(state, here, at)
    if state.open_claim is not None:
        raise NotAllowed("claim_open", say("Your claim waits for the organisers already. You get a mail with the decision."))
    if state.claim_now is not None:
        message = say(
            "There was a claim about this turn already, and there can be only one. If something has changed, write to the organisers."
        )
        raise NotAllowed("claimed_already", message)
    if at < from_then:
        message = say("{mover} has been to move for less than a day. Make a claim after {when}.", mover=mover, when=instant(from_then))
        raise NotAllowed("claim_too_early", message)
    if on_vacation(state, here.seat, at) or standing_still(state, at, e.FreezeKind.PAUSE, e.FreezeKind.HALT):
        message = say("The clock of {mover} stands still for a vacation or a pause, so there is nothing to claim.", mover=mover)
        raise NotAllowed("clock_stands_still", message)
    return (e.ClaimMade(seat=seat, turn=here.turn, claimed_at=at),)


def drop_claim(state: GameState, command: DropClaim) -> tuple[e.ClaimDropped]:
    """Take the player's claim back. Refuses (`no_claim`) where none waits."""
    seat = seat_of(state, command.player)
    pending(state)
    if state.open_claim is None or state.open_claim.seat != seat:
        raise NotAllowed("no_claim", say("No claim of yours waits in this game, so there is nothing to take back."))
    return (e.ClaimDropped(seat=seat),)


def decide_claim(state: GameState, command: DecideClaim) -> tuple[e.GameEvent, ...]:
    """Grant the open claim, which wins the game, or dismiss it.

    Refuses (`no_claim`) a game in which none waits, and (`reason_missing`) a decision without a reason.
    """
    pending(state)
    claim = state.open_claim
    if claim is None and state.claim_now is not None and state.claim_now.dismissed:
        raise NotAllowed(
            "no_claim",
            f"The claim about turn {state.turn} was dismissed already. `turnserver game result` decides the game all the same.",
        )
    if claim is None:
        raise NotAllowed("no_claim", "No claim waits for a decision in this game. `turnserver game list --claims` lists those that do.")
    if not command.reason.strip():
        raise NotAllowed("reason_missing", "A decision about a claim needs a reason, which both players will read. Give one.")
    decided = e.ClaimDecided(seat=claim.seat, granted=command.granted, reason=str(command.reason))
    if not command.granted:
        return (decided,)
    winners = tuple(sorted(team_of(state, claim.seat)))
    won = e.GameEnded(outcome=e.Outcome.WON, by=e.EndedBy.ADJUDICATION, winners=winners, reason=str(command.reason))
    return (decided, won)
