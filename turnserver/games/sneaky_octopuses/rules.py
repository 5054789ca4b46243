"""Sneaky Octopuses, by storyfeet: how the game runs. The numbers of rulings are those of RULES.md beside this file."""

from functools import cache

from turnserver.games.sneaky_octopuses import moves as m
from turnserver.games.sneaky_octopuses import position as deal
from turnserver.games.sneaky_octopuses.board import FISH_SQUARES
from turnserver.games.sneaky_octopuses.happenings import ChangingPosition
from turnserver.games.sneaky_octopuses.notation import read, replayed, written
from turnserver.games.sneaky_octopuses.position import NOWHERE, OCTOPUSES, Options, Position, opening, piece
from turnserver.games.sneaky_octopuses.refusals import find, missing
from turnserver.games.sneaky_octopuses.resolve import resolve, verdict
from turnserver.rules import Choose, Next, Roll, Seat

_DIE = range(1, 7)


class SneakyRules:
    """Sneaky Octopuses with its options chosen."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.seats = options.players
        self.teams = tuple(frozenset({Seat(seat)}) for seat in range(1, options.players + 1))
        self._exits = options.exits

    def start(self) -> Position:
        """Return the start: octopuses at home, keepers before their showers, tanks empty. The fish are dealt first."""
        return opening(self.options)

    def next(self, state: Position) -> Next:
        """Return who chooses, the roll that is due, or who won."""
        if not state.first:
            weights = (1,) * self.seats if state.dealt else tuple(weight for _, weight in deal.outcomes(state.tanks))
            return Roll(state.seat, state.turn, weights)
        over = verdict(self.options, state)
        if over is not None:
            return over
        if state.nominated is not None:
            return _die(state.seat, state.turn)
        return _choose(state.seat, state.turn)

    def steps(self, state: Position) -> tuple[m.Step, ...]:
        """Return the possible rolls, or the steps that the seat may choose, in the order of `moves.choices`."""
        found = self._without_choice(state)
        return m.choices(state, self._exits[state.seat - 1]) if found is None else found

    def _without_choice(self, state: Position) -> tuple[m.Step, ...] | None:
        """Return the steps where no seat chooses: the possible rolls, or none at the end; None where one does."""
        if not state.first:
            if state.dealt:
                return tuple(m.First(Seat(seat)) for seat in range(1, self.seats + 1))
            square = FISH_SQUARES[len(state.tanks)]
            return tuple(m.Deal(square, colour) for colour, _ in deal.outcomes(state.tanks))
        if verdict(self.options, state) is not None:
            return ()
        return tuple(map(m.Die, _DIE)) if state.nominated is not None else None

    def apply(self, state: Position, step: m.Step) -> Position:
        """Return the position after the step and all its consequences."""
        position, _ = resolve(self.options, state, step)
        return position

    def parse(self, state: Position, text: str) -> m.Step:
        """Read a step in any of the ways that RULES.md allows. Raises Unreadable, Ambiguous, or Illegal naming the rule."""
        # read before all steps are worked out: most lines of a mail say none
        said = read(self.options, text)
        # whether a step is legal can be told without all the others, which take most of the time
        found = self._without_choice(state)
        if said in (m.choices_like(state, self._exits[state.seat - 1], said) if found is None else found):
            return said
        return find(self.options, state, self.steps(state), said)

    def ends_turn(self, state: Position, step: m.Step) -> bool:  # noqa: ARG002  # other games need the position
        """Return whether the step nominates the keeper that walks."""
        return isinstance(step, m.Nominate)

    def missing(self, state: Position) -> str:
        """Return a sentence about the choice that an open action asks for, and about the keeper who must walk at the end of the turn."""
        return missing(state)

    def format(self, state: Position, step: m.Step) -> str:  # noqa: ARG002  # other games need the position
        """Return the step in canonical notation."""
        return written(self.options, step)

    def replay(self, state: Position, text: str) -> m.Step:  # noqa: ARG002  # other games need the position
        """Return the step of that notation. Raises Unreadable."""
        return replayed(self.options, text)


@cache
def _die(seat: Seat, turn: int) -> Roll:
    return Roll(seat, turn, (1,) * len(_DIE))


@cache
def _choose(seat: Seat, turn: int) -> Choose:
    return Choose(seat, turn)


class SneakyTable(SneakyRules):
    """The same game at a table of three or four, which goes on when somebody leaves or lets a turn pass."""

    def leave(self, state: Position, seat: Seat) -> Position:
        """Return the position after the seat left: its octopuses go home, the fish stay where they lay, and its turns are skipped."""
        scene = ChangingPosition(state)
        scene.left |= 1 << (seat - 1)
        scene.octopuses[piece(seat, 0) : piece(seat + 1, 0)] = [NOWHERE] * len(OCTOPUSES)
        if seat == state.seat:
            scene.pass_on()
        return scene.position()

    def skip(self, state: Position) -> Position:
        """Return the position for the next seat: no octopus acts, and no keeper walks. The trails stay as in the turn before."""
        scene = ChangingPosition(state)
        scene.turn += 1
        scene.pass_on()
        return scene.position()._replace(trails=state.trails)
