"""Take's notation: a move is the name of the cell that takes the stone. The grammar stands in RULES.md."""

import re

from turnserver.errors import Illegal, Unreadable
from turnserver.games.take.position import Options, Position
from turnserver.rules.hexagon import Cell, Hexagon
from turnserver.rules.options import shown
from turnserver.rules.writing import plain
from turnserver.text import say

_CELL = re.compile("([a-z]) ?([1-9][0-9]?)")
_SEVERAL = {2: say("two"), 3: say("three"), 4: say("four"), 5: say("five"), 6: say("six")}


def read(board: Hexagon, text: str) -> Cell:
    """Return the cell that the text names, in any case and spacing. Raises Unreadable, and Illegal for a cell off the board."""
    # the log, and most players, write the name as it is
    if text in board.by_name:
        return board.by_name[text]
    match = _CELL.fullmatch(plain(text))
    if match is None:
        raise unreadable(text)
    row, place = match.groups()
    try:
        return board.by_name[row + place]
    except KeyError:
        raise _off_board(board, row, row + place) from None


def unreadable(text: str) -> Unreadable:
    """Return the error for text that names no cell."""
    return Unreadable(say("{text} isn't a move in Take. Write the letter of a row and the number of a cell.", text=shown(text)))


def refusal(options: Options, board: Hexagon, position: Position, cell: Cell) -> Illegal | None:
    """Return the error of the rule that forbids a stone on the cell; None if no rule forbids it."""
    stone = 1 << cell
    friends = (board.neighbours[cell] & position.mine).bit_count()
    if position.over:
        return Illegal(say("The game is over."), code="over")
    if position.mine & stone:
        return Illegal(say("Your own stone is on {cell} already.", cell=board.names[cell]), code="occupied")
    if position.theirs & stone:
        return Illegal(say("Your opponent's stone is on {cell} already.", cell=board.names[cell]), code="occupied")
    # a seed has no friendly neighbour, a growth exactly one (ruling 1)
    if friends > 1:
        touching = say(
            "Cell {cell} touches {number} of your stones. A growth touches exactly one.", cell=board.names[cell], number=_SEVERAL[friends]
        )
        return Illegal(touching, code="touches_several")
    # a seed needs a clod or a tile (ruling 1)
    if friends == 0 and not position.cover & stone:
        return Illegal(_bare_seed(options, board.names[cell]), code="bare_seed")
    return None


def _bare_seed(options: Options, name: str) -> str:
    if options.tiles:
        return say(
            "Cell {cell} is bare and touches none of your stones. A seed replaces a tile; a growth touches exactly one stone.", cell=name
        )
    return say(
        "Cell {cell} is bare and touches none of your stones. A seed replaces a clod; a growth touches exactly one stone.", cell=name
    )


def _off_board(board: Hexagon, row: str, name: str) -> Illegal:
    rows = {names[0][0]: names for names in ([board.names[cell] for cell in line] for line in board.rows)}
    if row not in rows:
        return Illegal(say("This board has no {cell}; its rows are a to {last}.", cell=name, last=max(rows)), code="off_board")
    there = say(
        "This board has no {cell}; row {row} goes from {first} to {last}.",
        cell=name,
        row=row,
        first=rows[row][0],
        last=rows[row][-1],
    )
    return Illegal(there, code="off_board")
