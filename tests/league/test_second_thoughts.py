"""Decisions that an admin takes back, and what then becomes of all that came after them."""

from fractions import Fraction

import pytest

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, OPENED, League, day, of, win
from turnserver.ids import GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Pace, Settings, WhenUnfinished
from turnserver.league.state import Fixture, Phase

FOUR = (ADA, BOB, CLEO, DAN)
WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
NOTHING = (Mark.NO_RESULT, Mark.NO_RESULT)
FORFEITS = Settings(round_days=10, remind_percent=0, when_unfinished=WhenUnfinished.FORFEIT, next_days=30)
SWISS = Settings(format=Format.SWISS, rounds=3)
CUP = Settings(format=Format.KNOCKOUT, replays=0)


def begun(settings: Settings | None = None, players: tuple[PlayerId, ...] = FOUR) -> League:
    league = League(settings or Settings())
    league.begin(players, [2000 - player for player in players])
    league.open_games()
    return league


def points(league: League) -> dict[PlayerId, Fraction]:
    table = division_table(league.state, league.season, league.season.divisions[0])
    return {line.player: line.figures[0].value for line in table.standings}


def marks(fixture: Fixture, winner: PlayerId) -> tuple[Mark, ...]:
    return tuple(WIN if player == winner else LOSS for player in fixture.players)


def test_a_season_that_was_closed_too_early_goes_on() -> None:
    league = begun(FORFEITS)
    league.result(1, WIN)
    league.do(c.SetResult(2, (DRAW, DRAW), "they agreed"), c.CloseSeason("by mistake"))
    assert due(league.state) == day(30)
    assert league.do(c.ReopenSeason("two rounds are missing")) == [e.SeasonReopened(meetings=(3, 4, 5, 6), reason="two rounds are missing")]
    assert (league.season.phase, due(league.state)) == (Phase.RUNNING, day(20))
    assert [fixture.number for fixture in league.season.fixtures if fixture.marks] == [1, 2]
    assert [fixture.number for fixture in league.open_games()] == [3, 4, 5, 6]
    for number in (3, 4, 5, 6):
        league.result(number, WIN)
    league.do(c.CheckLeague())
    assert league.season.phase is Phase.CLOSED


def test_what_is_late_when_a_season_goes_on_is_left_to_an_admin() -> None:
    league = begun(FORFEITS)
    league.result(1, WIN)
    league.do(c.CloseSeason("by mistake"))
    league.now = day(15)
    assert league.do(c.ReopenSeason("sorry"))[1:] == [e.RoundOverdue(division="1", round=1, meetings=(2,))]
    assert due(league.state) == day(20)


def test_a_swiss_event_that_was_closed_between_rounds_is_paired_further() -> None:
    league = begun(SWISS)
    league.result(1, WIN)
    league.result(2, WIN)
    league.do(c.CloseSeason("by mistake"), c.ReopenSeason("two rounds are missing"))
    assert [event.round for event in league.do(c.CheckLeague()) if isinstance(event, e.RoundPaired)] == [2]


def test_only_a_season_that_is_not_played_can_go_on() -> None:
    league = begun(CUP)
    assert league.refusal(c.ReopenSeason("typo")) == "not_closed"
    win(league, ADA, DAN)
    win(league, BOB, CLEO)
    league.do(c.CheckLeague())
    win(league, ADA, BOB)
    league.do(c.CheckLeague())
    assert league.refusal(c.ReopenSeason("typo")) == "nothing_open"
    league.do(c.AnnounceSeason())
    assert league.refusal(c.ReopenSeason("too late")) == "not_closed"
    assert League(CUP).refusal(c.ReopenSeason("typo")) == "not_closed"


def test_a_cup_whose_semifinal_was_corrected_after_its_end_can_be_played_to_the_end() -> None:
    league = begun(CUP)
    win(league, ADA, DAN)
    win(league, BOB, CLEO)
    league.do(c.CheckLeague())
    win(league, ADA, BOB)
    league.do(c.CheckLeague())
    semifinal = of(league, BOB, CLEO)
    league.do(c.SetResult(semifinal.number, marks(semifinal, CLEO), "the log was wrong"), c.ReopenSeason("another final"))
    league.do(c.CheckLeague())
    win(league, CLEO, ADA)
    league.do(c.CheckLeague())
    assert [(line.place, line.player) for line in league.state.last[0].lines] == [(1, CLEO), (2, ADA), (3, BOB), (3, DAN)]


def test_a_game_that_goes_on_after_its_deadline_is_left_to_an_admin() -> None:
    league = begun(FORFEITS)
    league.now = day(9)
    league.result(1, WIN)
    league.result(2, WIN)
    assert league.do(c.ReopenResult(2)) == [e.ResultReopened(meeting=2)]
    league.result(2, WIN)
    league.now = day(10)
    assert league.do(c.ReopenResult(1)) == [e.ResultReopened(meeting=1)]
    assert due(league.state) == day(10)
    assert league.do(c.CheckLeague()) == [e.RoundOverdue(division="1", round=1, meetings=(1,))]
    assert due(league.state) == day(20)


