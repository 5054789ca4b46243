"""`turnserver audit mail`: the mail behind an event, as it came."""

import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from turnserver.audit.past import MAIL, because
from turnserver.cli.audit.shapes import MailBehind
from turnserver.cli.game.found import actor_told
from turnserver.cli.output import show
from turnserver.cli.output.shapes import names, times
from turnserver.cli.session import session
from turnserver.errors import BadOption, NotFound
from turnserver.ids import LARGEST, Position, Stream, Version
from turnserver.mail.format.envelope import as_arrived
from turnserver.mail.outbound.language import counted
from turnserver.store.log import trail
from turnserver.store.log.database import Transaction
from turnserver.store.log.trail import Trace
from turnserver.store.mail import inbox, retention

_DIGITS = 19
"""No position has a number that long."""


@show.emits(MailBehind)
def mail(
    ctx: typer.Context,
    stream: Annotated[
        str,
        typer.Argument(
            metavar="EVENT",
            help="The event's stream, such as game-17 or league-3, with VERSION after it; or its position in the log, such as #48211.",
        ),
    ],
    version: Annotated[int | None, typer.Argument(metavar="VERSION", min=1, max=LARGEST, help="Its version in that stream.")] = None,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Write the mail to this file, as it came.")
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Write the mail to the terminal, as it came.")] = False,
    json: show.Json = False,
) -> None:
    """Show the mail behind an event: its envelope, its hash, and with --raw or -o every byte of it."""
    run = session(ctx)
    with run.service.db.read() as conn:
        trace = _event(conn, stream, version)
        item = _behind(conn, trace)
    behind = MailBehind(
        mail=item.id,
        position=trace.position,
        stream=trace.stream,
        version=trace.version,
        type=trace.type,
        actor=trace.actor,
        received_at=item.received_at,
        source=item.source,
        sender=item.sender,
        recipient=item.recipient,
        identity=item.identity,
        size=len(item.raw),
        sha256=sha256(item.raw).hexdigest(),
        genuine=as_arrived(item.raw, item.recipient) == item.identity,
    )
    if output is not None:
        # it holds a reply key
        with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(item.raw)
    if raw:
        sys.stdout.buffer.write(item.raw)
        sys.stdout.buffer.flush()
        return
    if json:
        show.json(behind)
        return
    clock = times(run)
    show.facts(
        (
            ("Event", f"#{behind.position}, {behind.stream} version {behind.version}, {behind.type}"),
            ("By", actor_told(behind.actor, names(run))),
            ("Mail", f"{behind.mail}, by {behind.source}"),
            ("Arrived", clock.full(behind.received_at)),
            ("Envelope", f"from {behind.sender or 'unknown'} to {behind.recipient}"),
            ("Size", f"{counted(behind.size, 'byte')}"),
            ("SHA-256", behind.sha256),
            ("Identity", behind.identity),
            ("", "" if behind.genuine else "THESE BYTES ARE NOT THE MAIL THAT THE LOG NAMES: its identity does not follow from them."),
            ("", f"`turnserver mail inbox show {behind.mail}` tells how it was read."),
        )
    )
    if output is not None:
        typer.echo(f"The mail is in {output}.")


def _event(conn: Transaction, stream: str, version: int | None) -> Trace:
    """Return the event that is meant. Raises NotFound and BadOption."""
    if version is None:
        digits = stream.removeprefix("#")
        if not (digits.isascii() and digits.isdigit() and len(digits) < _DIGITS):
            raise BadOption(
                f"Say which event: `game-17 12` is version 12 of game 17, `#48211` a position of the log. {stream!r} is neither."
            )
        found = trail.at_position(conn, Position(int(digits)))
        if found is None:
            raise NotFound(f"There is no event at position #{digits}.")
        return found
    # A number alone is a game, as in most other commands.
    name = Stream(f"game-{stream}" if stream.isdigit() else stream.strip().lower())
    found = trail.at_version(conn, name, Version(version))
    if found is None:
        last = trail.newest(conn, name, 1)
        had = (
            f"{name} has had {counted(last[0][0], 'event')} so far" if last else f"There is no stream {name!r}, such as game-17 or league-3"
        )
        raise NotFound(f"{had}; there is no version {version}." if last else f"{had}.")
    return found


def _behind(conn: Transaction, trace: Trace) -> inbox.InboxItem:
    """Return the mail behind an event. Raises NotFound, saying what was behind it instead, or that its bytes are not kept any more."""
    found = because(conn, trace.cause)
    where = f"{trace.stream} version {trace.version}"
    if found.kind != MAIL:
        raise NotFound(f"There was no mail behind {where}: it was asked for by {found.told} ({trace.actor}, {trace.cause}).")
    if found.mail is None:
        raise NotFound(f"There was a mail behind {where}, but it is not kept any more. What it was is known by its identity, {found.key}.")
    item = inbox.get(conn, found.mail.id)
    if (left := retention.left_of_came(conn, item.id)) is not None:
        raise NotFound(f"Mail {item.id} was behind {where}, and its bytes are not kept any more: {left}; its identity, {found.key}.")
    return item
