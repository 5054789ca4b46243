"""How a game ends (rulings 7, 13 and 14)."""

from collections.abc import Sequence
from functools import lru_cache

from turnserver.games.sneaky_octopuses.position import COLOURS, Options, Position, worth
from turnserver.rules import Over, Seat
from turnserver.text import listing, say


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
    if most >= options.target:
        reason = _target_reached(options, best, most)
    elif len(staying) == 1:
        best, reason = staying, say("only {team} is left", team=names[staying[0]])
    elif all(_at_most(landed[index], outside) < options.target for index in staying):
        reason = _out_of_reach(options, best)
    elif late:
        reason = _stopped(options, best)
    else:
        return None
    return Over(frozenset(Seat(index + 1) for index in best), reason, scores)


def _target_reached(options: Options, best: Sequence[int], most: int) -> str:
    if len(best) > 1:
        return say("{teams} have {n} point", "{teams} have {n} points", teams=_teams(options, best), n=most)
    return say("{team} has {n} point", "{team} has {n} points", team=_teams(options, best), n=most)


def _out_of_reach(options: Options, best: Sequence[int]) -> str:
    teams, target = _teams(options, best), options.target
    if len(best) > 1:
        return say("nobody can get {target} points any more, and {teams} have most", target=target, teams=teams)
    return say("nobody can get {target} points any more, and {team} has most", target=target, team=teams)


def _stopped(options: Options, best: Sequence[int]) -> str:
    teams, rounds = _teams(options, best), options.max_rounds
    if len(best) > 1:
        return say(
            "the {n} round is over, and {teams} have most points",
            "the {n} rounds are over, and {teams} have most points",
            n=rounds,
            teams=teams,
        )
    return say(
        "the {n} round is over, and {team} has most points", "the {n} rounds are over, and {team} has most points", n=rounds, team=teams
    )


def _teams(options: Options, seats: Sequence[int]) -> str:
    return listing([options.seat_names[index] for index in seats], "and")


def _at_most(landed: tuple[int, ...], outside: tuple[int, ...]) -> int:
    """The points of a seat to whom all the fish outside came as well."""
    return worth(tuple(map(sum, zip(landed, outside, strict=True))))
