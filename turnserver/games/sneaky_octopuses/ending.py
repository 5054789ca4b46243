"""How a game ends (rulings 7, 13 and 14)."""

from functools import lru_cache

from turnserver.games.sneaky_octopuses.position import COLOURS, Options, Position, worth
from turnserver.rules import Over, Seat
from turnserver.words import listing


def verdict(options: Options, state: Position) -> Over | None:
    """How the game has ended, or None while it goes on. A seat that has left does not win."""
    late = state.round > options.max_rounds
    if not (late or state.left or any(map(any, state.landed))):
        return None
    outside = tuple(state.tanks.count(colour) + sum(fish == colour for _, fish in state.loose) for colour in COLOURS)
    return _verdict(options, state.landed, state.left, outside, late=late)


@lru_cache(maxsize=1024)
def _verdict(options: Options, landed: tuple[tuple[int, ...], ...], left: int, outside: tuple[int, ...], *, late: bool) -> Over | None:
    names, scores = options.seat_names, tuple(map(worth, landed))
    staying = [index for index in range(options.players) if not left >> index & 1]
    most = max(scores[index] for index in staying)
    best = [index for index in staying if scores[index] == most]
    leading = f"{listing([names[index] for index in best], 'and')} {'has' if len(best) == 1 else 'have'}"
    if most >= options.target:
        reason = f"{leading} {most} point{'' if most == 1 else 's'}"
    elif len(staying) == 1:
        best, reason = staying, f"only {names[staying[0]]} is left"
    elif all(_at_most(landed[index], outside) < options.target for index in staying):
        reason = f"nobody can get {options.target} points any more, and {leading} most"
    elif late:
        reason = f"the {options.max_rounds} rounds are over, and {leading} most points"
    else:
        return None
    return Over(frozenset(Seat(index + 1) for index in best), reason, scores)


def _at_most(landed: tuple[int, ...], outside: tuple[int, ...]) -> int:
    """The points of a seat to whom all the fish outside came as well."""
    return worth(tuple(map(sum, zip(landed, outside, strict=True))))
