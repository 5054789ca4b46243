"""How a position of Sneaky Octopuses looks, as text and as a picture, and how what happens is told."""

from collections.abc import Sequence

from turnserver.games.sneaky_octopuses import picture, plan, story
from turnserver.games.sneaky_octopuses.board import LINES
from turnserver.games.sneaky_octopuses.ending import verdict
from turnserver.games.sneaky_octopuses.naming import KEEPERS, octopus
from turnserver.games.sneaky_octopuses.position import OCTOPUSES, SQUIRT, Options, Position, piece
from turnserver.games.sneaky_octopuses.resolve import resolve
from turnserver.games.sneaky_octopuses.signs import SEATS_AT_HOME
from turnserver.games.sneaky_octopuses.steps import Escape, Ink, Move, Nominate, Slide, Steal, Step, Throw, ToShower
from turnserver.rules.square import Square
from turnserver.text import joined, listing, say


class SneakyView:
    """The boards and the stories of Sneaky Octopuses for one choice of options."""

    def __init__(self, options: Options) -> None:
        """Learn the seats."""
        self._options = options
        self.seat_names = options.seat_names

    def text(self, state: Position, last: Step | None = None) -> str:
        """The aquarium, then every team, keeper and loose fish in words; what moved in the turn of `last` in brackets where it ended."""
        marked = () if last is None else [trail.squares[-1] for trail in state.trails]
        return joined("\n", [*plan.lines(self._options, state, self._headline(state), marked), ""])

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
            return say("The first player is yet to be drawn.") if state.dealt else say("The fish are yet to be dealt.")
        if verdict(self._options, state) is not None:
            return say("The game is over.")
        return say("Round {number}: {pending}.", number=state.round, pending=self._pending(state))

    def _pending(self, state: Position) -> str:
        if state.nominated is not None:
            return say("the die is to be rolled for the {keeper}", keeper=KEEPERS[state.nominated])
        seat = self.seat_names[state.seat - 1]
        if state.action is not None and state.action.keeper is not None:
            return say("{seat} sends the {keeper} to a shower", seat=seat, keeper=KEEPERS[state.action.keeper])
        if state.action is not None:
            return say("{octopus} keeps the fish or throws it on", octopus=octopus(self.seat_names, state.action.holder))
        acted = [name for kind, name in enumerate(OCTOPUSES) if state.acted >> kind & 1]
        if not acted:
            return say("{seat} to play", seat=seat)
        octopuses = listing(acted, "and")
        return say("{seat} to play; {octopuses} acted", "{seat} to play; {octopuses} acted", seat=seat, octopuses=octopuses, n=len(acted))

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
