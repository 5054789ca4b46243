"""Pairings and final tables that wait for a director: published at once, and held until they are approved or their time is over."""

from collections.abc import Callable, Mapping

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.pairing import openable
from turnserver.league.presentation.schedule import coming
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Approval, Format, Settings
from turnserver.league.state import Phase

BOTH = (Approval.PAIRINGS, Approval.TABLE)
FIVE = (ADA, BOB, CLEO, DAN, EVE)
SWISS = Settings(format=Format.SWISS, rounds=2, round_days=10, approve=BOTH, approve_hours=48)


def begun(settings: Settings = SWISS) -> League:
    league = League(settings)
    league.begin(FIVE)
    return league


def patient() -> League:
    """Nothing holds by itself."""
    return begun(Settings(format=Format.SWISS, rounds=1, approve=BOTH))


def played(league: League) -> League:
    league.open_games()
    for one in league.season.fixtures:
        if not one.marks:
            league.result(one.number, Mark.DRAW)
    return league


def test_games_of_a_pairing_begin_when_it_is_approved() -> None:
    league = begun()
    assert e.RoundHeld(division="1", round=1, meetings=(1, 2), approved_at=day(2)) in league.events
    assert openable(league.state, league.season) == ()
    assert [one.deadline for one in league.season.fixtures] == [None, None, None]
    league.now = day(1)
    approved, moved = league.do(c.Approve())
    assert approved == e.RoundApproved(division="1", round=1, meetings=(1, 2))
    # the time of the round is as long as it would be without an approval
    assert isinstance(moved, e.DeadlinesMoved)
    assert [(one.meeting, one.deadline) for one in moved.deadlines] == [(1, day(11)), (2, day(11))]
    assert [one.number for one in openable(league.state, league.season)] == [1, 2]


def test_a_pairing_holds_by_itself_when_nobody_has_objected_in_time() -> None:
    league = begun()
    assert due(league.state) == day(2)
    league.now = day(2)
    approved, _ = league.do(c.CheckLeague())
    assert approved == e.RoundApproved(division="1", round=1, meetings=(1, 2))


def test_a_schedule_has_what_holds_by_itself() -> None:
    league = begun()
    assert coming(league.state, {})[0] == (day(2), "round 1 is approved, so its games begin")
    waiting = played(approved())
    waiting.do(c.CheckLeague())
    assert coming(waiting.state, {}) == []


def test_a_pairing_by_hand_waits_too() -> None:
    league = begun()
    league.now = day(1)
    *_, held = league.do(c.PairAgain("1", "as they wish", ((EVE, ADA),)))
    assert held == e.RoundHeld(division="1", round=1, meetings=(4, 5), approved_at=day(3))
    league.do(c.Approve())
    assert [one.number for one in openable(league.state, league.season)] == [4, 5]


def test_rounds_that_begin_together_are_approved_one_by_one_or_all_at_once() -> None:
    league = begun(Settings(round_days=10, approve=BOTH))
    league.now = day(3)
    first, moved = league.do(c.Approve("1", 1))
    assert first == e.RoundApproved(division="1", round=1, meetings=(2, 3))
    assert isinstance(moved, e.DeadlinesMoved)
    *rest, later = league.do(c.Approve())
    assert [one.round for one in rest if isinstance(one, e.RoundApproved)] == [2, 3, 4, 5]
    assert isinstance(later, e.DeadlinesMoved)
    assert later.deadlines[0].deadline == day(23)


def test_a_final_table_stands_when_it_is_approved() -> None:
    league = patient()
    league.do(c.Approve())
    played(league)
    assert league.do(c.CheckLeague())[-1] == e.TablesHeld()
    assert due(league.state) is None
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    # the table can be put right before it stands
    league.do(c.SetResult(1, (Mark.WIN, Mark.LOSS), "a typo"))
    assert isinstance(league.do(c.Approve())[-1], e.SeasonClosed)
    assert league.season.phase is Phase.CLOSED


def test_a_final_table_stands_by_itself_and_not_while_a_game_goes_on() -> None:
    league = begun(Settings(format=Format.SWISS, rounds=1, approve=(Approval.TABLE,), approve_hours=24))
    played(league).do(c.CheckLeague())
    league.do(c.ReopenResult(1))
    league.now = day(3)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    assert league.refusal(c.Approve()) == "nothing_to_approve"
    league.result(1, Mark.WIN)
    # the director sees the new table as long as the one before
    assert league.do(c.CheckLeague()) == [e.TablesHeld(approved_at=day(4))]
    assert due(league.state) == day(4)
    league.now = day(4)
    assert isinstance(league.do(c.CheckLeague())[-1], e.SeasonClosed)


def paused() -> League:
    league = begun()
    league.do(c.PauseSeason(""))
    return league


def approved() -> League:
    league = patient()
    league.do(c.Approve())
    return league


def stands() -> League:
    league = played(approved())
    league.do(c.CheckLeague())
    league.do(c.Approve())
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], c.Approve, str]] = {
    "while it is paused": (paused, c.Approve(), "paused"),
    "twice": (approved, c.Approve(), "nothing_to_approve"),
    "a table that stands": (stands, c.Approve(), "nothing_to_approve"),
    "another round": (begun, c.Approve("1", 2), "nothing_to_approve"),
    "before the start": (lambda: League(SWISS), c.Approve(), "no_season"),
}


@for_each("name", REFUSED)
def test_refuses_to_approve_what_does_not_wait(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before


def test_a_season_whose_table_waits_can_be_closed() -> None:
    league = played(approved())
    league.do(c.CheckLeague(), c.CloseSeason("enough"))
    assert league.season.phase is Phase.CLOSED


def test_whoever_leaves_before_an_approval_has_no_game() -> None:
    league = begun()
    league.do(c.Withdraw(league.season.fixtures[0].players[0]))
    approved, _ = league.do(c.Approve())
    assert approved == e.RoundApproved(division="1", round=1, meetings=(2,))
