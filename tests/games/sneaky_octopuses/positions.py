"""Positions of Sneaky Octopuses that no game has led to: the naive engine's put into the product's words, and such made at random."""

import random
from collections.abc import Iterator
from typing import Any

from tests.games.sneaky_octopuses import naive_sneaky
from tests.games.sneaky_octopuses.naive_board import COLOURS, DIRECTIONS, FISH_SQUARES, FLOOR, HOME, INTO_THE_ROOM, NAMES, SHOWERS, touches
from tests.games.sneaky_octopuses.naive_board import Position as Naive
from turnserver.games.sneaky_octopuses.board import at
from turnserver.games.sneaky_octopuses.position import NOWHERE, OCTOPUSES, Keeper, Position
from turnserver.rules import Choose, Rules, Seat


def product_position(naive: Naive) -> Position:
    """The same position for the product: nothing may be under way in it."""
    assert naive.stage == "act"
    keepers = (Keeper(at(square), 0 if square in SHOWERS else list(DIRECTIONS).index(facing)) for square, facing in naive.keepers.items())
    return Position(
        turn=naive.turn,
        round=naive.rounds + 1,
        seat=Seat(naive.seat),
        first=naive.first,
        left=sum(1 << (seat - 1) for seat in naive.left),
        acted=sum(1 << NAMES.index(name) for name in naive.acted),
        octopuses=tuple(NOWHERE if square == HOME else at(square) for square in naive.octopuses.values()),
        keepers=tuple(sorted(keepers)),
        tanks=bytes(sum(naive.fish[square]) for square in FISH_SQUARES),
        loose=tuple(sorted((at(square), colour) for square in FLOOR for colour in naive.fish[square])),
        landed=tuple(tuple(fish.count(colour) for colour in COLOURS) for fish in naive.home.values()),
    )


def without_names(state: Position) -> Position:
    """The product's position as `product_position` gives it: keepers in the order of their squares, and no memory of what was seen."""
    keepers = (Keeper(keeper.square, 0) if keeper.showering else keeper for keeper in state.keepers)
    return state._replace(keepers=tuple(sorted(keepers)), trails=())


def scattered(choices: random.Random) -> Naive:
    """A position with everybody anywhere, most octopuses out and with fish, many where there is more to do: in corners and near homes."""
    players = choices.choice([2, 3, 4])
    position = naive_sneaky.start(players, target=choices.choice([4, 10]))
    near = {square for square in FLOOR for letter in "BRPG" if touches(square, letter)}
    squares = sorted(FLOOR, key=lambda square: choices.random() ** (0.4 if square in near else 1))
    position.keepers = {}
    for shower in SHOWERS:
        place = choices.choice([*[squares.pop(choices.randrange(len(squares)))] * 3, SHOWERS[shower], SHOWERS[shower], shower])
        position.keepers[place] = INTO_THE_ROOM.get(place) or choices.choice(list(DIRECTIONS))
    for who in position.octopuses:
        if choices.random() < 0.75:
            position.octopuses[who] = square = squares.pop()
            position.fish[square] = choices.sample(COLOURS, choices.choice([0, 1, 1, 2]))
    for square in FISH_SQUARES:
        position.fish[square] = choices.sample(COLOURS, choices.choice([0, 1]))
    for square in choices.sample(squares, 4):
        position.fish[square].append(choices.choice(COLOURS))
    for fish in position.home.values():
        fish[:] = choices.choices(COLOURS, k=choices.choice([0, 0, 1, 2]))
    position.first, position.seat, position.turn = choices.randint(1, players), choices.randint(1, players), 40
    position.rounds, position.stage = 10, "act"
    return position


def strewn(rules: Rules[Any, Any], count: int, seed: int) -> Iterator[Position]:
    """Positions with everybody anywhere, each with some after it in which a throw or a hit waits for a choice."""
    chance = random.Random(seed)  # noqa: S311  # repeatable positions, not secrets
    while count:
        state = product_position(scattered(chance))
        if len(state.octopuses) != len(OCTOPUSES) * rules.seats or not isinstance(rules.next(state), Choose):
            continue
        count -= 1
        yield state
        waiting = [after for after in (rules.apply(state, step) for step in rules.steps(state)) if after.action is not None]
        for caught in (True, False):
            found = [after for after in waiting if bool(after.action.fish) is caught]
            yield from chance.sample(found, min(2, len(found)))
