"""Tako Judo written a second time, slowly, from the rules alone: the yardstick for the product's engine.

A board is a dictionary of the squares that hold something, every question is answered by walking over squares, and nothing is
remembered between calls but the texts of the positions that have been. It shares no code with `turnserver` and imports none of it.

A square is its file and its rank, both counted from 0: (2, 5) is c6. In text a head goes by its lower left square.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

VARIANTS = ("duel", "teams", "free-for-all")
DUEL, TEAMS, FREE_FOR_ALL = VARIANTS

START_FOR_TWO = "..1##1../..1##1../..1111../......../......../..2222../..2##2../..2##2.."
START_FOR_FOUR = "...1##1.../...1##1.../...1111.../444....222/##4....2##/##4....2##/444....222/...3333.../...3##3.../...3##3..."
"""Rows from the top: a digit is a tentacle of that seat, and so are the tentacles around each head."""

Square = tuple[int, int]
Move = tuple[Square, Square]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Piece(NamedTuple):
    """A piece: its owner, and whether it is (a quarter of) a head."""

    seat: int
    head: bool


@dataclass(frozen=True)
class Position:
    """All that has a bearing on what may happen.

    `last` holds the last move of each seat that has moved; `before` the texts of all positions so far, this one included; `winners` is
    None while the game goes on, and empty after a draw.
    """

    variant: str
    repetition: bool
    size: int
    board: dict[Square, Piece]
    mover: int
    turn: int
    last: dict[int, Move]
    exhausted: frozenset[int]
    before: tuple[str, ...]
    winners: frozenset[int] | None


def name(square: Square) -> str:
    """`c6`, and so on."""
    return f"{'abcdefghij'[square[0]]}{square[1] + 1}"


def start(variant: str = DUEL, repetition: bool = True) -> Position:
    """The octopuses at home, seat 1 to move; the position counts as having been once."""
    rows = (START_FOR_TWO if variant == DUEL else START_FOR_FOUR).split("/")
    board = {}
    for y, row in enumerate(reversed(rows)):
        for x, letter in enumerate(row):
            if letter.isdigit():
                board[x, y] = Piece(int(letter), head=False)
            elif letter == "#":
                beside = next(row[i] for i in (x - 1, x + 1, x - 2, x + 2) if 0 <= i < len(row) and row[i].isdigit())
                board[x, y] = Piece(int(beside), head=True)
    position = Position(variant, repetition, len(rows), board, 1, 1, {}, frozenset(), (), None)
    return replace(position, before=(signature(position),))


def signature(position: Position) -> str:
    """Return what two positions share that count as the same: the board, who is to move, who is exhausted, and everybody's last move."""
    board = sorted((square, piece.seat, piece.head) for square, piece in position.board.items())
    return f"{board} {position.mover} {sorted(position.exhausted)} {sorted(position.last.items())}"


def seats(position: Position) -> list[int]:
    """All seats in the order of play."""
    return [1, 2] if position.variant == DUEL else [1, 2, 3, 4]


def on_board(position: Position, square: Square) -> bool:
    """Return whether there is such a square."""
    return 0 <= square[0] < position.size and 0 <= square[1] < position.size


def ray(position: Position, square: Square, direction: Square) -> Iterator[Square]:
    """The squares beyond `square` in one direction as far as the edge, nearest first."""
    (x, y), (dx, dy) = square, direction
    while on_board(position, (x := x + dx, y := y + dy)):
        yield x, y


def head(position: Position, seat: int) -> list[Square]:
    """The four squares of a head, the lower left one first."""
    return sorted(square for square, piece in position.board.items() if piece == Piece(seat, head=True))


def in_sight(position: Position, seat: int) -> set[Square]:
    """The squares of all pieces that a head has in sight: the first one met in each direction from each of the head's squares."""
    found = set()
    for eye in head(position, seat):
        for direction in DIRECTIONS:
            met = [there for there in ray(position, eye, direction) if there in position.board]
            found |= set(met[:1])
    return found


def moves(position: Position, seat: int) -> Iterator[Move]:
    """Everything that the pieces of a seat could do, were it its turn: twiddles too."""
    for square in in_sight(position, seat):
        if position.board[square] == Piece(seat, head=False):
            yield from tentacle_moves(position, square)
    yield from head_moves(position, seat)


def tentacle_moves(position: Position, square: Square) -> Iterator[Move]:
    """As far as the squares are empty, in every direction."""
    for direction in DIRECTIONS:
        for there in ray(position, square, direction):
            if there in position.board:
                break
            yield square, there


def head_moves(position: Position, seat: int) -> Iterator[Move]:
    """As far as all four squares, step by step, come to lie on squares that are empty or the head's own."""
    quarters = head(position, seat)
    for dx, dy in DIRECTIONS:
        for far in range(1, position.size):
            landing = [(x + far * dx, y + far * dy) for x, y in quarters]
            if not all(on_board(position, there) and (there not in position.board or there in quarters) for there in landing):
                break
            yield quarters[0], landing[0]


