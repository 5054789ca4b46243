"""Tako Judo's notation: the square that a piece leaves and the one it goes to. The grammar stands in RULES.md."""

import re

from turnserver.errors import Illegal, Unreadable
from turnserver.games.tako_judo.position import Field, Move, Options, Position, field, occupied, why_hidden
from turnserver.rules.options import shown
from turnserver.rules.square import EIGHT, WRITTEN, Square, called, members
from turnserver.rules.writing import plain
from turnserver.text import listing, say

_MOVE = re.compile(f"(?:move )?(?:from )?({WRITTEN}) ?(?:-|,|to)? ?({WRITTEN})")


def read(here: Field, text: str) -> Move:
    """Return the move that the text names, in any case and spacing, with any kind of dash.

    Raises Unreadable, or Illegal for squares that are not on this board.
    """
    # the log, and most players, write the move as it is
    if (move := _as_written(here, text)) is not None:
        return move
    match = _MOVE.fullmatch(plain(text))
    if match is None:
        raise _unreadable(text)
    start, end = (called(here.board, name) for name in match.groups())
    return here.moves[start][end]


def look_up(here: Field, text: str) -> Move:
    """Return the move of that canonical notation. Raises Unreadable."""
    move = _as_written(here, text)
    if move is None:
        raise _unreadable(text)
    return move


def _as_written(here: Field, text: str) -> Move | None:
    """Return the move of that canonical notation; None if it is none."""
    start, _, end = text.partition("-")
    squares = here.board.by_name
    return here.moves[squares[start]][squares[end]] if start in squares and end in squares else None


def written(here: Field, move: Move) -> str:
    """Return the two squares, joined by a hyphen."""
    return f"{here.board.names[move.start]}-{here.board.names[move.end]}"


def refusal(options: Options, position: Position, move: Move) -> Illegal | None:
    """Return the error of the rule that forbids the move to the seat to move; None if no rule forbids it."""
    here = field(options.size)
    mover, names = position.mover, here.board.names
    head, start, end = position.heads[mover], *move
    if position.over:
        return Illegal(say("The game is over."), code="over")
    # before all other rules: whoever names another corner of the head means the head
    if here.blocks[head] >> start & 1 and start != head:
        return _head_misnamed(options, position, move)
    if not (position.arms[mover] | 1 << head) >> start & 1:
        return _not_yours(options, position, Square(start))
    line = _line(here, move)
    if not line:
        words = say("No straight line leads from {start} to {end}. Pieces move like a queen in chess.", start=names[start], end=names[end])
        return Illegal(words, code="no_line")
    if start == head and not here.blocks[end]:
        words = say("Your head would go over the edge: {end} would be its lower left square.", end=names[end])
        return Illegal(words, code="off_edge")
    everything = occupied(here, position)
    if start != head and not here.seen(head, everything) >> start & 1:
        return _hidden(options, position, Square(start))
    # a head may step onto squares of its own (ruling 2)
    others = everything & ~here.blocks[head] if start == head else everything
    for square in line:
        met = (here.blocks[square] if start == head else 1 << square) & others
        if met:
            return _in_the_way(options, position, move, met)
    # only the way back of the seat's own last turn (ruling 3)
    if move == position.bans[mover]:
        return Illegal(
            say(
                "The move {move} would be twiddling: this piece came from {end} on your last turn. Move another piece, "
                "or this one elsewhere; after that the way back is open.",
                move=written(here, move),
                end=names[end],
            ),
            code="twiddling",
        )
    return None


def _unreadable(text: str) -> Unreadable:
    words = say("{text} isn't a move in Tako Judo. Write the square that a piece leaves and the one it goes to.", text=shown(text))
    return Unreadable(words)


