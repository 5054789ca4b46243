"""Tako Judo where it is tight: both engines judge every move on boards made up so that heads are all but hemmed in."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.games.lockstep import check_same
from tests.games.tako_judo import boards as tako_judo_boards
from tests.games.tako_judo import naive_tako_judo
from tests.games.tako_judo.naive_tako_judo import DUEL, FREE_FOR_ALL, TEAMS, Piece, Position
from tests.shortened import shortened

pytestmark = pytest.mark.thorough

NAMES = {DUEL: ["North", "South"], TEAMS: ["North", "East", "South", "West"], FREE_FOR_ALL: ["North", "East", "South", "West"]}
"""The product's names of the seats, whose letters the boards are written with."""


SEEDS = {
    DUEL: [*range(150), 399, 483, 557, 918],
    TEAMS: [*range(190), 245, 274, 427, 540, 939],
    FREE_FOR_ALL: [*range(190), 320, 328, 436, 451],
}
"""Some seeds of made-up positions, and some more of rare ones."""


def made_up(variant: str, seed: int) -> Position:
    """Heads in the corners, beside them mostly others' tentacles, some more tentacles anywhere, last moves that may have been."""
    choices = random.Random(f"{variant} {seed}")  # noqa: S311  # a repeatable position, not a secret
    start = naive_tako_judo.start(variant)
    seats, far = naive_tako_judo.seats(start), start.size - 2
    squares = [(x, y) for x in range(start.size) for y in range(start.size)]
    corners = dict(zip(seats, choices.sample([(0, 0), (0, far), (far, 0), (far, far)], len(seats)), strict=True))
    board = {(x + dx, y + dy): Piece(seat, head=True) for seat, (x, y) in corners.items() for dx in (0, 1) for dy in (0, 1)}
    stock = dict.fromkeys(seats, 8)
    for seat, (x, y) in corners.items():
        others = [other for other in seats if other != seat]
        for square in squares:
            beside = -1 <= square[0] - x <= 2 and -1 <= square[1] - y <= 2 and square not in board
            owner = seat if choices.random() < 0.1 else choices.choice(others)
            if beside and stock[owner] and choices.random() < 0.7:
                board[square] = Piece(owner, head=False)
                stock[owner] -= 1
    for seat in seats:
        empty = [square for square in squares if square not in board]
        board |= dict.fromkeys(choices.sample(empty, choices.randint(0, stock[seat])), Piece(seat, head=False))
    exhausted = frozenset() if variant == DUEL else frozenset(choices.sample(seats, choices.randint(0, 2)))
    mover = choices.choice([seat for seat in seats if seat not in exhausted])
    position = replace(start, board=board, exhausted=exhausted, mover=mover, turn=9)
    came_from = {seat: sorted((target, origin) for origin, target in naive_tako_judo.moves(position, seat)) for seat in seats}
    position = replace(position, last={seat: choices.choice(found) for seat, found in came_from.items() if found})
    return replace(position, before=(naive_tako_judo.signature(position),))


def possible(position: Position) -> bool:
    """Return whether the game would go on: all who are free can move, the mover has more than a twiddle, and no side has lost."""
    free = [seat for seat in naive_tako_judo.seats(position) if seat not in position.exhausted]
    if position.variant != DUEL and naive_tako_judo.exhaust(position, frozenset()).winners is not None:
        return False
    return naive_tako_judo.can_move_on(position, position.mover) and all(naive_tako_judo.can_move(position, seat) for seat in free)


def won(before: Position, after: Position) -> bool:
    return after.winners == frozenset({before.mover})


def both_pinned(before: Position, after: Position) -> bool:
    return won(before, after) and not any(naive_tako_judo.can_move(after, seat) for seat in (1, 2))


def fallen(before: Position, after: Position) -> frozenset[int]:
    return after.exhausted - before.exhausted


Cases = dict[str, Callable[[Position, Position], bool]]

FOR_TWO: Cases = {
    "ruling 4: the opponent is pinned": won,
    "ruling 4: the opponent is pinned and so is the mover": both_pinned,
    "ruling 4: the opponent has a twiddle": lambda before, after: won(before, after) and naive_tako_judo.can_move(after, 3 - before.mover),
    "ruling 4: the mover is pinned by their own move": lambda before, after: after.winners == frozenset({3 - before.mover}),
    "ruling 4: the mover is left with a twiddle": lambda before, after: (
        after.winners is None and not naive_tako_judo.can_move_on(after, before.mover)
    ),
}
FOR_FOUR: Cases = {
    "ruling 5: several are exhausted together": lambda before, after: len(fallen(before, after)) > 1,
    "ruling 5: the mover is exhausted": lambda before, after: before.mover in fallen(before, after),
    "ruling 5: a twiddle is all there is": lambda before, after: any(
        naive_tako_judo.can_move(after, seat) for seat in fallen(before, after)
    ),
    "ruling 5: the last ones fall together": lambda _, after: len(after.exhausted) == 4,
    "ruling 5: a winner": lambda _, after: after.winners is not None,
}
"""The things that a move can show."""


@pytest.mark.parametrize(("variant", "cases"), shortened([(DUEL, FOR_TWO), (FREE_FOR_ALL, FOR_FOUR), (TEAMS, FOR_FOUR)]))
def test_both_engines_judge_every_move_alike(variant: str, cases: Cases) -> None:
    rules = tako_judo_boards.rules_for(variant)
    shown = set()
    for position in filter(possible, (made_up(variant, seed) for seed in SEEDS[variant])):
        state = tako_judo_boards.position(
            rules,
            drawn(position),
            NAMES[variant][position.mover - 1],
            came=[came(position, seat) for seat in position.last],
            exhausted=[NAMES[variant][seat - 1] for seat in position.exhausted],
        )
        for text in check_same(rules, state, naive_tako_judo, position):
            after = naive_tako_judo.play(position, text)
            check_same(rules, rules.apply(state, rules.parse(state, text)), naive_tako_judo, after, [drawn(position), text])
            shown |= {case for case, shows in cases.items() if shows(position, after)}
    assert shown == set(cases)


def drawn(position: Position) -> str:
    """The board as the product's tests write it."""
    letters = [name[0] for name in NAMES[position.variant]]
    signs = {square: letters[seat - 1] if head else letters[seat - 1].lower() for square, (seat, head) in position.board.items()}
    ranks = reversed(range(position.size))
    return "/".join("".join(signs.get((x, y), ".") for x in range(position.size)) for y in ranks)


def came(position: Position, seat: int) -> str:
    """A last move as the product's tests write it."""
    origin, target = position.last[seat]
    return f"{NAMES[position.variant][seat - 1][0].lower()} {naive_tako_judo.name(origin)}-{naive_tako_judo.name(target)}"
