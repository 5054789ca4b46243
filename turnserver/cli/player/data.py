"""`turnserver player data`: everything that is kept on somebody, for that somebody."""

import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.output import show
from turnserver.cli.player.commands import Who
from turnserver.cli.session import session
from turnserver.errors import BadOption
from turnserver.mail.outbound.wording import counted


class PlayerData(msgspec.Struct, frozen=True):
    """What was written."""

    player: Annotated[int, Meta(description="the player's number")]
    file: Annotated[str, Meta(description="the ZIP")]
    files: Annotated[list[str], Meta(description="the files in it")]


@show.emits(PlayerData)
def data(
    ctx: typer.Context,
    who: Who,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.zip", dir_okay=False, help="Where to write; else player-N.zip here.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Write everything that is kept on a player into a ZIP: account, events, mails, chat, plans, ratings. Its README says what is what.

    Of others there is only what was sent to the player. The file can be read by nobody but you.
    """
    run = session(ctx)
    person = run.service.player(who)
    target = output or Path(f"player-{person.id}.zip")
    names, packed = run.service.player_data(person.id)
    try:
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(packed)
    except OSError as error:
        raise BadOption(f"{target} cannot be written: {error.strerror}.") from error
    if json:
        show.json(PlayerData(person.id, str(target), names))
        return
    typer.echo(f"Everything that is kept on {person.name}, player {person.id}, is in {target}: {counted(len(names), 'file')}.")
