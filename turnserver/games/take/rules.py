"""Take, by Mark Steere (2024): how the game runs. The numbers of rulings are those of RULES.md beside this file."""

from functools import cache

from turnserver.games.take.notation import read, refusal, unreadable
from turnserver.games.take.position import BLUE, RED, SEAT_NAMES, Options, Position
from turnserver.rules import Choose, Next, Over
from turnserver.rules.hexagon import Cell, hexagon, members
from turnserver.text import say


class TakeRules:
    """Take with its options chosen. A step is the cell that takes the stone; steps are listed in the order a1, a2, ..., b1, ..."""

    seats = 2
    teams = (frozenset({RED}), frozenset({BLUE}))

    def __init__(self, options: Options) -> None:
        self.options = options
        self.board = hexagon(options.size)
        self._full = self.board.full
        self._near = self.board.neighbours
        self._tiles = options.tiles

    def start(self) -> Position:
        """Return the position with every cell covered."""
        return Position(1, 0, 0, self._full, 0, 0)

    def next(self, state: Position) -> Next:
        """Return whose turn it is, or who won (ruling 4)."""
        if state.over:
            return _over(red_moved=state.turn & 1 == 0, mover_left=state.theirs != 0, other_left=state.mine != 0)
        return _choose(state.turn)

    def steps(self, state: Position) -> tuple[Cell, ...]:
        """Return the seeds and growths (ruling 1). Empty only if the game is over."""
        _, mine, theirs, cover, _, _ = state
        if state.over:
            return ()
        # There always is one: a first stone finds a covered cell, and a colour that is on the board after a removal has a group that was
        # not bounded, thus a cell to grow to, and no removal takes that away.
        return tuple(members(self.placements(mine, theirs, cover)))

    def placements(self, mine: int, theirs: int, cover: int) -> int:
        """Return the cells where the colour of the stones `mine` may place another one, whichever seat has the turn."""
        board = self.board
        return (board.touching_one(mine) | cover & ~board.around(mine)) & ~(mine | theirs)

    def apply(self, state: Position, step: Cell) -> Position:
        """Place the stone, then remove all bounded groups of both colours at once (rulings 1 to 3)."""
        turn, mine, theirs, cover, _, _ = state
        stone = 1 << step
        near = self._near[step]
        # with tiles, a growth stone stands on its tile, which is there again when the stone goes (ruling 1)
        if not (self._tiles and near & mine):
            cover &= ~stone
        mine |= stone
        free = self._full & ~(mine | theirs)
        # both are found before either is removed (ruling 3)
        mine_gone = self._bounded(mine, free)
        # the placement takes one cell from the opponent, which matters only if they could have grown there: if it touches one of theirs
        touched = near & theirs
        theirs_gone = self._bounded(theirs, free) if touched and not touched & (touched - 1) else 0
        # a position is seen from the seat to move
        return Position(turn + 1, theirs ^ theirs_gone, mine ^ mine_gone, cover, theirs_gone, mine_gone)

    def parse(self, state: Position, text: str) -> Cell:
        """Read a cell in any case and spacing. Raises Unreadable, or Illegal naming the rule."""
        cell = read(self.board, text)
        illegal = refusal(self.options, self.board, state, cell)
        if illegal is not None:
            raise illegal
        return cell

    def format(self, state: Position, step: Cell) -> str:  # noqa: ARG002  # other games need the position
        """Return the cell's name."""
        return self.board.names[step]

    def replay(self, state: Position, text: str) -> Cell:  # noqa: ARG002  # other games need the position
        """Return the cell of that name. Raises Unreadable."""
        try:
            return self.board.by_name[text]
        except KeyError:
            raise unreadable(text) from None

    def _bounded(self, own: int, free: int) -> int:
        """Return all groups of `own` without a cell to grow to (ruling 2)."""
        # flood from the stones beside such cells; what stays dry is bounded
        board = self.board
        front = own & board.around(board.touching_one(own) & free)
        dry = own ^ front
        while front and dry:
            front = board.around(front) & dry
            dry ^= front
        return dry


@cache
def _choose(turn: int) -> Choose:
    return Choose(RED if turn & 1 else BLUE, turn)


@cache
def _over(*, red_moved: bool, mover_left: bool, other_left: bool) -> Over:
    mover, other = (RED, BLUE) if red_moved else (BLUE, RED)
    if mover_left:
        return Over(frozenset({mover}), say("{seat} has no stones left", seat=SEAT_NAMES[other - 1]))
    if other_left:
        return Over(frozenset({other}), say("{seat} removed the last of his own stones", seat=SEAT_NAMES[mover - 1]))
    return Over(frozenset({mover}), say("no stones are left, and {seat} moved last", seat=SEAT_NAMES[mover - 1]))
