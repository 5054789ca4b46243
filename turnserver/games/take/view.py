"""The look of a position of Take, as text and as a picture."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt
from textwrap import wrap
from typing import NamedTuple, Self

from turnserver.games.take.position import BLUE, RED, SEAT_NAMES, Options, Position
from turnserver.rules import Seat, svg
from turnserver.rules.hexagon import ROW_HEIGHT, Cell, hexagon, members
from turnserver.text import Tongue, Words, joined, retold, say

_UNIT = 60.0
"""The distance of neighbouring centres. The lengths below are parts of it."""
_CORNER = _UNIT / sqrt(3)
_SIDE_MARGIN = 1.0 * _UNIT
_MARGIN = 0.9 * _UNIT
_FOOT = 0.9 * _UNIT

_PAPER = "#fbf8f1"
_BARE = "#f3ecdd"
_EDGE = "#d8ccb4"
_EARTH = "#c9a57b"
_EARTH_EDGE = "#b08a5c"
_EARTH_TEXT = "#6f5230"
_INK = "#33291e"
_FAINT = "#8f7f60"
_LUMPS = (0.37, 0.30, 0.35, 0.32, 0.38, 0.31, 0.34)
"""The distances of a clod's corners from its middle."""
_NOWHERE: svg.Point = (0.0, 0.0)
_FILLS = ("#d6401f", "#0a67b2")
_RIMS = ("#8f2508", "#053e70")


def draw(options: Options, state: Position, last: Cell | None, targets: Sequence[Cell]) -> str:
    """Return the whole picture: the board, and under it a line with the legend."""
    board = hexagon(options.size)
    width = max(2 * options.size - 1, 7.5) * _UNIT + 2 * _SIDE_MARGIN
    height = 2 * (options.size - 1) * ROW_HEIGHT * _UNIT + 2 * _MARGIN
    at = {cell: (width / 2 + x * _UNIT, height / 2 - y * _UNIT) for cell, (x, y) in board.centres.items()}
    parts = [svg.polygon(_hexagon(at[cell], 1.0), fill=_BARE, stroke=_EDGE, stroke_width=2) for cell in board.cells]
    parts += [_cover(options, at[cell], turned=cell) for cell in members(state.cover)]
    for cell in members(board.full & ~(state.mine | state.theirs)):
        colour = _EARTH_TEXT if state.cover >> cell & 1 else _FAINT
        parts.append(svg.text(at[cell], board.names[cell][1:], 0.27 * _UNIT, fill=colour))
    for seat, (stones, gone) in enumerate(zip(state.stones, state.gone, strict=True)):
        parts += [_stone(seat, at[cell]) for cell in members(stones)]
        parts += [_ghost(seat, at[cell]) for cell in members(gone)]
    parts += [_target(at[cell]) for cell in targets]
    if last is not None:
        parts.append(svg.polygon(_hexagon(at[last], 0.93), fill="none", stroke=_INK, stroke_width=4.5))
    for row in board.rows:
        (left, y), (right, _) = at[row[0]], at[row[-1]]
        parts += [svg.text((x, y), board.names[row[0]][0], 0.36 * _UNIT, fill=_INK) for x in (left - 0.8 * _UNIT, right + 0.8 * _UNIT)]
    parts.append(_Legend(_entries(options, state), _LegendPlace(width / 2, height + 0.3 * _UNIT, width - 0.5 * _UNIT)))
    title = say("Take, side {size}, {variant}", size=options.size, variant=options.variant)
    return svg.document(width, height + _FOOT, _PAPER, *parts, title=title)


def _hexagon(centre: svg.Point, scale: float) -> Iterator[svg.Point]:
    for corner in range(6):
        angle = pi / 6 + corner * pi / 3
        yield centre[0] + scale * _CORNER * cos(angle), centre[1] + scale * _CORNER * sin(angle)


