"""`turnserver audit checkpoint` and `turnserver audit key`: signed checkpoints of the log, and the keys that sign them."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
import typer
from msgspec import Meta

from turnserver.audit import checkpoints as checkpointed
from turnserver.audit.checkpoints import SignedMark
from turnserver.cli.audit.group import progress
from turnserver.cli.output import show
from turnserver.cli.output.shapes import times
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption, NotFound, ProofError
from turnserver.ids import LARGEST
from turnserver.proof import checkpoint
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.note import SigningKey, VerificationKey, verification_key
from turnserver.service.upkeep import checkpoints as checkpoint_keys
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored

Keys: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="VKEY", help="A verification key to trust, as its owner published it; else those in the configuration."),
]

_WHY = {"asked": "somebody asked", "due": "it was time", "season": "a season ended"}


class CheckpointMade(msgspec.Struct, frozen=True):
    """A checkpoint."""

    size: Annotated[int, Meta(description="the number of events in the log")]
    root: Annotated[str, Meta(description="the root of its tree, in hexadecimal")]
    at: Annotated[datetime, Meta(description="when it was made")]
    reason: Annotated[str, Meta(description="the occasion: asked, due or season")]
    note: Annotated[str, Meta(description="the checkpoint as it was signed")]


class CheckpointVerified(msgspec.Struct, frozen=True):
    """A file with a checkpoint, and whether the log agrees with it."""

    file: Annotated[str, Meta(description="the file")]
    size: Annotated[int | None, Meta(description="the number of events in the log; null if the file is not to be believed")]
    true: Annotated[bool, Meta(description="whether every event up to there is still the one that was signed")]
    says: Annotated[str, Meta(description="the finding as a sentence")]


class KeyShown(msgspec.Struct, frozen=True):
    """A key for checkpoints."""

    vkey: Annotated[str, Meta(description="the verification key to publish")]
    signs: Annotated[bool, Meta(description="whether it still signs; else it only verifies its earlier signatures")]
    file: Annotated[str | None, Meta(description="the path of the private key, if it signs")]


@show.emits(CheckpointMade)
def add(
    ctx: typer.Context,
    *,
    lost_key: Annotated[
        bool,
        typer.Option("--lost-key", help="Sign although the key that signed the newest checkpoint is lost and nobody can verify it here."),
    ] = False,
    json: show.Json = False,
) -> None:
    """Sign the log as it is now and publish the checkpoint. If nothing has happened since the last one, that one is shown."""
    made = session(ctx).service.upkeep.checkpoints.make(lost_key=lost_key).stored
    if json:
        show.json(_made(made))
    else:
        typer.echo(made.note, nl=False)


@show.emits(list[CheckpointMade])
def list_(ctx: typer.Context, *, json: show.Json = False) -> None:
    """List the checkpoints, the oldest first."""
    run = session(ctx)
    with run.service.db.read() as conn:
        found = checkpoints.every(conn)
    if json:
        show.json([_made(one) for one in found])
        return
    when = times(run)
    rows = [(when.at(one.at), str(one.size), _WHY.get(one.reason, one.reason), one.root.hex()[:16]) for one in found]
    show.table(("Made", "Events", "Because", "Root"), rows, right=("Events",), empty="There are none yet.", note=when.note)


@show.emits(CheckpointMade)
def show_(
    ctx: typer.Context,
    size: Annotated[int | None, typer.Argument(metavar="SIZE", help="The checkpoint, by its number of events; else the newest.")] = None,
    *,
    json: show.Json = False,
) -> None:
    """Show a checkpoint as it was signed."""
    found = stored(session(ctx), size)
    if json:
        show.json(_made(found))
    else:
        typer.echo(found.note, nl=False)


@show.emits(list[CheckpointVerified])
def verify(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files with checkpoints, as they were published back then.")],
    *,
    key: Keys = None,
    json: show.Json = False,
) -> None:
    """Compare the log with older checkpoints, and show where the past was rewritten, if it was.

    The hash of every event is recomputed. It ends with 1 if anything differs.
    """
    run = session(ctx)
    keys = trusted(run, key)
    said = [(file, _read(file, keys)) for file in files]
    given = [one for _, one in said if isinstance(one, Checkpoint)]
    with run.service.db.read() as conn, progress() as shown:
        # The checkpoints of this database are held as well, since the log is read through once in any case.
        marks = [*(SignedMark(one.size, one.root) for one in given), *checkpointed.known(conn, run.settings, keys)]
        task = shown.add_task("Events", total=log.last_position(conn))
        held = checkpointed.hold(checkpoints.leaves(conn), marks, lambda done: shown.update(task, completed=done))
    found = []
    for file, one in said:
        wrong = checkpointed.problem(one, held) if isinstance(one, Checkpoint) else str(one)
        size = one.size if isinstance(one, Checkpoint) else None
        right = f"Each of the first {size} events is as it was signed." if size else "It is of an empty log."
        found.append(CheckpointVerified(str(file), size, wrong is None, wrong or right))
    if json:
        show.json(found)
    else:
        typer.echo("\n".join(f"{one.file}: {one.says}" for one in found))
    if not all(one.true for one in found):
        raise typer.Exit(1)


@show.emits(KeyShown)
def key_new(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file for the private key, such as checkpoint-2.pem.")],
    *,
    json: show.Json = False,
) -> None:
    """Make a key and print its verification key. It signs once audit.key_files names it. An existing file is never overwritten."""
    run = session(ctx)
    path = file.absolute()
    try:
        checkpoint_keys.make(path)
    except FileExistsError as error:
        raise BadOption(f"The file {path} exists already and was not changed.") from error
    except OSError as error:
        raise BadOption(f"The key {path} cannot be written: {error.strerror}.") from error
    public = str(SigningKey(run.settings.origin, checkpoint_keys.read_key(path)).verification_key())
    if json:
        show.json(KeyShown(public, signs=False, file=str(path)))
        return
    typer.echo(f"The key is in {path}. Only its owner can read it; the owner has to be the user of the service.\n")
    typer.echo(f"Publish its verification key first:\n\n  {public}\n")
    typer.echo(f'Then add the file to the key_files of [audit], beside those that are there: "{path}"')


@show.emits(list[KeyShown])
def key_show(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Show the verification keys to publish: those of all keys that sign or have signed."""
    settings = session(ctx).settings
    keys = zip(checkpoint_keys.signing(settings), settings.audit.key_files, strict=True)
    found = [KeyShown(str(one.verification_key()), signs=True, file=str(path)) for one, path in keys]
    found += [KeyShown(text, signs=False, file=None) for text in settings.audit.verification_keys]
    if json:
        show.json(found)
    else:
        typer.echo("\n".join(one.vkey if one.signs else f"{one.vkey} (signs no more)" for one in found))


def trusted(run: Session, given: list[str] | None) -> list[VerificationKey]:
    """Return the verification keys that count: those given, else those of the settings. Raises MalformedProof and ConfigError."""
    return [verification_key(text) for text in given] if given else checkpoint_keys.verifying(run.settings)


def stored(run: Session, size: int | None) -> Stored:
    """Return the checkpoint of so many events, or the newest. Raises NotFound."""
    with run.service.db.read() as conn:
        # no engine can look for a number of any size, and no log is that long
        found = checkpoints.last(conn) if size is None else checkpoints.of_size(conn, min(size, LARGEST))
    if found is None:
        which = "yet" if size is None else f"of {size} events; `turnserver audit checkpoint list` has them"
        raise NotFound(f"There is no checkpoint {which}.")
    return found


def _read(file: Path, keys: list[VerificationKey]) -> Checkpoint | ProofError:
    try:
        return checkpoint.verify(checkpoint_keys.read(file), keys)
    except ProofError as error:
        # Returned, so that the other files are held against the log all the same.
        return error


def _made(one: Stored) -> CheckpointMade:
    return CheckpointMade(one.size, one.root.hex(), one.at, one.reason, one.note)
