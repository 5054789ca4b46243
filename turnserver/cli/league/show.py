"""`turnserver league show` and `history`: how a league is, and what has happened in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Final

import typer

from turnserver.audit.past import summary
from turnserver.cli import complete
from turnserver.cli.game.found import actor_told, cause_told
from turnserver.cli.league.changes import told_events
from turnserver.cli.league.group import LeagueFound, Which, load, load_all
from turnserver.cli.league.shapes import LeagueDetails, LeagueEventTold, LeagueMoment
from turnserver.cli.league.status import details, played_as, to_do
from turnserver.cli.output import show
from turnserver.cli.output.moments import At
from turnserver.cli.output.shapes import names, times
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption
from turnserver.ids import GameId
from turnserver.league.closing import is_played, playoffs_due
from turnserver.league.course import due
from turnserver.league.entering import admitted, goes_on_at, has_to_ask, waiting
from turnserver.league.events import Division
from turnserver.league.formats.formats import next_begins, over_at, rounds_due
from turnserver.league.pairing import reminders
from turnserver.league.settings import Format, Pace, Settings
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.language import counted, until
from turnserver.store.games import views
from turnserver.store.games.views import GameSummary


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
        show.words(f"Nothing happens by itself in {found.title}; `turnserver league show {found.id}` says what waits for you.")


def coming_in(at: datetime, clock: show.Times) -> str:
    """`in 2 days 23 hours`; `now` for what the next round of the service will do."""
    return until(at, clock.now) if at > clock.now else "now"


def moments(found: LeagueFound) -> list[LeagueMoment]:
    """Return what will happen by itself, as far as it is known, the soonest first."""
    state, season = found.state, found.state.season
    if season is None or season.phase is Phase.CLOSED:
        coming = [LeagueMoment(state.next_at, f"season {state.seasons + 1} is announced")] if state.next_at is not None else []
    elif season.phase is Phase.RUNNING:
        coming = [*_deadlines(season), *(one for division in season.divisions for one in _rounds(state, season, division))]
        if season.climb is not None and not season.ended and state.settings.season_days:
            coming.append(LeagueMoment(season.began + timedelta(days=state.settings.season_days), "there are no more challenges"))
        # A place that is shared has to be played out first, and when that is done nobody knows.
        if is_played(state, season) and not playoffs_due(state, season):
            coming.append(LeagueMoment(over_at(season.fixtures, season.began), f"season {season.number} ends, as everything is played"))
    else:
        coming = list(_beginning(state, season))
    return sorted(coming, key=lambda one: one.at)


def _beginning(state: LeagueState, season: Season) -> Iterator[LeagueMoment]:
    at = goes_on_at(state, season)
    # Entries that end as the season goes on need no line of their own.
    if season.phase is Phase.ENTRIES and season.entries_until is not None and season.entries_until != at:
        yield LeagueMoment(season.entries_until, "entries end")
    if at is None:
        return
    if has_to_ask(state, season):
        over = season.entries_until is not None and season.entries_until < at
        yield LeagueMoment(
            at, "everybody is asked whether they are there" if over else "entries end, and everybody is asked whether they are there"
        )
        yield LeagueMoment(at + timedelta(hours=state.settings.ready_hours), f"season {season.number} begins with those who are there")
    else:
        yield LeagueMoment(at, f"season {season.number} begins, if {counted(state.settings.least, 'player')} are there")


def _deadlines(season: Season) -> Iterator[LeagueMoment]:
    open_ = Counter((one.deadline, one.division, one.round) for one in season.fixtures if not one.marks and not one.overdue)
    # A set: games of one round that are reminded of at once make one line.
    for at, division, number in sorted({(at, one.division, one.round) for at, one in reminders(season)}):
        yield LeagueMoment(at, f"a reminder of {_round(season, division, number)} goes to those who have not finished")
    for (deadline, division, number), games in open_.items():
        if deadline is not None:
            yield LeagueMoment(deadline, f"{_round(season, division, number)} is to be over; {counted(games, 'game')} not yet")


def _rounds(state: LeagueState, season: Season, division: Division) -> Iterator[LeagueMoment]:
    """Yield the beginnings of coming rounds: the next one, and the earliest ones of those that follow at fixed distances."""
    begins = next_begins(state, season, division)
    number = season.paired.get(division.name, 0) + 1
    if begins is not None:
        yield LeagueMoment(begins, f"{_round(season, division.name, number)} begins")
    if not state.settings.round_every:
        return
    # The next round is told above, if its beginning is known.
    first = number + 1 if begins is not None else number
    for later in range(first, rounds_due(state, season, division) + 1):
        at = season.began + timedelta(days=state.settings.round_every * (later - 1))
        yield LeagueMoment(at, f"{_round(season, division.name, later)} begins, if it need not wait")


def _round(season: Season, division: str, number: int) -> str:
    return f"round {number}" if len(season.divisions) < 2 else f"round {number} of division {division}"


SLOWEST: Final = 15
"""How many open games are shown unless all are asked for."""


@show.emits(list[LeagueDetails])
def show_(
    ctx: typer.Context,
    league: Annotated[
        str | None,
        typer.Argument(metavar="LEAGUE", autocompletion=complete.leagues, help="The league's number, such as 3, or its name; else all."),
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Show every open game, not only the slowest.")] = False,
    at: At = None,
    json: show.Json = False,
) -> None:
    """Show how a league is, or was: who is in it, which games are open and how slow, what happens next, and what waits for an admin."""
    run = session(ctx)
    if league is None and at is not None:
        raise BadOption("Name the league to show as it was.")
    found = load_all(run) if league is None else [load(run, league, at=at)]
    if json:
        games = open_games(run, found)
        show.json([details(one, games) for one in found])
    elif league is None:
        _all(run, found)
    else:
        _one(run, found[0], everything=everything)


def open_games(run: Session, found: Sequence[LeagueFound]) -> Mapping[GameId, GameSummary]:
    """Return the rows of the present seasons' games that are not over, as they are; of a single league also as they were then."""
    seasons = [one.state.season for one in found if one.state.season is not None]
    games = [fixture.game for season in seasons for fixture in season.fixtures if fixture.game is not None and not fixture.marks]
    alone = found[0] if len(found) == 1 else None
    with run.service.db.read() as conn:
        # The tables of the database show the present, so games of the past are folded anew.
        if alone is not None and alone.then is not None:
            then, ledger = alone.then, run.service.ledger
            return {game: summary(game, then.upto(ledger.games.history(conn, game)), ledger.find)[1] for game in games}
        rows = views.season_games(conn, alone.id if alone is not None else None)
        return {game: rows[game] for game in games}