def _cover(options: Options, centre: svg.Point, turned: int = 0) -> str:
    if options.tiles:
        return svg.polygon(_hexagon(centre, 0.86), fill=_EARTH, stroke=_EARTH_EDGE, stroke_width=2)
    rays = ((reach * _UNIT, (place + turned / 5) * 2 * pi / len(_LUMPS)) for place, reach in enumerate(_LUMPS))
    lump = [(centre[0] + reach * cos(angle), centre[1] + reach * sin(angle)) for reach, angle in rays]
    return svg.polygon(lump, fill=_EARTH, stroke=_EARTH_EDGE, stroke_width=3, stroke_linejoin="round")


def _outline(seat: int, centre: svg.Point, **style: str | float) -> str:
    if seat == 0:
        return svg.circle(centre, 0.33 * _UNIT, **style)
    x, y = centre
    reach = 0.40 * _UNIT
    return svg.polygon(((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), stroke_linejoin="round", **style)


def _stone(seat: int, centre: svg.Point) -> str:
    halo = _outline(seat, centre, stroke=_PAPER, stroke_width=8)
    return halo + _outline(seat, centre, fill=_FILLS[seat], stroke=_RIMS[seat], stroke_width=3)


def _ghost(seat: int, centre: svg.Point) -> str:
    return _outline(seat, centre, fill="none", stroke=_FILLS[seat], stroke_width=3, stroke_dasharray="6 4")


def _target(centre: svg.Point) -> str:
    x, y = centre
    return svg.circle((x, y + 0.27 * _UNIT), 0.07 * _UNIT, fill=_INK, stroke=_PAPER, stroke_width=2)


class _LegendEntry(NamedTuple):
    """A sign, drawn around `_NOWHERE`, and its meaning."""

    icon: str
    words: str


class _LegendPlace(NamedTuple):
    """The place of the legend: around the middle, within the room."""

    middle: float
    y: float
    room: float


def _entries(options: Options, state: Position) -> list[_LegendEntry]:
    """Return the signs of the legend, with the number of stones."""
    stones = [_LegendEntry(_stone(seat, _NOWHERE), _counted(seat, own.bit_count())) for seat, own in enumerate(state.stones)]
    removed = [_LegendEntry(_ghost(seat, _NOWHERE), say("removed")) for seat, gone in enumerate(state.gone) if gone]
    return [*stones, _LegendEntry(_cover(options, _NOWHERE), options.cover_name), *removed]


def _counted(seat: int, stones: int) -> str:
    return joined(" ", [SEAT_NAMES[seat], str(stones)])


class _Legend(Words):
    """The legend as SVG. It is laid out anew in every language, since words take as much room as they are long."""

    __slots__ = ("entries", "place")

    entries: list[_LegendEntry]
    place: _LegendPlace

    def __new__(cls, entries: list[_LegendEntry], place: _LegendPlace) -> Self:
        made = super().__new__(cls, "".join(_laid_out(entries, place)))
        made.entries, made.place = entries, place
        return made

    def retold(self, tongue: Tongue) -> str:
        """Return the legend in the language of `tongue`. See `Words.retold`."""
        return "".join(_laid_out(retold(self.entries, tongue), self.place))


def _laid_out(entries: Sequence[_LegendEntry], place: _LegendPlace) -> Iterator[str]:
    size = 0.3 * _UNIT
    widths = [0.95 * _UNIT + 0.6 * size * len(entry.words) for entry in entries]
    # on the smallest boards there is too little room when both have lost stones
    shrunk = min(1.0, place.room / sum(widths))
    x = place.middle - shrunk * (sum(widths) / 2 - 0.4 * _UNIT)
    for entry, width in zip(entries, widths, strict=True):
        at = f"translate({svg.number(x)} {svg.number(place.y)}) scale({svg.number(0.7 * shrunk)})"
        yield svg.group(entry.icon, transform=at)
        yield svg.text((x + shrunk * 0.43 * _UNIT, place.y), entry.words, shrunk * size, fill=_INK, anchor="start")
        x += shrunk * width


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
