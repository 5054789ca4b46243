"""What a command needs of a game before it can be decided: each guard gives what it promises, or refuses with what to do instead."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, assert_never

from turnserver.envelope import PlayerId
from turnserver.errors import NotAllowed
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.state import GameState, Result
from turnserver.rules import Seat
from turnserver.words import listing

_HOW: dict[EndedBy, str] = {
    EndedBy.RULES: "by the rules",
    EndedBy.RESIGNATION: "by resignation",
    EndedBy.AGREEMENT: "by agreement",
    EndedBy.TIME: "on time",
    EndedBy.ADJUDICATION: "by an admin's decision",
    EndedBy.CANCELLATION: "because an admin cancelled it",
    EndedBy.ANNULMENT: "because an admin annulled it",
    EndedBy.REFUSAL: "because an invitation was declined",
}


class Pending(NamedTuple):
    """The turn that a running game waits for."""

    seat: Seat
    turn: int
    deadline: datetime
    remind_at: datetime


def seat_of(state: GameState, player: PlayerId) -> Seat:
    """The player's seat; refuses whoever has none (`not_in_game`), or has given it up while the others play on (`left_game`)."""
    seat = state.seat_of(player)
    if seat is None:
        raise NotAllowed("not_in_game", 'You do not play in this game. Write "games" to see the games that you do play in.')
    if seat in state.left and state.result is None:
        others = seat_names(state, state.staying)
        raise NotAllowed("left_game", f"You have left this game, and {others} play on without you. You can still ask about it.")
    return seat


def pending(state: GameState) -> Pending:
    """The pending turn; refuses (`not_started`, `game_over`) where there is none."""
    if state.to_move is None or state.deadline is None or state.remind_at is None:
        raise not_running(state)
    return Pending(state.to_move, state.turn, state.deadline, state.remind_at)


def in_time(turn: Pending, arrived_at: datetime) -> None:
    """Refuse (`too_late`) what arrived after the deadline, whether or not the clock has been looked at since."""
    if arrived_at > turn.deadline:
        raise NotAllowed(
            "too_late",
            f"The time for turn {turn.turn} ran out at {instant(turn.deadline)}, and this arrived at {instant(arrived_at)}. "
            "It is for the clock to decide now; if something went wrong on our side, write to the admin.",
        )


def not_running(state: GameState) -> NotAllowed:
    """The refusal of a command that needs a running game."""
    if state.result is None:
        return NotAllowed(
            "not_started",
            f"This game has not started: {waiting_for(state)}. "
            'Whoever is missing writes "accept" or "decline"; the first turn comes by itself.',
        )
    return NotAllowed("game_over", f"This game is over: {how_it_ended(state, state.result)}. Its players can do nothing more in it.")


def waiting_for(state: GameState) -> str:
    """Which seats have not accepted the invitation, as a clause."""
    missing = [seat for seat in state.seats if state.player_at(seat) not in state.accepted]
    return f"{seat_names(state, missing)} {'has' if len(missing) == 1 else 'have'} not accepted the invitation yet"


def how_it_ended(state: GameState, result: Result) -> str:
    """The result as a clause: `Red won by the rules (took the last counter)`."""
    how = f"{_HOW[result.by]} ({result.reason})" if result.reason else _HOW[result.by]
    match result.outcome:
        case Outcome.WON:
            return f"{seat_names(state, result.winners)} won {how}"
        case Outcome.DRAWN:
            return f"it was drawn {how}"
        case Outcome.VOID:
            return f"it ended without a result {how}"
        case _:
            assert_never(result.outcome)


def seat_names(state: GameState, named: Iterable[Seat]) -> str:
    """What the game calls these seats: `Red`, `Red and Blue`, `Red, Blue and Green`."""
    return listing([state.seat_name(seat) for seat in sorted(named)], "and")


def team_of(state: GameState, seat: Seat) -> frozenset[Seat]:
    """The seats that win and lose together with this one, itself among them."""
    return next(team for team in state.game.rules.teams if seat in team)


def instant(at: datetime) -> str:
    """An instant as people read it, to the second since a deadline may be missed by one."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
