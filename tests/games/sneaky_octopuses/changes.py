"""The changes on a board of Sneaky Octopuses, written as in `sneaky_scenes`, so that a case can say what comes of some steps."""

from collections import Counter
from collections.abc import Iterator

from tests.games.sneaky_octopuses.scenes import listed, play
from turnserver.games.sneaky_octopuses.board import COMPASS, FISH_SQUARES, NAMES
from turnserver.games.sneaky_octopuses.position import NOWHERE, OCTOPUSES, Options, Piece, Position, kind_of, seat_of
from turnserver.games.sneaky_octopuses.rules import SneakyRules

RULES = SneakyRules(Options())

QUIET = "north e11 south, east k7 west, south g1 north, west a5 east"
"""All keepers in the showers, where they notice nothing."""


def legal(state: Position, *beginnings: str, rules: SneakyRules = RULES) -> list[str]:
    """The legal steps that begin so, in their order."""
    return [text for step in rules.steps(state) if (text := rules.format(state, step)).startswith(beginnings)]


def facts(state: Position, options: Options) -> Iterator[str]:
    """Yield every place: `Blue Tako c8`, `Blue Tako home`, `north f10 west`, `3 c8` for a fish, `Red home 3` for one at home."""
    for number, square in enumerate(state.octopuses):
        piece = Piece(number)
        name = f"{options.seat_names[seat_of(piece) - 1]} {OCTOPUSES[kind_of(piece)]}"
        yield f"{name} {'home' if square == NOWHERE else NAMES[square]}"
    for side, (square, facing) in zip(COMPASS, state.keepers, strict=True):
        yield f"{side} {'nowhere' if square == NOWHERE else NAMES[square]} {COMPASS[facing]}"
    for square, colour in (*zip(FISH_SQUARES, state.tanks, strict=True), *state.loose):
        if colour:
            yield f"{colour} {NAMES[square]}"
    for name, landed in zip(options.seat_names, state.landed, strict=True):
        for colour, count in enumerate(landed, start=1):
            yield from [f"{name} home {colour}"] * count


def check_changes(before: Position, steps: str, expected: str, options: Options = Options()) -> None:  # noqa: B008  # frozen
    """After the steps, exactly the `expected` facts are new."""
    after, _ = play(before, steps, options)
    new = Counter(facts(after, options)) - Counter(facts(before, options))
    assert new == Counter(fact.strip() for fact in listed(expected))
