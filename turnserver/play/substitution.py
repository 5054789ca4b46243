"""Deciding who plays on at a seat in place of somebody else. Clock and pieces stay with the seat; agreements do not."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.ids import Burden, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.clock.clock import left, live_time, running
from turnserver.play.evolve import fold
from turnserver.play.guards import Pending, answer_to_earlier_mail, in_time, pending, seat_of
from turnserver.play.state import GameState, Proposal, SeatOffer, with_seat
from turnserver.play.timing import thaw_clock
from turnserver.rules import Seat
from turnserver.text import say

TIME_TO_SETTLE: Final = timedelta(hours=24)
"""The least time that a substitute has for the turn that is pending."""

NOTHING: Final = timedelta(0)


def substitute(state: GameState, command: c.Substitute, now: datetime) -> tuple[e.GameEvent, ...]:
    """Seat somebody else. A freeze of the former player's own clock ends.

    Refuses (`not_started`, `game_over`) a game that does not run, (`no_such_seat`, `seat_left`) a seat that nobody plays at,
    (`already_playing`) a player of the game, and (`reason_missing`) to do it without a reason.
    """
    pending(state)
    if command.seat not in state.seats:
        raise NotAllowed("no_such_seat", f"This game has the seats 1 to {state.game.rules.seats}. Name one of them.")
    if command.seat in state.left:
        raise NotAllowed("seat_left", "That seat has left for good, and the others play on without it. Nobody can take it over.")
    not_at_the_table(state, command.player)
    if not command.reason.strip():
        raise NotAllowed("reason_missing", "A substitute needs a reason, which the players and the history will show. Give one.")
    return taken_over(state, command, now)


def not_at_the_table(state: GameState, player: PlayerId) -> None:
    """Refuse (`already_playing`) a player who has a seat of the game, even one that was given up."""
    if player in state.players:
        raise NotAllowed("already_playing", say("That player is in this game already. Name somebody else."))


def taken_over(state: GameState, command: c.Substitute, now: datetime) -> tuple[e.GameEvent, ...]:
    """Return the events when an entitled player sits down in place of somebody else."""
    here = pending(state)
    ended = _freezes_ended(state, command, now)
    seated = e.SubstituteSeated(
        seat=command.seat,
        player=command.player,
        zone=command.zone,
        rating=command.rating,
        reason=str(command.reason),
        clock=_clock(fold(ended, state), here, command, now),
    )
    return (*ended, seated)


def _freezes_ended(state: GameState, command: c.Substitute, now: datetime) -> tuple[e.GameEvent, ...]:
    events: tuple[e.GameEvent, ...] = ()
    for freeze in state.freezes:
        # the freezes of the seat alone; those that stop every clock stay
        if freeze.seat == command.seat and (freeze.ends is None or freeze.ends > max(freeze.begins, now)):
            events = (*events, *thaw_clock(fold(events, state), c.ThawClock(freeze.number, now)))
    return events


def _clock(state: GameState, here: Pending, command: c.Substitute, now: datetime) -> e.TurnClock:
    """Return the clock of the pending turn after the change. If it is the seat's own turn, it has at least `TIME_TO_SETTLE`."""
    if here.seat != command.seat:
        return here.clock
    # a turn that the others do not know of yet is no reason to begin sooner
    begins = max(now, here.clock.since)
    # the clock of a seat that waited for somebody counts the waiting
    has = NOTHING if state.vacant == here.seat else left(state, begins)
    there = replace(state, zones=with_seat(state.zones, here.seat, command.zone))
    return running(live_time(there, here.seat), state.terms, begins, None if has is None else max(has, TIME_TO_SETTLE))


def proposed_substitute(state: GameState, seat: Seat, command: c.Propose) -> e.ProposalMade:
    """Return the proposal to ask somebody for the seat that waits for a substitute, or else for the proposer's own seat.

    Refuses (`already_playing`) a player of the game, and (`already_invited`) one who was asked and has not answered. Raises ValueError if
    nobody is named.
    """
    if command.substitute is None:
        raise ValueError("a substitute has to be named")
    not_at_the_table(state, command.substitute)
    if state.seat_offer(command.substitute):
        message = say("We have asked that player already and have no answer yet. Wait, or name somebody else.")
        raise NotAllowed("already_invited", message)
    place = seat if state.vacant is None else state.vacant
    return e.ProposalMade(seat=seat, kind=e.ProposalKind.SUBSTITUTE, player=command.substitute, place=place)


def agreed_substitute(proposal: Proposal) -> tuple[e.SubstituteInvited, ...]:
    """Ask the substitute on whom the table has agreed."""
    if proposal.place is None or proposal.player is None:
        raise ValueError("a substitute was agreed on, and nobody knows whom or where")
    return (e.SubstituteInvited(seat=proposal.place, player=proposal.player, asked_by=proposal.seat),)


def take_seat(state: GameState, offer: SeatOffer, command: c.Accept, now: datetime) -> tuple[e.GameEvent, ...]:
    """Take the seat that was offered. The result counts for the former player, unless an admin says otherwise."""
    in_time(pending(state), command.arrived_at)
    _asked_then(offer, command)
    return taken_over(state, c.Substitute(offer.seat, offer.player, command.zone, Burden.SEAT, ""), now)


def refuse_seat(offer: SeatOffer, command: c.Decline) -> tuple[e.GameEvent, ...]:
    """Decline the seat that was offered."""
    _asked_then(offer, command)
    return (e.SubstituteDeclined(seat=offer.seat, player=offer.player),)


def withdraw(state: GameState, command: c.Withdraw) -> tuple[e.GameEvent, ...]:
    """Withdraw the substitute that the player wanted. Refuses (`nothing_to_withdraw`) a player who has proposed none."""
    seat, on_offer = seat_of(state, command.player), state.proposal
    pending(state)
    proposed = on_offer is not None and (on_offer.kind, on_offer.seat) == (e.ProposalKind.SUBSTITUTE, seat)
    if not proposed and all(offer.asked_by != seat for offer in state.seat_offers):
        raise NotAllowed("nothing_to_withdraw", say("You have no substitute to call off. Play on."))
    return (e.SubstituteWithdrawn(seat=seat),)


def asked(events: Iterable[e.GameEvent]) -> frozenset[PlayerId]:
    """Return everybody whom players of a game wanted to ask as substitutes, whether or not they have played in it."""
    return frozenset(event.player for event in events if isinstance(event, e.ProposalMade) and event.player is not None)


def _asked_then(offer: SeatOffer, command: c.Accept | c.Decline) -> None:
    """Refuse an answer to a mail from before the seat was offered."""
    turn = offer.turn if command.turn is None else command.turn
    edition = offer.edition if command.edition is None else command.edition
    # the edition first: after a retraction, turns of the same number come again
    if (edition, turn) < (offer.edition, offer.turn):
        raise answer_to_earlier_mail()
