"""Deciding about second thoughts: correcting a turn before the others are told of it, and taking turns back because all agree.

For some minutes after a turn, as agreed when the game was opened, nobody but its player knows of it, and the next turn's clock has not
begun. There is no such time after a turn upon which something was rolled, that ended the game or that was planned, nor if the same seat
goes on.
"""

from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.play import events as e
from turnserver.play.clock.clock import live_time, running
from turnserver.play.commands import Propose, Undo
from turnserver.play.guards import pending, seat_of
from turnserver.play.state import GameState, Proposal
from turnserver.rules import Seat
from turnserver.text import say

LEAST_TIME: Final = timedelta(hours=24)
"""The least time of a turn that is played again by agreement."""


def correction_time(state: GameState) -> timedelta:
    """Return how long a turn can be corrected before the others are told of it."""
    return timedelta(minutes=state.terms.correction_minutes)


def unannounced(state: GameState, now: datetime) -> e.TurnPlayed | None:
    """Return the last turn while nobody but its player may know of it; None otherwise."""
    newest, clock = state.line.entry, state.clock
    # before the turn itself: then the machine's clock was set back, and the others may have heard of the turn
    unheard = clock is not None and clock.since - correction_time(state) <= now < clock.since
    return newest if isinstance(newest, e.TurnPlayed) and unheard else None


def announced_at(state: GameState, now: datetime) -> datetime:
    """Return when the others may be told of the game as it is: `now`, or when its last turn can no longer be corrected."""
    return state.clock.since if state.clock is not None and unannounced(state, now) is not None else now


def corrects(state: GameState, command: Undo) -> bool:
    """Return whether the player corrects their turn instead of asking the others to take it back.

    That is so if another turn comes with the command, or if the others do not know of the turn yet. Refuses (`taken_back_already`) a
    command that was written before its writer knew of a retraction.
    """
    correctable = _correctable(state, seat_of(state, command.player), command)
    # whoever corrects a turn gets no mail about that, and may answer the same mail again to correct once more
    oldest = state.edition if correctable is None else state.known_edition
    if command.edition is not None and not oldest <= command.edition <= state.edition:
        raise NotAllowed("taken_back_already", say("A move was taken back since that mail. Reply to the newest mail of this game."))
    return command.again or correctable is not None


def correct(state: GameState, command: Undo, now: datetime) -> tuple[e.GameEvent, ...]:
    """Take back the player's turn that nobody else knows of. The clock goes on as if the turn had not been played.

    Refuses (`nothing_to_take_back`) before the seat has played, (`already_told`) a turn that the others know of or that is not the
    player's, and (`time_used_up`) once the time for the turn would be over.
    """
    seat = seat_of(state, command.player)
    pending(state)
    turn = _correctable(state, seat, command)
    if turn is None:
        _refuse_before_first(state, seat)
        message = say(
            'The others know your last move already, or the last move isn\'t yours. To ask them to take it back, reply "take back".'
        )
        raise NotAllowed("already_told", message)
    return (_retracted(state, turn, now, _still_left(state, turn, command.arrived_at), e.RetractionKind.CORRECTION),)


def proposed_take_back(state: GameState, seat: Seat, _command: Propose) -> e.ProposalMade:
    """Ask the others whether the seat may take its last turn back, and with it everything since.

    Refuses (`nothing_to_take_back`) before the seat has played, (`cannot_take_back`) if there was a roll, a skipped turn or a leaving
    since, and (`take_back_asked`) to ask for the same turn twice, so that nobody is pestered.
    """
    last = _refuse_before_first(state, seat)
    since = state.line.entries[state.line.entries.index(last) :]
    if any(entry.rolls or not isinstance(entry, e.TurnPlayed) for entry in since):
        message = say(
            "Your last move can't be taken back: since then there was a roll, a skipped turn, or somebody left. Only the organisers could."
        )
        raise NotAllowed("cannot_take_back", message)
    if state.take_backs[seat - 1] == last.turn:
        message = say("You have already asked to take back turn {turn}. You can ask once per turn. Play on.", turn=last.turn)
        raise NotAllowed("take_back_asked", message)
    return e.ProposalMade(seat=seat, kind=e.ProposalKind.TAKE_BACK)


def agreed_take_back(state: GameState, proposal: Proposal, now: datetime) -> tuple[e.GameEvent, ...]:
    """Go back to before the last turn of the seat that asked. The seat gets its time of then, or `LEAST_TIME` if that is more."""
    last = state.line.last_of(proposal.seat)
    if last is None:
        raise ValueError("a turn was to be taken back that was never played")
    time = None if last.left is None else max(last.left, LEAST_TIME)
    return (_retracted(state, last, now, time, e.RetractionKind.AGREEMENT),)


def _refuse_before_first(state: GameState, seat: Seat) -> e.TurnPlayed:
    """Return the last turn that the seat has played itself. Refuses (`nothing_to_take_back`) if there is none."""
    last = state.line.last_of(seat)
    if last is None:
        raise NotAllowed("nothing_to_take_back", say("You haven't played a turn yet, so there is nothing to take back."))
    return last


def _correctable(state: GameState, seat: Seat, command: Undo) -> e.TurnPlayed | None:
    turn = unannounced(state, command.arrived_at)
    return turn if turn is not None and turn.seat == seat and not turn.by_plan else None


def _still_left(state: GameState, turn: e.TurnPlayed, at: datetime) -> timedelta | None:
    """Return the time that a turn would have left at `at` if it had not been played; None without a limit.

    Refuses (`time_used_up`) none left.
    """
    if turn.left is None:
        return None
    # with time of its own for each correction, a player could put the others off for ever
    rest = turn.left + (turn.grace or timedelta(0)) - live_time(state, turn.seat).between(turn.received_at, at)
    if rest <= timedelta(0):
        message = say('Your time for that move would be up by now, so it stands. To ask the others to take it back, reply "take back".')
        raise NotAllowed("time_used_up", message)
    return rest


def _retracted(state: GameState, turn: e.TurnPlayed, now: datetime, time: timedelta | None, kind: e.RetractionKind) -> e.TurnsRetracted:
    clock = running(live_time(state, turn.seat), state.terms, now, time)
    return e.TurnsRetracted(first=turn.turn, kind=kind, seat=turn.seat, reason="", to_move=turn.seat, clock=clock)
