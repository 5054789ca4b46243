"""What can be said of a board before any piece is on it: the steps there are, and the lines of four."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from turnserver.games.okago.position import Jump, Placement, Step
from turnserver.rules.square import Board, Square, board


@dataclass(frozen=True, slots=True)
class Ground:
    """The tables for one size of board."""

    board: Board
    face_up: tuple[Placement, ...]
    """By square."""
    face_down: tuple[Placement, ...]
    """By square."""
    leaps: tuple[tuple[tuple[int, int, Jump], ...], ...]
    """By origin, in the order of the landing squares: the square that is jumped over and the landing square as sets, and the jump."""
    strides: tuple[tuple[int, int], ...]
    """For lines to the right, up, and along both diagonals: from one square of a line to the next, and where lines of four can begin."""
    by_text: Mapping[str, Step]
    """Every step that there can be on this board, by its canonical notation."""

    def text(self, step: Step) -> str:
        """A step's canonical notation."""
        names = self.board.names
        if isinstance(step, Jump):
            return f"{names[step.origin]}x{names[step.landing]}"
        return f"{names[step.square]} down" if step.down else names[step.square]

    def jumps(self, own_up: int, other_up: int, free: int) -> Iterator[Jump]:
        """The jumps of one side over the other, a1's first (ruling 2). `free` are the squares without a piece."""
        leaps = self.leaps
        while own_up:
            origin = own_up & -own_up
            own_up ^= origin
            for over, landing, jump in leaps[origin.bit_length() - 1]:
                if other_up & over and free & landing:
                    yield jump

    def fours(self, pieces: int) -> int:
        """Those of the pieces that stand in rows of four or more; the empty set if there is no such row."""
        found = 0
        for stride, starts in self.strides:
            pairs = pieces & pieces >> stride
            rows = pairs & pairs >> 2 * stride & starts
            if rows:
                rows |= rows << stride
                found |= rows | rows << 2 * stride
        return found


@cache
def ground(size: int) -> Ground:
    """The tables of the board that has `size` squares along each side."""
    squares = board(size, size)
    leaps = tuple(tuple((1 << jump.over, 1 << jump.landing, jump) for jump in _jumps(squares, square)) for square in squares.squares)
    face_up = tuple(Placement(square, down=False) for square in squares.squares)
    face_down = tuple(Placement(square, down=True) for square in squares.squares)
    steps: list[Step] = [*face_up, *face_down, *(jump for of_origin in leaps for _, _, jump in of_origin)]
    by_text: dict[str, Step] = {}
    tables = Ground(squares, face_up, face_down, leaps, tuple(_strides(squares)), MappingProxyType(by_text))
    by_text.update((tables.text(step), step) for step in steps)
    return tables


def _jumps(squares: Board, origin: Square) -> list[Jump]:
    rays = squares.rays[origin]
    return sorted((Jump(origin, ray[0], ray[1]) for ray in rays if len(ray) > 1), key=lambda jump: jump.landing)


def _strides(squares: Board) -> Iterator[tuple[int, int]]:
    for across, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        starts = sum(
            1 << square
            for square in squares.squares
            if 0 <= squares.file(square) + 3 * across < squares.width and squares.rank(square) + 3 * up < squares.height
        )
        yield squares.width * up + across, starts
