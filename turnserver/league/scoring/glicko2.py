"""Glicko-2: the strength of players of games of two, from the games of a period.

After Mark E. Glickman, "Example of the Glicko-2 system" (2013, revised 2022), whose steps are named here. All games of a period count as
played at once, by players as strong as they were when it began; so their order does not matter.

A better result of a game never makes for a lower rating, and a player who wins all their games gains. But one win more in a period may
lower a rating: if many of the others were surprises, a game that was sure to be won makes them count for less. A period is judged as a
whole.
"""

from collections.abc import Sequence
from math import exp, fsum, log, pi, sqrt
from typing import Final, NamedTuple

SCALE: Final = 173.7178
"""Points of rating in one unit of step 2."""

CENTRE: Final = 1500.0
CLOSE: Final = 1e-6
"""The distance of the two ends at which step 5 stops."""


class Strength(NamedTuple):
    """A player's estimated rating, its standard deviation (both in points), and how erratic the player is.

    The defaults are a new player's.
    """

    rating: float = CENTRE
    deviation: float = 350.0
    volatility: float = 0.06


class PeriodGame(NamedTuple):
    """A game of the period: the opponent's strength when the period began, and 1 for a win, 0.5 for a draw, 0 for a loss."""

    opponent: Strength
    score: float


class System(NamedTuple):
    """The constant for changes of volatility (the paper's tau), and bounds of deviation (in points) and volatility."""

    tau: float = 0.5
    # with this deviation a rating can still follow its player
    least: float = 30.0
    # a new player's
    most: float = 350.0
    # Without it, a player who loses dozens of games in a period against all expectation would be rated hundreds of thousands below zero:
    # the f of step 5 then has several zeros, some of them far away.
    erratic: float = 0.1


GLICKMAN: Final = System()
"""With the tau of the paper's example; the paper has no bounds."""


def after_period(before: Strength, games: Sequence[PeriodGame], system: System = GLICKMAN) -> Strength:
    """Return the strength at the end of a period, from the strength at its beginning and the player's games in any order."""
    if not games:
        return idle(before, 1, system)
    # step 2
    mu, phi = (before.rating - CENTRE) / SCALE, before.deviation / SCALE
    informed, surprised = [], []
    for opponent, score in games:
        weight = _g(opponent.deviation / SCALE)
        ahead = weight * (mu - (opponent.rating - CENTRE) / SCALE)
        due = _e(ahead)
        informed.append(weight * weight * due * _e(-ahead))
        surprised.append(weight * (score - due))
    # step 3; `fsum` is exact, so the order of the games cannot matter
    variance = 1 / fsum(informed)
    surprise = fsum(surprised)
    # steps 4 and 5
    volatility = min(_volatility(before.volatility, phi, variance, variance * surprise, system.tau), system.erratic)
    # step 6
    widened = phi * phi + volatility * volatility
    # step 7
    certain = 1 / (1 / widened + 1 / variance)
    return Strength(before.rating + SCALE * certain * surprise, _bounded(SCALE * sqrt(certain), system), volatility)


def idle(before: Strength, periods: int, system: System = GLICKMAN) -> Strength:
    """Return the strength after so many periods without a game. Each of them does step 6 alone."""
    widened = sqrt(before.deviation**2 + periods * (SCALE * before.volatility) ** 2)
    return before._replace(deviation=_bounded(widened, system))


def expected(one: Strength, other: Strength) -> float:
    """Return the average score of one against the other, from 0 to 1, with both uncertain. The two sides of a game add up to 1."""
    both = sqrt(one.deviation**2 + other.deviation**2) / SCALE
    return _e(_g(both) * (one.rating - other.rating) / SCALE)


def _bounded(deviation: float, system: System) -> float:
    return min(max(deviation, system.least), system.most)


def _g(phi: float) -> float:
    # step 3: the weight of a game against somebody that uncertain
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _e(ahead: float) -> float:
    # step 3: the expected score; that of the other side is `_e(-ahead)`
    return 1 / (1 + exp(-ahead))


def _volatility(sigma: float, phi: float, variance: float, improvement: float, tau: float) -> float:
    """Return the new volatility (step 5): a zero of the step's f, found by the Illinois algorithm."""
    start = log(sigma * sigma)
    known = phi * phi + variance

    def f(x: float) -> float:
        e = exp(x)
        return e * (improvement * improvement - known - e) / (2 * (known + e) ** 2) - (x - start) / (tau * tau)

    left = start
    # the two ends between which the zero lies, as the paper chooses them
    if improvement * improvement > known:
        right = log(improvement * improvement - known)
    else:
        right = start - tau
        while f(right) < 0:
            right -= tau
    f_left, f_right = f(left), f(right)
    while abs(right - left) > CLOSE:
        new = left + (left - right) * f_left / (f_right - f_left)
        f_new = f(new)
        if f_new * f_right <= 0:
            left, f_left = right, f_right
        else:
            # the Illinois step: an end that has stayed twice counts half, so that both ends move
            f_left /= 2
        right, f_right = new, f_new
    return exp(left / 2)