def _all(run: Session, found: Sequence[LeagueFound]) -> None:
    """A line for each league, and below what waits for an admin in all of them."""
    clock = times(run)
    rows = [(str(one.id), one.state.name, phase_told(one), clock.at(due(one.state))) for one in found]
    empty = "There are no leagues yet; `turnserver league add` sets one up."
    show.table(("No", "League", "Now", "Next"), rows, right=("No",), empty=empty, note=clock.note)
    for one in found:
        _tasks(one, f"{one.title}, waits for you:")


def _tasks(found: LeagueFound, heading: str) -> None:
    tasks = list(to_do(found))
    if tasks:
        typer.echo(f"\n{heading}")
        show.facts([("-", task) for task in tasks])


def phase_told(found: LeagueFound) -> str:
    """`season 2, running: 12 of 28 games are over`."""
    state, season = found.state, found.state.season
    if season is None:
        return "no season"
    if season.phase is Phase.CLOSED:
        now = "over"
    elif season.phase is Phase.RUNNING:
        games = [fixture for fixture in season.fixtures if len(fixture.players) > 1]
        now = f"running, {sum(bool(fixture.marks) for fixture in games)} of {counted(len(games), 'game')} over"
    else:
        late = waiting(state, season)
        now = f"{season.phase.value}, {counted(len(season.entries), 'player')}{f', {len(late)} of them waiting' if late else ''}"
    return f"season {season.number}: {now}"


def _one(run: Session, found: LeagueFound, *, everything: bool) -> None:
    clock, state, season = times(run, found.then), found.state, found.state.season
    show.facts(
        (
            ("League", f"{found.id}, {state.name}"),
            ("As of", f"{clock.full(found.then.instant)}, after {counted(state.version, 'event')}" if found.then else ""),
            ("Game", played_as(state)),
            ("Settings", settings_told(state.settings)),
            ("Now", phase_told(found)),
            ("Began", clock.full(season.started_at) if season is not None else ""),
            ("Next", next_told(found, clock)),
            ("Not to meet", "; ".join(found.told.all(sorted(pair)) for pair in sorted(state.barred, key=sorted))),
        )
    )
    _tasks(found, "Waits for you:")
    if season is None or season.phase is Phase.CLOSED:
        return
    typer.echo()
    if season.phase is Phase.RUNNING:
        _running(run, found, season, everything=everything)
    else:
        _entered(found, season)


