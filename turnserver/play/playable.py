"""A check that the standing turns of a game can still be played by its rules, made once before a game is served.

A fold trusts the log, and rules are only asked to follow what it says. If the rules have changed since, they may follow it to a board that
none of the players has seen. `audit.game.recheck` finds all faults of a history; this finds only those that would mislead somebody now.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from turnserver.errors import Malformed
from turnserver.play.events import GameStarted, SeatLeft, TurnPlayed, TurnSkipped
from turnserver.play.line import Board
from turnserver.play.state import GameState
from turnserver.rules import Choose


def check(state: GameState) -> None:
    """Play the line of a game whose turn is pending, step by step. The line keeps the board that it comes to.

    Raises StepError for a step that is not legal, Malformed if by the rules another seat has the turn or nobody has it, and any error that
    rules raise over a line that they cannot follow.
    """
    if state.to_move is None:
        return
    rules: Any = state.game.rules
    position, last_step = rules.start(), None
    for entry in state.line.entries:
        match entry:
            case TurnPlayed():
                position, last_step = _stepped(rules, position, entry.steps)
            case TurnSkipped():
                position = rules.skip(position)
            case SeatLeft():
                position = rules.leave(position, entry.seat)
            case GameStarted():
                pass
            case _:
                assert_never(entry)
        if entry.rolls:
            position, _ = _stepped(rules, position, [roll.outcome for roll in entry.rolls])
    here = rules.next(position)
    if not isinstance(here, Choose) or here.seat != state.to_move:
        by_rules = f"seat {here.seat}" if isinstance(here, Choose) else "nobody"
        raise Malformed(f"seat {state.to_move} is to move, by the rules {by_rules}")
    state.line.memo = Board(position, last_step)


def _stepped(rules: Any, position: Any, steps: Sequence[str]) -> Board:  # noqa: ANN401  # any game's rules
    step = None
    for text in steps:
        step = rules.parse(position, text)
        position = rules.apply(position, step)
    return Board(position, step)
