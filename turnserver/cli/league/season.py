"""The commands that change a league or its season as a whole: names and settings, dates, pauses, ends."""

from datetime import timedelta
from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.league.act import about, act, report
from turnserver.cli.league.group import By, Which, acting, instant_of, span
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.output.visible import Option, league_visibility
from turnserver.config.leagues import with_assignments
from turnserver.errors import BadOption
from turnserver.league import commands as c


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
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Why settings change; it stands in the log.")] = None,
    time: Annotated[str | None, typer.Option(metavar="TEXT", help="The time control of its games from then on, such as `3d`.")] = None,
    visible: Option = None,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Change settings for the seasons to come, while none is announced or played; those that are not named stay. Or say who may see it."""
    run, found = acting(ctx, league, by)
    if visible is not None and (assignments or time is not None):
        raise BadOption("Say who may see the league with a command of its own, because it holds at once: only --visible.")
    if visible is not None and by is not None:
        raise BadOption("Who may see the league is for an admin to say, so leave --as out.")
    if visible is not None:
        run.service.pages.public.show_to("league", found.id, visible.level)
        if json:
            show.json([])
        else:
            typer.echo(f"{found.title}, is now visible to: {league_visibility(run, [found.id])[found.id]}.")
        return
    if reason is None:
        raise BadOption("Say why with --reason TEXT.")
    settings = with_assignments(found.state.for_next.settings, assignments or [])
    with about(found):
        plan = run.service.leagues.change(found.id, c.ChangeSettings(settings, reason, time), actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def rename(
    ctx: typer.Context,
    league: Which,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    *,
    reason: show.Reason,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Give a league another name. Players of its season are told; mails and pages have the new name at once."""
    run, found = acting(ctx, league, by)
    with about(found):
        plan = run.service.leagues.rename(found.id, name, reason, actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def archive(
    ctx: typer.Context,
    league: Which,
    *,
    back: Annotated[bool, typer.Option("--back", help="Bring it back.")] = False,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Take a league out of all lists and pages. Nothing is deleted: --back brings it back. Its last season has to be over."""
    run, found = acting(ctx, league, by)
    question = "" if back else f"Archive {found.state.name}?"
    act(run, found, c.ArchiveLeague(reason, archived=not back), question, yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def dates(
    ctx: typer.Context,
    league: Which,
    *,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="The new end of entries, such as 2026-12-01 or 14d; `none` for until the start.")
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="The new start of the season, in the same forms, a day being its beginning; `none` for the end of entries."
        ),
    ] = None,
    later: Annotated[
        str | None, typer.Option(metavar="TIME", help="In a season that has begun: so much later for all rounds to come, such as 7d.")
    ] = None,
    earlier: Annotated[str | None, typer.Option(metavar="TIME", help="The same, but so much earlier.")] = None,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Move the dates of a season: entries and start before it begins, and then the rounds to come, or the end of a ladder's challenges."""
    run, found = acting(ctx, league, by)
    season, question = found.season, f"Move the dates of {found.state.name}?"
    before = until is not None or starts is not None
    if sum((before, later is not None, earlier is not None)) != 1:
        raise BadOption("Say the new dates with --until and --starts before the season begins, then --later or --earlier.")
    if not before:
        moved = span(later or earlier or "")
        act(run, found, c.MoveRounds(moved if later is not None else -moved, reason), question, yes=yes, json=json)
        return
    at, begins = season.entries_until, season.starts_at
    if starts is not None:
        begins = None if starts == "none" else instant_of(run, starts, starts=True)
        # Entries that would be open too long end as late as they can.
        at = at if begins is None or at is None or at <= begins - timedelta(hours=found.state.settings.ready_hours) else None
    if until is not None:
        at = None if until == "none" else instant_of(run, until)
    act(run, found, c.MoveSeason(at, begins, reason), question, yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def approve(
    ctx: typer.Context,
    league: Which,
    *,
    division: Annotated[str | None, typer.Option(metavar="NAME", help="Only the pairings of this division, such as 1.2.")] = None,
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="Only the pairings of this round.")] = None,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Let the games of new pairings begin, or have the final tables stand, in a league whose setting `approve` asks for that."""
    run, found = acting(ctx, league, by)
    act(run, found, c.Approve(division, number), f"Approve this in {found.state.name}?", yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def pause(ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False) -> None:
    """Pause a season: nothing is due in it, no game begins, and the clocks of its games stand still."""
    run, found = acting(ctx, league, by)
    act(run, found, c.PauseSeason(reason), f"Pause season {found.season.number} of {found.state.name}?", yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def resume(
    ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False
) -> None:
    """Go on with a paused season. Deadlines and dates are later by the length of the pause."""
    run, found = acting(ctx, league, by)
    act(run, found, c.ResumeSeason(reason), f"Go on with season {found.season.number} of {found.state.name}?", yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def close(ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False) -> None:
    """End a season early. Games that are not over end without a result."""
    run, found = acting(ctx, league, by)
    left = sum(not fixture.marks for fixture in found.season.fixtures)
    act(
        run,
        found,
        c.CloseSeason(reason),
        f"End season {found.season.number} of {found.state.name} with {left} games open?",
        yes=yes,
        json=json,
    )


@show.emits(list[LeagueEventTold])
def reopen(
    ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False
) -> None:
    """Reopen a season that was closed too early, if the next one is not announced yet. Meetings without a result are open again."""
    run, found = acting(ctx, league, by)
    act(run, found, c.ReopenSeason(reason), f"Go on with season {found.season.number} of {found.state.name}?", yes=yes, json=json)
