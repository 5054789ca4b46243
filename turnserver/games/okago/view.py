"""The look of a position of Okago, as text and as a picture."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import copysign, cos, hypot, pi, sin
from typing import Any, Self

from turnserver.games.okago import touch
from turnserver.games.okago.position import SEAT_NAMES, Jump, Options, Position, Step, ground
from turnserver.rules import svg
from turnserver.rules.place import Outline, Place, Touches, rectangle
from turnserver.rules.square import Square, members
from turnserver.text import Tongue, Words, joined, retold, say

_MARGIN = 40.0
"""The least room around the board for the names of files and ranks."""

_PAPER = "#fbf8f1"
_FIELD = "#f3ecdd"
_EDGE = "#d8ccb4"
_INK = "#33291e"
_FILLS = ("#d6401f", "#0a67b2")
_RIMS = ("#8f2508", "#053e70")
_FOUR = "#ffd75e"
_SHAPE_CORNERS = 48
_DARK = {
    _PAPER: "#1e1d1a",
    _FIELD: "#302d28",
    _EDGE: "#4f4a40",
    _INK: "#f2ece0",
    _FOUR: "#7a6412",
    _FILLS[0]: "#ee5f40",
    _FILLS[1]: "#3f93d8",
    _RIMS[0]: "#b5431f",
    _RIMS[1]: "#2a6aa3",
}


def draw(options: Options, state: Position, last: Step | None, targets: Sequence[Step]) -> str:
    """Return the whole picture: the board, an arrow for each possible jump, and below it the legend and the pieces in hand."""
    tables = ground(options.size)
    board, (unit, _) = tables.board, _sizes(options.size)
    at, box = _middles(options.size), svg.around(unit / 2)
    parts = [_ground(options.size)]
    parts += [svg.tile(at[square], box, _four(unit)) for square in members(tables.fours(state.theirs))]
    parts += _last(at, unit, last)
    parts += [svg.tile(at[square], box, _named(touch.words(tables, state, square), _no_go(unit))) for square in members(state.no_go)]
    for seat, _ in enumerate(SEAT_NAMES):
        for pieces, up in ((state.up[seat], True), (state.down[seat], False)):
            parts += [_placed(options.size, square, seat, up=up) for square in members(pieces)]
    for square in sorted({step.to for step in targets if not isinstance(step, Jump)}):
        drawn = _named(say("{square} can be placed on", square=board.names[square]), _dot(unit))
        parts.append(svg.tile(at[square], box, drawn))
    free = board.full & ~state.taken
    # after a row of four the game is over, and nobody jumps
    jumps = () if tables.fours(state.theirs) else tuple(tables.jumps(state.my_up, state.their_up, free))
    for jump in jumps:
        way = _way(at[jump.origin], at[jump.landing])
        parts.append(svg.tile(at[jump.origin], svg.reaching([way], 0.15 * unit), _named(tables.text(jump), _arrow(way, unit))))
    four = bool(tables.fours(state.theirs))
    placeable = any(not isinstance(step, Jump) for step in targets)
    legend, end = svg.legend(_marks(state, last, jumps=bool(jumps), four=four, placeable=placeable), svg.WIDTH, _INK)
    title = (
        say("Okago, {size} by {size}, advanced", size=options.size)
        if options.advanced
        else say("Okago, {size} by {size}", size=options.size)
    )
    return svg.document(svg.WIDTH, end + 10, _PAPER, *parts, legend, title=title, board=svg.WIDTH, dark=_DARK)


def _sizes(size: int) -> tuple[float, float]:
    """Return the side of a square and the room around the board."""
    unit = (svg.WIDTH - 2 * _MARGIN) // size
    return unit, (svg.WIDTH - unit * size) / 2


@cache
def _middles(size: int) -> Mapping[Square, svg.Point]:
    (unit, margin), board = _sizes(size), ground(size).board
    return {one: (margin + (board.file(one) + 0.5) * unit, margin + (size - board.rank(one) - 0.5) * unit) for one in board.squares}


@cache
def _ground(size: int) -> str:
    """Return the bare board with the names of files and ranks."""
    unit, margin = _sizes(size)
    parts = [_square(0.47 * unit, unit, at, fill=_FIELD, stroke=_EDGE, stroke_width=2) for at in _middles(size).values()]
    for index in range(size):
        along, across = margin + (index + 0.5) * unit, margin + (size - index - 0.5) * unit
        for edge in (0.5 * margin, svg.WIDTH - 0.5 * margin):
            parts += [svg.text((along, edge), "abcdefgh"[index], 26, fill=_INK), svg.text((edge, across), str(index + 1), 26, fill=_INK)]
    return svg.group(*parts)


@cache
def _placed(size: int, square: Square, seat: int, *, up: bool) -> str:
    unit, _ = _sizes(size)
    drawn = _named(touch.piece(ground(size).board.names[square], seat, up=up), _piece(seat, unit, up=up))
    return svg.tile(_middles(size)[square], svg.around(unit / 2), drawn)


def _named(title: str, *content: str) -> str:
    # the title is read out to players who cannot see the picture
    return svg.group(svg.element("title", title), *content)


def _square(reach: float, unit: float, centre: svg.Point = svg.ORIGIN, **style: str | float) -> str:
    return svg.rect(centre[0] - reach, centre[1] - reach, 2 * reach, 2 * reach, rx=0.08 * unit, **style)


@cache
def _four(unit: float) -> str:
    return _square(0.45 * unit, unit, fill=_FOUR, stroke="#b98a00", stroke_width=3)


def _last(at: Mapping[Square, svg.Point], unit: float, last: Step | None) -> Iterator[str]:
    if last is not None:
        yield svg.tile(at[last.to], svg.around(unit / 2), _named(say("last move"), _entered(unit)))
    if isinstance(last, Jump):
        x, y = way = _way(at[last.origin], at[last.landing])
        line = svg.element("line", x1=0, y1=0, x2=x, y2=y, stroke=_INK, stroke_width=4, stroke_dasharray="9 7")
        yield svg.tile(at[last.origin], svg.reaching([way], unit / 2), _named(say("jumped from"), _left(unit), line))


def _way(start: svg.Point, end: svg.Point) -> svg.Point:
    return end[0] - start[0], end[1] - start[1]


@cache
def _entered(unit: float) -> str:
    return _square(0.45 * unit, unit, fill="none", stroke=_INK, stroke_width=5)


@cache
def _left(unit: float) -> str:
    return _square(0.45 * unit, unit, fill="none", stroke=_INK, stroke_width=4, stroke_dasharray="9 7")


def _outline(seat: int, reach: float, **style: str | float) -> str:
    # a squircle for Red, a circle for Blue
    if seat:
        return svg.circle(svg.ORIGIN, reach, **style)
    return svg.polygon(_squircle(reach), stroke_linejoin="round", **style)


def _squircle(reach: float) -> Iterator[svg.Point]:
    # the fourth powers of both distances from the middle add up to that of `reach`
    for corner in range(_SHAPE_CORNERS):
        angle = 2 * pi * corner / _SHAPE_CORNERS
        x, y = (copysign(abs(part) ** 0.5, part) for part in (cos(angle), sin(angle)))
        yield reach * x, reach * y


@cache
def _piece(seat: int, unit: float, *, up: bool) -> str:
    """Return a piece. Red is a squircle with a round hole, Blue a disc with a square one; face-down they are darker and have none."""
    reach = (0.33, 0.36)[seat] * unit
    halo = _outline(seat, reach, stroke=_PAPER, stroke_width=0.12 * unit)
    if not up:
        return halo + _outline(seat, reach, fill=_RIMS[seat])
    body = _outline(seat, reach, fill=_FILLS[seat], stroke=_RIMS[seat], stroke_width=0.04 * unit)
    if seat:
        half = 0.14 * unit
        return halo + body + svg.rect(-half, -half, 2 * half, 2 * half, fill=_PAPER, stroke=_RIMS[1], stroke_width=0.04 * unit)
    return halo + body + svg.circle(svg.ORIGIN, 0.16 * unit, fill=_PAPER, stroke=_RIMS[0], stroke_width=0.04 * unit)


@cache
def _no_go(unit: float) -> str:
    reach = 0.26 * unit
    strokes = (svg.element("line", x1=-reach, y1=-side * reach, x2=reach, y2=side * reach, stroke_linecap="round") for side in (1, -1))
    bars = "".join(strokes)
    return svg.group(bars, stroke=_PAPER, stroke_width=0.26 * unit) + svg.group(bars, stroke=_INK, stroke_width=0.15 * unit)


@cache
def _dot(unit: float) -> str:
    return svg.circle(svg.ORIGIN, 0.08 * unit, fill=_INK, stroke=_PAPER, stroke_width=2)


def _arrow(way: svg.Point, unit: float) -> str:
    """Return an arrow from the middle of one square, the origin, nearly to the middle of another. Its rim shows on every ground."""
    x, y = way
    length = hypot(x, y)
    along = (x / length * unit, y / length * unit)

    def point(back: float, aside: float) -> svg.Point:
        return x - back * along[0] - aside * along[1], y - back * along[1] + aside * along[0]

    reach = length / unit
    outline = [point(reach - 0.15, 0.035), point(0.38, 0.035), point(0.4, 0.13), point(0.12, 0)]
    outline += [point(0.4, -0.13), point(0.38, -0.035), point(reach - 0.15, -0.035)]
    return svg.polygon(outline, fill=_INK, stroke=_PAPER, stroke_width=0.045 * unit, stroke_linejoin="round", paint_order="stroke")


def _marks(state: Position, last: Step | None, *, jumps: bool, four: bool, placeable: bool) -> Iterator[svg.Mark]:
    """Yield what is on the board, and the number of pieces in each hand."""
    icon = 64.0
    for seat, name in enumerate(SEAT_NAMES):
        yield svg.Mark(_piece(seat, icon, up=True), say("{who}, {number} in hand", who=name, number=state.left[seat]))
    for seat, pieces in enumerate(state.down):
        if pieces:
            yield svg.Mark(_piece(seat, icon, up=False), say("face-down"))
    if last is not None:
        yield svg.Mark(_entered(0.8 * icon), say("last move"))
    if isinstance(last, Jump):
        yield svg.Mark(_left(0.8 * icon), say("jumped from"))
    if jumps:
        yield svg.Mark(svg.group(_arrow((60.0, 0.0), icon), transform="translate(-30 0)"), say("possible jump"))
    if four:
        yield svg.Mark(_four(0.8 * icon), say("four in a row"))
    if placeable:
        yield svg.Mark(_dot(icon), say("possible placement"))
    if state.no_go:
        reason = say("No-Go: barred to Red's first piece") if state.turn == 1 else say("No-Go: no placement in this turn")
        yield svg.Mark(_no_go(icon), reason)


_COLUMNS = 72


class OkagoView:
    """Okago's boards for one choice of options."""

    seat_names = SEAT_NAMES

    def __init__(self, options: Options) -> None:
        self._ground = ground(options.size)
        self._options = options

    def text(self, state: Position, last: Step | None = None) -> str:
        """Return the board from the top rank down, then a legend, the hands, the row of four if there is one, and all possible jumps."""
        board = self._ground.board
        files = "     " + "  ".join(name[0] for name in board.names[: board.width])
        lines: list[str] = [files]
        for rank in range(board.height, 0, -1):
            first = (rank - 1) * board.width
            cells = "".join(self._cell(state, square, last) for square in board.squares[first : first + board.width])
            lines.append(f" {rank}  {cells}  {rank}")
        lines += [files, "", *_legend(state, last), ""]
        red, blue = state.left
        lines.append(say("In hand: Red {red}, Blue {blue}", red=red, blue=blue))
        row = self._ground.fours(state.theirs)
        if row:
            winner = SEAT_NAMES[state.turn & 1]
            lines.append(_Listed(say("{who} has four in a row:", who=winner), tuple(board.names[square] for square in members(row))))
        else:
            lines += self._jumps(state)
        return joined("\n", [*lines, ""])

    def tell(self, state: Position, step: Step) -> tuple[str, ...]:
        """Return sentences about a jump's three squares, and about a hand that has become empty."""
        mover, other = SEAT_NAMES if state.turn & 1 else SEAT_NAMES[::-1]
        if not isinstance(step, Jump):
            return (say("That was {who}'s last piece in hand.", who=mover),) if state.my_left == 1 else ()
        origin, over, landing = (self._ground.board.names[square] for square in step)
        jumped = say(
            "{who} jumps over {over}: {other}'s piece there leaves the game, and the one from {origin} stays face-down on {landing}.",
            who=mover,
            over=over,
            other=other,
            origin=origin,
            landing=landing,
        )
        # a jump that wins ends the game, and nobody places any more
        if self._ground.fours(state.mine ^ 1 << step.origin | 1 << step.landing):
            return (jumped,)
        return jumped, say("The No-Go lies on {over} now, where {other} may not place a piece in the next turn.", over=over, other=other)

    def svg(self, state: Position, last: Step | None = None, targets: Sequence[Step] = ()) -> str:
        """Return the picture: red squircles and blue discs, face-up with a hole, face-down solid. The No-Go is a cross.

        Jumps are arrows, and targets are dots.
        """
        return draw(self._options, state, last, targets)

    def touches(self, state: Position, step: Step) -> Sequence[Touches]:  # noqa: ARG002  # other games need the position
        """Return the square of a placement, or the two squares of a jump. See `rules.View`."""
        return touch.touches(self._ground, step)

    def places(self, state: Position, touched: Touches = ()) -> Mapping[str, Place]:
        """Return the squares. See `rules.View`."""
        return touch.places(self._ground, state, touched, self._outline)

    def written(self, state: Position, touched: Touches) -> str:
        """Return a placement or a jump. See `rules.View`."""
        return touch.written(self._ground, state, touched)

    def _outline(self, square: Square) -> Outline:
        (unit, _), (x, y) = _sizes(self._options.size), _middles(self._options.size)[square]
        return rectangle(x - unit / 2, y - unit / 2, unit, unit)

    def _cell(self, state: Position, square: Square, last: Step | None) -> str:
        sign = _sign(state, square)
        if isinstance(last, Jump) and square == last.origin:
            return f"({sign})"
        return f"[{sign}]" if last is not None and square == last.to else f" {sign} "

    def _jumps(self, state: Position) -> list[str]:
        """Return the jumps of the seat to move, and those that the other seat could make if it were its turn."""
        free = self._ground.board.full & ~state.taken
        lines: list[str] = []
        for seat, name in enumerate(SEAT_NAMES):
            jumps = tuple(self._ground.text(jump) for jump in self._ground.jumps(state.up[seat], state.up[1 - seat], free))
            to_move = seat != state.turn & 1
            if jumps:
                lines.append(_Listed(say("{who} may jump:", who=name) if to_move else say("{who} threatens:", who=name), jumps))
            else:
                lines.append(say("{who} may jump: nothing", who=name) if to_move else say("{who} threatens: nothing", who=name))
        return lines


