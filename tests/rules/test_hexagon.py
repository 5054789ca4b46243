"""The shifts of hexagonal bit boards against distances measured on the plane."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.rules.hexagon import Cell, hexagon, members

SIDES = range(1, 14)


def near(side: int, one: Cell, other: Cell) -> bool:
    (x, y), (u, v) = hexagon(side).centres[one], hexagon(side).centres[other]
    return 0.9 < (x - u) ** 2 + (y - v) ** 2 < 1.1


@for_each("side", SIDES)
def test_a_board_has_the_known_numbers_of_cells_and_borders(side: int) -> None:
    board = hexagon(side)
    assert len(board.cells) == 3 * side * (side - 1) + 1
    assert len(set(board.names.values())) == len(board.cells)
    assert sum(cells.bit_count() for cells in board.neighbours.values()) == 2 * 3 * (side - 1) * (3 * side - 2)
    assert board.full == sum(1 << cell for cell in board.cells)


@pytest.mark.parametrize(("side", "first", "last", "centre"), [(2, "a1", "c2", "b2"), (5, "a1", "i5", "e5"), (8, "a1", "o8", "h8")])
def test_names_run_from_the_bottom_left(side: int, first: str, last: str, centre: str) -> None:
    board = hexagon(side)
    assert (board.names[board.cells[0]], board.names[board.cells[-1]]) == (first, last)
    assert board.centres[board.by_name[centre]] == (0, 0)
    assert board.centres[board.by_name[first]][1] < 0 < board.centres[board.by_name[last]][1]


@for_each("side", [1, 2, 3, 5, 8])
def test_neighbours_lie_one_apart(side: int) -> None:
    board = hexagon(side)
    for one, other in combinations(board.cells, 2):
        assert bool(board.neighbours[one] >> other & 1) == bool(board.neighbours[other] >> one & 1) == near(side, one, other)


@given(side=st.sampled_from([1, 2, 3, 5, 8]), data=st.data())
def test_sets_of_cells_grow_as_their_members_do(side: int, data: st.DataObject) -> None:
    board = hexagon(side)
    chosen = data.draw(st.sets(st.sampled_from(board.cells)))
    cells = sum(1 << cell for cell in chosen)
    touching = {cell: len([one for one in chosen if near(side, one, cell)]) for cell in board.cells}
    assert list(members(cells)) == sorted(chosen)
    assert list(members(board.around(cells) & board.full)) == [cell for cell in board.cells if touching[cell] > 0]
    assert list(members(board.touching_one(cells))) == [cell for cell in board.cells if touching[cell] == 1]
