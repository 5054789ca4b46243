"""Okago written a second time, slowly, from the rules alone: the yardstick for the product's engine.

A board is a dictionary of the squares that hold a piece, every question is answered by looking at all squares, and nothing is
remembered between calls. It shares no code with `turnserver` and imports none of it.

A square is its file and its rank, both counted from 0: (2, 2) is c3.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

PIECES = 12
RED, BLUE = 1, 2

Square = tuple[int, int]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Piece(NamedTuple):
    """A piece: its owner, and which way it lies."""

    seat: int
    face_up: bool


class Deed(NamedTuple):
    """The effect of a step: the piece that is put on a square, and for a jump the squares that are cleared."""

    target: Square
    piece: Piece
    origin: Square | None = None
    jumped: Square | None = None


@dataclass(frozen=True)
class Position:
    """All that has a bearing on what may happen; `hand` counts the pieces that each seat has still to place."""

    size: int
    board: dict[Square, Piece]
    hand: dict[int, int]
    no_go: Square | None
    mover: int
    turn: int
    winner: int | None


def name(square: Square) -> str:
    """`c3`, and so on."""
    return f"{'abcdefgh'[square[0]]}{square[1] + 1}"


def start(size: int = 5, advanced: bool = False) -> Position:
    """An empty board; in the advanced game the No-Go lies in the middle."""
    middle = (size // 2, size // 2)
    return Position(size, {}, {RED: PIECES, BLUE: PIECES}, middle if advanced else None, RED, 1, None)


def squares(position: Position) -> list[Square]:
    """All of the board."""
    return [(x, y) for y in range(position.size) for x in range(position.size)]


def on_board(position: Position, square: Square) -> bool:
    """Return whether there is such a square."""
    return 0 <= square[0] < position.size and 0 <= square[1] < position.size


def placements(position: Position) -> Iterator[tuple[str, Deed]]:
    """A piece in hand goes on any square that is free of pieces and of the No-Go; Blue's first one may lie face-down."""
    if position.hand[position.mover] == 0:
        return
    for square in squares(position):
        if square not in position.board and square != position.no_go:
            yield name(square), Deed(square, Piece(position.mover, face_up=True))
            if position.mover == BLUE and position.hand[BLUE] == PIECES:
                yield f"{name(square)} down", Deed(square, Piece(BLUE, face_up=False))


def jumps(position: Position) -> Iterator[tuple[str, Deed]]:
    """A face-up piece goes straight over a face-up piece of the opponent beside it, to the square behind, and lies face-down there."""
    mine, theirs = Piece(position.mover, face_up=True), Piece(3 - position.mover, face_up=True)
    for x, y in [square for square, piece in position.board.items() if piece == mine]:
        for dx, dy in DIRECTIONS:
            origin, over, target = (x, y), (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if position.board.get(over) == theirs and on_board(position, target) and target not in position.board:
                yield f"{name(origin)}x{name(target)}", Deed(target, Piece(position.mover, face_up=False), origin, over)


def deeds(position: Position) -> dict[str, Deed]:
    """Everything the mover may do, by its text."""
    return dict([*placements(position), *jumps(position)])


def legal(position: Position) -> set[str]:
    """Return what the mover may do; nothing once the game is over."""
    return set() if position.winner is not None else set(deeds(position))


def turn(position: Position) -> tuple[str, int, int] | tuple[str, frozenset[int], tuple[int, ...]]:
    """Return whose turn it is and its number, or who won."""
    if position.winner is not None:
        return "over", frozenset({position.winner}), ()
    return "choose", position.mover, position.turn


def play(position: Position, text: str) -> Position:
    """Place or jump; four in a row win, and so does leaving the opponent nothing to do."""
    possible = deeds(position)
    if position.winner is not None or text not in possible:
        raise ValueError(f"{text} is not legal")
    deed, mover = possible[text], position.mover
    board = {square: piece for square, piece in position.board.items() if square not in (deed.origin, deed.jumped)}
    board[deed.target] = deed.piece
    hand = dict(position.hand)
    if deed.origin is None:
        hand[mover] -= 1
    after = Position(position.size, board, hand, deed.jumped, 3 - mover, position.turn + 1, None)
    return replace(after, winner=mover) if four_in_a_row(after, mover) or not legal(after) else after


def four_in_a_row(position: Position, seat: int) -> bool:
    """Return whether four pieces of a seat, lying either way, stand in a row."""
    for x, y in [square for square, piece in position.board.items() if piece.seat == seat]:
        for dx, dy in DIRECTIONS:
            row = [position.board.get((x + far * dx, y + far * dy)) for far in range(4)]
            if all(piece is not None and piece.seat == seat for piece in row):
                return True
    return False
