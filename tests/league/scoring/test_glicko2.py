"""Glicko-2 against the example of the paper, against a calculation of another kind, and what holds for all periods.

The example is that of Mark E. Glickman, "Example of the Glicko-2 system" (2013, revised 2022), with its figures.
"""

from decimal import Decimal, localcontext
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.league.scoring.glicko2 import GLICKMAN, PeriodGame, Strength, System, after_period, expected, idle

PLAYER = Strength(1500, 200, 0.06)
GAMES = (PeriodGame(Strength(1400, 30), 1), PeriodGame(Strength(1550, 100), 0), PeriodGame(Strength(1700, 300), 0))

UNBOUNDED = System(least=0, most=inf, erratic=inf)

strengths = st.builds(Strength, st.floats(500, 2500), st.floats(30, 350), st.floats(0.03, 0.12))
games = st.lists(st.builds(PeriodGame, strengths, st.sampled_from((0, 0.5, 1))), min_size=1, max_size=12)
few = settings(max_examples=60)


def naive(before: Strength, played: list[PeriodGame], tau: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """Rating, deviation, volatility in forty digits: the last by bisection near the old one, the new mean as that of a posterior."""
    with localcontext() as context:
        context.prec = 40
        scale, pi = Decimal("173.7178"), Decimal("3.14159265358979323846264338327950288")
        mean, spread, sigma = (Decimal(before.rating) - 1500) / scale, Decimal(before.deviation) / scale, Decimal(before.volatility)
        precision = slope = Decimal(0)
        for opponent, score in played:
            g = (1 + 3 * (Decimal(opponent.deviation) / scale) ** 2 / pi**2) ** Decimal("-0.5")
            odds = (g * (mean - (Decimal(opponent.rating) - 1500) / scale)).exp()
            precision += g**2 * odds / (1 + odds) ** 2
            slope += g * (Decimal(score) - odds / (1 + odds))
        shift = slope / precision

        def steepness(logarithm: Decimal) -> Decimal:
            variance = logarithm.exp()
            total = spread**2 + 1 / precision + variance
            return variance / total * (shift**2 / total - 1) / 2 - (logarithm - 2 * sigma.ln()) / tau**2

        low, high = 2 * sigma.ln() - 1, 2 * sigma.ln() + Decimal("0.1")
        while steepness(low) < 0:
            low, high = low - 1, low
        while steepness(high) > 0:  # there may be zeros farther away as well
            low, high = high, high + Decimal("0.1")
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if steepness(middle) > 0 else (low, middle)
        new_sigma = (low / 2).exp()
        prior = 1 / (spread**2 + new_sigma**2)
        posterior = prior + precision
        new_mean = (prior * mean + precision * (mean + shift)) / posterior
        return 1500 + scale * new_mean, scale * posterior ** Decimal("-0.5"), new_sigma


def test_the_example_of_the_paper() -> None:
    after = after_period(PLAYER, GAMES)
    assert after.rating == pytest.approx(1464.06, abs=0.011), "the paper rounds to four digits before it comes back to points"
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    assert round((after.rating - 1500) / 173.7178, 4) == -0.2069
    assert round(after.deviation / 173.7178, 4) == 0.8722


@few
@given(strengths, games, st.sampled_from((0.3, 0.5, 1.2)))
def test_a_naive_calculation_agrees(before: Strength, played: list[PeriodGame], tau: float) -> None:
    after = after_period(before, played, UNBOUNDED._replace(tau=tau))
    rating, deviation, volatility = naive(before, played, Decimal(tau))
    assert after.rating == pytest.approx(float(rating), abs=1e-3)
    assert after.deviation == pytest.approx(float(deviation), abs=1e-3)
    assert after.volatility == pytest.approx(float(volatility), abs=1e-6)


@pytest.mark.parametrize("score", [0, 1])
def test_a_naive_calculation_agrees_about_great_surprises(score: int) -> None:
    before, played = Strength(1500, 40, 0.06), [PeriodGame(Strength(1500 + 1200 * (2 * score - 1), 30), score)] * 6
    after = after_period(before, played)
    assert after.volatility > 0.06
    assert after == pytest.approx([float(figure) for figure in naive(before, played, Decimal("0.5"))], abs=1e-3)


def test_a_naive_calculation_agrees_about_somebody_far_too_erratic() -> None:
    before, played = Strength(1500, 30, 6), [PeriodGame(Strength(1500, 30), 0.5)] * 40
    after = after_period(before, played, UNBOUNDED._replace(tau=3))
    assert after.volatility < 6
    assert after == pytest.approx([float(figure) for figure in naive(before, played, Decimal(3))], rel=1e-6)


def test_nobody_falls_without_end() -> None:
    before, played = Strength(1700, 40), [PeriodGame(Strength(200, 30), 0)] * 40
    assert after_period(before, played, UNBOUNDED).rating < -100_000
    after = after_period(before, played)
    assert after.volatility == 0.1
    assert 200 < after.rating < 1300


@few
@given(strengths, games, st.randoms(use_true_random=False))
def test_the_order_within_a_period_does_not_matter(before: Strength, played: list[PeriodGame], chance: st.DataObject) -> None:
    shuffled = list(played)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert after_period(before, shuffled) == after_period(before, played)


@few
@given(strengths, games, st.integers(0, 11))
def test_a_better_result_never_lowers(before: Strength, played: list[PeriodGame], number: int) -> None:
    at = number % len(played)
    results = [after_period(before, [*played[:at], played[at]._replace(score=score), *played[at + 1 :]]).rating for score in (0, 0.5, 1)]
    assert results == sorted(results)


@few
@given(strengths, games)
def test_whoever_only_wins_gains_and_whoever_only_loses_does_not(before: Strength, played: list[PeriodGame]) -> None:
    won, lost = (after_period(before, [one._replace(score=score) for one in played]) for score in (1, 0))
    assert lost.rating < before.rating < won.rating


@few
@given(strengths, games, st.integers(-400, 400))
def test_only_differences_of_ratings_matter(before: Strength, played: list[PeriodGame], points: int) -> None:
    def moved(one: Strength) -> Strength:
        return one._replace(rating=one.rating + points)

    after = after_period(moved(before), [PeriodGame(moved(one.opponent), one.score) for one in played])
    assert after == pytest.approx(moved(after_period(before, played)))


@few
@given(strengths, games)
def test_a_period_stays_within_its_bounds(before: Strength, played: list[PeriodGame]) -> None:
    narrow = System(least=100, most=120)
    assert 100 <= after_period(before, played, narrow).deviation <= 120


def test_a_sure_win_may_lower_what_surprises_have_raised() -> None:
    surprises = [PeriodGame(Strength(2300, 30), 1)] * 10
    with_one_more = [*surprises, PeriodGame(Strength(1500, 30), 1)]
    assert after_period(PLAYER, with_one_more).rating < after_period(PLAYER, surprises).rating


@for_each(
    ("periods", "deviation"),
    [
        (0, 50),
        (1, (50**2 + (173.7178 * 0.06) ** 2) ** 0.5),
        (12, (50**2 + 12 * (173.7178 * 0.06) ** 2) ** 0.5),
        (1000, (50**2 + 1000 * (173.7178 * 0.06) ** 2) ** 0.5),
        (2000, 350),
    ],
)
def test_whoever_does_not_play_grows_uncertain_and_nothing_else(periods: int, deviation: float) -> None:
    before = Strength(1700, 50, 0.06)
    assert idle(before, periods) == pytest.approx((1700, deviation, 0.06))


def test_a_period_without_games_is_an_idle_one() -> None:
    assert after_period(PLAYER, ()) == idle(PLAYER, 1)


def test_so_many_idle_periods_are_each_of_them() -> None:
    step = PLAYER
    for _ in range(7):
        step = idle(step, 1)
    assert step == pytest.approx(idle(PLAYER, 7))


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        (Strength(1500, 350), Strength(1500, 30), 0.5),
        (Strength(1900, 0), Strength(1500, 0), 10 / 11),
        (Strength(1500, 0), Strength(1900, 0), 1 / 11),
    ],
)
def test_what_is_expected(one: Strength, other: Strength, score: float) -> None:
    assert expected(one, other) == pytest.approx(score, abs=1e-6)


def test_the_less_is_known_the_less_is_expected() -> None:
    scores = [expected(Strength(1900, deviation), Strength(1500, 60)) for deviation in (30, 100, 200, 350)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0.5


@few
@given(strengths, strengths)
def test_both_sides_together_expect_one(one: Strength, other: Strength) -> None:
    assert expected(one, other) + expected(other, one) == pytest.approx(1)


def test_the_usual_bounds() -> None:
    assert GLICKMAN == (0.5, 30, 350, 0.1)
