"""The dates at which seasons start and rounds begin."""

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, LOTS, League, day
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league.course import due
from turnserver.league.events import ReadyCheckBegun, RoundPaired, SeasonAnnounced
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Pace, Settings
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)
LATE = PlayerId(99)
WEEKLY = Settings(round_every=7, round_days=10, remind_percent=0)
WAITING = Settings(pace=Pace.ROUND_BY_ROUND, round_every=7, round_days=10, remind_percent=0)
CUP = Settings(format=Format.KNOCKOUT, round_every=7, round_days=10, remind_percent=0, replays=1)


def announced(settings: Settings, until: float | None, starts: float | None) -> League:
    league = League(settings)
    league.do(c.AnnounceSeason(None if until is None else day(until), starts_at=None if starts is None else day(starts)))
    league.do(*(c.Enter(player, 1500) for player in FOUR))
    return league


def begun(settings: Settings) -> League:
    league = League(settings)
    league.begin(FOUR)
    return league


def check(league: League, days: float) -> list[tuple[int, object]]:
    """The rounds that begin that late, and their deadlines."""
    league.now = day(days)
    return [(event.round, event.deadline) for event in league.do(c.CheckLeague()) if isinstance(event, RoundPaired)]


def draw_all(league: League, days: float) -> None:
    league.now = day(days)
    for fixture in league.season.fixtures:
        if not fixture.marks:
            league.result(fixture.number, Mark.DRAW)


@for_each(
    ("hours", "until", "starts", "entries_end", "goes_on"),
    [
        (0, 7, None, 7, 7),
        (0, 7, 30, 7, 30),
        (0, 7, 7, 7, 7),
        (0, None, 30, 30, 30),
        (48, 7, 30, 7, 28),
        (48, None, 30, 28, 28),
        (48, 5, 7, 5, 5),
    ],
)
def test_a_season_starts_when_entries_have_ended_or_later(
    hours: int, until: float | None, starts: float | None, entries_end: float, goes_on: float
) -> None:
    league = announced(Settings(ready_hours=hours), until, starts)
    assert league.season.entries_until == day(entries_end)
    assert due(league.state) == day(goes_on)
    league.now = day(goes_on - 0.01)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    league.now = day(entries_end + 0.01)
    assert league.refusal(c.Enter(LATE, 1500)) == "entries_closed"
    league.now = day(goes_on)
    if hours:
        assert league.do(c.CheckLeague()) == [ReadyCheckBegun(until=day(goes_on + 2))]
        league.do(*map(c.Confirm, FOUR))
        league.now = day(goes_on + 2)
    league.do(c.CheckLeague())
    assert league.season.started_at == league.now


@for_each(("hours", "until", "starts"), [(0, 7, 6), (48, 6, 7), (0, None, -1), (48, None, 1), (0, -1, 7)])
def test_dates_that_do_not_go_together(hours: int, until: float | None, starts: float) -> None:
    league = League(Settings(ready_hours=hours))
    assert league.refusal(c.AnnounceSeason(None if until is None else day(until), starts_at=day(starts))) == "bad_instant"


def test_the_start_is_announced() -> None:
    league = League(Settings())
    assert league.do(c.AnnounceSeason(day(7), starts_at=day(9))) == [
        SeasonAnnounced(season=1, entries_until=day(7), commitment=LOTS.commitment(1), starts_at=day(9))
    ]


def test_an_admin_need_not_wait_for_the_start() -> None:
    league = announced(Settings(), 7, 30)
    league.now = day(8)
    league.do(c.StartSeason())
    assert league.season.phase is Phase.RUNNING


def test_rounds_of_a_fixed_format_begin_at_their_dates() -> None:
    league = begun(WEEKLY)
    assert [fixture.round for fixture in league.season.fixtures] == [1, 1]
    assert league.season.fixtures[0].deadline == day(10)
    assert due(league.state) == day(7)
    draw_all(league, 2)
    assert due(league.state) == day(7)
    assert check(league, 7) == [(2, day(17))]
    assert due(league.state) == day(14)
    assert check(league, 14) == [(3, day(24))]
    assert [fixture.round for fixture in league.season.fixtures if not fixture.marks] == [2, 2, 3, 3]
    assert due(league.state) == day(17)


def test_rounds_whose_dates_were_missed_begin_together() -> None:
    assert check(begun(Settings(round_every=7, round_days=20, remind_percent=0)), 15) == [(2, day(35)), (3, day(35))]


def test_rounds_that_wait_begin_no_sooner_than_their_date() -> None:
    league = begun(WAITING)
    draw_all(league, 3)
    assert due(league.state) == day(7)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    assert check(league, 7) == [(2, day(17))]
    draw_all(league, 16)
    assert due(league.state) == day(16)
    assert check(league, 16) == [(3, day(26))]


def test_a_round_waits_for_the_one_before() -> None:
    league = begun(WAITING)
    league.result(1, Mark.DRAW)
    assert due(league.state) == day(10)
    league.now = day(9)
    assert league.refusal(c.CheckLeague()) == "nothing_due"


def test_a_replay_in_a_cup_does_not_wait_for_a_date() -> None:
    league = begun(CUP)
    draw_all(league, 2)
    assert due(league.state) == day(2)
    assert check(league, 2) == [(1, day(12))]
    draw_all(league, 3)
    assert due(league.state) == day(7)
    assert check(league, 7) == [(2, day(17))]
