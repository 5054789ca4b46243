"""`turnserver backup`, `restore`, `restored` and `copy`: the database as one compressed file, and back; and the way to another engine."""

import os
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.output import show
from turnserver.cli.session import Session, session
from turnserver.config import reading
from turnserver.errors import BadOption, NotAllowed
from turnserver.mail.outbound.language import counted, span
from turnserver.service.upkeep import losses
from turnserver.store.incidents import backup as copies
from turnserver.store.incidents import copying, health, outages
from turnserver.store.log.database import Database, Transaction
from turnserver.text import capitalised

_ANOTHER_NAME = "Give the log another name (audit.origin): under the old one, more may have been signed than there is now."
# The sweep beats every 15 seconds by default, so a service that runs was seen within the last minute.
_FRESH = timedelta(minutes=1)
# In UTC: the names have to sort by age, also in the night in which summer time ends.
_NAME = "turnserver-{:%Y%m%dT%H%M%SZ}.db.gz"
_NAMED = re.compile(r"turnserver-\d{8}T\d{6}Z\.db\.gz")


class Backup(msgspec.Struct, frozen=True):
    """A backup that was written and read back."""

    file: Annotated[str, Meta(description="the file")]
    bytes: Annotated[int, Meta(description="its size")]
    sha256: Annotated[str, Meta(description="the SHA-256 of the file")]
    events: Annotated[int, Meta(description="the number of events in it, which is the position of the last one")]
    games: Annotated[int, Meta(description="the number of games in it")]
    removed: Annotated[list[str], Meta(description="older backups that --keep removed")]
    also: Annotated[list[str], Meta(description="files outside the database that have to be kept too")]


def _place(text: str) -> Path:
    """Return the path that a text names. Raises BadOption for a directory that is not there: as a `Path`, it would be a new file."""
    if not text:
        raise BadOption("Name a new file for the backup, or a directory; `.` is this one.")
    if text.endswith(os.sep) and not Path(text).is_dir():
        raise BadOption(f"There is no directory {text}.")
    return Path(text)


@show.emits(Backup)
def backup(
    ctx: typer.Context,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", parser=_place, help="A new file, or a directory for a file that is named after the present instant."
        ),
    ],
    *,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="In a directory: keep the newest N of the backups named like this one, and remove the others."
        ),
    ] = None,
    json: show.Json = False,
) -> None:
    """Copy the database into one compressed file while the service runs, and read it back. A file that is not sound is not kept."""
    run = session(ctx)
    source = _file_of(run, "backup")
    into = target.is_dir()
    if keep is not None and not into:
        why = "isn't one" if target.exists() else "does not exist"
        raise BadOption(f"--keep needs a directory, and {target} {why}.")
    now = run.outside.clock()
    file = (target / _NAME.format(now.astimezone(UTC)) if into else target).absolute()
    run.service.db.close()  # it is a database of ours, at this program's revision
    done = copies.write(source, file, run.settings.database.busy_timeout_seconds, now)
    # Old backups go only after the new one was read back and is sound.
    removed = list(_removed(file.parent, keep)) if keep else []
    made = Backup(str(file), done.size, done.digest, done.sound.events, done.sound.games, removed, list(_besides(run)))
    if json:
        show.json(made)
        return
    typer.echo(f"{made.file} holds {counted(made.events, 'event')} and {counted(made.games, 'game')}. It was read back and is sound.")
    typer.echo(f"SHA-256 {made.sha256}")
    if removed:
        typer.echo(f"Removed: {', '.join(Path(path).name for path in removed)}.")
    if made.also:
        typer.echo("Keep these too; they are not in it:")
        typer.echo("\n".join(f"  {path}" for path in made.also))


def _file_of(run: Session, command: str) -> Path:
    """Return the file of the configured database. Raises BadOption for PostgreSQL, with what to do in that case."""
    url = run.settings.database.url
    if (file := health.file_of(url)) is not None:
        return file
    where = f"{capitalised(health.place(url))} is PostgreSQL's"
    name = health.name(url)
    if command == "backup":
        raise BadOption(f"{where}, which has its own tool: `pg_dump --format=custom --file={name}.dump {name}`. See AUDIT.md.")
    raise BadOption(
        f"{where}, which has its own tool: stop the service, `createdb {name}` under a new name or after `dropdb {name}`, then"
        f" `pg_restore --exit-on-error --single-transaction --dbname={name} {name}.dump`, and at last `turnserver restored`. See AUDIT.md."
    )


def _removed(directory: Path, keep: int) -> Iterator[str]:
    # The names tell the age; a file whose name this program did not give is not ours to remove.
    for path in sorted(path for path in directory.iterdir() if _NAMED.fullmatch(path.name))[:-keep]:
        path.unlink()
        yield str(path)


def _besides(run: Session) -> Iterator[str]:
    file = reading.locate(run.config, os.environ)
    if file is not None:
        yield str(file.absolute())
    yield from map(str, (*run.settings.dkim.key_files, *run.settings.audit.key_files))


class RestoredBackup(msgspec.Struct, frozen=True):
    """A database that was put back."""

    database: Annotated[str, Meta(description="the path or address of the database")]
    events: Annotated[int, Meta(description="the number of events in it, which is the position of the last one")]
    games: Annotated[int, Meta(description="the number of games in it")]
    since: Annotated[datetime | None, Meta(description="when the service last worked on the database that was backed up")]
    replaced: Annotated[str | None, Meta(description="the new path of the database that was there before")]