def _head_misnamed(options: Options, position: Position, move: Move) -> Illegal:
    """Return the error for a head named by another of its squares."""
    here = field(options.size)
    names, head = here.board.names, position.heads[position.mover]
    end = move.end - move.start + head
    # the same step of the whole head, as long as it stays on the board
    meant = [written(here, here.moves[head][end])] if 0 <= end < len(names) else []
    words = say(
        "The square {square} is part of your head. Name it by its lower left square, {head}.", square=names[move.start], head=names[head]
    )
    return Illegal(words, code="head_corner", meant=meant)


def _not_yours(options: Options, position: Position, start: Square) -> Illegal:
    here, name = field(options.size), options.seat_names[position.mover]
    square = here.board.names[start]
    owner = owner_of(options, position, start)
    if owner is None:
        return Illegal(say("There is no piece on {square}.", square=square), code="empty")
    other = options.seat_names[owner]
    if here.blocks[position.heads[owner]] >> start & 1:
        return Illegal(
            say("The head of {other} is on {square}, and you play {name}.", square=square, other=other, name=name), code="not_yours"
        )
    return Illegal(
        say("A tentacle of {other} is on {square}, and you play {name}.", square=square, other=other, name=name), code="not_yours"
    )


def owner_of(options: Options, position: Position, square: Square) -> int | None:
    """Return the seat, counted from 0, whose piece stands on the square; None if the square is empty."""
    blocks = field(options.size).blocks
    pieces = (blocks[head] | arms for head, arms in zip(position.heads, position.arms, strict=True))
    return next((seat for seat, squares in enumerate(pieces) if squares >> square & 1), None)


def _line(here: Field, move: Move) -> tuple[Square, ...]:
    # the start is not included
    for direction, _ in enumerate(EIGHT):
        ray = here.board.rays[move.start][direction]
        if move.end in ray:
            return ray[: ray.index(Square(move.end)) + 1]
    return ()


def _hidden(options: Options, position: Position, start: Square) -> Illegal:
    """Return the reason why the tentacle on the square has no sight."""
    names = field(options.size).board.names
    arm, cause, by = why_hidden(options, position, position.mover, start)
    if by is None:
        words = say("Your tentacle {arm} has overreached: no straight line leads from it to your head.", arm=names[arm])
    elif cause == "blocked":
        words = say("Your tentacle {arm} is blocked: {by} hides it from your head.", arm=names[arm], by=names[by])
    else:
        words = say("Your tentacle {arm} is entangled: {by} hides it from your head.", arm=names[arm], by=names[by])
    return Illegal(words, code=cause)


def _in_the_way(options: Options, position: Position, move: Move, met: int) -> Illegal:
    here = field(options.size)
    owned = [_with_owner(options, position, square) for square in members(met)]
    pieces, number, text = listing(owned, "and"), len(owned), written(here, move)
    if move.start == position.heads[position.mover]:
        words = say(
            "The move {move} is blocked: {pieces} is in the way. A head needs a way two squares wide.",
            "The move {move} is blocked: {pieces} are in the way. A head needs a way two squares wide.",
            n=number,
            move=text,
            pieces=pieces,
        )
    else:
        words = say(
            "The move {move} is blocked: {pieces} is in the way.",
            "The move {move} is blocked: {pieces} are in the way.",
            n=number,
            move=text,
            pieces=pieces,
        )
    return Illegal(words, code="in_the_way")


def _with_owner(options: Options, position: Position, square: Square) -> str:
    """Return a square with the piece on it, as the seat to move sees it: `d4 (a tentacle of South)`."""
    here, seat = field(options.size), owner_of(options, position, square)
    name = here.board.names[square]
    assert seat is not None  # noqa: S101  # whatever is in the way is somebody's piece
    ours, is_head = seat == position.mover, bool(here.blocks[position.heads[seat]] >> square & 1)
    if ours:
        return say("{square} (your head)", square=name) if is_head else say("{square} (a tentacle of yours)", square=name)
    other = options.seat_names[seat]
    if is_head:
        return say("{square} (the head of {other})", square=name, other=other)
    return say("{square} (a tentacle of {other})", square=name, other=other)
