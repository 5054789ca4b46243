"""Reminders of a round that is to be over soon: whom they reach, and when."""

import pytest

from tests.league.seasons import ADA, BOB, CLEO, DAN, League, day
from turnserver.league import commands as c
from turnserver.league.course import due
from turnserver.league.events import RoundOverdue, RoundReminded
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Pace, Settings, TierSize

FOUR = (ADA, BOB, CLEO, DAN)
ROUNDS = Settings(pace=Pace.ROUND_BY_ROUND, round_days=10)


def begun(settings: Settings = ROUNDS) -> League:
    league = League(settings)
    league.begin(FOUR)
    return league


def test_whoever_still_plays_is_reminded_once() -> None:
    league = begun()
    assert due(league.state) == day(7.5)
    league.result(1, Mark.WIN)
    league.now = day(7.5)
    assert league.do(c.CheckLeague()) == [RoundReminded(division="1", round=1, meetings=(2,))]
    assert due(league.state) == day(10)
    league.do(c.ReopenResult(1))
    assert due(league.state) == day(10)
    assert league.refusal(c.CheckLeague()) == "nothing_due"


def test_nobody_is_reminded_who_has_played() -> None:
    league = begun()
    league.result(1, Mark.WIN)
    league.result(2, Mark.WIN)
    assert due(league.state) == day(0)


def test_rounds_that_began_together_are_reminded_of_one_by_one() -> None:
    league = begun(Settings(round_days=10, remind_percent=50))
    for days, number in ((5, 1), (10, 2), (15, 3)):
        league.now = day(days)
        reminded = [event.round for event in league.do(c.CheckLeague()) if isinstance(event, RoundReminded)]
        assert reminded == [number]


@pytest.mark.parametrize("settings", [Settings(round_days=10, remind_percent=0), Settings()])
def test_without_a_deadline_or_a_wish_nobody_is_reminded(settings: Settings) -> None:
    assert all(fixture.remind_at is None for fixture in begun(settings).season.fixtures)


def test_it_is_too_late_for_a_reminder_after_the_deadline() -> None:
    league = begun()
    league.now = day(11)
    assert league.do(c.CheckLeague()) == [RoundOverdue(division="1", round=1, meetings=(1, 2))]
    assert due(league.state) is None


def test_an_admin_may_remind_at_any_time() -> None:
    league = begun(Settings(pace=Pace.ROUND_BY_ROUND, round_days=10, tiers=(TierSize(size=2), TierSize(size=2))))
    assert league.do(c.Remind("2")) == [RoundReminded(division="2", round=1, meetings=(2,))]
    assert league.do(c.Remind()) == [
        RoundReminded(division="1", round=1, meetings=(1,)),
        RoundReminded(division="2", round=1, meetings=(2,)),
    ]
    assert due(league.state) == day(10)
    assert league.refusal(c.Remind("3")) == "not_found"
    league.result(1, Mark.WIN)
    assert league.refusal(c.Remind("1")) == "nothing_open"


def test_nobody_is_reminded_when_nothing_is_played() -> None:
    league = League(ROUNDS)
    league.do(c.AnnounceSeason())
    assert league.refusal(c.Remind()) == "season_not_begun"
    over = begun(Settings(format=Format.KNOCKOUT))
    over.do(c.CloseSeason("rain"))
    assert over.refusal(c.Remind()) == "no_season"
