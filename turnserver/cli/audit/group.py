"""`turnserver audit` and `turnserver events`: proof that the log is as it was written, and that its catalogue still holds."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, TypeAlias, assert_never

import msgspec
import typer
from msgspec import Meta
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from turnserver import resources
from turnserver.audit import checkpoints, derived_rows, parts, replaying
from turnserver.audit.parts import Audited, OneGame, OneLeague, Part, Parts
from turnserver.audit.workers import processors
from turnserver.cli.doctor.findings import Check, check
from turnserver.cli.output import show
from turnserver.cli.output.shapes import times
from turnserver.cli.session import session
from turnserver.config import DatabaseSettings
from turnserver.ids import GameId
from turnserver.mail.outbound.language import counted
from turnserver.service.games import records
from turnserver.service.service import Service
from turnserver.service.upkeep.plausible_clock import BEHIND
from turnserver.store.catalogue import events as catalogue
from turnserver.store.incidents import restorations
from turnserver.store.incidents.restorations import NOTICED
from turnserver.store.log import log, schema
from turnserver.store.log import verify as audit
from turnserver.store.log.verify import Finding, Page


class Return(msgspec.Struct, frozen=True):
    """One return of the database to an earlier state."""

    at: Annotated[datetime, Meta(description="when it was put back, or when that was noticed")]
    since: Annotated[datetime | None, Meta(description="the instant after which things may be lost; null if nobody knows")]
    position: Annotated[int, Meta(description="the last event that the old history and the new one share")]
    said: Annotated[bool, Meta(description="whether somebody said so; else a mail has shown it")]
    lost: Annotated[bool, Meta(description="whether anything may be lost")]
    told: Annotated[bool, Meta(description="whether the players have been told")]


class Missing(msgspec.Struct, frozen=True):
    """A thing that happened and is missing in the history."""

    what: Annotated[str, Meta(description="the lost thing, such as `game 17, turn 8, edition 0`")]
    shown_by: Annotated[str, Meta(description="the evidence that it existed")]
    at: Annotated[datetime, Meta(description="when the loss was found out")]
    mail: Annotated[int | None, Meta(description="the number of the mail in the inbox that shows it")]


class LossReport(msgspec.Struct, frozen=True):
    """All that is known of lost history."""

    restorations: Annotated[list[Return], Meta(description="the returns of the database to an earlier state, oldest first")]
    losses: Annotated[list[Missing], Meta(description="the things that are known to be lost, in the order of discovery")]


@show.emits(LossReport)
def loss(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Show when the database was put back to an earlier state, and what is known to be lost."""
    run = session(ctx)
    found = _losses_found(run.service)
    if json:
        show.json(found)
        return
    when = times(run)
    for one in found.restorations:
        said = "was put back" if one.said else "proved to be an older one"
        typer.echo(f"{when.full(one.at)}: the database {said}; what follows position {one.position} is new.")
        if one.said and not one.lost:
            typer.echo("Whoever did it said that nothing was lost.")
        elif one.since is not None:
            typer.echo(f"What happened after {when.full(one.since)} may be lost. {'The players know.' if one.told else ''}".rstrip())
        typer.echo()
    rows = [(one.what, one.shown_by, when.at(one.at), str(one.mail or "")) for one in found.losses]
    show.table(("Lost", "Shown by", "Found out", "Mail"), rows, right=("Mail",), empty="Nothing is known to be lost.")


def examine_losses(service: Service) -> Iterator[Check]:
    """Yield the doctor's finding about lost history. Yields nothing if the database was never put back."""
    found = _losses_found(service)
    if found.losses:
        many = counted(len(found.losses), "thing")
        yield check("history", "note", f"{many} that happened {'is' if len(found.losses) == 1 else 'are'} lost; `turnserver audit loss`")
    if any(not one.said for one in found.restorations):
        yield check(
            "history", "note", "the database proved to be an older one, which nobody has said; see `turnserver restored` in AUDIT.md"
        )


