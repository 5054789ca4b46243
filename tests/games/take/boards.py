"""Positions of Take written by hand, rows from the top parted by `/`.

`#` is a clod, or a tile without a stone; `.` a bare cell; `R` and `B` stones on bare cells, `r` and `b` stones on tiles.
"""

from turnserver.games.take.position import Options, Position
from turnserver.games.take.rules import TakeRules


def rules_for(board: str, variant: str = "standard") -> TakeRules:
    return TakeRules(Options(variant=variant, size=len(board.partition("/")[0])))


def position(board: str, to_move: str = "Red", *, ply: int = 8) -> Position:
    """The position on that board; so late in the game that a colour that is missing was removed."""
    rules = rules_for(board)
    signs = dict(zip(rules.board.cells, "".join(reversed(board.split("/"))), strict=True))
    red, blue, cover = (sum(1 << cell for cell, sign in signs.items() if sign in wanted) for wanted in ("Rr", "Bb", "#rb"))
    if to_move == "Red":
        return Position(ply + 1, red, blue, cover, 0, 0)
    return Position(ply + 2, blue, red, cover, 0, 0)


def written(rules: TakeRules, state: Position) -> str:
    """The board of a position, in the same way."""
    red, blue = state.stones

    def sign(cell: int) -> str:
        covered = state.cover >> cell & 1
        if red >> cell & 1:
            return "r" if covered else "R"
        if blue >> cell & 1:
            return "b" if covered else "B"
        return "#" if covered else "."

    return "/".join("".join(sign(cell) for cell in row) for row in reversed(rules.board.rows))
