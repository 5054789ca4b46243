"""Touching a board of Okago: an empty square takes a piece, a piece on the board jumps to the square where it lands."""

from collections.abc import Callable, Sequence

from turnserver.games.okago.position import SEAT_NAMES, Ground, Jump, Position, Step
from turnserver.rules.place import Outline, Place, Touches
from turnserver.rules.square import Square
from turnserver.text import say


def touches(tables: Ground, step: Step) -> Sequence[Touches]:
    """Return the sequence that plays a step. See `rules.View`. A piece is placed face-up or face-down by the same touch."""
    names = tables.board.names
    return ((names[step.origin], names[step.landing]),) if isinstance(step, Jump) else ((names[step.square],),)


def places(tables: Ground, state: Position, touched: Touches, outline: Callable[[Square], Outline]) -> dict[str, Place]:
    """Return all that can be touched next. See `rules.View`. `outline` gives a square in the picture."""
    names = tables.board.names
    squares = {names[square]: Place(words(tables, state, square), outline(square)) for square in tables.board.squares}
    if not touched:
        return squares
    if touched[1:] or not _own(tables, state, touched[0]):
        return {}
    return {name: place for name, place in squares.items() if name != touched[0]}


def written(tables: Ground, state: Position, touched: Touches) -> str:
    """Return the step that the touches mean, legal or not. See `rules.View`."""
    # more than two squares are no step, and nobody takes them for one
    if len(touched) != 1 or not _own(tables, state, touched[0]):
        return "x".join(touched)
    # the jump that comes nearest to one, so that its refusal says why this piece has none
    leaps = tables.leaps[tables.board.by_name[touched[0]]]
    down = state.my_down >> tables.board.by_name[touched[0]] & 1
    return next((tables.text(jump) for over, _, jump in leaps if down or state.theirs & over), touched[0])


def words(tables: Ground, state: Position, square: Square) -> str:
    """Return a square and what is there."""
    name = tables.board.names[square]
    for seat, (up, down) in enumerate(zip(state.up, state.down, strict=True)):
        if (up | down) >> square & 1:
            return piece(name, seat, up=bool(up >> square & 1))
    if state.no_go >> square & 1:
        return say("{square}, the No-Go", square=name)
    return say("{square}, empty", square=name)


def piece(square: str, seat: int, *, up: bool) -> str:
    """Return a square and the piece on it."""
    who = SEAT_NAMES[seat]
    return say("{square}, {who}, face-up", square=square, who=who) if up else say("{square}, {who}, face-down", square=square, who=who)


def _own(tables: Ground, state: Position, name: str) -> bool:
    return name in tables.board.by_name and bool(state.mine >> tables.board.by_name[name] & 1)
