"""The look of a position of Tako Judo, as text and as a picture."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, assert_never

from turnserver.games.tako_judo import touch
from turnserver.games.tako_judo.notation import written
from turnserver.games.tako_judo.position import (
    CAUSES,
    Cause,
    Field,
    Hidden,
    Move,
    Options,
    Position,
    field,
    first_piece,
    hidden,
    occupied,
    twiddle,
)
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.rules import svg
from turnserver.rules.place import Outline, Place, Touches, rectangle
from turnserver.rules.square import Square, members
from turnserver.text import joined, say

UNIT: Final = 60.0
"""The side of a square; the lengths below are parts of it."""

INK: Final = "#22333b"
PAPER: Final = "#fbf8f1"
HOLLOW: Final = "#fdfcf8"
_PUPIL: Final = "#1c2b33"
_FADED: Final = 0.42
_SIGHTS: Final = 2000
"""The number of lines of sight that are kept as they were drawn."""
_ONE: Final = svg.around(0.55 * UNIT)
"""The part of the picture that a tentacle keeps to."""
_FOUR: Final = svg.around(UNIT)
"""The part of the picture that a head keeps to."""


class Look(NamedTuple):
    """The look of a seat: its letter, its colours and the outline of its tentacles."""

    letter: str
    fill: str
    rim: str
    outline: Callable[..., str]


def _disc(scale: float, **style: str | float) -> str:
    return svg.circle(svg.ORIGIN, 0.35 * scale * UNIT, **style)


def _box(scale: float, **style: str | float) -> str:
    half = 0.32 * scale * UNIT
    return svg.rect(-half, -half, 2 * half, 2 * half, rx=0.3 * half, **style)


def _diamond(scale: float, **style: str | float) -> str:
    reach = 0.44 * scale * UNIT
    return svg.polygon(((0, -reach), (reach, 0), (0, reach), (-reach, 0)), stroke_linejoin="round", **style)


def _shield(scale: float, **style: str | float) -> str:
    side, high = 0.37 * scale * UNIT, 0.4 * scale * UNIT
    corners = ((-1.0, -0.85), (1.0, -0.85), (1.0, 0.2), (0.0, 1.05), (-1.0, 0.2))
    return svg.polygon(((right * side, down * high) for right, down in corners), stroke_linejoin="round", **style)


LOOKS: Final = {
    "North": Look("N", "#d6401f", "#8f2508", _disc),
    "East": Look("E", "#e2a400", "#8a6200", _diamond),
    "South": Look("S", "#0a67b2", "#053e70", _box),
    "West": Look("W", "#5a4a63", "#2f2535", _shield),
}
"""The looks of the seats, by name."""


@cache
def head(look: Look, *, exhausted: bool = False) -> str:
    """Return a head around the origin, the middle of its four squares; its eyes are closed if it is exhausted."""
    half = 0.9 * UNIT
    parts = [svg.rect(-half, -half, 2 * half, 2 * half, rx=0.62 * UNIT, fill=look.fill, stroke=look.rim, stroke_width=3)]
    for side in (-1, 1):
        eye = (side * 0.36 * UNIT, -0.3 * UNIT)
        if exhausted:
            parts.append(_stroke((eye[0] - 0.18 * UNIT, eye[1]), (eye[0] + 0.18 * UNIT, eye[1]), stroke="#ffffff", stroke_width=5))
        else:
            parts.append(svg.circle(eye, 0.23 * UNIT, fill="#ffffff", stroke=look.rim, stroke_width=2))
            parts.append(svg.circle((eye[0], eye[1] + 0.05 * UNIT), 0.1 * UNIT, fill=_PUPIL))
    parts.append(svg.text((0, 0.4 * UNIT), look.letter, 0.56 * UNIT, fill="#ffffff"))
    return svg.group(*parts, **_fading(exhausted=exhausted))


@cache
def tentacle(look: Look, cause: Cause | None = None, *, exhausted: bool = False) -> str:
    """Return a tentacle around the origin: full if its head sees it, else hollow.

    It has a cross if it is entangled, a bar if it is blocked, and a broken rim if it is overreached.
    """
    if cause is None:
        shape = look.outline(1, fill=look.fill, stroke=look.rim, stroke_width=2.5)
        return svg.group(shape, _letter(look, "#ffffff"), **_fading(exhausted=exhausted))
    broken: dict[str, str | float] = {"stroke_dasharray": "7 5"} if cause == "overreached" else {}
    parts = [look.outline(0.95, fill=HOLLOW, stroke=look.fill, stroke_width=4, **broken), _letter(look, look.rim)]
    badge = (0.31 * UNIT, -0.31 * UNIT)
    if cause != "overreached":
        parts.append(svg.circle(badge, 0.15 * UNIT, fill=look.rim, stroke=PAPER, stroke_width=2))
        reach = 0.07 * UNIT
        tilts = ((1, 1), (1, -1)) if cause == "entangled" else ((1, 0),)
        for right, down in tilts:
            ends = [(badge[0] + sign * right * reach, badge[1] + sign * down * reach) for sign in (-1, 1)]
            parts.append(_stroke(*ends, stroke="#ffffff", stroke_width=3))
    return svg.group(*parts, **_fading(exhausted=exhausted))


@lru_cache(maxsize=_SIGHTS)
def arm(look: Look, tip: svg.Point, head_end: svg.Point) -> str:
    """Return the line of sight between a head and a tentacle that it sees."""
    return _stroke(tip, head_end, stroke=look.fill, stroke_width=0.16 * UNIT, stroke_opacity=0.34)


@lru_cache(maxsize=_SIGHTS)
def broken_sight(look: Look, tip: svg.Point, by: svg.Point) -> str:
    """Return the dotted line from a tentacle to the piece that hides it from its head."""
    return _stroke(tip, by, stroke=look.fill, stroke_width=3, stroke_dasharray="1 8", stroke_opacity=0.8)


def _letter(look: Look, colour: str) -> str:
    return svg.text(svg.ORIGIN, look.letter, 0.3 * UNIT, fill=colour)


def _stroke(start: svg.Point, end: svg.Point, **style: str | float) -> str:
    return svg.element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke_linecap="round", **style)


def _fading(*, exhausted: bool) -> dict[str, str | float]:
    return {"opacity": _FADED} if exhausted else {}


_MARGIN: Final = 40.0
"""The pixels around the board for the names of files and ranks. What is left of the width are whole ones for 8 and for 10 squares."""
_SEA: Final = ("#cfe3e6", "#e1eff0")
_EDGE: Final = "#9dbfc5"
_FAINT: Final = "#456069"
_ENTERED: Final = "#fff3bf"
_DARK: Final = {
    PAPER: "#15191b",
    _SEA[0]: "#24373c",
    _SEA[1]: "#2c4248",
    _EDGE: "#4d6a71",
    _FAINT: "#a9c0c6",
    INK: "#edf3f4",
    _ENTERED: "#6b5c1e",
    LOOKS["West"].fill: "#8d76a0",
}


def draw(options: Options, state: Position, last: Move | None, targets: Sequence[Move], notes: Sequence[str]) -> str:
    """Return the whole picture: the board, under it the legend, and the `notes` in words."""
    here = field(options.size)
    parts = [_board(options.size), *_last_move(here, state, last)]
    unseen = [() if state.exhausted >> seat & 1 else hidden(options, state, seat) for seat, _ in enumerate(options.seat_names)]
    for seat, name in enumerate(options.seat_names):
        parts += _arms(options, state, seat, name)
    for seat, name in enumerate(options.seat_names):
        parts += _octopus(here, state, seat, name, unseen[seat])
    parts += [_target(here, move, head=move.start in state.heads) for move in targets]
    margin = _margin(here)
    width = options.size * UNIT + 2 * margin
    legend, y = svg.legend(_marks(options, state, last, targets, [one for some in unseen for one in some]), width, INK, width)
    size = svg.SMALL * width / svg.WIDTH
    for note in notes:
        line = svg.text((size / 2, 0), note, size, anchor="start", room=width - size, fill=INK)
        parts.append(svg.tile((0, y + size), svg.Box(0, -size, width, 2 * size), line))
        y += 2 * size
    return svg.document(width, y + 8, PAPER, *parts, legend, title=f"Tako Judo, {options.variant}", board=width, dark=_DARK)


def _margin(here: Field) -> float:
    # squares have whole pixels
    return here.board.width * UNIT * _MARGIN / (svg.WIDTH - 2 * _MARGIN)


def _corner(here: Field, square: int) -> svg.Point:
    return _corners(here.board.width)[square]


@cache
def _corners(size: int) -> Sequence[svg.Point]:
    """Return the upper left corner of each square."""
    here = field(size)
    margin = _margin(here)
    return [(margin + here.board.file(one) * UNIT, margin + (size - 1 - here.board.rank(one)) * UNIT) for one in here.board.squares]


def _middle(here: Field, square: int) -> svg.Point:
    x, y = _corner(here, square)
    return x + UNIT / 2, y + UNIT / 2


def _crown(here: Field, square: int) -> svg.Point:
    # the middle of a head, which has its lower left corner on the square
    x, y = _corner(here, square)
    return x + UNIT, y


@cache
def _board(size: int) -> str:
    here = field(size)
    side, margin = here.board.width * UNIT, _margin(here)
    parts = [svg.rect(margin, margin, side, side, fill=_SEA[1])]
    dark = [square for square in here.board.squares if (here.board.file(square) + here.board.rank(square)) % 2 == 0]
    parts += [svg.rect(*_corner(here, square), UNIT, UNIT, fill=_SEA[0]) for square in dark]
    parts.append(svg.rect(margin, margin, side, side, fill="none", stroke=_EDGE, stroke_width=3))
    for number in range(here.board.width):
        along = margin + (number + 0.5) * UNIT
        for across in (margin / 2, side + 1.5 * margin):
            parts.append(svg.text((along, across), chr(ord("a") + number), 0.38 * UNIT, fill=_FAINT))
            parts.append(svg.text((across, side + 2 * margin - along), str(number + 1), 0.38 * UNIT, fill=_FAINT))
    return "".join(parts)


def _arms(options: Options, state: Position, seat: int, name: str) -> Iterable[str]:
    """Yield the lines of sight, dotted where one is broken. They lie under all pieces. An exhausted octopus has none."""
    here, look = field(options.size), LOOKS[name]
    if state.exhausted >> seat & 1:
        return
    seen = here.seen(state.heads[seat], occupied(here, state))
    for square in members(state.arms[seat]):
        met = first_piece(here, state, seat, square)
        if met is not None:
            tip, (x, y) = _middle(here, square), _middle(here, met)
            end = (x - tip[0], y - tip[1])
            drawn = (arm if seen >> square & 1 else broken_sight)(look, svg.ORIGIN, end)
            yield svg.tile(tip, svg.reaching([end], 0.1 * UNIT), drawn)


def _octopus(here: Field, state: Position, seat: int, name: str, unseen: Sequence[Hidden]) -> Iterable[str]:
    look, exhausted = LOOKS[name], bool(state.exhausted >> seat & 1)
    causes = {one.arm: one.cause for one in unseen}
    for square in members(state.arms[seat]):
        yield svg.tile(_middle(here, square), _ONE, tentacle(look, causes.get(square), exhausted=exhausted))
    yield svg.tile(_crown(here, state.heads[seat]), _FOUR, head(look, exhausted=exhausted))


def _last_move(here: Field, state: Position, last: Move | None) -> list[str]:
    """Return the squares left and the squares entered, of a tentacle or of a head."""
    if last is None:
        return []
    # the last move ended on a head's lower left corner, so it was a head that moved
    squares = 2 if last.end in state.heads else 1
    corners = ((x, y - (squares - 1) * UNIT) for x, y in (_corner(here, last.start), _corner(here, last.end)))
    side = squares * UNIT
    box = svg.Box(0, 0, side, side)
    return [svg.tile(corner, box, frame(svg.ORIGIN, side)) for frame, corner in zip((_left, _entered), corners, strict=True)]


def _left(corner: svg.Point, side: float) -> str:
    return _frame(corner, side, fill="none", stroke_dasharray="8 6")


def _entered(corner: svg.Point, side: float) -> str:
    return _frame(corner, side, fill=_ENTERED)


def _frame(corner: svg.Point, side: float, **style: str | float) -> str:
    return svg.rect(corner[0] + 3, corner[1] + 3, side - 6, side - 6, rx=9, stroke=INK, stroke_width=3.5, **style)


def _target(here: Field, move: Move, *, head: bool) -> str:
    return svg.tile(_crown(here, move.end), _ONE, _ring()) if head else svg.tile(_middle(here, move.end), _ONE, _dot())


def _ring() -> str:
    # in the middle of the four squares of a head
    return svg.circle(svg.ORIGIN, 0.12 * UNIT, fill=PAPER, stroke=INK, stroke_width=3.5)


def _dot() -> str:
    return svg.circle(svg.ORIGIN, 0.085 * UNIT, fill=INK, stroke=PAPER, stroke_width=2)


def _marks(options: Options, state: Position, last: Move | None, targets: Sequence[Move], stuck: Sequence[Hidden]) -> Iterable[svg.Mark]:
    """Yield what is on the board. `stuck` are all tentacles that cannot move."""
    left, right = (-0.5 * UNIT, 0.0), (0.5 * UNIT, 0.0)
    corner, side = (-0.4 * UNIT, -0.4 * UNIT), 0.8 * UNIT
    awake = [seat for seat, _ in enumerate(options.seat_names) if not state.exhausted >> seat & 1]
    for seat, name in enumerate(options.seat_names):
        exhausted = seat not in awake
        yield svg.Mark(tentacle(LOOKS[name], exhausted=exhausted), say("{name} (exhausted)", name=name) if exhausted else name)
    if last is not None:
        yield svg.Mark(_left(corner, side), say("moved from"))
        yield svg.Mark(_entered(corner, side), say("moved to"))
    mover = LOOKS[options.seat_names[state.mover]]
    if sum(state.arms[seat].bit_count() for seat in awake) > len(stuck):
        yield svg.Mark(arm(mover, left, right), say("in sight"))
    if any(one.by is not None for one in stuck):
        yield svg.Mark(broken_sight(mover, left, right), say("hidden by"))
    for cause in CAUSES:
        if any(one.cause == cause for one in stuck):
            yield svg.Mark(tentacle(mover, cause), _named(cause))
    if any(move.start not in state.heads for move in targets):
        yield svg.Mark(_dot(), say("tentacle can go"))
    if any(move.start in state.heads for move in targets):
        yield svg.Mark(_ring(), say("head can go"))


def _named(cause: Cause) -> str:
    match cause:
        case "entangled":
            return say("entangled")
        case "blocked":
            return say("blocked")
        case "overreached":
            return say("overreached")
        case _:
            assert_never(cause)


class TakoJudoView:
    """Tako Judo's boards for one choice of options."""

    def __init__(self, options: Options, rules: TakoJudoRules) -> None:
        self.seat_names = options.seat_names
        self._options = options
        self._rules = rules
        self._field = field(options.size)

    def text(self, state: Position, last: Move | None = None) -> str:
        """Return the board from the top rank down; then a legend, the state of every octopus, and the move that would be twiddling."""
        board = self._field.board
        files = "   " + "".join(f" {chr(ord('a') + file)} " for file in range(board.width)).rstrip()
        lines = [files]
        for rank in reversed(range(board.height)):
            row = "".join(self._cell(state, board.at(file, rank), last) for file in range(board.width))
            lines.append(f"{rank + 1:2} {row} {rank + 1}")
        seats = joined(", ", [joined(" ", [name[0], name]) for name in self.seat_names])
        heads = say("{seats} (heads in capitals)", seats=seats)
        legend = heads if last is None else say("{seats} (heads in capitals), ( )[ ] last move", seats=seats)
        fares = [self._fares(state, seat) for seat, _ in enumerate(self.seat_names)]
        return joined("\n", [*lines, files, "", legend, *fares, *self._notes(state), ""])

    def tell(self, state: Position, step: Move) -> tuple[str, ...]:
        """Return sentences about the octopuses that the move exhausts."""
        after = self._rules.apply(state, step)
        fallen = [name for seat, name in enumerate(self.seat_names) if (after.exhausted ^ state.exhausted) >> seat & 1]
        return tuple(say("{name} can no longer move and is exhausted.", name=name) for name in fallen)

    def svg(self, state: Position, last: Move | None = None, targets: Sequence[Move] = ()) -> str:
        """Return the picture: octopuses with an arm to every tentacle in sight.

        Other tentacles are hollow, with a mark for the reason why they cannot move.
        """
        return draw(self._options, state, last, targets, self._notes(state))

    def touches(self, state: Position, step: Move) -> Sequence[Touches]:
        """Return the square of a piece, for a head each of its four, and the one it goes to. See `rules.View`."""
        return touch.touches(self._options, state, step)

    def places(self, state: Position, touched: Touches = ()) -> Mapping[str, Place]:
        """Return the squares, and where a head can go, the middle of four. See `rules.View`."""
        return touch.places(self._options, state, touched, self._outline, _named)

    def written(self, state: Position, touched: Touches) -> str:
        """Return a move. See `rules.View`."""
        return touch.written(self._options, state, touched)

    def _outline(self, square: Square) -> Outline:
        return rectangle(*_corner(self._field, square), UNIT, UNIT)

    def _cell(self, state: Position, square: Square, last: Move | None) -> str:
        sign, blocks = ".", self._field.blocks
        for name, head, arms in zip(self.seat_names, state.heads, state.arms, strict=True):
            if blocks[head] >> square & 1:
                sign = name[0]
            elif arms >> square & 1:
                sign = name[0].lower()
        if last is not None:
            left, entered = (blocks[one] if last.end in state.heads else 1 << one for one in last)
            if entered >> square & 1:
                return f"[{sign}]"
            if left >> square & 1:
                return f"({sign})"
        return f" {sign} "

    def _fares(self, state: Position, seat: int) -> str:
        """Return the tentacles that the head does not see, by square and by the reason."""
        name, names = self.seat_names[seat], self._field.board.names
        if state.exhausted >> seat & 1:
            return say("{name}: exhausted", name=name)
        found = hidden(self._options, state, seat)
        squares = {cause: " ".join(names[one.arm] for one in found if one.cause == cause) for cause in CAUSES}
        stuck = [_stuck(cause, arms) for cause, arms in squares.items() if arms]
        if not stuck:
            return say("{name}: sees every tentacle", name=name)
        return say("{name}: {tentacles}", name=name, tentacles=joined("; ", stuck))

    def _notes(self, state: Position) -> list[str]:
        ban = twiddle(self._field, state)
        if ban is None:
            return []
        name = self.seat_names[state.mover]
        return [say("{name} may not move {move} this turn: twiddling.", name=name, move=written(self._field, ban))]


def _stuck(cause: Cause, squares: str) -> str:
    match cause:
        case "entangled":
            return say("entangled {squares}", squares=squares)
        case "blocked":
            return say("blocked {squares}", squares=squares)
        case "overreached":
            return say("overreached {squares}", squares=squares)
        case _:
            assert_never(cause)
