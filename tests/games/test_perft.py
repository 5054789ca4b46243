"""Lines of play, counted by the games' engines and by the naive ones, whose counts are on file."""

from itertools import takewhile
from typing import Any

import pytest

from tests.cases import for_each
from tests.games import naive_perft as naive
from turnserver import games
from turnserver.rules.kit import perft

pytestmark = pytest.mark.thorough

CASES = [pytest.param(key, case, id=f"{key}-{case}") for key in naive.PLANS if key in games.CATALOGUE for case in naive.read(key)]
SOME = [pytest.param(*case.values, id=case.id, marks=[pytest.mark.long] if at % 3 else []) for at, case in enumerate(CASES)]


def test_every_game_is_counted() -> None:
    assert set(games.CATALOGUE) <= set(naive.PLANS)


@for_each(("key", "case"), CASES)
def test_the_product_counts_what_the_naive_engine_counted(key: str, case: naive.Case) -> None:
    rules: Any = games.find(key, **case.options).rules
    state = rules.start()
    for text in case.moves:
        state = rules.apply(state, rules.parse(state, text))
    assert [perft(rules, depth, state) for depth in range(1, len(case.counts) + 1)] == case.counts


@pytest.mark.parametrize(("key", "case"), SOME)
def test_the_counts_on_file_are_the_naive_engines(key: str, case: naive.Case) -> None:
    """As far down as is quick; `python -m tests.games.naive_perft` counts them all."""
    quick = list(takewhile(lambda count: count < 1000, case.counts))
    assert naive.counts(key, case.options, case.moves, len(quick)) == quick
