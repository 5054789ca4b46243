"""The look of a position of Take, as text and as a picture."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import cos, pi, sin, sqrt
from textwrap import wrap
from typing import NamedTuple

from turnserver.games.take import touch
from turnserver.games.take.position import BLUE, RED, SEAT_NAMES, Options, Position
from turnserver.rules import Seat, svg
from turnserver.rules.hexagon import ROW_HEIGHT, Cell, hexagon, members
from turnserver.rules.place import Outline, Place, Touches
from turnserver.text import joined, say

_UNIT = 60.0
"""The distance of neighbouring centres. The lengths below are parts of it."""
_CORNER = _UNIT / sqrt(3)
_MARGIN = 0.77
"""The room beside the board for the names of rows, in units. With more, cells of a board of side 7 would be too small to touch."""
_FEWEST = 8
"""The number of cells for which a board is at least drawn, so that small ones do not get huge."""

_PAPER = "#fbf8f1"
_BARE = "#f7f2e7"
_EDGE = "#d8ccb4"
_EARTH = "#e6d3b3"
_EARTH_EDGE = "#c4a87f"
_INK = "#33291e"
_NUMBER = "#715c3d"
_LUMPS = (0.36, 0.31, 0.35, 0.32, 0.37, 0.31, 0.34)
"""The distances of a clod's corners from its middle. All clods are alike, so that the picture packs well."""
_FILLS = ("#d6401f", "#0a67b2")
_RIMS = ("#8f2508", "#053e70")
_DARK = {
    _PAPER: "#1e1d1a",
    _BARE: "#2a2824",
    _EDGE: "#4a463d",
    _EARTH: "#4a3d2a",
    _EARTH_EDGE: "#6b5839",
    _INK: "#f2ece0",
    _NUMBER: "#b8a98c",
    _FILLS[0]: "#ef6345",
    _FILLS[1]: "#4a9fe3",
    _RIMS[0]: "#ffb39f",
    _RIMS[1]: "#b3dbff",
}


_BOX = svg.around(0.65 * _UNIT)
"""The part of the picture that a cell and all marks on it keep to."""


def draw(options: Options, state: Position, last: Cell | None, targets: Sequence[Cell]) -> str:
    """Return the whole picture: the board, and under it the legend."""
    board = hexagon(options.size)
    at, _, width, height = _layout(options.size)
    # what lies on a cell is one tile, and what lies on none is the ground, for a picture costs as much as it has tiles
    looks: defaultdict[Cell, str] = defaultdict(str)
    for cell in members(state.cover):
        looks[cell] += _cover(tiles=options.tiles)
    for cell in members(board.full & ~(state.mine | state.theirs)):
        looks[cell] += _numeral(board.names[cell][1:])
    for seat, (stones, gone) in enumerate(zip(state.stones, state.gone, strict=True)):
        for cell in members(stones):
            looks[cell] += _stone(seat)
        for cell in members(gone):
            looks[cell] += _ghost(seat)
    for cell in targets:
        looks[cell] += _target()
    if last is not None:
        looks[last] += _ring()
    parts = [_ground(options.size), *(svg.tile(at[cell], _BOX, drawn) for cell, drawn in looks.items())]
    legend, end = svg.legend(_marks(options, state, last, targets), height, _INK, width)
    title = say("Take, side {size}, {variant}", size=options.size, variant=options.variant)
    return svg.document(width, end + 10, _PAPER, *parts, legend, title=title, board=height, dark=_DARK)


class _Layout(NamedTuple):
    """The centres of the cells in the picture, the distance of two rows, and the width and height of the board."""

    at: Mapping[Cell, svg.Point]
    row: float
    width: float
    height: float


@cache
def _layout(size: int) -> _Layout:
    across = max(2 * size - 1, _FEWEST)
    # on whole pixels, all cells are alike; even, since every other row begins half a cell further
    pixels = 2 * int(svg.WIDTH / (across + 2 * _MARGIN) / 2)
    row = round(ROW_HEIGHT * pixels) * _UNIT / pixels
    width, height = svg.WIDTH / pixels * _UNIT, (2 * (size - 1) * row + 1.6 * _UNIT)
    at = {cell: (width / 2 + x * _UNIT, height / 2 - y / ROW_HEIGHT * row) for cell, (x, y) in hexagon(size).centres.items()}
    return _Layout(at, row, width, height)


@cache
def _ground(size: int) -> str:
    """Return the bare board with the names of its rows."""
    board, at = hexagon(size), _layout(size).at
    parts = [svg.polygon(_hexagon(1.0, at[cell]), fill=_BARE, stroke=_EDGE, stroke_width=2) for cell in board.cells]
    for row in board.rows:
        (left, y), (right, _) = at[row[0]], at[row[-1]]
        parts += [svg.text((x, y), board.names[row[0]][0], 0.4 * _UNIT, fill=_INK) for x in (left - 0.8 * _UNIT, right + 0.8 * _UNIT)]
    return svg.group(*parts)


@cache
def _outlines(size: int) -> Mapping[Cell, Outline]:
    """Return the areas of the cells, which fill the board without gaps whatever the distance of rows."""
    at, row, _, _ = _layout(size)
    half, side, tip = _UNIT / 2, row / 3, 2 * row / 3
    return {
        cell: ((x, y - tip), (x + half, y - side), (x + half, y + side), (x, y + tip), (x - half, y + side), (x - half, y - side))
        for cell, (x, y) in at.items()
    }


