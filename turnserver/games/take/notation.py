"""Take's notation: a move is the name of the cell that takes the stone. The grammar stands in RULES.md."""

import re

from turnserver.errors import Illegal, Unreadable
from turnserver.games.take.position import Options, Position
from turnserver.rules.hexagon import Cell, Hexagon, hexagon
from turnserver.rules.options import shown
from turnserver.rules.writing import plain

_CELL = re.compile("([a-z]) ?([1-9][0-9]?)")
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


def read(board: Hexagon, text: str) -> Cell:
    """The cell that the text names, whatever its case, spacing and final punctuation. Raises Unreadable, and Illegal off the board."""
    match = _CELL.fullmatch(plain(text))
    if match is None:
        raise unreadable(board, text)
    row, place = match.groups()
    try:
        return board.by_name[row + place]
    except KeyError:
        raise _off_board(board, row, row + place) from None


def unreadable(board: Hexagon, text: str) -> Unreadable:
    """What to say about text that names no cell."""
    middle = board.names[board.rows[board.side - 1][board.side - 1]]
    return Unreadable(f"{shown(text)} is no move in Take; write the letter of a row and the number of a cell, such as {middle}.")


def refusal(options: Options, position: Position, cell: Cell) -> Illegal | None:
    """Which rule forbids a stone on the cell, or None if none does."""
    board = hexagon(options.size)
    name, stone = board.names[cell], 1 << cell
    friends = (board.neighbours[cell] & position.mine).bit_count()
    if position.over:
        return Illegal("The game is over.", code="over")
    if position.mine & stone:
        return Illegal(f"{name} already has a stone of yours on it.", code="occupied")
    if position.theirs & stone:
        return Illegal(f"{name} already has a stone of your opponent's on it.", code="occupied")
    if friends > 1:
        return Illegal(f"{name} touches {_NUMBERS[friends]} of your stones; a growth touches exactly one.", code="touches_several")
    if friends == 0 and not position.cover & stone:
        return Illegal(
            f"{name} is bare and touches none of your stones; a seed replaces a {options.cover_name}, a growth touches exactly one stone.",
            code="bare_seed",
        )
    return None


def _off_board(board: Hexagon, row: str, name: str) -> Illegal:
    rows = {names[0][0]: names for names in ([board.names[cell] for cell in line] for line in board.rows)}
    if row not in rows:
        return Illegal(f"There is no {name} on this board; its rows are a to {max(rows)}.", code="off_board")
    return Illegal(f"There is no {name} on this board; row {row} has the cells {rows[row][0]} to {rows[row][-1]}.", code="off_board")
