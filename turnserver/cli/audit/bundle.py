"""`turnserver audit export` and `turnserver audit check`: events for people who do not trust the service, and checking them there."""

import re
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated

import typer

from turnserver import files
from turnserver.audit.bundle import writing as bundle
from turnserver.audit.bundle.check import Against, Checked, check
from turnserver.audit.bundle.writing import Sealed
from turnserver.audit.workers import processors
from turnserver.cli.audit.group import Workers, progress
from turnserver.cli.output import show
from turnserver.cli.session import Session, session
from turnserver.errors import NoBundle
from turnserver.ids import Position
from turnserver.mail.outbound.language import counted
from turnserver.proof import note
from turnserver.proof.note import verification_key
from turnserver.service.upkeep import checkpoints as checkpoint_keys
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Transaction

_WHAT = re.compile(r"all|(game|league)-[1-9][0-9]{0,17}")

What = Annotated[str, typer.Argument(metavar="game-17|league-3|all", help="A game, a league with its games, or the whole log.")]
Key = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="VKEY", help="A key that the service published, not the one in the bundle; may be repeated."),
]
Elsewhere = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint", metavar="FILE", exists=True, dir_okay=False, help="Compare the events with this checkpoint instead of their own."
    ),
]


def export(
    ctx: typer.Context,
    what: What,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="The ZIP to write; by default game-17.zip here.")
    ] = None,
) -> None:
    """Write a game, a league or the whole log to a file that anybody can check without this service."""
    if not _WHAT.fullmatch(what):
        raise typer.BadParameter(f"{what} is neither all nor like game-17 or league-3", ctx=ctx)
    path = output or Path(f"{what}.zip")
    run = session(ctx)
    service, signs = run.service, bool(run.settings.audit.key_files)
    # Made now, so that it covers all that the bundle holds.
    checkpoint = service.upkeep.checkpoints.make().stored if signs else None
    # Beside its place and renamed at the end, so that nobody ever finds half a bundle there.
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            with service.db.read() as conn, progress() as shown:
                until = Position(checkpoint.size) if checkpoint is not None else log.last_position(conn)
                sealed = _sealed(run, conn, checkpoint) if checkpoint is not None else None
                # How many events a game or a league brings along is known only when they are read.
                task = shown.add_task("Events", total=until if what == "all" else None)
                made = bundle.write(conn, what, until, sealed, file.file, progress=lambda done: shown.update(task, completed=done))
            file.close()
            # A temporary file is for its owner alone, a bundle for everybody.
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
        except BaseException:
            # After Ctrl-C too.
            Path(file.name).unlink(missing_ok=True)
            raise
    typer.echo(f"{counted(made.events, 'event')} of {counted(len(made.streams), 'stream')} are in {path}.")
    if not signs:
        show.words("It has no checkpoint, because audit.key_files names no key: it can't show that this is the service's log.")


@show.emits(Checked)
def check_(
    path: Annotated[Path, typer.Argument(metavar="BUNDLE", exists=True, help="The ZIP, or the directory that it was unpacked to.")],
    *,
    key: Key = None,
    checkpoint: Elsewhere = None,
    workers: Workers = None,
    json: show.Json = False,
) -> None:
    """Check a bundle by itself, without a database. It ends with 1 if anything is wrong, and with 2 if the bundle cannot be read."""
    text = _text(checkpoint) if checkpoint is not None else None
    against = Against(tuple(map(verification_key, key or ())), text)
    with progress() as shown:
        task = shown.add_task("Events", total=None)
        found = check(path, against, workers or processors(), lambda done, total: shown.update(task, completed=done, total=total))
    if json:
        show.json(found)
    else:
        _print(path, found)
    if any(line.wrong for line in found.lines):
        raise typer.Exit(1)


def _sealed(run: Session, conn: Transaction, checkpoint: Stored) -> Sealed:
    signers = note.verify(checkpoint.note, checkpoint_keys.verifying(run.settings)).signers
    # A function for the hashes: those of a whole log are read one by one while the bundle is written.
    return Sealed(checkpoint.note, tuple(map(str, signers)), lambda: checkpoints.hashes(conn, 0, checkpoint.size))


def _text(path: Path) -> str:
    try:
        return files.read_text(path)
    except UnicodeError as error:
        raise NoBundle(f"{path} isn't a checkpoint") from error


def _print(path: Path, found: Checked) -> None:
    """Print one table of the checks, one of the problems, and the remarks."""
    rows = [(line.about.value, f"{line.checked:,}", f"{line.wrong:,}" if line.wrong else "", line.says) for line in found.lines]
    typer.echo(f"{path}: {found.what}, with {found.events:,} events until {found.until[:16].replace('T', ' ')} UTC\n")
    show.table(("Check", "Number", "Wrong", "What was done"), rows, right=("Number", "Wrong"))
    typer.echo("")
    if found.wrong:
        told = [
            (str(one.position or ""), one.stream or "", str(one.version or ""), f"{one.about.value}: {one.problem}") for one in found.wrong
        ]
        show.table(("Position", "Stream", "Version", "What is wrong"), told, right=("Position", "Version"))
        typer.echo("")
    if found.head:
        show.words(f"The last event of {found.what} has the hash {found.head}. Mails with turns show the first digits of such hashes.")
    for key in found.signed_by:
        typer.echo(f"Signed by {key}")
    for each in found.notes:
        show.words(each)
    wrong = sum(line.wrong for line in found.lines)
    typer.echo(f"{counted(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong." if wrong else "Nothing is wrong.")
