"""`turnserver status`: one screen with everything that waits for an admin, and when the service last worked, signed and was backed up."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

import turnserver
from turnserver.cli.output import show
from turnserver.cli.output.shapes import times
from turnserver.cli.session import session
from turnserver.errors import StoreError
from turnserver.mail.outbound.language import counted, span
from turnserver.play.state import Status as GameStatus
from turnserver.service.upkeep.standing import Standing, Task, standing
from turnserver.store.games import views
from turnserver.store.incidents import health
from turnserver.store.incidents.backup import LastBackup
from turnserver.store.log.database import REVISION, Database
from turnserver.store.mail import retention
from turnserver.store.mail.retention import Space
from turnserver.text import capitalised


class WaitingTask(msgspec.Struct, frozen=True):
    """Something that waits for an admin."""

    about: Annotated[str, Meta(description="the subject, such as Inbox or League 3, Winter")]
    says: Annotated[str, Meta(description="the task as a sentence")]
    command: Annotated[str, Meta(description="the command that does it, or that shows more of it")]


class KnownBackup(msgspec.Struct, frozen=True):
    """A backup that `turnserver backup` has made."""

    at: Annotated[datetime, Meta(description="when it was made")]
    file: Annotated[str, Meta(description="the path of the file")]
    there: Annotated[bool, Meta(description="whether the file is still there; true also if nobody may look for it")]


class ServiceStatus(msgspec.Struct, frozen=True):
    """The state of the service."""

    version: Annotated[str, Meta(description="the version of the program")]
    revision: Annotated[str, Meta(description="the revision of the tables")]
    database: Annotated[str, Meta(description="the path or address of the database")]
    worked_at: Annotated[datetime | None, Meta(description="when the service last looked at the clocks; null if it never has")]
    restored_at: Annotated[
        datetime | None, Meta(description="when the database was restored, if the service has not worked since; null otherwise")
    ]
    checkpoint_at: Annotated[datetime | None, Meta(description="when the last checkpoint was signed; null if none ever was")]
    backup: Annotated[KnownBackup | None, Meta(description="the last backup; null if none is known, as with PostgreSQL's own tool")]
    games: Annotated[dict[str, int], Meta(description="the number of games, inviting and running")]
    inbox: Annotated[dict[str, int], Meta(description="the number of mails in the inbox, by status")]
    outbox: Annotated[dict[str, int], Meta(description="the number of mails in the outbox, by status")]
    retrying: Annotated[int, Meta(description="the number of queued mails that could not be sent yet")]
    space: Annotated[dict[str, int], Meta(description="bytes of mails that came, characters of mails that went and of events")]
    tasks: Annotated[list[WaitingTask], Meta(description="the tasks that wait for an admin")]


@show.emits(ServiceStatus)
def status(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Show what waits for an admin: mail that is stuck, players out of reach, results to decide; and when the service last worked.

    The same comes as a mail to site.admin on Monday mornings, if anything waits. `turnserver doctor` looks at the installation.
    """
    run = session(ctx)
    service = run.service
    found = standing(service.ledger, service.leagues, run.settings, service.upkeep.guard, service.clock())
    found = found._replace(tasks=[*_database(service.db), *found.tasks])
    with service.db.read() as conn:
        counts = views.count_games(conn)
        space = retention.space(conn)
    open_ = {one.value: counts.get(one, 0) for one in (GameStatus.INVITING, GameStatus.RUNNING)}
    where = health.place(run.settings.database.url)
    if json:
        show.json(_as_json(found, where, open_, space))
        return
    _tell(found, times(run), where, open_, space)


def _database(db: Database) -> Iterator[Task]:
    # a disk that is full can still be read, and mail would stay with the other server for as long as that lasts
    try:
        health.examine(db)
    except StoreError as error:
        yield Task("Database", f"{capitalised(str(error))}.", "turnserver doctor")


def _gone(backup: LastBackup) -> str:
    return "" if backup.is_there() else ", which is not there any more"


def _as_json(found: Standing, where: str, games: dict[str, int], space: Space) -> ServiceStatus:
    return ServiceStatus(
        version=turnserver.__version__,
        revision=REVISION,
        database=where,
        worked_at=found.worked.at,
        restored_at=found.worked.restored_at,
        checkpoint_at=found.checkpoint.at if found.checkpoint else None,
        backup=KnownBackup(found.backup.at, found.backup.file, found.backup.is_there()) if found.backup else None,
        games=games,
        inbox=found.traffic.came,
        outbox=found.traffic.leaving,
        retrying=found.traffic.retrying.mails,
        space=space._asdict(),
        tasks=[WaitingTask(*one) for one in found.tasks],
    )


def _tell(found: Standing, clock: show.Times, where: str, games: dict[str, int], space: Space) -> None:
    def ago(at: datetime | None) -> str:
        return f"{clock.full(at)}, {span(clock.now - at)} ago" if at is not None else ""

    mails = found.traffic
    show.facts(
        (
            ("Program", f"turnserver {turnserver.__version__}, tables {REVISION}"),
            ("Database", where),
            ("Worked", (ago(found.worked.at) or "never; `turnserver serve` does") + _not_since(found.worked.restored_at, clock)),
            ("Checkpoint", ago(found.checkpoint.at if found.checkpoint else None) or "none yet"),
            ("Backup", f"{ago(found.backup.at)}: {found.backup.file}{_gone(found.backup)}" if found.backup else "none is known"),
            ("Games", f"{games['running']} running, {games['inviting']} inviting"),
            ("Mail", f"{mails.came.get('new', 0)} to be read, {mails.leaving.get('queued', 0)} to be sent"),
            (
                "Space",
                f"{_megabytes(space.came)} of mail that came, {_megabytes(space.went)} that went, {_megabytes(space.events)} of events",
            ),
        )
    )
    typer.echo()
    if not found.tasks:
        typer.echo("Nothing waits for you.")
        return
    typer.echo(f"{counted(len(found.tasks), 'thing')} {'waits' if len(found.tasks) == 1 else 'wait'} for you:")
    for command, tasks in groupby(found.tasks, key=lambda one: one.command):
        typer.echo()
        for task in tasks:
            show.words(f"{task.about}: {task.says}")
        # On a line of its own and never wrapped, as it is there to be copied.
        typer.echo(f"  $ {command}")


def _not_since(restored: datetime | None, clock: show.Times) -> str:
    return f"; not since the restore at {clock.full(restored)}" if restored is not None else ""


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
