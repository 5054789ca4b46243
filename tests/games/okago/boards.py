"""Positions of Okago written by hand, ranks from the top parted by `/`.

`R` and `B` are face-up pieces, `r` and `b` face-down ones, `X` is the No-Go, `.` an empty square.
"""

from turnserver.games.okago.position import Options, Position
from turnserver.games.okago.rules import OkagoRules


def rules_for(board: str) -> OkagoRules:
    return OkagoRules(Options(size=len(board.partition("/")[0])))


def position(board: str, to_move: str = "Red", left: tuple[int, int] = (6, 6), *, turn: int = 0) -> Position:
    """The position on that board with so many red and blue pieces in hand; somewhere in the middle of a game if no turn is given."""
    rules = rules_for(board)
    signs = "".join(reversed(board.split("/")))
    red_up, red_down, blue_up, blue_down, no_go = (
        sum(1 << square for square in rules.ground.board.squares if signs[square] == sign) for sign in "RrBbX"
    )
    red, blue = left
    if to_move == "Red":
        return Position(turn or 9, red_up, red_down, blue_up, blue_down, no_go, red, blue)
    return Position(turn or 10, blue_up, blue_down, red_up, red_down, no_go, blue, red)


def written(rules: OkagoRules, state: Position) -> str:
    """The board of a position, in the same way."""
    sets = dict(zip("RBrbX", (*state.up, *state.down, state.no_go), strict=True))
    board = rules.ground.board
    signs = "".join(next((sign for sign, squares in sets.items() if squares >> square & 1), ".") for square in board.squares)
    return "/".join(reversed([signs[first : first + board.width] for first in range(0, len(signs), board.width)]))
