"""The current line of turns, without those taken back: an immutable linked list. Positions are computed on first use and kept.

Most readers of a game (lists, sweeps, reminders) never look at the board. The others usually hold the previous position already. So a fold
records what happened on the board and leaves the rules engine to `Line.position`. A retraction walks back along the list.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias, assert_never

from turnserver.play.events import GameStarted, SeatLeft, TurnPlayed, TurnSkipped
from turnserver.rules import Game, Seat
from turnserver.rules.kit import replay_turn

Numbered: TypeAlias = TurnPlayed | TurnSkipped
"""An entry that has the number of a turn."""

Entry: TypeAlias = GameStarted | Numbered | SeatLeft
"""An entry that changes a board: the first chance, a turn, a skipped turn, a seat that leaves. Each includes the rolls after it."""

Play: TypeAlias = Callable[[Any, Any, Sequence[str]], tuple[Any, Any]]
"""Plays the steps of an entry by some rules from a position, and returns the position after them and the last step."""


class Board(NamedTuple):
    """A position and the step that a seat last chose on the way to it."""

    position: Any
    last_step: Any


@dataclass(slots=True, eq=False, repr=False)
class Line:
    """Everything that happened on the board of `game`, newest first. Equal if the games and all entries are equal.

    `entry` is the newest entry and `previous` the line without it; both are None on the empty line. `length` counts turns, skipped ones
    too. Only the `memo` of the board ever changes. It follows from the rest, and whoever has worked it out may set it.
    """

    game: Game[Any, Any]
    previous: "Line | None"
    entry: Entry | None
    length: int
    memo: Board | None = None

    @classmethod
    def empty(cls, game: Game[Any, Any]) -> "Line":
        """Return the line of a game in which nothing was played."""
        return cls(game, None, None, 0)

    def began(self, start: GameStarted) -> "Line":
        """Return the line with the rolls before the first turn; the line itself if there were none."""
        return Line(self.game, self, start, self.length) if start.rolls else self

    def played(self, turn: TurnPlayed) -> "Line":
        """Return the line with one more turn. `turn` is trusted to be legal."""
        return Line(self.game, self, turn, self.length + 1)

    def skipped(self, skip: TurnSkipped) -> "Line":
        """Return the line with a skipped turn. The rules are trusted to support skipping."""
        return Line(self.game, self, skip, self.length + 1)

    def left(self, leaving: SeatLeft) -> "Line":
        """Return the line with a seat gone."""
        return Line(self.game, self, leaving, self.length)

    def before(self, turn: int) -> "Line":
        """Return the line just before the turn of that number, with every seat gone that had left by then."""
        before = self
        for entry, previous in self.backwards():
            if isinstance(entry, Numbered):
                if entry.turn < turn:
                    break
                before = previous
        return before

    def before_end(self) -> "Line":
        """Return the line without the leaving that ended the game; the line itself if it does not end with one."""
        ends = isinstance(self.entry, SeatLeft) and self.entry.ends_game
        return self.previous if ends and self.previous is not None else self

    @property
    def last(self) -> TurnPlayed | None:
        """The newest turn; None if nothing was played."""
        return next((entry for entry, _ in self.backwards() if isinstance(entry, TurnPlayed)), None)

    def last_of(self, seat: Seat) -> TurnPlayed | None:
        """Return the newest turn that a seat has played itself; None if it has played none."""
        own = (entry for entry, _ in self.backwards() if isinstance(entry, TurnPlayed) and entry.seat == seat)
        return next((turn for turn in own if not turn.by_house), None)

    @property
    def turns(self) -> tuple[TurnPlayed, ...]:
        """Every turn that was played and stands, oldest first."""
        return tuple(entry for entry in self.entries if isinstance(entry, TurnPlayed))

    @property
    def numbered(self) -> tuple[Numbered, ...]:
        """Every turn that stands, played or skipped, oldest first: the first has the number 1."""
        return tuple(entry for entry in self.entries if isinstance(entry, Numbered))

    def missed(self, seat: Seat, since: int = 1) -> int:
        """Return how many of its last turns in a row, from turn `since` on, the seat did not play itself.

        Such a turn was skipped or played by the house.
        """
        own = (entry for entry, _ in self.backwards() if isinstance(entry, Numbered) and entry.seat == seat and entry.turn >= since)
        return sum(1 for _ in takewhile(lambda turn: isinstance(turn, TurnSkipped) or turn.by_house, own))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that happened on the board and stands, oldest first."""
        newest_first = [entry for entry, _ in self.backwards()]
        return tuple(reversed(newest_first))

    @property
    def position(self) -> Any:  # noqa: ANN401  # whatever the game's rules use
        """The board after everything. The first call replays from the nearest board that is known; later calls are free."""
        return self._board().position

    @property
    def last_step(self) -> Any:  # noqa: ANN401  # whatever the game's rules use
        """The last step that a seat chose, for marking it; None if nothing was played."""
        return self._board().last_step

    def backwards(self) -> Iterator[tuple[Entry, "Line"]]:
        """Yield each entry with the line before it, newest first."""
        line = self
        while line.previous is not None and line.entry is not None:
            yield line.entry, line.previous
            line = line.previous

    def _board(self) -> Board:
        if self.memo is not None:
            return self.memo
        # a loop: recursion would limit the length of a game
        rules = self.game.rules
        unknown: list[Entry] = []
        board: Board | None = None
        for entry, previous in self.backwards():
            unknown.append(entry)
            board = previous.memo
            if board is not None:
                break
        board = board or Board(rules.start(), None)
        for entry in reversed(unknown):
            board = after(rules, board, entry)
        self.memo = board
        return board

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        # the boards follow from the entries
        return self is other or (self.length == other.length and self.game == other.game and self.entries == other.entries)

    def __hash__(self) -> int:
        # hashing the whole chain would cost as much as comparing it
        return hash((self.length, self.entry))

    def __repr__(self) -> str:
        # short: the entries are a chain, and a position may be large
        return f"<Line of {self.length} turns of {self.game.entry.key}>"


def after(rules: Any, board: Board, entry: Entry, play: Play = replay_turn) -> Board:  # noqa: ANN401  # any game's rules
    """Return the board after an entry, whose steps are played by `play`. Raises what the rules and that raise."""
    position, last_step = board
    match entry:
        case TurnPlayed():
            position, last_step = play(rules, position, entry.steps)
        case TurnSkipped():
            position = rules.skip(position)
        case SeatLeft():
            position = rules.leave(position, entry.seat)
        case GameStarted():
            pass
        case _:
            assert_never(entry)
    if entry.rolls:
        position, _ = play(rules, position, [roll.outcome for roll in entry.rolls])
    return Board(position, last_step)
