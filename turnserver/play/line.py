"""The turns that stand, as an immutable linked list whose positions are computed when first asked for.

Most readers of a game (lists, sweeps, reminders) never look at the board, and those that do usually hold the previous position
already, so a fold records the turns and leaves the rules engine to `Line.position`. A retraction walks back along the list.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from turnserver.play.events import TurnPlayed
from turnserver.rules import Game
from turnserver.rules.kit import replay_turn


class _Board(NamedTuple):
    """A position and the step that led to it."""

    position: Any
    last_step: Any


@dataclass(slots=True, eq=False, repr=False)
class Line:
    """The turns played so far in `game`, newest at hand. Equal when the games and all turns are.

    `last` is the newest turn and `previous` the line without it; both are None on the empty line. `length` counts the turns.
    Nothing is ever changed but the `memo` of the board, which follows from the rest.
    """

    game: Game[Any, Any]
    previous: "Line | None"
    last: TurnPlayed | None
    length: int
    memo: _Board | None = None

    @classmethod
    def empty(cls, game: Game[Any, Any]) -> "Line":
        """The line of a game in which nothing was played."""
        return cls(game, None, None, 0)

    def played(self, turn: TurnPlayed) -> "Line":
        """The line one turn longer; `turn` is trusted to be legal."""
        return Line(self.game, self, turn, self.length + 1)

    def before(self, turn: int) -> "Line":
        """The line as it was when the turn of that number was about to be played."""
        line = self
        while line.previous is not None and line.last is not None and line.last.turn >= turn:
            line = line.previous
        return line

    @property
    def turns(self) -> tuple[TurnPlayed, ...]:
        """Every turn that stands, oldest first."""
        newest_first: list[TurnPlayed] = []
        line = self
        while line.previous is not None and line.last is not None:
            newest_first.append(line.last)
            line = line.previous
        return tuple(reversed(newest_first))

    @property
    def position(self) -> Any:  # noqa: ANN401  # whatever the game's rules use
        """The board after the last turn. The first call replays from the nearest board that is known; later calls are free."""
        return self._board().position

    @property
    def last_step(self) -> Any:  # noqa: ANN401  # whatever the game's rules use
        """The step that the last turn ended with, for marking it; None if nothing was played."""
        return self._board().last_step

    def _board(self) -> _Board:
        """The memo, filled if need be. A loop, because a recursion would limit the length of a game."""
        unknown: list[TurnPlayed] = []
        line = self
        while line.memo is None and line.previous is not None and line.last is not None:
            unknown.append(line.last)
            line = line.previous
        rules = self.game.rules
        board = line.memo or _Board(rules.start(), None)
        for turn in reversed(unknown):
            board = _Board(*replay_turn(rules, board.position, turn.steps))
        self.memo = board
        return board

    def __eq__(self, other: object) -> bool:
        """Compare the games and the turns, not the boards, which follow from them."""
        if not isinstance(other, Line):
            return NotImplemented
        return self is other or (self.length == other.length and self.game == other.game and self.turns == other.turns)

    def __hash__(self) -> int:
        """Agree with equality at the price of one turn."""
        return hash((self.length, self.last))

    def __repr__(self) -> str:
        """Stay short: the turns are a chain, and a position may be large."""
        return f"<Line of {self.length} turns of {self.game.entry.key}>"
