"""Deciding about somebody who leaves: a table of two ends with it, at a larger one the others play on."""

from collections import Counter
from datetime import datetime
from typing import Any, Final, NamedTuple, assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.play import events as e
from turnserver.play.chance import Chance, settle
from turnserver.play.clock.clock import turn_clock
from turnserver.play.commands import Resign
from turnserver.play.guards import Pending, in_time, pending, seat_of, team_of
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose, Leaving, Over, Seat
from turnserver.text import say


class Handover(NamedTuple):
    """The rolls after somebody left, the seat to move and its clock; or the end of the game by the rules."""

    rolls: tuple[e.Rolled, ...]
    to_move: Seat | None
    clock: e.TurnClock | None
    over: Over | None


def hand_over(state: GameState, position: Any, now: datetime, chance: Chance | None) -> Handover:  # noqa: ANN401  # whatever the rules use
    """Return what follows once the board has become `position`. The next turn's clock starts `now`."""
    key = chance.key(state.entropies) if chance else None
    rolls, _, here = settle(state.game.rules, position, key, state.draws_made)
    match here:
        case Choose(seat=seat):
            return Handover(rolls, seat, turn_clock(state, seat, now), None)
        case Over():
            return Handover(rolls, None, None, here)
        case _:
            assert_never(here)


def ended(over: Over | None, by: e.EndedBy = e.EndedBy.RULES) -> tuple[e.GameEnded, ...]:
    """Return the result that the rules give, or nothing while the game goes on. The reason goes into the log as plain text."""
    if over is None:
        return ()
    outcome = e.Outcome.WON if over.winners else e.Outcome.DRAWN
    return (e.GameEnded(outcome=outcome, by=by, winners=tuple(sorted(over.winners)), reason=str(over.reason), scores=over.scores),)


_VOID: Final = e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.TIME, winners=(), reason="")
"""The end of a game that never got under way."""


def resign(state: GameState, command: Resign, now: datetime, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    """Give the game up. With two seats the other wins; with more the others play on, unless the rules say that the game is over."""
    seat = may_resign(state, command.player, command.arrived_at)
    resigned = e.SeatResigned(seat=seat)
    rules = state.game.rules
    if isinstance(rules, Leaving):
        after = hand_over(state, rules.leave(state.line.position, seat), now, chance)
        return (resigned, *_left(state, seat, e.EndedBy.RESIGNATION, after))
    return (resigned, _others_win(state, seat, e.EndedBy.RESIGNATION))


def may_resign(state: GameState, player: PlayerId, arrived_at: datetime) -> Seat:
    """Return the seat that a player may give up.

    Refuses (`not_started`, `game_over`) a game that does not run, (`too_late`) late mail, and a player without a seat.
    """
    seat = seat_of(state, player)
    if state.status is Status.INVITING:
        message = say('This game hasn\'t started. To call it off, reply "decline".')
        raise NotAllowed("not_started", message)
    in_time(pending(state), arrived_at)
    return seat


def time_out(state: GameState, here: Pending, now: datetime, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    """Time the seat to move out: it loses its seat or the game. The game is void if it never got under way (see `never_under_way`)."""
    timed_out = e.TurnTimedOut(seat=here.seat, turn=here.turn, deadline=here.clock.deadline or now)
    rules = state.game.rules
    if isinstance(rules, Leaving):
        after = hand_over(state, rules.leave(state.line.position, here.seat), now, chance)
        return (timed_out, *_left(state, here.seat, e.EndedBy.TIME, after))
    return (timed_out, _VOID if never_under_way(state, here.seat) else _others_win(state, here.seat, e.EndedBy.TIME))


def never_under_way(state: GameState, late: Seat) -> bool:
    """Return whether some side has completed fewer turns than the terms ask for.

    Turns that the house played do not count. A side that has left had its part in the game, unless its time runs out now.
    """
    # the turns of the house are nobody's
    turns = Counter(turn.seat for turn in state.line.turns if not turn.by_house)
    # so a table of three at which two never showed up ends without a result
    had_part = state.left - {late}
    return any(team.isdisjoint(had_part) and sum(turns[seat] for seat in team) < state.terms.void_turns for team in state.game.rules.teams)


def _left(state: GameState, seat: Seat, by: e.EndedBy, after: Handover) -> tuple[e.GameEvent, ...]:
    """Empty the seat. A game that this decides has ended `by` it; a game that a roll after it decides has ended by the rules."""
    clock = after.clock
    if after.to_move is not None and seat != state.to_move:
        # the seat to move stays the same, and so does its time
        clock = state.clock
    left = e.SeatLeft(seat=seat, to_move=after.to_move, clock=clock, rolls=after.rolls)
    # a game that a roll has decided was not decided by the leaving
    if after.rolls:
        return (left, *ended(after.over))
    if after.over and by is e.EndedBy.TIME and never_under_way(state, seat):
        return (left, _VOID)
    return (left, *ended(after.over, by))


def _others_win(state: GameState, seat: Seat, by: e.EndedBy) -> e.GameEnded:
    own = team_of(state, seat)
    return e.GameEnded(outcome=e.Outcome.WON, by=by, winners=tuple(other for other in state.seats if other not in own), reason="")
