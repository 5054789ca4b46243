"""A house player for Sneaky Octopuses: the most promising action, one after another, and then the keeper that is likeliest to help."""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.games.sneaky_octopuses.board import FISH_SQUARES, FLOOR, LINES, STEPS, STOCK
from turnserver.games.sneaky_octopuses.moves import REACH, Nominate, Step
from turnserver.games.sneaky_octopuses.position import NOWHERE, Position, piece, worth
from turnserver.games.sneaky_octopuses.resolve import verdict
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.rules import Seat
from turnserver.rules.square import Square

_LATER: Final = 0.8
"""The worth of a point that is scored a turn later."""
_RELAYED: Final = 1.3
"""The number of turns that a fish takes home if it can be thrown to a team-mate next to home."""
_WATCHED: Final = 0.85
"""The share of an octopus's hopes that is left with a keeper right before it."""
_SPARE: Final = 0.25
"""The share for which a fish counts that no octopus has been given."""


def promise(exits: tuple[Square, ...], state: Position, seat: Seat) -> float:
    """Return the points of a seat with its hopes of more. Its home touches the squares `exits`."""
    own = state.octopuses[piece(seat, 0) : piece(seat + 1, 0)]
    others = {one for one in state.octopuses if one not in own}
    loose = tuple(fish for fish in state.loose if fish[0] not in others)
    standing = {*state.octopuses, *(keeper.square for keeper in state.keepers)}
    # a fish under one of its own that can reach a team-mate next to home is nearly home
    relays = tuple(where for where in own if any(where == fish[0] for fish in loose) and _can_relay(where, standing, own, exits))
    before_keepers = {line[0] for keeper in state.keepers if (line := LINES[keeper.square][keeper.facing])}
    watched = tuple(where for where in own if where in before_keepers)
    return _hopes(_Outlook(exits, own, state.landed[seat - 1], state.tanks, loose, relays, watched))


class _Outlook(NamedTuple):
    """Everything on which the hopes of a seat rest.

    Many choices of a turn leave all of it as it is, so hopes are worked out once for each.
    """

    exits: tuple[Square, ...]
    own: tuple[Square, ...]
    landed: tuple[int, ...]
    tanks: bytes
    loose: tuple[tuple[Square, int], ...]
    """The fish outside the tanks that no other seat holds."""
    relays: tuple[Square, ...]
    watched: tuple[Square, ...]


@lru_cache(maxsize=4096)
def _hopes(outlook: _Outlook) -> float:
    exits, own, landed, tanks, loose, relays, watched = outlook
    home, thefts = _distances(exits), _thefts(exits)
    stock = [index for index, colour in enumerate(tanks) if colour]
    colours = [*(tanks[index] for index in stock), *(colour for _, colour in loose)]
    chances: list[list[float]] = []
    for here in own:
        risk = _WATCHED if here in watched else 1.0
        row = [risk * thefts[here][index] for index in stock]
        for where, _ in loose:
            turns = _RELAYED if where == here in relays else 1.0 + (_walk(here, where, exits) + home[where]) / REACH
            row.append(risk * _LATER**turns)
        chances.append(row)
    counts, total, given = [0, *landed], float(worth(landed)), set[int]()
    best: list[float] = [max(column) for column in zip(*chances, strict=True)]
    # the most promising pair of an octopus and a fish first, each of them once: an octopus brings home one fish at a time
    while chances and len(given) < len(colours):
        hopes = [
            ((counts[colour] + 1) * row[number], -number, place)
            for place, row in enumerate(chances)
            for number, colour in enumerate(colours)
            if number not in given
        ]
        hope, fish, place = max(hopes)
        total += hope
        given.add(-fish)
        # the next fish of a colour is worth one point more (ruling 7)
        counts[colours[-fish]] += 1
        del chances[place]
    rest = (best[number] * (counts[colours[number]] + 1) for number in range(len(stock), len(colours)) if number not in given)
    return total + _SPARE * sum(rest)


