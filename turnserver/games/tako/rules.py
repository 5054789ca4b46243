"""TAKO, by Chuck Henry: how the game runs. The numbers of rulings are those of RULES.md beside this file."""

from typing import assert_never

from turnserver.games.tako.notation import check, read, replayed, vocabulary
from turnserver.games.tako.position import (
    BLACK,
    WHITE,
    Add,
    Choice,
    Opening,
    Options,
    Pass,
    Position,
    Step,
    Take,
    Throw,
    Unused,
    changed,
    name,
    opponent,
    settled,
)
from turnserver.rules import Choose, Next, Over, Roll, Seat
from turnserver.text import say


class TakoRules:
    """TAKO with its options chosen.

    Steps are listed by kind (takes from pile A, from B, from both, then `pass`, `add a`, `add b`) and by number; rolls by coin (HI, LO,
    FREE), then by die; rolls for the start by White's die, then by Black's.
    """

    seats = 2
    teams = (frozenset({WHITE}), frozenset({BLACK}))

    def __init__(self, options: Options) -> None:
        self.options = options
        sides = range(1, options.die + 1)
        self._openings = tuple(Opening(white, black) for white in sides for black in sides)
        self._throws = tuple(Throw(coin, die) for coin in options.coin for die in sides)
        self._start_weights = (1,) * len(self._openings)
        self._weights = (1,) * len(self._throws)
        numbers = range(options.most + 1)
        self._from_a = tuple(Take(number, 0) for number in numbers)
        self._from_b = tuple(Take(0, number) for number in numbers)
        self._from_both = tuple(Take(number, number) for number in numbers)
        self._adds = (Add(0), Add(1))
        self._pass = Pass()
        self._words = vocabulary(options)

    def start(self) -> Position:
        """Return the start: two equal piles, all options unused, the purses empty. The starting player has yet to be rolled."""
        unused = Unused(passing=True, adding=True)
        stake = self.options.stake
        return Position(1, None, (stake, stake), (unused, unused), None, False, (0, 0))  # noqa: FBT003  # positions are built by place

    def next(self, state: Position) -> Next:
        """Return the roll for the start, a turn's roll, the seat that chooses, or who won (rulings 3, 4, 6)."""
        if state.mover is None:
            # it is both players' roll; a roll has to name a seat
            return Roll(WHITE, state.turn, self._start_weights)
        if state.roll is None:
            return Roll(state.mover, state.turn, self._weights)
        if state.over:
            winner = opponent(state.mover)
            scores = settled(state.purses, winner) if self.options.betting else ()
            return Over(frozenset({winner}), reason(state.mover, state.roll, passed=state.passed), scores)
        return Choose(state.mover, state.turn)

    def steps(self, state: Position) -> tuple[Step, ...]:
        """Return every roll there can be, or every take and option that the roll leaves."""
        if state.mover is None:
            return self._openings
        if state.roll is None:
            return self._throws
        return self._choices(state, state.roll, state.unused[state.mover - 1])

    def apply(self, state: Position, step: Step) -> Position:
        """Record a roll, or carry out a choice, which always hands the turn over."""
        turn, mover, piles, unused, roll, _, purses = state
        if isinstance(step, Opening):
            # a tie is rolled again
            if step.white == step.black:
                return state
            starter = WHITE if step.white > step.black else BLACK
            return Position(turn, starter, piles, unused, None, False, purses)  # noqa: FBT003  # positions are built by place
        assert mover is not None  # noqa: S101  # only a roll for the start comes before there is a mover
        if isinstance(step, Throw):
            return Position(turn, mover, piles, unused, step, False, purses)  # noqa: FBT003  # positions are built by place
        seat = mover - 1
        if isinstance(step, Take):
            piles = (piles[0] - step.a, piles[1] - step.b)
            if self.options.betting:
                purses = changed(purses, seat, step.a + step.b)
        elif isinstance(step, Add):
            piles = changed(piles, step.pile, 1)
            unused = _without(unused, mover, adding=True)
            # the coin comes from the bank if the purse is empty (ruling 7)
            if purses[seat]:
                purses = changed(purses, seat, -1)
        elif isinstance(step, Pass):
            # the roll stays (ruling 2)
            return Position(turn + 1, opponent(mover), piles, _without(unused, mover, passing=True), roll, True, purses)  # noqa: FBT003  # built by place
        else:
            assert_never(step)
        return Position(turn + 1, opponent(mover), piles, unused, None, False, purses)  # noqa: FBT003  # positions are built by place

    def parse(self, state: Position, text: str) -> Step:
        """Read a step in any case and spacing. Raises Unreadable, Ambiguous for an `add` without its pile, or Illegal naming the rule."""
        step = read(self.options, self._words, state, text)
        check(self.options, state, step)
        return step

    def format(self, state: Position, step: Step) -> str:  # noqa: ARG002  # other games need the position
        """Return the canonical notation."""
        return str(step)

    def replay(self, state: Position, text: str) -> Step:  # noqa: ARG002  # other games need the position
        """Return the step of that notation. Raises Unreadable."""
        return replayed(self._words, text)

    def _choices(self, state: Position, roll: Throw, unused: Unused) -> tuple[Choice, ...]:
        """Return the takes that roll and piles allow (ruling 1), and the unused options (ruling 2).

        A first move that takes all is left out (ruling 5).
        """
        a, b = state.piles
        low, high = roll.low, roll.high
        # The tuples are indexed by the number taken. The same number from both piles counts twice (ruling 1), and no roll allows to take
        # nothing.
        takes = (
            *self._from_a[low : min(high, a) + 1],
            *self._from_b[low : min(high, b) + 1],
            *self._from_both[(low + 1) // 2 : min(high // 2, a, b) + 1],
        )
        if state.turn == 1:
            takes = tuple(take for take in takes if take.total < a + b)
        passing = (self._pass,) if unused.passing else ()
        return (*takes, *passing, *self._adds) if unused.adding else (*takes, *passing)


def reason(loser: Seat, roll: Throw, *, passed: bool) -> str:
    """Return the reason for the end of the game: the roll, and where it came from."""
    if passed:
        return say(
            "{loser} has no legal move on {roll} (passed by {other}) and no option left",
            loser=name(loser),
            roll=str(roll),
            other=name(opponent(loser)),
        )
    return say("{loser} has no legal move on {roll} and no option left", loser=name(loser), roll=str(roll))


def _without(unused: tuple[Unused, Unused], seat: Seat, *, passing: bool = False, adding: bool = False) -> tuple[Unused, Unused]:
    before = unused[seat - 1]
    after = Unused(before.passing and not passing, before.adding and not adding)
    return (after, unused[1]) if seat == WHITE else (unused[0], after)