def _sign(state: Position, square: Square) -> str:
    for signs, pieces in (("RB", state.up), ("rb", state.down)):
        for sign, of_seat in zip(signs, pieces, strict=True):
            if of_seat >> square & 1:
                return sign
    return "X" if state.no_go >> square & 1 else "."


def _legend(state: Position, last: Step | None) -> list[str]:
    lines: list[str] = [say("R, B  face-up: can jump, and can be jumped"), say("r, b  face-down: cannot jump, and cannot be jumped")]
    if state.no_go and state.turn == 1:
        lines.append(say("X     the No-Go: the centre is barred to Red's first piece"))
    elif state.no_go:
        lines.append(say("X     the No-Go: no placement there in this turn, but a jump may land"))
    if isinstance(last, Jump):
        lines.append(say("[ ]   the last move, a jump from ( )"))
    elif last is not None:
        lines.append(say("[ ]   the last move"))
    return lines


class _Listed(Words):
    """Names behind a heading, on lines that fit into a mail in each language."""

    __slots__ = ("heading", "names")

    heading: str
    names: tuple[str, ...]

    def __new__(cls, heading: str, names: tuple[str, ...]) -> Self:
        made = super().__new__(cls, _lines(heading, say("and"), names))
        made.heading, made.names = heading, names
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _Listed, (self.heading, self.names)

    def retold(self, tongue: Tongue) -> str:
        """Return the lines in the language of `tongue`. See `Words.retold`."""
        return _lines(retold(self.heading, tongue), retold(say("and"), tongue), self.names)


def _lines(heading: str, joint: str, names: Iterable[str]) -> str:
    """Return the names on lines that each begin with words, for a name alone on a line would read as a step."""
    lines = [heading]
    for name in names:
        if len(lines[-1]) + len(name) >= _COLUMNS:
            lines.append(f"{joint:>{len(heading)}}")
        lines[-1] += f" {name}"
    return "\n".join(lines)
