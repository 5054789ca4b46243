"""Positions of Sneaky Octopuses written by hand: who is where, and which fish."""

from turnserver.games.sneaky_octopuses.board import COMPASS, FISH_SQUARES, at
from turnserver.games.sneaky_octopuses.moves import Step
from turnserver.games.sneaky_octopuses.position import OCTOPUSES, Keeper, Options, Position, opening, piece
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.rules import Seat


def scene(
    octopuses: str = "",
    *,
    keepers: str = "",
    fish: str = "",
    home: str = "",
    to_move: str = "Blue",
    options: Options = Options(),  # noqa: B008  # frozen
) -> Position:
    """A position in the middle of a game, from lists with commas between.

    `Blue Tako c8` puts an octopus onto a square, the others are at home. `north f10 west` puts a keeper there, looking west, the others are
    in their entrances. `3 c8` puts a yellow fish there, in a tank or loose; all other tanks are empty. `Red 3 3 5` has these fish at home.
    """
    start = opening(options)
    seats = {name: seat for seat, name in enumerate(options.seat_names, start=1)}
    pieces, watch, landed = list(start.octopuses), list(start.keepers), [[0] * 5 for _ in seats]
    for team, name, square in map(str.split, listed(octopuses)):
        pieces[piece(seats[team], OCTOPUSES.index(name))] = at(square)
    for side, square, facing in map(str.split, listed(keepers)):
        watch[COMPASS.index(side)] = Keeper(at(square), COMPASS.index(facing))
    placed = [(at(square), int(colour)) for colour, square in map(str.split, listed(fish))]
    for team, *colours in map(str.split, listed(home)):
        for colour in colours:
            landed[seats[team] - 1][int(colour) - 1] += 1
    stock = dict(placed)
    return Position(
        turn=7,
        round=2,
        seat=Seat(seats[to_move]),
        first=1,
        left=0,
        acted=0,
        octopuses=tuple(pieces),
        keepers=tuple(watch),
        tanks=bytes(stock.get(square, 0) for square in FISH_SQUARES),
        loose=tuple(sorted(one for one in placed if one[0] not in FISH_SQUARES)),
        landed=tuple(map(tuple, landed)),
    )


def listed(text: str) -> list[str]:
    """Return what stands between the commas."""
    return [part for part in text.split(",") if part.strip()]


def play(state: Position, steps: str, options: Options = Options()) -> tuple[Position, Step]:  # noqa: B008  # frozen
    """The position after steps parted by semicolons, and the last of them; the die is a step too."""
    rules = SneakyRules(options)
    step: Step | None = None
    for text in steps.split(";"):
        step = rules.parse(state, text.strip())
        state = rules.apply(state, step)
    assert step is not None
    return state, step
