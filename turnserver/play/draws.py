"""Deciding about draws by agreement: every seat that has not left must agree; one that declines ends the offer."""

from turnserver.errors import NotAllowed
from turnserver.play.commands import Accept, Decline, OfferDraw
from turnserver.play.events import DrawAccepted, DrawDeclined, DrawOffered, EndedBy, GameEnded, GameEvent, Outcome
from turnserver.play.guards import in_time, pending, seat_of
from turnserver.play.state import GameState
from turnserver.words import say


def offer_draw(state: GameState, command: OfferDraw) -> tuple[GameEvent, ...]:
    """Offer a draw, once a turn and only while no other offer is open. Refuses games without draws (`no_draws`)."""
    seat = seat_of(state, command.player)
    here = pending(state)
    in_time(here, command.arrived_at)
    if not state.game.entry.draws:
        raise NotAllowed("no_draws", say('{game} knows no draws. Play on, or write "resign".', game=state.game.entry.title))
    if state.draw_offer == seat:
        told = say("Your offer of a draw is open already. Wait for the answer; it lapses with the next turn.")
        raise NotAllowed("draw_already_offered", told)
    if state.draw_offer is not None:
        told = say('{who} has already offered a draw. Write "accept" to agree to it.', who=state.seat_name(state.draw_offer))
        raise NotAllowed("draw_open", told)
    if state.last_draw_offer == here.turn:
        told = say("A draw was offered in vain during turn {turn}. Offer again after it.", turn=here.turn)
        raise NotAllowed("draw_offered_this_turn", told)
    return (DrawOffered(seat=seat),)


def accept_draw(state: GameState, command: Accept) -> tuple[GameEvent, ...]:
    """Agree to the draw on offer; the last seat to agree ends the game."""
    seat = seat_of(state, command.player)
    in_time(pending(state), command.arrived_at)
    if state.draw_offer is None or state.draw_offer == seat:
        raise NotAllowed("nothing_to_accept", say("There is nothing to accept. {instead}", instead=_instead(state)))
    _asked_now(state, command)
    if seat in state.draw_agreed:
        told = say("You have accepted the draw already; the others have yet to answer. Wait for them or play on.")
        raise NotAllowed("already_accepted", told)
    accepted = DrawAccepted(seat=seat)
    if not {*state.draw_agreed, state.draw_offer, seat}.issuperset(state.staying):
        return (accepted,)
    return (accepted, GameEnded(outcome=Outcome.DRAWN, by=EndedBy.AGREEMENT, winners=(), reason=""))


def decline_draw(state: GameState, command: Decline) -> tuple[GameEvent, ...]:
    """Refuse the draw on offer, also after having accepted it as long as the game goes on."""
    seat = seat_of(state, command.player)
    in_time(pending(state), command.arrived_at)
    if state.draw_offer is None or state.draw_offer == seat:
        raise NotAllowed("nothing_to_decline", say("There is nothing to decline. {instead}", instead=_instead(state)))
    _asked_now(state, command)
    return (DrawDeclined(seat=seat),)


def _asked_now(state: GameState, command: Accept | Decline) -> None:
    """Refuse an answer to a mail of another turn than the pending one, which cannot have asked about this offer."""
    turn = state.turn if command.turn is None else command.turn
    edition = state.edition if command.edition is None else command.edition
    if (turn, edition) != (state.turn, state.edition):
        raise NotAllowed(
            "answer_to_earlier_mail",
            say("Your mail answers an earlier one than the offer of a draw that is open now. To answer the offer, answer the newest mail."),
        )


def _instead(state: GameState) -> str:
    if state.draw_offer is None:
        return say("No draw is on offer; play on.")
    return say("The draw on offer is your own; wait for the answer, or play on and it lapses.")
