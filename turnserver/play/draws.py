"""Deciding about draws by agreement; how the others answer an offer stands in `play.proposals`."""

from turnserver.errors import NotAllowed
from turnserver.play.commands import OfferDraw
from turnserver.play.events import DrawOffered, EndedBy, GameEnded, GameEvent, Outcome
from turnserver.play.guards import in_time, nothing_on_offer, pending, seat_of
from turnserver.play.state import GameState
from turnserver.text import say


def offer_draw(state: GameState, command: OfferDraw) -> tuple[GameEvent, ...]:
    """Offer a draw, once a turn and only while nothing else is on offer. Refuses games without draws (`no_draws`).

    Refuses (`draw_offered_lately`) a seat whose last offer is fewer turns ago than was agreed, so that nobody is pestered.
    """
    seat = seat_of(state, command.player)
    here = pending(state)
    in_time(here, command.arrived_at)
    if not state.game.entry.draws:
        raise NotAllowed("no_draws", say('{game} knows no draws. Play on, or write "resign".', game=state.game.entry.title))
    nothing_on_offer(state, seat)
    if here.turn in state.draw_offers:
        told = say("A draw was offered in vain during turn {turn}. Offer again after it.", turn=here.turn)
        raise NotAllowed("draw_offered_this_turn", told)
    offered = state.draw_offers[seat - 1]
    if offered is not None and here.turn < offered + state.terms.draw_turns:
        told = say(
            "You offered a draw during turn {turn}, in vain. You may offer again from turn {again} on; now it is turn {now}.",
            turn=offered,
            again=offered + state.terms.draw_turns,
            now=here.turn,
        )
        raise NotAllowed("draw_offered_lately", told)
    return (DrawOffered(seat=seat),)


def agreed_draw() -> tuple[GameEvent, ...]:
    """The end of a game whose players have agreed on a draw."""
    return (GameEnded(outcome=Outcome.DRAWN, by=EndedBy.AGREEMENT, winners=(), reason=""),)
