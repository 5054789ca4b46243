"""What follows when the board has changed: chance decides what is its to decide, then somebody must choose, or the game is over."""

from datetime import datetime
from typing import Any, NamedTuple, assert_never

from turnserver.play.chance import Chance, settle
from turnserver.play.clock.clock import turn_clock
from turnserver.play.events import EndedBy, GameEnded, Outcome, Rolled, TurnClock
from turnserver.play.state import GameState
from turnserver.rules import Choose, Over, Seat


class Handover(NamedTuple):
    """What chance decided, who has the turn then, and its clock; or how the rules have ended the game."""

    rolls: tuple[Rolled, ...]
    to_move: Seat | None
    clock: TurnClock | None
    over: Over | None


def hand_over(state: GameState, position: Any, now: datetime, chance: Chance | None) -> Handover:  # noqa: ANN401  # whatever the rules use
    """What follows in the game when its board has become `position`; the next turn's clock starts `now`."""
    key = chance.key(state.entropies) if chance else None
    rolls, _, here = settle(state.game.rules, position, key, state.draws_made)
    match here:
        case Choose(seat=seat):
            return Handover(rolls, seat, turn_clock(state, seat, now), None)
        case Over():
            return Handover(rolls, None, None, here)
        case _:
            assert_never(here)


def ended(over: Over | None, by: EndedBy = EndedBy.RULES) -> tuple[GameEnded, ...]:
    """The result that the rules give, or nothing while they have the game go on. Its reason goes into the log as plain text."""
    if over is None:
        return ()
    outcome = Outcome.WON if over.winners else Outcome.DRAWN
    return (GameEnded(outcome=outcome, by=by, winners=tuple(sorted(over.winners)), reason=str(over.reason), scores=over.scores),)
