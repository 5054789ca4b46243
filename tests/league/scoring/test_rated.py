"""The games of a league that count, over all its seasons; changed events are found."""

from collections.abc import Sequence
from random import Random

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.results import Bearer, MeetingPlayed, played, seasons
from turnserver.league.settings import Format, Settings

WIN, LOSS, DRAW = Mark.WIN, Mark.LOSS, Mark.DRAW


def seats(one: MeetingPlayed) -> tuple[Bearer, ...]:
    """Everybody bears their own."""
    return tuple(map(Bearer, one.fixture.players))


def counted(league: League) -> dict[GameId, tuple[int, ...]]:
    """The places of the games that count."""
    found = {one.game: one.rated(seats(one)) for one in played(league.events)}
    return {game: one.places for game, one in found.items() if one is not None}


def opened(players: Sequence[PlayerId] = (ADA, BOB, CLEO)) -> League:
    league = League(Settings(format=Format.DOUBLE_ROUND_ROBIN))
    league.begin(players)
    league.open_games()
    return league


@for_each(
    ("mark", "places"),
    [
        (WIN, (1, 2)),
        (LOSS, (2, 1)),
        (DRAW, (1, 1)),
        (Mark.WIN_ON_TIME, (1, 2)),
        (Mark.TIMEOUT, (2, 1)),
        (Mark.FORFEIT, None),
        (Mark.NO_RESULT, None),
    ],
)
def test_what_is_played_to_a_result_counts(mark: Mark, places: tuple[int, int] | None) -> None:
    league = opened()
    number = next(fixture.number for fixture in league.season.fixtures if fixture.game == 1)
    league.result(number, mark)
    assert counted(league) == ({} if places is None else {1: places})


def test_results_of_who_withdraws_stay_and_forfeits_do_not_count() -> None:
    for players, struck in (((ADA, BOB, CLEO, DAN, EVE), True), ((ADA, BOB), False)):
        league = League(Settings(format=Format.DOUBLE_ROUND_ROBIN, least=2))
        league.begin(players)
        league.open_games()
        own = [fixture.number for fixture in league.season.fixtures if ADA in fixture.players and fixture.game is not None]
        league.result(own[0], WIN)
        league.do(c.Withdraw(ADA))
        assert (ADA in league.season.struck) is struck
        assert list(counted(league)) == [league.season.fixtures[own[0] - 1].game]


def test_who_bears_a_game_is_said_from_outside() -> None:
    league = opened()
    one, before = next(played(league.events)), league.state
    told = league.result(one.fixture.number, WIN)
    (changed,) = played(told, before)
    result = changed.rated((Bearer(EVE, counts=False), Bearer(BOB)))
    assert result is not None
    assert result.sides == ((Bearer(EVE, counts=False),), (Bearer(BOB),))
    assert (result.at, result.game) == (league.now, one.game)
    assert changed.rated((Bearer(EVE), Bearer(EVE))) is None


def test_only_what_has_changed_is_looked_at() -> None:
    league = opened()
    before, told = league.state, len(league.events)
    assert list(played((), before)) == []
    league.now = day(3)
    league.result(2, WIN)
    assert [one.fixture.number for one in played(league.events[told:], before)] == [2]
    league.do(c.SetResult(2, (Mark.ANNULLED, Mark.ANNULLED), "arranged"))
    (one,) = played(league.events[told:], before)
    assert one.rated(seats(one)) is None


def test_seasons_are_told_apart() -> None:
    league = opened()
    assert list(seasons(league.events[:1])) == []
    before, told = league.state, len(league.events)
    league.play(Random(1), (WIN, DRAW))  # noqa: S311  # a test that runs the same each time
    league.do(c.AnnounceSeason(), c.DropSeason("too few"), c.AnnounceSeason(), c.StartSeason())
    league.open_games()
    assert [season.number for _, season in seasons(league.events)] == [1, 3]
    assert [(state.seasons, season.number) for state, season in seasons(league.events[told:], before)] == [(1, 1), (3, 3)]
    found = {(one.season.number, one.fixture.number): one.rated(seats(one)) for one in played(league.events)}
    assert {season for season, _ in found} == {1, 3}
    assert all((result is not None) == (season == 1) for (season, _), result in found.items())
    assert counted(league).keys() == {GameId(number) for number in range(1, 7)}


def test_a_dropped_season_has_nothing() -> None:
    league = League(Settings())
    league.do(c.AnnounceSeason(), c.DropSeason("nobody"))
    assert list(seasons(league.events)) == []
