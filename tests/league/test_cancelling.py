"""Seasons that were begun by mistake, and corrections of rounds by which others were paired."""

from collections.abc import Mapping

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, LOTS, League, day
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.pairing_again import later_round
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)
NOTHING = (Mark.NO_RESULT, Mark.NO_RESULT)


def begun(settings: Settings | None = None) -> League:
    league = League(settings or Settings(next_days=7))
    league.begin(FOUR)
    league.open_games()
    return league


def cancelled() -> League:
    """The second season is called off; in the first, everybody drew."""
    league = begun()
    for one in league.season.fixtures:
        league.result(one.number, Mark.DRAW)
    league.do(c.CheckLeague())
    league.do(c.AnnounceSeason(), c.StartSeason())
    league.open_games()
    league.result(1, Mark.WIN)
    league.now = day(3)
    league.do(c.CancelSeason("by mistake"))
    return league


def test_a_cancelled_season_has_no_table_and_the_next_follows_the_one_before() -> None:
    league = cancelled()
    last = league.state.last
    names = {player: f"P{player}" for player in FOUR}
    told = crosstable(league.state, league.season, league.season.divisions[0], names).standing
    assert told == "The season was cancelled, so this table counts for nothing."
    assert league.events[-1] == e.SeasonCancelled(reason="by mistake", secret=LOTS.of(2))
    assert (league.season.phase, league.season.cancelled, due(league.state)) == (Phase.CLOSED, True, None)
    assert [one.marks for one in league.season.fixtures[1:]] == [NOTHING] * 5
    assert {line.player for table in last for line in table.lines} == set(FOUR)
    league.do(c.AnnounceSeason())
    assert (league.season.number, league.season.cancelled, league.state.last) == (3, False, last)
    assert [entry.player for entry in league.season.entries] == [line.player for line in last[0].lines]


def test_a_cancelled_season_goes_on_when_it_was_no_mistake() -> None:
    league = cancelled()
    before = league.state.last
    league.do(c.ReopenSeason("it was none"))
    assert (league.season.phase, league.season.cancelled) == (Phase.RUNNING, False)
    assert [bool(one.marks) for one in league.season.fixtures] == [True, *[False] * 5]
    for one in league.open_games():
        league.result(one.number, Mark.DRAW)
    league.do(c.CheckLeague())
    assert league.season.phase is Phase.CLOSED
    assert league.state.last != before


def test_what_becomes_of_games_of_a_cancelled_season_changes_no_table() -> None:
    league = cancelled()
    before = league.state.last
    assert league.do(c.ReopenResult(1)) == [e.ResultReopened(meeting=1)]
    [event] = league.do(c.CarryResult(1, (Mark.ANNULLED, Mark.ANNULLED), day(4)))
    assert isinstance(event, e.ResultRecorded)
    assert league.state.last == before


REFUSED: Mapping[str, tuple[c.Command, str]] = {
    "a result": (c.SetResult(1, (Mark.DRAW, Mark.DRAW), ""), "season_cancelled"),
    "a penalty": (c.Penalize(ADA, "1", ""), "season_cancelled"),
    "twice": (c.CancelSeason(""), "no_season"),
    "an end": (c.CloseSeason(""), "no_season"),
}


@for_each("name", REFUSED)
def test_refuses_what_needs_a_table(name: str) -> None:
    command, code = REFUSED[name]
    league = cancelled()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before


def test_a_season_that_has_not_begun_is_dropped_and_not_cancelled() -> None:
    league = League(Settings())
    league.do(c.AnnounceSeason())
    assert league.refusal(c.CancelSeason("by mistake")) == "season_not_begun"


@pytest.mark.parametrize(("form", "later"), [(Format.SWISS, 2), (Format.ROUND_ROBIN, None), (Format.KNOCKOUT, None)])
def test_a_round_stays_when_one_before_it_is_corrected(form: Format, later: int | None) -> None:
    league = begun(Settings(format=form, rounds=3))
    first = league.season.fixtures[0]
    assert later_round(league.state, league.season, first) is None
    for one in league.season.fixtures[:2]:
        league.result(one.number, Mark.WIN)
    league.refusal(c.CheckLeague())
    assert later_round(league.state, league.season, league.season.fixtures[0]) == later
    assert later_round(league.state, league.season, league.season.fixtures[-1]) is None
