"""`turnserver league schedule`: what happens in a league when."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

import typer

from turnserver.cli.league.group import LeagueFound, Which, load
from turnserver.cli.league.shapes import LeagueMoment
from turnserver.cli.output import show
from turnserver.cli.output.tables import times
from turnserver.cli.session import session
from turnserver.league.closing import is_played, playoffs_due
from turnserver.league.entering import goes_on_at, has_to_ask
from turnserver.league.events import Division
from turnserver.league.formats.formats import next_begins, over_at, rounds_due
from turnserver.league.reminding import reminders
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.mail.outbound.wording import counted, until


@show.emits(list[LeagueMoment])
def schedule(ctx: typer.Context, league: Which, *, json: show.Json = False) -> None:
    """Show what happens in a league when. `league open` with --until and --starts sets it for a season, `league set` for those to come."""
    run = session(ctx)
    found = load(run, league)
    coming = moments(found)
    if json:
        show.json(coming)
        return
    clock = times(run)
    rows = [(clock.at(one.at), coming_in(one.at, clock), one.what) for one in coming]
    if rows:
        show.table(("At", "", "What happens"), rows, note=clock.note)
    else:
        show.words(f"Nothing happens by itself in {found.title}; `turnserver league status {found.id}` says what waits for you.")


def coming_in(at: datetime, clock: show.Times) -> str:
    """`in 2 days 23 hours`; `now` for what the next round of the service will do."""
    return until(at, clock.now) if at > clock.now else "now"


def moments(found: LeagueFound) -> list[LeagueMoment]:
    """What is to happen by itself, as far as it is known, in the order of time."""
    state, season = found.state, found.state.season
    if season is None or season.phase is Phase.CLOSED:
        coming = [LeagueMoment(state.next_at, f"season {state.seasons + 1} is announced")] if state.next_at is not None else []
    elif season.phase is Phase.RUNNING:
        coming = [*_deadlines(season), *(one for division in season.divisions for one in _rounds(state, season, division))]
        if season.climb is not None and not season.ended and state.settings.season_days:
            coming.append(LeagueMoment(season.began + timedelta(days=state.settings.season_days), "there are no more challenges"))
        if is_played(state, season) and not playoffs_due(state, season):
            coming.append(LeagueMoment(over_at(season.fixtures, season.began), f"season {season.number} ends, as everything is played"))
    else:
        coming = list(_beginning(state, season))
    return sorted(coming, key=lambda one: one.at)


def _beginning(state: LeagueState, season: Season) -> Iterator[LeagueMoment]:
    at = goes_on_at(state, season)
    if season.phase is Phase.ENTRIES and season.entries_until is not None and season.entries_until != at:
        yield LeagueMoment(season.entries_until, "entries end")
    if at is None:
        return
    if has_to_ask(state, season):
        over = season.entries_until is not None and season.entries_until < at
        yield LeagueMoment(
            at, "everybody is asked whether he is there" if over else "entries end, and everybody is asked whether he is there"
        )
        yield LeagueMoment(at + timedelta(hours=state.settings.ready_hours), f"season {season.number} begins with those who are there")
    else:
        yield LeagueMoment(at, f"season {season.number} begins, if {counted(state.settings.least, 'player')} are there")


def _deadlines(season: Season) -> Iterator[LeagueMoment]:
    """When rounds are to be over that are not, and when reminders of them go out."""
    open_ = Counter((one.deadline, one.division, one.round) for one in season.fixtures if not one.marks and not one.overdue)
    for at, division, number in sorted({(at, one.division, one.round) for at, one in reminders(season)}):
        yield LeagueMoment(at, f"a reminder of {_round(season, division, number)} goes to those who have not finished")
    for (deadline, division, number), games in open_.items():
        if deadline is not None:
            yield LeagueMoment(deadline, f"{_round(season, division, number)} is to be over; {counted(games, 'game')} not yet")


def _rounds(state: LeagueState, season: Season, division: Division) -> Iterator[LeagueMoment]:
    """When rounds begin that have not: the next one, and where they are so many days apart, those that follow, at the earliest."""
    begins = next_begins(state, season, division)
    number = season.paired.get(division.name, 0) + 1
    if begins is not None:
        yield LeagueMoment(begins, f"{_round(season, division.name, number)} begins")
    if not state.settings.round_every:
        return
    first = number + 1 if begins is not None else number
    for later in range(first, rounds_due(state, season, division) + 1):
        at = season.began + timedelta(days=state.settings.round_every * (later - 1))
        yield LeagueMoment(at, f"{_round(season, division.name, later)} begins, if it need not wait")


def _round(season: Season, division: str, number: int) -> str:
    return f"round {number}" if len(season.divisions) < 2 else f"round {number} of division {division}"
