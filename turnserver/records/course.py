"""Play a record through by the rules of its game, and trust nothing in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never

from turnserver.errors import StepError
from turnserver.records.record import Agreed, Comment, Item, Resigned, Rolled, Seated, Skipped, TimedOut, Turn
from turnserver.rules import Choose, Game, Leaving, Over, Roll, Seat, Skipping
from turnserver.rules.kit import format_steps, parse_turn

UNSAID: Final = 0
"""The number of a turn, or of its seat, that the author of a record has left to the rules."""


class Wrong(Exception):  # a finding about a record, which its reader makes a refusal of
    """The rules do not bear out an item of the course. `index` is None if they do not bear out the heading."""

    def __init__(self, index: int | None, problem: str) -> None:
        super().__init__(problem)
        self.index = index


@dataclass(frozen=True, slots=True)
class Moment:
    """An item of the course in canonical form, and the board before and after it. `last` is the last step that a seat chose."""

    index: int
    item: Item
    before: Any
    after: Any
    last: Any


def moments(game: Game[Any, Any], course: Sequence[Item]) -> Iterator[Moment]:
    """Yield each item of a course as the rules read it, with the boards around it.

    Raise Wrong at the first one that they do not bear out.
    """
    play = _Play(game)
    for index, item in enumerate(course):
        before = play.position
        try:
            canonical = play.on(item)
        except StepError as error:
            raise Wrong(index, str(error)) from error
        except _NoError as error:
            raise Wrong(index, str(error)) from error
        yield Moment(index, canonical, before, play.position, play.last)
    # a game of which nothing is known may be a record; once something has happened, its rolls have to be there
    if course and not play.closed and play.begun and isinstance(game.rules.next(play.position), Roll):
        raise Wrong(len(course) - 1, "what chance decides next is missing")


class _NoError(Exception):
    """An item that cannot follow. The message says why."""


@dataclass(slots=True)
class _Play:
    """The state of a game while it is played through.

    If `closed`, only comments can follow, and it says why. If `begun`, chance or a seat has done something.
    """

    game: Game[Any, Any]
    position: Any = None
    last: Any = None
    closed: str = ""
    begun: bool = False
    left: frozenset[Seat] = frozenset()

    def __post_init__(self) -> None:
        self.position = self.game.rules.start()

    def on(self, item: Item) -> Item:
        """Play an item and return it in canonical form. Raise StepError or _NoError if it cannot follow."""
        if isinstance(item, Comment):
            return Comment(text=" ".join(item.text.split()))
        # comments were taken above: they may follow the end
        if self.closed:
            raise _NoError(f"{self.closed}, so nothing can follow")
        match item:
            case Rolled():
                return self._rolled(item)
            case Seated():
                return self._seated(item)
            case Turn():
                canonical: Item = self._turn(item)
            case Skipped():
                canonical = self._skipped(item)
            case Resigned() | TimedOut():
                canonical = self._gone(item)
            case Agreed():
                self._pending()
                if not self.game.entry.draws:
                    raise _NoError(f"in {self.game.entry.title} nobody can agree on a draw")
                canonical, self.closed = item, "the players have agreed on a draw"
            case _:
                assert_never(item)
        # seats that change hands begin nothing, so `_seated` returned above
        self.begun = True
        return canonical

    def _pending(self) -> Choose:
        match self.game.rules.next(self.position):
            case Choose() as here:
                return here
            case Over():
                raise _NoError("the game is over, so nothing can follow")
            case Roll():
                raise _NoError("what chance decides first is missing")
            case here:
                assert_never(here)

    def _due(self, turn: int, seat: Seat) -> Choose:
        """Return the pending choice. Raise _NoError if another turn or another seat is due than the record says."""
        here = self._pending()
        if turn not in (UNSAID, here.turn):
            raise _NoError(f"this is turn {here.turn}, not {turn}")
        if seat not in (UNSAID, here.seat):
            raise _NoError(f"turn {here.turn} is {self._name(here.seat)}'s, not {self._name(seat)}'s")
        return here

    def _turn(self, item: Turn) -> Turn:
        here, rules = self._due(item.turn, item.seat), self.game.rules
        # read as a mail is: whatever a player could have written stands for the same turn in a record
        read = parse_turn(rules, self.position, "; ".join(item.steps))
        steps = format_steps(rules, self.position, read.steps)
        self.position, self.last = read.state, read.steps[-1]
        return Turn(turn=here.turn, seat=here.seat, steps=steps, by=item.by)

    def _skipped(self, item: Skipped) -> Skipped:
        here, rules = self._due(item.turn, item.seat), self.game.rules
        if not isinstance(rules, Skipping):
            raise _NoError("no turn of this game can be skipped")
        self.position = rules.skip(self.position)
        return Skipped(turn=here.turn, seat=here.seat)

    def _rolled(self, item: Rolled) -> Rolled:
        rules = self.game.rules
        if not isinstance(rules.next(self.position), Roll):
            raise _NoError("chance has nothing to decide here")
        step = rules.parse(self.position, item.outcome)
        canonical = Rolled(outcome=rules.format(self.position, step))
        self.position, self.begun = rules.apply(self.position, step), True
        return canonical

    def _seated(self, item: Seated) -> Seated:
        self._name(item.seat)
        if item.seat in self.left:
            raise _NoError(f"{self._name(item.seat)} has left for good")
        return item

    def _gone(self, item: Resigned | TimedOut) -> Item:
        here, rules, name = self._pending(), self.game.rules, self._name(item.seat)
        if isinstance(item, TimedOut) and item.seat != here.seat:
            raise _NoError(f"the turn is {self._name(here.seat)}'s, so {name} cannot run out of time")
        if item.seat in self.left:
            raise _NoError(f"{name} has left already")
        # a game for more than two goes on without the seat; a game of two is over
        if isinstance(rules, Leaving):
            self.position, self.left = rules.leave(self.position, item.seat), self.left | {item.seat}
        else:
            self.closed = f"{name} has {'resigned' if isinstance(item, Resigned) else 'run out of time'}"
        return item

    def _name(self, seat: Seat) -> str:
        names = self.game.view.seat_names
        if not 1 <= seat <= len(names):
            raise _NoError(f"there is no seat {seat}")
        return names[seat - 1]
