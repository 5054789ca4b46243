"""Take written a second time, slowly, from the rules alone: the yardstick for the product's engine.

Every cell is a dictionary entry under its own name, every question is answered by a loop over cells, and nothing is remembered
between calls. It shares no code with `turnserver` and imports none of it.

A cell's name is its row letter, counted from the bottom, and its number from the left: a board of side 2 is

     c1 c2
    b1 b2 b3
     a1 a2
"""

from dataclasses import dataclass

COLOURS = ("R", "B")
VARIANTS = ("standard", "high-churn")
STANDARD, HIGH_CHURN = VARIANTS


@dataclass(frozen=True)
class Cell:
    """The contents of one cell: a cover (the brown clod, or the tile of high-churn), a stone "R" or "B", both or neither."""

    cover: bool
    stone: str | None


@dataclass(frozen=True)
class Position:
    """A board and whose turn it is; `winner` is "R" or "B" once the game is over."""

    variant: str
    side: int
    cells: dict[str, Cell]
    mover: str
    winner: str | None


@dataclass(frozen=True)
class Played:
    """The outcome of a placement: the position after it and the groups that it removed."""

    position: Position
    removed: set[frozenset[str]]


def rows(side: int) -> list[list[str]]:
    """The names of all cells, row by row from the bottom, each row from the left."""
    lengths = [*range(side, 2 * side - 1), 2 * side - 1, *range(2 * side - 2, side - 1, -1)]
    return [[f"{chr(ord('a') + i)}{number}" for number in range(1, length + 1)] for i, length in enumerate(lengths)]


def places(side: int) -> dict[str, tuple[int, int]]:
    """Return the middle of each cell: half cell widths right of the board's axis, and rows above the bottom row.

    Rows are centred above each other, so the k-th of n cells lies 2k - n - 1 half widths from the axis.
    """
    return {name: (2 * k - len(row) - 1, y) for y, row in enumerate(rows(side)) for k, name in enumerate(row, start=1)}


def neighbours(side: int) -> dict[str, set[str]]:
    """The cells that touch each cell: a whole width away in its own row, half a width away in the rows above and below."""
    at = places(side)
    touching = {(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)}
    return {a: {b for b in at if (at[b][0] - at[a][0], at[b][1] - at[a][1]) in touching} for a in at}


NEIGHBOURS = {side: neighbours(side) for side in range(2, 9)}


def start(variant: str, side: int) -> Position:
    """The board with every cell covered and no stone; Red begins."""
    return Position(variant, side, {name: Cell(cover=True, stone=None) for row in rows(side) for name in row}, "R", None)


def other(colour: str) -> str:
    """The opponent's colour."""
    return "B" if colour == "R" else "R"


def friends(position: Position, name: str, colour: str) -> int:
    """Return the number of stones of `colour` that touch the cell."""
    return sum(1 for n in NEIGHBOURS[position.side][name] if position.cells[n].stone == colour)


def may_place(position: Position, name: str, colour: str) -> bool:
    """Return whether a stone of `colour` may go on the cell: to grow, or as a seed in exchange for the cover."""
    cell = position.cells[name]
    if cell.stone is not None:
        return False
    touching = friends(position, name, colour)
    return touching == 1 or (touching == 0 and cell.cover)


def legal(position: Position) -> set[str]:
    """The names of the cells where the mover may place; none once the game is over."""
    if position.winner is not None:
        return set()
    return {name for name in position.cells if may_place(position, name, position.mover)}


def groups(position: Position, colour: str) -> set[frozenset[str]]:
    """The connected groups of one colour, each grown from every one of its stones until it grows no more."""
    found = set()
    for name, cell in position.cells.items():
        if cell.stone != colour:
            continue
        group = {name}
        while True:
            around = {n for member in group for n in NEIGHBOURS[position.side][member] if position.cells[n].stone == colour}
            if around <= group:
                break
            group |= around
        found.add(frozenset(group))
    return found


def bounded(position: Position, group: frozenset[str], colour: str) -> bool:
    """Return whether no stone-free cell next to the group can take another stone of its colour."""
    beside = {n for member in group for n in NEIGHBOURS[position.side][member] if position.cells[n].stone is None}
    return not any(friends(position, name, colour) == 1 for name in beside)


def play(position: Position, name: str) -> Played:
    """Place the mover's stone on a legal cell, then remove the bounded groups of both colours at once, then judge."""
    if name not in legal(position):
        raise ValueError(f"{name} is not legal")
    seed = friends(position, name, position.mover) == 0
    stays = position.variant == HIGH_CHURN and not seed and position.cells[name].cover
    placed = Position(
        position.variant,
        position.side,
        {**position.cells, name: Cell(cover=stays, stone=position.mover)},
        other(position.mover),
        None,
    )
    removed = {group for colour in COLOURS for group in groups(placed, colour) if bounded(placed, group, colour)}
    gone = {member for group in removed for member in group}
    cells = {n: Cell(cell.cover, None if n in gone else cell.stone) for n, cell in placed.cells.items()}
    winner = judge(cells, position.mover) if removed else None
    return Played(Position(position.variant, position.side, cells, other(position.mover), winner), removed)


def judge(cells: dict[str, Cell], mover: str) -> str | None:
    """Return who has won, after a removal, by having cleared the board of the other's stones; clearing it of all stones is a win too."""
    standing = {cell.stone for cell in cells.values()}
    if other(mover) not in standing:
        return mover
    if mover not in standing:
        return other(mover)
    return None