@pytest.mark.parametrize("early", [True, False])
def test_a_game_does_not_go_on_without_whoever_has_withdrawn(*, early: bool) -> None:
    league = begun()
    for player in (BOB,) if early else (BOB, CLEO):
        win(league, ADA, player)
    league.do(c.Withdraw(ADA))
    fixture = of(league, ADA, BOB)
    lost = tuple(Mark.FORFEIT if player == ADA else Mark.WIN_BY_FORFEIT for player in fixture.players)
    league.do(c.ReopenResult(fixture.number))
    assert due(league.state) == OPENED
    league.now = day(2)
    assert league.do(c.CheckLeague()) == [
        e.ResultRecorded(meeting=fixture.number, marks=NOTHING if early else lost, at=day(2), by=e.DecidedBy.WITHDRAWAL)
    ]


def test_a_game_of_whoever_has_withdrawn_since_can_lose_its_result() -> None:
    league = begun()
    win(league, ADA, BOB)
    league.do(c.Withdraw(ADA))
    number = of(league, ADA, BOB).number
    annulled = (Mark.ANNULLED, Mark.ANNULLED)
    league.do(c.ReopenResult(number), c.CarryResult(number, annulled, day(1)))
    assert of(league, ADA, BOB).marks == annulled


def test_pairings_stay_when_an_early_result_is_corrected_and_the_table_does_not() -> None:
    league = begun(SWISS)
    for _ in range(2):
        for fixture in league.season.fixtures:
            if not fixture.marks:
                league.result(fixture.number, WIN if fixture.players[0] == min(fixture.players) else LOSS)
        league.do(c.CheckLeague())
    first = league.season.fixtures[0]
    before = [fixture.players for fixture in league.season.fixtures]
    points = {
        line.player: line.figures[0].value for line in division_table(league.state, league.season, league.season.divisions[0]).standings
    }
    winner, loser = sorted(first.players)
    assert league.do(c.SetResult(first.number, marks(first, loser), "the log was wrong")) == [
        e.ResultCorrected(meeting=first.number, marks=marks(first, loser), reason="the log was wrong")
    ]
    assert [fixture.players for fixture in league.season.fixtures] == before
    after = {
        line.player: line.figures[0].value for line in division_table(league.state, league.season, league.season.divisions[0]).standings
    }
    assert {player: after[player] - points[player] for player in FOUR} == dict.fromkeys(FOUR, Fraction(0)) | {winner: -1, loser: 1}
    assert league.refusal(c.CheckLeague()) == "nothing_due"


def test_a_game_of_a_cup_ends_when_others_have_to_meet_after_a_correction() -> None:
    league = begun(CUP)
    win(league, ADA, DAN)
    win(league, BOB, CLEO)
    league.do(c.CheckLeague())
    league.open_games()
    final, semifinal = of(league, ADA, BOB), of(league, ADA, DAN)
    assert due(league.state) is None
    league.now = day(3)
    league.do(c.SetResult(semifinal.number, marks(semifinal, DAN), "the log was wrong"))
    instant = due(league.state)
    assert instant is not None
    assert instant <= league.now
    voided, paired = league.do(c.CheckLeague())
    assert voided == e.ResultRecorded(meeting=final.number, marks=NOTHING, at=day(3), by=e.DecidedBy.BRACKET)
    assert isinstance(paired, e.RoundPaired)
    assert set(paired.meetings[0].players) == {DAN, BOB}


def test_a_game_of_a_cup_goes_on_while_an_earlier_one_is_played_again() -> None:
    league = begun(CUP)
    win(league, ADA, DAN)
    win(league, BOB, CLEO)
    league.do(c.CheckLeague())
    league.open_games()
    league.do(c.ReopenResult(of(league, ADA, DAN).number))
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    win(league, ADA, DAN)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    win(league, BOB, ADA)
    league.do(c.CheckLeague())
    assert league.state.last[0].lines[0].player == BOB


def test_a_result_that_is_older_than_what_has_happened_since_counts() -> None:
    league = begun(SWISS, (ADA, BOB, CLEO, DAN, EVE))
    league.now = day(5)
    for fixture in league.season.fixtures:
        if len(fixture.players) == 2:
            league.do(c.CarryResult(fixture.number, (WIN, LOSS), day(-3)))
    instant = due(league.state)
    assert instant is not None
    assert instant <= day(5)
    assert isinstance(league.do(c.CheckLeague())[0], e.RoundPaired)


def test_a_clock_that_was_put_back_holds_rounds_back_and_breaks_nothing() -> None:
    league = begun(Settings(pace=Pace.ROUND_BY_ROUND))
    league.now = day(-1)
    league.do(c.CarryResult(1, (WIN, LOSS), day(-1)), c.CarryResult(2, (WIN, LOSS), day(-2)))
    assert due(league.state) == day(0)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    league.now = day(0)
    assert isinstance(league.do(c.CheckLeague())[0], e.RoundPaired)


def test_who_withdraws_is_named_once() -> None:
    league = begun(SWISS)
    assert league.do(c.Withdraw(ADA))[0] == e.PlayerWithdrawn(player=ADA, struck=False, at=OPENED)
    assert league.refusal(c.Withdraw(ADA)) == "not_in_season"
    assert of(league, ADA).game == GameId(1)
