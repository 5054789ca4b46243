"""How a position of Sneaky Octopuses looks, as text and as a picture, and how what happens is told."""

from collections.abc import Sequence

from turnserver.games.sneaky_octopuses import picture, plan, story
from turnserver.games.sneaky_octopuses.board import LINES
from turnserver.games.sneaky_octopuses.ending import verdict
from turnserver.games.sneaky_octopuses.position import KEEPERS, OCTOPUSES, SQUIRT, Options, Position, kind_of, piece
from turnserver.games.sneaky_octopuses.resolve import resolve
from turnserver.games.sneaky_octopuses.signs import SEATS_AT_HOME
from turnserver.games.sneaky_octopuses.steps import Escape, Ink, Move, Nominate, Slide, Steal, Step, Throw, ToShower
from turnserver.rules.square import Square
from turnserver.words import listing


class SneakyView:
    """The boards and the stories of Sneaky Octopuses for one choice of options."""

    def __init__(self, options: Options) -> None:
        """Learn the seats."""
        self._options = options
        self.seat_names = options.seat_names

    def text(self, state: Position, last: Step | None = None) -> str:
        """The aquarium, then every team, keeper and loose fish in words; what moved in the turn of `last` in brackets where it ended."""
        marked = () if last is None else [trail.squares[-1] for trail in state.trails]
        return "\n".join(plan.lines(self._options, state, self._headline(state), marked)) + "\n"

    def tell(self, state: Position, step: Step) -> tuple[str, ...]:
        """What everybody did, heard and saw, in order; nothing of the deal but its end."""
        after, happened = resolve(self._options, state, step)
        return story.tell(self.seat_names, after, happened)

    def svg(self, state: Position, last: Step | None = None, targets: Sequence[Step] = ()) -> str:
        """The aquarium from above with the light of the keepers' lamps, and all ways and shots of the turn of `last`."""
        aims = (self._target(state, step) for step in targets)
        trails = () if last is None else state.trails
        return picture.draw(self._options, state, self._headline(state), trails, [aim for aim in aims if aim is not None])

    def _headline(self, state: Position) -> str:
        """How the game stands, in a sentence."""
        if not state.first:
            return "The first player is yet to be drawn." if state.dealt else "The fish are yet to be dealt."
        if verdict(self._options, state) is not None:
            return "The game is over."
        return f"Round {state.round}: {self._pending(state)}."

    def _pending(self, state: Position) -> str:
        if state.nominated is not None:
            return f"the die is to be rolled for the {KEEPERS[state.nominated]} keeper"
        seat = self.seat_names[state.seat - 1]
        if state.action is not None and state.action.keeper is not None:
            return f"{seat} sends the {KEEPERS[state.action.keeper]} keeper to a shower"
        if state.action is not None:
            return f"{seat}'s {OCTOPUSES[kind_of(state.action.holder)]} keeps the fish or throws it on"
        acted = [name for kind, name in enumerate(OCTOPUSES) if state.acted >> kind & 1]
        return f"{seat} to play; {listing(acted, 'and')} acted" if acted else f"{seat} to play"

    def _target(self, state: Position, step: Step) -> Square | None:
        """Where a dot shows that the step can be chosen."""
        match step:
            case Move():
                return step.path[-1]
            case Throw(square=None):
                return SEATS_AT_HOME[self._options.homes[state.seat - 1]][0]
            case Escape() | Slide() | Steal() | Throw() | ToShower() | Nominate():
                return step.square
            case Ink():
                return LINES[state.octopuses[piece(state.seat, SQUIRT)]][step.direction][0]
            case _:
                return None
