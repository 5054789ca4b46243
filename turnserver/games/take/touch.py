"""Touching a board of Take: a cell takes the stone. On the largest board, the buttons of a row and of its cells do it too."""

from collections.abc import Mapping, Sequence
from typing import Final

from turnserver.games.take.position import RED, Options, Position
from turnserver.rules.hexagon import Cell, hexagon
from turnserver.rules.place import Outline, Place, Touches
from turnserver.text import say

_NARROW: Final = 8
"""The size of board from which on cells are narrower than `touch.SMALLEST`. A mouse hits them, but a finger may hit the next one."""
_ROW: Final = "row-"


def touches(options: Options, step: Cell) -> Sequence[Touches]:
    """Return the sequences that play a step. See `rules.View`."""
    name = hexagon(options.size).names[step]
    return ((name,), (_ROW + name[0], name)) if options.size >= _NARROW else ((name,),)


def places(options: Options, state: Position, touched: Touches, outlines: Mapping[Cell, Outline]) -> dict[str, Place]:
    """Return all that can be touched next. See `rules.View`. `outlines` are the cells in the picture."""
    board = hexagon(options.size)
    if not touched:
        cells = {board.names[cell]: Place(_words(options, state, cell), outlines[cell]) for cell in board.cells}
        return cells | _rows(options) if options.size >= _NARROW else cells
    if touched[1:] or touched[0] not in _rows(options):
        return {}
    row = next(cells for cells in board.rows if touched == (_ROW + board.names[cells[0]][0],))
    return {board.names[cell]: Place(_words(options, state, cell)) for cell in row}


def written(touched: Touches) -> str:
    """Return the step that the touches mean, legal or not. See `rules.View`."""
    row, *cells = touched or ("",)
    # a row and a cell elsewhere are no step, and nobody takes them for one
    if not row.startswith(_ROW) or any(cell[0] != row[-1] for cell in cells):
        return " ".join(touched)
    # a row in which no stone can be placed is refused for its first cell
    return " ".join(cells) or f"{row.removeprefix(_ROW)}1"


def _rows(options: Options) -> dict[str, Place]:
    letters = [hexagon(options.size).names[cells[0]][0] for cells in hexagon(options.size).rows]
    return {_ROW + letter: Place(say("Row {row}", row=letter)) for letter in letters}


def _words(options: Options, state: Position, cell: Cell) -> str:
    """Return a cell and what is there."""
    name, covered = hexagon(options.size).names[cell], state.cover >> cell & 1
    for seat, stones in enumerate(state.stones, start=1):
        if stones >> cell & 1:
            return _stone(name, red=seat == RED, on_tile=bool(covered))
    if not covered:
        return say("{cell}, bare", cell=name)
    return say("{cell}, {cover}", cell=name, cover=options.cover_name)


def _stone(name: str, *, red: bool, on_tile: bool) -> str:
    if on_tile:
        return say("{cell}, red stone on a tile", cell=name) if red else say("{cell}, blue stone on a tile", cell=name)
    return say("{cell}, red stone", cell=name) if red else say("{cell}, blue stone", cell=name)