Lost = Annotated[
    bool,
    typer.Option(
        "--something-lost/--nothing-lost",
        help="Whether anything happened after the backup. If so, players get a mail that shows their games as they are now.",
    ),
]


@show.emits(RestoredBackup)
def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A backup.")],
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="If there is a database, rename it: the present instant is added to its name.")
    ] = False,
    lost: Lost = True,
    json: show.Json = False,
) -> None:
    """Put a backup in the place of the database while no service runs. The backup is checked first, and brought up to date."""
    run = session(ctx)
    target = _file_of(run, "restore")
    if target.exists() and not replace:
        raise BadOption(f"There is a database {target} already; with --replace it stays beside the restored one.")
    now = run.outside.clock()
    # The copy is unpacked, checked and prepared beside the database, and takes its place only when all of that worked.
    with copies.room(target.parent, now) as inside:
        path = copies.unpacked(file, inside)
        with copies.reading(file):
            database = copies.brought_up(path)
        with closing(database):
            with copies.reading(file):
                sound = copies.proven(database)
            with database.write() as tx:
                begun = losses.begin(tx, run.outside.entropy, now, lost=lost)
        kept = copies.put_in_place(path, target, f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}")
    _say(RestoredBackup(str(target), *sound, begun.since, None if kept is None else str(kept)), run, json=json, lost=lost)


@show.emits(RestoredBackup)
def restored(ctx: typer.Context, *, lost: Lost = True, json: show.Json = False) -> None:
    """Say that the database was put back by other means, such as pg_restore or Litestream, before the service runs on it."""
    run = session(ctx)
    now, db = run.outside.clock(), run.service.db
    sound = copies.proven(db)
    with db.write() as tx:
        # A service that runs on the database would act on the old history while the new one begins.
        _require_stopped(tx, now)
        begun = losses.begin(tx, run.outside.entropy, now, lost=lost)
    _say(RestoredBackup(health.place(run.settings.database.url), *sound, begun.since, None), run, json=json, lost=lost)


class Copied(msgspec.Struct, frozen=True):
    """A database that was copied into an empty one."""

    database: Annotated[str, Meta(description="the path or address of the copy")]
    rows: Annotated[int, Meta(description="the number of rows that were copied")]
    events: Annotated[int, Meta(description="the number of events among them, which is the position of the last one")]
    games: Annotated[int, Meta(description="the number of games in it")]


@show.emits(Copied)
def copy(
    ctx: typer.Context,
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="An empty database, as database.url names it; of SQLite, a new file. "
            "Leave out a password, which everybody on the machine could see: it is taken from PGPASSWORD or ~/.pgpass.",
        ),
    ],
    *,
    json: show.Json = False,
) -> None:
    """Copy the whole database into an empty one while no service runs: from SQLite to PostgreSQL, or back. Both are checked."""
    run = session(ctx)
    db, wait = run.service.db, run.settings.database.busy_timeout_seconds
    with db.read() as conn:
        # It would go on with the old one, and what it does then would be in no copy.
        _require_stopped(conn, run.outside.clock())
    copies.proven(db)
    rows = copying.copy(db, url, wait)
    with closing(Database.connect(url, wait)) as made:
        sound = copies.proven(made)
    done = Copied(health.place(url), rows, *sound)
    if json:
        show.json(done)
        return
    typer.echo(f"{done.database} holds {counted(done.events, 'event')} and {counted(done.games, 'game')}, and is sound.")
    typer.echo("Next:")
    typer.echo("  1. Set database.url to it.")
    typer.echo("  2. `turnserver audit verify` plays every game again, `turnserver doctor` looks at everything else.")
    typer.echo(f"  3. Start the service. Never start one on {health.place(run.settings.database.url)} again: it would send the same mails.")


def _require_stopped(conn: Transaction, now: datetime) -> None:
    """Raise NotAllowed (`running`) if a service was seen on the database lately."""
    beat = outages.last_beat(conn)
    if beat is not None and now - beat < _FRESH:
        seen = f"The service runs on this database: it was seen {span(now - beat)} ago."
        raise NotAllowed("running", f"{seen} Stop it first. If you have just stopped it, wait for a minute.")


def _say(done: RestoredBackup, run: Session, *, json: bool, lost: bool) -> None:
    if json:
        show.json(done)
        return
    times = show.Times(run.settings.site.zone, run.outside.clock())
    typer.echo(f"{done.database} holds {counted(done.events, 'event')} and {counted(done.games, 'game')}, and is sound.")
    if done.since is not None:
        typer.echo(f"The service was last seen at {times.full(done.since)}. Clocks get the time since then back.")
    if done.replaced:
        typer.echo(f"The old database is {done.replaced} now.")
    steps = [
        "Put back what is not in it: the configuration, and the keys that it names.",
        "If mail is fetched: move the mails that came since then back to where they are fetched from; they are handled then.",
        *([_ANOTHER_NAME] if lost and run.settings.audit.key_files else []),
        "`turnserver audit verify` plays every game again, `turnserver doctor` looks at everything else.",
        "Start the service." + (" It tells every player what their games are now, and you what proves to be lost." if lost else ""),
    ]
    typer.echo("Next:")
    typer.echo("\n".join(f"  {number}. {step}" for number, step in enumerate(steps, 1)))
