"""`turnserver league show` and `history`: how a league is, and what has happened in it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Final

import typer

from turnserver.audit.past import summary
from turnserver.cli import complete
from turnserver.cli.game.found import actor_told, cause_told
from turnserver.cli.league.act import told_events
from turnserver.cli.league.group import LeagueFound, Which, load, load_all
from turnserver.cli.league.shapes import LeagueDetails, LeagueEventTold, LeagueMoment
from turnserver.cli.league.status import byes_asked, details, played_as, to_do
from turnserver.cli.output import show
from turnserver.cli.output.moments import At
from turnserver.cli.output.shapes import names, times
from turnserver.cli.output.visible import league_visibility
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption
from turnserver.ids import GameId
from turnserver.league.course import due
from turnserver.league.entering import admitted, waiting
from turnserver.league.presentation.schedule import coming
from turnserver.league.presentation.words import points_told
from turnserver.league.settings import Format, Pace, Settings
from turnserver.league.state import Fixture, Phase, Season
from turnserver.mail.outbound.language import counted, until
from turnserver.service.games.claims import waiting_claims
from turnserver.service.upkeep.deadlines import SETTLE
from turnserver.store.games import views
from turnserver.store.games.views import GameSummary


@show.emits(list[LeagueMoment])
def schedule(ctx: typer.Context, league: Which, *, json: show.Json = False) -> None:
    """Show the next dates of a league. `league open` sets them for a season by --until and --starts, `league set` for later seasons."""
    run = session(ctx)
    found = load(run, league)
    ahead = moments(found)
    if json:
        show.json(ahead)
        return
    clock = times(run)
    rows = [(clock.at(one.at), coming_in(one.at, clock), one.what) for one in ahead]
    if rows:
        show.table(("At", "", "What happens"), rows, note=clock.note)
    else:
        show.words(f"Nothing happens by itself in {found.title}; `turnserver league show {found.id}` says what waits for you.")


def coming_in(at: datetime, clock: show.Times) -> str:
    """`in 2 days 23 hours`; `now` for what the next round of the service will do."""
    # The service judges an instant only after mail that came before it has had time to appear.
    if at <= clock.now < at + SETTLE:
        return "in less than a minute"
    return until(at, clock.now) if at > clock.now else "now"


def moments(found: LeagueFound) -> list[LeagueMoment]:
    """Return what will happen by itself, as far as it is known, the soonest first."""
    return [LeagueMoment(one.at, one.what) for one in coming(found.state, found.names)]


SLOWEST: Final = 15
"""The number of open games that are shown unless all are asked for."""


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
    """Show a league, now or in the past: its players, its open games and how slow they are, its next dates, and what waits for an admin."""
    run = session(ctx)
    if league is None and at is not None:
        raise BadOption("Name the league to show as it was.")
    found = load_all(run) if league is None else [load(run, league, at=at)]
    claims = claims_now(run, found)
    if json:
        games = open_games(run, found)
        visible = league_visibility(run, [one.id for one in found])
        show.json([details(one, games, visible[one.id], claims) for one in found])
    elif league is None:
        _all(run, found, claims)
    else:
        _one(run, found[0], claims, everything=everything)


def claims_now(run: Session, found: Sequence[LeagueFound]) -> Mapping[GameId, str]:
    """Return sentences about all claims that wait, by game; none if a league is shown as it was."""
    # Claims are looked for in games as they are now.
    if any(one.then is not None for one in found):
        return {}
    with run.service.db.read() as conn:
        return waiting_claims(conn, run.service.ledger.games)


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


def _all(run: Session, found: Sequence[LeagueFound], claims: Mapping[GameId, str]) -> None:
    """A line for each league, and below what waits for an admin in all of them."""
    clock = times(run)
    rows = [(str(one.id), one.state.name, phase_told(one), clock.at(due(one.state))) for one in found]
    empty = "There are no leagues; `turnserver league add` sets one up, and `turnserver league list --archived` lists former ones."
    show.table(("No", "League", "Now", "Next"), rows, right=("No",), empty=empty, note=clock.note)
    for one in found:
        _tasks(one, claims, f"{one.title}, waits for you:")


def _tasks(found: LeagueFound, claims: Mapping[GameId, str], heading: str) -> None:
    tasks = list(to_do(found, claims))
    if tasks:
        typer.echo(f"\n{heading}")
        show.facts([("-", task) for task in tasks])


def phase_told(found: LeagueFound) -> str:
    """`season 2, running: 12 of 28 games are over`."""
    state, season = found.state, found.state.season
    if state.archived:
        return "archived"
    if season is None:
        return "no season"
    if season.phase is Phase.CLOSED:
        again = len(season.reopened)
        now = "cancelled" if season.cancelled else f"over, but {counted(again, 'game')} on again" if again else "over"
    elif season.phase is Phase.RUNNING:
        there = [fixture for fixture in season.fixtures if len(fixture.players) > 1 and not fixture.void]
        # as tables count them, which have nobody who was struck
        games = [fixture for fixture in there if season.struck.isdisjoint(fixture.players)]
        paused = "paused" if season.paused_at is not None else "running"
        now = f"{paused}, {sum(bool(fixture.marks) for fixture in games)} of {counted(len(games), 'game')} over"
    else:
        late = waiting(state, season)
        now = f"{season.phase.value}, {counted(len(season.entries), 'player')}{f', {len(late)} of them waiting' if late else ''}"
    return f"season {season.number}: {now}"


def _one(run: Session, found: LeagueFound, claims: Mapping[GameId, str], *, everything: bool) -> None:
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
            ("Visible", league_visibility(run, [found.id])[found.id]),
            (
                "Directed by",
                "; ".join(f"{found.told.name(player)} ({', '.join(sorted(roles))})" for player, roles in sorted(state.roles.items())),
            ),
            ("Byes asked for", _byes(found)),
            ("Not to meet", "; ".join(found.told.all(sorted(pair)) for pair in sorted(state.barred, key=sorted))),
        )
    )
    _tasks(found, claims, "Waits for you:")
    if season is None or (season.phase is Phase.CLOSED and not season.reopened):
        return
    typer.echo()
    if season.phase in (Phase.RUNNING, Phase.CLOSED):
        _running(run, found, season, everything=everything)
    else:
        _entered(found, season)


def _byes(found: LeagueFound) -> str:
    season = found.state.season
    if season is None or season.phase is Phase.CLOSED:
        return ""
    told = ((found.told.name(season.who(line)), number, points_told(worth)) for line, number, worth in byes_asked(season))
    return "; ".join(f"{name} in round {number} ({worth})" for name, number, worth in told)


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
    if settings.bounds:
        parts.append(f"a point to begin with for each rating reached of {', '.join(map(str, settings.bounds))}")
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
    """Return what the league does next by itself, and when, or that it does nothing before another season is announced."""
    ahead, season = moments(found), found.state.season
    if not ahead and not found.state.archived and (season is None or season.phase is Phase.CLOSED):
        return f"No season is announced. `turnserver league open {found.id}` opens entries for the next one."
    return f"{clock.full(ahead[0].at)}, {coming_in(ahead[0].at, clock)}: {ahead[0].what}" if ahead else ""


def _entered(found: LeagueFound, season: Season) -> None:
    late = waiting(found.state, season)
    there = {entry.player for entry in admitted(found.state, season)}
    rows = []
    for at, entry in enumerate(season.entries, start=1):
        if entry.player in late:
            now = f"waits, place {late.index(entry.player) + 1}"
        elif season.phase is Phase.READY_CHECK:
            now = "is ready" if entry.ready else "has not answered"
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
    headings = ("Meeting", "Game", *_where(season, "Division", "Round"), "Players", "Turn", "Now")
    show.table(headings, cells, right=("Meeting", "Game", "Turn"), empty="There are no open games.", note=note)


def _where(season: Season, division: str, round_: str) -> tuple[str, ...]:
    # A ladder has no rounds, and a league of one division has no name for it.
    return (*((division,) if len(season.divisions) > 1 else ()), *((round_,) if season.climb is None else ()))


def _game_cells(found: LeagueFound, season: Season, fixture: Fixture, row: GameSummary, clock: show.Times) -> tuple[str, ...]:
    name = found.told.name
    now = row.status.value
    if row.to_move is not None:
        now = f"{name(row.players[row.to_move - 1])} to move"
        now += f", {clock.left(row.deadline)}" if row.deadline is not None else ""
    players = " - ".join(name(player) for player in row.players)
    return str(fixture.number), str(row.id), *_where(season, fixture.division, str(fixture.round)), players, str(row.turn), now


@show.emits(list[LeagueEventTold])
def history(ctx: typer.Context, league: Which, *, at: At = None, json: show.Json = False) -> None:
    """List every event of a league: when it happened, who did it, and by which request."""
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
