"""A cup as the season of a league."""

import pytest

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import BarPair, CheckLeague, CloseSeason, SetResult, Withdraw
from turnserver.league.course import due
from turnserver.league.formats.formats import rounds_due
from turnserver.league.formats.knockout import Drawn
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Seeding, Settings, TierSize
from turnserver.league.state import Fixture, Phase

CUP = Settings(format=Format.KNOCKOUT, replays=1, least=2)
SEEDS = (ADA, BOB, CLEO, DAN)
STRENGTH = (1800, 1700, 1600, 1500)
UNLIKE_SEEDS = Lots(bytes([3]) * 32)
"""In the first round, they prefer Dan to Ada, though Bob to Cleo."""


def cup(settings: Settings = CUP) -> League:
    league = League(settings, UNLIKE_SEEDS)
    league.begin(SEEDS, STRENGTH)
    return league


def running(league: League) -> list[Fixture]:
    return [fixture for fixture in league.season.fixtures if not fixture.marks]


def won(league: League, *winners: PlayerId) -> None:
    """Let these win the meetings that are running, and do what is due."""
    for fixture in running(league):
        league.result(fixture.number, Mark.WIN if fixture.players[0] in winners else Mark.LOSS)
    league.do(CheckLeague())


def met(league: League) -> list[tuple[int, set[PlayerId]]]:
    return [(fixture.round, set(fixture.players)) for fixture in running(league)]


def places(league: League) -> list[tuple[int, PlayerId]]:
    return [(line.place, line.player) for line in league.state.last[0].lines]


def shown(league: League) -> list[tuple[int, PlayerId]]:
    table = division_table(league.state, league.season, league.season.divisions[0])
    return [(line.place, line.player) for line in table.standings]


def test_a_cup_is_played_by_seeds_to_the_final() -> None:
    league = cup()
    assert met(league) == [(1, {ADA, DAN}), (1, {BOB, CLEO})]
    assert rounds_due(league.state, league.season, league.season.divisions[0]) == 2
    won(league, DAN, BOB)
    assert met(league) == [(2, {DAN, BOB})]
    assert shown(league) == [(1, BOB), (1, DAN), (3, ADA), (3, CLEO)]
    won(league, DAN)
    assert league.season.phase is Phase.CLOSED
    assert places(league) == [(1, DAN), (2, BOB), (3, ADA), (3, CLEO)]


def test_the_third_place_is_played_for() -> None:
    league = cup(Settings(format=Format.KNOCKOUT, third_place=True))
    won(league, ADA, BOB)
    assert sorted(map(sorted, (players for _, players in met(league)))) == [[ADA, BOB], [CLEO, DAN]]
    won(league, BOB, DAN)
    assert places(league) == [(1, BOB), (2, ADA), (3, DAN), (4, CLEO)]


def test_whoever_plays_for_the_third_place_stands_below_the_finalists() -> None:
    league = cup(Settings(format=Format.KNOCKOUT, third_place=True))
    won(league, DAN, CLEO)
    assert shown(league) == [(1, CLEO), (1, DAN), (3, ADA), (3, BOB)]


@pytest.mark.parametrize(
    ("rules", "expected"), [(1, [(1, ADA), (1, BOB), (1, CLEO), (1, DAN)]), (2, [(1, CLEO), (1, DAN), (3, ADA), (3, BOB)])]
)
def test_a_cup_that_is_closed_without_its_last_games(rules: int, expected: list[tuple[int, PlayerId]]) -> None:
    league = cup(Settings(format=Format.KNOCKOUT, third_place=True, rules=rules))
    won(league, DAN, CLEO)
    league.do(CloseSeason("no time left"))
    assert places(league) == expected


def test_a_correction_after_the_end_leaves_the_places_open_for_which_others_have_to_meet() -> None:
    """A result that is entered later puts them right."""
    league = cup(Settings(format=Format.KNOCKOUT, third_place=True, rules=2))
    won(league, DAN, CLEO)
    won(league, DAN, BOB)
    assert places(league) == [(1, DAN), (2, CLEO), (3, BOB), (4, ADA)]
    first = next(one for one in league.season.fixtures if DAN in one.players)
    league.do(SetResult(first.number, first.marks[::-1], "a typo"))
    assert places(league) == [(1, ADA), (1, CLEO), (3, BOB), (3, DAN)]
    league.do(SetResult(first.number, first.marks, "no typo"))
    assert places(league) == [(1, DAN), (2, CLEO), (3, BOB), (4, ADA)]


