"""Players who move between divisions of a season that runs, and divisions that are split and merged."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day, of, win
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.explanations import explain
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Settings, TierSize
from turnserver.league.state import Phase

FAY, GUS, HAL = map(PlayerId, (16, 17, 18))
EIGHT = (ADA, BOB, CLEO, DAN, EVE, FAY, GUS, HAL)
ROBIN = Settings(round_days=10, tiers=(TierSize(size=4), TierSize(size=4)))
SWISS = Settings(format=Format.SWISS, rounds=3, round_days=10, tiers=(TierSize(size=4), TierSize(size=4)))
ONE = Settings(format=Format.SWISS, rounds=3, round_days=10)


def begun(settings: Settings = ROBIN) -> League:
    """The upper division has Ada, Bob, Cleo and Dan, the lower one the others."""
    league = League(settings)
    league.begin(EIGHT, [2000 - 10 * at for at in range(8)])
    league.open_games()
    return league


def points(league: League) -> dict[str, dict[PlayerId, Fraction]]:
    return {
        division.name: {line.player: line.figures[0].value for line in division_table(league.state, league.season, division).standings}
        for division in league.season.divisions
    }


def met(league: League, name: str) -> list[frozenset[PlayerId]]:
    division = next(one for one in league.season.divisions if one.name == name)
    return [frozenset(one.players) for one in league.season.of(division)]


def everybody(*players: PlayerId) -> set[frozenset[PlayerId]]:
    return {frozenset((one, other)) for one in players for other in players if one < other}


def test_where_all_meet_a_player_who_moves_meets_the_others_there() -> None:
    league = begun()
    win(league, DAN, ADA)
    win(league, EVE, FAY)
    league.now = day(2)
    divided, *added = league.do(c.Divide({DAN: "2"}, "too weak"))
    assert isinstance(divided, e.SeasonDivided)
    assert [one.players for one in divided.divisions] == [(ADA, BOB, CLEO), (EVE, FAY, GUS, HAL, DAN)] or DAN in divided.divisions[
        1
    ].players
    assert [type(event) for event in added] == [e.MeetingsAdded]
    assert league.refusal(c.SetResult(of(league, DAN, ADA).number, (Mark.DRAW, Mark.DRAW), "")) == "not_found"
    # the game that Dan has won is in no table, and neither is Ada's loss; the others stay
    assert points(league) == {
        "1": dict.fromkeys((ADA, BOB, CLEO), Fraction(0)),
        "2": dict.fromkeys((FAY, GUS, HAL, DAN), Fraction(0)) | {EVE: Fraction(1)},
    }
    assert set(met(league, "1")) == everybody(ADA, BOB, CLEO)
    assert set(met(league, "2")) == everybody(DAN, EVE, FAY, GUS, HAL)
    assert len(met(league, "2")) == 10


def test_a_division_that_everybody_has_left_stays_as_it_is() -> None:
    league = League(Settings(round_days=10, tiers=(TierSize(size=3),) * 3))
    players = (*EIGHT, PlayerId(19))
    league.begin(players, [2000 - 10 * at for at in range(9)])
    league.do(*map(c.Withdraw, players[6:]))
    divided, *_ = league.do(c.Divide({CLEO: "2"}, "too weak"))
    assert isinstance(divided, e.SeasonDivided)
    assert [set(one.players) for one in divided.divisions] == [{ADA, BOB}, {CLEO, DAN, EVE, FAY}, set(players[6:])]


def test_an_explanation_names_games_that_are_out_of_the_table() -> None:
    league = begun()
    win(league, DAN, ADA)
    league.do(c.Divide({DAN: "2"}, "too weak"))
    [division, _] = league.season.divisions
    told = explain(league.state, league.season, division, ADA, {player: f"P{player}" for player in EIGHT})
    out = told[-1]
    assert out.heading == "Games that are out of this table"
    [game] = out.summands
    assert game.endswith(" against P14, now in division 2.")
    assert all(each.heading != out.heading for each in explain(league.state, league.season, division, BOB, dict.fromkeys(EIGHT, "")))


def test_what_is_undone_counts_again() -> None:
    league = begun()
    win(league, DAN, ADA)
    before = points(league)
    league.do(c.Divide({DAN: "2"}, "too weak"), c.Divide({DAN: "1"}, "by mistake"))
    assert points(league) == before
    # games that had ended by it are played again, the one that was over is not
    assert sorted(map(sorted, met(league, "1"))) == sorted(map(sorted, everybody(ADA, BOB, CLEO, DAN)))
    assert of(league, DAN, ADA).marks


def test_in_a_swiss_event_both_keep_the_points_of_games_that_fall_away() -> None:
    league = begun(SWISS)
    first = [one for one in league.season.fixtures if ADA in one.players or DAN in one.players]
    for one in league.season.fixtures:
        league.result(one.number, Mark.WIN)
    before = {player: score for each in points(league).values() for player, score in each.items()}
    moved = first[0].players[0]
    league.do(c.Divide({moved: "2"}, ""))
    assert {player: score for each in points(league).values() for player, score in each.items()} == before
    told = explain(league.state, league.season, league.season.divisions[1], moved, {player: f"P{player}" for player in EIGHT})
    assert told[1].summands == ("Round 1: 1 (kept from another division).",)
    league.do(c.CheckLeague())
    assert {one.round for one in league.season.fixtures if moved in one.players and not one.void} == {1, 2}
    league.do(c.Divide({moved: "1"}, "by mistake"))
    assert of(league, *first[0].players).number
    assert not league.season.fixtures[first[0].number - 1].void


def test_in_a_swiss_event_a_game_that_ends_by_it_is_a_bye() -> None:
    league = begun(SWISS)
    one = league.season.fixtures[0]
    league.do(c.Divide({one.players[0]: "2"}, ""))
    assert [points(league)[name][player] for name, player in zip(("2", "1"), one.players, strict=True)] == [1, 1]


def test_a_division_is_split_and_merged_again() -> None:
    league = begun(ONE)
    for one in league.season.fixtures:
        league.result(one.number, Mark.DRAW)
    stay = {player for one in league.season.fixtures[:2] for player in one.players}
    divided, *byes = league.do(c.Divide(dict.fromkeys((player for player in EIGHT if player not in stay), "1.2"), "too many"))
    assert isinstance(divided, e.SeasonDivided)
    assert [one.name for one in divided.divisions] == ["1", "1.2"]
    assert byes == []
    league.do(c.Divide(dict.fromkeys((player for player in EIGHT if player not in stay), "1"), "too few"))
    assert [(one.name, frozenset(one.players)) for one in league.season.divisions] == [("1", frozenset(EIGHT))]
    league.do(c.CheckLeague())
    assert league.season.paired == {"1": 2}


def test_whoever_has_left_goes_along_with_a_division_that_is_merged() -> None:
    league = begun()
    for other in (FAY, GUS):
        win(league, HAL, other)
    league.do(c.Withdraw(HAL))
    league.do(c.Divide(dict.fromkeys((EVE, FAY, GUS), "1"), "too few"))
    [division] = league.season.divisions
    assert set(division.players) == set(EIGHT)
    # those who have not met somebody who has left win by forfeit
    assert of(league, HAL, ADA).marks in ((Mark.FORFEIT, Mark.WIN_BY_FORFEIT), (Mark.WIN_BY_FORFEIT, Mark.FORFEIT))


def test_the_season_ends_with_its_new_divisions() -> None:
    league = begun()
    league.do(c.Divide({DAN: "2"}, ""))
    while league.season.phase is Phase.RUNNING:
        league.open_games()
        for one in league.season.fixtures:
            if not one.marks:
                league.result(one.number, Mark.WIN)
        league.do(c.CheckLeague())
    assert [len(table.lines) for table in league.state.last] == [3, 5]
    league.do(c.AnnounceSeason(), c.StartSeason())


def cup() -> League:
    return begun(Settings(format=Format.KNOCKOUT))


def later_round() -> League:
    league = begun(SWISS)
    for one in league.season.of(league.season.divisions[0]):
        league.result(one.number, Mark.WIN)
    league.do(c.CheckLeague())
    return league


def test_tables_say_where_a_split_moves_nobody_at_the_end() -> None:
    says = "Nobody goes up or down at the end: divisions are made anew for the next season."
    for settings, told in ((ONE, True), (ROBIN, False)):
        league = begun(settings)
        assert not [each for each in league.season.divisions if says in crosstable(league.state, league.season, each, {}).notes]
        league.do(c.Divide({ADA: "1.2", BOB: "1.2"}, "so many"))
        assert all((says in crosstable(league.state, league.season, each, {}).notes) is told for each in league.season.divisions)


REFUSED: Mapping[str, tuple[Callable[[], League], c.Divide, str]] = {
    "in a cup": (cup, c.Divide({ADA: "2"}, ""), "no_divisions"),
    "of somebody else": (begun, c.Divide({PlayerId(99): "2"}, ""), "not_in_season"),
    "to where they are": (begun, c.Divide({ADA: "1"}, ""), "as_it_is"),
    "to a tier that there is not": (begun, c.Divide({ADA: "3"}, ""), "not_found"),
    "to what is no division": (begun, c.Divide({ADA: "one"}, ""), "not_found"),
    "alone": (begun, c.Divide({ADA: "1.2"}, ""), "too_few"),
    "from all but one": (begun, c.Divide(dict.fromkeys((ADA, BOB, CLEO), "2"), ""), "too_few"),
    "in another round": (later_round, c.Divide({ADA: "2"}, ""), "other_round"),
}


@for_each("name", REFUSED)
def test_refuses_divisions_that_cannot_be(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before
