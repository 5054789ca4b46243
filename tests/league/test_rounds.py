"""A season that runs: rounds, games, results, deadlines, and who leaves."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, OPENED, League, day
from turnserver.errors import Refusal
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due, meeting_of
from turnserver.league.decide import decide
from turnserver.league.formats.formats import broken_promises
from turnserver.league.formats.swiss import Breach
from turnserver.league.pairing import openable
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Pace, Settings, WhenUnfinished
from turnserver.league.state import Fixture

FOUR = (ADA, BOB, CLEO, DAN)
WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
BOTH_NOTHING = (Mark.NO_RESULT, Mark.NO_RESULT)
STEPWISE = Settings(pace=Pace.ROUND_BY_ROUND, round_days=10, remind_percent=0)
SWISS = Settings(format=Format.SWISS, rounds=3, round_days=10)


def begun(settings: Settings | None = None, players: tuple[PlayerId, ...] = FOUR) -> League:
    league = League(settings or Settings())
    league.begin(players)
    league.open_games()
    return league


def announced() -> League:
    league = League(Settings())
    league.do(c.AnnounceSeason())
    return league


def decided() -> League:
    league = begun()
    league.result(1, WIN)
    return league


def of(league: League, player: PlayerId) -> list[Fixture]:
    return [fixture for fixture in league.season.fixtures if player in fixture.players]


def win(league: League, player: PlayerId, fixture: Fixture) -> None:
    league.result(fixture.number, WIN if fixture.players[0] == player else LOSS)


def ends(settings: Settings) -> list[e.LeagueEvent]:
    """Return what is done when the first round of four is over by its time, and the second of its two games is not opened."""
    league = League(settings)
    league.begin(FOUR)
    league.do(c.AttachGame(1, GameId(7)))
    league.now = day(10)
    return league.do(c.CheckLeague(turns={GameId(7): league.season.fixtures[0].players[1]}))


REFUSED: list[tuple[Callable[[], League], object, str]] = [
    (begun, c.AttachGame(1, GameId(9)), "has_game"),
    (decided, c.AttachGame(1, GameId(9)), "decided"),
    (begun, c.AttachGame(7, GameId(9)), "not_found"),
    (begun, c.AttachGame(0, GameId(9)), "not_found"),
    (decided, c.CarryResult(1, (WIN, LOSS), day(1)), "decided"),
    (begun, c.CarryResult(1, (WIN, WIN), day(1)), "bad_result"),
    (begun, c.CarryResult(1, (WIN,), day(1)), "bad_result"),
    (begun, c.CarryResult(1, (Mark.BYE, LOSS), day(1)), "bad_result"),
    (lambda: begun(SWISS, (ADA, BOB, CLEO)), c.SetResult(2, (WIN, LOSS), "typo"), "bad_result"),
    (begun, c.ReopenResult(1), "not_by_game"),
    (decided, c.SetResult(1, (WIN, LOSS), "typo"), "same_result"),
    (begun, c.Withdraw(EVE), "not_in_season"),
    (begun, c.SubstitutePlayer(EVE, PlayerId(99), Burden.SEAT, "ill"), "not_in_season"),
    (begun, c.SubstitutePlayer(ADA, BOB, Burden.SEAT, "ill"), "plays_already"),
    (begun, c.BarPair((ADA, ADA)), "same_player"),
    (begun, c.BarPair((ADA, BOB), barred=False), "as_it_is"),
    (lambda: League(Settings()), c.CarryResult(1, (WIN, LOSS), day(1)), "no_season"),
    (announced, c.CarryResult(1, (WIN, LOSS), day(1)), "season_not_begun"),
]


@for_each(("given", "command", "code"), REFUSED, ids=[f"{code}-{type(command).__name__}" for _, command, code in REFUSED])
def test_refusals(given: Callable[[], League], command: object, code: str) -> None:
    league = given()
    before = league.state
    assert league.refusal(command) == code  # type: ignore[arg-type]  # every one of them is a command
    assert league.state == before


def test_all_rounds_together() -> None:
    league = League(Settings(round_days=10))
    rounds = [event for event in league.begin(FOUR) if isinstance(event, e.RoundPaired)]
    assert [(each.round, len(each.meetings), each.deadline) for each in rounds] == [(1, 2, day(10)), (2, 2, day(20)), (3, 2, day(30))]
    assert [meeting.number for each in rounds for meeting in each.meetings] == [1, 2, 3, 4, 5, 6]


def test_one_round_after_another() -> None:
    league = begun(STEPWISE)
    assert due(league.state) == day(10)
    league.now = day(3)
    league.result(1, WIN)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    league.now = day(4)
    league.result(2, DRAW)
    assert due(league.state) == day(4)
    [paired] = league.do(c.CheckLeague())
    assert isinstance(paired, e.RoundPaired)
    assert (paired.round, paired.deadline) == (2, day(14))


def test_nobody_has_more_games_at_once_than_is_agreed() -> None:
    league = begun(Settings(at_once=1))
    assert [fixture.number for fixture in league.season.fixtures if fixture.game] == [1, 2]
    assert openable(league.state, league.season) == ()
    first = league.season.fixtures[0]
    league.result(1, DRAW)
    assert openable(league.state, league.season) == ()
    league.result(2, DRAW)
    assert [fixture.number for fixture in league.open_games()] == [3, 4]
    assert meeting_of(league.season, GameId(1)) == league.season.fixtures[0] != first
    assert meeting_of(league.season, GameId(99)) is None


def test_games_and_results_are_noted() -> None:
    league = League(Settings())
    league.begin(FOUR)
    assert league.do(c.AttachGame(2, GameId(8))) == [e.GameAttached(meeting=2, game=GameId(8))]
    assert league.do(c.CarryResult(2, (Mark.TIMEOUT, Mark.WIN_ON_TIME), day(5))) == [
        e.ResultRecorded(meeting=2, marks=(Mark.TIMEOUT, Mark.WIN_ON_TIME), at=day(5), by=e.DecidedBy.GAME)
    ]
    assert league.do(c.ReopenResult(2)) == [e.ResultReopened(meeting=2)]
    assert league.do(c.SetResult(2, (Mark.FORFEIT, Mark.FORFEIT), "nobody came")) == [
        e.ResultRecorded(meeting=2, marks=(Mark.FORFEIT, Mark.FORFEIT), at=OPENED, by=e.DecidedBy.ADMIN, reason="nobody came")
    ]
    before = league.season.fixtures[1]
    assert league.do(c.SetResult(2, (WIN, LOSS), "they did")) == [e.ResultCorrected(meeting=2, marks=(WIN, LOSS), reason="they did")]
    after = league.season.fixtures[1]
    assert (after.players, after.game, after.at, after.marks) == (before.players, before.game, before.at, (WIN, LOSS))


@pytest.mark.parametrize(
    ("policy", "opened"),
    [
        (WhenUnfinished.NO_RESULT, BOTH_NOTHING),
        (WhenUnfinished.DRAW, (DRAW, DRAW)),
        (WhenUnfinished.FORFEIT, (Mark.WIN_BY_FORFEIT, Mark.FORFEIT)),
    ],
)
def test_what_is_not_over_in_time(policy: WhenUnfinished, opened: tuple[Mark, ...]) -> None:
    settings = Settings(pace=Pace.ROUND_BY_ROUND, round_days=10, when_unfinished=policy)
    first, second, paired = ends(settings)
    assert first == e.ResultRecorded(meeting=1, marks=opened, at=day(10), by=e.DecidedBy.DEADLINE)
    assert second == e.ResultRecorded(meeting=2, marks=BOTH_NOTHING, at=day(10), by=e.DecidedBy.DEADLINE)
    assert isinstance(paired, e.RoundPaired)


def test_nobody_forfeits_whose_turn_is_not_known() -> None:
    league = begun(Settings(pace=Pace.ROUND_BY_ROUND, round_days=10, when_unfinished=WhenUnfinished.FORFEIT))
    league.now = day(10)
    found = league.do(c.CheckLeague())
    assert [event.marks for event in found if isinstance(event, e.ResultRecorded)] == [BOTH_NOTHING, BOTH_NOTHING]


def test_an_admin_is_asked_once() -> None:
    league = begun(STEPWISE)
    league.result(2, WIN)
    league.now = day(10)
    assert league.do(c.CheckLeague()) == [e.RoundOverdue(division="1", round=1, meetings=(1,))]
    assert due(league.state) is None
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    league.do(c.SetResult(1, (DRAW, DRAW), "too slow"))
    assert isinstance(league.do(c.CheckLeague())[0], e.RoundPaired)


def test_who_leaves_early_is_struck() -> None:
    league = begun()
    win(league, ADA, of(league, ADA)[0])
    left = [fixture for fixture in of(league, ADA) if not fixture.marks]
    assert league.do(c.Withdraw(ADA)) == [
        e.PlayerWithdrawn(player=ADA, struck=True, at=league.now),
        *(e.ResultRecorded(meeting=each.number, marks=BOTH_NOTHING, at=OPENED, by=e.DecidedBy.WITHDRAWAL) for each in left),
    ]
    table = division_table(league.state, league.season, league.season.divisions[0])
    assert sorted(line.player for line in table.standings) == [BOB, CLEO, DAN]
    assert all(line.figures[0].value == 0 for line in table.standings)
    assert of(league, ADA)[0].marks in ((WIN, LOSS), (LOSS, WIN))
    assert league.refusal(c.Withdraw(ADA)) == "not_in_season"


def test_who_leaves_late_forfeits_the_rest() -> None:
    league = begun()
    *played, last = of(league, ADA)
    for fixture in played:
        win(league, ADA, fixture)
    marks = tuple(Mark.FORFEIT if player == ADA else Mark.WIN_BY_FORFEIT for player in last.players)
    assert league.do(c.Withdraw(ADA)) == [
        e.PlayerWithdrawn(player=ADA, struck=False, at=league.now),
        e.ResultRecorded(meeting=last.number, marks=marks, at=OPENED, by=e.DecidedBy.WITHDRAWAL),
    ]
    table = division_table(league.state, league.season, league.season.divisions[0])
    assert (table.standings[0].player, table.standings[0].figures[0].value) == (ADA, Fraction(2))


def test_half_is_counted_without_those_who_are_struck() -> None:
    """Of four games of Ada's, one is against somebody who is struck; of the other three, one and a half would be half."""
    league = begun(players=(ADA, BOB, CLEO, DAN, EVE))
    games = [fixture for fixture in of(league, ADA) if len(fixture.players) == 2]
    gone = next(player for player in games[0].players if player != ADA)
    win(league, ADA, games[1])
    league.do(c.Withdraw(gone))
    assert league.do(c.Withdraw(ADA))[0] == e.PlayerWithdrawn(player=ADA, struck=True, at=league.now)


