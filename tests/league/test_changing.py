"""Settings that change between seasons, and tiers that are no more."""

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, League, day
from turnserver.errors import BadOption
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league.course import due
from turnserver.league.divisions import Why
from turnserver.league.events import SeasonAnnounced, SeasonStarted, SettingsChanged
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings, TierSize, complete
from turnserver.league.state import Coming

FOUR = (ADA, BOB, CLEO, DAN)
DAILY = Settings(round_days=1)
SWISS = Settings(format=Format.SWISS, rounds=2)


def over(settings: Settings | None = None, players: tuple[PlayerId, ...] = FOUR) -> League:
    """A season in which the lower number has always won, at the instant of its end."""
    league = League(settings or Settings())
    league.begin(players, [2000 - player for player in players])
    for fixture in league.season.fixtures:
        if len(fixture.players) == 2:
            league.result(fixture.number, Mark.WIN if fixture.players[0] == min(fixture.players) else Mark.LOSS)
    league.do(c.CheckLeague())
    return league


def test_before_the_first_season_settings_may_change() -> None:
    league = League(Settings())
    changed = SettingsChanged(settings=complete(DAILY), time="2d", next_at=None, reason="too slow")
    assert league.do(c.ChangeSettings(DAILY, "too slow", "2d")) == [changed]
    assert league.state.for_next == Coming(complete(DAILY), "2d")
    league.do(c.AnnounceSeason())
    assert (league.state.settings, league.state.time, league.state.coming) == (complete(DAILY), "2d", None)


def test_how_games_are_clocked_stays_if_nothing_is_said() -> None:
    league = League(Settings())
    league.do(c.ChangeSettings(Settings(), "longer", "7d"), c.ChangeSettings(DAILY, "too slow"))
    assert league.state.for_next == Coming(complete(DAILY), "7d")
    assert league.refusal(c.ChangeSettings(DAILY, "once more")) == "as_it_is"
    assert league.refusal(c.ChangeSettings(DAILY, "once more", "7d")) == "as_it_is"


def test_a_season_keeps_the_settings_that_it_was_announced_with() -> None:
    league = League(Settings())
    league.do(c.AnnounceSeason())
    assert league.refusal(c.ChangeSettings(DAILY, "too slow")) == "season_open"
    league.do(c.DropSeason("rain"), c.ChangeSettings(DAILY, "too slow"))
    league.begin(FOUR)
    assert league.refusal(c.ChangeSettings(Settings(), "too fast")) == "season_open"


def test_what_cannot_be_played_is_not_changed_to() -> None:
    with pytest.raises(BadOption, match="The setting rounds can't be 0"):
        League(Settings()).do(c.ChangeSettings(replace(SWISS, rounds=0), "typo"))


def test_a_season_that_is_over_is_corrected_by_its_own_settings() -> None:
    league = over()
    league.do(c.ChangeSettings(Settings(points={Mark.WIN: "3", Mark.DRAW: "1"}), "as in football"))
    drawn = next(fixture for fixture in league.season.fixtures if set(fixture.players) == {ADA, BOB})
    league.do(c.SetResult(drawn.number, (Mark.DRAW, Mark.DRAW), "the log was wrong"))
    assert {line.player: line.points for line in league.state.last[0].lines} == {ADA: "5/2", BOB: "5/2", CLEO: "1", DAN: "0"}
    league.begin(())
    league.result(1, Mark.WIN)
    league.do(c.CloseSeason("spring"))
    assert [line.points for line in league.state.last[0].lines] == ["3", "0", "0", "0"]


@for_each(("before", "after", "expected"), [(None, None, None), (30, None, None), (30, 14, day(14)), (30, 0, day(0)), (None, 14, day(19))])
def test_when_the_next_season_is_announced_changes_too(before: int | None, after: int | None, expected: object) -> None:
    league = over(Settings(next_days=before))
    league.now = day(5)
    league.do(c.ChangeSettings(Settings(next_days=after, round_days=9), "other rounds"))
    assert due(league.state) == expected
    league.do(c.ChangeSettings(Settings(next_days=after), "as it was"))
    assert due(league.state) == expected


def test_a_season_that_announces_itself_does_so_by_the_new_settings() -> None:
    league = over(Settings(next_days=5, entry_days=7))
    league.do(c.ChangeSettings(Settings(next_days=5, entry_days=3), "quicker"))
    league.now = day(5)
    announced = league.do(c.CheckLeague())[0]
    assert isinstance(announced, SeasonAnnounced)
    assert announced.entries_until == day(8)


def test_the_ready_check_before_a_start_is_that_of_the_new_settings() -> None:
    league = League(Settings())
    league.do(c.ChangeSettings(Settings(ready_hours=48), "some never came"), c.AnnounceSeason(starts_at=day(9)))
    assert (league.season.entries_until, due(league.state)) == (day(7), day(7))


def test_another_format_keeps_the_divisions() -> None:
    players = tuple(map(PlayerId, range(1, 9)))
    tiers = (TierSize(size=4, moves=1), TierSize(size=4))
    league = over(Settings(tiers=tiers), players)
    league.do(c.ChangeSettings(replace(SWISS, tiers=tiers), "another format"))
    started = league.begin(())[0]
    assert isinstance(started, SeasonStarted)
    assert [sorted(division.players) for division in started.divisions] == [[1, 2, 3, 5], [4, 6, 7, 8]]


def test_whose_tier_is_no_more_is_in_the_lowest_there_is() -> None:
    players = tuple(map(PlayerId, range(1, 16)))
    two = TierSize(size=3, moves=1)
    league = over(Settings(tiers=(two, TierSize(size=3, divisions=2, moves=1), TierSize(size=3))), players)
    assert [(table.division, len(table.lines)) for table in league.state.last] == [("1", 3), ("2.1", 3), ("2.2", 3), ("3.1", 3), ("3.2", 3)]
    lowest = {line.player for table in league.state.last[3:] for line in table.lines}
    first = league.state.last[3].lines[0].player
    league.do(c.MovePlayer(players[0], 3, "as asked"))
    league.do(c.ChangeSettings(Settings(tiers=(two, TierSize(size=6))), "too few for three"))
    assert league.refusal(c.MovePlayer(players[1], 3, "typo")) == "no_tier"
    started = league.begin(())[0]
    assert isinstance(started, SeasonStarted)
    where = {player: division.tier for division in started.divisions for player in division.players}
    assert {where[player] for player in lowest} == {2}
    moves = {move.player: (move.why, move.before, move.after) for move in started.moves}
    assert moves[first] == (Why.MOVES_UP, 3, 2)
    assert moves[players[0]] == (Why.BY_ADMIN, 1, 2)
    assert moves[players[1]] == (Why.STAYS, 1, 1)
    assert {moves[line.player] for line in league.state.last[1].lines[1:]} == {(Why.STAYS, 2, 2)}