def _losses_found(service: Service) -> LossReport:
    with service.db.read() as conn:
        returns = [
            Return(one.at, one.put_back_to if one.lost else None, one.position, one.reason != NOTICED, one.lost, one.told)
            for one in restorations.every(conn)
        ]
        return LossReport(returns, [Missing(one.subject, one.evidence, one.at, one.mail) for one in restorations.every_loss(conn)])


Workers: TypeAlias = Annotated[
    int | None, typer.Option("--workers", min=1, metavar="N", help="The number of processes that replay games; else one per processor.")
]


class AuditFinding(msgspec.Struct, frozen=True):
    """Something wrong in the log."""

    position: Annotated[int | None, Meta(description="the place in the whole log")]
    stream: Annotated[str | None, Meta(description="the stream, such as game-17")]
    version: Annotated[int | None, Meta(description="the place in the stream")]
    problem: Annotated[str, Meta(description="the fault")]


class AuditReport(msgspec.Struct, frozen=True):
    """The result of an audit."""

    events: Annotated[int, Meta(description="events that were checked")]
    games: Annotated[int, Meta(description="games that were played again by their rules")]
    leagues: Annotated[int, Meta(description="leagues that were decided again and compared with their games")]
    findings: Annotated[list[AuditFinding], Meta(description="the faults; empty if there are none")]
    odd_instants: Annotated[
        list[AuditFinding],
        Meta(description="events in the future, or well before the event in front of them: a clock that was set leaves them, or a forger"),
    ]


class CatalogueProblem(msgspec.Struct, frozen=True):
    """A fault in the event catalogue."""

    path: Annotated[str, Meta(description="the file, relative to the catalogue's directory")]
    problem: Annotated[str, Meta(description="the fault")]


@show.emits(AuditReport)
def verify(ctx: typer.Context, *, workers: Workers = None, json: show.Json = False) -> None:
    """Check every event, replay every game and league, recompute all ratings, and check the checkpoints.

    It ends with 1 if anything is wrong. Events whose instants are out of order are told beside that: a clock that was set leaves them too.
    """
    run = session(ctx)
    service, database = run.service, run.settings.database
    with service.db.read() as conn:
        whole = Parts.of(conn)
    with progress() as shown:
        audited = _audited(database, whole, workers, shown)
    # Anew: no transaction is held while all of that is checked, which takes long. What has come meanwhile is checked here.
    with service.db.read() as conn:
        findings = [_found(finding) for finding in (*audit.verify(conn, sound=audited.sound), *audited.games, *audited.leagues)]
        odd = [_found(finding) for finding in audit.odd_instants(conn, service.clock(), BEHIND)]
    findings += [AuditFinding(None, None, None, problem) for problem in schema.differences(service.db)]
    findings += [_found(finding) for finding in records.verify(service.db)]
    with service.db.read() as conn:
        grown = log.last_position(conn) > whole.events
        findings += [_found(finding) for finding in derived_rows.verify(conn, None if grown else audited.tallies)]
        findings += [_found(finding) for finding in derived_rows.verify_ratings(conn)]
        findings += [_found(finding) for finding in checkpoints.findings(conn, run.settings)]
    done = AuditReport(whole.events, len(whole.games), len(whole.leagues), findings, odd)
    if json:
        show.json(done)
    else:
        rows = _rows(findings)
        checked = [counted(done.events, "event"), counted(done.games, "game")]
        checked += [counted(done.leagues, "league")] if done.leagues else []
        seen = f"{', '.join(checked[:-1])} and {checked[-1]} were checked"
        wrong = f"{counted(len(findings), 'thing')} {'is' if len(findings) == 1 else 'are'} wrong"
        if rows:
            show.table(("Position", "Stream", "Version", "What is wrong"), rows, right=("Position", "Version"), note=f"{seen}: {wrong}.")
        else:
            typer.echo(f"{seen}: everything is as it was written.")
        if odd:
            note = "Look into these: an instant is out of order. A clock that was set leaves such events; so does somebody who writes them."
            typer.echo()
            show.table(("Position", "Stream", "Version", "What is odd"), _rows(odd), right=("Position", "Version"), note=note)
    if findings:
        raise typer.Exit(1)


