"""Drawing Tako Judo: octopuses whose arms show what their heads see."""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from turnserver.games.tako_judo.field import Field, Move, field
from turnserver.games.tako_judo.octopus import INK, LOOKS, PAPER, UNIT, arm, broken_sight, head, tentacle
from turnserver.games.tako_judo.position import Options, Position, occupied
from turnserver.games.tako_judo.sight import CAUSES, Cause, first_piece, hidden
from turnserver.rules import svg
from turnserver.rules.square import Square, members
from turnserver.text import say

_MARGIN: Final = 0.62 * UNIT
_SEA: Final = ("#cfe3e6", "#e1eff0")
_EDGE: Final = "#9dbfc5"
_FAINT: Final = "#5d7880"
_SPARE: Final = 1.2
"""How much room is kept for longer words in other languages, in sizes of their letters."""


def draw(options: Options, state: Position, last: Move | None, targets: Sequence[Move], notes: Sequence[str]) -> str:
    """The whole picture: the board, under it what is what, and the `notes` in words."""
    here = field(options.size)
    width = options.size * UNIT + 2 * _MARGIN
    parts = [*_board(here), *_last_move(here, state, last)]
    for seat, name in enumerate(options.seat_names):
        parts += _arms(options, state, seat, name)
    for seat, name in enumerate(options.seat_names):
        parts += _octopus(options, state, seat, name)
    parts += [_target(here, state, move) for move in targets]
    legend, height = _legend(options, state, width, notes)
    return svg.document(width, height, PAPER, *parts, *legend, title=f"Tako Judo, {options.variant}")


def _corner(here: Field, square: int) -> svg.Point:
    """The upper left corner of a square."""
    file, rank = here.board.file(Square(square)), here.board.rank(Square(square))
    return _MARGIN + file * UNIT, _MARGIN + (here.board.height - 1 - rank) * UNIT


def _middle(here: Field, square: int) -> svg.Point:
    x, y = _corner(here, square)
    return x + UNIT / 2, y + UNIT / 2


def _crown(here: Field, square: int) -> svg.Point:
    """The middle of a head that has its lower left corner on the square."""
    x, y = _corner(here, square)
    return x + UNIT, y


def _board(here: Field) -> list[str]:
    side = here.board.width * UNIT
    parts = [svg.rect(_MARGIN, _MARGIN, side, side, fill=_SEA[1])]
    dark = [square for square in here.board.squares if (here.board.file(square) + here.board.rank(square)) % 2 == 0]
    parts += [svg.rect(*_corner(here, square), UNIT, UNIT, fill=_SEA[0]) for square in dark]
    parts.append(svg.rect(_MARGIN, _MARGIN, side, side, fill="none", stroke=_EDGE, stroke_width=3))
    for number in range(here.board.width):
        along = _MARGIN + (number + 0.5) * UNIT
        for across in (_MARGIN / 2, side + 1.5 * _MARGIN):
            parts.append(svg.text((along, across), chr(ord("a") + number), 0.34 * UNIT, fill=_FAINT))
            parts.append(svg.text((across, side + 2 * _MARGIN - along), str(number + 1), 0.34 * UNIT, fill=_FAINT))
    return parts


def _arms(options: Options, state: Position, seat: int, name: str) -> Iterable[str]:
    """Lines of sight, and dots where one is broken; they lie under all pieces. An exhausted octopus has let go."""
    here, look = field(options.size), LOOKS[name]
    if state.exhausted >> seat & 1:
        return
    seen = here.seen(state.heads[seat], occupied(here, state))
    for square in members(state.arms[seat]):
        met = first_piece(here, state, seat, square)
        if met is not None:
            yield (arm if seen >> square & 1 else broken_sight)(look, _middle(here, square), _middle(here, met))


def _octopus(options: Options, state: Position, seat: int, name: str) -> Iterable[str]:
    here, look = field(options.size), LOOKS[name]
    exhausted = bool(state.exhausted >> seat & 1)
    causes: dict[Square, Cause] = {} if exhausted else {one.arm: one.cause for one in hidden(options, state, seat)}
    for square in members(state.arms[seat]):
        yield tentacle(look, _middle(here, square), causes.get(square), exhausted=exhausted)
    yield head(look, _crown(here, state.heads[seat]), exhausted=exhausted)


def _last_move(here: Field, state: Position, last: Move | None) -> list[str]:
    """The squares left and the squares entered, of a tentacle or of a head."""
    if last is None:
        return []
    squares = 2 if last.end in state.heads else 1
    parts = []
    for square, style in ((last.start, {"stroke_dasharray": "8 6", "fill": "none"}), (last.end, {"fill": "#fff3bf"})):
        x, y = _corner(here, square)
        parts.append(
            svg.rect(
                x + 3, y + 3 - (squares - 1) * UNIT, squares * UNIT - 6, squares * UNIT - 6, rx=9, stroke=INK, stroke_width=3.5, **style
            )
        )
    return parts


def _target(here: Field, state: Position, move: Move) -> str:
    """A dot where a tentacle may go, a small ring in the middle of the four squares where the head may."""
    if move.start in state.heads:
        return svg.circle(_crown(here, move.end), 0.12 * UNIT, fill=PAPER, stroke=INK, stroke_width=3.5)
    return svg.circle(_middle(here, move.end), 0.085 * UNIT, fill=INK, stroke=PAPER, stroke_width=2)


def _legend(options: Options, state: Position, width: float, notes: Sequence[str]) -> tuple[list[str], float]:
    """What is what, and the height of the picture with it."""
    scale = options.size / 8
    nowhere, room = (0.0, 0.0), width - _MARGIN
    seats = [
        (tentacle(LOOKS[name], nowhere, exhausted=True), say("{name} (exhausted)", name=name))
        if state.exhausted >> seat & 1
        else (tentacle(LOOKS[name], nowhere), name)
        for seat, name in enumerate(options.seat_names)
    ]
    mover = LOOKS[options.seat_names[state.mover]]
    stuck = [(tentacle(mover, nowhere, cause), _named(cause)) for cause in CAUSES]
    y = options.size * UNIT + 2 * _MARGIN + 0.22 * UNIT * scale
    parts: list[str] = []
    for row in (seats, stuck):
        parts += _row(row, width / 2, y, room, scale)
        y += 0.62 * UNIT * scale
    for note in notes:
        parts.append(svg.text((width / 2, y), note, 0.28 * UNIT * scale, room=room, fill=INK))
        y += 0.5 * UNIT * scale
    return parts, y + 0.05 * UNIT


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


def _row(entries: Sequence[tuple[str, str]], middle: float, y: float, room: float, scale: float) -> list[str]:
    """Signs and what they stand for side by side, each with some room to spare: in another language its words may be longer."""
    size = 0.3 * UNIT * scale
    widths = [0.95 * UNIT * scale + 0.58 * size * len(words) for _, words in entries]
    spare = min(_SPARE * size, (room - sum(widths)) / len(widths))
    widths = [width + max(0.0, spare) for width in widths]
    shrunk = min(1.0, room / sum(widths))
    x = middle - shrunk * (sum(widths) / 2 - 0.35 * UNIT * scale)
    parts = []
    for (icon, words), width in zip(entries, widths, strict=True):
        parts.append(svg.group(icon, transform=f"translate({svg.number(x)} {svg.number(y)}) scale({svg.number(0.68 * shrunk * scale)})"))
        start = 0.38 * UNIT * scale
        parts.append(svg.text((x + shrunk * start, y), words, shrunk * size, fill=INK, anchor="start", room=shrunk * (width - 1.5 * start)))
        x += shrunk * width
    return parts
