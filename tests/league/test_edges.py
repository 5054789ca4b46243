"""A season goes on, or ends properly, when somebody or everybody is not there."""

from collections.abc import Mapping
from itertools import combinations
from random import Random

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, OPENED, League, day
from tests.shortened import shortened
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league.entering import waiting
from turnserver.league.events import EntryWithdrawn, PlayerSubstituted, PlayerWithdrawn
from turnserver.league.pairing import openable
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import FIXED, Format, Pace, Settings, TierSize
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)
FIVE = (*FOUR, EVE)
STRANGER, OTHER = PlayerId(98), PlayerId(99)
ALL_PAIRS = [c.BarPair(pair) for pair in combinations(FIVE, 2)]
FORMATS: Mapping[str, Settings] = {
    "round robin": Settings(),
    "round by round": Settings(pace=Pace.ROUND_BY_ROUND),
    "double": Settings(format=Format.DOUBLE_ROUND_ROBIN, round_every=7),
    "swiss": Settings(format=Format.SWISS),
    "mcmahon": Settings(format=Format.MCMAHON, bounds=(1500,)),
    "knockout": Settings(format=Format.KNOCKOUT),
    "double knockout": Settings(format=Format.DOUBLE_KNOCKOUT),
}
each_format = pytest.mark.parametrize("settings", FORMATS.values(), ids=FORMATS)


def begun(settings: Settings | None = None, players: tuple[PlayerId, ...] = FOUR) -> League:
    league = League(settings or Settings())
    league.begin(players, [2000 - player for player in players])
    return league


