"""Deciding a league again takes work in proportion to its events: what is asked of the whole season is not asked at each of them."""

import sys
from collections.abc import Callable
from datetime import timedelta
from types import FrameType

import pytest

from tests.league.seasons import League
from turnserver.audit.league.recheck import recheck
from turnserver.ids import GameId, PlayerId, Recorded
from turnserver.league.commands import AttachGame, CarryResult, CheckLeague
from turnserver.league.course import due
from turnserver.league.events import LeagueEvent
from turnserver.league.pairing import openable
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings, TierSize
from turnserver.league.state import Phase

SECRET = bytes(range(32))


def calls(work: Callable[[], object]) -> int:
    """Return the number of calls of Python functions that `work` makes."""
    count = 0

    def called(_frame: FrameType, what: str, _value: object) -> None:
        nonlocal count
        count += what == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def played(settings: Settings, players: int) -> list[Recorded[LeagueEvent]]:
    """A whole season in which the first player of each meeting wins."""
    league = League(settings)
    league.begin([PlayerId(number) for number in range(1, players + 1)])
    while league.season.phase is Phase.RUNNING:
        for fixture in openable(league.state, league.season):
            league.games += 1
            league.now += timedelta(seconds=1)
            league.do(AttachGame(fixture.number, GameId(league.games)))
            league.do(CarryResult(fixture.number, (Mark.WIN, Mark.LOSS), league.now))
        at = due(league.state)
        if at is not None and at <= league.now:
            league.do(CheckLeague())
    return league.rows


SEASONS = {
    "divisions of four": Settings(tiers=(TierSize(size=4, divisions=40),)),
    "divisions of four, one game at once": Settings(tiers=(TierSize(size=4, divisions=40),), at_once=1),
    "knockout": Settings(format=Format.KNOCKOUT),
}


@pytest.mark.thorough
@pytest.mark.parametrize("settings", SEASONS.values(), ids=SEASONS)
def test_twice_the_players_are_twice_the_work(settings: Settings) -> None:
    counts = []
    for players in (32, 96):
        rows = played(settings, players)
        found = list[object]()
        counts.append(calls(lambda rows=rows, found=found: found.extend(recheck(rows, SECRET))) / len(rows))  # type: ignore[misc]
        assert found == []
    assert counts[1] < 1.6 * counts[0]
