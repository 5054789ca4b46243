"""Deciding about a game of two that was lost on time, and that both would rather play on."""

from datetime import datetime, timedelta
from typing import Final, assert_never

from turnserver.errors import NotAllowed
from turnserver.play.clock.clock import allowance, control, live_time, running
from turnserver.play.clock.controls import Byoyomi, FixedHour, Increment, PerMove, Total, Unlimited
from turnserver.play.commands import Propose
from turnserver.play.events import EndedBy, GameReopened, Outcome, ProposalKind, ProposalMade
from turnserver.play.guards import instant
from turnserver.play.state import GameState, Proposal
from turnserver.rules import Seat
from turnserver.text import say

AT_LEAST: Final = timedelta(hours=24)
"""What the turn that was late has then, if its control does not give it more."""


def reopening_until(state: GameState) -> datetime | None:
    """Until when a game may be taken up again that was lost on time; None for any other game."""
    result, lost_at = state.result, state.flagged_at
    on_time = result is not None and result.by is EndedBy.TIME and result.outcome is Outcome.WON
    if not on_time or lost_at is None or len(state.seats) > 2 or state.commitment is not None:
        return None
    return lost_at + timedelta(hours=state.terms.reopen_hours)


def proposed_reopening(state: GameState, seat: Seat, command: Propose) -> ProposalMade:
    """The winner's offer to play on. Refuses what `still_reopenable` refuses, and (`not_the_winner`) the other side's."""
    still_reopenable(state, command.arrived_at)
    if state.result is None or seat not in state.result.winners:
        raise NotAllowed("not_the_winner", say("Only the winner can offer to play on. You may ask for it with say."))
    return ProposalMade(seat=seat, kind=ProposalKind.REOPENING)


def still_reopenable(state: GameState, arrived_at: datetime) -> None:
    """Refuse (`not_lost_on_time`) a game that was not, and (`secret_revealed`, `reopening_over`) one that cannot be taken up any more."""
    until = reopening_until(state)
    if state.result is not None and state.commitment is not None:
        told = say("A game with chance is not taken up again: its secret has been told, and everybody could work out what would be rolled.")
        raise NotAllowed("secret_revealed", told)
    if until is None:
        told = say("Only a game of two that was lost on time can be taken up again. Write a challenge for a new one.")
        raise NotAllowed("not_lost_on_time", told)
    if arrived_at >= until:
        told = say("This game could be taken up again until {when}. Write a challenge for a new one.", when=instant(until))
        raise NotAllowed("reopening_over", told)


def agreed_reopening(state: GameState, proposal: Proposal, now: datetime) -> tuple[GameReopened, ...]:
    """The turn that was late goes on, with time of its own."""
    late = next(seat for seat in state.seats if seat != proposal.seat)
    clock = running(live_time(state, late), state.terms, now, _second_time(state, late, now))
    return (GameReopened(to_move=late, clock=clock),)


def _second_time(state: GameState, late: Seat, now: datetime) -> timedelta:
    """What each further turn gets by the control, or a day if that is more."""
    agreed = control(state).control
    match agreed:
        case Increment():
            return max(AT_LEAST, agreed.increment)
        case Byoyomi():
            return max(AT_LEAST, agreed.period)
        case PerMove() | FixedHour():
            own = allowance(state, late, now)
            return max(AT_LEAST, own or AT_LEAST)
        case Total() | Unlimited():
            return AT_LEAST
        case _:
            assert_never(agreed)
