"""A house player for Sneaky Octopuses: whatever promises most, action by action, and then the keeper that is likeliest to help."""

from turnserver.games.sneaky_octopuses.ending import verdict
from turnserver.games.sneaky_octopuses.position import Position
from turnserver.games.sneaky_octopuses.prospects import promise
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.games.sneaky_octopuses.steps import Nominate, Step
from turnserver.rules import Seat

_RIVAL = 0.3
"""How much the prospects of the best opponent count against one's own."""
_WON = 1000.0
_GAIN = 0.02
"""What an action has to promise at least: whoever sits still makes no noise."""


def choose(rules: SneakyRules, state: Position) -> Step:
    """The action that promises most, or, when none promises enough, the keeper whose walk does on an average over the die.

    Always the same for the same position, the first in canonical order among equals. Defined where somebody has to choose; it takes some
    tenths of a second.
    """
    legal = rules.steps(state)
    keepers = [step for step in legal if isinstance(step, Nominate)]
    acts = [step for step in legal if not isinstance(step, Nominate)]
    prospects = {step: _prospect(rules, state, step) for step in acts}
    best = max(acts, key=prospects.__getitem__, default=None)
    if best is not None and (not keepers or prospects[best] > _worth(rules, state, state.seat) + _GAIN):
        return best
    return max(keepers, key=lambda step: _after_walk(rules, state, step))


def _prospect(rules: SneakyRules, state: Position, step: Step) -> float:
    """What the position after the step is worth, if the seat goes on in the best way with the same action."""
    after = rules.apply(state, step)
    if after.action is None:
        return _worth(rules, after, state.seat)
    return max(_prospect(rules, after, further) for further in rules.steps(after))


def _after_walk(rules: SneakyRules, state: Position, step: Step) -> float:
    """What the position is worth after the keeper's walk, summed over the die."""
    named = rules.apply(state, step)
    return sum(_worth(rules, rules.apply(named, die), state.seat) for die in rules.steps(named))


def _worth(rules: SneakyRules, state: Position, seat: Seat) -> float:
    over = verdict(rules.options, state)
    if over is not None and seat in over.winners:
        return _WON
    rivals = [Seat(other) for other in range(1, rules.seats + 1) if other != seat and not state.left >> (other - 1) & 1]
    exits = rules.options.exits
    return promise(exits[seat - 1], state, seat) - _RIVAL * max(promise(exits[rival - 1], state, rival) for rival in rivals)
