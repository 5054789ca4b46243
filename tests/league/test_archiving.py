"""Leagues with another name, and leagues that are archived and brought back."""

import pytest

from tests.league.seasons import ADA, BOB, CLEO, League
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.settings import Settings


def over() -> League:
    """Its next season is to be announced."""
    league = League(Settings(next_days=3))
    league.begin((ADA, BOB, CLEO))
    league.do(c.CloseSeason("enough"))
    return league


def test_a_league_has_its_new_name() -> None:
    league = over()
    assert league.do(c.RenameLeague("Spring", "the winter is over")) == [e.LeagueRenamed(name="Spring", reason="the winter is over")]
    assert league.state.name == "Spring"
    assert league.refusal(c.RenameLeague("Spring", "")) == "as_it_is"


def test_an_archived_league_has_no_next_season_until_it_is_back() -> None:
    league = over()
    assert due(league.state) is not None
    assert league.do(c.ArchiveLeague("nobody plays")) == [e.LeagueArchived(reason="nobody plays")]
    assert due(league.state) is None
    # other settings announce no season either
    league.do(c.ChangeSettings(Settings(next_days=1), "at once"))
    assert due(league.state) is None
    for command in (c.AnnounceSeason(), c.ReopenSeason("")):
        assert league.refusal(command) == "archived"
    assert league.refusal(c.ArchiveLeague("")) == "as_it_is"
    assert league.do(c.ArchiveLeague("some do", archived=False)) == [e.LeagueUnarchived(reason="some do")]
    league.do(c.AnnounceSeason())
    assert [entry.player for entry in league.season.entries] == [line.player for line in league.state.last[0].lines]


@pytest.mark.parametrize("begun", [False, True])
def test_a_league_with_an_open_season_stays(begun: bool) -> None:  # a case
    league = League(Settings())
    if begun:
        league.begin((ADA, BOB, CLEO))
    else:
        league.do(c.AnnounceSeason())
    assert league.refusal(c.ArchiveLeague("")) == "season_open"
