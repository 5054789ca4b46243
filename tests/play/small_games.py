"""Games small enough to follow in the head, for tests of everything around the rules.

All are a heap of counters from which the seats take one to three in turn, named by how many sit down: `nim` (two, with draws by agreement),
`trio` (three, each alone, with draws), `pairs` (four, partners opposite, without draws, and no turn is skipped). In `dice` (two),
`bones` (three, with draws) and `lots` (four, partners opposite) turns may begin with dice, which take as many as they show, and the
counters of a seat are its score.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from turnserver.errors import BadOption, Illegal, Unreadable
from turnserver.rules import Choose, Entry, Game, Next, Over, Roll, Seat
from turnserver.rules.options import Value, choice, validate, whole
from turnserver.rules.place import Place, Touches
from turnserver.text import say


@dataclass(frozen=True, slots=True)
class Options:
    heap: int = whole(6, 0, 1_000_000, "how many counters there are")
    steps: int = whole(1, 1, 3, "how often a turn takes from the heap")
    ending: str = choice("last wins", ("last wins", "nobody wins"), "what taking the last counter means")
    dice_from: int = whole(0, 0, 99, "the first turn that begins with dice; 0 for none")
    dice: int = whole(1, 1, 3, "how many dice there are")

    def __post_init__(self) -> None:
        validate(self)


class Heap(NamedTuple):
    left: int
    turn: int
    taken: int
    seat: Seat = Seat(1)
    rolled: int = 0
    gone: frozenset[Seat] = frozenset()
    scores: tuple[int, ...] = ()


@dataclass(frozen=True)
class Counting:
    teams: tuple[frozenset[Seat], ...]
    options: Options
    scored: bool = False

    @property
    def seats(self) -> int:
        return sum(len(team) for team in self.teams)

    def start(self) -> Heap:
        return Heap(self.options.heap, 1, 0, scores=(0,) * self.seats if self.scored else ())

    def next(self, state: Heap) -> Next:
        playing = [team for team in self.teams if not team <= state.gone]
        if len(playing) == 1:
            return Over(playing[0], say("nobody else is left"), state.scores)
        if state.left == 0:
            winners = next(team for team in self.teams if state.seat in team)
            return Over(winners if self.options.ending == "last wins" else frozenset(), say("the heap is empty"), state.scores)
        if self._rolls(state):
            return Roll(state.seat, state.turn, (3, 2, 1)[: len(self.steps(state))])
        return Choose(state.seat, state.turn)

    def steps(self, state: Heap) -> Sequence[int]:
        return range(1, min(3, state.left) + 1) if len([team for team in self.teams if not team <= state.gone]) > 1 else ()

    def apply(self, state: Heap, step: int) -> Heap:
        left, seat = state.left - step, state.seat
        scores = tuple(score + step * (number == seat) for number, score in enumerate(state.scores, start=1))
        if self._rolls(state):
            return Heap(left, state.turn, state.taken, seat, state.rolled + 1, state.gone, scores)
        if left == 0:
            return Heap(left, state.turn + 1, 0, seat, state.rolled, state.gone, scores)
        if state.taken + 1 < self.options.steps:
            return Heap(left, state.turn, state.taken + 1, seat, state.rolled, state.gone, scores)
        return Heap(left, state.turn + 1, 0, self._after(seat, state.gone), 0, state.gone, scores)

    def ends_turn(self, state: Heap, step: int) -> bool:  # noqa: ARG002  # any number may be the last one
        return state.taken + 1 == self.options.steps

    def missing(self, state: Heap) -> str:  # noqa: ARG002  # the same in every position
        return say("A turn takes {n} times.", n=self.options.steps)

    def parse(self, state: Heap, text: str) -> int:
        step = self.replay(state, text)
        if step not in self.steps(state):
            raise Illegal(say("You cannot take {step} of {left}.", step=step, left=state.left))
        return step

    def format(self, state: Heap, step: int) -> str:  # noqa: ARG002  # the same in every position
        return str(step)

    def replay(self, state: Heap, text: str) -> int:  # noqa: ARG002  # the same in every position
        if not re.fullmatch(r"(take )?[0-9]", text):
            raise Unreadable(say("A move is a number."))
        return int(text.removeprefix("take "))

    def _rolls(self, state: Heap) -> bool:
        return 0 < self.options.dice_from <= state.turn and state.rolled < self.options.dice

    def _after(self, seat: Seat, gone: frozenset[Seat]) -> Seat:
        return next(other for step in range(1, self.seats + 1) if (other := Seat((seat - 1 + step) % self.seats + 1)) not in gone)


class Large(Counting):
    """For more than two, some of whom may leave."""

    def leave(self, state: Heap, seat: Seat) -> Heap:
        gone = state.gone | {seat}
        if seat != state.seat:
            return state._replace(gone=gone)
        return state._replace(gone=gone, seat=self._after(seat, gone), rolled=0)


class Passing(Large):
    """The rules under which a turn may be skipped, too."""

    def skip(self, state: Heap) -> Heap:
        return state._replace(turn=state.turn + 1, seat=self._after(state.seat, state.gone), rolled=0)


@dataclass(frozen=True)
class Tally:
    seat_names: tuple[str, ...]

    def text(self, state: Heap, last: int | None = None) -> str:
        return f"{state.left} counters left, {last} taken last"

    def tell(self, state: Heap, step: int) -> tuple[str, ...]:  # noqa: ARG002  # the same in every position
        return ()

    def svg(self, state: Heap, last: int | None = None, targets: Sequence[int] = ()) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><!-- {state.left} {last} {targets} --></svg>'

    def touches(self, state: Heap, step: int) -> Sequence[Touches]:  # noqa: ARG002  # the same in every position
        return ((str(step),),)

    def places(self, state: Heap, touched: Touches = ()) -> Mapping[str, Place]:  # noqa: ARG002  # the same in every position
        return {} if touched else {str(number): Place(say("Take {n}", n=number)) for number in (1, 2, 3)}

    def written(self, state: Heap, touched: Touches) -> str:  # noqa: ARG002  # the same in every position
        return " ".join(touched)


COLOURS = (say("Red"), say("Blue"), say("Green"), say("Black"))


def _entry(key: str, teams: Sequence[Sequence[int]], *, draws: bool, chance: bool = False, skips: bool = True) -> Entry:
    sides = tuple(frozenset(Seat(seat) for seat in team) for team in teams)

    def build(options: Any) -> Game[Heap, int]:
        if options.dice_from and not chance:
            raise BadOption(say("There are no dice in {game}; leave {option} at 0.", game=key, option="dice_from"))
        kind = Counting if len(sides) * len(sides[0]) == 2 else Passing if skips else Large
        rules = kind(sides, options, chance)
        return Game(entry, options, rules, Tally(COLOURS[: rules.seats]))

    entry = Entry(
        key=key,
        title=key.title(),
        designer="traditional",
        summary="Take counters.",
        revision=4,
        draws=draws,
        chance=chance,
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
        _entry("pairs", [[1, 3], [2, 4]], draws=False, skips=False),
        _entry("dice", [[1], [2]], draws=False, chance=True),
        _entry("bones", [[1], [2], [3]], draws=True, chance=True),
        _entry("lots", [[1, 3], [2, 4]], draws=False, chance=True),
    )
}


def find(key: str, _revision: int | None = None, /, **options: Value) -> Game[Any, Any]:
    """Return what `turnserver.games.find` does, for the games of this module, which have but one revision."""
    if key not in TABLE:
        raise BadOption(
            say("There is no game called {key}. The games are {games}.", key=key, games="nim, trio and pairs, dice, bones and lots")
        )
    return TABLE[key].build(Options(**options))  # type: ignore[arg-type] # validated at run time


def house(game: Game[Any, Any], state: Any) -> tuple[str, ...]:
    """Return what `turnserver.games.house_turn` does, for the games of this module: it takes as little as it can."""
    here, steps = game.rules.next(state), []
    while game.rules.next(state) == here:
        steps.append("1")
        state = game.rules.apply(state, 1)
    return tuple(steps)