def test_draws_are_replayed_before_the_others_go_on_and_then_the_seed_decides() -> None:
    league = cup()
    drawn, other = running(league)
    league.result(drawn.number, Mark.DRAW)
    won(league, BOB)
    [again] = running(league)
    assert (again.round, again.players) == (1, drawn.players[::-1])
    league.result(again.number, Mark.DRAW)
    [paired] = league.do(CheckLeague())
    assert isinstance(paired, e.RoundPaired)
    assert set(paired.meetings[0].players) == {ADA, BOB}
    assert set(other.players) == {BOB, CLEO}


def test_lots_say_who_goes_on_after_the_last_draw() -> None:
    league = cup(Settings(format=Format.KNOCKOUT, replays=0, cup_draw=Drawn.LOTS, remind_percent=0))
    league.now = day(3)
    for fixture in running(league):
        league.result(fixture.number, Mark.DRAW)
    assert due(league.state) == day(3)
    pairs = [(ADA, DAN), (BOB, CLEO)]
    orders = [UNLIKE_SEEDS.drawn(1, "round 1 of 1", pair) for pair in pairs]
    assert orders == [(DAN, ADA), (BOB, CLEO)]
    *drawn, paired = league.do(CheckLeague())
    assert drawn == [e.LotsDrawn(division="1", players=order, round=1) for order in orders]
    assert isinstance(paired, e.RoundPaired)
    assert set(paired.meetings[0].players) == {order[0] for order in orders}
    assert league.season.lots == {}


@pytest.mark.parametrize("drawn", list(Drawn))
def test_two_who_are_not_to_meet_do_not_in_a_cup(drawn: Drawn) -> None:
    league = League(Settings(format=Format.KNOCKOUT, cup_draw=drawn), UNLIKE_SEEDS)
    league.do(BarPair((DAN, ADA)))
    paired, recorded = league.begin(SEEDS, STRENGTH)[1:]
    assert isinstance(paired, e.RoundPaired)
    [meeting] = [each for each in paired.meetings if set(each.players) == {ADA, DAN}]
    winner = ADA if drawn is Drawn.HIGHER_SEED else DAN
    marks = tuple(Mark.WIN_BY_FORFEIT if player == winner else Mark.FORFEIT for player in meeting.players)
    assert recorded == e.ResultRecorded(meeting=meeting.number, marks=marks, at=league.now, by=e.DecidedBy.BARRED)
    won(league, BOB)
    assert met(league) == [(2, {winner, BOB})]


def test_seeds_may_be_drawn() -> None:
    drawn = cup(Settings(format=Format.KNOCKOUT, seeding=Seeding.LOTS)).season.divisions[0].players
    assert drawn == UNLIKE_SEEDS.drawn(1, "numbers of 1", SEEDS) != SEEDS


def test_who_withdraws_is_out() -> None:
    league = cup()
    league.do(Withdraw(BOB))
    won(league, DAN)
    assert met(league) == [(2, {CLEO, DAN})]
    league.do(Withdraw(DAN), CheckLeague())
    assert places(league) == [(1, CLEO), (2, DAN), (3, ADA), (3, BOB)]


def test_two_losses() -> None:
    league = cup(Settings(format=Format.DOUBLE_KNOCKOUT))
    won(league, ADA, BOB)
    assert met(league) == [(2, {ADA, BOB}), (2, {CLEO, DAN})]
    won(league, ADA, CLEO)
    won(league, BOB)
    assert met(league) == [(4, {ADA, BOB})]
    won(league, BOB)
    assert met(league) == [(5, {ADA, BOB})]
    won(league, ADA)
    assert places(league) == [(1, ADA), (2, BOB), (3, CLEO), (4, DAN)]


def test_somebody_alone_in_a_division_has_won_it() -> None:
    league = League(Settings(format=Format.KNOCKOUT, tiers=(TierSize(size=2), TierSize(size=2, moves=0), TierSize(size=2))))
    league.begin((*SEEDS, EVE), (*STRENGTH, 1400))
    assert rounds_due(league.state, league.season, league.season.divisions[-1]) == 0
    won(league, ADA, CLEO)
    assert [line.player for line in league.state.last[-1].lines] == [EVE]
