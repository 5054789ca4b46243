"""Guards: conditions of commands to a game. Each returns the thing that it checks, or refuses and says what to do instead."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.play import reasons
from turnserver.play.events import EndedBy, Outcome, TurnClock
from turnserver.play.state import GameState, Result
from turnserver.rules import Over, Seat
from turnserver.text import Moment, listing, say


class Pending(NamedTuple):
    """The pending turn of a running game, with its clock."""

    seat: Seat
    turn: int
    clock: TurnClock


def seat_of(state: GameState, player: PlayerId) -> Seat:
    """Return the player's seat. Refuses a player without one.

    The player never had a seat (`not_in_game`), somebody took it over (`seat_taken_over`), or the player gave it up while the others play
    on (`left_game`).
    """
    seat = state.seat_of(player)
    if seat is None and player in state.everybody:
        message = say("Somebody else has taken over your seat in this game. You can still look at it.")
        raise NotAllowed("seat_taken_over", message)
    if seat is None:
        raise NotAllowed("not_in_game", say('You don\'t play in this game. Reply "games" to see your games.'))
    # after the end, everybody who had a seat is told the same
    if seat in state.left and state.result is None:
        others = seat_names(state, state.staying)
        message = say("You have left this game, and {others} play on without you. You can still look at it.", others=others)
        raise NotAllowed("left_game", message)
    return seat


def pending(state: GameState) -> Pending:
    """Return the pending turn. Refuses (`not_started`, `game_over`) a game without one."""
    if state.to_move is None or state.clock is None:
        raise not_running(state)
    return Pending(state.to_move, state.turn, state.clock)


def in_time(turn: Pending, arrived_at: datetime) -> None:
    """Refuse (`too_late`) a command that arrived after the deadline, even if the clock has not been checked since."""
    deadline = turn.clock.deadline
    if deadline is not None and arrived_at > deadline:
        message = say(
            "Your time for turn {turn} ran out at {deadline}, and your mail came at {arrival}. The clock decides now. "
            "If something went wrong on our side, write to the organisers.",
            turn=turn.turn,
            deadline=instant(deadline),
            arrival=instant(arrived_at),
        )
        raise NotAllowed("too_late", message)


def mover_in_time(state: GameState, turn: Pending, arrived_at: datetime) -> None:
    """Refuse (`too_late`) a command about the turn of another player that arrived after its deadline."""
    deadline = turn.clock.deadline
    if deadline is None or arrived_at <= deadline:
        return
    mover = state.seat_name(turn.seat)
    message = say("The time of {mover} ran out at {deadline}. The clock decides now.", mover=mover, deadline=instant(deadline))
    raise NotAllowed("too_late", message)


def nothing_on_offer(state: GameState, seat: Seat, until: datetime | None = None) -> None:
    """Refuse (`already_proposed`, `proposal_open`) a proposal of `seat` while any proposal is open.

    `until` is when an open proposal ends in a game that is over, where no move ends it.
    """
    if state.proposal is None:
        return
    if state.proposal.seat == seat:
        message = (
            say("Your offer is still open. Wait for the answer; the offer ends when the next move is played.")
            if until is None
            else say("Your offer is still open. Wait for the answer; without one, the offer ends at {when}.", when=instant(until))
        )
        raise NotAllowed("already_proposed", message)
    message = say(
        '{who} has made an offer already. Reply "accept" or "decline" first; then you can make yours.',
        who=state.seat_name(state.proposal.seat),
    )
    raise NotAllowed("proposal_open", message)


def answer_to_earlier_mail() -> NotAllowed:
    """Return the refusal of an answer to a mail that cannot have asked about what is open now."""
    message = say("A new offer was made since the mail you replied to. To answer it, reply to the newest mail.")
    return NotAllowed("answer_to_earlier_mail", message)


def not_running(state: GameState) -> NotAllowed:
    """Return the refusal of a command that needs a running game."""
    if state.result is None:
        message = say(
            "This game hasn't started: {others}. As soon as everybody has accepted, it begins, and a mail brings the first turn.",
            others=waiting_for(state),
        )
        return NotAllowed("not_started", message)
    how = how_it_ended(state, state.result)
    return NotAllowed("game_over", say("This game is over: {how}. Nothing more can be done in it.", how=how))


def waiting_for(state: GameState) -> str:
    """Return a clause that names the seats that have not accepted the invitation."""
    missing = [seat for seat in state.seats if state.player_at(seat) not in state.accepted]
    who, n = seat_names(state, missing), len(missing)
    return say("{who} hasn't accepted the invitation yet", "{who} haven't accepted the invitation yet", who=who, n=n)


def how_it_ended(state: GameState, result: Result) -> str:
    """Return the result as a clause: `Red won by the rules (took the last counter)`."""
    match result.outcome:
        case Outcome.WON:
            how = _won(state, result)
        case Outcome.DRAWN:
            how = _drawn(result.by)
        case Outcome.VOID:
            how = _void(result.by)
        case _:
            assert_never(result.outcome)
    return say("{how} ({reason})", how=how, reason=reason_of(state, result)) if result.reason else how


def reason_of(state: GameState, result: Result) -> str:
    """Return the reason of the result as in the log. A reason that the rules or a league gave is translatable."""
    # the log has plain English; the same sentence from the rules, or among ours, still knows its template
    here = state.game.rules.next(state.line.position) if result.reason else None
    return here.reason if isinstance(here, Over) and here.reason == result.reason else reasons.told(result.reason)


def _won(state: GameState, result: Result) -> str:
    who, n = seat_names(state, result.winners), len(result.winners)
    match result.by:
        case EndedBy.RULES:
            return say("{who} won by the rules", "{who} won by the rules", who=who, n=n)
        case EndedBy.RESIGNATION:
            return say("{who} won by resignation", "{who} won by resignation", who=who, n=n)
        case EndedBy.TIME:
            return say("{who} won on time", "{who} won on time", who=who, n=n)
        case EndedBy.ADJUDICATION | EndedBy.AGREEMENT | EndedBy.CANCELLATION | EndedBy.ANNULMENT | EndedBy.REFUSAL:
            # of these only an adjudication has winners
            return say("{who} won by the organisers' decision", "{who} won by the organisers' decision", who=who, n=n)
        case _:
            assert_never(result.by)


def _drawn(by: EndedBy) -> str:
    match by:
        case EndedBy.RULES:
            return say("a draw by the rules")
        case EndedBy.RESIGNATION:
            return say("a draw by resignation")
        case EndedBy.TIME:
            return say("a draw on time")
        case EndedBy.AGREEMENT:
            return say("a draw by agreement")
        case EndedBy.ADJUDICATION | EndedBy.CANCELLATION | EndedBy.ANNULMENT | EndedBy.REFUSAL:
            # of these only an adjudication draws a game
            return say("a draw by the organisers' decision")
        case _:
            assert_never(by)


def _void(by: EndedBy) -> str:
    match by:
        case EndedBy.TIME:
            return say("no result, because time ran out")
        case EndedBy.CANCELLATION:
            return say("no result, because the organisers cancelled it")
        case EndedBy.REFUSAL:
            return say("no result, because an invitation was declined")
        case EndedBy.ANNULMENT | EndedBy.ADJUDICATION | EndedBy.RULES | EndedBy.RESIGNATION | EndedBy.AGREEMENT:
            # of these only an annulment takes a result away
            return say("no result, because the organisers annulled it")
        case _:
            assert_never(by)


def seat_names(state: GameState, named: Iterable[Seat]) -> str:
    """Return the names of these seats as a listing: `Red`, `Red and Blue`, `Red, Blue and Green`."""
    return listing([state.seat_name(seat) for seat in sorted(named)], "and")


def team_of(state: GameState, seat: Seat) -> frozenset[Seat]:
    """Return the seats that win and lose together with this one, itself among them."""
    return next(team for team in state.game.rules.teams if seat in team)


def instant(at: datetime) -> Moment:
    """Return an instant in UTC for people, to the second, since a deadline may be missed by one."""
    return Moment(at.isoformat())