def test_who_is_struck_is_not_paired_and_who_is_not_does_not_come() -> None:
    league = begun(Settings(format=Format.DOUBLE_ROUND_ROBIN, pace=Pace.ROUND_BY_ROUND), FOUR)
    league.do(c.Withdraw(DAN))
    while league.season.paired["1"] < 4:
        for fixture in league.season.fixtures:
            if not fixture.marks:
                win(league, ADA if ADA in fixture.players else fixture.players[0], fixture)
        league.do(c.CheckLeague())
    assert all(fixture.round == 1 for fixture in of(league, DAN))
    for fixture in league.season.fixtures:
        if not fixture.marks:
            win(league, fixture.players[0], fixture)
    assert league.do(c.Withdraw(ADA))[0] == e.PlayerWithdrawn(player=ADA, struck=False, at=league.now)
    league.do(c.CheckLeague())
    late = [fixture for fixture in of(league, ADA) if fixture.round > 4]
    assert late
    assert {Mark.FORFEIT, Mark.WIN_BY_FORFEIT} == {mark for fixture in late for mark in fixture.marks}


def test_who_leaves_a_swiss_event_is_in_the_table_and_not_paired() -> None:
    league = begun(SWISS)
    assert [one.marks for one in league.do(c.Withdraw(ADA)) if isinstance(one, e.ResultRecorded)]
    assert league.season.struck == frozenset()
    for fixture in league.season.fixtures:
        if not fixture.marks:
            win(league, fixture.players[0], fixture)
    league.do(c.CheckLeague())
    assert [fixture.round for fixture in of(league, ADA)] == [1]
    assert [len(fixture.players) for fixture in league.season.fixtures if fixture.round == 2] == [2, 1]


