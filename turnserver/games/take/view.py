"""How a position of Take looks, as text and as a picture."""

from collections.abc import Sequence

from turnserver.games.take.position import SEAT_NAMES, Options, Position
from turnserver.rules.hexagon import Cell, hexagon


class TakeView:
    """Take's boards."""

    seat_names = SEAT_NAMES

    def __init__(self, options: Options) -> None:
        """Prepare the board."""
        self._options = options
        self._board = hexagon(options.size)

    def text(self, state: Position, last: Cell | None = None) -> str:
        """See View."""
        raise NotImplementedError

    def svg(self, state: Position, last: Cell | None = None, targets: Sequence[Cell] = ()) -> str:
        """See View."""
        raise NotImplementedError