def finish(league: League) -> None:
    """Draw what is open, or let the lower number win where that is not enough, until the season is over."""
    for _ in range(60):
        league.now = day(7 * (league.now - day(0)).days // 7 + 7)
        for fixture in league.season.fixtures:
            if not fixture.marks:
                league.result(fixture.number, Mark.WIN if fixture.players[0] == min(fixture.players) else Mark.LOSS)
        league.refusal(c.CheckLeague())
        if league.season.phase is Phase.CLOSED:
            return
    raise AssertionError("the season does not end")


@each_format
def test_a_season_that_everybody_leaves_comes_to_its_end(settings: Settings) -> None:
    league = begun(settings, FIVE)
    league.do(*map(c.Withdraw, FIVE))
    finish(league)
    [table] = league.state.last
    assert len(table.lines) == (1 if settings.format in FIXED else 5)  # the last one has left nobody behind whom they could have met
    assert all(line.left for line in table.lines)
    league.begin(FOUR)
    assert len(league.season.divisions[0].players) == 4


@each_format
def test_a_season_in_which_nobody_may_meet_comes_to_its_end(settings: Settings) -> None:
    league = League(settings)
    league.do(*ALL_PAIRS)
    league.begin(FIVE, [2000 - player for player in FIVE])
    if league.season.phase is not Phase.CLOSED:
        finish(league)
    assert [line.player for line in league.state.last[0].lines if not line.left] != []
    assert all(Mark.WIN not in fixture.marks for fixture in league.season.fixtures)


@each_format
def test_somebody_alone_in_a_division_waits_for_the_others(settings: Settings) -> None:
    tiers = (TierSize(size=2), TierSize(size=2), TierSize(size=2))
    league = begun(Settings(**{name: getattr(settings, name) for name in ("format", "pace", "bounds", "round_every")}, tiers=tiers), FIVE)
    assert [len(division.players) for division in league.season.divisions] == [2, 2, 1]
    finish(league)
    assert [len(table.lines) for table in league.state.last] == [2, 2, 1]


def test_divisions_do_not_wait_for_each_other() -> None:
    league = begun(Settings(format=Format.SWISS, rounds=2, tiers=(TierSize(size=4), TierSize(size=2))), (*FIVE, STRANGER))
    [small] = [fixture for fixture in league.season.fixtures if fixture.division == "2"]
    league.result(small.number, Mark.DRAW)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    assert league.season.phase is Phase.RUNNING
    for fixture in league.season.fixtures:
        if fixture.division == "1":
            league.result(fixture.number, Mark.DRAW)
    league.do(c.CheckLeague())
    assert league.season.paired == {"1": 2, "2": 1}
    finish(league)


def test_what_does_not_take_place_is_missing_in_the_table_of_a_round_robin() -> None:
    league = League(Settings(pace=Pace.ROUND_BY_ROUND))
    league.do(c.BarPair((ADA, BOB)))
    league.begin(FIVE)
    finish(league)
    games = [fixture for fixture in league.season.fixtures if len(fixture.players) == 2]
    assert len(games) == 9
    points = {line.player: line.points for line in league.state.last[0].lines}
    assert points == {ADA: "3", BOB: "3", CLEO: "2", DAN: "1", EVE: "0"}


def test_half_is_of_the_games_that_take_place() -> None:
    """Of four games, one and a half is not half, two are; of three, one and a half is."""
    for barred, number, struck in ((False, 1, True), (False, 2, False), (True, 1, True), (True, 2, False)):
        league = League(Settings())
        if barred:
            league.do(c.BarPair((ADA, EVE)))
        league.begin(FIVE)
        for fixture in [one for one in league.season.fixtures if ADA in one.players and EVE not in one.players and len(one.players) == 2][
            :number
        ]:
            league.result(fixture.number, Mark.DRAW)
        assert league.do(c.Withdraw(ADA))[0] == PlayerWithdrawn(player=ADA, struck=struck, at=OPENED)


@pytest.mark.parametrize(("bars", "struck"), [((CLEO, DAN), True), ((ADA, BOB), True)])
def test_a_pair_that_is_barred_while_its_game_is_played_still_has_that_game(bars: tuple[PlayerId, PlayerId], *, struck: bool) -> None:
    """Three games are Ada's, all begun: with one of them over she has not played half, even if she should not have another."""
    league = begun()
    fixture = next(one for one in league.season.fixtures if set(one.players) == {ADA, CLEO})
    league.result(fixture.number, Mark.DRAW)
    league.do(c.BarPair(bars))
    assert league.do(c.Withdraw(ADA))[0] == PlayerWithdrawn(player=ADA, struck=struck, at=OPENED)


def test_it_is_who_plays_that_is_not_to_meet_somebody() -> None:
    league = League(Settings(pace=Pace.ROUND_BY_ROUND))
    league.do(c.BarPair((ADA, BOB)), c.BarPair((STRANGER, CLEO)))
    league.begin(FOUR)
    league.do(c.SubstitutePlayer(ADA, STRANGER, Burden.SEAT, "ill"))
    first = {frozenset(fixture.players) for fixture in league.season.fixtures}
    finish(league)
    met = {frozenset(fixture.players) for fixture in league.season.fixtures} - first
    expected = {frozenset(pair) for pair in combinations(FOUR, 2)} - first - {frozenset((ADA, CLEO))}
    if frozenset((ADA, BOB)) not in first:
        assert frozenset((ADA, BOB)) in expected
    assert met == expected


def waiting_list(settings: Settings | None = None) -> League:
    league = League(settings or Settings(most=3))
    league.do(c.AnnounceSeason(), *(c.Enter(player, 1500) for player in (*FIVE, STRANGER)), c.StartSeason())
    return league


def test_the_waiting_list_is_kept_while_the_season_runs() -> None:
    league = waiting_list()
    assert waiting(league.state, league.season) == (DAN, EVE, STRANGER)
    assert league.do(c.Withdraw(EVE)) == [EntryWithdrawn(player=EVE)]
    assert league.do(c.SubstitutePlayer(BOB, None, Burden.SUBSTITUTE, "ill")) == [
        PlayerSubstituted(player=BOB, substitute=DAN, rating=Burden.SUBSTITUTE, reason="ill")
    ]
    assert waiting(league.state, league.season) == (STRANGER,)
    league.do(c.SubstitutePlayer(DAN, STRANGER, Burden.SEAT, "ill as well"))
    assert waiting(league.state, league.season) == ()
    assert league.refusal(c.SubstitutePlayer(CLEO, None, Burden.SEAT, "ill")) == "nobody_waits"
    assert league.refusal(c.Withdraw(DAN)) == "not_in_season"


def test_nobody_waits_who_was_not_there_at_the_start() -> None:
    league = waiting_list(Settings(most=3, ready_hours=24))
    league.do(*(c.Confirm(player) for player in (ADA, BOB, DAN, STRANGER)), c.StartSeason())
    assert sorted(league.season.divisions[0].players) == [ADA, BOB, DAN]
    assert waiting(league.state, league.season) == (STRANGER,)


def test_a_player_may_come_back_into_their_place_and_nobody_into_anothers() -> None:
    league = begun()
    league.do(c.SubstitutePlayer(ADA, STRANGER, Burden.SEAT, "ill"), c.SubstitutePlayer(STRANGER, OTHER, Burden.SEAT, "ill as well"))
    assert league.refusal(c.SubstitutePlayer(BOB, STRANGER, Burden.SEAT, "typo")) == "plays_already"
    assert league.refusal(c.SubstitutePlayer(BOB, ADA, Burden.SEAT, "typo")) == "plays_already"
    assert league.refusal(c.SubstitutePlayer(BOB, BOB, Burden.SEAT, "typo")) == "plays_already"
    league.do(c.SubstitutePlayer(OTHER, ADA, Burden.SEAT, "well again"))
    assert (league.season.plays_as(ADA), league.season.who(ADA), league.season.plays_as(OTHER)) == (ADA, ADA, None)
    assert league.do(c.Withdraw(ADA))[0] == PlayerWithdrawn(player=ADA, struck=True, at=OPENED)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", shortened(range(8), first=2))
@pytest.mark.parametrize("name", ["round robin", "double", "swiss", "mcmahon"])
def test_moving_first_is_shared_over_the_season(name: str, seed: int) -> None:
    """In a line, whoever plays it: equal in a double round robin, one apart in a single one, two in a Swiss event."""
    settings, random = FORMATS[name], Random(seed)  # noqa: S311  # repeatable seasons, not secrets
    players = tuple(map(PlayerId, range(1, 8 + seed % 2)))
    league = begun(settings, players)
    league.do(c.SubstitutePlayer(players[0], STRANGER, Burden.SEAT, "ill"))
    while league.season.phase is Phase.RUNNING:
        if not [fixture for fixture in league.season.fixtures if not fixture.marks]:
            league.now += day(7) - day(0)
        league.play_some(random)
    games = [fixture.players for fixture in league.season.fixtures if len(fixture.players) == 2]
    apart = {player: sum((game[0] == player) - (game[1] == player) for game in games if player in game) for player in players}
    most = {"round robin": 1, "double": 0}.get(name, 2)
    assert all(abs(found) <= most for found in apart.values())


@for_each("seed", range(4))
@for_each("limit", [1, 2, 3])
def test_nobody_ever_has_more_games_than_are_agreed(limit: int, seed: int) -> None:
    random = Random(seed)  # noqa: S311  # repeatable seasons, not secrets
    players = tuple(map(PlayerId, range(1, 8)))
    league = begun(Settings(format=Format.DOUBLE_ROUND_ROBIN, at_once=limit), players)
    league.do(c.SubstitutePlayer(players[0], STRANGER, Burden.SEAT, "ill"))
    while league.season.phase is Phase.RUNNING:
        league.open_games()
        playing = [fixture.players for fixture in league.season.fixtures if fixture.game is not None and not fixture.marks]
        count = {player: sum(player in game for game in playing) for player in players}
        assert max(count.values(), default=0) <= limit
        assert openable(league.state, league.season) == ()
        league.play_some(random)
