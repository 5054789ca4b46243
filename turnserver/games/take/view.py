"""How a position of Take looks, as text and as a picture."""

from collections.abc import Sequence

from turnserver.games.take import picture
from turnserver.games.take.position import SEAT_NAMES, Options, Position
from turnserver.rules.hexagon import Cell, hexagon, members

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
        legend = "R red, B blue" + (" (r, b on a tile)" if self._options.tiles else "")
        lines += ["", f"{legend}, # {self._options.cover_name}, . bare cell, [ ] last move"]
        for name, gone in zip(SEAT_NAMES, state.gone, strict=True):
            lines += self._removed(name.lower(), gone)
        return "\n".join(lines) + "\n"

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

    def _removed(self, colour: str, gone: int) -> list[str]:
        lines: list[str] = []
        line = f"removed, {colour}:"
        for cell in members(gone):
            name = self._board.names[cell]
            if len(line) + len(name) >= _COLUMNS:
                lines.append(line)
                line = f"     and {colour}:"
            line += f" {name}"
        return [*lines, line] if gone else []
