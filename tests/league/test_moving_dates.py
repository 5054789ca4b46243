"""Dates of seasons that an admin moves: before the start, and those of rounds to come."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, League, day
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.formats.formats import next_begins
from turnserver.league.presentation.schedule import coming
from turnserver.league.settings import Format, Pace, Settings

DATED = Settings(pace=Pace.TOGETHER, round_every=7)
CHECKED = Settings(ready_hours=24)


def announced(settings: Settings = DATED) -> League:
    league = League(settings)
    league.do(c.AnnounceSeason(day(10), starts_at=day(14)))
    return league


def running(settings: Settings = DATED) -> League:
    league = League(settings)
    league.begin((ADA, BOB, CLEO, DAN))
    return league


def test_an_announced_season_begins_at_its_new_date() -> None:
    league = announced()
    assert league.do(c.MoveSeason(day(12), day(20), "the holidays")) == [
        e.SeasonMoved(entries_until=day(12), starts_at=day(20), reason="the holidays")
    ]
    assert due(league.state) == day(20)
    league.now = day(11)
    league.do(*(c.Enter(player, 1500) for player in (ADA, BOB, CLEO)))
    league.now = day(13)
    assert league.refusal(c.Enter(DAN, 1500)) == "entries_closed"


def test_a_ready_check_goes_on_until_the_new_start() -> None:
    league = announced(CHECKED)
    league.do(*(c.Enter(player, 1500) for player in (ADA, BOB, CLEO)), c.StartSeason())
    league.do(c.MoveSeason(None, day(5), "more time"))
    assert due(league.state) == day(5)


def test_rounds_to_come_begin_later_and_so_does_the_end_of_a_ladder() -> None:
    league = running()
    [division] = league.season.divisions
    assert league.do(c.MoveRounds(timedelta(days=3), "a feast")) == [e.RoundsMoved(seconds=3 * 86_400, reason="a feast")]
    assert next_begins(league.state, league.season, division) == day(10)
    league.do(c.MoveRounds(timedelta(days=-2), "a short one"))
    assert next_begins(league.state, league.season, division) == day(8)
    ladder = running(Settings(format=Format.LADDER, season_days=30))
    ladder.do(c.MoveRounds(timedelta(days=3), ""))
    assert day(33) in [one.at for one in coming(ladder.state, {})]


def asked() -> League:
    league = announced(CHECKED)
    league.do(*(c.Enter(player, 1500) for player in (ADA, BOB, CLEO)), c.StartSeason())
    return league


FOLLOWING = Settings(format=Format.SWISS, rounds=2, round_days=7)

MOVES: Mapping[str, tuple[Callable[[], League], c.Command, str]] = {
    "a start in the past": (announced, c.MoveSeason(None, day(-1), ""), "bad_instant"),
    "a start before the end of entries": (announced, c.MoveSeason(day(12), day(11), ""), "bad_instant"),
    "a ready check without an end": (asked, c.MoveSeason(None, None, ""), "bad_instant"),
    "the dates that there are": (announced, c.MoveSeason(day(10), day(14), ""), "as_it_is"),
    "a season that has begun": (running, c.MoveSeason(None, day(20), ""), "season_running"),
    "rounds of one that has not": (announced, c.MoveRounds(timedelta(days=1), ""), "season_not_begun"),
    "rounds without dates": (lambda: running(Settings()), c.MoveRounds(timedelta(days=1), ""), "no_dates"),
    "rounds that follow one another": (lambda: running(FOLLOWING), c.MoveRounds(timedelta(days=1), ""), "rounds_follow"),
    "a ladder without an end": (lambda: running(Settings(format=Format.LADDER)), c.MoveRounds(timedelta(days=1), ""), "no_dates"),
    "rounds into the past": (running, c.MoveRounds(timedelta(days=-8), ""), "bad_instant"),
    "rounds out of the calendar": (running, c.MoveRounds(timedelta(days=7000 * 365), ""), "bad_instant"),
    "by nothing": (running, c.MoveRounds(timedelta(0), ""), "bad_instant"),
}


@for_each("name", MOVES)
def test_refuses_dates_that_cannot_be(name: str) -> None:
    make, command, code = MOVES[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before
