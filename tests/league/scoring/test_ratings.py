"""Ratings are the fold of results: in periods by Glicko-2, game after game by OpenSkill."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from math import exp, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tests.cases import for_each
from turnserver.errors import BadOption
from turnserver.ids import GameId, PlayerId
from turnserver.league.scoring import glicko2
from turnserver.league.scoring.ratings import (
    PERIODS_LIMIT,
    TABLES_LIMIT,
    Glicko2,
    OpenSkill,
    Rating,
    Ratings,
    moment,
    month,
    month_began,
    next_month,
    provisional_told,
    ratings,
)
from turnserver.league.scoring.results import Bearer, RatedResult

ADA, BOB, CLEO, DAN = PLAYERS = tuple(map(PlayerId, (1, 2, 3, 4)))
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2030, 1, 1, tzinfo=UTC)
few = settings(max_examples=40)


def result(number: int, day: float, sides: Sequence[Sequence[PlayerId | Bearer]], *places: int) -> RatedResult:
    bearers = tuple(tuple(one if isinstance(one, Bearer) else Bearer(one) for one in side) for side in sides)
    return RatedResult(BEGIN + timedelta(days=day), GameId(number), bearers, places or tuple(range(1, len(sides) + 1)))


def of_two(number: int, day: float, one: PlayerId | Bearer, other: PlayerId | Bearer, *places: int) -> RatedResult:
    return result(number, day, [[one], [other]], *places)


@st.composite
def seasons(draw: st.DrawFn, most: int = 2) -> list[RatedResult]:
    """Some months of games between four players, two to `most` at a table."""
    found = []
    for number in range(draw(st.integers(1, 15))):
        table = draw(st.permutations(PLAYERS))[: draw(st.integers(2, most))]
        places = draw(st.lists(st.integers(1, 3), min_size=len(table), max_size=len(table)))
        found.append(result(number, draw(st.integers(0, 150)), [[one] for one in table], *places))
    return found


def everything(found: Ratings) -> dict[PlayerId, object]:
    return {player: (found.history(player), found.rating(player, LATER)) for player in sorted(found.players())}


FOLDS = pytest.mark.parametrize("fold", [Glicko2, OpenSkill])
Fold = Callable[[Sequence[RatedResult]], Ratings]


@FOLDS
@few
@given(season=seasons(), chance=st.randoms(use_true_random=False))
def test_results_may_come_in_any_order(fold: Fold, season: list[RatedResult], chance: random.Random) -> None:
    shuffled = list(season)
    chance.shuffle(shuffled)
    assert everything(fold(shuffled)) == everything(fold(season))


@few
@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_within_a_month_does_not_matter(season: list[RatedResult], chance: random.Random) -> None:
    days = [chance.randrange(28) for _ in season]
    moved = [replace(one, at=one.at.replace(day=1) + timedelta(days=day)) for one, day in zip(season, days, strict=True)]
    one, other = Glicko2(season), Glicko2(moved)
    assert [one.rating(player, LATER) for player in PLAYERS] == [other.rating(player, LATER) for player in PLAYERS]


KEYS = pytest.mark.parametrize("key", ["take", "tako-judo"])


@KEYS
@few
@given(season=seasons(), months=st.integers(0, 6))
def test_a_fold_goes_on_to_the_last_bit_from_what_was_kept(key: str, season: list[RatedResult], months: int) -> None:
    whole, middle = ratings(key, season), BEGIN
    for _ in range(months):
        middle = next_month(middle)
    before = ratings(key, [one for one in season if one.at < middle])
    kept = {player: before.history(player)[-1] for player in before.players()}
    kept = {player: moment(key, last.at, last.game, last.rating.games, last.known) for player, last in kept.items()}
    after = ratings(key, [one for one in season if one.at >= middle], before=kept)
    assert after.players() == whole.players()
    for player in PLAYERS:
        assert (*before.history(player)[:-1], *after.history(player)) == whole.history(player)
        assert after.rating(player, LATER) == whole.rating(player, LATER)


@FOLDS
@few
@given(season=seasons())
def test_numbers_of_players_do_not_matter(fold: Fold, season: list[RatedResult]) -> None:
    renamed = [
        replace(one, sides=tuple(tuple(who._replace(player=PlayerId(9 - who.player)) for who in side) for side in one.sides))
        for one in season
    ]
    before, after = everything(fold(season)), everything(fold(renamed))
    assert after == {PlayerId(9 - player): found for player, found in before.items()}


@FOLDS
@few
@given(season=seasons())
def test_a_first_game_that_is_won_raises_and_a_lost_one_lowers(fold: Fold, season: list[RatedResult]) -> None:
    new, then = PlayerId(5), [*season, of_two(99, 200, PlayerId(5), ADA)]
    without, won = fold(season), fold(then)
    lost = fold([*season, of_two(99, 200, ADA, PlayerId(5))])
    assert lost.rating(new, LATER).rating < without.rating(new, LATER).rating < won.rating(new, LATER).rating
    assert won.rating(ADA, LATER).rating < without.rating(ADA, LATER).rating < lost.rating(ADA, LATER).rating


SEASON = [
    of_two(1, 3, ADA, BOB),
    of_two(2, 9, BOB, CLEO, 1, 1),
    of_two(3, 20, CLEO, ADA, 2, 1),
    of_two(4, 40, CLEO, DAN),
    of_two(5, 130, DAN, ADA),
]


def test_periods_are_worked_out_one_by_one() -> None:
    new, after, idle = glicko2.Strength(), glicko2.after_period, glicko2.idle
    january = {
        ADA: after(new, [glicko2.PeriodGame(new, 1), glicko2.PeriodGame(new, 1)]),
        BOB: after(new, [glicko2.PeriodGame(new, 0), glicko2.PeriodGame(new, 0.5)]),
        CLEO: after(new, [glicko2.PeriodGame(new, 0.5), glicko2.PeriodGame(new, 0)]),
    }
    february = {CLEO: after(january[CLEO], [glicko2.PeriodGame(new, 1)]), DAN: after(new, [glicko2.PeriodGame(january[CLEO], 0)])}
    ada, dan = idle(january[ADA], 3), idle(february[DAN], 2)
    may = {ADA: after(ada, [glicko2.PeriodGame(dan, 0)]), DAN: after(dan, [glicko2.PeriodGame(ada, 1)])}
    found = Glicko2(SEASON)
    assert [(one.at.month, one.at.day, *one.rating[:3]) for one in found.history(ADA)] == [
        (1, 21, *january[ADA][:2], 2),
        (5, 11, *may[ADA][:2], 3),
    ]
    assert [one.rating[:2] for one in found.history(DAN)] == [february[DAN][:2], may[DAN][:2]]
    assert found.history(PlayerId(5)) == ()
    assert found.players() == set(PLAYERS)
    in_july = datetime(2026, 7, 31, tzinfo=UTC)
    assert found.rating(BOB, in_july)[:3] == (*idle(january[BOB], 5)[:2], 2)
    assert found.rating(ADA, BEGIN)[:3] == (*may[ADA][:2], 3), "nothing is known to have been idle before"
    assert found.rating(PlayerId(5), in_july) == (1500, 350, 0, PERIODS_LIMIT)
    score = glicko2.expected(idle(january[BOB], 5), idle(february[CLEO], 4))
    assert found.expected([[BOB], [CLEO]], in_july) == (score, 1 - score)


@for_each(
    ("one", "other", "apart"),
    [
        (BEGIN, BEGIN + timedelta(days=30, hours=23), 0),
        (BEGIN, BEGIN + timedelta(days=31), 1),
        (BEGIN - timedelta(seconds=1), BEGIN, 1),
        (BEGIN, datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))), -1),
        (BEGIN, datetime(2027, 3, 1, tzinfo=UTC), 14),
    ],
)
def test_months(one: datetime, other: datetime, apart: int) -> None:
    assert month(other) - month(one) == apart


@for_each(
    ("at", "began", "follows"),
    [
        (BEGIN, (2026, 1), (2026, 2)),
        (datetime(2026, 12, 31, 23, 59, 59, 999_999, UTC), (2026, 12), (2027, 1)),
        (datetime(2024, 2, 29, 12, tzinfo=UTC), (2024, 2), (2024, 3)),
        (datetime(2026, 5, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))), (2026, 4), (2026, 5)),
    ],
)
def test_when_months_begin(at: datetime, began: tuple[int, int], follows: tuple[int, int]) -> None:
    assert month_began(at) == datetime(*began, 1, tzinfo=UTC)
    assert next_month(at) == datetime(*follows, 1, tzinfo=UTC)
    assert month(at) == month(month_began(at)) == month(next_month(at)) - 1


@pytest.mark.parametrize("sides", [[[ADA], [BOB], [CLEO]], [[ADA, BOB], [CLEO, DAN]]])
def test_a_game_of_two_has_two_players(sides: list[list[PlayerId]]) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        Glicko2([result(1, 1, sides)])


@pytest.mark.parametrize(("key", "kind"), [("take", Glicko2), ("tako-judo", OpenSkill), ("sneaky-octopuses", OpenSkill)])
def test_games_have_one_kind_of_rating_each(key: str, kind: type[Ratings]) -> None:
    found = ratings(key, [of_two(1, 3, ADA, BOB)])
    assert type(found) is kind
    assert found.players() == {ADA, BOB}


def test_games_that_nobody_knows_have_none() -> None:
    with pytest.raises(BadOption, match="tke"):
        ratings("tke", [])


@FOLDS
def test_who_is_not_to_be_rated_is_not_but_whoever_they_met_is(fold: Fold) -> None:
    before = [of_two(1, 3, ADA, BOB)]
    plain, borne = (fold([*before, of_two(2, 40, CLEO, Bearer(ADA, counts=counts))]) for counts in (True, False))
    assert borne.rating(CLEO, LATER) == plain.rating(CLEO, LATER)
    assert borne.history(ADA) == fold(before).history(ADA)
    assert plain.history(ADA) != fold(before).history(ADA)
    assert fold([of_two(1, 3, ADA, Bearer(BOB, counts=False))]).players() == {ADA}


@FOLDS
def test_a_correction_is_what_would_have_been(fold: Fold) -> None:
    corrected = [replace(one, places=(2, 1)) if one.game == 1 else one for one in SEASON]
    assert everything(fold(corrected)) == everything(fold([of_two(1, 3, BOB, ADA), *SEASON[1:]]))
    assert fold(corrected).rating(DAN, LATER) != fold(SEASON).rating(DAN, LATER), "whom it met later hears of it"
    assert fold(SEASON[:3]).players() == {ADA, BOB, CLEO}


Skill = tuple[float, float]


def naive(sides: list[list[Skill]], places: tuple[int, ...], noise: float = 25 / 300) -> list[list[Skill]]:
    """Algorithm 4 of Weng and Lin (2011) as its formulas stand there, with some noise that is added before each game."""
    sides = [[(mu, sqrt(sigma**2 + noise**2)) for mu, sigma in side] for side in sides]
    mus, variances = [sum(mu for mu, _ in side) for side in sides], [sum(sigma**2 for _, sigma in side) for side in sides]
    c = sqrt(sum(variance + (25 / 6) ** 2 for variance in variances))
    everybody = range(len(sides))

    def chance(i: int, q: int) -> float:
        return exp(mus[i] / c) / sum(exp(mus[s] / c) for s in everybody if places[s] >= places[q])

    after = []
    for i in everybody:
        faced = [(q, sum(place == places[q] for place in places)) for q in everybody if places[q] <= places[i]]
        omega = variances[i] / c * sum(((q == i) - chance(i, q)) / shared for q, shared in faced)
        gamma = sqrt(variances[i]) / c
        eta = gamma * variances[i] / c**2 * sum(chance(i, q) * (1 - chance(i, q)) / shared for q, shared in faced)
        parts = [(mu, sigma, sigma**2 / variances[i]) for mu, sigma in sides[i]]
        after.append([(mu + part * omega, sigma * sqrt(max(1 - part * eta, 0.0001))) for mu, sigma, part in parts])
    return after


EXAMPLE: list[list[Skill]] = [[(25, 25 / 3), (32.444, 5.123)], [(43.381, 2.421), (25.188, 6.211)]]
COMES_TO: list[list[Skill]] = [
    [(28.669648436582808, 8.071520788025197), (33.83086971107981, 5.062772998705765)],
    [(43.071274808241974, 2.4166900452721256), (23.149503312339064, 6.1378606973362135)],
]
"""Two teams of whom the first wins, in the documentation of the Python library, version 3.3, without noise."""


def test_the_example_of_the_library() -> None:
    assert naive(EXAMPLE, (1, 2), noise=0) == [[pytest.approx(skill) for skill in side] for side in COMES_TO]
    model = PlackettLuce(tau=0)
    after = model.rate([[model.rating(mu, sigma) for mu, sigma in side] for side in EXAMPLE])
    assert [[(one.mu, one.sigma) for one in side] for side in after] == [[pytest.approx(skill) for skill in side] for side in COMES_TO]


@few
@given(seasons(most=4))
def test_a_naive_calculation_of_tables_agrees(season: list[RatedResult]) -> None:
    known: dict[PlayerId, Skill] = {}
    for one in sorted(season, key=lambda one: (one.at, one.game)):
        after = naive([[known.get(who.player, (25, 25 / 3)) for who in side] for side in one.sides], one.places)
        known |= {side[0].player: new[0] for side, new in zip(one.sides, after, strict=True)}
    found = OpenSkill(season)
    assert found.players() == set(known)
    for player, (mu, sigma) in known.items():
        assert found.rating(player, LATER)[:2] == pytest.approx((1500 + 42 * (mu - 25), 42 * sigma))


@pytest.mark.parametrize("places", [(1, 2), (2, 1), (1, 1)])
def test_a_naive_calculation_of_teams_agrees(places: tuple[int, int]) -> None:
    first = [[ADA, BOB], [CLEO, DAN]]
    found = OpenSkill([result(1, 1, [[ADA], [CLEO]]), result(2, 2, first, *places)])
    (ada,), (cleo,) = naive([[(25, 25 / 3)], [(25, 25 / 3)]], (1, 2))
    after = naive([[ada, (25, 25 / 3)], [cleo, (25, 25 / 3)]], places)
    for player, (mu, sigma) in zip(PLAYERS, (*after[0], *after[1]), strict=True):
        assert found.rating(player, LATER)[:2] == pytest.approx((1500 + 42 * (mu - 25), 42 * sigma))


def test_tables_have_a_history_of_games() -> None:
    found = OpenSkill([result(1, 1, [[ADA], [BOB], [CLEO]]), result(2, 5, [[DAN], [ADA], [CLEO]])])
    history = found.history(ADA)
    assert [(one.at.day, one.rating.games) for one in history] == [(2, 1), (6, 2)]
    assert found.rating(ADA, LATER) == history[-1].rating
    assert history[0].rating.rating > 1500 > found.history(CLEO)[0].rating.rating
    assert found.history(BOB)[0].rating.deviation < 350
    assert found.history(PlayerId(5)) == ()
    assert found.rating(PlayerId(5), LATER) == (1500, 350, 0, TABLES_LIMIT)


@pytest.mark.parametrize("sides", [[[ADA], [BOB]], [[ADA], [BOB], [CLEO]], [[ADA, BOB], [CLEO, DAN]]])
def test_what_is_expected_is_shared(sides: list[list[PlayerId]]) -> None:
    found = OpenSkill([result(1, 1, [[ADA], [BOB], [CLEO], [DAN]])])
    expected = found.expected(sides, LATER)
    assert sum(expected) == pytest.approx(1)
    assert list(expected) == sorted(set(expected), reverse=True)


@for_each(
    ("rating", "deviation", "limit", "told"),
    [
        (1464.06, 151.52, 110, "1464 \N{PLUS-MINUS SIGN} 152, provisional"),
        (1464.06, 151.52, 200, "1464 \N{PLUS-MINUS SIGN} 152"),
        (1499.6, 110, 110, "1500 \N{PLUS-MINUS SIGN} 110"),
        (1500, 350, 200, "1500 \N{PLUS-MINUS SIGN} 350, provisional"),
    ],
)
def test_what_players_read(rating: float, deviation: float, limit: int, told: str) -> None:
    assert Rating(rating, deviation, 5, limit).told() == told


def test_what_provisional_means() -> None:
    assert provisional_told(PERIODS_LIMIT) == "A rating is provisional while the figure behind \N{PLUS-MINUS SIGN} is more than 110."
