"""Seasons that are paused and go on: nothing is due meanwhile, and dates are later by the length of the pause."""

from collections.abc import Callable, Mapping

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.formats.formats import next_begins
from turnserver.league.pairing import openable
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Pace, Seeding, Settings
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)
LADDER = Settings(format=Format.LADDER, idle_days=20, rest_days=5, season_days=60, seeding=Seeding.RATING)
SWISS = Settings(format=Format.SWISS, rounds=2, round_days=10)


def begun(settings: Settings = SWISS) -> League:
    league = League(settings)
    league.begin(FOUR)
    return league


def test_nothing_is_due_and_no_game_begins_while_a_season_is_paused() -> None:
    league = begun()
    league.now = day(2)
    assert league.do(c.PauseSeason("the holidays")) == [e.SeasonPaused(at=day(2), reason="the holidays")]
    assert openable(league.state, league.season) == ()
    league.now = day(11)
    assert due(league.state) is None
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    # a result may come all the same, and the next round waits
    for one in league.season.fixtures:
        league.result(one.number, Mark.DRAW)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    league.now = day(12)
    assert league.do(c.ResumeSeason("")) == [e.SeasonResumed(at=day(12), reason="")]
    [paired] = league.do(c.CheckLeague())
    assert isinstance(paired, e.RoundPaired)
    assert paired.deadline == day(22)


def test_deadlines_move_by_the_length_of_the_pause() -> None:
    league = begun(Settings(round_days=10))
    league.open_games()
    league.result(3, Mark.DRAW)
    league.do(c.MoveDeadlines({2: None}, ""))
    league.now = day(10)
    league.do(c.CheckLeague())
    league.now = day(15)
    league.do(c.PauseSeason(""))
    league.now = day(18.5)
    resumed, moved = league.do(c.ResumeSeason("all are back"))
    assert resumed == e.SeasonResumed(at=day(18.5), reason="all are back")
    assert isinstance(moved, e.DeadlinesMoved)
    # the first one is late already and waits for an admin, the second has no deadline, and the third is over
    assert [(one.meeting, one.deadline) for one in moved.deadlines] == [(4, day(23.5)), (5, day(33.5)), (6, day(33.5))]
    assert league.season.fixtures[0].overdue


def test_rounds_with_a_date_begin_later() -> None:
    league = begun(Settings(pace=Pace.TOGETHER, round_every=7))
    [division] = league.season.divisions
    for number in (1, 2):
        league.now = day(number)
        league.do(c.PauseSeason(""))
        league.now = day(number + 0.5)
        league.do(c.ResumeSeason(""))
    assert next_begins(league.state, league.season, division) == day(8)


def paused(settings: Settings = SWISS) -> League:
    league = begun(settings)
    league.do(c.PauseSeason(""))
    return league


def announced() -> League:
    league = League(SWISS)
    league.do(c.AnnounceSeason())
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], c.Command, str]] = {
    "twice": (paused, c.PauseSeason(""), "paused"),
    "to go on with what runs": (begun, c.ResumeSeason(""), "not_paused"),
    "for a challenge": (lambda: paused(LADDER), c.Challenge(BOB, ADA), "paused"),
    "before the start": (announced, c.PauseSeason(""), "season_not_begun"),
}


@for_each("name", REFUSED)
def test_refuses_a_pause_that_cannot_be(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before


def test_nobody_is_idle_or_has_a_rest_while_a_ladder_is_paused() -> None:
    league = begun(LADDER)
    top, second, third, last = league.season.order
    league.do(c.Challenge(second, top))
    league.now = day(2)
    league.do(c.PauseSeason("the holidays"))
    league.now = day(4)
    league.open_games()
    league.do(c.Enter(EVE, 1500), c.CarryResult(1, (Mark.DRAW, Mark.DRAW), day(4)))
    assert due(league.state) is None
    league.now = day(42)
    league.do(c.ResumeSeason(""))
    climb = league.season.climb
    assert climb is not None
    since = {rung.player: (rung.idle_since, rung.defended) for rung in climb.ladder.rungs}
    # who played, or came, in the pause counts as having done so at its end
    assert since == {top: (day(42), day(42)), second: (day(42), None), third: (day(40), None), last: (day(40), None), EVE: (day(42), None)}
    assert league.refusal(c.Challenge(second, top)) == "resting"
    league.now = day(60)
    # the two who have played nothing drop twenty days of play later, and challenges end forty days later
    assert [event for event in league.do(c.CheckLeague()) if isinstance(event, e.PlayersSunk)] == [
        e.PlayersSunk(players=(third, last), at=day(60))
    ]
    league.now = day(99)
    league.do(c.CheckLeague())
    assert not league.season.ended
    league.now = day(100)
    assert e.ChallengesEnded(at=day(100)) in league.do(c.CheckLeague())


def test_a_paused_season_can_be_closed() -> None:
    league = paused()
    league.do(c.CloseSeason("spring"))
    assert league.season.phase is Phase.CLOSED
