"""What an admin changes besides results: settings between seasons, points of the table, and that a season is over."""

from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.league.changes import Who, Yes, about, act, report
from turnserver.cli.league.group import Reason, Which, load
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.config.leagues import with_assignments
from turnserver.league.commands import ChangeSettings, Penalize, ReopenSeason


@show.emits(list[LeagueEventTold])
def set_(
    ctx: typer.Context,
    league: Which,
    assignments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=VALUE]...", autocompletion=complete.league_settings, help="Settings, as `turnserver league settings` lists them."
        ),
    ] = None,
    *,
    reason: Reason,
    time: Annotated[str | None, typer.Option(metavar="TEXT", help="The time control of its games from then on, such as `3d`.")] = None,
    json: show.Json = False,
) -> None:
    """Change settings for the seasons to come, while none is announced or played. Those that are not named stay."""
    run = session(ctx)
    found = load(run, league)
    settings = with_assignments(found.state.for_next.settings, assignments or [])
    plan = run.service.leagues.change(found.id, ChangeSettings(settings, reason, time), actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def penalize(
    ctx: typer.Context,
    league: Which,
    player: Who,
    points: Annotated[str, typer.Argument(metavar="POINTS", help="How many: whole ones or halves, such as 1 or 1/2.")],
    *,
    reason: Reason,
    back: Annotated[bool, typer.Option("--back", help="Give back what was taken before.")] = False,
    json: show.Json = False,
) -> None:
    """Take points from a player in the table. `league explain` shows them with their reason."""
    run = session(ctx)
    found, person = load(run, league), run.service.player(player)
    with about(found, person):
        act(run, found, Penalize(person.id, f"-{points}" if back else points, reason), "", yes=True, json=json)


@show.emits(list[LeagueEventTold])
def reopen(ctx: typer.Context, league: Which, *, reason: Reason, yes: Yes = False, json: show.Json = False) -> None:
    """Go on with a season that was closed too early, while the next one is not announced. What its end left without a result is open."""
    run = session(ctx)
    found = load(run, league)
    act(run, found, ReopenSeason(reason), f"Go on with season {found.season.number} of {found.state.name}?", yes=yes, json=json)