def test_a_swiss_event_ends_when_nobody_is_left_to_meet() -> None:
    league = begun(SWISS, (ADA, BOB, CLEO))
    league.do(c.Withdraw(ADA), c.Withdraw(BOB))
    for fixture in league.season.fixtures:
        if not fixture.marks:
            win(league, CLEO, fixture)
    league.do(c.CheckLeague())
    assert league.state.last


def test_a_substitute_plays_on_in_the_same_line() -> None:
    league = begun()
    stranger = PlayerId(99)
    assert league.do(c.SubstitutePlayer(ADA, stranger, Burden.SUBSTITUTE, "ill")) == [
        e.PlayerSubstituted(player=ADA, substitute=stranger, rating=Burden.SUBSTITUTE, reason="ill")
    ]
    assert (league.season.who(ADA), league.season.plays_as(stranger), league.season.plays_as(ADA)) == (stranger, ADA, None)
    assert league.refusal(c.SubstitutePlayer(BOB, stranger, Burden.SEAT, "ill")) == "plays_already"
    assert league.refusal(c.Withdraw(ADA)) == "not_in_season"
    assert league.do(c.Withdraw(stranger))[0] == e.PlayerWithdrawn(player=ADA, struck=True, at=league.now)


def test_who_are_barred_do_not_meet() -> None:
    league = League(Settings())
    assert league.do(c.BarPair((ADA, BOB))) == [e.PairBarred(players=(ADA, BOB))]
    league.begin(FOUR)
    assert len(league.season.fixtures) == 5
    assert league.do(c.BarPair((BOB, ADA), barred=False)) == [e.PairAllowed(players=(BOB, ADA))]
    assert league.state.barred == frozenset()
    swiss = League(SWISS)
    swiss.do(c.BarPair((ADA, DAN)))
    swiss.begin((ADA, BOB, CLEO, DAN), (1600, 1300, 1400, 1500))
    assert all({ADA, DAN} != set(fixture.players) for fixture in swiss.season.fixtures)