def settings_told(settings: Settings) -> str:
    """Return the main settings in one line."""
    if settings.format is Format.LADDER:
        return _ladder_told(settings)
    parts = ["all rounds at once" if settings.pace is Pace.TOGETHER else settings.pace.value]
    if settings.round_every:
        parts = [f"a round every {counted(settings.round_every, 'day')}"]
    if settings.at_once:
        parts.append(f"at most {counted(settings.at_once, 'game')} at once")
    if settings.round_days:
        parts.append(f"{counted(settings.round_days, 'day')} for a round")
    if settings.tiers:
        sizes = [f"{tier.divisions}x{tier.size}" if tier.divisions > 1 else str(tier.size) for tier in settings.tiers]
        parts.append(f"tiers of {', '.join(sizes)}")
    if settings.most:
        parts.append(f"{settings.least} to {settings.most} players")
    if settings.tie_breaks:
        parts.append(f"ties by {', '.join(one.value for one in settings.tie_breaks)}")
    return "; ".join(parts)


def _ladder_told(settings: Settings) -> str:
    parts = [f"challenges up to {counted(settings.reach, 'place')} above"]
    if settings.round_days:
        parts.append(f"{counted(settings.round_days, 'day')} for a game")
    if settings.season_days:
        parts.append(f"a season of {counted(settings.season_days, 'day')}")
    return "; ".join(parts)


def next_told(found: LeagueFound, clock: show.Times) -> str:
    """Return what the league does next by itself, and when. Empty if nothing is planned."""
    coming = moments(found)
    return f"{clock.full(coming[0].at)}, {coming_in(coming[0].at, clock)}: {coming[0].what}" if coming else ""


def _entered(found: LeagueFound, season: Season) -> None:
    late = waiting(found.state, season)
    there = {entry.player for entry in admitted(found.state, season)}
    rows = []
    for at, entry in enumerate(season.entries, start=1):
        if entry.player in late:
            now = f"waits, place {late.index(entry.player) + 1}"
        elif season.phase is Phase.READY_CHECK:
            now = "is there" if entry.ready else "has not answered"
        else:
            now = "is in" if entry.player in there else ""
        rows.append((str(at), found.told.name(entry.player), f"{entry.rating:.0f}", now))
    show.table(("No", "Player", "Rating", "Now"), rows, right=("No", "Rating"), empty="Nobody has entered yet.")


def _running(run: Session, found: LeagueFound, season: Season, *, everything: bool) -> None:
    rows = open_games(run, [found])
    fixtures = [fixture for fixture in season.fixtures if fixture.game in rows]
    # The fewer turns a game has had, the slower it is.
    fixtures.sort(key=lambda fixture: (rows[fixture.game].turn, fixture.number) if fixture.game else (0, 0))
    shown = fixtures if everything else fixtures[:SLOWEST]
    clock = times(run, found.then)
    cells = [_game_cells(found, season, fixture, rows[fixture.game], clock) for fixture in shown if fixture.game is not None]
    left = len(fixtures) - len(shown)
    note = f"The slowest {len(shown)} of {len(fixtures)} open games; --all shows every one." if left else ""
    headings = ("Meeting", "Game", *(("Division",) if len(season.divisions) > 1 else ()), "Round", "Players", "Turn", "Now")
    show.table(headings, cells, right=("Meeting", "Game", "Turn"), empty="There are no open games.", note=note)


def _game_cells(found: LeagueFound, season: Season, fixture: Fixture, row: GameSummary, clock: show.Times) -> tuple[str, ...]:
    name = found.told.name
    where = (fixture.division, str(fixture.round)) if len(season.divisions) > 1 else (str(fixture.round),)
    now = row.status.value
    if row.to_move is not None:
        now = f"{name(row.players[row.to_move - 1])} to move"
        now += f", {clock.left(row.deadline)}" if row.deadline is not None else ""
    players = " - ".join(name(player) for player in row.players)
    return str(fixture.number), str(row.id), *where, players, str(row.turn), now


@show.emits(list[LeagueEventTold])
def history(ctx: typer.Context, league: Which, *, at: At = None, json: show.Json = False) -> None:
    """List everything that has happened in a league: what, when, who wanted it and what asked for it."""
    run = session(ctx)
    found = load(run, league, at=at)
    events = told_events(run, found.id)
    # A league's version is how many events it had by then.
    events = events if found.then is None else events[: found.state.version]
    if json:
        show.json(events)
        return
    clock = times(run)
    people = names(run)
    rows = [
        (str(one.version), clock.at(one.at), (actor_told(one.actor, people), cause_told(one.cause)), one.what, one.hash[:8])
        for one in events
    ]
    show.table(("No", "At", "By", "What", "Hash"), rows, right=("No",), note=clock.note)
