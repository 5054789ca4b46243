"""Deciding about substitutes whom the players themselves want: one of them names somebody, the others agree, and he is asked.

Whoever is asked takes the seat or does not. Until he has answered nothing changes: whoever sits there has his turns and his clock. What
is asked for a seat holds until somebody has answered, it is withdrawn, another one is asked for that seat, or the seat is no longer free.
"""

from collections.abc import Iterable
from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.ids import Burden, PlayerId
from turnserver.play.commands import Accept, Decline, Propose, Substitute, Withdraw
from turnserver.play.events import GameEvent, ProposalKind, ProposalMade, SubstituteDeclined, SubstituteInvited, SubstituteWithdrawn
from turnserver.play.guards import answer_to_earlier_mail, in_time, pending, seat_of
from turnserver.play.state import GameState, Proposal, SeatOffer
from turnserver.play.substitution import not_at_the_table, taken_over
from turnserver.rules import Seat
from turnserver.text import say


def proposed_substitute(state: GameState, seat: Seat, command: Propose) -> ProposalMade:
    """The proposal to ask somebody: for the seat that waits for a substitute, or else for the seat of whoever proposes it.

    Refuses (`already_playing`) a player of the game, and (`already_invited`) one who was asked and has not answered. Raises ValueError
    if nobody is named.
    """
    if command.substitute is None:
        raise ValueError("a substitute has to be named")
    not_at_the_table(state, command.substitute)
    if state.seat_offer(command.substitute):
        told = say("That player has been asked to play on in this game already, and has not answered yet. Wait, or name somebody else.")
        raise NotAllowed("already_invited", told)
    place = seat if state.vacant is None else state.vacant
    return ProposalMade(seat=seat, kind=ProposalKind.SUBSTITUTE, player=command.substitute, place=place)


def agreed_substitute(proposal: Proposal) -> tuple[SubstituteInvited, ...]:
    """Ask the substitute on whom the table has agreed."""
    if proposal.place is None or proposal.player is None:
        raise ValueError("a substitute was agreed on, and nobody knows whom or where")
    return (SubstituteInvited(seat=proposal.place, player=proposal.player, asked_by=proposal.seat),)


def take_seat(state: GameState, offer: SeatOffer, command: Accept, now: datetime) -> tuple[GameEvent, ...]:
    """Sit down where one was asked to. The result counts for whoever had the seat before, as it does unless an admin says otherwise."""
    in_time(pending(state), command.arrived_at)
    _asked_then(offer, command)
    return taken_over(state, Substitute(offer.seat, offer.player, command.zone, Burden.SEAT, ""), now)


def refuse_seat(offer: SeatOffer, command: Decline) -> tuple[GameEvent, ...]:
    """Stay out of the game."""
    _asked_then(offer, command)
    return (SubstituteDeclined(seat=offer.seat, player=offer.player),)


def withdraw(state: GameState, command: Withdraw) -> tuple[GameEvent, ...]:
    """Want no substitute any more. Refuses (`nothing_to_withdraw`) whoever has proposed none."""
    seat, on_offer = seat_of(state, command.player), state.proposal
    pending(state)
    proposed = on_offer is not None and (on_offer.kind, on_offer.seat) == (ProposalKind.SUBSTITUTE, seat)
    if not proposed and all(offer.asked_by != seat for offer in state.seat_offers):
        raise NotAllowed("nothing_to_withdraw", say("You have proposed no substitute who is still to answer. Play on."))
    return (SubstituteWithdrawn(seat=seat),)


def asked(events: Iterable[GameEvent]) -> frozenset[PlayerId]:
    """Everybody whom players of a game wanted to ask, whether he has played in it or not."""
    return frozenset(event.player for event in events if isinstance(event, ProposalMade) and event.player is not None)


def _asked_then(offer: SeatOffer, command: Accept | Decline) -> None:
    """Refuse an answer to a mail from before the seat was offered, which cannot have asked about it."""
    turn = offer.turn if command.turn is None else command.turn
    edition = offer.edition if command.edition is None else command.edition
    if (edition, turn) < (offer.edition, offer.turn):
        raise answer_to_earlier_mail()
