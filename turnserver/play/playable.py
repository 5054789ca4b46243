"""A check that the standing turns of a game can still be played by its rules, made once before a game is served.

A fold trusts the log, and rules are only asked to follow what it says. If the rules have changed since, they may follow it to a board that
none of the players has seen. `audit.game.recheck` finds all faults of a history; this finds only those that would mislead somebody now.
"""

from collections.abc import Sequence
from typing import Any

from turnserver.errors import Malformed
from turnserver.play.line import Board, after
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
    board = Board(rules.start(), None)
    for entry in state.line.entries:
        board = after(rules, board, entry, _legally)
    here = rules.next(board.position)
    if not isinstance(here, Choose) or here.seat != state.to_move:
        by_rules = f"seat {here.seat}" if isinstance(here, Choose) else "nobody"
        raise Malformed(f"seat {state.to_move} is to move, by the rules {by_rules}")
    state.line.memo = board


def _legally(rules: Any, position: Any, steps: Sequence[str]) -> tuple[Any, Any]:  # noqa: ANN401  # any game's rules
    step = None
    for text in steps:
        step = rules.parse(position, text)
        position = rules.apply(position, step)
    return position, step