def _hexagon(scale: float, centre: svg.Point = svg.ORIGIN) -> Iterator[svg.Point]:
    for corner in range(6):
        angle = pi / 6 + corner * pi / 3
        yield centre[0] + scale * _CORNER * cos(angle), centre[1] + scale * _CORNER * sin(angle)


@cache
def _cover(*, tiles: bool) -> str:
    if tiles:
        return svg.polygon(_hexagon(0.86), fill=_EARTH, stroke=_EARTH_EDGE, stroke_width=2)
    rays = ((reach * _UNIT, place * 2 * pi / len(_LUMPS)) for place, reach in enumerate(_LUMPS))
    lump = [(reach * cos(angle), reach * sin(angle)) for reach, angle in rays]
    return svg.polygon(lump, fill=_EARTH, stroke=_EARTH_EDGE, stroke_width=2, stroke_linejoin="round")


@cache
def _numeral(words: str) -> str:
    return svg.text(svg.ORIGIN, words, 0.34 * _UNIT, fill=_NUMBER)


def _outline(seat: int, **style: str | float) -> str:
    if seat == 0:
        return svg.circle(svg.ORIGIN, 0.37 * _UNIT, **style)
    reach = 0.43 * _UNIT
    return svg.polygon(((0, -reach), (reach, 0), (0, reach), (-reach, 0)), stroke_linejoin="round", **style)


@cache
def _stone(seat: int) -> str:
    return _outline(seat, fill=_FILLS[seat], stroke=_RIMS[seat], stroke_width=3)


@cache
def _ghost(seat: int) -> str:
    return _outline(seat, fill="none", stroke=_FILLS[seat], stroke_width=3, stroke_dasharray="6 4")


@cache
def _ring(scale: float = 0.93) -> str:
    return svg.polygon(_hexagon(scale), fill="none", stroke=_INK, stroke_width=4.5)


@cache
def _target(below: float = 0.27 * _UNIT) -> str:
    return svg.circle((0, below), 0.07 * _UNIT, fill=_INK, stroke=_PAPER, stroke_width=2)


def _marks(options: Options, state: Position, last: Cell | None, targets: Sequence[Cell]) -> Iterator[svg.Mark]:
    """Yield what is on the board, and the number of stones of either side."""
    for seat, stones in enumerate(state.stones):
        yield svg.Mark(_stone(seat), joined(" ", [SEAT_NAMES[seat], str(stones.bit_count())]))
    if state.cover:
        yield svg.Mark(_cover(tiles=options.tiles), options.cover_name)
    for seat, gone in enumerate(state.gone):
        if gone:
            yield svg.Mark(_ghost(seat), say("just removed"))
    if last is not None:
        yield svg.Mark(_ring(0.75), say("last move"))
    if targets:
        yield svg.Mark(_target(0), say("possible move"))


_COLUMNS = 72


class TakeView:
    """Take's boards for one choice of options."""

    seat_names = SEAT_NAMES

    def __init__(self, options: Options) -> None:
        self._options = options
        self._board = hexagon(options.size)

    def text(self, state: Position, last: Cell | None = None) -> str:
        """Return the board from the top row down, each row between the names of its end cells; then a legend, and the removed stones."""
        board = self._board
        lines = []
        for row in reversed(board.rows):
            cells = "".join(f"[{self._sign(state, cell)}" if cell == last else f" {self._sign(state, cell)}" for cell in row)
            # the closing bracket stands in place of the blank behind the cell
            before, _, after = f"{cells} ".partition("[")
            marked = f"{before}[{after[0]}]{after[2:]}" if after else before
            indent = " " * (len(board.rows) - len(row))
            lines.append(f"{indent}{board.names[row[0]]} {marked} {board.names[row[-1]]}")
        removed = (line for seat, gone in zip((RED, BLUE), state.gone, strict=True) for line in self._removed(seat, gone))
        return joined("\n", ["\n".join(lines), "", self._legend(), *removed, ""])

    def tell(self, state: Position, step: Cell) -> tuple[str, ...]:  # noqa: ARG002  # the board lists what was removed
        """Return nothing: the board itself lists the stones that the last placement removed."""
        return ()

    def svg(self, state: Position, last: Cell | None = None, targets: Sequence[Cell] = ()) -> str:
        """Return the picture: red discs and blue diamonds on clods, tiles or bare cells. Stones that were just removed are outlines."""
        return draw(self._options, state, last, targets)

    def touches(self, state: Position, step: Cell) -> Sequence[Touches]:  # noqa: ARG002  # other games need the position
        """Return the cell, on a large board its row and the cell as well. See `rules.View`."""
        return touch.touches(self._options, step)

    def places(self, state: Position, touched: Touches = ()) -> Mapping[str, Place]:
        """Return the cells. See `rules.View`."""
        return touch.places(self._options, state, touched, _outlines(self._options.size))

    def written(self, state: Position, touched: Touches) -> str:  # noqa: ARG002  # other games need the position
        """Return the cell. See `rules.View`."""
        return touch.written(touched)

    def _sign(self, state: Position, cell: Cell) -> str:
        red, blue = state.stones
        covered = state.cover >> cell & 1
        if red >> cell & 1:
            return "r" if covered else "R"
        if blue >> cell & 1:
            return "b" if covered else "B"
        return "#" if covered else "."

    def _legend(self) -> str:
        # all signs, also those that are not on this board: boards of recorded games have this line
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
