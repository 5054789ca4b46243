"""Positions of Tako Judo written by hand, rows from the top parted by `/`.

The first letters of the seats' names stand for their pieces, capitals for the four squares of a head: `N` and `n`, `S` and `s`, in games
of four also `E` `e` and `W` `w`. A point is an empty square. Tentacles may be missing.
"""

from collections.abc import Iterable

from turnserver.games.tako_judo.position import FRESH, NONE, Move, Options, Position
from turnserver.games.tako_judo.rules import TakoJudoForFour, TakoJudoRules


def rules_for(variant: str = "duel", *, repetition: bool = True) -> TakoJudoRules:
    options = Options(variant=variant, repetition=repetition)
    return TakoJudoRules(options) if variant == "duel" else TakoJudoForFour(options)


def board(*rows: str, size: int = 8) -> str:
    """A board of which some rows are given with their numbers, such as `3 .n......`; of two for the same row the later one counts."""
    given = {int(number): squares for number, squares in map(str.split, rows)}
    return "/".join(given.get(rank, "." * size) for rank in range(size, 0, -1))


def play(rules: TakoJudoRules, state: Position, moves: str) -> Position:
    """The position after some moves, all of them legal."""
    for text in moves.split():
        state = rules.apply(state, rules.parse(state, text))
    return state


def position(
    rules: TakoJudoRules, board: str, to_move: str = "North", *, came: Iterable[str] = (), exhausted: Iterable[str] = ()
) -> Position:
    """The position on that board. `came` are the last moves of some seats, such as `n b1-b3`, `exhausted` are seats by name."""
    names, here = rules.options.seat_names, rules.field
    signs = dict(zip(here.board.squares, "".join(reversed(board.split("/"))), strict=True))
    letters = [name[0] for name in names]
    heads = tuple(min(square for square, sign in signs.items() if sign == letter) for letter in letters)
    arms = tuple(sum(1 << square for square, sign in signs.items() if sign == letter.lower()) for letter in letters)
    bans: list[Move | None] = [None] * len(names)
    for text in came:
        letter, move = text.split()
        start, end = map(here.board.by_name.__getitem__, move.split("-"))
        bans[letters.index(letter.upper())] = Move(end, start)
    out = sum(1 << names.index(name) for name in exhausted)
    past = FRESH if rules.options.repetition else NONE
    return Position(9, names.index(to_move), heads, arms, tuple(bans), out, past, None)


def written(rules: TakoJudoRules, state: Position) -> str:
    """The board of a position, in the same way."""
    board = rules.field.board
    signs = dict.fromkeys(board.squares, ".")
    for name, head, arms in zip(rules.options.seat_names, state.heads, state.arms, strict=True):
        for square in board.squares:
            if rules.field.blocks[head] >> square & 1:
                signs[square] = name[0]
            if arms >> square & 1:
                signs[square] = name[0].lower()
    rows = [board.squares[first : first + board.width] for first in range(0, len(signs), board.width)]
    return "/".join("".join(signs[square] for square in row) for row in reversed(rows))
