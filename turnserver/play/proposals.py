"""Deciding about agreements of the players of a table: a draw, a pause, taking turns back.

One thing at a time is on offer in a game. Everybody else who is still at the table answers with yes or no, except the player whose own seat
is to be given away. One no takes the offer off the table, and the last yes carries it out. It lapses if somebody plays a turn before that.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, assert_never

from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.clock.clock import allowance, control, live_time, running
from turnserver.play.clock.controls import Byoyomi, FixedHour, Increment, PerMove, Total, Unlimited
from turnserver.play.commands import Accept, Decline, OfferDraw, Propose
from turnserver.play.evolve import evolve
from turnserver.play.guards import answer_to_earlier_mail, in_time, instant, nothing_on_offer, pending, seat_of
from turnserver.play.pausing import agreed_pause, proposed_pause
from turnserver.play.second_thoughts import agreed_take_back, proposed_take_back
from turnserver.play.state import GameState, Proposal
from turnserver.play.substitution import agreed_substitute, proposed_substitute
from turnserver.rules import Seat
from turnserver.text import say


def offer_draw(state: GameState, command: OfferDraw) -> tuple[e.GameEvent, ...]:
    """Offer a draw, once a turn and only while nothing else is on offer.

    Refuses (`no_draws`) a game without draws, (`draw_offered_this_turn`) a second offer in one turn, and (`draw_offered_lately`) a seat
    that offered fewer turns ago than was agreed, so that nobody is pestered.
    """
    seat = seat_of(state, command.player)
    here = pending(state)
    in_time(here, command.arrived_at)
    if not state.game.entry.draws:
        raise NotAllowed("no_draws", say('{game} can\'t end in a draw. Play on, or reply "resign".', game=state.game.entry.title))
    nothing_on_offer(state, seat)
    if here.turn in state.draw_offers:
        message = say("A draw was already offered and declined in turn {turn}. Offer again after it.", turn=here.turn)
        raise NotAllowed("draw_offered_this_turn", message)
    offered = state.draw_offers[seat - 1]
    if offered is not None and here.turn < offered + state.terms.draw_turns:
        message = say(
            "Your draw offer in turn {turn} was not accepted. You can offer again from turn {again} on; now it is turn {now}.",
            turn=offered,
            again=offered + state.terms.draw_turns,
            now=here.turn,
        )
        raise NotAllowed("draw_offered_lately", message)
    return (e.DrawOffered(seat=seat),)


def agreed_draw() -> tuple[e.GameEvent, ...]:
    """Return the end of a game whose players have agreed on a draw."""
    return (e.GameEnded(outcome=e.Outcome.DRAWN, by=e.EndedBy.AGREEMENT, winners=(), reason=""),)


AT_LEAST: Final = timedelta(hours=24)
"""The least time of the late turn after a reopening."""


def reopening_until(state: GameState) -> datetime | None:
    """Return the instant until which a game lost on time may be reopened; None for any other game."""
    result, lost_at = state.result, state.flagged_at
    on_time = result is not None and result.by is e.EndedBy.TIME and result.outcome is e.Outcome.WON
    # at a larger table the others have played on; the secret of a game with chance was told when it ended
    if not on_time or lost_at is None or len(state.seats) > 2 or state.commitment is not None:
        return None
    return lost_at + timedelta(hours=state.terms.reopen_hours)


def proposed_reopening(state: GameState, seat: Seat, command: Propose) -> e.ProposalMade:
    """Return the winner's offer to play on.

    Refuses as `still_reopenable` does, a second one beside an open one, and (`not_the_winner`) an offer of the other side.
    """
    nothing_on_offer(state, seat, until=still_reopenable(state, command.arrived_at))
    if state.result is None or seat not in state.result.winners:
        raise NotAllowed("not_the_winner", say("Only the winner can offer to play on. You can ask them for it with say."))
    return e.ProposalMade(seat=seat, kind=e.ProposalKind.REOPENING)


def still_reopenable(state: GameState, arrived_at: datetime) -> datetime:
    """Return the instant until which the game may be reopened. Refuse (`not_lost_on_time`) a game that was not lost on time.

    Refuse (`secret_revealed`, `reopening_over`) a game that cannot be reopened any more.
    """
    until = reopening_until(state)
    if state.result is not None and state.commitment is not None:
        message = say("A game with chance can't be reopened: its secret is public now, and everybody could work out the next rolls.")
        raise NotAllowed("secret_revealed", message)
    if until is None:
        message = say("Only a game of two that was lost on time can be reopened. Send a challenge for a new one.")
        raise NotAllowed("not_lost_on_time", message)
    if not state.terms.reopen_hours:
        raise NotAllowed("reopening_over", say("In this game a loss on time is final."))
    if arrived_at >= until:
        message = say("This game could be reopened until {when}. Send a challenge for a new one.", when=instant(until))
        raise NotAllowed("reopening_over", message)
    return until


def agreed_reopening(state: GameState, proposal: Proposal, now: datetime) -> tuple[e.GameReopened, ...]:
    """Return the reopening of the game: the late seat is to move again, with new time."""
    late = next(seat for seat in state.seats if seat != proposal.seat)
    clock = running(live_time(state, late), state.terms, now, _second_time(state, late, now))
    return (e.GameReopened(to_move=late, clock=clock),)


def _second_time(state: GameState, late: Seat, now: datetime) -> timedelta:
    # what the control gives each further turn, or a day if that is more
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


# Another kind of proposal takes a value of `ProposalKind`, with an optional field of `Propose`, `ProposalMade` and `Proposal` for its
# subject, and four lines. In `_PROPOSED`: who may propose it. In `_AGREED`: the events that carry it out, the first of which has to set
# `GameState.proposal` to None in `evolve`. In `audit.game.transitions`: that first event. In `mail.outbound.telling.proposals`: how the
# others are told and how they are asked.
_PROPOSED: Final[Mapping[e.ProposalKind, Callable[[GameState, Seat, Propose], e.ProposalMade]]] = MappingProxyType(
    {
        e.ProposalKind.PAUSE: proposed_pause,
        e.ProposalKind.REOPENING: proposed_reopening,
        e.ProposalKind.TAKE_BACK: proposed_take_back,
        e.ProposalKind.SUBSTITUTE: proposed_substitute,
    }
)
"""The proposal that a command makes, or a refusal."""

_AGREED: Final[Mapping[e.ProposalKind, Callable[[GameState, Proposal, datetime, datetime], tuple[e.GameEvent, ...]]]] = MappingProxyType(
    {
        e.ProposalKind.DRAW: lambda _state, _proposal, _arrived_at, _now: agreed_draw(),
        e.ProposalKind.PAUSE: agreed_pause,
        e.ProposalKind.REOPENING: lambda state, proposal, _arrived_at, now: agreed_reopening(state, proposal, now),
        e.ProposalKind.TAKE_BACK: lambda state, proposal, _arrived_at, now: agreed_take_back(state, proposal, now),
        e.ProposalKind.SUBSTITUTE: lambda _state, proposal, _arrived_at, _now: agreed_substitute(proposal),
    }
)
"""The events once everybody has agreed. The instants: when the last yes arrived, and when the decision is made."""


def propose(state: GameState, command: Propose, now: datetime) -> tuple[e.GameEvent, ...]:
    """Propose something to the others. If nobody else has a say, it happens at once.

    Refuses a proposal that its kind does not allow now, and a second one beside an open one.
    """
    seat = seat_of(state, command.player)
    # a reopening is proposed when no turn is pending any more
    if command.kind is not e.ProposalKind.REOPENING:
        in_time(pending(state), command.arrived_at)
        nothing_on_offer(state, seat)
    made = _PROPOSED[command.kind](state, seat, command)
    offering = evolve(state, made)
    on_offer = offering.proposal
    # the only other seat may be the one that waits for a substitute, and nobody sits there to be asked
    if on_offer is None or offering.answering(on_offer):
        return (made,)
    return (made, *_AGREED[made.kind](offering, on_offer, command.arrived_at, now))


def accept(state: GameState, command: Accept, now: datetime) -> tuple[e.GameEvent, ...]:
    """Agree to the open offer. When the last seat agrees, the offer is carried out.

    Refuses (`nothing_to_accept`) a seat that is not asked, (`already_accepted`) one that has agreed, late answers, and answers to earlier
    mails.
    """
    seat = seat_of(state, command.player)
    _still_asked(state, command.arrived_at)
    proposal = state.asked(seat)
    if proposal is None:
        raise NotAllowed("nothing_to_accept", say("There is nothing to accept. {instead}", instead=_instead(state)))
    _asked_now(state, command)
    if seat in proposal.agreed:
        message = say("You have agreed already; the others haven't answered yet. Wait for them or play on.")
        raise NotAllowed("already_accepted", message)
    agreed = e.DrawAccepted(seat=seat) if proposal.kind is e.ProposalKind.DRAW else e.ProposalAgreed(seat=seat)
    if not {*proposal.agreed, seat} >= state.answering(proposal):
        return (agreed,)
    return (agreed, *_AGREED[proposal.kind](evolve(state, agreed), proposal, command.arrived_at, now))


def decline(state: GameState, command: Decline) -> tuple[e.GameEvent, ...]:
    """Decline the open offer. A seat may decline it even after agreeing, while the offer is open.

    Refuses (`nothing_to_decline`) a seat that is not asked, late answers, and answers to earlier mails.
    """
    seat = seat_of(state, command.player)
    _still_asked(state, command.arrived_at)
    proposal = state.asked(seat)
    if proposal is None:
        raise NotAllowed("nothing_to_decline", say("There is nothing to decline. {instead}", instead=_instead(state)))
    _asked_now(state, command)
    return (e.DrawDeclined(seat=seat) if proposal.kind is e.ProposalKind.DRAW else e.ProposalDeclined(seat=seat),)


def _still_asked(state: GameState, arrived_at: datetime) -> None:
    # a game that was lost has no deadline; its offer lapses with the time in which it may be reopened
    if state.proposal is not None and state.proposal.kind is e.ProposalKind.REOPENING:
        still_reopenable(state, arrived_at)
    else:
        in_time(pending(state), arrived_at)


def _asked_now(state: GameState, command: Accept | Decline) -> None:
    """Refuse an answer to a mail of another turn than the pending one."""
    turn = state.turn if command.turn is None else command.turn
    edition = state.edition if command.edition is None else command.edition
    if (turn, edition) != (state.turn, state.edition):
        # that mail cannot have asked about the offer that is open now
        raise answer_to_earlier_mail()


def _instead(state: GameState) -> str:
    if state.proposal is None:
        return say("There is no offer to answer. Play on.")
    return say("You made this offer yourself. Wait for the answer, or play on, which ends it.")
