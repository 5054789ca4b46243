"""Tako Judo's notation: the square that a piece leaves and the one it goes to. The grammar stands in RULES.md."""

import re

from turnserver.errors import Illegal, Unreadable
from turnserver.games.tako_judo.field import Field, Move, field
from turnserver.games.tako_judo.position import Options, Position, occupied
from turnserver.games.tako_judo.sight import Hidden, why_hidden
from turnserver.rules.options import shown
from turnserver.rules.square import EIGHT, WRITTEN, Square, called, members
from turnserver.rules.writing import plain
from turnserver.words import listing

_MOVE = re.compile(f"(?:move )?(?:from )?({WRITTEN}) ?(?:-|,|to)? ?({WRITTEN})")
_CANONICAL = re.compile(r"([a-z][0-9]+)-([a-z][0-9]+)")


def read(here: Field, text: str) -> Move:
    """The move that the text names, whatever its case, spacing, kind of dash and final punctuation.

    Raises Unreadable, or Illegal for squares that are not on this board.
    """
    match = _MOVE.fullmatch(plain(text))
    if match is None:
        raise _unreadable(text)
    start, end = (called(here.board, name) for name in match.groups())
    return here.moves[start][end]


def look_up(here: Field, text: str) -> Move:
    """The move whose canonical notation the text is. Raises Unreadable."""
    match = _CANONICAL.fullmatch(text)
    if match is None or not {*match.groups()} <= here.board.by_name.keys():
        raise _unreadable(text)
    start, end = (here.board.by_name[name] for name in match.groups())
    return here.moves[start][end]


def written(here: Field, move: Move) -> str:
    """The two squares, joined by a hyphen."""
    return f"{here.board.names[move.start]}-{here.board.names[move.end]}"


def refusal(options: Options, position: Position, move: Move) -> Illegal | None:
    """Which rule forbids the move to the seat whose turn it is, or None if none does."""
    here = field(options.size)
    mover, names = position.mover, here.board.names
    head, start, end = position.heads[mover], *move
    if position.over:
        return Illegal("The game is over.", code="over")
    if here.blocks[head] >> start & 1 and start != head:
        return _head_misnamed(options, position, move)
    if not (position.arms[mover] | 1 << head) >> start & 1:
        return _not_yours(options, position, Square(start))
    line = _line(here, move)
    if not line:
        return Illegal(f"From {names[start]} no straight line leads to {names[end]}; pieces move as a queen in chess.", code="no_line")
    if start == head and not here.blocks[end]:
        return Illegal(f"On {names[end]} your head would stand across the edge; {names[end]} would be its lower left.", code="off_edge")
    everything = occupied(here, position)
    if start != head and not here.seen(head, everything) >> start & 1:
        why = why_hidden(options, position, mover, Square(start))
        return Illegal(_said(here, why), code=why.cause)
    others = everything & ~here.blocks[head] if start == head else everything
    for square in line:
        met = (here.blocks[square] if start == head else 1 << square) & others
        if met:
            return _in_the_way(options, position, move, met)
    if move == position.bans[mover]:
        return Illegal(
            f"{written(here, move)} would be twiddling: on your last turn this piece came from {names[end]}. "
            "Move another piece, or this one elsewhere; after that the way back is open.",
            code="twiddling",
        )
    return None


def _unreadable(text: str) -> Unreadable:
    return Unreadable(f"{shown(text)} is no move in Tako Judo; write the square that a piece leaves and the one it goes to, such as c6-a4.")


def _head_misnamed(options: Options, position: Position, move: Move) -> Illegal:
    """A head named by another of its squares: say how to write what was meant, if that can be played."""
    here = field(options.size)
    names, head = here.board.names, position.heads[position.mover]
    end = move.end - move.start + head
    meant = here.moves[head][end] if 0 <= end < len(names) else None
    advice = f"; write {written(here, meant)}" if meant and refusal(options, position, meant) is None else ""
    return Illegal(f"{names[move.start]} is part of your head, whose lower left square {names[head]} names it{advice}.", code="head_corner")


def _not_yours(options: Options, position: Position, start: Square) -> Illegal:
    here = field(options.size)
    owner = _owner(options, position, start)
    if owner is None:
        return Illegal(f"There is no piece on {here.board.names[start]}.", code="empty")
    return Illegal(f"{here.board.names[start]} is {owner}; you move {options.seat_names[position.mover]}.", code="not_yours")


def _owner(options: Options, position: Position, square: Square) -> str | None:
    """Whose piece stands on the square, for the seat to move: `a tentacle of South`, `your head`."""
    here = field(options.size)
    for seat, name in enumerate(options.seat_names):
        ours = seat == position.mover
        if here.blocks[position.heads[seat]] >> square & 1:
            return "your head" if ours else f"the head of {name}"
        if position.arms[seat] >> square & 1:
            return "a tentacle of yours" if ours else f"a tentacle of {name}"
    return None


def _line(here: Field, move: Move) -> tuple[Square, ...]:
    """The squares from the one after the start up to the end, or none if these are not on a line."""
    for direction, _ in enumerate(EIGHT):
        ray = here.board.rays[move.start][direction]
        if move.end in ray:
            return ray[: ray.index(Square(move.end)) + 1]
    return ()


def _said(here: Field, why: Hidden) -> str:
    name = here.board.names[why.arm]
    if why.by is None:
        return f"{name} has overreached: no straight line leads from it to your head."
    return f"{name} is {why.cause}: {here.board.names[why.by]} hides it from your head."


def _in_the_way(options: Options, position: Position, move: Move, met: int) -> Illegal:
    here = field(options.size)
    owned = [f"{here.board.names[square]} ({_owner(options, position, square)})" for square in members(met)]
    needs = "; a head needs a way two squares wide" if move.start == position.heads[position.mover] else ""
    verb = "is" if len(owned) == 1 else "are"
    return Illegal(f"{written(here, move)} is not open: {listing(owned, 'and')} {verb} in the way{needs}.", code="in_the_way")
