"""Deadlines that an admin moves."""

from collections.abc import Mapping
from datetime import datetime

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.deadlines import still_open
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings, TierSize, WhenUnfinished

FOUR = (ADA, BOB, CLEO, DAN)
DRAWS = Settings(round_days=10, when_unfinished=WhenUnfinished.DRAW)
ASKS = Settings(round_days=10)


def begun(settings: Settings = DRAWS, players: tuple[PlayerId, ...] = FOUR) -> League:
    league = League(settings)
    league.begin(players)
    league.open_games()
    return league


@pytest.mark.parametrize("settings", [DRAWS, ASKS], ids=["judged", "asked about"])
def test_a_game_is_judged_by_its_new_deadline(settings: Settings) -> None:
    league = begun(settings)
    [moved] = league.do(c.MoveDeadlines({1: day(14)}, "ill"))
    assert moved == e.DeadlinesMoved(deadlines=(e.MovedDeadline(meeting=1, deadline=day(14), remind_at=day(10.5)),), reason="ill")
    league.now = day(10)
    league.do(c.CheckLeague())
    first, second = league.season.fixtures[:2]
    assert (bool(first.marks), first.overdue, bool(second.marks) or second.overdue) == (False, False, True)
    league.now = day(14)
    assert due(league.state) == day(10.5)
    league.do(c.CheckLeague())
    first = league.season.fixtures[0]
    assert bool(first.marks) or first.overdue


def test_a_late_game_goes_on_with_a_new_deadline() -> None:
    league = begun(ASKS)
    league.now = day(11)
    league.do(c.CheckLeague())
    assert league.season.fixtures[0].overdue
    league.do(c.MoveDeadlines({1: day(12), 2: None}, ""))
    assert [(one.deadline, one.overdue) for one in league.season.fixtures[:2]] == [(day(12), False), (None, False)]
    league.now = day(12)
    assert e.RoundOverdue(division="1", round=1, meetings=(1,)) in league.do(c.CheckLeague())


REFUSED: Mapping[str, tuple[Mapping[int, datetime | None], str]] = {
    "nothing": ({}, "nothing_open"),
    "no meeting": ({99: day(30)}, "not_found"),
    "what is over": ({1: day(30)}, "decided"),
    "the past": ({2: day(1)}, "bad_instant"),
    "now": ({2: day(2)}, "bad_instant"),
    "one in the past": ({3: day(30), 2: day(1)}, "bad_instant"),
    "thousands of years away": ({3: day(30), 2: day(7000 * 365)}, "bad_instant"),
    "as it is": ({2: day(10), 3: day(20)}, "as_it_is"),
}


@for_each("name", REFUSED)
def test_refuses_deadlines_that_cannot_be(name: str) -> None:
    deadlines, code = REFUSED[name]
    league = begun()
    league.result(1, Mark.DRAW)
    league.now = day(2)
    before = league.state
    assert league.refusal(c.MoveDeadlines(deadlines, "")) == code
    assert league.state == before


def test_chooses_the_games_of_a_division_a_round_or_a_player() -> None:
    league = begun(Settings(tiers=(TierSize(size=4), TierSize(size=2))), (*FOUR, EVE, PlayerId(16)))
    low = league.season.divisions[1].players
    league.do(c.SubstitutePlayer(low[0], PlayerId(99), Burden.SEAT, ""))
    league.result(1, Mark.DRAW)

    def chosen(**those: object) -> list[int]:
        return [one.number for one in still_open(league.season, **those)]  # type: ignore[arg-type]

    assert (chosen(division="2"), chosen(player=PlayerId(99)), chosen(player=low[0])) == ([3], [3], [])
    assert (chosen(number=1), chosen(number=1, division="1"), chosen(meeting=4), chosen(meeting=1)) == ([2, 3], [2], [4], [])
    assert len(chosen()) == 6
