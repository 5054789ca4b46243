"""`turnserver mail rotate-key` and `turnserver mail resend`: fresh keys for reply addresses, and fresh mails for a player."""

from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli import complete
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.mail.outbound.wording import counted
from turnserver.store.log.secrets import KeyVersion
from turnserver.text import listing


class ReplyKey(msgspec.Struct, frozen=True):
    """What became of the keys of reply addresses."""

    version: Annotated[int, Meta(description="the version of the key that signs from now on")]
    retired: Annotated[list[int], Meta(description="the versions that do not count any more")]
    verifying: Annotated[list[int], Meta(description="the older versions that still count")]


class Resent(msgspec.Struct, frozen=True):
    """What was queued again for a player."""

    player: Annotated[int, Meta(description="the player's number")]
    mails: Annotated[int, Meta(description="how many mails go to the player")]


@show.emits(ReplyKey)
def rotate_key(
    ctx: typer.Context,
    *,
    retire: Annotated[
        int, typer.Option(metavar="N", min=0, max=1_000_000, help="Let version N, and all before it, not count any more from now on.")
    ] = 0,
    retire_days: Annotated[
        int | None, typer.Option(metavar="DAYS", min=0, max=100_000, help="The same for versions that were replaced so many days ago.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Make a new key for reply addresses. Addresses in mails that were sent before go on working until their key is retired."""
    service = session(ctx).service
    done = service.rotate_key(retire=retire, retire_days=retire_days)
    older = [key.version for key in service.reply_keys() if key.version != done.version]
    if json:
        show.json(ReplyKey(done.version, list(done.retired), older))
        return
    typer.echo(f"Reply addresses are signed with version {done.version} of the key from now on.")
    for versions, what in ((older, "what was signed before still counts"), (list(done.retired), "answers to older mails are refused")):
        if versions:
            numbers = listing([str(version) for version in versions], "and")
            state = "verified" if versions is older else "retired"
            typer.echo(f"{state.capitalize()}: {'version' if len(versions) == 1 else 'versions'} {numbers}; {what}.")


@show.emits(Resent)
def resend(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(metavar="WHO", autocompletion=complete.players, help="The player's number, name or mail address.")],
    *,
    json: show.Json = False,
) -> None:
    """Send a player everything once more that waits for a move or an answer, or else the list of the player's games."""
    run = session(ctx)
    person = run.service.player(who)
    number = run.service.resend(str(person.id), actor=run.actor, cause=run.cause)
    if json:
        show.json(Resent(person.id, number))
        return
    typer.echo(f"{counted(number, 'mail')} {'goes' if number == 1 else 'go'} to {person.name} at {person.address}.")


def told(keys: list[KeyVersion]) -> str:
    """What there is to say about the keys of reply addresses, for the doctor."""
    newest, older = keys[-1], keys[:-1]
    made = f", made {newest.made_at:%Y-%m-%d}" if newest.made_at else ""
    also = f"; {listing([str(key.version) for key in older], 'and')} still verified" if older else ""
    return f"reply addresses are signed with key version {newest.version}{made}{also}"
