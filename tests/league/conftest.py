"""Every league that a test makes is decided again afterwards: nothing of it may look as if it had been tampered with."""

from collections.abc import Iterator

import pytest

from tests.league.seasons import LEAGUES, League
from turnserver.audit.league.recheck import recheck

LONG = 200


def problems(league: League, kept: bytes | None) -> list[str]:
    """Return what is objected to, but for results of games that a test did not care to open."""
    return [found.problem for found in recheck(league.rows, kept) if not found.problem.endswith("has the result of a game, but had none")]


@pytest.fixture(autouse=True)
def _checked_again() -> Iterator[None]:
    LEAGUES.clear()
    yield
    for league in LEAGUES:
        assert problems(league, league.lots.secret) == []
        if len(league.rows) < LONG:
            assert problems(league, None) == []