@show.emits(list[CatalogueProblem])
def check_catalogue(*, json: show.Json = False) -> None:
    """Check that every event that was ever stored can still be read and means the same. It ends with 1 if not."""
    problems = catalogue.check(resources.events_dir())
    if json:
        show.json([CatalogueProblem(problem.path, problem.says) for problem in problems])
    elif problems:
        typer.echo("\n".join(map(str, problems)))
    else:
        typer.echo(f"Everything in {resources.events_dir()} holds.")
    if problems:
        raise typer.Exit(1)


def write() -> None:
    """Generate the schemas of the current events and the README of the catalogue."""
    if problems := catalogue.write(resources.events_dir()):
        typer.echo("\n".join(map(str, problems)))
        raise typer.Exit(1)
    typer.echo(f"Wrote the schemas and README.md in {resources.events_dir()}.")


def _audited(database: DatabaseSettings, whole: Parts, workers: int | None, shown: Progress) -> Audited:
    events = shown.add_task("Events", total=whole.events)
    leagues = shown.add_task("Leagues", total=len(whole.leagues))
    games = shown.add_task("Games", total=len(whole.games))

    def done(part: Part) -> None:
        match part:
            case Page():
                shown.update(events, completed=part.last)
            case OneLeague():
                shown.advance(leagues)
            case OneGame():
                shown.advance(games)
            case _:
                assert_never(part)

    return parts.audited(database.url, whole, workers or processors(), busy_timeout_seconds=database.busy_timeout_seconds, done=done)


def _rows(findings: Sequence[AuditFinding]) -> list[tuple[str, ...]]:
    return [(str(one.position or ""), one.stream or "", str(one.version or ""), one.problem) for one in findings]


def _found(finding: Finding) -> AuditFinding:
    return AuditFinding(finding.position, finding.stream, finding.version, finding.problem)


def progress() -> Progress:
    """Return a progress bar on the standard error, which shows itself only in a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


class Difference(msgspec.Struct, frozen=True):
    """A point where a game differs when the installed program replays it."""

    game: Annotated[int, Meta(description="the game's number")]
    version: Annotated[int | None, Meta(description="the event after which it differs; null if the game cannot be played at all")]
    problem: Annotated[str, Meta(description="the difference")]


class Replayed(msgspec.Struct, frozen=True):
    """The result of playing every game again."""

    games: Annotated[int, Meta(description="games that were played again, open and finished")]
    events: Annotated[int, Meta(description="their events")]
    differing: Annotated[int, Meta(description="games that would differ")]
    differences: Annotated[list[Difference], Meta(description="the differences by game; empty if there are none")]


@show.emits(Replayed)
def replay_all(ctx: typer.Context, *, workers: Workers = None, json: show.Json = False) -> None:
    """Replay every game with this program, and compare boards, turns, deadlines and results. It ends with 1 if any game would differ."""
    run = session(ctx)
    with run.service.db.read() as conn:
        games = audit.begun(conn).games
    with progress() as shown:
        done = played(run.settings.database, games, workers, shown)
    if json:
        show.json(done)
    elif done.differences:
        rows = [(str(one.game), str(one.version or ""), one.problem) for one in done.differences]
        note = f"{counted(done.games, 'game')} were played again, {done.differing} would differ."
        show.table(("Game", "Version", "What differs"), rows, right=("Game", "Version"), note=note)
    else:
        typer.echo(f"{counted(done.games, 'game')} of {counted(done.events, 'event')} were played again: none would differ.")
    if done.differences:
        raise typer.Exit(1)


def played(database: DatabaseSettings, games: Sequence[GameId], workers: int | None, shown: Progress) -> Replayed:
    """Play games again, several at a time, and show how far that is."""
    task = shown.add_task("Games", total=len(games))
    events, differing, differences = 0, 0, list[Difference]()
    for outcome in replaying.replay_all(database.url, games, workers or processors(), busy_timeout_seconds=database.busy_timeout_seconds):
        events += outcome.events
        differing += bool(outcome.findings)
        differences += [Difference(outcome.game, finding.version, finding.problem) for finding in outcome.findings]
        shown.advance(task)
    return Replayed(len(games), events, differing, differences)
