"""Games small enough to follow in the head, for tests of everything around the rules.

All are a heap of counters from which the seats take one to three in turn, named by how many sit down: `nim` (two, with draws by agreement),
`trio` (three, each for himself, with draws), `pairs` (four, partners opposite, without draws).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from turnserver.errors import BadOption, Illegal, Unreadable
from turnserver.rules import Choose, Entry, Game, Next, Over, Roll, Seat
from turnserver.rules.options import Value, choice, validate, whole


@dataclass(frozen=True, slots=True)
class Options:
    heap: int = whole(6, 0, 1_000_000, "how many counters there are")
    steps: int = whole(1, 1, 3, "how often a turn takes from the heap")
    ending: str = choice("last wins", ("last wins", "nobody wins"), "what taking the last counter means")
    dice_from: int = whole(0, 0, 99, "the first turn that begins with a die; 0 for none")

    def __post_init__(self) -> None:
        validate(self)


class Heap(NamedTuple):
    left: int
    turn: int
    taken: int


@dataclass(frozen=True)
class Counting:
    teams: tuple[frozenset[Seat], ...]
    options: Options

    @property
    def seats(self) -> int:
        return sum(len(team) for team in self.teams)

    def start(self) -> Heap:
        return Heap(self.options.heap, 1, 0)

    def next(self, state: Heap) -> Next:
        seat = self._seat(state.turn)
        if state.left == 0:
            last = self._seat(state.turn - 1)
            winners = next(team for team in self.teams if last in team)
            return Over(winners if self.options.ending == "last wins" else frozenset(), "the heap is empty")
        if 0 < self.options.dice_from <= state.turn:
            return Roll(seat, state.turn, (1,) * len(self.steps(state)))
        return Choose(seat, state.turn)

    def steps(self, state: Heap) -> Sequence[int]:
        return range(1, min(3, state.left) + 1)

    def apply(self, state: Heap, step: int) -> Heap:
        left, taken = state.left - step, state.taken + 1
        return Heap(left, state.turn + 1, 0) if left == 0 or taken == self.options.steps else Heap(left, state.turn, taken)

    def parse(self, state: Heap, text: str) -> int:
        step = self.replay(state, text)
        if step not in self.steps(state):
            raise Illegal(f"You cannot take {step} of {state.left}; write 1, 2 or 3.")
        return step

    def format(self, state: Heap, step: int) -> str:  # noqa: ARG002  # the same in every position
        return str(step)

    def replay(self, state: Heap, text: str) -> int:  # noqa: ARG002  # the same in every position
        if not re.fullmatch(r"(take )?[0-9]", text):
            raise Unreadable("A move is a number; write 1, 2 or 3.")
        return int(text.removeprefix("take "))

    def _seat(self, turn: int) -> Seat:
        return Seat((turn - 1) % self.seats + 1)


@dataclass(frozen=True)
class Tally:
    seat_names: tuple[str, ...]

    def text(self, state: Heap, last: int | None = None) -> str:
        return f"{state.left} counters left, {last} taken last"

    def tell(self, state: Heap, step: int) -> tuple[str, ...]:  # noqa: ARG002  # the same in every position
        return ()

    def svg(self, state: Heap, last: int | None = None, targets: Sequence[int] = ()) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><!-- {state.left} {last} {targets} --></svg>'


COLOURS = ("Red", "Blue", "Green", "Black")


def _entry(key: str, teams: Sequence[Sequence[int]], *, draws: bool) -> Entry:
    sides = tuple(frozenset(Seat(seat) for seat in team) for team in teams)

    def build(options: Any) -> Game[Heap, int]:
        rules = Counting(sides, options)
        return Game(entry, options, rules, Tally(COLOURS[: rules.seats]))

    entry = Entry(
        key=key,
        title=key.title(),
        designer="traditional",
        summary="Take counters.",
        revision=4,
        draws=draws,
        chance=False,
        notation="A number.",
        options=Options,
        build=build,
    )
    return entry


TABLE = {
    entry.key: entry
    for entry in (
        _entry("nim", [[1], [2]], draws=True),
        _entry("trio", [[1], [2], [3]], draws=True),
        _entry("pairs", [[1, 3], [2, 4]], draws=False),
    )
}


def find(key: str, **options: Value) -> Game[Any, Any]:
    """What `turnserver.games.find` does, for the games of this module."""
    if key not in TABLE:
        raise BadOption(f"There is no game {key}; the games are nim, trio and pairs.")
    return TABLE[key].build(Options(**options))  # type: ignore[arg-type] # validated at run time
