"""Seasons at tables of three and four: who sits where, what places come to, and what becomes of a table when somebody leaves."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Final

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, OPENED, League, day
from tests.shortened import shortened
from turnserver.errors import BadOption
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.formats.multiseat import MOST, next_tables, table_schedule
from turnserver.league.formats.seating import teams_of
from turnserver.league.presentation.explanations import explain
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.ratings import OpenSkill, ratings
from turnserver.league.scoring.record import Encounter
from turnserver.league.scoring.results import result_of
from turnserver.league.scoring.standings import division_table
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Pace, Settings, TierSize, WhenUnfinished, scoring
from turnserver.league.state import Fixture, Phase

NO_OPTIONS: Final[Mapping[str, str | int | bool]] = MappingProxyType({})
FOUR = (ADA, BOB, CLEO, DAN)
STEPWISE = Settings(format=Format.TABLES, pace=Pace.ROUND_BY_ROUND, rounds=3, round_days=10)
W, L, D, T = Mark.WIN, Mark.LOSS, Mark.DRAW, Mark.TIMEOUT
WBF, FF = Mark.WIN_BY_FORFEIT, Mark.FORFEIT
PAIRS = (frozenset({1, 3}), frozenset({2, 4}))


def numbers(size: int) -> tuple[PlayerId, ...]:
    return tuple(map(PlayerId, range(1, size + 1)))


def begun(
    settings: Settings = STEPWISE,
    players: tuple[PlayerId, ...] = FOUR,
    game: str = "sneaky-octopuses",
    options: Mapping[str, str | int | bool] = NO_OPTIONS,
) -> League:
    league = League(settings, game=game, options=options)
    league.begin(players)
    league.open_games()
    return league


def teams() -> League:
    return begun(game="tako-judo", options={"variant": "teams"})


def decided() -> League:
    league = begun()
    league.placed(1, 1, 2, 3, 4)
    return league


def points(league: League) -> dict[PlayerId, Fraction]:
    table = division_table(league.state, league.season, league.season.divisions[0])
    return {line.player: line.figures[0].value for line in table.standings}


def at_tables(league: League) -> list[Fixture]:
    return [fixture for fixture in league.season.fixtures if len(fixture.players) > 1]


def play_round(league: League) -> None:
    """Everybody has the place of their seat, and the next round is paired."""
    for fixture in league.season.fixtures:
        if not fixture.marks:
            league.placed(fixture.number, *range(1, len(fixture.players) + 1))
    league.do(c.CheckLeague())
    if league.season.phase is Phase.RUNNING:
        league.open_games()


def test_places_are_worth_points() -> None:
    league = begun()
    first, *_ = league.season.fixtures
    league.placed(1, 2, 1, 2, 4)
    assert points(league) == dict(zip(first.players, (Fraction(3, 2), Fraction(3), Fraction(3, 2), Fraction(0)), strict=True))


def test_points_for_places_are_a_setting() -> None:
    league = begun(
        Settings(format=Format.TABLES, rounds=1, places=("10", "5", "2.5"), points={Mark.BYE: "4"}), (*FOUR, EVE), options={"players": 3}
    )
    game, *byes = league.season.fixtures
    league.placed(game.number, 1, 2, 3)
    assert [fixture.marks for fixture in byes] == [(Mark.BYE,), (Mark.BYE,)]
    expected = dict(zip(game.players, (Fraction(10), Fraction(5), Fraction(5, 2)), strict=True))
    assert points(league) == expected | {fixture.players[0]: Fraction(4) for fixture in byes}


def test_a_bye_is_usually_worth_an_average_place() -> None:
    league = begun(STEPWISE, (*FOUR, EVE))
    assert sum(points(league).values()) == Fraction(3, 2)


def test_first_places_part_whom_points_do_not() -> None:
    league = begun(Settings(format=Format.TABLES, rounds=2, places=("2", "1", "1", "0")))
    one, other = league.season.fixtures
    for fixture, order in ((one, (ADA, BOB, CLEO, DAN)), (other, (CLEO, BOB, ADA, DAN))):
        league.placed(fixture.number, *(order.index(player) + 1 for player in fixture.players))
    lots, closed = league.do(c.CheckLeague())
    assert isinstance(lots, e.LotsDrawn)
    assert isinstance(closed, e.SeasonClosed)
    assert [(line.points, line.player) for line in closed.tables[0].lines[2:]] == [("2", BOB), ("0", DAN)]
    assert {line.player for line in closed.tables[0].lines[:2]} == {ADA, CLEO}


REFUSED: list[tuple[Callable[[], League], object, str]] = [
    (begun, c.CarryResult(1, (W, L), OPENED), "bad_result"),
    (begun, c.CarryResult(1, (W, L, L, L), OPENED), "bad_result"),
    (begun, c.CarryResult(1, (W, L, L, L), OPENED, (1, 2, 3, 3)), "nothing"),
    (begun, c.CarryResult(1, (W, L, L, L), OPENED, (1, 2, 3, 5)), "bad_result"),
    (begun, c.SetResult(1, (L, W, L, L), "typo", (1, 2, 3, 4)), "bad_result"),
    (teams, c.SetResult(1, (W, L, L, L), "typo", (1, 2, 3, 4)), "bad_result"),
    (teams, c.SetResult(1, (W, L, W, L), "right", (1, 3, 1, 3)), "nothing"),
    (decided, c.SetResult(1, (W, L, L, L), "typo", (1, 2, 3, 4)), "same_result"),
    (decided, c.SetResult(1, (W, L, L, L), "right", (1, 2, 4, 3)), "nothing"),
    (decided, c.CarryResult(1, (W, L, L, L), OPENED, (1, 2, 3, 4)), "decided"),
    (lambda: begun(players=(*FOUR, EVE)), c.SetResult(2, (W,), "typo", (1,)), "bad_result"),
]


@for_each(("given", "command", "code"), REFUSED)
def test_results_that_are_none(given: Callable[[], League], command: object, code: str) -> None:
    assert given().refusal(command) == code  # type: ignore[arg-type]  # every one of them is a command


def test_results_are_noted_corrected_and_reopened() -> None:
    league = begun()
    assert league.do(c.CarryResult(1, (L, W, T, L), day(2), (2, 1, 4, 2))) == [
        e.ResultRecorded(meeting=1, marks=(L, W, T, L), places=(2, 1, 4, 2), at=day(2), by=e.DecidedBy.GAME)
    ]
    assert league.do(c.SetResult(1, (W, L, L, L), "misread", (1, 2, 3, 4))) == [
        e.ResultCorrected(meeting=1, marks=(W, L, L, L), places=(1, 2, 3, 4), reason="misread")
    ]
    assert league.season.fixtures[0].places == (1, 2, 3, 4)
    league = begun()
    league.placed(1, 1, 2, 3, 4)
    assert league.do(c.ReopenResult(1)) == [e.ResultReopened(meeting=1)]
    assert (league.season.fixtures[0].marks, league.season.fixtures[0].places) == ((), ())


def test_a_correction_after_the_end_corrects_the_table() -> None:
    league = begun(Settings(format=Format.TABLES, rounds=1))
    league.placed(1, 1, 2, 3, 4)
    league.do(c.CheckLeague())
    order = league.season.fixtures[0].players
    _, corrected = league.do(c.SetResult(1, (L, L, L, W), "misread", (4, 3, 2, 1)))
    assert isinstance(corrected, e.TablesCorrected)
    assert [line.player for line in corrected.tables[0].lines] == list(reversed(order))


def test_a_season_can_be_closed_early() -> None:
    league = begun()
    recorded, *_ = league.do(c.CloseSeason("spring"))
    assert isinstance(recorded, e.ResultRecorded)
    assert (recorded.marks, recorded.places) == ((Mark.NO_RESULT,) * 4, ())


@pytest.mark.thorough
@for_each(
    ("policy", "left", "marks", "places"),
    [
        (WhenUnfinished.NO_RESULT, (), (Mark.NO_RESULT,) * 4, ()),
        (WhenUnfinished.DRAW, (), (D, D, D, D), (1, 1, 1, 1)),
        (WhenUnfinished.DRAW, (3,), (D, D, D, L), (1, 1, 1, 4)),
        (WhenUnfinished.FORFEIT, (), (WBF, FF, WBF, WBF), (1, 4, 1, 1)),
        (WhenUnfinished.FORFEIT, (0, 3), (FF, FF, WBF, FF), (2, 2, 1, 2)),
    ],
)
def test_what_is_not_over_in_time(policy: WhenUnfinished, left: tuple[int, ...], marks: tuple[Mark, ...], places: tuple[int, ...]) -> None:
    settings = Settings(format=Format.TABLES, pace=Pace.ROUND_BY_ROUND, rounds=2, round_days=10, when_unfinished=policy)
    league = begun(settings, numbers(8))
    league.do(c.CarryResult(2, (W, L, L, L), OPENED, (1, 2, 2, 2)))
    players = league.season.fixtures[0].players
    league.now = day(10)
    command = c.CheckLeague(turns={GameId(1): players[1]}, left={GameId(1): frozenset(players[at] for at in left)})
    assert league.do(command)[0] == e.ResultRecorded(meeting=1, marks=marks, places=places, at=day(10), by=e.DecidedBy.DEADLINE)


def test_a_side_forfeits_together() -> None:
    settings = Settings(format=Format.TABLES, pace=Pace.ROUND_BY_ROUND, round_days=10, when_unfinished=WhenUnfinished.FORFEIT)
    league = begun(settings, game="tako-judo", options={"variant": "teams"})
    north, east, *_ = league.season.fixtures[0].players
    league.do(c.Withdraw(north))
    league.now = day(10)
    [recorded, *_] = league.do(c.CheckLeague(turns={GameId(1): east}))
    assert isinstance(recorded, e.ResultRecorded)
    assert (recorded.marks, recorded.places) == ((WBF, FF, WBF, L), (1, 3, 1, 3))


def test_who_has_withdrawn_is_not_there_at_the_deadline() -> None:
    league = begun(
        Settings(format=Format.TABLES, pace=Pace.ROUND_BY_ROUND, round_days=10, when_unfinished=WhenUnfinished.DRAW), (*FOUR, EVE)
    )
    fixture = at_tables(league)[0]
    league.do(c.Withdraw(fixture.players[2]))
    league.now = day(10)
    recorded = league.do(c.CheckLeague())[0]
    assert isinstance(recorded, e.ResultRecorded)
    assert recorded.places == (1, 1, 4, 1)


def test_a_game_that_has_begun_goes_on_without_whoever_leaves() -> None:
    league = begun()
    ada = league.season.fixtures[0].players.index(ADA)
    assert league.do(c.Withdraw(ADA)) == [e.PlayerWithdrawn(player=ADA, struck=False, at=OPENED)]
    places = [1, 2, 3]
    places.insert(ada, 4)
    league.placed(1, *places)
    assert points(league)[ADA] == 0
    [closed] = league.do(c.CheckLeague())
    assert isinstance(closed, e.SeasonClosed)
    assert [line.left for line in closed.tables[0].lines] == [False, False, False, True]


def test_a_table_that_has_not_begun_is_forfeited_by_whoever_leaves() -> None:
    league = League(Settings(format=Format.TABLES, rounds=2), game="sneaky-octopuses")
    league.begin(FOUR)
    league.do(c.AttachGame(1, GameId(1)))
    players = league.season.fixtures[1].players
    marks = tuple(FF if player == BOB else WBF for player in players)
    places = tuple(4 if player == BOB else 1 for player in players)
    assert league.do(c.Withdraw(BOB)) == [
        e.PlayerWithdrawn(player=BOB, struck=False, at=OPENED),
        e.ResultRecorded(meeting=2, marks=marks, places=places, at=OPENED, by=e.DecidedBy.WITHDRAWAL),
    ]
    assert points(league) == {player: Fraction(0 if player == BOB else 2) for player in FOUR}


@pytest.mark.thorough
def test_tables_are_laid_anew_for_those_who_are_left() -> None:
    league = begun(Settings(format=Format.TABLES, pace=Pace.ROUND_BY_ROUND, rounds=5), numbers(12))
    play_round(league)
    league.do(*(c.Withdraw(fixture.players[0]) for fixture in at_tables(league)[:3]), c.Withdraw(at_tables(league)[0].players[1]))
    while league.season.paired["1"] < 5:
        play_round(league)
    later = [fixture for fixture in league.season.fixtures if fixture.round > 2]
    assert [len(fixture.players) for fixture in later] == [4, 4] * 3
    assert not any(set(league.season.withdrawn).intersection(fixture.players) for fixture in later)


def test_a_division_ends_when_a_table_cannot_be_filled() -> None:
    league = begun(players=(*FOUR, EVE))
    league.do(c.Withdraw(ADA), c.Withdraw(BOB))
    play_round(league)
    assert league.season.phase is Phase.CLOSED
    assert {fixture.round for fixture in league.season.fixtures} == {1}


def test_who_are_too_few_for_a_table_have_no_rounds() -> None:
    league = begun(Settings(format=Format.TABLES, tiers=(TierSize(size=4), TierSize(size=4))), numbers(6))
    assert [len(division.players) for division in league.season.divisions] == [4, 2]
    assert {fixture.division for fixture in league.season.fixtures} == {"1"}


def test_more_than_a_division_can_take_are_in_several() -> None:
    league = League(Settings(format=Format.TABLES, rounds=1), game="sneaky-octopuses")
    league.begin(numbers(MOST + 1))
    assert [(division.name, len(division.players)) for division in league.season.divisions] == [("1.1", 17), ("1.2", 16)]


def test_no_second_division_before_each_has_a_table() -> None:
    league = League(Settings(format=Format.TABLES, rounds=1, tiers=(TierSize(size=4),)), game="sneaky-octopuses")
    league.begin(numbers(7))
    assert [len(division.players) for division in league.season.divisions] == [7]


def test_an_admin_may_put_more_into_a_division_than_are_evened_beforehand() -> None:
    there = numbers(MOST + 4)
    found = next_tables(1, there, (), 4)
    assert sorted(player for one in found for player in one.players) == list(there)
    assert {len(one.players) for one in found} == {4}


@pytest.mark.thorough
@pytest.mark.parametrize("pace", shortened(Pace))
def test_who_are_barred_sit_at_no_table(pace: Pace) -> None:
    league = League(Settings(format=Format.TABLES, pace=pace, rounds=4), game="sneaky-octopuses")
    barred = [(PlayerId(1), PlayerId(2)), (PlayerId(3), PlayerId(4)), (PlayerId(1), PlayerId(4))]
    league.do(*map(c.BarPair, barred))
    league.begin(numbers(9))
    league.play(Random(2))  # noqa: S311  # repeatable seasons, not secrets
    assert [len(fixture.players) for fixture in at_tables(league)] == [4] * 8
    assert not any(set(both) <= set(fixture.players) for both in barred for fixture in league.season.fixtures)


@pytest.mark.parametrize(("rules", "meet"), [(1, True), (2, True), (3, False)])
def test_who_are_barred_sit_at_no_table_as_substitutes(rules: int, *, meet: bool) -> None:
    """By earlier rules, a substitute sat where the player would have sat."""
    league = League(replace(STEPWISE, rounds=4, rules=rules), game="sneaky-octopuses")
    league.begin(numbers(9))
    league.do(c.SubstitutePlayer(PlayerId(1), EVE, Burden.SEAT, "ill"), c.BarPair((EVE, PlayerId(2))), c.BarPair((EVE, PlayerId(3))))
    league.play(Random(2))  # noqa: S311  # repeatable seasons, not secrets
    others = [set(fixture.players) for fixture in league.season.fixtures if fixture.round > 1 and PlayerId(1) in fixture.players]
    assert any({PlayerId(2), PlayerId(3)} & one for one in others) is meet


def test_a_table_that_cannot_be_had_without_the_barred_is_not_played() -> None:
    league = League(STEPWISE, game="sneaky-octopuses")
    league.do(c.BarPair((ADA, DAN)))
    league.begin(FOUR)
    assert {fixture.marks for fixture in league.season.fixtures} == {(Mark.BYE,)}
    assert len(league.season.fixtures) == 12


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "seats", "rounds", "even"), [(9, 3, 6, 2), (10, 4, 8, 4), (16, 4, 5, 3), (13, 3, 7, 2), (23, 4, 6, 3)])
def test_later_rounds_are_even_too(size: int, seats: int, rounds: int, even: int) -> None:
    """Somebody leaves after every other round. Whoever is there at the end has had as many byes as the others, and no seat too often."""
    players, before = list(numbers(size)), list[Encounter]()
    random = Random(size)  # noqa: S311  # repeatable, not secret
    for number in range(1, rounds + 1):
        found = next_tables(number, players, before, seats)
        assert sorted(player for one in found for player in one.players) == players
        assert [len(one.players) for one in found] == [seats] * (len(players) // seats) + [1] * (len(players) % seats)
        before += found
        if number % 2 and len(players) > seats + 1:
            players.remove(random.choice(players))
    byes = Counter({player: sum(one.players == (player,) for one in before) for player in players})
    assert max(byes.values()) - min(byes.values()) <= 1
    tables = [one.players for one in before if len(one.players) > 1]
    for player in players:
        had = Counter(table.index(player) for table in tables if player in table)
        assert max(had.values()) - min(had[seat] for seat in range(seats)) <= 2
    met = [sum({*both} <= {*table} for table in tables) for both in combinations(players, 2)]
    assert max(met) - min(met) <= even


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "rounds", "most"),
    [(4, 3, 1), (4, 6, 2), (5, 3, 1), (8, 7, 2), (12, 5, 2), pytest.param(9, 9, 3, marks=pytest.mark.long)],
)
def test_everybody_has_other_partners(size: int, rounds: int, most: int) -> None:
    found = table_schedule(numbers(size), rounds, 4, PAIRS)
    alone = table_schedule(numbers(size), rounds, 4)
    assert [(one.round, sorted(one.players)) for one in found] == [(one.round, sorted(one.players)) for one in alone]
    partners = Counter(frozenset(one.players[at::2]) for one in found if len(one.players) == 4 for at in (0, 1))
    assert max(partners.values()) <= most


def test_partners_share_places_and_ratings() -> None:
    league = teams()
    assert teams_of(league.state) == PAIRS
    fixture = league.season.fixtures[0]
    league.placed(1, 3, 1, 3, 1)
    assert sorted(points(league).values()) == [Fraction(1, 2), Fraction(1, 2), Fraction(5, 2), Fraction(5, 2)]
    seats = [sorted(team) for team in teams_of(league.state)]
    encounter = league.season.fixtures[0].encounter
    result = result_of(encounter, league.now, scoring(league.state.settings), teams=seats)
    assert result
    assert (len(result.sides), result.places) == (2, (3, 1))
    found = ratings("tako-judo", [result])
    assert isinstance(found, OpenSkill)
    north, east, south, west = (found.rating(player, league.now).rating for player in fixture.players)
    assert north == south < 1500 < east == west


def test_whoever_leaves_a_table_is_rated_with_their_place() -> None:
    league = begun()
    fixture = league.season.fixtures[0]
    league.do(c.CarryResult(1, (T, W, L, L), league.now, (4, 1, 2, 2)))
    result = result_of(league.season.fixtures[0].encounter, league.now, scoring(league.state.settings))
    assert result
    found = ratings("sneaky-octopuses", [result])
    last, first, second, third = (found.rating(player, league.now).rating for player in fixture.players)
    assert last < second == third < first


def test_rounds_may_begin_together() -> None:
    league = League(Settings(format=Format.TABLES, rounds=2, round_days=10), game="sneaky-octopuses")
    rounds = [event for event in league.begin(numbers(8)) if isinstance(event, e.RoundPaired)]
    assert [(each.round, len(each.meetings), each.deadline) for each in rounds] == [
        (1, 2, day(10)),
        (2, 2, day(20)),
    ]


@for_each(
    ("settings", "game", "options", "says"),
    [
        (Settings(format=Format.TABLES), "take", {}, "Tables are for three or four players."),
        (Settings(format=Format.TABLES, seats=4), "sneaky-octopuses", {"players": 3}, "With these options the game is for 3 players"),
        (Settings(), "sneaky-octopuses", {}, "In this format, games are for two."),
        (Settings(), "tako-judo", {"variant": "teams"}, "In this format, games are for two."),
    ],
)
def test_the_format_has_to_suit_the_game(settings: Settings, game: str, options: dict[str, str | int | bool], says: str) -> None:
    with pytest.raises(BadOption) as refused:
        League(settings, game=game, options=options)
    assert says in refused.value.message


def test_what_is_usual_is_spelled_out() -> None:
    settings = League(Settings(format=Format.TABLES), game="sneaky-octopuses", options={"players": 3}).state.settings
    assert (settings.seats, settings.places, settings.points[Mark.BYE], settings.least) == (3, ("2", "1", "0"), "1", 3)
    assert settings.tie_breaks == (TieBreak.FIRST_PLACES, TieBreak.SECOND_PLACES, TieBreak.LOTS)


def test_a_schedule_that_was_left_is_not_taken_up_again() -> None:
    league = League(STEPWISE, game="sneaky-octopuses")
    league.do(c.BarPair((ADA, DAN)))
    players = (*FOUR, EVE)
    league.begin(players)
    assert not any({ADA, DAN} <= set(fixture.players) for fixture in league.season.fixtures)
    league.do(c.BarPair((ADA, DAN), barred=False))
    play_round(league)
    byes = [fixture.players[0] for fixture in league.season.fixtures if len(fixture.players) == 1]
    assert byes[0] in (ADA, DAN)
    assert byes[0] != byes[1]
    assert any({ADA, DAN} <= set(fixture.players) for fixture in at_tables(league))


def test_settings_that_change_have_to_suit_the_game_too() -> None:
    league = League(Settings(format=Format.TABLES), game="sneaky-octopuses", options={"players": 3})
    assert league.refusal(c.ChangeSettings(Settings(), "spring")) == "bad_option"
    assert league.refusal(c.ChangeSettings(Settings(format=Format.TABLES, seats=4), "spring")) == "bad_option"
    league.do(c.ChangeSettings(Settings(format=Format.TABLES, rounds=7), "spring"))
    assert (league.state.for_next.settings.rounds, league.state.for_next.settings.seats) == (7, 3)


@pytest.mark.parametrize(
    ("settings", "game", "heading", "told"),
    [
        (Settings(format=Format.TABLES, rounds=1), "sneaky-octopuses", "First places", "Round 1: \N{VULGAR FRACTION ONE THIRD} against "),
        (Settings(tie_breaks=(TieBreak.WINS,)), "take", "Wins", "Round 1: against "),
    ],
)
def test_what_was_won_without_a_game_is_explained(settings: Settings, game: str, heading: str, told: str) -> None:
    league = League(settings, game=game)
    league.begin(FOUR)
    players = league.season.fixtures[0].players
    marks = (WBF,) * (len(players) - 1) + (FF,)
    league.do(c.SetResult(1, marks, "nobody came", (1, 1, 1, 4) if len(players) > 2 else ()))
    names = dict(zip(FOUR, ("Ada", "Bob", "Cleo", "Dan"), strict=True))
    found = {one.heading: one.summands for one in explain(league.state, league.season, league.season.divisions[0], players[0], names)}
    [line] = [summands for each, summands in found.items() if each.startswith(heading)]
    assert line[0].startswith(told)
    assert line[0].endswith("(won by forfeit).")