def test_what_a_swiss_round_could_not_be_paired_without_is_known() -> None:
    league = begun(SWISS, (ADA, BOB, CLEO))
    assert broken_promises(league.state, league.season, league.season.divisions[0], 1) == ()
    (meeting, bye) = league.season.fixtures
    win(league, meeting.players[0], meeting)
    league.do(c.Withdraw(bye.players[0]), c.CheckLeague())
    again = league.season.fixtures[-1]
    assert broken_promises(league.state, league.season, league.season.divisions[0], 2) == ((Breach.REMATCH, again),)
    assert broken_promises(league.state, league.season, league.season.divisions[0], 3) == ()


def test_a_second_bye_that_cannot_be_avoided_is_known() -> None:
    league = begun(SWISS, (ADA, BOB, CLEO))
    (_, bye) = league.season.fixtures
    league.do(c.BarPair((ADA, BOB)), c.BarPair((ADA, CLEO)), c.BarPair((BOB, CLEO)))
    win(league, league.season.fixtures[0].players[0], league.season.fixtures[0])
    league.do(c.CheckLeague())
    assert [(breach, one.players) for breach, one in broken_promises(league.state, league.season, league.season.divisions[0], 2)] == [
        (Breach.SECOND_BYE, bye.players)
    ]


def test_what_is_not_paired_round_by_round_breaks_no_promise() -> None:
    league = begun(Settings(format=Format.DOUBLE_ROUND_ROBIN))
    assert broken_promises(league.state, league.season, league.season.divisions[0], 4) == ()


def test_refusals_name_what_there_is() -> None:
    with pytest.raises(Refusal, match="The last one is 6"):
        decide(begun().state, c.AttachGame(9, GameId(1)), OPENED, begun().lots)
