"""Take under two readings of its third ruling, side by side, as after an upgrade in which the ruling was changed.

What is bounded leaves the board together: that is the ruling. The sheet says only that whatever the placement has bounded is removed at
once; the picture that shows it is lost. Whoever knows Go reads that the opponent's stones are taken first, and that the stones of the
one who moved stay if that gives them room. The same moves are legal, and lead to another board.
"""

from dataclasses import replace
from functools import partial
from typing import Any, cast

from turnserver import games
from turnserver.games.take import ENTRY
from turnserver.games.take.position import Options, Position
from turnserver.games.take.rules import TakeRules
from turnserver.games.take.view import TakeView
from turnserver.rules import Entry, Game
from turnserver.rules.hexagon import Cell


class TheirsFirst(TakeRules):
    """The opponent's bounded groups go first; the mover's then have the cells that this leaves."""

    def apply(self, state: Position, step: Cell) -> Position:
        turn, mine, theirs, cover, _, _ = state
        assert self.options.variant == "standard"
        stone = 1 << step
        mine |= stone
        free = self._full & ~(mine | theirs)
        theirs_gone = self._bounded(theirs, free)
        mine_gone = self._bounded(mine, free | theirs_gone)
        return Position(turn + 1, theirs ^ theirs_gone, mine ^ mine_gone, cover & ~stone, theirs_gone, mine_gone)


def _build(options: Any) -> Game[Position, Cell]:
    chosen = cast(Options, options)
    return Game(GO_LIKE, chosen, TheirsFirst(chosen), TakeView(chosen))


def _build_earlier(options: Any) -> Game[Position, Cell]:
    chosen = cast(Options, options)
    return Game(TOGETHER, chosen, TakeRules(chosen), TakeView(chosen))


TOGETHER: Entry = replace(ENTRY, build=_build_earlier, differs="All bounded groups are removed together, yours and your opponent's.")
GO_LIKE: Entry = replace(ENTRY, revision=2, build=_build, earlier=(TOGETHER,))

find = partial(games.find_in, {**games.CATALOGUE, "take": GO_LIKE})
"""The catalogue after the upgrade: games open with revision 2, and revision 1 is still served."""

without_the_first = partial(games.find_in, {**games.CATALOGUE, "take": replace(GO_LIKE, earlier=())})
"""A program that has forgotten the first reading."""

without_the_second = games.find
"""A program that has never heard of the second reading."""
