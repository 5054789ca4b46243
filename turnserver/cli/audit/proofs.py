"""`turnserver audit prove`, `prove-consistency` and `check-proof`: small files that convince somebody who has neither the log nor us."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.audit import checkpoints as proving
from turnserver.audit.checkpoints import ShownEvent
from turnserver.cli.audit.checkpoints import Keys, stored, trusted
from turnserver.cli.output import show
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption, MalformedProof
from turnserver.ids import LARGEST, Stream, Version
from turnserver.proof import checkpoint, growth, tlog_proof
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.note import VerificationKey
from turnserver.service.upkeep import checkpoints

Into = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the proof to this file instead of printing it.")]


class Proved(msgspec.Struct, frozen=True):
    """The statement that a proof proves."""

    origin: Annotated[str, Meta(description="the log that it belongs to")]
    size: Annotated[int, Meta(description="the number of events in the checkpoint that it leads to")]
    old: Annotated[int | None, Meta(description="for growth: the number of events in the old checkpoint")]
    position: Annotated[int | None, Meta(description="for an event: its place in the log")]
    digest: Annotated[str | None, Meta(description="for an event: its hash, in hexadecimal")]
    event: Annotated[ShownEvent | None, Meta(description="the event itself, if the proof carries it")]


def prove(
    ctx: typer.Context,
    stream: Annotated[str, typer.Argument(metavar="STREAM", help="The event's stream: game-17, league-3 or player-8; 17 means game-17.")],
    version: Annotated[int, typer.Argument(metavar="VERSION", min=1, max=LARGEST, help="The event's version in that stream.")],
    *,
    output: Into = None,
) -> None:
    """Prove that a signed checkpoint covers an event. The .tlog-proof carries the event and can be checked offline."""
    name = f"game-{stream}" if stream.isascii() and stream.isdigit() else stream
    with session(ctx).service.db.read() as conn:
        proof = proving.inclusion(conn, Stream(name), Version(version))
    _give(str(proof), output)


def prove_consistency(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The older checkpoint: a file, or its number of events.")],
    new: Annotated[
        int | None, typer.Argument(metavar="NEW", help="The newer checkpoint, by its number of events; else the newest.")
    ] = None,
    *,
    output: Into = None,
) -> None:
    """Prove that a newer checkpoint grew out of an older one, so that nothing was rewritten in between."""
    run = session(ctx)
    newer = stored(run, new)
    with run.service.db.read() as conn:
        proof = proving.growth(conn, _older(run, old), newer)
    _give(str(proof), output)


@show.emits(Proved)
def check_proof(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file that `audit prove` or `audit prove-consistency` wrote.")],
    *,
    key: Keys = None,
    old: Annotated[Path | None, typer.Option(metavar="FILE", help="For growth: the older checkpoint, as you got it back then.")] = None,
    digest: Annotated[
        str | None, typer.Option(metavar="HASH", help="For an event: the hash that it must have; all 64 digits, as exports have it.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Check a proof offline: neither the database nor the configuration is needed if the key is given."""
    keys = trusted(session(ctx), key)
    text = checkpoints.read(file)
    done = _grown(text, old, keys) if growth.is_growth(text) else _stands(text, digest, keys)
    if json:
        show.json(done)
    else:
        typer.echo(_told(done))


def _older(run: Session, text: str) -> Checkpoint:
    if text.isascii() and text.isdigit() and len(text) < 19:
        found = stored(run, int(text))
        # Not verified, as the row is ours: from another tree no proof can be made.
        return Checkpoint(run.settings.origin, found.size, found.root)
    return checkpoint.verify(checkpoints.read(Path(text)), checkpoints.verifying(run.settings))


def _grown(text: str, old: Path | None, keys: list[VerificationKey]) -> Proved:
    if old is None:
        raise BadOption("This proof is about growth since an older checkpoint. Give the file of that checkpoint with --old.")
    before = checkpoint.verify(checkpoints.read(old), keys)
    after = growth.verify(growth.parse(text), before, keys)
    return Proved(after.origin, after.size, before.size, None, None, None)


def _stands(text: str, digest: str | None, keys: list[VerificationKey]) -> Proved:
    proof = tlog_proof.parse(text)
    content = None if proof.extra is None else sha256(proof.extra).digest()
    data = _bytes(digest) if digest is not None else content
    if data is None:
        raise BadOption("The proof doesn't contain the event. Give the event's hash with --digest.")
    if content not in (None, data):
        raise MalformedProof("The event in the proof doesn't have this hash.")
    tree = tlog_proof.verify(proof, data, keys)
    event = None if proof.extra is None else proving.shown(proof.extra)
    # Leaves count from 0, positions from 1.
    if event is not None and event.position != proof.index + 1:
        raise MalformedProof(f"The event says that it is at position {event.position}, but the proof says {proof.index + 1}.")
    return Proved(tree.origin, tree.size, None, proof.index + 1, data.hex(), event)


def _bytes(digest: str) -> bytes:
    try:
        found = bytes.fromhex(digest)
    except ValueError:
        found = b""
    if len(found) != 32:
        raise BadOption(f"{digest!r} is not the hash of an event: 64 hexadecimal digits.")
    return found


def _told(done: Proved) -> str:
    if done.old is not None:
        return f"Proved: the log {done.origin} of {done.size} events grew out of that of {done.old}; none of those was touched."
    stands = (
        f"Proved: position {done.position} of the log {done.origin}, in its checkpoint of {done.size} events, has the event {done.digest}"
    )
    if done.event is None:
        return f"{stands}."
    event = done.event
    return f"{stands}:\n{event.stream} {event.version}, {event.type}, {event.at}, by {event.actor}\n{event.data}"


def _give(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        # As bytes: with other ends of lines the signed note would be another.
        output.write_bytes(text.encode())
    except OSError as error:
        raise BadOption(f"The file {output} cannot be written: {error.strerror}.") from error
