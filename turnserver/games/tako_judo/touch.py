"""Touching a board of Tako Judo: a piece, then the square it goes to, for a head the middle of the four squares it would stand on."""

from collections.abc import Callable, Sequence

from turnserver.games.tako_judo.notation import owner_of
from turnserver.games.tako_judo.position import Cause, Move, Options, Position, field, hidden, occupied
from turnserver.rules.place import Outline, Place, Touches, rectangle
from turnserver.rules.square import Square, members
from turnserver.text import joined, say


def touches(options: Options, state: Position, step: Move) -> Sequence[Touches]:
    """Return the sequences that play a step. See `rules.View`. A head can be taken by each of its squares."""
    here = field(options.size)
    names, end = here.board.names, here.board.names[step.end]
    if step.start != state.heads[state.mover]:
        return ((names[step.start], end),)
    return tuple((names[square], end) for square in members(here.blocks[step.start]))


def places(
    options: Options, state: Position, touched: Touches, outline: Callable[[Square], Outline], cause: Callable[[Cause], str]
) -> dict[str, Place]:
    """Return all that can be touched next. See `rules.View`. `outline` gives a square in the picture, `cause` its word."""
    here = field(options.size)
    names = here.board.names
    unseen = {one.arm: cause(one.cause) for one in hidden(options, state, state.mover)}
    squares = {names[square]: Place(_words(options, state, square, unseen), outline(square)) for square in here.board.squares}
    if not touched:
        return squares
    piece = _piece(options, state, touched[0])
    if touched[1:] or piece is None or owner_of(options, state, piece) != state.mover:
        return {}
    # nothing goes to where it is already
    squares = {name: place for name, place in squares.items() if name not in (touched[0], names[piece])}
    if piece != state.heads[state.mover]:
        return squares
    # Squares that a head can go to are free or its own, so no other piece is covered by the middle of four of them.
    for _, ends in here.ends(piece, 0, occupied(here, state), state.bans[state.mover]):
        for end in members(ends):
            words = say("{square}, as the lower left square of the head", square=names[end])
            squares[names[end]] = Place(words, _middle_of_four(outline(end)))
    return squares


def written(options: Options, state: Position, touched: Touches) -> str:
    """Return the step that the touches mean, legal or not. See `rules.View`."""
    here = field(options.size)
    names = here.board.names
    piece = _piece(options, state, touched[0]) if touched else None
    if piece is None:
        return " ".join(touched)
    if touched[1:]:
        return "-".join([names[piece], *touched[1:]])
    ban = state.bans[state.mover]
    if ban is not None and ban.start == piece:
        return "-".join(names[square] for square in ban)
    # the refusal of any short step says why the piece can make none
    ends = (ray[0] for ray in here.board.rays[piece] if ray)
    is_head = piece == state.heads[state.mover]
    return f"{names[piece]}-{names[next(end for end in ends if here.blocks[end] or not is_head)]}"


def _piece(options: Options, state: Position, name: str) -> Square | None:
    """Return the square by which a move names what is touched: for the head of the seat to move, its lower left one."""
    here = field(options.size)
    head = Square(state.heads[state.mover])
    square = here.board.by_name.get(name)
    return head if square is not None and here.blocks[head] >> square & 1 else square


def _middle_of_four(outline: Outline) -> Outline:
    """Return a square around the upper right corner of another one."""
    (left, top), _, (right, bottom), _ = outline
    return rectangle((left + right) / 2, top - (bottom - top) / 2, right - left, bottom - top)


def _words(options: Options, state: Position, square: Square, unseen: dict[Square, str]) -> str:
    """Return a square and what is there; for tentacles of the seat to move that its head does not see, the reason as well."""
    here = field(options.size)
    name, seat = here.board.names[square], owner_of(options, state, square)
    if seat is None:
        return say("{square}, empty", square=name)
    who = options.seat_names[seat]
    if here.blocks[state.heads[seat]] >> square & 1:
        return say("{square}, head of {who}", square=name, who=who)
    tentacle = say("{square}, tentacle of {who}", square=name, who=who)
    return joined(", ", [tentacle, unseen[square]]) if square in unseen else tentacle
