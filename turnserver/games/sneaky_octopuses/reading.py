"""Finding the legal step that a text means, or the rule that forbids it."""

from collections.abc import Sequence

from turnserver.errors import Ambiguous
from turnserver.games.sneaky_octopuses.board import SHOWERS
from turnserver.games.sneaky_octopuses.naming import fish
from turnserver.games.sneaky_octopuses.notation import KeeperByName, Read, ShowerByName, StealColour, written
from turnserver.games.sneaky_octopuses.position import OCTOPUSES, Options, Position
from turnserver.games.sneaky_octopuses.refusals import refusal
from turnserver.games.sneaky_octopuses.steps import Nominate, Steal, Step, ToShower
from turnserver.text import say


def find(options: Options, state: Position, legal: Sequence[Step], said: Read) -> Step:
    """The one of the legal steps that was said. Raises Ambiguous, or Illegal naming the rule."""
    step = _with_squares(options, state, legal, said)
    if isinstance(step, StealColour) or step not in legal:
        raise refusal(options, state, legal, step)
    return step


def _with_squares(options: Options, state: Position, legal: Sequence[Step], said: Read) -> Step | StealColour:
    """The step that was said, with a square in place of a name."""
    match said:
        case ShowerByName():
            return ToShower(SHOWERS[said.shower].square)
        case KeeperByName():
            return Nominate(state.keepers[said.keeper].square)
        case StealColour(octopus=kind, colour=colour):
            steals = [one for one in legal if isinstance(one, Steal) and one.octopus == kind and state.fish_in(one.square) == colour]
            if len(steals) > 1:
                number = len(steals)
                raise Ambiguous(
                    say(
                        "{octopus} is next to {number} {fish}; name the square of the one that he steals.",
                        octopus=OCTOPUSES[kind],
                        number=number,
                        fish=fish(colour, number),
                    ),
                    code="several_fish",
                    meant=[written(options, one) for one in steals],
                )
            return steals[0] if steals else said
        case _:
            return said
