"""`turnserver audit` and `turnserver events`: proof that the log is as it was written, and that its catalogue still holds."""

import sys
from typing import Annotated, TypeAlias

import msgspec
import typer
from msgspec import Meta
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from turnserver import resources
from turnserver.audit import checkpoints as checkpointed
from turnserver.audit import derived_rows as rows_audit
from turnserver.audit import ratings_now as rating_audit
from turnserver.audit.league import leagues
from turnserver.audit.replaying import processors, replay
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.mail.outbound.wording import counted
from turnserver.service.games import archiving
from turnserver.store.catalogue import events as catalogue
from turnserver.store.log import log, schema
from turnserver.store.log import verify as audit
from turnserver.store.log.verify import Finding

audit_app = typer.Typer(no_args_is_help=True, help="Prove that nothing in the log was changed.")
events_app = typer.Typer(no_args_is_help=True, help="Check and generate the catalogue of events.")

Workers: TypeAlias = Annotated[
    int | None, typer.Option("--workers", min=1, metavar="N", help="Processes that play games again; by default, one a processor.")
]


class Found(msgspec.Struct, frozen=True):
    """Something wrong in the log."""

    position: Annotated[int | None, Meta(description="the place in the whole log")]
    stream: Annotated[str | None, Meta(description="the stream, such as game-17")]
    version: Annotated[int | None, Meta(description="the place in the stream")]
    problem: Annotated[str, Meta(description="what is wrong there")]


class Audit(msgspec.Struct, frozen=True):
    """What an audit saw."""

    events: Annotated[int, Meta(description="events that were checked")]
    games: Annotated[int, Meta(description="games that were played again by their rules")]
    leagues: Annotated[int, Meta(description="leagues that were decided again, and held against their games")]
    findings: Annotated[list[Found], Meta(description="what is wrong; empty if nothing is")]


class CatalogueProblem(msgspec.Struct, frozen=True):
    """Something in the catalogue that does not hold."""

    path: Annotated[str, Meta(description="the file below the catalogue's directory")]
    problem: Annotated[str, Meta(description="what is wrong with it")]


@audit_app.command("verify")
@show.emits(Audit)
def verify(ctx: typer.Context, *, workers: Workers = None, json: show.Json = False) -> None:
    """Check every event, play every game and decide every league again, work out all ratings anew and check the checkpoints.

    Ends with 1 if anything is wrong.
    """
    run = session(ctx)
    service, database = run.service, run.settings.database
    findings: list[Found] = []
    with progress() as shown:
        with service.db.read() as conn:
            games = audit.games(conn)
            events = log.last_position(conn)
            task = shown.add_task("Events", total=events)
            findings += [_found(finding) for finding in audit.verify(conn, lambda done: shown.update(task, completed=done))]
        task = shown.add_task("Games", total=len(games))
        outcomes = []
        for outcome in replay(database.url, games, workers or processors(), busy_timeout_seconds=database.busy_timeout_seconds):
            outcomes += [outcome] if outcome.findings else []
            shown.advance(task)
        order = {game: place for place, game in enumerate(games)}
        outcomes.sort(key=lambda outcome: order[outcome.game])
        findings += [_found(finding) for outcome in outcomes for finding in outcome.findings]
        with service.db.read() as conn:
            known = audit.leagues(conn)
        task = shown.add_task("Leagues", total=len(known))
        for league in known:
            findings += [_found(finding) for finding in leagues.verify(service.db, league)]
            shown.advance(task)
    findings += [Found(None, None, None, problem) for problem in schema.differences(service.db)]
    findings += [_found(finding) for finding in archiving.verify(service.db)]
    with service.db.read() as conn:
        findings += [_found(finding) for finding in rows_audit.verify(conn)]
        findings += [_found(finding) for finding in rating_audit.verify(conn)]
        findings += [_found(finding) for finding in checkpointed.findings(conn, run.settings)]
    done = Audit(events, len(games), len(known), findings)
    if json:
        show.json(done)
    else:
        rows = [(str(one.position or ""), one.stream or "", str(one.version or ""), one.problem) for one in findings]
        checked = [counted(events, "event"), counted(len(games), "game"), *([counted(len(known), "league")] if known else [])]
        seen = f"{', '.join(checked[:-1])} and {checked[-1]} were checked"
        wrong = f"{counted(len(findings), 'thing')} {'is' if len(findings) == 1 else 'are'} wrong"
        if rows:
            show.table(("Position", "Stream", "Version", "What is wrong"), rows, right=("Position", "Version"), note=f"{seen}: {wrong}.")
        else:
            typer.echo(f"{seen}: everything is as it was written.")
    if findings:
        raise typer.Exit(1)


@events_app.command("check")
@show.emits(list[CatalogueProblem])
def check(*, json: show.Json = False) -> None:
    """Check that every event that was ever stored can still be read, and means what it meant; ends with 1 if not."""
    problems = catalogue.check(resources.events_dir())
    if json:
        show.json([CatalogueProblem(problem.path, problem.says) for problem in problems])
    elif problems:
        typer.echo("\n".join(map(str, problems)))
    else:
        typer.echo(f"Everything in {resources.events_dir()} holds.")
    if problems:
        raise typer.Exit(1)


@events_app.command("write")
def write() -> None:
    """Generate the schemas of the current events and the README of the catalogue anew."""
    catalogue.write(resources.events_dir())
    typer.echo(f"Wrote the schemas and README.md in {resources.events_dir()}.")


def _found(finding: Finding) -> Found:
    return Found(finding.position, finding.stream, finding.version, finding.problem)


def progress() -> Progress:
    """A bar on the standard error, if somebody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