def _can_relay(where: Square, standing: set[Square], own: tuple[Square, ...], exits: tuple[Square, ...]) -> bool:
    # a relay: a throw to a team-mate who stands next to home
    hit = (next((one for one in line if one in standing), NOWHERE) for line in LINES[where]) if where != NOWHERE else ()
    return where not in exits and any(one in exits and one in own for one in hit)


def _walk(here: Square, goal: Square, exits: tuple[Square, ...]) -> float:
    # an octopus at home loses a turn by its escape
    steps = _distances((goal,))
    return REACH + min(steps[one] for one in exits) if here == NOWHERE else steps[here]


@cache
def _distances(goals: tuple[Square, ...]) -> Mapping[Square, int]:
    """Return for each floor square the steps to the nearest of the goals."""
    steps = dict.fromkeys(goals, 0)
    front = list(goals)
    for here in front:
        fresh = [one for one in STEPS[here] if one not in steps]
        steps.update(dict.fromkeys(fresh, steps[here] + 1))
        front += fresh
    return MappingProxyType(steps)


@cache
def _thefts(exits: tuple[Square, ...]) -> Mapping[Square, tuple[float, ...]]:
    """Return, for each floor square and for the home, how promising a theft of the fish on each of `FISH_SQUARES` is from there.

    The figure is the share of a point that is left when the fish is home.
    """
    home = _distances(exits)

    def turns(here: Square, fish: Square) -> float:
        return min(2.0 + (_distances((one,))[here] + home[one]) / REACH for one in FLOOR if fish in STOCK[one])

    table = {here: tuple(_LATER ** turns(here, fish) for fish in FISH_SQUARES) for here in FLOOR}
    table[NOWHERE] = tuple(_LATER * max(table[one][index] for one in exits) for index in range(len(FISH_SQUARES)))
    return MappingProxyType(table)


_RIVAL = 0.3
"""The weight of the best opponent's prospects against one's own."""
_WON = 1000.0
_GAIN = 0.02
"""The least that an action has to promise, since a player who sits still makes no noise."""


def choose(rules: SneakyRules, state: Position) -> Step:
    """Return the action that promises most. If none promises enough, return the keeper whose walk does, on an average over the die.

    Always the same for the same position, the first in canonical order among equals. Defined where somebody has to choose; it takes some
    tenths of a second.
    """
    legal = rules.steps(state)
    keepers = [step for step in legal if isinstance(step, Nominate)]
    acts = [step for step in legal if not isinstance(step, Nominate)]
    prospects = {step: _prospect(rules, state, step) for step in acts}
    best = max(acts, key=prospects.__getitem__, default=None)
    # while an action is open there is no keeper to name
    if best is not None and (not keepers or prospects[best] > _worth(rules, state, state.seat) + _GAIN):
        return best
    return max(keepers, key=lambda step: _after_walk(rules, state, step))


def _prospect(rules: SneakyRules, state: Position, step: Step) -> float:
    """Return the worth of the position after the step, if the seat goes on in the best way with the same action."""
    after = rules.apply(state, step)
    if after.action is None:
        return _worth(rules, after, state.seat)
    return max(_prospect(rules, after, further) for further in rules.steps(after))


def _after_walk(rules: SneakyRules, state: Position, step: Step) -> float:
    # summed over the die: each side is as likely as the others
    named = rules.apply(state, step)
    return sum(_worth(rules, rules.apply(named, die), state.seat) for die in rules.steps(named))


def _worth(rules: SneakyRules, state: Position, seat: Seat) -> float:
    over = verdict(rules.options, state)
    if over is not None and seat in over.winners:
        return _WON
    rivals = [Seat(other) for other in range(1, rules.seats + 1) if other != seat and not state.left >> (other - 1) & 1]
    exits = rules.options.exits
    return promise(exits[seat - 1], state, seat) - _RIVAL * max(promise(exits[rival - 1], state, rival) for rival in rivals)
