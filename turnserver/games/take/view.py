"""How a position of Take looks, as text and as a picture."""

from collections.abc import Sequence
from textwrap import wrap

from turnserver.games.take import picture
from turnserver.games.take.position import BLUE, RED, SEAT_NAMES, Options, Position
from turnserver.rules import Seat
from turnserver.rules.hexagon import Cell, hexagon, members
from turnserver.text import joined, say

_COLUMNS = 72


class TakeView:
    """Take's boards for one choice of options."""

    seat_names = SEAT_NAMES

    def __init__(self, options: Options) -> None:
        """Prepare the board."""
        self._options = options
        self._board = hexagon(options.size)

    def text(self, state: Position, last: Cell | None = None) -> str:
        """The board from the top row down, every row between the names of its first and last cell; then a legend, and what was removed."""
        board = self._board
        lines = []
        for row in reversed(board.rows):
            cells = "".join(f"[{self._sign(state, cell)}" if cell == last else f" {self._sign(state, cell)}" for cell in row)
            before, _, after = f"{cells} ".partition("[")
            marked = f"{before}[{after[0]}]{after[2:]}" if after else before
            indent = " " * (len(board.rows) - len(row))
            lines.append(f"{indent}{board.names[row[0]]} {marked} {board.names[row[-1]]}")
        removed = (line for seat, gone in zip((RED, BLUE), state.gone, strict=True) for line in self._removed(seat, gone))
        return joined("\n", ["\n".join(lines), "", self._legend(), *removed, ""])

    def tell(self, state: Position, step: Cell) -> tuple[str, ...]:  # noqa: ARG002  # the board lists what was removed
        """Nothing: the board itself lists what the last placement removed."""
        return ()

    def svg(self, state: Position, last: Cell | None = None, targets: Sequence[Cell] = ()) -> str:
        """Red discs and blue diamonds on clods, tiles or bare cells; what the last placement removed is shown as an outline."""
        return picture.draw(self._options, state, last, targets)

    def _sign(self, state: Position, cell: Cell) -> str:
        red, blue = state.stones
        covered = state.cover >> cell & 1
        if red >> cell & 1:
            return "r" if covered else "R"
        if blue >> cell & 1:
            return "b" if covered else "B"
        return "#" if covered else "."

    def _legend(self) -> str:
        if self._options.tiles:
            return say("R red, B blue (r, b on a tile), # tile, . bare cell, [ ] last move")
        return say("R red, B blue, # clod, . bare cell, [ ] last move")

    def _removed(self, seat: Seat, gone: int) -> list[str]:
        if not gone:
            return []
        names = " ".join(self._board.names[cell] for cell in members(gone))
        lines = wrap(names, _COLUMNS - len(_removed(seat, "")))
        return [_removed(seat, line) if number == 0 else _removed_too(seat, line) for number, line in enumerate(lines)]


def _removed(seat: Seat, cells: str) -> str:
    return say("removed, red: {cells}", cells=cells) if seat == RED else say("removed, blue: {cells}", cells=cells)


def _removed_too(seat: Seat, cells: str) -> str:
    return say("     and red: {cells}", cells=cells) if seat == RED else say("     and blue: {cells}", cells=cells)