def twiddles(position: Position, seat: int, move: Move) -> bool:
    """Return whether a move takes back the last move of its seat."""
    return seat in position.last and move == (position.last[seat][1], position.last[seat][0])


def can_move(position: Position, seat: int) -> bool:
    """Return whether a seat has any move at all, be it a twiddle."""
    return any(True for _ in moves(position, seat))


def can_move_on(position: Position, seat: int) -> bool:
    """Return whether a seat has a move that is no twiddle."""
    return any(not twiddles(position, seat, move) for move in moves(position, seat))


def legal(position: Position) -> set[str]:
    """The mover's moves without the twiddle; none once the game is over."""
    if position.winners is not None:
        return set()
    found = [move for move in moves(position, position.mover) if not twiddles(position, position.mover, move)]
    return {f"{name(origin)}-{name(target)}" for origin, target in found}


def turn(position: Position) -> tuple[str, int, int] | tuple[str, frozenset[int], tuple[int, ...]]:
    """Return whose turn it is and its number, or who won."""
    if position.winners is not None:
        return "over", position.winners, ()
    return "choose", position.mover, position.turn


def play(position: Position, text: str) -> Position:
    """Move a piece, then judge."""
    if text not in legal(position):
        raise ValueError(f"{text} is not legal")
    return judge(moved(position, text))


def moved(position: Position, text: str) -> Position:
    """Return the board after a move of the mover, with the move noted as their last one; nothing else."""
    squares = {name((x, y)): (x, y) for x in range(position.size) for y in range(position.size)}
    origin, target = (squares[part] for part in text.split("-"))
    piece = position.board[origin]
    lifted = head(position, piece.seat) if piece.head else [origin]
    board = {square: other for square, other in position.board.items() if square not in lifted}
    for x, y in lifted:
        board[x + target[0] - origin[0], y + target[1] - origin[1]] = piece
    return replace(position, board=board, last={**position.last, position.mover: (origin, target)})


def judge(position: Position) -> Position:
    """After a move of `position.mover`: who won, or whose turn is next, or that the position has been there twice before."""
    position = judge_duel(position) if position.variant == DUEL else judge_four(position)
    return noted(replace(position, turn=position.turn + 1))


def judge_duel(position: Position) -> Position:
    """The mover wins if the opponent has nothing but a twiddle, else loses if they have nothing at all themselves."""
    mover, other = position.mover, 3 - position.mover
    if not can_move_on(position, other):
        return replace(position, winners=frozenset({mover}))
    if not can_move(position, mover):
        return replace(position, winners=frozenset({other}))
    return replace(position, mover=other)


def judge_four(position: Position) -> Position:
    """All that cannot move at all are exhausted together; then the turn is passed on."""
    free = [seat for seat in seats(position) if seat not in position.exhausted]
    stuck = frozenset(seat for seat in free if not can_move(position, seat))
    position = exhaust(position, stuck)
    return position if position.winners is not None else pass_on(position)


def exhaust(position: Position, fallen: frozenset[int]) -> Position:
    """Some fall together; a side without a free octopus has lost, and if no side has any, that of the mover has won."""
    exhausted = position.exhausted | fallen
    sides = [{1, 3}, {2, 4}] if position.variant == TEAMS else [{1}, {2}, {3}, {4}]
    left = [side for side in sides if not side <= exhausted]
    winners = None
    if len(left) == 1:
        winners = frozenset(left[0])
    if not left:
        winners = frozenset(next(side for side in sides if position.mover in side))
    return replace(position, exhausted=exhausted, winners=winners)


def pass_on(position: Position) -> Position:
    """The next free seat after the mover has the turn; if it has nothing but a twiddle it is exhausted, and so on."""
    for ahead in range(1, 4):
        seat = (position.mover - 1 + ahead) % 4 + 1
        if seat in position.exhausted:
            continue
        if can_move_on(position, seat):
            return replace(position, mover=seat)
        position = exhaust(position, frozenset({seat}))
        if position.winners is not None:
            return position
    raise AssertionError("with two sides left, somebody else than the mover is free")


def noted(position: Position) -> Position:
    """The position with itself among those that have been: the third time a draw."""
    if position.winners is not None:
        return position
    before = (*position.before, signature(position))
    drawn = position.repetition and before.count(signature(position)) >= 3
    return replace(position, before=before, winners=frozenset() if drawn else None)


def leave(position: Position, seat: int) -> Position:
    """In a game of four, an octopus is exhausted because its player has gone; the turn keeps its number."""
    if seat in position.exhausted:
        return position
    after = exhaust(position, frozenset({seat}))
    if after.winners is None and seat == position.mover:
        after = pass_on(after)
    return noted(after)


def skip(position: Position) -> Position:
    """Let a turn of a game of four pass: nothing moves, the mover's last move stays their last one, and the next turn begins."""
    after = pass_on(position)
    return noted(replace(after, turn=position.turn + 1))
